"""What the paper does not state: next orders, the boundary inside regime 3, formulas for all regimes.

All of it follows from exact summation by parts, with x = p1 and T = sum_{b<n} x^b/b,

    sum_{i<n} x^i H_i = (T - x^n H_{n-1})/p_n,   mu = mu1/(p_n S),   S = mu1/mun + x^n/(n p_n) + T,

and from the tails of sum x^b/b and sum x^i H_i/i by Euler and Maclaurin, with z = -ln(1 - p_n), U = n z.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from asymp.claim import (
    Bound,
    Claim,
    Domain,
    Equivalent,
    Evidence,
    ExpansionOf,
    Limit,
    Outcome,
    Property,
    Step,
    Strength,
    Witness,
)
from asymp.enclosure import enclose
from asymp.expand import expand
from asymp.expansion import Expansion
from asymp.scale import Growth
from asymp.special import GammaDerivative
from proofs.lfms.notation import E_DELTA, MU, ORANGE_E, L, beyond, p1, r
from proofs.lfms.regimes import (
    ABOVE_BOUNDARY,
    BALANCED,
    BELOW_BOUNDARY,
    BOUNDARY,
    N_DOMINATED,
    ONE_DOMINATED,
    POLYNOMIAL,
    RATIOS,
    alpha,
    c,
    k,
    mu1,
    mun,
    n,
    p,
)

gamma = sp.EulerGamma
ln_n = sp.log(n)
S_SCALED = mu1 / (p * MU)
"""S = mu1/(p_n mu), the mean time of an n-server cycle in units of 1/mu1."""


def claims() -> list[Claim]:
    """Regime by regime, then the formulas for all of them."""
    return [*_n_dominated(), *_balanced(), *_boundary(), *_one_dominated(), *_polynomial(), *_uniform()]


def _n_dominated() -> list[Claim]:
    small = p1**n
    closed = 1 - 2 / (L + r) + (r**2 + sp.pi**2 / 3) / (L + r) ** 2
    text = "n p_n >= 3, p_n <= 1/3, mu1/mun in [1/10, 10]"
    grid = tuple(
        at for at in _grid((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), (1, 2, 4, 6)) if at["n"] * at["p"] >= 3
    )
    grid = tuple(at for at in grid if at["p"] <= sp.Rational(1, 3))
    return [
        beyond(
            "beyond-n-dominated-throughput",
            "Theorem 4.1",
            ExpansionOf(S_SCALED, L + r, "O", p + small),
            "In regime 1, mu = mu1/(p_n (ln 1/p_n + mu1/mun + O(p_n + p1^n))).",
            regime=N_DOMINATED,
            note="ln 1/p_n + mu1/mun is all there is: the error is in fact exponentially small in n p_n.",
        ),
        beyond(
            "beyond-n-dominated-response",
            "Theorem 4.1",
            ExpansionOf(2 * p * E_DELTA, 1 - 2 / L + (r**2 + 2 * r + sp.pi**2 / 3) / L**2, "O", L**-3 + n * p * small),
            "In regime 1, 2 p_n E[Delta(Y_d)] = 1 - 2/L + (r^2 + 2 r + pi^2/3)/L^2 + O(L^(-3) + n p_n p1^n), with L = ln "
            "1/p_n and r = mu1/mun.",
            regime=N_DOMINATED,
        ),
        beyond(
            "beyond-n-dominated-response-closed",
            "Theorem 4.1",
            Bound(sp.Abs(2 * p * E_DELTA - closed), "<=", 4 * (p + n * p * small), Domain(text, grid)),
            "In regime 1, 2 p_n E[Delta(Y_d)] = 1 - 2/(L + r) + (r^2 + pi^2/3)/(L + r)^2, to within 4 (p_n + n p_n p1^n).",
            note="The series in 1/L, summed.  Why the convergence in Fig. 2 is slow (-2/ln), and in Fig. 5 (r = 10) not "
            "monotone.",
        ),
    ]


def _balanced() -> list[Claim]:
    e_c = sp.exp(-c)
    e1 = sp.uppergamma(0, c)
    constant = sp.log(n / c) + r + e_c / c - e1
    return [
        beyond(
            "beyond-balanced-throughput",
            "Theorem 4.2",
            ExpansionOf(S_SCALED, constant, "O", ln_n / n),
            "In regime 2, mu = mu1/(p_n (ln(n/c) + mu1/mun + e^(-c)/c - E1(c) + O(ln n/n))).",
            regime=BALANCED,
        ),
        beyond(
            "beyond-balanced-response",
            "Theorem 4.2",
            ExpansionOf(2 * p * E_DELTA, 1 - 2 * (1 + e_c / c) / ln_n, "o", 1 / ln_n),
            "In regime 2, 2 p_n E[Delta(Y_d)] = 1 - 2 (1 + e^(-c)/c)/ln n + o(1/ln n).",
            regime=BALANCED,
            note="So c does appear, one order on: for small c the convergence is slow.",
        ),
    ]


def _boundary() -> list[Claim]:
    peak = k * n * ln_n / (2 * (1 + k) ** 2)
    return [
        beyond(
            "beyond-below-boundary-response",
            "Lemma 8.2",
            Equivalent(E_DELTA, n**2 * p * ln_n**2 / 2),
            "If p_n = o(1/(n ln n)), then E[Delta(Y_d)] ~ n^2 p_n ln^2 n/2.",
            regime=BELOW_BOUNDARY,
            note="Sharpens Lemma 8.2; at p_n = n^(-alpha) it is Theorem 8.1.",
        ),
        beyond(
            "beyond-boundary-throughput",
            "Lemma 8.1",
            Equivalent(MU, n * mu1 / (1 + k)),
            "If p_n = k/(n ln n), then mu ~ n mu1/(1 + k).",
            regime=BOUNDARY,
        ),
        beyond(
            "beyond-boundary-response",
            "Lemma 8.2",
            Equivalent(E_DELTA, peak),
            "If p_n = k/(n ln n), then E[Delta(Y_d)] ~ n ln n k/(2 (1 + k)^2).",
            regime=BOUNDARY,
        ),
        beyond(
            "beyond-boundary-peak",
            "Section 10",
            Bound(
                k / (2 * (1 + k) ** 2),
                "<=",
                sp.Rational(1, 8),
                Domain.product("k > 0", k=[Fraction(1, 100), Fraction(1, 2), 1, 2, 50]),
                proof=_peak,
            ),
            "The coefficient k/(2 (1 + k)^2) is at most 1/8, at k = 1: E[Delta(Y_d)] peaks at p_n = 1/(n ln n), as n ln "
            "n/8.",
        ),
        beyond(
            "beyond-above-boundary-response",
            "Section 10",
            Equivalent(E_DELTA, ORANGE_E),
            "If p_n = omega(1/(n ln n)) and p_n = o(1/n), then E[Delta(Y_d)] ~ 1/(2 p_n).",
            regime=ABOVE_BOUNDARY,
            note="The formula of regimes 1 and 2 extends down to 1/(n ln n), and grows faster than n there.",
        ),
        beyond(
            "beyond-above-boundary-larger",
            "Section 10",
            Limit(E_DELTA / n, sp.oo),
            "If p_n = omega(1/(n ln n)) and p_n = o(1/n), then E[Delta(Y_d)] grows faster than n.",
            regime=ABOVE_BOUNDARY,
        ),
    ]


def _peak() -> list[Step]:
    if sp.simplify(sp.Rational(1, 8) - k / (2 * (1 + k) ** 2) - (1 - k) ** 2 / (8 * (1 + k) ** 2)) != 0:
        raise ValueError("the difference is another")
    return [Step("right less left, 0 at k = 1 alone", r"\frac{(1-k)^2}{8(1+k)^2} \ge 0")]


def _one_dominated() -> list[Claim]:
    load = n * p * ln_n
    second = k * (r + gamma - 1) / ((1 + k) ** 3 * ln_n)
    return [
        beyond(
            "beyond-one-dominated-throughput",
            "Lemma 8.1",
            Equivalent(MU, n * mu1 / (1 + load)),
            "In all of regime 3, p_n = o(1/n): mu ~ n mu1/(1 + n p_n ln n).",
            regime=ONE_DOMINATED,
            note="Contains Lemma 8.1's two cases, n p_n ln n -> 0 and -> oo, and all between and across them.",
        ),
        beyond(
            "beyond-one-dominated-response",
            "Lemma 8.2",
            Equivalent(E_DELTA, n**2 * p * ln_n**2 / (2 * (1 + load) ** 2)),
            "In all of regime 3, p_n = o(1/n): E[Delta(Y_d)] ~ n^2 p_n ln^2 n/(2 (1 + n p_n ln n)^2).",
            regime=ONE_DOMINATED,
            note="With x = n p_n ln n it is n ln n x/(2 (1 + x)^2), largest at x = 1: the peak, n ln n/8, is at p_n = 1/(n ln "
            "n).  It is n^2 p_n ln^2 n/2 below the peak (Theorem 4.3) and 1/(2 p_n) above it (Theorems 4.1, 4.2).",
        ),
        beyond(
            "beyond-boundary-response-next",
            "Section 10",
            ExpansionOf(E_DELTA / (n * ln_n), k / (2 * (1 + k) ** 2) + second, "o", 1 / ln_n),
            "If p_n = k/(n ln n): E[Delta(Y_d)]/(n ln n) = k/(2 (1 + k)^2) + k (mu1/mun + gamma - 1)/((1 + k)^3 ln n) + "
            "o(1/ln n).",
            regime=BOUNDARY,
        ),
        beyond(
            "beyond-peak-location",
            "Section 10",
            Property(peak_location),
            "Over p_n = o(1/n), E[Delta(Y_d)] is largest at p_n = k*/(n ln n) with k* = 1 - (mu1/mun + gamma - 1)/ln n + "
            "o(1/ln n).",
            note="Over all p_n -> 0, too: in regimes 1 and 2 E[Delta(Y_d)] ~ 1/(2 p_n) is O(n).",
        ),
        beyond(
            "beyond-peak-over-balanced",
            "Section 10",
            Equivalent(E_DELTA.subs(p, 1 / (n * ln_n)) / E_DELTA, c * ln_n / 4),
            "E[Delta(Y_d)] at p_n = 1/(n ln n) exceeds its value at p_n = c/n, in the balanced regime, by a factor ~ c ln "
            "n/4.",
            regime=BALANCED,
            note="So the balanced regime is not the largest, as section 10 has it (lfms/section-10-largest), nor is n/(2c) "
            "the peak of section 4.",
        ),
    ]


PEAK_OFFSET = -(r + gamma - 1)
"""k* = 1 + PEAK_OFFSET/ln n + o(1/ln n)."""


def peak_location(offset: sp.Expr = PEAK_OFFSET) -> list[Evidence]:
    """The maximiser over p_n = o(1/n): derived, and seen on fine grids at n = 10^8 ... 10^1000."""
    return [_peak_derived(offset), _peak_seen(offset)]


def _peak_derived(offset: sp.Expr) -> Evidence:
    """From expansions of f = E[Delta(Y_d)]/(n ln n) that hold for every sequence p_n = o(1/n).

    Every such sequence has subsequences in the cases of ``ONE_DOMINATED``.  First, x = n p_n ln n -> 1 at a
    maximiser: f -> 0 if x -> 0 or oo, f -> k/(2 (1 + k)^2) <= 1/8 if x -> k.  Then, with x = exp(e), e -> 0 from
    either side and h = 1/ln n,

        f = A + B e^2 + C h + D e h + F h^2 + terms of degree 3,   B < 0,

    so that f exceeds its value at e = -D h/(2 B) unless e/h -> -D/(2 B), which is the offset.
    """
    scaled = E_DELTA / (n * ln_n)
    steps: list[Step] = []
    below, above, exactly, *near = ONE_DOMINATED.cases
    for case in (below, above):
        growth, coefficient = expand(scaled, case, 1).leading()
        if growth.limit() != "zero":
            return Evidence("symbolic", Outcome.REFUTED, Strength.SUPPORTED, f"f does not vanish if {case.text}")
        steps.append(Step(f"f -> 0 if {case.text}", sp.latex(coefficient * growth.expr)))
    value = k / (2 * (1 + k) ** 2)
    steps += _peak()
    expansions = [expand(scaled, case, 2) for case in (exactly, *near)]
    for expansion in expansions:
        growth, coefficient = expansion.leading()
        if growth.limit() != "one" or sp.simplify(coefficient - value) != 0:
            return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, "f has another limit if x -> k")
    steps.append(Step("f -> k/(2 (1 + k)^2) if x -> k, on every side", sp.latex(value)))
    level, *sides = (_quadratic(expansion) for expansion in expansions)
    for side, terms in zip((1, -1), sides, strict=True):
        bend = terms.pop((2, 0))
        drift = terms.pop((1, 1))
        # on x = 1, and from both sides, the terms without e are the same
        if terms.pop((1, 0), 0) != 0 or not bend.is_negative or terms.keys() != level.keys():
            return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, "f has no quadratic maximum at x = 1")
        if any(sp.simplify(terms[place] - level[place]) != 0 for place in level):
            return Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, "the expansions about x = 1 differ")
        derived = sp.simplify(-side * drift / (2 * bend))
        if sp.simplify(derived - offset) != 0:
            detail = f"derived: k* = 1 + ({derived})/ln n + o(1/ln n)"
            return Evidence("symbolic", Outcome.REFUTED, Strength.SUPPORTED, detail, steps=tuple(steps))
        text = f"quadratic in e and 1/ln n, x = exp(e), {'e > 0' if side > 0 else 'e < 0'}: e ln n -> -D/(2 B)"
        steps.append(Step(text, sp.latex(derived)))
    detail = "derived from expansions that hold along every sequence p_n = o(1/n)"
    # supported, not proved: the inference from the quadratic form to the maximiser is in words above
    return Evidence("symbolic", Outcome.HOLDS, Strength.SUPPORTED, detail, steps=tuple(steps))


_S = sp.Symbol("s", positive=True)
"""1/|e|: the second scale of the cases near x = k."""


def _quadratic(expansion: Expansion) -> dict[tuple[int, int], sp.Expr]:
    """Coefficients at k = 1 of s^-i (ln n)^-j, i + j <= 2.

    Raises:
        ValueError: if the remainder, or any other term, is not of degree 3 or more.
    """

    def degree(growth: Growth) -> tuple[int, int]:
        powers = dict(growth.powers)
        i, j = -powers.pop(_S, sp.Integer(0)), -powers.pop(ln_n, sp.Integer(0))
        # negative powers of n are smaller than any of ln n
        if growth.large or any(atom != n or not power.is_negative for atom, power in powers.items()):
            raise ValueError(f"{growth} is no power of s and ln n")
        if not (i.is_Integer and j.is_Integer and i >= 0 and (j >= 0 or powers)):
            raise ValueError(f"{growth} is no monomial in 1/s and 1/ln n")
        return (0, 3) if powers else (int(i), int(j))

    if any(sum(degree(growth)) < 3 for growth in expansion.remainder):
        raise ValueError("the remainder is too large")
    terms = {degree(growth): sp.simplify(value.subs(k, 1)) for growth, value in expansion.terms.items()}
    return {place: value for place, value in terms.items() if sum(place) <= 2 and (value != 0 or place == (1, 1))}


_PEAK_SIZES = (8, 20, 100, 1000)
_STEP = sp.Rational(1, 8)


def _peak_seen(offset: sp.Expr) -> Evidence:
    """The largest value on a grid: k = 2^(j/2), j = -20..20, and k = 1 + d/ln n, d in steps of 1/8 about the offset.

    Its distance in d to the offset must not grow with n, and be at most a step at n = 10^1000.
    """
    shown, worst = [], []
    for rates in RATIOS:
        centre = offset.subs(rates)
        nearest = sp.Rational(round(centre / _STEP)) * _STEP
        before = None
        for size in _PEAK_SIZES:
            best = _largest(sp.Integer(10) ** size, rates, nearest)
            if best is None:
                return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, f"two values overlap at n = 10^{size}")
            distance = abs(float(best - centre))
            at = {"n": f"1e{size}", "mu1": str(rates[mu1]), "mun": str(rates[mun]), "what": "(k* - 1) ln n on the grid"}
            shown.append(Witness(at, str(float(best)), str(float(_STEP))))
            if before is not None and distance > before + float(_STEP):
                return Evidence(
                    "enclosed", Outcome.UNDECIDED, Strength.NONE, f"no nearer at n = 10^{size}", tuple(shown)
                )
            before = distance
        worst.append(distance)
    holds = max(worst) <= _STEP
    detail = (
        f"the largest on a grid of some 120 values of k lies within {max(worst):.3f}/ln n of the formula at n = 10^1000"
    )
    return Evidence("enclosed", Outcome.HOLDS if holds else Outcome.REFUTED, Strength.SUPPORTED, detail, tuple(shown))


def _largest(size: sp.Integer, rates: Mapping[sp.Symbol, sp.Expr], nearest: sp.Expr) -> sp.Expr | None:
    """d = (k - 1) ln n of the grid's largest E[Delta(Y_d)], certified; None where it is not separated."""
    log = sp.log(size)
    coarse = [sp.Integer(2) ** sp.Rational(j, 2) for j in range(-20, 21)]
    grid = [((x - 1) * log, x) for x in coarse if x != 1]
    grid += [(nearest + j * _STEP, 1 + (nearest + j * _STEP) / log) for j in range(-40, 41)]
    found = []
    for d, x in grid:
        if not x.is_positive:
            continue
        at = {"n": size, "p": x / (size * log), "mu1": rates[mu1], "mun": rates[mun]}
        value = enclose(E_DELTA, at, digits=25)
        middle, radius = Fraction(value.value), Fraction(value.radius)
        found.append((middle - radius, middle + radius, d))
    best = max(found, key=lambda item: item[0])
    return best[2] if all(item is best or item[1] < best[0] for item in found) else None


