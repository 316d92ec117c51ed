"""Geometric-harmonic sums: sums of x^i i^k H_i^j (ln i)^l, for 0 < x < 1 and x -> 1 jointly with n.

With z = -ln x, f(t) = e^(-zt)/t and e^(-zt) H(t)/t, H(t) = psi(t+1) + gamma, are completely monotone
(H is a Bernstein function, a Bernstein function over t is completely monotone, and so are
products).  For such f the Euler-Maclaurin remainder is at most the first term left out, so

    sum_{i >= n} f(i) = int_n^oo f + f(n)/2 + O(|f'(n)|),

uniformly in z and n.  The integrals are incomplete gamma functions at U = n z.  Source: DLMF
2.10(i) (Euler-Maclaurin), 25.12 (Li_2); Schilling, Song, Vondracek, Bernstein Functions,
Theorem 3.7 and Corollary 3.8.
"""

from __future__ import annotations

from collections import defaultdict

import sympy as sp

import asymp.symbolics as sy
from asymp.expand import engine
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expansion import Expansion, Refused
from asymp.scale import sign
from asymp.special import GammaDerivative

Basis = tuple[sp.Expr, int, int, int]  # base x, power of i, power of H_i, power of ln i


FEW = 16
"""A product of fewer terms is left as it is."""
MOST_PRODUCTS = 400
"""Products of two terms at most, when a summand is multiplied out."""


def split(expr: sp.Expr, i: sp.Symbol) -> dict[Basis, sp.Expr]:
    """A summand as a sum of coefficient * x^i i^k H_i^j (ln i)^l; the coefficients are free of i.

    >>> i, x, m = sp.symbols("i x m")
    >>> split(x**i * (1 - m / i) * sp.harmonic(i), i) == {(x, 0, 1, 0): 1, (x, -1, 1, 0): -m}
    True
    """
    total: dict[Basis, sp.Expr] = defaultdict(lambda: sp.S.Zero)
    for basis, coefficient in _terms(expr, i):
        total[basis] += coefficient
    return {b: c for b, c in total.items() if c != 0}


def _times(left: list[tuple[Basis, sp.Expr]], right: list[tuple[Basis, sp.Expr]]) -> list[tuple[Basis, sp.Expr]]:
    """The product of two sums, like terms together where there are many: (n + k)^20 has 21 of them, not a million."""
    if len(left) * len(right) > MOST_PRODUCTS:
        raise Refused(f"a summand of more than {MOST_PRODUCTS} terms")
    product = [
        ((x * y, k + m, j + q, l + r), a * b) for (x, k, j, l), a in left for (y, m, q, r), b in right
    ]
    if len(product) < FEW:
        return product
    together: dict[Basis, list[sp.Expr]] = defaultdict(list)
    for basis, coefficient in product:
        together[basis].append(coefficient)
    return [(basis, sy.expand(sp.Add(*coefficients))) for basis, coefficients in together.items()]


def _terms(expr: sp.Expr, i: sp.Symbol) -> list[tuple[Basis, sp.Expr]]:
    one = sp.S.One
    if i not in expr.free_symbols:
        return [((one, 0, 0, 0), expr)]
    if expr.is_Add:
        return [term for part in expr.args for term in _terms(part, i)]
    if expr.is_Mul:
        product = [((one, 0, 0, 0), one)]
        for factor in expr.args:
            product = _times(product, _terms(factor, i))
        return product
    if expr == i:
        return [((one, 1, 0, 0), one)]
    if isinstance(expr, sp.harmonic) and expr.args == (i,):
        return [((one, 0, 1, 0), one)]
    if expr == sp.log(i):
        return [((one, 0, 0, 1), one)]
    if isinstance(expr, sp.exp):  # e^(-zi) is x^i with x = e^(-z)
        slope = sy.expand(expr.args[0]).coeff(i)
        rest = sy.expand(expr.args[0] - slope * i)
        if i not in slope.free_symbols | rest.free_symbols:
            return [((sp.exp(slope), 0, 0, 0), sp.exp(rest))]
    if expr.is_Pow:
        base, power = expr.args
        if base == i and power.is_Integer:
            return [((one, int(power), 0, 0), one)]
        if power.is_Integer and power > 0:
            factor, product = _terms(base, i), [((one, 0, 0, 0), one)]
            for _ in range(int(power)):
                product = _times(product, factor)
            return product
        if i not in base.free_symbols:
            slope = power.coeff(i)
            if slope == 1 and i not in (power - i).free_symbols:
                return [((base, 0, 0, 0), base ** (power - i))]
    raise Refused(f"the summand {expr} is not a geometric-harmonic one")


