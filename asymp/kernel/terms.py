"""Terms in canonical form, and statements made of them: two that say the same up to names of bound variables, the order
of + and *, and the writing of rational numbers are equal objects.

Nothing else is simplified: x - x is not 0, and x/x is not 1, since a theorem speaks of where a term is defined.

>>> read("Sum(p^k/k, (k, 1, n-1)) - 1/2") == read("-0.5 + Sum(p^j*j^(-1), (j, 1, n - 1))")
True
>>> read("x - x") == read("0")
False
>>> str(read("2*sqrt(n)/log(n)"))
'2*log(n)^(-1)*n^(1/2)'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from threading import RLock
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from gmpy2 import mpq

from asymp.kernel.noted import noted
from asymp.language.bodies import InLaw
from asymp.language.conditions import Compared, Condition, Every, OfFunction, OfKind, Recurrence
from asymp.language.meanings import ALIASES, CONSTANTS, FUNCTIONS, HEADS
from asymp.language.names import BINDERS, binds, outside, ranges
from asymp.language.numbers import exact
from asymp.language.once import once
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.language.syntax import walk as nodes

LARGEST_POWER, MOST_BITS = 10_000, 2_000_000
"""Powers of rationals beyond these stay as they are written."""


class Refused(ValueError):
    """A rule's condition is not met, or what it was given is none of its business."""


Found = TypeVar("Found")


def first(tries: Iterable[Callable[[], Found]], why: str = "no way is found", told_by: int = -1) -> Found:
    """What the first try that is not refused finds.

    Raises:
        Refused: none does: what the last one said, or the one at ``told_by``; ``why`` where there is none.
    """
    said: list[Refused] = []
    for one in tries:
        try:
            found = one()
        except Refused as error:
            said.append(error)
        else:
            noted("method", by=getattr(one, "func", one))
            return found
    raise said[told_by] if said else Refused(why)


NOUGHT = mpq(0)


class Term:
    """``head`` is number, name, bound, sum, product, power, a function's name, or Sum, Product, Integral, Ranked.

    A binder's parts are body, low, high, and the rank where it is Ranked; in the body, ``bound`` with number k stands for
    the variable of the k-th binder outwards, counted from 0.  Of equal terms there is one: == is one step.
    """

    head: str
    parts: tuple[Term, ...]
    number: mpq
    name: str

    def __new__(cls, head: str, parts: tuple[Term, ...] = (), number: mpq = NOUGHT, name: str = "") -> Term:
        key = (head, parts, mpq(number), name)
        if (found := _KNOWN.get(key)) is None:
            with _MAKING:
                found = object.__new__(cls)
                vars(found).update(zip(("head", "parts", "number", "name"), key, strict=True))
                found = _KNOWN.setdefault(key, found)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a term does not change")

    def __repr__(self) -> str:
        return f"Term(head={self.head!r}, parts={self.parts!r}, number={self.number!r}, name={self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Term, (self.head, self.parts, self.number, self.name)

    def __str__(self) -> str:
        return _written(self, ())

    @once
    def order(self) -> tuple[Any, ...]:
        """By this the parts of a sum and of a product are sorted."""
        return (self.head, self.name, self.number, len(self.parts), tuple(part.order for part in self.parts))

    @once
    def free(self) -> frozenset[str]:
        """Its variables: free names that are no constants."""
        if self.head == "name":
            return frozenset() if self.name in CONSTANTS else frozenset((self.name,))
        return frozenset[str]().union(*(part.free for part in self.parts))

    @once
    def indices(self) -> frozenset[int]:
        """The binders around it of which it speaks, counted outwards from 0."""
        if self.head == "bound":
            return frozenset((int(self.number),))
        if self.head not in BINDERS or not self.parts:
            return frozenset[int]().union(*(part.indices for part in self.parts))
        body, *others = (part.indices for part in self.parts)
        return frozenset(k - 1 for k in body if k).union(*others)

    @property
    def is_number(self) -> bool:
        """Whether it is a rational number."""
        return self.head == "number"


_KNOWN, _MAKING = WeakValueDictionary[tuple[Any, ...], Term](), RLock()


def number(value: int | Fraction | mpq) -> Term:
    """A rational number."""
    return Term("number", number=mpq(value.numerator, value.denominator))


ZERO, ONE = number(0), number(1)


def name(text: str) -> Term:
    """A variable or a constant."""
    return Term("name", name=text)


def add(*terms: Term) -> Term:
    """A sum: flat, its rational numbers added, the rest in order."""
    parts = [part for term in terms for part in (term.parts if term.head == "sum" else (term,))]
    total, rest = sum((part.number for part in parts if part.is_number), mpq(0)), [part for part in parts if not part.is_number]
    if total or not rest:
        rest.append(number(total))
    return rest[0] if len(rest) == 1 else Term("sum", tuple(sorted(rest, key=attrgetter("order"))))


