"""Figures 2 to 10 of the paper, in certified numbers, and what it does not show.

``figure-K`` is the paper's figure K, recovered from its text: the captions say which quantities, over n, and p_n, mu1 and
mun ("Parametrization: p_n = n^{-0.5} and mu_1 = mu_n = 1"); section 9 says that the plots are log-log, over n in [10^1, 10^8],
exact values against two formulas, and gives colours and markers.  Which n have markers is not said; ranges of the other axis
are not either.  Figure 1 is the histogram of a trace that the paper does not give.

``figure-K-ratio`` is exact over asymptotic out to n = 10^1000, beside 1 + the next term that the engine derives from the claim
of that figure: most of these ratios converge as 1/ln n, which the range [10, 10^8] cannot show.  ``peak`` is E[Delta(Y_d)]
around p_n = 1/(n ln n), and ``uniform-error`` the error of the formulas that hold in every regime.

No panel is computed before it is looked at.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from asymp import registry
from asymp.check.derived import derived
from asymp.check.theorems import decided
from asymp.claim import Asymptotic, Claim
from asymp.enclosure import enclose, enclose_quantity
from asymp.export.plot import Figure, Later, Panel, Series
from asymp.language.bodies import Ratio
from asymp.language.syntax import words
from asymp.papers.lfms.curves import CURVES, FIGURES, Setting, ratio
from asymp.papers.lfms.notation import E_DELTA, MU, RATIOS, mu1, mun, n, p
from asymp.papers.lfms.uniform import UNIFORM_MU, uniform_response
from asymp.parse import parse_expression

WHAT = ("throughput", "response")
SYMBOLS = {"throughput": r"$\mu$", "response": r"$\mathbb{E}[\Delta(Y_d)]$"}
TITLES = {"throughput": r"Throughput $\mu$", "response": r"Scaled queue $\mathbb{E}[\Delta(Y_d)]$"}
FORMULAS = {
    ("throughput", "orange"): r"$\mu_1 / (p_n\, \ln (1/p_n))$",
    ("throughput", "green"): r"$n\, \mu_1$",
    ("response", "orange"): r"$1 / (2 p_n)$",
    ("response", "green"): r"$n^{2-\alpha}\, \ln^2 n \,/\, 2$",
}
_CONVERGE = (
    "Purple lies below orange in both panels and draws nearer from each power of ten to the next, slowly (as 1/ln n); green "
    "leaves both. "
)
_SWAPPED = " The paper says that green and orange converge: green and purple are meant."
SEEN = {
    2: f"{_CONVERGE}The paper says that purple and orange converge, clearly apparent over the range, and that green diverges: "
    "so it is.",
    3: f"{_CONVERGE}The paper says so of this figure as of figure 2: so it is.",
    4: "Green is the right formula: for mu no gap is seen from n = 1000 on; for E[Delta(Y_d)] purple lies a little above green, "
    "farthest at n = 100. The paper sees nearly no separation: so it is, within a factor 3/2 (the factor is ours). It says "
    "'as expected from Theorem 4.1': Theorem 4.3 is meant.",
    5: "For mu purple draws nearer to orange, more slowly than in figure 2, as the paper says. For E[Delta(Y_d)] purple lies "
    "above orange, farthest at n = 1000. The paper calls that tight across all n, and faster than in figure 2: it is within a "
    "factor 3/2 throughout, but farther off than in figure 2 from n = 10^4 to 10^7.",
    6: "For mu purple draws nearer to orange. For E[Delta(Y_d)] it lies above orange, and nearer to it at every n than in "
    "figure 3: the paper says so.",
    7: "Green is the right formula: for mu no gap is seen from n = 1000 on; for E[Delta(Y_d)] purple lies above green and draws "
    f"nearer from n = 100 on, at every n farther off than in figure 4, as the paper says.{_SWAPPED}",
    8: "For mu purple lies just below orange, at every n nearer than in figure 2: very tight, the paper says (within a factor "
    "5/4, which is ours). For E[Delta(Y_d)] they draw nearer from each power of ten to the next, as the paper says.",
    9: "For mu purple lies just below orange, at every n nearer than in figure 3: very tight, the paper says (within a factor "
    "5/4, which is ours). For E[Delta(Y_d)] they draw nearer from each power of ten to the next, as the paper says.",
    10: "Green is the right formula: for mu no gap is seen from n = 1000 on; for E[Delta(Y_d)] it is nearer to purple at every n "
    f"than in figure 7: very close, the paper says, the reverse of figure 7.{_SWAPPED}",
}
"""Under each figure: what one sees, what the paper says, whether it is so.  The claims ``lfms/figure-K-...`` say it exactly."""
_QUANTITIES = dict(zip(WHAT, ("lfms/throughput", "lfms/mean-relative-completions"), strict=True))
DIGITS = 15

SIZES = (*(lead * 10**power for power in range(1, 8) for lead in (1, 3)), 10**8)
"""n = 10, 30, 100, ..., 10^8: where figures 2 to 10 are evaluated."""
POWERS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)
"""n = 10^j: where the ratios are evaluated."""
PEAK_POWERS = (4, 8, 20, 100)
KS = tuple(Fraction(lead * 10**j, 100) for j in range(5) for lead in (1, 2, 3, 5))
"""k = p_n n ln n from 1/100 to 500."""


def figures() -> dict[str, Figure]:
    """All figures by name, in the paper's order; their panels are computed when they are looked at."""
    found: dict[str, Figure] = {}
    for number in FIGURES:
        found[f"figure-{number}"] = _printed(number)
        found[f"figure-{number}-ratio"] = _ratio_figure(number)
    return {**found, "peak": _peak(), "uniform-error": _uniform_error()}