def geometric(x: sp.Expr, top: sp.Expr, k: int) -> sp.Expr:
    """sum_{i=1}^{top} i^k x^i in closed form (k >= 0): (x d/dx)^k of (x - x^(top+1))/(1 - x).

    >>> x = sp.Symbol("x")
    >>> sp.simplify(geometric(x, sp.Integer(3), 2) - (x + 4 * x**2 + 9 * x**3))
    0
    """
    base, last = sp.Symbol("base", positive=True), sp.Symbol("last", positive=True)
    form = (base - base ** (last + 1)) / (1 - base)
    for _ in range(k):
        form = sy.together(base * sy.diff(form, base))
    # numerator expanded: differences of nearly equal parts are left to the expansion's own cancellation
    return form.subs({base: x, last: top}, simultaneous=True)


def tail(x: sp.Expr, n: sp.Expr, k: int, j: int) -> tuple[sp.Expr, sp.Expr]:
    """sum_{i >= n} x^i i^k H_i^j as (main part, expression that bounds the rest up to a constant)."""
    z = -sp.log(x)
    u = n * z
    e1 = GammaDerivative(0, 0, u)
    if (k, j) == (-1, 0):
        return e1 + x**n / (2 * n), x**n * (z / n + 1 / n**2)
    if (k, j) == (-1, 1):
        # H(t) = ln t + gamma + 1/(2t) + O(1/t^2) under the integral
        main = (
            GammaDerivative(1, 0, u)
            + (sp.EulerGamma - sp.log(z)) * e1
            + z * GammaDerivative(0, -1, u) / 2
            + x**n * sp.harmonic(n) / (2 * n)
        )
        return main, x**n * (sp.harmonic(n) * z / n + sp.harmonic(n) / n**2)
    if (k, j) == (0, 1):  # by parts: (1-x) sum_{i>=n} x^i H_i = x^n H_{n-1} + sum_{i>=n} x^i/i
        main, rest = tail(x, n, -1, 0)
        return (x**n * (sp.harmonic(n) - 1 / n) + main) / (1 - x), rest / (1 - x)
    if j == 0 and k >= 0:
        return geometric_tail(x, n, k), sp.S.Zero
    raise Refused(f"no method sums x^i i^{k} H_i^{j} from n on")


def geometric_tail(x: sp.Expr, n: sp.Expr, k: int) -> sp.Expr:
    """sum_{i >= n} i^k x^i, x^n factored out: (x d/dx)^k of x^n/(1 - x).

    >>> x, n = sp.symbols("x n")
    >>> sp.factor(geometric_tail(x, n, 1))
    -x**n*(n*x - n - x)/(x - 1)**2
    """
    base, first = sp.Symbol("base", positive=True), sp.Symbol("first", positive=True)
    form = 1 / (1 - base)
    for _ in range(k):  # x d/dx (x^n g) = x^n (n g + x g')
        form = sy.factor(first * form + base * sy.diff(form, base))
    return x**n * form.subs({base: x, first: n}, simultaneous=True)


def geometric_infinite(x: sp.Expr, k: int) -> sp.Expr:
    """sum_{i>=1} i^k x^i, 0 < x < 1."""
    base = sp.Symbol("base", positive=True)
    form = base / (1 - base)
    for _ in range(k):
        form = sy.factor(base * sy.diff(form, base))
    return form.subs(base, x)