def multiply(*terms: Term) -> Term:
    """A product: flat, its rational numbers multiplied, the rest in order.  A factor 0 keeps its company."""
    total, rest = mpq(1), list[Term]()
    for part in (part for term in terms for part in (term.parts if term.head == "product" else (term,))):
        if part.is_number:
            total *= part.number
        else:
            rest.append(part)
    if total != 1 or not rest:
        rest.append(number(total))
    return rest[0] if len(rest) == 1 else Term("product", tuple(sorted(rest, key=attrgetter("order"))))


def power(base: Term, exponent: Term) -> Term:
    """A power; of a rational number with a whole exponent it is that number.

    Raises:
        Refused: 0 to a power below 1.
    """
    if exponent == ONE:
        return base
    if base.is_number and exponent.is_number and exponent.number.denominator == 1:
        n = int(exponent.number)
        if base.number == 0 and n <= 0:
            raise Refused("0 to a power below 1")
        size = max(base.number.numerator.bit_length(), base.number.denominator.bit_length())
        if abs(n) <= LARGEST_POWER and size * abs(n) <= MOST_BITS:
            return number(base.number**n)
    if base == name("E"):
        return Term("exp", (exponent,))
    return Term("power", (base, exponent))


def call(head: str, *parts: Term) -> Term:
    """A function of terms, by the name it goes by here: ln is log, n! is factorial(n), harmonic(x, 2) is its sum."""
    if head == "sqrt" and len(parts) == 1:
        return power(parts[0], number(mpq(1, 2)))
    head = ALIASES.get(head, head)
    if head == "harmonic" and len(parts) == 2:
        return Term("Sum", (power(Term("bound"), negative(parts[1])), ONE, parts[0]))
    if FUNCTIONS.get(head) not in (None, len(parts)):
        raise Refused(f"{head} of {len(parts)} arguments")
    return Term(head, parts)


def negative(term: Term) -> Term:
    """-x, which is (-1)*x."""
    return multiply(number(-1), term)


def reciprocal(term: Term) -> Term:
    """1/x, which is x^(-1)."""
    return power(term, number(-1))


# --- from text -----------------------------------------------------------------------------------


@lru_cache(maxsize=10_000)
def read(text: str) -> Term:
    """The term in a text of asymp's language."""
    return of(Parser(text).whole())


@lru_cache(maxsize=10_000)
def of(node: Node, bound: tuple[str, ...] = ()) -> Term:
    """The canonical form of a node; ``bound`` are the names of the binders around it, the innermost first.

    Raises:
        Refused: a division by the number 0, a tuple, a malformed sum.
    """
    match node.kind:
        case "number":
            return number(exact(node.text))
        case "name":
            return Term("bound", number=mpq(bound.index(node.text))) if node.text in bound else name(node.text)
        case "negative":
            return negative(of(node.parts[0], bound))
        case "factorial":
            return call("factorial", of(node.parts[0], bound))
        case "power":
            return power(of(node.parts[0], bound), of(node.parts[1], bound))
        case "sum":
            parts = zip((of(part, bound) for part in node.parts), node.signs, strict=True)
            return add(*(part if sign == "+" else negative(part) for part, sign in parts))
        case "product":
            return multiply(*(_over(of(p, bound), s) for p, s in zip(node.parts, node.signs, strict=True)))
        case "call" if binds(node):
            return _binder(node, bound)
        case "call" if node.text not in BINDERS and node.text not in HEADS:
            return call(node.text, *(of(part, bound) for part in node.parts))
    raise Refused(f"a {node.kind} is no term here")


def _over(term: Term, sign: str) -> Term:
    return term if sign == "*" else reciprocal(term)


def _binder(node: Node, bound: tuple[str, ...]) -> Term:
    """Ranges stand innermost first; an outer variable may stand in an inner range."""
    limits = ranges(node)
    names = tuple(name for name, _, _ in limits)
    found = of(node.parts[0], names + bound)
    for place, (_, low, high) in enumerate(limits):
        outer = names[place + 1 :] + bound
        found = Term(node.text, (found, of(low, outer), of(high, outer), *(of(part, bound) for part in outside(node))))
    return found


# --- what a term holds ------------------------------------------------------------------------------


def free(term: Term) -> frozenset[str]:
    """Its variables."""
    return term.free


def walk(term: Term) -> Iterator[Term]:
    """The term and all in it."""
    yield term
    for part in term.parts:
        yield from walk(part)


def has_bound(term: Term, depth: int = 0) -> bool:
    """Whether a bound variable of a binder outside of it stands in it."""
    return any(k >= depth for k in term.indices)


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """Terms for variables.  Nothing is captured: bound variables have no names."""
    if term.head == "name":
        return term if term.name in CONSTANTS else values.get(term.name, term)
    if term.free.isdisjoint(values):
        return term
    return rebuilt(term, tuple(substitute(part, values) for part in term.parts))


