"""True expansions from which statements are made: a quantity and its first terms, largest first.

Coefficients are from the sources named beside them, or worked out by hand; every one is confirmed in
:mod:`benchmarks.soundness.numeric` by mpmath at two huge arguments before it is used.
"""

from __future__ import annotations

from dataclasses import dataclass

POWERS = ("1e15", "1e30")
"""Where a quantity with power-law terms is evaluated."""
LOGS = ("1e100", "1e3000")
"""Where a quantity with logarithmic terms is evaluated."""
EXPONENTIALS = ("30", "70")
"""Where a quantity with exponential terms is evaluated: e^(-3n) is resolved at some hundreds of digits."""


@dataclass(frozen=True)
class Fact:
    """``f ~ sum of coefficient * growth``, largest term first, in the limit ``to``.

    Attributes:
        f: the quantity.
        terms: (coefficient, growth) as text, each growth o of the one before.
        to: the limit, as ``asymp ask`` takes it.
        assume: ranges of parameters.
        values: parameter values inside the ranges, at which numbers are computed.
        points: the sizes (of 1/(distance to the limit)) at which numbers are computed.
        log: a slowly growing quantity in the limit, such as ``log(n)``.
        large: a quantity that tends to infinity.
        source: where the terms are from.
    """

    f: str
    terms: tuple[tuple[str, str], ...]
    to: str = "n->oo"
    assume: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    points: tuple[str, str] = POWERS
    log: str = "log(n)"
    large: str = "n"
    source: str = "by hand"
    exact: bool = False


def _terms(text: str) -> tuple[tuple[str, str], ...]:
    """``c : g ; c : g`` as pairs."""
    return tuple((c.strip(), g.strip()) for c, g in (part.split(":") for part in text.split(";")))


def _n(f: str, terms: str, **others: object) -> Fact:
    return Fact(f, _terms(terms), **others)  # type: ignore[arg-type]


def _small(f: str, terms: str, name: str = "p", **others: object) -> Fact:
    return Fact(f, _terms(terms), to=f"{name}->0+", log=f"log(1/{name})", large=f"1/{name}", **others)  # type: ignore[arg-type]