def infinite(x: sp.Expr, k: int, j: int) -> sp.Expr:
    """sum_{i >= 1} x^i i^k H_i^j, 0 < x < 1; generating functions of the harmonic numbers."""
    if j == 0 and k >= 0:
        return geometric_infinite(x, k)
    forms = {
        (-1, 0): -sp.log(1 - x),
        (0, 1): -sp.log(1 - x) / (1 - x),
        (-1, 1): sp.polylog(2, x) + sp.log(1 - x) ** 2 / 2,
    }
    if (k, j) not in forms:
        raise Refused(f"no closed form of the infinite sum of x^i i^{k} H_i^{j}")
    return forms[k, j]


_NAMES = {
    (-1, 0): (
        r"\sum_{b<n}\frac{x^b}{b}",
        r"-\ln(1-x) - E_1(nz) - \frac{x^n}{2n} + "
        r"O\!\left(x^n\left(\frac{z}{n}+\frac{1}{n^2}\right)\right)",
    ),
    (0, 1): (
        r"\sum_{i<n}x^iH_i",
        r"\frac{1}{1-x}\left(\sum_{b<n}\frac{x^b}{b} - x^nH_{n-1}\right)",
    ),
    (-1, 1): (
        r"\sum_{i<n}\frac{x^iH_i}{i}",
        r"\mathrm{Li}_2(x)+\tfrac12\ln^2(1-x) - \Gamma'(0,nz) - (\gamma-\ln z)E_1(nz) - \tfrac z2\Gamma(-1,nz) - "
        r"\frac{x^nH_n}{2n} + O\!\left(x^nH_n\left(\frac zn+\frac1{n^2}\right)\right)",
    ),
}


def power_sum(m: int, j: int, top: sp.Expr) -> sp.Expr:
    """sum_{i=1}^{top} i^m H_i^j for m >= -1, j in {0, 1, 2}, in H_top, H_top^(2) and a sum of H_i/i^2.

    By parts, with F(i) = sum_{q <= i} q^m: sum i^m H_i^j = F(N) H_N^j - sum F(i-1) (H_i^j - H_(i-1)^j).

    >>> n = sp.Symbol("n")
    >>> expected = sum(i**2 * sp.harmonic(i) for i in range(1, 6))
    >>> power_sum(2, 1, n).subs(n, 5) == expected
    True
    >>> power_sum(3, 2, n).subs(n, 5) == sum(i**3 * sp.harmonic(i) ** 2 for i in range(1, 6))
    True
    """
    if m == -1:
        first = sp.harmonic(top)
        if j < 2:
            return first if j == 0 else (first**2 + sp.harmonic(top, 2)) / 2
        # H_i^3 - H_(i-1)^3 = 3 H_i^2/i - 3 H_i/i^2 + 1/i^3
        i = sp.Symbol("i", integer=True, positive=True)
        return (first**3 + 3 * sp.Sum(sp.harmonic(i) / i**2, (i, 1, top)) - sp.harmonic(top, 3)) / 3
    i = sp.Symbol("i")
    closed = sy.factor((sp.bernoulli(m + 1, i + 1) - sp.bernoulli(m + 1, 1)) / (m + 1))
    if j == 0:
        return closed.subs(i, top)
    quotient, constant = sy.div(sy.poly(sy.expand(closed.subs(i, i - 1)), i), sy.poly(i, i))
    rest = constant.as_expr() * sp.harmonic(top) ** j
    for (power,), coefficient in quotient.terms():  # i (H_i^j - H_(i-1)^j) = H_i^0 for j = 1, 2 H_i - 1/i for j = 2
        lower = power_sum(power, 0, top) if j == 1 else 2 * power_sum(power, 1, top) - power_sum(power - 1, 0, top)
        rest += coefficient * lower
    return closed.subs(i, top) * sp.harmonic(top) ** j - rest


@handles(sp.Sum)
def _sum(expander: Expander, expr: sp.Expr) -> Expansion:
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    i, low, high = expr.limits[0]
    parts = []
    for (x, k, j, logs), coefficient in split(expr.function, i).items():
        basic = _logarithmic(expander, x, k, j, logs, low, high) if logs else _basic(expander, x, k, j, low, high)
        parts.append(expander(coefficient) * basic)
    return Expansion.sum(parts)


