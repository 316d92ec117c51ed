"""The table of functions: one row a function.  Domains, ranges and derivatives: DLMF, by the sections given.

The rows of this module come first; those that entry points of the group ``asymp.functions`` name follow (see
:mod:`asymp.functions.found`).

>>> NAMED["log"].name, NAMED["ln"].name, NAMED["ln"].derivative
('log', 'log', '1/x')
"""

from __future__ import annotations

from asymp.functions.found import outside
from asymp.functions.row import Row

_ABOVE = "f > 0"
_COUNT = "whole y, y >= 0"
_BELOW = "no pole z,"

_OWN: tuple[Row, ...] = (
    # --- elementary: DLMF 4
    Row("log ln", "x > 0, y > 0, y != 1", most=2, short="x > 0", slope=1, derivative="1/x", ball="log", cut="x <= 0",
        latex=r"\ln", source="4.2"),
    Row("exp", range=_ABOVE, slope=1, derivative="exp(x)", ball="exp", source="4.2(iii)"),
    Row("sqrt", "x >= 0", range="f >= 0", slope=1, ball="sqrt", cut="x <= 0", source="4.2(iv)"),
    Row("sin", range="-1 <= f <= 1", parity=-1, period="2*pi", derivative="cos(x)", ball="sin", latex=r"\sin", source="4.14"),
    Row("cos", range="-1 <= f <= 1", parity=1, period="2*pi", derivative="-sin(x)", ball="cos", latex=r"\cos", known="0: 1",
        source="4.14"),
    Row("tan", "cos(x) != 0", parity=-1, slope=1, period="pi", derivative="1 + tan(x)^2", interval="x > -pi/2, x < pi/2",
        ball="tan", latex=r"\tan", known="0: 0", source="4.14"),
    Row("cot", "sin(x) != 0", parity=-1, slope=-1, period="pi", derivative="-1 - cot(x)^2", interval="x > 0, x < pi", ball="cot",
        latex=r"\cot", source="4.14"),
    Row("sec", "cos(x) != 0", parity=1, period="2*pi", derivative="sec(x)*tan(x)", interval="x > -pi/2, x < pi/2", ball="sec",
        latex=r"\sec", known="0: 1", source="4.14"),
    Row("csc", "sin(x) != 0", parity=-1, period="2*pi", derivative="-csc(x)*cot(x)", interval="x > 0, x < pi", ball="csc",
        latex=r"\csc", source="4.14"),
    Row("asin", "x >= -1, x <= 1", range="-pi/2 <= f <= pi/2", parity=-1, slope=1, derivative="(1 - x^2)^(-1/2)", ball="asin",
        cut="x <= -1 or x >= 1", known="0: 0, 1: pi/2", source="4.23"),
    Row("acos", "x >= -1, x <= 1", range="0 <= f <= pi", slope=-1, derivative="-(1 - x^2)^(-1/2)", ball="acos",
        cut="x <= -1 or x >= 1", known="0: pi/2, 1: 0", source="4.23"),
    Row("atan", range="-pi/2 < f < pi/2", parity=-1, slope=1, derivative="1/(1 + x^2)", ball="atan",
        cut="I*x <= -1 or I*x >= 1", known="1: pi/4", source="4.23"),
    Row("sinh", parity=-1, slope=1, derivative="cosh(x)", ball="sinh", latex=r"\sinh", source="4.28"),
    Row("cosh", range="f >= 1", parity=1, derivative="sinh(x)", ball="cosh", latex=r"\cosh", known="0: 1", source="4.28"),
    Row("tanh", range="-1 < f < 1", parity=-1, slope=1, derivative="1 - tanh(x)^2", ball="tanh", latex=r"\tanh", source="4.28"),
    Row("coth", "x != 0", parity=-1, slope=-1, derivative="1 - coth(x)^2", ball="coth", latex=r"\coth", source="4.28"),
    Row("sech", range="0 < f <= 1", parity=1, derivative="-sech(x)*tanh(x)", ball="sech", known="0: 1", source="4.28"),
    Row("csch", "x != 0", parity=-1, slope=-1, derivative="-csch(x)*coth(x)", ball="csch", source="4.28"),
    Row("asinh", parity=-1, slope=1, derivative="(1 + x^2)^(-1/2)", ball="asinh", cut="I*x <= -1 or I*x >= 1", source="4.37"),
    Row("acosh", "x >= 1", range="f >= 0", slope=1, derivative="(x - 1)^(-1/2)*(x + 1)^(-1/2)", ball="acosh", cut="x <= 1",
        known="1: 0", source="4.37"),
    Row("atanh", "x > -1, x < 1", parity=-1, slope=1, derivative="1/(1 - x^2)", ball="atanh", cut="x <= -1 or x >= 1",
        known="0: 0", source="4.37"),
    Row("acot", "x != 0", range="-pi/2 < f < pi/2", parity=-1, slope=-1, derivative="-1/(1 + x^2)", means="atan(1/x)",
        source="4.23.9"),
    Row("asec", "x >= 1 or x <= -1", range="0 <= f <= pi", slope=1, derivative="x^(-2)*(1 - x^(-2))^(-1/2)",
        means="acos(1/x)", source="4.23.8"),
    Row("acsc", "x >= 1 or x <= -1", range="-pi/2 <= f <= pi/2", parity=-1, slope=-1, derivative="-x^(-2)*(1 - x^(-2))^(-1/2)",
        means="asin(1/x)", source="4.23.7"),
    Row("acoth", "x > 1 or x < -1", parity=-1, slope=-1, derivative="1/(1 - x^2)", means="atanh(1/x)", source="4.37.9"),
    Row("asech", "x > 0, x <= 1", range="f >= 0", slope=-1, derivative="-1/(x*(1 - x^2)^(1/2))", means="acosh(1/x)",
        source="4.37.8"),
    Row("acsch", "x != 0", parity=-1, slope=-1, derivative="-x^(-2)*(1 + x^(-2))^(-1/2)", means="asinh(1/x)", source="4.37.7"),
    # --- whole parts and signs
    Row("floor", whole=True, smooth=False, expanded=False, source="1.2"),
    Row("ceiling ceil", whole=True, smooth=False, expanded=False, source="1.2"),
    Row("Min", most=50, expanded=False, latex=r"\min"),
    Row("Max", most=50, expanded=False, latex=r"\max"),
    Row("Abs abs", range="f >= 0", parity=1, expanded=False),
    Row("sign", range="-1 <= f <= 1", whole=True, smooth=False, parity=-1, expanded=False, latex=r"\operatorname{sgn}"),
    # --- Gamma and its kin: DLMF 5
    Row("gamma", "no pole x", derivative="gamma(x)*digamma(x)", interval="x > 0", ball="gamma", expanded=False, latex=r"\Gamma",
        facts=("DLMF 5.2.2",), source="5.2"),
    Row("loggamma", "x > 0", derivative="digamma(x)", ball="lgamma", cut="x <= 0", expanded=False, facts=("DLMF 5.2.2",),
        known="1: 0, 2: 0", source="5.2"),
    Row("digamma", "no pole x", slope=1, derivative="trigamma(x)", interval="x > 0", ball="digamma", expanded=False,
        latex=r"\psi", facts=("DLMF 5.15.1",), known="1: -EulerGamma", source="5.2"),
    Row("trigamma", "no pole x", range=_ABOVE, derivative="polygamma(2, x)", interval="x > 0", facts=("DLMF 5.15.1",),
        known="1: pi^2/6", source="5.15"),
    Row("polygamma", "whole x, x >= 0, no pole y", least=2, most=2, derivative="polygamma(x + 1, y)", facts=("DLMF 5.15.1",),
        source="5.15"),
    Row("beta", "no pole x, no pole y", least=2, most=2, source="5.12"),
    Row("factorial", "no pole x + 1", derivative="gamma(x + 1)*digamma(x + 1)", interval="x > -1", whole_arguments=True,
        expanded=False, facts=("DLMF 5.4.1",), source="5.4"),
    Row("factorial2", "whole x, x >= -1", range="f >= 1", whole=True, whole_arguments=True, expanded=False, source="5.4.2"),
    Row("binomial", f"no pole x + 1 or {_COUNT}", least=2, most=2, whole_arguments=True, source="1.2(i)"),
    Row("rf RisingFactorial", f"{_COUNT} or no pole x + y", least=2, most=2, source="5.2(iii)"),
    Row("ff FallingFactorial", f"{_COUNT} or no pole x + 1", least=2, most=2, source="26.1"),
    Row("catalan", "no pole x + 1/2", interval="x > -1/2", source="26.5"),
    # H_x = digamma(x + 1) + gamma is real for every real x but the negative whole numbers
    Row("harmonic", "x > -1", most=2, short="no pole x + 1", interval="x > -1", derivative="polygamma(1, x + 1)",
        whole_arguments=True, expanded=False, facts=("DLMF 5.4.14", "DLMF 5.15.1"), source="25.16, 5.4.14"),
    Row("barnesg", derivative="barnesg(x)*((x - 1)*digamma(x) - x + 1/2 + log(2*pi)/2)", ball="acb.barnes_g", expanded=False,
        latex=r"\operatorname{G}", facts=("DLMF 5.17.4",), source="5.17"),
    # --- numbers that count: DLMF 24, 26; stirling1 has the sign (-1)^(n - k), and B_1 = -1/2
    Row("stirling1", f"whole x, x >= 0, {_COUNT}", least=2, most=2, whole=True, exact="fmpz.stirling_s1", whole_arguments=True,
        expanded=False, latex=r"\operatorname{s}", source="26.8"),
    Row("stirling2", f"whole x, x >= 0, {_COUNT}", least=2, most=2, range="f >= 0", whole=True, exact="fmpz.stirling_s2",
        whole_arguments=True, expanded=False, latex=r"\operatorname{S}", source="26.8"),
    Row("bell", "whole x, x >= 0", range="f >= 1", whole=True, exact="fmpz.bell_number", whole_arguments=True, expanded=False,
        latex=r"\operatorname{Bell}", source="26.7"),
    Row("bernoulli", "whole x, x >= 0", exact="fmpq.bernoulli", whole_arguments=True, expanded=False, latex="B_{#1}",
        source="24.2"),
    Row("subfactorial", "whole x, x >= 0", range="f >= 0", whole=True, whole_arguments=True, expanded=False,
        latex=r"\operatorname{d}", source="26.13"),
    # --- error functions, exponential integrals, incomplete gamma: DLMF 6, 7, 8
    Row("erf", range="-1 < f < 1", parity=-1, slope=1, derivative="2*pi^(-1/2)*exp(-x^2)", ball="erf",
        latex=r"\operatorname{erf}", facts=("DLMF 7.2.1",), source="7.2"),
    Row("erfc", range="0 < f < 2", slope=-1, derivative="-2*pi^(-1/2)*exp(-x^2)", ball="erfc", latex=r"\operatorname{erfc}",
        facts=("DLMF 7.2.1",), known="0: 1", source="7.2"),
    Row("erfi", parity=-1, slope=1, derivative="2*pi^(-1/2)*exp(x^2)", ball="erfi", facts=("DLMF 7.2.1",), source="7.2"),
    Row("fresnels", range="-1 < f < 1", parity=-1, signed=True, derivative="sin(pi*x^2/2)", ball="fresnel_s", expanded=False,
        latex=r"\operatorname{FresnelS}", facts=("DLMF 7.2.8",), source="7.2(iii)"),
    Row("fresnelc", range="-1 < f < 1", parity=-1, signed=True, derivative="cos(pi*x^2/2)", ball="fresnel_c", expanded=False,
        latex=r"\operatorname{FresnelC}", facts=("DLMF 7.2.7",), source="7.2(iii)"),
    Row("E1", "x > 0", range=_ABOVE, slope=-1, derivative="-exp(-x)/x", latex=r"\operatorname{E}_1", source="6.2"),
    Row("Ei", "x != 0", derivative="exp(x)/x", ball="ei", cut="x <= 0", latex=r"\operatorname{Ei}", source="6.2"),
    Row("li", "x >= 0, x != 1", derivative="1/log(x)", ball="li", cut="x <= 1", latex=r"\operatorname{li}",
        facts=("DLMF 6.2.8",), source="6.2.8"),
    Row("Li", "x >= 0, x != 1", derivative="1/log(x)", facts=("DLMF 6.2.8",), source="6.2.8"),
    Row("Si", range="-2 < f < 2", parity=-1, signed=True, derivative="sin(x)/x", ball="si", expanded=False,
        latex=r"\operatorname{Si}", facts=("DLMF 6.2.9",), source="6.2(ii)"),
    Row("Ci", "x > 0", derivative="cos(x)/x", ball="ci", cut="x <= 0", expanded=False, latex=r"\operatorname{Ci}",
        facts=("DLMF 6.2.11",), source="6.2(ii)"),
    Row("Shi", parity=-1, slope=1, derivative="sinh(x)/x", ball="shi", expanded=False, latex=r"\operatorname{Shi}",
        facts=("DLMF 6.2.15",), source="6.2(ii)"),
    Row("Chi", "x > 0", slope=1, derivative="cosh(x)/x", ball="chi", cut="x <= 0", expanded=False, latex=r"\operatorname{Chi}",
        facts=("DLMF 6.2.16",), source="6.2(ii)"),
    Row("expint", "y > 0 or y >= 0, x > 1 or whole x, x <= 0, y != 0", least=2, most=2, ball="expint", cut="x <= 0",
        source="8.19"),
    Row("uppergamma", "y > 0 or y >= 0, x > 0 or whole x, x > 0", least=2, most=2, derivative="-y^(x - 1)*exp(-y)",
        ball="gamma_upper", cut="x <= 0", latex=r"\Gamma", facts=("DLMF 8.8.13",), source="8.2"),
    Row("lowergamma", "y >= 0, x > 0 or y > 0, no pole x or whole x, x > 0", least=2, most=2, derivative="y^(x - 1)*exp(-y)",
        latex=r"\gamma", facts=("DLMF 8.8.13",), source="8.2"),
    # B_x(a, b), the integral of t^(a - 1) (1 - t)^(b - 1) from 0 to x, which is not divided by B(a, b)
    Row("betainc", "x > 0, y > 0, z >= 0, z <= 1", range="f >= 0", slope=1, least=3, most=3,
        derivative="z^(x - 1)*(1 - z)^(y - 1)", ball="beta_lower", cut="x <= 0 or x >= 1", expanded=False,
        latex=r"\operatorname{B}_{#3}\left(#1, #2\right)", facts=("DLMF 8.17.1",), source="8.17"),
    Row("GammaDerivative", "whole x, x >= 0, z > 0", least=3, most=3, source="8.8"),
    # --- Lambert W, polylogarithm, zeta: DLMF 4.13, 25
    Row("LambertW", "y >= 0, y <= 0, x >= -exp(-1) or y >= -1, y <= -1, x >= -exp(-1), x < 0", most=2, short="x >= -exp(-1)",
        range="f >= -1", slope=1, derivative="1/(x + exp(LambertW(x)))", ball="lambertw", cut="x <= -0.367",
        latex=r"\operatorname{W}",
        facts=("DLMF 4.13.4",), known="0: 0", source="4.13"),
    Row("polylog", "y < 1 or y <= 1, x > 1", least=2, most=2, derivative="polylog(x - 1, y)/y", ball="polylog", cut="x >= 1",
        facts=("DLMF 25.12.10",), source="25.12"),
    Row("zeta", "x != 1, y > 0 or x != 1, whole x, no pole y", most=2, short="x != 1", interval="x > 1", ball="zeta",
        latex=r"\zeta", facts=("DLMF 25.2.1",), source="25.2, 25.11",
        known="2: pi^2/6, 4: pi^4/90, -1: -1/12, -2: 0, -3: 1/120, -4: 0, -5: -1/252"),
    Row("ZetaDerivative", "whole x, x >= 0, y != 1", least=2, most=2, expanded=False, latex=r"\zeta^{(#1)}\left(#2\right)",
        source="25.2.6"),
    Row("stieltjes", "whole x, x >= 0", expanded=False, latex=r"\gamma_{#1}", known="0: EulerGamma", source="25.2.5"),
    # --- Bessel and Airy functions: DLMF 9, 10
    Row("besseli", "y > 0 or y >= 0, x > 0 or whole x", least=2, most=2, derivative="(besseli(x - 1, y) + besseli(x + 1, y))/2",
        ball="bessel_i", cut="x <= 0", facts=("DLMF 10.29.1",), source="10.25"),
    Row("besselj", "y > 0 or y >= 0, x > 0 or whole x", least=2, most=2, derivative="(besselj(x - 1, y) - besselj(x + 1, y))/2",
        ball="bessel_j", cut="x <= 0", facts=("DLMF 10.6.1",), source="10.2"),
    Row("bessely", "y > 0", least=2, most=2, derivative="(bessely(x - 1, y) - bessely(x + 1, y))/2", ball="bessel_y",
        cut="x <= 0", expanded=False, latex=r"\operatorname{Y}", facts=("DLMF 10.6.1",), source="10.2"),
    Row("besselk", "y > 0", range=_ABOVE, slope=-1, least=2, most=2, derivative="-(besselk(x - 1, y) + besselk(x + 1, y))/2",
        ball="bessel_k", cut="x <= 0", facts=("DLMF 10.32.9", "DLMF 10.29.1"), source="10.25"),
    Row("airyai", derivative="airyaiprime(x)", ball="airy_ai", facts=("DLMF 9.2.1",), source="9.2"),
    Row("airybi", derivative="airybiprime(x)", ball="airy_bi", facts=("DLMF 9.2.1",), source="9.2"),
    Row("airyaiprime", derivative="x*airyai(x)", expanded=False, facts=("DLMF 9.2.1",), source="9.2"),
    Row("airybiprime", derivative="x*airybi(x)", expanded=False, facts=("DLMF 9.2.1",), source="9.2"),
    # --- hypergeometric functions, elliptic integrals of the parameter m = k^2: DLMF 13, 15, 19
    Row("hyp1f1", "no pole y", least=3, most=3, ball="hypgeom_1f1", expanded=False, latex="{}_{1}F_{1}", source="13.2.2"),
    Row("hyp2f1", f"{_BELOW} w < 1 or {_BELOW} w <= 1, z - x - y > 0 or {_BELOW} whole x, x <= 0 or {_BELOW} whole y, y <= 0",
        least=4, most=4, ball="hypgeom_2f1", cut="x >= 1", expanded=False, latex="{}_{2}F_{1}", source="15.2"),
    Row("elliptic_k", "x < 1", range=_ABOVE, slope=1, derivative="(elliptic_e(x) - (1 - x)*elliptic_k(x))/(2*x*(1 - x))",
        ball="acb.elliptic_k", cut="x >= 1", expanded=False, latex=r"\operatorname{K}", facts=("DLMF 19.2.8", "DLMF 19.4.1"),
        known="0: pi/2", source="19.2(ii)"),
    Row("elliptic_e", "x <= 1", range="f >= 1", slope=-1, derivative="(elliptic_e(x) - elliptic_k(x))/(2*x)",
        ball="acb.elliptic_e", cut="x >= 1", expanded=False, latex=r"\operatorname{E}", facts=("DLMF 19.2.8", "DLMF 19.4.1"),
        known="0: pi/2, 1: 1", source="19.2(ii)"),
)  # fmt: skip
UNTYPED = frozenset({"GammaDerivative", "abs", "ceil"})
"""What is not written in statements: functions of derivations, and names that only an edited record has."""
BORROWED: dict[str, tuple[Row, str]] = outside(_OWN)
"""The rows that entry points give, each with its label ``PACKAGE/name``."""
ROWS: tuple[Row, ...] = (*_OWN, *(row for row, _ in BORROWED.values()))
NAMED: dict[str, Row] = {name: row for row in ROWS for name in row.names.split()}