def _polynomial() -> list[Claim]:
    log = ln_n + gamma + r - 1
    return [
        beyond(
            "beyond-polynomial-response",
            "Theorem 4.3",
            ExpansionOf(n ** (alpha - 2) * E_DELTA, log**2 / 2 + r**2 / 2 + sp.pi**2 / 12, "o", sp.Integer(1)),
            "If p_n = n^(-alpha), alpha > 1: E[Delta(Y_d)] = n^(2-alpha) ((ln n + gamma + r - 1)^2/2 + r^2/2 + pi^2/12 + "
            "o(1)), with r = mu1/mun.",
            regime=POLYNOMIAL,
            note="Why the green curve of Fig. 7 (r = 10) is far off: the relative error is ~ 2 (gamma + r - 1)/ln n.",
        ),
    ]


# --- formulas for all regimes ------------------------------------------------------------------

_Z = -sp.log(1 - p)
_U = n * _Z
_Q = p1**n
_E1 = sp.uppergamma(0, _U)

UNIFORM_T = -sp.log(p) - _E1 - _Q / (2 * n) - _Q * (1 + _U) / (12 * n**2)
UNIFORM_S = r + _Q / (n * p) + UNIFORM_T
UNIFORM_MU = mu1 / (p * UNIFORM_S)
"""mu to relative error under 1/(250 n^4)."""


