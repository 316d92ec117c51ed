"""Constants by balls: their signs.

>>> from asymp.kernel.terms import read
>>> ball(read("log(2)")) > 0
True
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb, ctx, fmpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.rings.defined import at, meant
from asymp.kernel.rings.moments import powers_of
from asymp.kernel.rings.ratio import Powers
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import ARITHMETIC, FLINT, of_flint, remembered, rests_on

BITS = 256
SPECIAL = {"uppergamma": 2, "GammaDerivative": 3, "Ei": 1, "zeta": 1, "polylog": 2}
"""Functions of parameters that are real where of_term says; see gamma for those that are written by these."""
MOST_DEGREE = 30
FAR, FARTHEST = 64, 4096
"""Where the rest of an integral begins, at least and at most."""


@remembered(10_000)
def constant_sign(constants: tuple[tuple[Powers, Fraction], ...]) -> int | None:
    """The sign of a polynomial in constants, by a ball; 0 only by identity."""
    if not any(c for _, c in constants):
        return 0
    if not any(powers for powers, _ in constants):
        return 1 if sum(c for _, c in constants) > 0 else -1
    rests_on(ARITHMETIC)
    try:
        total = arb(0)
        before, ctx.prec = ctx.prec, BITS
        try:
            for powers, c in constants:
                value = arb(fmpq(c.numerator, c.denominator))
                for a, k in powers:
                    value *= ball(terms.power(a, terms.number(k)))
                total += value
        finally:
            ctx.prec = before
    except Refused:
        return None
    if not total.is_finite():
        return None
    return 1 if total > 0 else -1 if total < 0 else None


def ball(term: Term) -> arb:
    """A ball around a constant.

    Raises:
        Refused: a function that is not known here, or no real value.
    """
    match term.head:
        case "number":
            return arb(fmpq(term.number.numerator, term.number.denominator))
        case "name" if term.name in ("pi", "E", "EulerGamma"):
            return of_flint(arb, {"pi": "pi", "E": "const_e", "EulerGamma": "const_euler"}[term.name])
        case "sum":
            return sum((ball(part) for part in term.parts), arb(0))
        case "product":
            found = arb(1)
            for part in term.parts:
                found *= ball(part)
            return found
        case "power":
            base, exponent = (ball(part) for part in term.parts)
            e = term.parts[1]
            if e.is_number and e.number.denominator == 1 and abs(e.number) <= terms.LARGEST_POWER:
                return _finite(base ** int(e.number), term)
            if not base > 0:
                raise Refused(f"the base of {term}")
            return _finite(of_flint(exponent * of_flint(base, "log"), "exp"), term)
        case "factorial":
            return _finite(of_flint(ball(term.parts[0]) + 1, "gamma"), term)
        case "harmonic":
            rests_on("DLMF 5.4.14")
            return _finite(of_flint(ball(term.parts[0]) + 1, "digamma") + of_flint(arb, "const_euler"), term)
    if term.head == "uppergamma" and len(term.parts) == 2:
        a, x = map(ball, term.parts)
        return _finite(of_flint(x, "gamma_upper", a), term)
    if (other := meant(term)) is not None:
        ball(term.parts[0])  # it has a value
        return ball(other)
    row = NAMED.get(term.head)
    if row is not None and row.ball and len(term.parts) == 1:
        return _finite(at(ball(term.parts[0]), row.ball), term)  # not finite where it is not real
    if term.head == "Integral":
        return _finite(_integral(term), term)
    raise Refused(f"no ball of {term.head}")


def _integral(term: Term) -> arb:
    """int_0^oo exp(P(u)) du, P a polynomial without constant of degree d >= 2 whose leading coefficient c is negative.

    Beyond L >= 1 with c + sum of the c_i > 0 times L^(i - d) + L^(1 - d) <= 0 is P(u) <= -u, and the rest at most exp(-L).
    """
    powers: dict[int, arb] = {}
    factor, exponent = powers_of(term)
    if factor != terms.ZERO:
        raise Refused("an integral with a power as a factor")
    for c, q in exponent:
        if not q.is_number or q.number.denominator != 1 or not 0 < q.number <= MOST_DEGREE:
            raise Refused("an exponent that is no small whole number")
        powers[int(q.number)] = powers.get(int(q.number), arb(0)) + ball(c)
    top = max(powers)
    if top < 2 or not powers[top] < 0:
        raise Refused("an integral that may not converge")
    far = FAR
    others = [(i, c) for i, c in powers.items() if i != top]
    while not powers[top] + sum((abs(c) * arb(far) ** (i - top) for i, c in others), arb(far) ** (1 - top)) <= 0:
        far *= 2
        if far > FARTHEST:
            raise Refused("an integral over a long range")
    rests_on(f"{FLINT}acb.integral")
    value = acb.integral(lambda z, _: sum((c * z**i for i, c in powers.items()), acb(0)).exp(), 0, far, rel_tol=arb(2) ** -80)
    return value.real + arb(0, 1) * of_flint(-arb(far), "exp")


def _finite(found: arb, term: Term) -> arb:
    if not found.is_finite():
        raise Refused(f"{term} is not finite")
    return found
