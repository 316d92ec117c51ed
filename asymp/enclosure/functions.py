"""The functions of the table as maps of real numbers and of complex balls, by name.

Most are the method of python-flint that stands in the table's column ``ball``.  That of ``arb`` of one argument is not finite
where the function is not real; others go on beyond, so that the row's conditions are asked first.  What FLINT lacks, or knows
too little of for what is huge, stands here.

Each name maps to ``(real, complex)``.  The complex form takes ``analytic``: where it is true it must
answer nan unless the function is analytic on the whole ball (that is what makes an integral sound).
``None`` stands for: not available.

>>> real, _ = FUNCTIONS["bell"]
>>> real((fmpq(10),)), FUNCTIONS["bernoulli"][0]((fmpq(1),)), FUNCTIONS["cosh"][0]((fmpq(0),))
(115975, -1/2, 1)
>>> gauss, _ = FUNCTIONS["hyp2f1"]
>>> gauss((fmpq(1), fmpq(1), fmpq(2), fmpq(1))), gauss((fmpq(-2), fmpq(1), fmpq(3), fmpq(2))).contains(fmpq(1, 3))
(nan, True)
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

import flint
from flint import acb, arb, ctx, fmpq, fmpz, fmpz_poly

from asymp.budget import uncounted
from asymp.enclosure import arithmetic as ar
from asymp.enclosure import large, zeta
from asymp.enclosure.arithmetic import NAN, Number, to_ball, to_integer
from asymp.enclosure.incomplete import gamma_derivative
from asymp.enclosure.numbers import Undecided, to_fmpq
from asymp.functions.row import Row
from asymp.functions.table import NAMED, ROWS
from asymp.kernel.terms import Term, read
from asymp.kernel.terms import number as number
from asymp.outside import loaded, refuse

CNAN = acb("nan")
Real = Callable[[Sequence[Number]], Number]
Complex = Callable[[Sequence[acb], bool], acb]
Both = tuple[Real, Complex | None]

MOST_EXACT = 2_000
"""Of what a number that counts is computed exactly."""
LARGEST = fmpz(10) ** 15
"""Of what it is computed at all."""


# --- by the table -----------------------------------------------------------------------------


def of_row(row: Row) -> tuple[Real, Complex]:
    """The method that a row of the house names; an exact ball at exact arguments is the exact value."""
    method = row.ball.removeprefix("acb.")
    as_complex, on = method != row.ball, on_cut(row.cut)
    continued = as_complex or row.least > 1

    def real(args: Sequence[Number]) -> Number:
        if continued and not is_real(row.name, args):
            return NAN
        *before, x = map(to_ball, args)
        found = getattr(acb(x), method)(*before).real if as_complex else getattr(x, method)(*before)
        return ar.trim(found.fmpq()) if isinstance(args[-1], fmpq) and found.is_exact() and found.is_finite() else found

    def complex_(args: Sequence[acb], analytic: bool) -> acb:
        *before, z = args
        return CNAN if analytic and on(z) else getattr(z, method)(*before)

    return real, complex_


def _from_outside(ball: str) -> Real:
    """The balls of a row from outside; what they raise, and what is no number, is no value."""

    def real(args: Sequence[Number]) -> Number:
        try:
            value = loaded(ball)(*args)
        except Exception as error:  # of somebody else's code
            refuse(f"{ball} raised {type(error).__name__}: {error}"[:300])
            return NAN
        return value if isinstance(value, (arb, fmpq)) else NAN

    return real


def is_real(name: str, args: Sequence[Number]) -> bool:
    """Whether a function is certainly real: all conditions of one of its row's alternatives hold.

    >>> is_real("besselk", (fmpq(0), fmpq(1))), is_real("besselk", (fmpq(0), arb(0, 1)))
    (True, False)
    """
    at = dict(zip("xyzw", args, strict=False))
    return any(all(_holds(kind, _value(term, at)) for kind, term in one) for one in _conditions(name, len(args)))


@uncounted
@lru_cache(maxsize=256)
def _conditions(name: str, arguments: int) -> tuple[tuple[tuple[str, Term], ...], ...]:
    return tuple(tuple((kind, read(text)) for kind, text in one) for one in NAMED[name].real(arguments))


def _holds(kind: str, value: Number) -> bool:
    exact = isinstance(value, fmpq)
    match kind:
        case ">":
            return bool(value > 0)
        case ">=":
            return bool(value >= 0)
        case "!=":
            return bool(value != 0) if exact else not value.contains(0)
        case "whole":
            return to_integer(value) is not None
    return bool(value > 0) or not (value.q == 1 if exact else value.contains_integer())  # no pole


def _value(term: Term, at: dict[str, Number]) -> Number:
    """A polynomial, as the conditions on several arguments have it."""
    match term.head:
        case "name":
            return at[term.name]
        case "number":
            return to_fmpq(term.number)
    parts = [_value(part, at) for part in term.parts]
    assert term.head in ("sum", "product"), f"a condition with {term.head}"
    return ar.add(parts) if term.head == "sum" else ar.multiply(parts)


def _counted(exact: Callable[..., Any], further: Callable[[int], arb] | None = None) -> Both:
    """Numbers that count: exactly of what is not large, then by another formula where there is one."""

    def real(args: Sequence[Number]) -> Number:
        found = [to_integer(one) for one in args]
        if any(one is None or not 0 <= one <= (MOST_EXACT if further is None else LARGEST) for one in found):
            return NAN
        whole = [int(one) for one in found if one is not None]
        return ar.trim(fmpq(exact(*whole))) if further is None or whole[0] <= MOST_EXACT else further(whole[0])

    return real, None


def on_cut(text: str) -> Callable[[acb], bool]:
    """Whether a ball may touch a branch cut: rays ``x <= c``, ``x >= c`` of the real line, ``I*x <= c`` of the other.

    >>> unit = on_cut("x <= -1 or x >= 1")
    >>> unit(acb(2)), unit(acb(arb("0.5"), arb(0, 1))), unit(acb(2, 1)), on_cut("I*x >= 1")(acb(0, -2)), on_cut("")(acb(0))
    (True, False, False, True, False)
    """
    rays = []
    for ray in filter(None, text.split(" or ")):
        found = re.fullmatch(r"(I\*)?x ([<>])= (\S+)", ray)
        assert found is not None, f"no ray: {ray}"
        rays.append((bool(found[1]), found[2] == "<", arb(found[3])))

    def touched(z: acb) -> bool:
        for turned, below, end in rays:
            w = z * acb(0, 1) if turned else z
            if w.imag.contains(0) and not (w.real > end if below else w.real < end):
                return True
        return False

    return touched


# --- what is not, or not only, a method of FLINT ----------------------------------------------


def _upper(args: Sequence[Number]) -> Number:
    a, x = args
    whole = to_integer(a)
    if whole is not None and whole == 1:
        return ar.exponential(-x)
    return large.upper_gamma(to_ball(a), to_ball(x))


def _gamma_derivative(args: Sequence[Number]) -> Number:
    order = to_integer(args[0])
    if order is None or order < 0 or order > 60:
        return NAN
    return gamma_derivative(int(order), args[1], to_ball(args[2]))


def _erfc(args: Sequence[Number]) -> Number:
    return ar.ONE if isinstance(args[0], fmpq) and args[0] == 0 else large.erfc(args[0])


def _quotient(top: Number, bottom: Number) -> Number:
    """Gamma(top)/Gamma(bottom); 0 where only the bottom is a pole."""
    if min(to_ball(top), to_ball(bottom)) > 40:
        return (to_ball(top).lgamma() - to_ball(bottom).lgamma()).exp()
    return to_ball(_gamma((top,))) * to_ball(bottom).rgamma()


def _rising(args: Sequence[Number]) -> Number:
    """x (x + 1) ... (x + n - 1); where all factors are below 0, from the last one on with the other sign."""
    top, count = ar.add(args), to_integer(args[1])
    if count is not None and to_ball(top) < 1:
        size = _quotient(ar.add((ar.ONE, -args[0])), ar.add((ar.ONE, -top)))
        return size if count % 2 == 0 else -size
    return _quotient(top, args[0])


def _falling(args: Sequence[Number]) -> Number:
    top = ar.add((args[0], ar.ONE))
    return _quotient(top, ar.add((top, -args[1])))


def _beta(args: Sequence[Number]) -> Number:
    a, b, both = (to_ball(x).lgamma() for x in (args[0], args[-1], ar.add((args[0], args[-1]))))
    return (a + b - both).exp()


def _catalan(args: Sequence[Number]) -> Number:
    n = args[0]
    return ar.multiply((ar.binomial(n + n, n), ar.invert(ar.add((n, ar.ONE)))))


def _lambertw(args: Sequence[Number]) -> Number:
    branch = to_integer(args[1]) if len(args) > 1 else 0
    if branch is None or branch not in (0, -1):
        return NAN
    return _TABLE["LambertW"][0](args[:1]) if branch == 0 else to_ball(args[0]).lambertw(-1)


def _atan2(args: Sequence[Number]) -> Number:
    y, x = to_ball(args[0]), to_ball(args[1])
    return NAN if y.contains(0) and x.contains(0) else arb.atan2(y, x)


def _gamma(args: Sequence[Number]) -> Number:
    whole = to_integer(args[0])
    return ar.factorial(args[0] - 1) if whole is not None and whole > 0 else to_ball(args[0]).gamma()


def _gauss(args: Sequence[Number]) -> Number:
    if not is_real("hyp2f1", args):
        return NAN
    a, b, c, x = args
    gaps = {"ab": (a, b), "ac": (a, c), "bc": (b, c), "abc": (ar.add((a, b)), c)}
    flags = {name: all(isinstance(one, fmpq) for one in (u, v)) and (u - v).q == 1 for name, (u, v) in gaps.items()}
    return to_ball(x).hypgeom_2f1(*map(to_ball, (a, b, c)), **flags)


def _kummer(args: Sequence[Number]) -> Number:
    a, b, x = args
    equal = isinstance(a, fmpq) and isinstance(b, fmpq) and a == b  # DLMF 13.6.1
    return ar.exponential(x) if equal and is_real("hyp1f1", args) else _TABLE["hyp1f1"][0](args)


def _bessel(name: str) -> Real:
    return lambda args: NAN if large.is_far_order(args[0]) else _TABLE[name][0](args)


def _subfactorial(n: int) -> fmpz:
    found = fmpz(1)
    for k in range(1, n + 1):
        found = k * found + (-1) ** k
    return found


def _near_subfactorial(n: int) -> arb:
    """n!/e, from which d(n) differs by n! sum_(k > n) (-1)^k/k!, which is less than 1/(n + 1)."""
    return (arb(n) + 1).gamma() * (-arb(1)).exp() + arb(0, 1) / (n + 1)


def _c_harmonic(args: Sequence[acb], analytic: bool) -> acb:
    return (args[0] + 1).digamma() + arb.const_euler() if len(args) == 1 else CNAN


def _c_polylog(args: Sequence[acb], analytic: bool) -> acb:
    s, z = args
    return CNAN if z.contains(acb(1)) and not s.real > 1 else _TABLE["polylog"][1](args, analytic)


_NEGATIVE = on_cut("x <= 0")


def _c_zeta(args: Sequence[acb], analytic: bool) -> acb:
    if len(args) == 1:
        return args[0].zeta()
    return CNAN if analytic and _NEGATIVE(args[1]) else args[0].zeta(args[1])


def _c_polygamma(args: Sequence[acb], analytic: bool) -> acb:
    order, z = args
    return z.polygamma(order) if order.imag.is_zero() and order.real.is_exact() and order.real.is_integer() else CNAN


def _c_lambertw(args: Sequence[acb], analytic: bool) -> acb:
    return _TABLE["LambertW"][1](args[:1], analytic) if len(args) == 1 or args[1].is_zero() else CNAN


def _one(function: Callable[[Number], Number]) -> Real:
    return lambda args: function(args[0])


def _two(function: Callable[[Number, Number], Number]) -> Real:
    return lambda args: function(args[0], args[1])


_TABLE = {row.name: of_row(row) for row in ROWS if row.ball and ":" not in row.ball}
_REAL: dict[str, Real] = {
    "exp": _one(ar.exponential),
    "log": _one(ar.logarithm),
    "erfc": _erfc,
    "gamma": _gamma,
    "zeta": zeta.zeta,
    "expint": lambda a: large.exponential_integral(*map(to_ball, a)),
    "uppergamma": _upper,
    "polylog": lambda a: zeta.polylog(a) if is_real("polylog", a) else NAN,
    "LambertW": _lambertw,
    "barnesg": _one(large.barnes),
    "besseli": _bessel("besseli"),
    "besselj": _bessel("besselj"),
    "hyp1f1": _kummer,
    "hyp2f1": _gauss,
}
"""Instead of the table's method over the reals."""
_COMPLEX: dict[str, Complex] = {"polylog": _c_polylog, "LambertW": _c_lambertw, "zeta": _c_zeta}
"""Instead of the table's over complex balls."""
_WITHOUT: dict[str, Both] = {
    "polygamma": (zeta.polygamma, _c_polygamma),
    "trigamma": (lambda a: zeta.polygamma((fmpq(1), *a)), lambda a, analytic: _c_polygamma((acb(1), *a), analytic)),
    "factorial": (_one(ar.factorial), lambda a, _: (a[0] + 1).gamma()),
    "factorial2": (_one(ar.double_factorial), None),
    "binomial": (_two(ar.binomial), None),
    "floor": (_one(ar.floor), None),
    "ceiling": (_one(ar.ceiling), None),
    "Abs": (_one(abs), lambda a, analytic: a[0].real_abs(analytic=analytic)),
    "sign": (_one(ar.signum), None),
    "Min": (lambda a: -ar.greatest([-one for one in a]), None),
    "Max": (ar.greatest, None),
    "harmonic": (lambda a: ar.harmonic(*a) if len(a) == 1 else zeta.generalized_harmonic(*a), _c_harmonic),
    "hurwitz": (zeta.zeta, _c_zeta),
    "generalized_harmonic": (lambda a: zeta.generalized_harmonic(*a), None),
    "lowergamma": (lambda a: large.lower_gamma(*map(to_ball, a)), None),
    "beta": (_beta, None),
    "airyaiprime": (lambda a: to_ball(a[0]).airy_ai(derivative=1), lambda a, _: a[0].airy_ai(derivative=1)),
    "airybiprime": (lambda a: to_ball(a[0]).airy_bi(derivative=1), lambda a, _: a[0].airy_bi(derivative=1)),
    "Li": (_one(lambda x: to_ball(x).li() - arb(2).li()), None),
    "rf": (_rising, None),
    "ff": (_falling, None),
    "catalan": (_catalan, None),
    "GammaDerivative": (_gamma_derivative, None),
    "ZetaDerivative": (_two(zeta.zeta_derivative), None),
    "bell": _counted(fmpz.bell_number, arb.bell_number),
    "bernoulli": _counted(fmpq.bernoulli, arb.bernoulli),
    "subfactorial": _counted(_subfactorial, _near_subfactorial),
    "atan2": (_atan2, None),
    "stieltjes": (zeta.stieltjes, None),
}
"""Of which the table names no method; the last two are SymPy's, and no rows."""
FUNCTIONS: dict[str, Both] = {
    **{row.name: _counted(attrgetter(row.exact)(flint)) for row in ROWS if row.exact},
    **{name: (_REAL.get(name, real), _COMPLEX.get(name, complex_)) for name, (real, complex_) in _TABLE.items()},
    **_WITHOUT,
    **{row.name: (_from_outside(row.ball), None) for row in ROWS if ":" in row.ball},
}