def rebuilt(term: Term, parts: tuple[Term, ...]) -> Term:
    """The same with other parts, in canonical form."""
    match term.head:
        case "sum":
            return add(*parts)
        case "product":
            return multiply(*parts)
        case "power":
            return power(*parts)
    return Term(term.head, parts, term.number, term.name)


def opened(body: Term, value: Term, depth: int = 0) -> Term:
    """The body of a binder with a term (of no bound variables) for its variable."""
    if body.head == "bound":
        if body.number == depth:
            return value
        return Term("bound", number=body.number - 1) if body.number > depth else body
    if not body.parts:
        return body
    inner = depth + 1 if body.head in BINDERS else depth
    first = opened(body.parts[0], value, inner)
    return rebuilt(body, (first, *(opened(part, value, depth) for part in body.parts[1:])))


# --- to text -------------------------------------------------------------------------------------


def _written(term: Term, bound: tuple[str, ...]) -> str:
    match term.head:
        case "number":
            return str(term.number)
        case "name":
            return term.name
        case "bound":
            return bound[int(term.number)] if term.number < len(bound) else f"bound{term.number}"
        case "sum":
            return " + ".join(_written(part, bound) for part in term.parts).replace("+ -", "- ")
        case "product":
            parts = sorted(term.parts, key=lambda part: not part.is_number)
            text = "*".join(_closed(part, bound, ("sum",)) for part in parts)
            return "-" + text[3:] if text.startswith("-1*") else text
        case "power":
            inside = ("sum", "product", "power")
            return "^".join(_closed(part, bound, inside) for part in term.parts)
    if term.head in BINDERS:
        own = f"b{len(bound)}"
        while own in free(term):
            own += "_"
        low, high, *rest = (_written(part, bound) for part in term.parts[1:])
        return f"{term.head}({', '.join([_written(term.parts[0], (own, *bound)), f'({own}, {low}, {high})', *rest])})"
    return f"{term.head}({', '.join(_written(part, bound) for part in term.parts)})"


def _closed(term: Term, bound: tuple[str, ...], loose: tuple[str, ...]) -> str:
    text = _written(term, bound)
    fraction = term.is_number and (term.number < 0 or (term.number.denominator != 1 and "power" in loose))
    return f"({text})" if term.head in loose or (fraction and "power" in loose) else text


# --- statements -----------------------------------------------------------------------------------


Canonical = tuple[Any, ...]


@lru_cache(maxsize=10_000)
def canonical(statement: Statement) -> Canonical:
    """A closed statement as a value: equal where two say the same, up to what canonical terms leave apart.

    Conditions have no order, and a chain is its single comparisons.

    >>> from asymp.language.statement import read_statement
    >>> a, b = (canonical(read_statement(f"x*2 <= y for {c}")) for c in ("0 < x < 1, y > 2", "y > 1 + 1, x < 1, 0 < x"))
    >>> a == b
    True
    """
    found: list[Any] = [_canonical(statement.body)]
    for where in (statement.some, statement.uniform, statement.domain, statement.regime):
        found.append(singles(where))
    return tuple(found)


def singles(conditions: Iterable[Condition]) -> frozenset[Any]:
    """Conditions one by one, as values that can be compared."""
    return frozenset(one for condition in conditions for one in _single(condition))


def _single(condition: Condition, bound: tuple[str, ...] = ()) -> Iterator[Any]:
    if isinstance(condition, Compared):
        for left, sign, right in condition.pairs():
            low, high = (left, right) if sign[0] in "<=" else (right, left)
            yield ("Compared", of(low, bound), sign.replace(">", "<"), of(high, bound))
    elif isinstance(condition, Recurrence):
        yield ("Recurrence", condition.name, frozenset(one for c in condition.said for one in _single(c, condition.arguments)))
    elif isinstance(condition, OfFunction):
        yield ("OfFunction", condition.name, len(condition.arguments), condition.kind)
    elif isinstance(condition, Every):  # its variables, all whole, are numbered as they appear
        text = [one.text for term in condition.terms() for one in nodes(term) if one.kind == "name"]
        own = tuple(dict.fromkeys([*(name for name in text if name in condition.bound), *sorted(condition.bound)]))
        over = [one for c in condition.over if not isinstance(c, OfKind) for one in _single(c, own)]
        yield ("Every", len(own), frozenset(_single(condition.chain, own)), frozenset(over))
    else:
        yield _canonical(condition)


def _canonical(item: Any) -> Any:
    if isinstance(item, Node):
        return tuple(of(part) for part in item.parts) if item.kind == "tuple" else of(item)
    if isinstance(item, tuple):
        return tuple(_canonical(one) for one in item)
    if isinstance(item, Compared):
        return tuple(_single(item))
    if isinstance(item, Statement):
        return canonical(item)
    if isinstance(item, InLaw):
        return ("InLaw", *((name, *map(of, parts)) for name, parts in item.made_of()))
    if is_dataclass(item):
        return (type(item).__name__, *(_canonical(getattr(item, field.name)) for field in fields(item)))
    return item
