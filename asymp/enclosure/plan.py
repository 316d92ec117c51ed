"""A plan: an expression as a list of instructions on numbers, built once, run at any precision.

Equal subexpressions share one instruction.  A sum or an integral owns a smaller plan for its body,
in which everything that does not depend on the index is an input computed once outside
(so nested sums that do not depend on the outer index cost nothing more).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import add, mul
from typing import Any, TypeVar

from flint import acb, arb, ctx, fmpq

from asymp.budget import METER, uncounted
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import OO, E, body_of, whole
from asymp.enclosure.arithmetic import Number
from asymp.enclosure.functions import CNAN, FUNCTIONS, hypergeometric, real_root
from asymp.enclosure.numbers import InputError, Undecided, to_fmpq
from asymp.enclosure.summing import quotients
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term, read, substitute

Step = Callable[[list[Any]], Any]
"""An instruction: reads the values computed so far (a list), returns its own."""


class _Values(list):  # type: ignore[type-arg]
    """The values of one run; the environment rides along for variables."""

    __slots__ = ("analytic", "environment")


@dataclass
class Plan:
    """Instructions for one expression (``root`` is the last of interest)."""

    real: list[Step] = field(default_factory=list)
    complex: list[Step | None] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    inputs: list[int] = field(default_factory=list)  # places, in the outer plan, of this one's inputs
    root: int = -1
    heavy: int = 0  # what its functions weigh: see _weight

    def run(self, environment: Mapping[str, Any]) -> Number:
        """The value over the reals."""
        values = _Values()
        values.environment = environment
        METER.steps += self._steps(len(self.real))
        for step in self.real:
            values.append(step(values))
        return values[self.root]

    def run_complex(self, environment: Mapping[str, Any], analytic: bool) -> acb:
        """The value at a complex ball; nan where ``analytic`` is asked for and not assured."""
        values = _Values()
        values.environment = environment
        values.analytic = analytic
        METER.steps += 2 * self._steps(len(self.complex))
        for step in self.complex:
            values.append(CNAN if step is None else step(values))
        return values[self.root]

    def _steps(self, count: int) -> int:
        """What so many instructions cost at the precision of now."""
        bits: int = ctx.prec
        return count * (1 + bits // 256 + bits * bits // 4_000_000) + self.heavy * (bits * bits // 6000)


class Body:
    """The body of a sum or an integral, with the numbers that its plan asks of the outer one: a function of its variable."""

    def __init__(self, plan: Plan, outer: Any) -> None:
        self.plan, self.inputs = plan, [outer[k] for k in plan.inputs]

    def __call__(self, at: Number) -> Number:
        """The value at one index, or at a real ball."""
        return self.plan.run({"\0index": at, "\0inputs": self.inputs})

    def given(self, values: Mapping[str, Number]) -> Number:
        """The value for the names that are given when it is run."""
        return self.plan.run({**values, "\0inputs": self.inputs})

    def complex(self) -> Callable[[acb, bool], acb]:
        """The function of a complex ball, nan where it is to be analytic and that is not assured."""
        inputs = [acb(ar.to_ball(x)) for x in self.inputs]
        return lambda z, analytic: self.plan.run_complex({"\0index": z, "\0inputs": inputs}, analytic)


BUILDERS: dict[str, Callable[..., Any]] = {}
"""How terms are built by their heads: a sum, a product and an integral of a builder, the body, its variable and the ends; others
of a builder and the term."""
Method = TypeVar("Method", bound=Callable[..., Any])


def builds(name: str) -> Callable[[Method], Method]:
    """Registers a function under a name of ``BUILDERS``."""

    def register(function: Method) -> Method:
        BUILDERS[name] = function
        return function

    return register


class Builder:
    """Makes a plan.  ``index`` is the name of the variable of a body; ``outer`` builds what is free of it; ``positive`` are
    names whose values are."""

    def __init__(self, outer: Builder | None = None, index: str = "", positive: frozenset[str] = frozenset()) -> None:
        self.plan = Plan()
        self.outer, self.index = outer, index
        self.positive: frozenset[str] = positive if outer is None else outer.positive - {index}
        self.local: Set[str] = frozenset()
        self._places: dict[Any, int] = {}
        self._inputs: dict[int, int] = {}

    # --- places ------------------------------------------------------------------------------

    def emit(self, key: Any, real: Step, complex_: Step | None) -> int:
        """The place of an instruction; the same key gives the same place."""
        if key not in self._places:
            self._places[key] = len(self.plan.real)
            self.plan.real.append(real)
            self.plan.complex.append(complex_)
        return self._places[key]

    def input(self, outer_place: int) -> int:
        """The place of a value computed by the outer plan."""
        if outer_place not in self._inputs:
            slot = len(self.plan.inputs)
            self.plan.inputs.append(outer_place)
            self._inputs[outer_place] = self._given(("input", slot), lambda v: v.environment["\0inputs"][slot])
        return self._inputs[outer_place]

    def _given(self, key: Any, step: Step) -> int:
        """A place that is read alike over the reals and over complex balls."""
        return self.emit(key, step, step)

    def constant(self, value: fmpq) -> int:
        """The place of an exact number."""
        return self.emit(("constant", value.p, value.q), lambda v: value, lambda v: acb(arb(value)))

    def add(self, places: Sequence[int]) -> int:
        """Sum of places."""
        return self._folded("add", tuple(places), ar.add, add)

    def multiply(self, places: Sequence[int]) -> int:
        """Product of places."""
        return self._folded("mul", tuple(places), ar.multiply, mul)

    def _folded(self, kind: str, spots: tuple[int, ...], total: Callable[[Sequence[Number]], Number], both: Any) -> int:
        if len(spots) == 1:
            return spots[0]
        if len(spots) == 2:
            a, b = spots
            return self.emit((kind, spots), lambda v: total((v[a], v[b])), lambda v: both(v[a], v[b]))
        return self.emit((kind, spots), lambda v: total([v[k] for k in spots]), lambda v: reduce(both, [v[k] for k in spots]))

    def integer_power(self, place: int, exponent: int) -> int:
        """A place to a fixed integer power."""
        if exponent == 1:
            return place
        if exponent == -1:
            return self.emit(("inv", place), lambda v: ar.invert(v[place]), lambda v: 1 / v[place])
        return self.emit(
            ("powi", place, exponent),
            lambda v: ar.integer_power(v[place], exponent),
            lambda v: v[place] ** exponent,
        )

    def log1p(self, place: int) -> int:
        """ln(1 + place)."""
        return self.emit(
            ("log1p", place), lambda v: ar.log1p(v[place]), lambda v: (1 + v[place]).log(analytic=v.analytic)
        )

    def logarithm(self, term: Term) -> int:
        """ln of a term, through log1p where it is 1 + something."""
        rest = rest_of_one(term)
        if rest is not None:
            return self.log1p(self.place(rest))
        if term == E:
            return self.constant(fmpq(1))
        return self.call("log", [self.place(term)])

    def call(self, name: str, places: Sequence[int], methods: Any = None) -> int:
        """A function of places: one of the table, or of the ``methods`` that are given with its name."""
        spots = tuple(places)
        self.plan.heavy += _weight(name)
        real, complex_ = methods or FUNCTIONS[name]
        return self.emit(
            ("call", name, spots, methods),
            lambda v: real([v[k] for k in spots]),
            None if complex_ is None else lambda v: complex_([v[k] for k in spots], v.analytic),
        )

    # --- terms ---------------------------------------------------------------------------------

    def place(self, term: Term) -> int:
        """The place where the value of a term is computed."""
        key = ("term", term)
        if key in self._places:
            return self._places[key]
        if self.outer is not None and self._is_free(term):
            spot = self.input(self.outer.place(term))
        else:
            spot = self._compile(term)
        self._places[key] = spot
        return spot

    def _is_free(self, term: Term) -> bool:
        return not term.is_number and self.index not in term.free and self.local.isdisjoint(term.free)

    def _compile(self, term: Term) -> int:
        parts = term.parts
        match term.head:
            case "number":
                return self.constant(to_fmpq(term.number))
            case "name" if term.name in _CONSTANTS:
                constant = _CONSTANTS[term.name]
                return self.emit(("named", term.name), lambda v: constant(), lambda v: acb(constant()))
            case "nan":
                return self.emit(("named", "nan"), lambda v: ar.NAN, lambda v: CNAN)
            case "name":
                return self._variable(term.name)
            case "sum":
                return self.add([self.place(part) for part in parts])
            case "product":
                found, rest = quotients(self, parts)
                return self.multiply([*found, *(self.place(part) for part in rest)])
            case "power":
                return self._power(*parts)
            case "log" if len(parts) == 1:
                return self.logarithm(parts[0])
            case "Sum" | "Integral" | "Product":
                return BUILDERS[term.head](self, *body_of(term))  # type: ignore[no-any-return]
            case "cases":
                return self._cases(parts)
            case "hyper":
                return self.call("hyper", [self.place(part) for part in parts], hypergeometric(int(term.number)))
            case "root_of":
                return self.emit(("root", term), lambda v: real_root(term), lambda v: acb(real_root(term)))
        if term.head in BUILDERS:
            return BUILDERS[term.head](self, term)  # type: ignore[no-any-return]
        if term.head in NAMED and NAMED[term.head].means:
            return self.place(substitute(read(NAMED[term.head].means), {"x": parts[0]}))
        if term.head in FUNCTIONS:
            return self.call(term.head, [self.place(part) for part in parts])
        raise Undecided(f"no certified evaluation of {term.head}")

    def _variable(self, name: str) -> int:
        if name == self.index:
            name = "\0index"
        else:
            self.plan.names.add(name)
        return self._given(("symbol", name), lambda v: v.environment[name])

    def _power(self, base: Term, exponent: Term) -> int:
        n = whole(exponent)
        if n is not None:
            return self.integer_power(self.place(base), n)
        high = self.place(exponent)
        rest = rest_of_one(base)
        if rest is not None:
            low = self.place(rest)
            log = self.log1p(low)
            return self.emit(
                ("pow1p", low, log, high),
                lambda v: ar.power_near_one(v[low], v[log], v[high]),
                lambda v: _complex_power(1 + v[low], v[high], v.analytic),
            )
        low = self.place(base)
        return self.emit(
            ("pow", low, high),
            lambda v: ar.power(v[low], v[high]),
            lambda v: _complex_power(v[low], v[high], v.analytic),
        )

    def _cases(self, cases: Sequence[Term]) -> int:
        branches: list[tuple[int, int, str]] = []
        for case in cases:
            if case.name != "true" and case.name not in ar.RELATIONS:
                raise Undecided(f"no certified evaluation of the condition {case.name}")
            value, *gap = map(self.place, case.parts)
            branches.append((value, gap[0] if gap else -1, case.name))
            if not gap:
                break
        return self.emit(("cases", tuple(branches)), lambda v: _choose(v, branches), None)

    def body(self, term: Term, index: str, local: Set[str] = frozenset()) -> Plan:
        """The plan of a body with a bound index, and ``local`` names that are given when it is run; its inputs are places of
        this plan."""
        inner = Builder(self, index)
        inner.local = local
        inner.plan.root = inner.place(term)
        return inner.plan


def rest_of_one(term: Term) -> Term | None:
    """``term - 1`` where the term is 1 + something, else None.

    >>> str(rest_of_one(read("x + 1"))), rest_of_one(read("x + 2"))
    ('x', None)
    """
    if term.head != "sum" or terms.ONE not in term.parts:
        return None
    rest = [part for part in term.parts if part != terms.ONE]
    return rest[0] if len(rest) == 1 else terms.add(*rest)


def _complex_power(base: acb, exponent: acb, analytic: bool) -> acb:
    if exponent.imag.is_zero() and exponent.real.is_integer():
        whole = exponent.real.unique_fmpz()
        if whole is not None:
            return base ** int(whole)
    return base.pow(exponent, analytic=analytic)


def _choose(v: list[Any], branches: Sequence[tuple[int, int, str]]) -> Number:
    for value, gap, relation in branches:
        if gap < 0:
            return v[value]
        sign = ar.signum(v[gap])
        if isinstance(sign, arb):
            return ar.NAN
        if ar.RELATIONS[relation](sign, 0):
            return v[value]
    return ar.NAN


_LIKE_GAMMA = frozenset("gamma loggamma digamma factorial binomial harmonic beta erf erfc LambertW".split())


def _weight(name: str) -> int:
    """What a function costs, roughly, in units of bits^2/6000 steps: zeta at 13,000 bits takes a second, gamma 0.03.

    Elementary functions, of chapters 1 and 4 of the DLMF, cost about as much as a few products.
    """
    if name in _LIKE_GAMMA:
        return 1
    return 0 if name in NAMED and NAMED[name].source.partition(".")[0] in ("1", "4", "") else 40


_CONSTANTS: dict[str, Callable[[], arb]] = {
    "pi": arb.pi, "E": arb.const_e, "EulerGamma": arb.const_euler, OO.name: arb.pos_inf,
}  # fmt: skip


@uncounted
@lru_cache(maxsize=4096)
def compile_term(term: Term, positive: frozenset[str] = frozenset()) -> Plan:
    """The plan of a term; kept, so that only the first evaluation pays for it.

    Raises:
        Undecided: no certified method for some part of it.

    >>> compile_term(read("x + 1")).names
    {'x'}
    """
    builder = Builder(positive=positive)
    try:
        builder.plan.root = builder.place(term)
    except Refused as error:
        raise Undecided(str(error)) from error
    return builder.plan


def need(names: set[str], environment: Mapping[str, Any]) -> None:
    """Complain of a symbol without a value."""
    missing = sorted(names - set(environment))
    if missing:
        raise InputError(f"no value for {missing[0]}")
