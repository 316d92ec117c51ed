"""Terms as power series whose coefficients are balls: of one number, or of all numbers of a ball.

Each leaf of a term that moves is given as a power series, and the term's is made by the arithmetic of FLINT.  Where it is of
balls y + h t + ... its coefficient of t^k is one that f(y' + h' t + ...) has, for all y', h', ... of those balls.  There every
quotient is of what is not 0, every logarithm and every base of what is positive, so that the term is analytic on all of the
ball of its leaves; a part that may not be (a rounding above all, or a sign that changes) is refused, and what FLINT does not
see to be analytic there has no finite coefficients.

>>> from asymp.kernel.terms import read
>>> with to_order(3):
...     found = Jet(lambda one: bool(free(one)), lambda one: arb(1)).of(read("exp(x)*x"), {read("x"): arb_series([arb(0), 1])})
>>> found[2], found[3]
(1.00000000000000, 0.500000000000000)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from flint import acb, arb, arb_series, ctx, fmpq

from asymp.functions.table import NAMED
from asymp.kernel.terms import Refused, Term
from asymp.kernel.terms import free as free
from asymp.kernel.trust import FLINT, of_flint, remembered, rests_on

MOST_POWER = 64
METHODS = frozenset({"sin", "cos", "tan", "atan", "asin", "acos", "erf", "erfc", "erfi", "gamma", "lgamma"})
"""Methods of power series that are named as those of balls, as the table says these."""
Values = Callable[[Term], arb]


@contextmanager
def to_order(order: int) -> Iterator[None]:
    """Where power series have so many coefficients, and one more."""
    cap = ctx.cap
    try:
        ctx.cap = order + 1
        yield
    finally:
        ctx.cap = cap


class Jet:
    """Power series of terms; the values of parts that do not move are asked once."""

    def __init__(self, moves: Callable[[Term], bool], constant: Values) -> None:
        self.moves, self._constant = moves, constant
        self._known: dict[Term, arb] = {}

    def of(self, term: Term, at: Mapping[Term, arb_series]) -> arb_series:
        """The power series of a term, where its leaves that move are given.

        Raises:
            Refused: it is not seen to be analytic there.
        """
        found = self._of(term, at)
        return found if isinstance(found, arb_series) else arb_series([found])

    def _of(self, term: Term, at: Mapping[Term, arb_series]) -> arb | arb_series:
        if not self.moves(term):
            if term not in self._known:
                self._known[term] = self._constant(term)
            return self._known[term]
        if term in at:
            return at[term]
        if term.head == "sum":
            parts = [self._of(part, at) for part in term.parts]
            return sum(parts[1:], parts[0])
        if term.head == "product":
            found = self._of(term.parts[0], at)
            for part in term.parts[1:]:
                found = found * self._of(part, at)
            return found
        if term.head == "power":
            base, exponent = term.parts
            return self._power(base, exponent, at)
        if len(term.parts) != 1:
            raise Refused(f"no power series of {term.head}")
        return _function(term.head, self._of(term.parts[0], at))

    def _power(self, base: Term, exponent: Term, at: Mapping[Term, arb_series]) -> arb | arb_series:
        if exponent.is_number and exponent.number.denominator == 1 and 0 < abs(exponent.number) <= MOST_POWER:
            found = self._of(base, at)
            if exponent.number < 0:
                if _first(found).contains(0):
                    raise Refused("a division by what may be 0, somewhere in a ball")
                found = arb_series([arb(1)]) / found  # before the power: sharper on a ball
            return found ** abs(int(exponent.number))
        return _exp(self._of(exponent, at) * _log(self._of(base, at)))


def _function(head: str, x: arb | arb_series) -> arb | arb_series:
    match head:
        case "exp":
            return _exp(x)
        case "log":
            return _log(x)
        case "harmonic" if isinstance(x, arb_series):
            return of_flint(arb, "const_euler") + _digamma(x + 1)
        case "digamma" if isinstance(x, arb_series):
            return _digamma(x)
        case "sinh" | "cosh" | "tanh":
            up, down = _exp(x), _exp(-x)
            top, bottom = (up - down) / 2, (up + down) / 2
            if head == "tanh" and not _first(bottom) > 0:
                raise Refused("a wide ball")
            return top if head == "sinh" else bottom if head == "cosh" else top / bottom
        case "Abs":
            if _first(x) > 0 or _first(x) < 0:
                return x if _first(x) > 0 else -x
            raise Refused("no power series where a sign may change")
    row = NAMED.get(head)
    if row is None or row.means or row.ball not in METHODS:
        raise Refused(f"no power series of {head}")
    rests_on(f"{FLINT}arb.{row.ball}", f"{FLINT}arb_series.{row.ball}")
    return getattr(x, row.ball)()


def _log(of: arb | arb_series) -> arb | arb_series:
    if not _first(of) > 0:
        raise Refused("a logarithm or a power of what may be 0 or negative, somewhere in a ball")
    rests_on(f"{FLINT}arb.log", f"{FLINT}arb_series.log")
    return of.log()


def _exp(of: arb | arb_series) -> arb | arb_series:
    rests_on(f"{FLINT}arb.exp", f"{FLINT}arb_series.exp")
    return of.exp()


def _digamma(y: arb_series) -> arb_series:
    """psi(y_0 + y_1 t) by powers of t: psi increases, and -(-y_1)^i zeta(i + 1, y_0) is the coefficient of t^i for i > 0."""
    rests_on("DLMF 5.4.14", "DLMF 5.15.1", "DLMF 25.11.12")
    if any(not y[i] == 0 for i in range(2, ctx.cap)):
        raise Refused("harmonic numbers of what is not linear in the index of a sum")
    if not y[0] > 0:
        raise Refused("harmonic numbers where they may have poles, somewhere in a ball")
    rows = _polygammas(y[0].lower().fmpq(), y[0].upper().fmpq(), ctx.cap, ctx.prec)
    return arb_series([row * (-y[1]) ** i for i, row in enumerate(rows)])


@remembered(2_000)
def _polygammas(low: fmpq, high: fmpq, most: int, bits: int) -> list[arb]:
    """psi(x), and then -zeta(i + 1, x), of the numbers between two that are > 0: each is monotone."""
    with ctx.workprec(bits):
        ends = [arb(low), arb(high)] if low < high else [arb(low)]
        found = [[of_flint(end, "digamma") for end in ends]]
        rests_on(f"{FLINT}acb.zeta")
        found += [[-acb(i + 1).zeta(acb(end)).real for end in ends] for i in range(1, most)]
        return [row[0].union(row[-1]) for row in found]


def _first(found: arb | arb_series) -> arb:
    return found[0] if isinstance(found, arb_series) else found