def regime_name(setting: Setting) -> str:
    """The paper's name of the regime of p_n = n^(-exponent)."""
    if setting.exponent < 1:
        return "n-server dominated regime"
    return "balanced regime" if setting.exponent == 1 else "1-server dominated regime"


def right_colour(number: int) -> str:
    """The colour of the formula that is asymptotically right: orange in regimes 1 and 2, green in 3."""
    return "green" if FIGURES[number].exponent > 1 else "orange"


def _parametrisation(setting: Setting) -> str:
    power = {sp.Rational(1, 2): "-0.5", sp.Integer(1): "-1", sp.Integer(2): "-2"}[setting.exponent]
    return rf"$p_n = n^{{{power}}}$, $\mu_1 = {setting.rate1}$, $\mu_n = {setting.raten}$"


# --- figures 2 to 10 ---------------------------------------------------------------------------


def _printed(number: int) -> Figure:
    """Figure ``number``: exact (purple), Theorems 4.1 and 4.2 (orange), Theorem 4.3 (green)."""
    setting = FIGURES[number]
    return Figure(
        f"Figure {number}: {regime_name(setting).replace('n-server', '$n$-server')}, {_parametrisation(setting)}",
        "$n$",
        Later(lambda: [_printed_panel(number, what) for what in WHAT]),
        caption=f"Exact (purple), and the formulas of Theorems 4.1 and 4.2 (orange) and 4.3 (green), over n: {setting.text}. "
        f"{SEEN[number]}",
    )


def _printed_panel(number: int, what: str) -> Panel:
    formulas = [
        Series(
            FORMULAS[what, colour],
            colour,
            tuple(map(str, SIZES)),
            tuple(_value(CURVES[what, colour], {**_parameters(number), "n": size}) for size in SIZES),
        )
        for colour in ("orange", "green")
    ]
    colour = right_colour(number)
    first, last = (f"{float(ratio(number, what, colour, power).low):.3g}" for power in (1, 8))
    # drawn last and hollow: where a formula is right, its markers are seen inside the squares
    exact = Series(
        f"exact: {first} to {last} of {colour}",
        "purple",
        tuple(map(str, SIZES)),
        tuple(exact_value(number, what, s) for s in SIZES),
        filled=False,
    )
    return Panel(TITLES[what], (*formulas, exact), SYMBOLS[what])