def _basic(expander: Expander, x: sp.Expr, k: int, j: int, low: sp.Expr, high: sp.Expr) -> Expansion:
    """Choose the method by where U = (top) * z goes: 0, or elsewhere."""
    if x == 1:
        return _unweighted(expander, k, j, low, high)
    if expander.resolved(x).is_number:
        raise Refused(f"a sum with the fixed ratio {x}")
    if j not in (0, 1):
        raise Refused(f"a sum with H_i^{j}")
    if high == sp.oo:
        _require_ratio_below_one(expander, x)
    if low == 1 and high == sp.oo:
        return expander(infinite(x, k, j))
    if high == sp.oo:
        _note(expander, x, k, j)
        return _with_rest(expander, *tail(x, low, k, j))
    top = expander(high * -sp.log(x))
    if low != 1:
        _require_ratio_below_one(expander, x)
        main, rest = tail(x, low, k, j)
        last, more = tail(x, high + 1, k, j)
        return _with_rest(expander, main, rest) - _with_rest(expander, last, more)
    if all(g.limit() == "zero" for g in (*top.terms, *top.remainder)):
        return _short(expander, x, k, j, high)
    if j == 0 and k >= 0:
        return expander(geometric(x, high, k))
    _require_ratio_below_one(expander, x)
    _note(expander, x, k, j)
    main, rest = tail(x, high + 1, k, j)
    return expander(infinite(x, k, j)) - _with_rest(expander, main, rest)


def _require_ratio_below_one(expander: Expander, x: sp.Expr) -> None:
    """Raises Refused unless z = -ln x is seen to be positive: the series diverges, and no theorem here holds."""
    if sign(expander(-sp.log(x)).leading()[1]) != 1:
        raise Refused(f"the ratio {x} is not seen to be below 1")


def _logarithmic(
    expander: Expander, x: sp.Expr, k: int, j: int, logs: int, low: sp.Expr, high: sp.Expr
) -> Expansion:
    """sum x^i ln i = -d/ds Li_s(x) at s = 0, and its tail by Euler-Maclaurin.

    Li_s(e^(-z)) = Gamma(1-s) z^(s-1) + sum_m zeta(s-m) (-z)^m/m!, |z| < 2 pi (DLMF 25.12.12), so that
    sum_{i>=1} e^(-zi) ln i = -(gamma + ln z)/z - sum_m zeta'(-m) (-z)^m/m!.
    For f(t) = e^(-zt) ln t: sum_{i>=n} f = int_n^oo f + f(n)/2 + R, |R| <= (|f'(n)| + int |f''|)/12.
    """
    if (k, j, logs) != (0, 0, 1) or x == 1:
        raise Refused(f"no method sums x^i i^{k} H_i^{j} (ln i)^{logs}")
    z = expander(-sp.log(x))
    z.require_small()
    _require_ratio_below_one(expander, x)
    if low != 1:
        lower = _logarithmic(expander, x, k, j, logs, sp.S.One, low - 1)
        return _logarithmic(expander, x, k, j, logs, sp.S.One, high) - lower
    if high != sp.oo:
        n, zeta = high + 1, -sp.log(x)
        u = n * zeta
        main = (x**n * sp.log(n) + sp.expint(1, u)) / zeta + x**n * sp.log(n) / 2
        rest = x**n * (1 / n + zeta * sp.log(n))
        infinite_sum = _logarithmic(expander, x, k, j, logs, low, sp.oo)
        return infinite_sum - _with_rest(expander, main, rest)
    inverse = z.inverse(expander.order)
    terms = [
        -(inverse * (z.log(expander.order) + Expansion.constant(sp.EulerGamma))),
        Expansion.constant(sp.log(2 * sp.pi) / 2),  # -zeta'(0), DLMF 25.6.11
        z.tail(1),  # zeta'(-1) is no constant that SymPy names
    ]
    expander.note(
        "the polylogarithm near 1, differentiated in its order",
        r"\sum_{i\ge1} e^{-zi}\ln i = -\frac{\gamma+\ln z}{z} - \sum_m \zeta'(-m)\frac{(-z)^m}{m!}",
        "DLMF 25.12.12",
    )
    return Expansion.sum(terms)