@uncounted
@lru_cache(maxsize=64)
def hypergeometric(upper: int) -> Both:
    """pFq: the first ``upper`` arguments above, the last is the variable, the others below."""

    def real(args: Sequence[Number]) -> Number:
        top = [to_ball(a) for a in args[:upper]]
        bottom = [to_ball(b) for b in args[upper:-1]]
        ends = any((whole := to_integer(a)) is not None and whole <= 0 for a in args[:upper])
        if len(top) > len(bottom) + 1 and not ends and not (isinstance(args[-1], fmpq) and args[-1] == 0):
            return NAN  # the series diverges
        return to_ball(args[-1]).hypgeom(top, bottom)

    return real, None


def real_root(root: Term) -> arb:
    """The k-th root of a polynomial, the real ones first, in ascending order; its parts are the coefficients, the constant first.

    Raises:
        Undecided: the root is not real.

    >>> with ctx.workprec(64): real_root(Term("root_of", tuple(map(number, (-1, -1, 0, 1))))).str(10)
    '[1.324717957 +/- 2.45e-10]'
    """
    polynomial, place = fmpz_poly([int(c.number) for c in root.parts]), int(root.number)
    with ctx.workprec(ctx.prec + 32):
        real = sorted((z.real for z, _ in polynomial.complex_roots() if z.imag.is_zero()), key=lambda z: z.mid())
        if place >= len(real):
            raise Undecided(f"root {place} of the polynomial {polynomial} is not real")
        if any(not a < b for a, b in itertools.pairwise(real)):
            raise Undecided(f"the roots of {polynomial} could not be isolated")
        return real[place]
