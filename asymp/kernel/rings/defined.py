"""What the table says of functions, and what is seen to be whole.

Whether a function is real where its arguments lie is told by their signs:

>>> signs = {"x": {1}, "y": {-1, 0, 1}}
>>> is_defined("besselk", [terms.read("y"), terms.read("x")], lambda t: signs[str(t)], lambda t: False)
True
>>> is_defined("besselk", [terms.read("x"), terms.read("y")], lambda t: signs[str(t)], lambda t: False)
False
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from flint import acb, arb, fmpq, fmpz
from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import ARITHMETIC, FLINT, of_flint, rests_on
from asymp.outside import loaded

MOST_EXACT = 500
"""Of what an exact value is asked."""


@dataclass(frozen=True)
class Range:
    """Where a real quantity lies; an end that is None is infinite."""

    low: mpq | None = None
    low_open: bool = False
    high: mpq | None = None
    high_open: bool = False


ALLOWED: dict[str, AbstractSet[int]] = {">": {1}, ">=": {0, 1}, "!=": {-1, 1}, "no pole": {1}}
"""The signs that meet a condition; a pole is a whole number that is not positive."""


@lru_cache(maxsize=1_000)
def _real(head: str, arguments: int) -> Sequence[Sequence[tuple[str, Term]]]:
    row = NAMED.get(head)
    if row is None or not row.least <= arguments <= row.most:
        return ()
    alternatives = row.real(arguments)
    if row.interval and row.inside is not None and arguments == 1:
        alternatives = (*alternatives, row.inside)
    return [[(one.kind, terms.read(one.text)) for one in some] for some in alternatives]


def is_defined(
    head: str, arguments: Sequence[Term], signs: Callable[[Term], AbstractSet[int]], is_whole: Callable[[Term], bool],
    inside: bool = False,
) -> bool:  # fmt: skip
    """Whether one of the row's alternatives is seen to hold.

    Args:
        head: a function's usual name.
        arguments: what it is applied to, which have values.
        signs: a set that holds the signs that a term may have; it may refuse.
        is_whole: whether a term is seen to be a whole number.
        inside: whether it is to hold for all values of the last argument near by, too.
    """
    put = dict(zip("xyzw", arguments, strict=False))
    last = "xyzw"[len(arguments) - 1]

    def met(kind: str, text: Term) -> bool:
        argument = terms.substitute(text, put)
        if kind == "whole":
            return is_whole(argument) and not (inside and last in text.free)
        if kind == "no pole" and argument.is_number:
            return argument.number > 0 or argument.number.denominator != 1
        try:
            return signs(argument) <= (ALLOWED[">"] if inside and kind == ">=" else ALLOWED[kind])
        except Refused:
            return False

    return any(all(met(kind, text) for kind, text in some) for some in _real(head, len(arguments)))


def values(term: Term) -> Range:
    """Where the values of a function lie, as far as the ends are rational; a row speaks of its fewest arguments.

    >>> values(terms.read("tanh(x)"))
    Range(low=mpq(-1,1), low_open=True, high=mpq(1,1), high_open=True)
    >>> values(terms.read("LambertW(x)")).low, values(terms.read("LambertW(x, -1)")).low
    (mpq(-1,1), None)
    """
    row = NAMED.get(term.head)
    return _values(term.head) if row is not None and len(term.parts) == row.least else Range()


@lru_cache(maxsize=200)
def _values(head: str) -> Range:
    row = NAMED[head]
    low, high = (terms.read(end) if end else terms.name("oo") for end in (row.values.low, row.values.high))
    return Range(
        low.number if low.is_number else None, row.values.low_open and low.is_number,
        high.number if high.is_number else None, row.values.high_open and high.is_number,
    )  # fmt: skip


def meant(term: Term) -> Term | None:
    """What a row says that a function is; None where it is not said.

    >>> str(meant(terms.read("acot(n + 1)")))
    'atan((n + 1)^(-1))'
    """
    row = NAMED.get(term.head)
    if row is None or not row.means or len(term.parts) != 1:
        return None
    return terms.substitute(terms.read(row.means), {"x": term.parts[0]})


def known(term: Term) -> Term | None:
    """The value of a function of one argument, where its row says it.

    >>> str(known(terms.read("acos(0)"))), known(terms.read("acos(x)"))
    ('1/2*pi', None)
    """
    if term.head not in NAMED or len(term.parts) != 1 or not term.parts[0].is_number:
        return None
    value, fact = _known(term.head).get(term.parts[0].number, (None, ""))
    rests_on(*([fact] if fact else []))
    return value


@lru_cache(maxsize=200)
def _known(head: str) -> dict[mpq, tuple[Term, str]]:
    row = NAMED[head]
    return {terms.read(x).number: (terms.read(value), row.fact_of(x)) for x, value in row.values_known.items()}


def at(x: arb, ball: str) -> arb:
    """What a row's method makes of a ball; nan where that of complex balls is not seen to be real.

    >>> at(arb(1), "acb.elliptic_e"), at(arb(2), "acb.elliptic_e")
    (1.00000000000000, nan)
    """
    if ":" in ball:  # of a row from outside, which what is trusted names
        rests_on(ARITHMETIC)
        try:
            value = loaded(ball)(x)
        except Exception as error:  # of somebody else's code
            raise Refused(f"{ball} raised {type(error).__name__}: {error}") from error
        return value if type(value) is arb else arb("nan")
    if not ball.startswith("acb."):
        return of_flint(x, ball)
    rests_on(ARITHMETIC, f"{FLINT}{ball}")
    found = getattr(acb(x), ball.removeprefix("acb."))()
    return found.real if found.imag.is_zero() else arb("nan")


def exact(head: str, arguments: Sequence[Term]) -> mpq | None:
    """The exact value of a function that has a method for it, at numbers; None where it has none there.

    >>> exact("stirling1", [terms.number(4), terms.number(1)]), exact("bernoulli", [terms.number(1)])
    (mpq(-6,1), mpq(-1,2))
    """
    row = NAMED.get(head)
    if row is None or not row.exact or len(arguments) != row.least:
        return None
    if not all(x.is_number and x.number.denominator == 1 and 0 <= x.number <= MOST_EXACT for x in arguments):
        return None
    rests_on(f"{FLINT}{row.exact}")
    kind, method = row.exact.split(".")
    found = getattr({"fmpz": fmpz, "fmpq": fmpq}[kind], method)(*(int(x.number) for x in arguments))
    return mpq(int(found)) if kind == "fmpz" else mpq(int(found.p), int(found.q))


def signed(head: str) -> bool:
    """Whether a function has the sign of its argument, as one that is odd and increases on the one interval where it is real.

    >>> signed("sinh"), signed("Si"), signed("tan"), signed("coth")
    (True, True, False, False)
    """
    row = NAMED.get(head)
    return row is not None and row.most == 1 and (row.signed or row.rises_from_zero)


def slope(head: str) -> int:
    """1 or -1 where a function increases or decreases all over the one interval where it is real, else 0.

    >>> [slope(head) for head in ("log", "erfc", "tan", "digamma", "gamma", "mystery")]
    [1, -1, 0, 0, 0, 0]
    """
    row = NAMED.get(head)
    return row.slope if row is not None and row.least == 1 and row.inside is not None and not row.interval else 0


def is_whole(
    term: Term,
    whole: AbstractSet[str],
    is_count: Callable[[Term], bool] = lambda _: False,
    valued: AbstractSet[str] = frozenset(),
) -> bool:
    """Whether a term is seen to be a whole number, where it has a value.

    Args:
        term: the term.
        whole: the names that are whole.
        is_count: whether an exponent is seen to be whole and not negative.
        valued: functions of the statement that have whole values.

    >>> [is_whole(terms.read(t), {"n"}) for t in ("n^2 - 3*n", "n/2", "floor(n/2)", "n^(-1)", "x", "n^n")]
    [True, False, True, False, False, False]
    """
    match term.head:
        case "number":
            return term.number.denominator == 1
        case "name":
            return term.name in whole
        case "sum" | "product" | "Max" | "Min":
            return all(is_whole(part, whole, is_count, valued) for part in term.parts)
        case "power":
            base, k = term.parts
            if k.is_number:
                return k.number.denominator == 1 and k.number >= 1 and is_whole(base, whole, is_count, valued)
            return base.is_number and base.number.denominator == 1 and base.number >= 1 and is_count(k)
    row = NAMED.get(term.head)
    return term.head in valued or (row is not None and row.whole)