def exact_value(number: int, what: str, size: int) -> str:
    """The registered quantity, certified, at n = size in the parametrization of a figure."""
    quantity = registry.find_quantity(_QUANTITIES[what])
    setting = FIGURES[number]
    raw = {"n": size, "alpha": setting.exponent, "mu1": setting.rate1, "mun": setting.raten}
    return enclose_quantity(quantity, {name: str(value) for name, value in raw.items()}, DIGITS).value


def _parameters(number: int) -> dict[str, Any]:
    setting = FIGURES[number]
    return {"alpha": setting.exponent, "mu1": setting.rate1, "mun": setting.raten}


def _value(expr: sp.Expr, values: dict[str, Any]) -> str:
    """A certified value; where p is not given it is n^(-alpha)."""
    if "p" not in values and p in expr.free_symbols:
        values = {**values, "p": sp.Integer(values["n"]) ** -values["alpha"]}
    known = {symbol.name for symbol in expr.free_symbols}
    return enclose(
        expr, {name: value for name, value in values.items() if name in known}, digits=DIGITS
    ).value


# --- exact/asymptotic out to 10^1000 -----------------------------------------------------------


def _ratio_figure(number: int) -> Figure:
    """Exact over the right asymptotic formula of figure ``number``, and how the engine says it converges."""
    setting = FIGURES[number]
    return Figure(
        f"Figure {number}, exact/asymptotic: {_parametrisation(setting)}",
        r"$n$ (the axis is linear in $\ln\,\ln n$)",
        Later(lambda: [_ratio_panel(number, what) for what in WHAT]),
        caption=f"Exact over the formula that is right in the {regime_name(setting)} ({right_colour(number)}), out to n = 10^1000, "
        f"with 1 + the derived next term, dashed: {setting.text}. One sees how far the ratio is from 1 over the paper's range, up to "
        "10^8, and that it goes there as the next term does: the paper says that it tends to 1, and so it is.",
        x_log_log=True,
    )


def _ratio_panel(number: int, what: str) -> Panel:
    next_term = derived_terms(number, what)[1]
    xs = tuple(f"1e{power}" for power in POWERS)
    exact = [float(sum(_bounds(number, what, power)) / 2) for power in POWERS]
    predicted = [float(_value(1 + next_term, {"n": 10**power})) for power in POWERS]
    # the next term may be far off at small n: the axes are those of the exact ratio
    margin = (max(1.0, *exact) - min(1.0, *exact)) * 0.15
    limits = (min(1.0, *exact) - margin, max(1.0, *exact) + margin)
    formula = FORMULAS[what, right_colour(number)]
    return Panel(
        f"{SYMBOLS[what]} over {formula}",
        (
            Series("limit", "black", (xs[0], xs[-1]), (1.0, 1.0), marker="none", line=":"),
            Series(f"${_latex_sum(next_term)}$", "blue", xs, tuple(predicted), line="--"),
            Series("exact/asymptotic", "purple", xs, tuple(exact), filled=False),
        ),
        "ratio",
        y_log=False,
        y_limits=limits,
    )


def _bounds(number: int, what: str, power: int) -> tuple[Fraction, Fraction]:
    found = ratio(number, what, right_colour(number), power)
    return found.low, found.high


def asymptotic_claim(number: int, what: str) -> Claim:
    """The claim that exact ~ asymptotic in a figure; where the printed one is wrong, its correction."""
    claim = registry.find_claim(f"lfms/figure-{number}-{what}")
    claim = registry.find_claim(claim.correction) if claim.correction else claim
    if claim.relation.kind != "equivalent":
        raise TypeError(f"{claim.id} does not say f ~ g")
    return claim