def uniform_response() -> sp.Expr:
    """E[Delta(Y_d)] to relative error under 1/(5 n^2), for p_n >= n^(-3): elementary functions, Gamma(0, U), Li2.

    The tail of ``sum x^i H_i/i`` is ``int_n^oo e^(-zt) (ln t + gamma + 1/(2t))/t dt`` and half its first term.
    """
    m, h = 1 / (p * UNIFORM_S), sp.harmonic(n - 1)
    tail = GammaDerivative(1, 0, _U) + (gamma - sp.log(_Z)) * _E1
    tail += _Z * (sp.exp(-_U) / _U - _E1) / 2 + _Q * sp.harmonic(n) / (2 * n)
    weighted = sp.polylog(2, 1 - p) + sp.log(p) ** 2 / 2 - tail
    last = _Q * (1 - m / n) * (n - 1 + 1 / p - m * h - m / (n * p))
    closed = (p1 * (1 - _Q) - n * _Q * p) / p - m * (p1 - _Q) - m * (UNIFORM_T - _Q * h)
    return last + closed + m**2 * p * weighted


def _grid(exponents: tuple[Fraction | int, ...], powers: tuple[int, ...]) -> tuple[dict[str, object], ...]:
    """p_n = n^(-a) and p_n = 1/(n ln n), the three pairs of rates."""
    found = []
    for power in powers:
        size = sp.Integer(10) ** power
        for prob in [size ** -sp.Rational(a) for a in exponents] + [1 / (size * sp.log(size))]:
            for rates in RATIOS:
                found.append({"n": size, "p": prob, **{symbol.name: value for symbol, value in rates.items()}})
    return tuple(found)