FACTS = (
    _n("harmonic(n)", "1: log(n); EulerGamma: 1; 1/2: 1/n; -1/12: n^-2; 1/120: n^-4", source="DLMF 5.11.2"),
    _n("log(gamma(n))", "1: n*log(n); -1: n; -1/2: log(n); log(2*pi)/2: 1; 1/12: 1/n; -1/360: n^-3", source="DLMF 5.11.1"),
    _n("log(factorial(n))", "1: n*log(n); -1: n; 1/2: log(n); log(2*pi)/2: 1; 1/12: 1/n", source="DLMF 5.11.1"),
    _n("digamma(n)", "1: log(n); -1/2: 1/n; -1/12: n^-2; 1/120: n^-4", source="DLMF 5.11.2"),
    _n("factorial(n)*exp(n)/n^n", "sqrt(2*pi): n^(1/2); sqrt(2*pi)/12: n^(-1/2); sqrt(2*pi)/288: n^(-3/2)", source="DLMF 5.11.3"),
    _n("gamma(n+1/2)/gamma(n)", "1: n^(1/2); -1/8: n^(-1/2); 1/128: n^(-3/2); 5/1024: n^(-5/2)", source="DLMF 5.11.13"),
    _n("gamma(n+a)/gamma(n)", "1: n^a; a*(a-1)/2: n^(a-1)", assume=("a>2",), values=(("a", "7/3"),), source="DLMF 5.11.13"),
    _n("binomial(2*n,n)/4^n", "1/sqrt(pi): n^(-1/2); -1/(8*sqrt(pi)): n^(-3/2); 1/(128*sqrt(pi)): n^(-5/2)",
       source="DLMF 26.3.12 and 5.11.13"),
    _n("binomial(n,3)", "1/6: n^3; -1/2: n^2; 1/3: n", exact=True),
    _n("(1+1/n)^n", "E: 1; -E/2: 1/n; 11*E/24: n^-2; -7*E/16: n^-3", source="OEIS A055505/A055535"),
    _n("(n+2)^n/n^n", "exp(2): 1; -2*exp(2): 1/n; 14*exp(2)/3: n^-2"),
    _n("(1-1/n)^(n^2)*exp(n)", "exp(-1/2): 1; -exp(-1/2)/3: 1/n"),
    _n("sqrt(n^2+n)", "1: n; 1/2: 1; -1/8: 1/n; 1/16: n^-2"),
    _n("(n+1)^(1/3)", "1: n^(1/3); 1/3: n^(-2/3); -1/9: n^(-5/3); 5/81: n^(-8/3)"),
    _n("(n+1)^a", "1: n^a; a: n^(a-1); a*(a-1)/2: n^(a-2)", assume=("a>2",), values=(("a", "7/3"),)),
    _n("n^(1-a)+1", "1: n^(1-a); 1: 1", assume=("0<a<1",), values=(("a", "2/5"),), exact=True),
    _n("n^(1-a)+1", "1: 1; 1: n^(1-a)", assume=("a>1",), values=(("a", "3/2"),), exact=True),
    _n("(1-p)^n", "1: 1; -1: n^(1-a); 1/2: n^(2-2*a)", to="n->oo, p=n^(-a)", assume=("a>1",), values=(("a", "3/2"),)),
    _n("(1-p)^n", "exp(-c): 1; -exp(-c)*c^2/2: 1/n", to="n->oo, p=c/n", assume=("c>0",), values=(("c", "3/2"),)),
    _n("log(n+1)", "1: log(n); 1: 1/n; -1/2: n^-2; 1/3: n^-3"),
    _n("log(n+log(n))", "1: log(n); 1: log(n)/n; -1/2: log(n)^2/n^2; 1/3: log(n)^3/n^3"),
    _n("1/log(n+1)", "1: 1/log(n); -1: 1/(n*log(n)^2)"),
    _n("n^(1/n)", "1: 1; 1: log(n)/n; 1/2: log(n)^2/n^2; 1/6: log(n)^3/n^3"),
    _n("n*exp(1/n)", "1: n; 1: 1; 1/2: 1/n; 1/6: n^-2"),
    _n("n/(n^2-1)", "1: 1/n; 1: n^-3; 1: n^-5"),
    _n("exp(sqrt(n+1)-sqrt(n))", "1: 1; 1/2: n^(-1/2); 1/8: 1/n; -5/48: n^(-3/2)"),
    _n("exp(harmonic(n))", "exp(EulerGamma): n; exp(EulerGamma)/2: 1; exp(EulerGamma)/24: 1/n; -exp(EulerGamma)/48: n^-2"),
    _n("harmonic(2*n)-harmonic(n)", "log(2): 1; -1/4: 1/n; 1/16: n^-2; -1/128: n^-4"),
    _n("harmonic(n,2)", "pi^2/6: 1; -1: 1/n; 1/2: n^-2; -1/6: n^-3", source="DLMF 25.11.43"),
    _n("LambertW(n)", "1: log(n); -1: log(log(n)); 1: log(log(n))/log(n); 1/2: log(log(n))^2/log(n)^2",
       points=LOGS, log="log(log(n))", large="log(n)", source="DLMF 4.13.10"),
    _n("sqrt(log(n)+1)", "1: log(n)^(1/2); 1/2: log(n)^(-1/2); -1/8: log(n)^(-3/2)", points=LOGS,
       log="log(log(n))", large="log(n)"),
    _n("log(log(n)+1)", "1: log(log(n)); 1: 1/log(n); -1/2: log(n)^-2; 1/3: log(n)^-3", points=LOGS,
       log="log(log(n))", large="log(n)"),
    _n("li(n)", "1: n/log(n); 1: n/log(n)^2; 2: n/log(n)^3; 6: n/log(n)^4", points=LOGS,
       log="log(log(n))", large="log(n)", source="DLMF 6.12.2"),
    _n("Ei(n)*exp(-n)", "1: 1/n; 1: n^-2; 2: n^-3; 6: n^-4", source="DLMF 6.12.2"),
    _n("E1(n)*exp(n)", "1: 1/n; -1: n^-2; 2: n^-3; -6: n^-4", source="DLMF 6.12.1"),
    _n("E1(1/n)", "1: log(n); -EulerGamma: 1; 1: 1/n; -1/4: n^-2", source="DLMF 6.6.2"),
    _n("erfc(n)*exp(n^2)", "1/sqrt(pi): 1/n; -1/(2*sqrt(pi)): n^-3; 3/(4*sqrt(pi)): n^-5", source="DLMF 7.12.1",
       points=("1e8", "1e15")),
    _n("uppergamma(n,2*n)*exp(2*n)/(2*n)^n", "1: 1/n; -2: n^-2; 10: n^-3", source="DLMF 8.11.6", points=("400", "1000")),
    _n("uppergamma(n,n)/gamma(n)", "1/2: 1; -1/(3*sqrt(2*pi)): n^(-1/2); -1/(540*sqrt(2*pi)): n^(-3/2)",
       source="DLMF 8.11.12", points=("400", "1000")),
    _n("1/(1+exp(-n))", "1: 1; -1: exp(-n); 1: exp(-2*n); -1: exp(-3*n)", points=EXPONENTIALS, large="exp(n)", log="n"),
    _n("log(1+exp(n))", "1: n; 1: exp(-n); -1/2: exp(-2*n); 1/3: exp(-3*n)", points=EXPONENTIALS),
    _n("exp(-n)+exp(-n^2)", "1: exp(-n); 1: exp(-n^2)", points=("6", "14"), exact=True),
    _n("Sum(1/k^2,(k,1,n))", "pi^2/6: 1; -1: 1/n; 1/2: n^-2; -1/6: n^-3", source="DLMF 25.11.43"),
    _n("Sum(2^k,(k,0,n))/2^n", "2: 1; -1: 2^(-n)", points=("40", "90"), log="n", exact=True),
    _n("log(n*m+1)", "1: log(n*m); 1: 1/(n*m); -1/2: 1/(n*m)^2", to="n->oo, m->oo", large="n*m", log="log(n*m)"),
    _n("n*m/(n*m-1)", "1: 1; 1: 1/(n*m); 1: 1/(n*m)^2", to="n->oo, m->oo", large="n*m", log="log(n*m)"),
    _n("sqrt(n^2*m^2+n*m)", "1: n*m; 1/2: 1; -1/8: 1/(n*m)", to="n->oo, m->oo", large="n*m", log="log(n)"),
    _small("E1(p)", "1: log(1/p); -EulerGamma: 1; 1: p; -1/4: p^2; 1/18: p^3", source="DLMF 6.6.2"),
    _small("(1-p)^(1/p)", "exp(-1): 1; -exp(-1)/2: p; -5*exp(-1)/24: p^2"),
    _small("exp(p)", "1: 1; 1: p; 1/2: p^2; 1/6: p^3"),
    _small("log(1+p)/p", "1: 1; -1/2: p; 1/3: p^2; -1/4: p^3"),
    _small("sqrt(1+p)", "1: 1; 1/2: p; -1/8: p^2; 1/16: p^3"),
    _small("LambertW(p)", "1: p; -1: p^2; 3/2: p^3; -8/3: p^4", source="DLMF 4.13.5"),
    _small("p^p", "1: 1; -1: p*log(1/p); 1/2: p^2*log(1/p)^2"),
    _small("1/log(1/p)+p", "1: 1/log(1/p); 1: p", exact=True),
    _small("polylog(2,p)", "1: p; 1/4: p^2; 1/9: p^3", source="DLMF 25.12.1"),
    Fact("polylog(2,x)", _terms("pi^2/6: 1; -1: (1-x)*log(1/(1-x)); -1: 1-x"), to="x->1-", log="log(1/(1-x))",
         large="1/(1-x)", source="DLMF 25.12.6"),
    Fact("1/(1-x^2)", _terms("1/2: 1/(1-x); 1/4: 1; 1/8: 1-x"), to="x->1-", log="log(1/(1-x))", large="1/(1-x)"),
)  # fmt: skip