@lru_cache(maxsize=32)
def derived_terms(number: int, what: str) -> tuple[sp.Expr, sp.Expr]:
    """(f/g, the next term of f/g - 1) of the claim of a figure, as functions of n, from its derivation."""
    claim = asymptotic_claim(number, what)
    found = decided(claim)
    one = None if isinstance(found, str) else derived(claim, found[1])[0]
    if one is None or one.following is None:
        raise ValueError(f"figure {number}, {what}: no next term was derived")
    quotient, following = (parse_expression(x, {"n": n}) for x in (str(one.expr), one.following.replace("**", "^")))
    return FIGURES[number].fix(quotient), following


def _latex_sum(term: sp.Expr) -> str:
    """``1 + term`` on one line for mathtext; an irrational coefficient as a decimal."""
    coefficient, growth = term.as_independent(n)
    value = sp.Rational(enclose(coefficient, digits=3).value)
    exact = coefficient.is_Rational
    over, under = sp.fraction(growth)
    top, bottom = (
        (str(abs(coefficient.p)), str(coefficient.q)) if exact else (f"{float(abs(value)):.3g}", "1")
    )
    above, below = (
        [factor for factor in (number, _latex(factors)) if factor != "1"] or ["1"]
        for number, factors in ((top, over), (bottom, under))
    )
    gap = r"\,"
    quotient = gap.join(below) if len(below) == 1 else f"({gap.join(below)})"
    return f"1 {'-' if value < 0 else '+'} {gap.join(above)} / {quotient}"


def _inline(quotient: sp.Expr) -> str:
    over, under = sp.fraction(quotient)
    return f"{_latex(over)} / ({_latex(under)})"


def _latex(expr: sp.Expr) -> str:
    return sp.latex(expr, ln_notation=True).replace(r"{\left(n \right)}", " n")


# --- the peak ----------------------------------------------------------------------------------


def limit_curve() -> sp.Expr:
    """The limit of E[Delta(Y_d)]/(n ln n) at p_n = k/(n ln n), from the claim that states it."""
    claim = registry.find_claim("lfms/beyond-boundary-response")
    assert isinstance(claim.relation, Asymptotic)
    body = claim.relation.statement.body
    if not isinstance(body, Ratio):
        raise TypeError(f"{claim.id} does not say f ~ g")
    return sp.simplify(parse_expression(words(body.right), {"n": n}) / (n * sp.log(n)))


def peak_value(power: int, size_of_k: Fraction | sp.Expr, scale: sp.Expr) -> str:
    """E[Delta(Y_d)]/scale at n = 10^power, p_n = k/(n ln n), mu1 = mun = 1, certified."""
    number = sp.Integer(10) ** power
    prob = sp.sympify(size_of_k) / (number * sp.log(number))
    return _value(E_DELTA / scale, {"n": number, "p": prob, "mu1": 1, "mun": 1})


def _peak() -> Figure:
    """Section 10 calls the balanced regime the one with the largest E[Delta(Y_d)]; it is not."""
    return Figure(
        r"$\mathbb{E}[\Delta(Y_d)]$ peaks at $p_n = 1/(n\, \ln n)$, $\mu_1 = \mu_n = 1$",
        r"$k = p_n\, n\, \ln n$",
        Later(_peak_panels),
        caption="E[Delta(Y_d)] over k = p_n n ln n. Left: divided by n, with p_n = 1/n of the balanced regime (k = ln n) marked: "
        "at each n it lies below the peak, which is at k = 1 and grows with n. Right: divided by n ln n, with the limit. The paper "
        "says (sections 4 and 10) that the balanced regime has the largest values: among powers of n so it is, in regime 3 not.",
    )