def _uniform() -> list[Claim]:
    grid = _grid((Fraction(1, 2), Fraction(3, 4), 1, Fraction(5, 4), Fraction(3, 2), 2, 3), (1, 2, 3, 5, 8))
    text = "n >= 10, n^(-3) <= p_n <= n^(-1/2), mu1/mun in [1/10, 10]: a grid over all regimes"
    return [
        beyond(
            "beyond-uniform-throughput",
            "Lemma 5.3",
            Bound(sp.Abs(UNIFORM_MU / MU - 1), "<=", 1 / (250 * n**4), Domain(text, grid)),
            "In every regime mu = mu1/(p_n S) with S = mu1/mun + p1^n/(n p_n) - ln p_n - Gamma(0, U) - p1^n/(2n) - p1^n (1 + "
            "U)/(12 n^2), U = -n ln(1 - p_n), to relative error 1/(250 n^4).",
        ),
        beyond(
            "beyond-uniform-response",
            "Lemma 5.5",
            Bound(sp.Abs(uniform_response() / E_DELTA - 1), "<=", 1 / (5 * n**2), Domain(text, grid)),
            "In every regime E[Delta(Y_d)] is given in closed form by the dilogarithm, Gamma(0, U) and its derivative in "
            "the first argument, to relative error 1/(5 n^2).",
        ),
    ]
