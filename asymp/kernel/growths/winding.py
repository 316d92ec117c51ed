r"""How many zeros a function has in a disc: the argument principle, by balls around the circle.

Of a function that is analytic in a closed disc up to a pole at 0, and not 0 on the circle, (1/2 pi) times the change of its
argument along the circle is the number of its zeros inside, less the order of the pole.  The circle is cut into arcs until the
image of each lies in a box without 0: along such an arc the argument changes by that of the quotient of the ends, which is
below pi in size.

Logarithms and roots are taken of what the disc maps into the right half plane alone, where the principal branches are analytic.

>>> zeros_in_disc(terms.substitute(terms.read("2 - exp(z)"), {"z": Z}), fmpq(7)), zeros_in_disc(Z, fmpq(1))
(3, 1)
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import acb, arb, ctx, fmpq

from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball
from asymp.kernel.rings.power_series import Z, series
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import ARITHMETIC, FLINT, of_flint, rests_on

BITS = 96
ARCS, MOST_ARCS = 64, 2_000


def zeros_in_disc(term: Term, radius: fmpq) -> int:
    """The number of zeros in the disc of a radius around 0, with multiplicities, less the order of the pole at 0.

    Raises:
        Refused: it is not seen, since the function may be 0 on the circle, or is not seen to be analytic inside.
    """
    rests_on(ARITHMETIC, *(f"{FLINT}acb.{name}" for name in ("exp", "log", "sin", "cos", "exp_pi_i")))
    with ctx.workprec(BITS):
        r = arb(radius)
        box = arb(0).union(r).union(-r)
        _branches(term, acb(box, box))
        values: dict[fmpq, acb] = {}

        def at(turn: fmpq) -> acb:
            if turn not in values:
                values[turn] = _value(term, acb(r) * acb(arb(2 * turn)).exp_pi_i())
            return values[turn]

        todo = [(fmpq(k, ARCS), fmpq(k + 1, ARCS)) for k in range(ARCS)]
        total, count = arb(0), 0
        while todo:
            count += 1
            if count > MOST_ARCS:
                raise Refused("a function that may be 0 on the circle")
            low, high = todo.pop()
            around = acb(r) * acb(2 * arb(low).union(arb(high))).exp_pi_i()
            found = _value(term, around)
            if not found.is_finite() or found.contains(0):
                middle = (low + high) / 2
                todo += [(low, middle), (middle, high)]
                continue
            total += (at(high if high != 1 else fmpq(0)) / at(low)).log().imag
        turns = (total / (2 * of_flint(arb, "pi"))).unique_fmpz()
        if turns is None:
            raise Refused("a number of zeros that is not seen")
        return int(turns)


def _value(term: Term, z: acb) -> acb:
    return series(term, _Complex(z))


def _branches(term: Term, disc: acb) -> None:
    """That logarithms and roots in a function are analytic on the disc."""
    for part in terms.walk(term):
        if Z.name not in part.free:
            continue
        whole = part.head == "power" and part.parts[1].is_number and part.parts[1].number.denominator == 1
        if part.head == "log" or (part.head == "power" and not whole):
            base = _value(part.parts[0], disc)
            if not base.is_finite() or not base.real > 0:
                raise Refused("a root or a logarithm that is not seen to be analytic in the disc")


@dataclass(frozen=True)
class _Complex:
    """Values at complex balls, as :func:`asymp.kernel.rings.power_series.series` calculates."""

    z: acb
    order: int = 0

    def constant(self, term: Term) -> acb:
        """A number."""
        return acb(ball(term, {}, BITS))

    def variable(self) -> acb:
        """z."""
        return self.z

    def add(self, f: acb, g: acb) -> acb:
        """f + g."""
        return f + g

    def times(self, f: acb, g: acb) -> acb:
        """f g."""
        return f * g

    def power(self, f: acb, exponent: Term) -> acb:
        """A power."""
        if exponent.is_number and exponent.number.denominator == 1:
            return f ** int(exponent.number)
        return (f.log() * acb(ball(exponent, {}, BITS))).exp()

    def exp(self, f: acb) -> acb:
        """exp f."""
        return f.exp()

    def sin(self, f: acb) -> acb:
        """sin f."""
        return f.sin()

    def cos(self, f: acb) -> acb:
        """cos f."""
        return f.cos()

    def log(self, f: acb) -> acb:
        """log f."""
        return f.log()