def _peak_panels() -> list[Panel]:
    colours = dict(zip(PEAK_POWERS, ("green", "orange", "purple", "blue"), strict=True))
    xs = tuple(str(float(value)) for value in KS)

    def curve(power: int, scale: sp.Expr) -> Series:
        ys = tuple(peak_value(power, value, scale) for value in KS)
        return Series(f"$n = 10^{{{power}}}$", colours[power], xs, ys)

    logs = [sp.log(sp.Integer(10) ** power) for power in PEAK_POWERS]
    balanced = Series(
        "balanced, $p_n = 1/n$",
        "black",
        tuple(_value(log, {}) for log in logs),
        tuple(peak_value(power, log, n) for power, log in zip(PEAK_POWERS, logs, strict=True)),
        line="none",
        filled=False,
    )
    limit = limit_curve()
    curve_of_limit = f"limit ${_inline(limit)}$"
    dense = tuple(str(10 ** Decimal(j / 20)) for j in range(-40, 55))
    drawn = tuple(_value(limit, {"k": x}) for x in dense)
    bound = Series(curve_of_limit, "black", dense, drawn, "none", "--")
    return [
        Panel(
            "over $n$", (*(curve(j, n) for j in PEAK_POWERS), balanced), r"$\mathbb{E}[\Delta(Y_d)]\,/\,n$"
        ),
        Panel(
            r"over $n\, \ln n$",
            (*(curve(j, n * sp.log(n)) for j in PEAK_POWERS), bound),
            r"$\mathbb{E}[\Delta(Y_d)]\,/\,(n\, \ln n)$",
            y_log=False,
        ),
    ]


# --- the uniform formulas ----------------------------------------------------------------------

UNIFORM_POWERS = (1, 2, 3)
UNIFORM_EXPONENTS = tuple(sp.Rational(j, 8) for j in range(4, 25))
"""p_n = n^(-a), a from 1/2 to 3: through all regimes."""


def uniform_error(
    what: str, power: int, exponent: sp.Rational, rates: dict[sp.Symbol, sp.Expr] = RATIOS[0]
) -> str:
    """|formula/exact - 1| of a formula for all regimes (:mod:`asymp.papers.lfms.uniform`), certified."""
    number = sp.Integer(10) ** power
    values = {"n": number, "p": number**-exponent, "mu1": rates[mu1], "mun": rates[mun]}
    return _value(sp.Abs(_uniform_ratio(what) - 1), values)


@lru_cache(maxsize=2)
def _uniform_ratio(what: str) -> sp.Expr:
    return UNIFORM_MU / MU if what == "throughput" else uniform_response() / E_DELTA


def _stated_bound(what: str) -> sp.Expr:
    bound = parse_expression(str(registry.find_claim(f"lfms/beyond-uniform-{what}").relation.rhs))  # type: ignore[attr-defined]
    for divisor in bound.atoms(sp.Abs):  # the throughput's is stated without its divisor, p |S|
        bound /= p * divisor
    return bound


def _uniform_error() -> Figure:
    """Measured errors of the formulas for all regimes, and the bounds that their claims state."""
    return Figure(
        r"Relative error of the formulas for all regimes, $\mu_1 = \mu_n = 1$",
        r"$a$, where $p_n = n^{-a}$",
        Later(lambda: [_error_panel(what) for what in WHAT]),
        x_log=False,
        caption="Relative error of formulas for all regimes, which the paper does not have, over a = -ln p_n/ln n; dashed: the bounds "
        "that are stated. At the values drawn each error lies below its bound.",
    )


def _error_panel(what: str) -> Panel:
    xs = tuple(float(a) for a in UNIFORM_EXPONENTS)
    bound = _stated_bound(what)
    text = f"bound ${_inline(bound)}$"
    lines = []
    for power, colour in zip(UNIFORM_POWERS, ("green", "orange", "purple"), strict=True):
        errors = tuple(uniform_error(what, power, a) for a in UNIFORM_EXPONENTS)
        limit = _value(bound, {"n": 10**power})
        lines += [
            Series(f"$n = {10**power}$", colour, xs, errors),
            # one entry of the legend for the three bounds
            Series(text if power == UNIFORM_POWERS[0] else "", colour, xs, (limit,) * len(xs), "none", "--"),
        ]
    return Panel(TITLES[what], tuple(lines), "relative error")