def _note(expander: Expander, x: sp.Expr, k: int, j: int) -> None:
    if (k, j) in _NAMES:
        left, right = _NAMES[k, j]
        expander.note(
            "Euler-Maclaurin for a completely monotone summand" if (k, j) != (0, 1) else "summation by parts",
            rf"{left} = {right}, \qquad x = {sy.latex(x)},\; z = -\ln x",
            "DLMF 2.10(i); DLMF 25.12",
        )


def _short(expander: Expander, x: sp.Expr, k: int, j: int, top: sp.Expr) -> Expansion:
    """N z -> 0: x^i = sum_{m<M} (-zi)^m/m! + O((zi)^M) under the sum, the rest being at most its first term."""
    z = expander(-sp.log(x))
    terms, power = [], Expansion.constant(1)
    for m in range(expander.order + 1):
        inner = expander(power_sum(k + m, j, top))
        terms.append((power * inner).scaled(sp.Integer((-1) ** m) / sp.factorial(m)))
        power = power * z
    last = expander(power_sum(k + expander.order + 1, j, top))
    terms.append((power * last).tail(1))
    factor = {-1: r"i^{-1}", 0: "", 1: "i"}.get(k, f"i^{{{k}}}") + ("H_i" if j else "")
    expander.note(
        "Taylor's formula under a sum with Nz -> 0",
        rf"\sum_{{i\le N}} x^i {factor} = \sum_{{m<M}} \frac{{(-z)^m}}{{m!}} \sum_{{i\le N}} i^m {factor} + "
        rf"O\Bigl(z^M \sum_{{i\le N}} i^M {factor}\Bigr), \qquad x = {sy.latex(x)},\; z = -\ln x",
        "0 <= (-1)^M (e^(-y) - sum_{m<M} (-y)^m/m!) <= y^M/M!",
    )
    return Expansion.sum(terms)


def rewrite(expander: Expander, term: sp.Expr) -> tuple[sp.Expr, Expansion | None]:
    """A multiple of a geometric-harmonic sum as (closed form, remainder), where Euler-Maclaurin gives one.

    In a sum of terms the closed forms then cancel exactly, before any of them is truncated:
    sum_{b<n} x^b/b + ln(1-x) is exponentially small in nz, and is found to be.
    """
    sums = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.Sum)]
    if len(sums) != 1 or len(sums[0].limits) != 1 or (term / sums[0]).has(sp.Sum):
        return term, None
    i, low, high = sums[0].limits[0]
    factor, main, rests = term / sums[0], sp.S.Zero, []
    try:
        shapes = split(sums[0].function, i)
    except Refused:  # another kind of sum, for another method
        return term, None
    for (x, k, j, logs), coefficient in shapes.items():
        if logs or j > 1 or (k, j) not in _NAMES or low != 1 or high == sp.oo or coefficient.has(sp.Sum):
            return term, None
        top = expander(high * -sp.log(x))
        if all(g.limit() == "zero" for g in (*top.terms, *top.remainder)):
            return term, None
        if sign(expander(-sp.log(x)).leading()[1]) != 1:
            return term, None
        _note(expander, x, k, j)
        form, rest = tail(x, high + 1, k, j)
        weight = factor * coefficient
        main += sy.expand_mul(weight * (infinite(x, k, j) - form))
        rests.append((expander(weight) * expander(rest)).tail(1))
    return main, Expansion.sum(rests)


engine.REWRITE = rewrite


def _with_rest(expander: Expander, main: sp.Expr, rest: sp.Expr) -> Expansion:
    result = expander(main)
    if rest == 0:
        return result
    return result + expander(rest).tail(1)


def _unweighted(expander: Expander, k: int, j: int, low: sp.Expr, high: sp.Expr) -> Expansion:
    """Sums of i^k H_i^j up to a top that tends to infinity."""
    if low != 1 or high == sp.oo or j not in (0, 1, 2):
        raise Refused("an unweighted sum that does not start at 1, or is infinite")
    if k < -1:
        raise Refused(f"no method sums i^{k} H_i^{j}")
    return expander(power_sum(k, j, high))
