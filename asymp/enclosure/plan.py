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

import sympy as sp
from flint import acb, arb, ctx, fmpq, fmpz

import asymp.symbolics as sy
from asymp.budget import METER, uncounted
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebraic import real_root
from asymp.enclosure.arithmetic import Number
from asymp.enclosure.cuts import CNAN
from asymp.enclosure.functions import FUNCTIONS, hypergeometric
from asymp.enclosure.numbers import InputError, Undecided, to_fmpq
from asymp.enclosure.summing import quotients
from asymp.functions.symbolic import row_of
from asymp.functions.table import NAMED
from asymp.kernel.terms import Term, read

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
    unbounded: bool = False
    heavy: int = 0  # what its functions weigh: see _weight

    def run(self, environment: Mapping[str, Number], inputs: Sequence[Number] = ()) -> Number:
        """The value over the reals."""
        values = _Values(inputs)
        values.environment = environment
        METER.steps += self._steps(len(self.real))
        for step in self.real:
            values.append(step(values))
        return values[self.root]

    def run_complex(self, environment: Mapping[str, Any], inputs: Sequence[acb], analytic: bool) -> acb:
        """The value at a complex ball; nan where ``analytic`` is asked for and not assured."""
        values = _Values(inputs)
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


BUILDERS: dict[str, Callable[..., Any]] = {}
"""How a ``sum``, a ``product`` and an ``integral`` are built, of a builder, the body, its variable and the ends."""
Method = TypeVar("Method", bound=Callable[..., Any])


def builds(name: str) -> Callable[[Method], Method]:
    """Registers a function under a name of ``BUILDERS``."""

    def register(function: Method) -> Method:
        BUILDERS[name] = function
        return function

    return register


class Builder:
    """Makes a plan.  ``index`` is the bound symbol of a body; ``outer`` builds what is free of it."""

    def __init__(self, outer: Builder | None = None, index: sp.Symbol | None = None) -> None:
        self.plan = Plan()
        self.outer, self.index = outer, index
        self.local: Set[sp.Symbol] = frozenset()
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
        if len(places) == 1:
            return places[0]
        spots = tuple(places)
        if len(spots) == 2:
            a, b = spots
            return self.emit(("add", spots), lambda v: ar.add((v[a], v[b])), lambda v: v[a] + v[b])
        return self.emit(("add", spots), lambda v: ar.add([v[k] for k in spots]), lambda v: _all(add, v, spots))

    def multiply(self, places: Sequence[int]) -> int:
        """Product of places."""
        if len(places) == 1:
            return places[0]
        spots = tuple(places)
        if len(spots) == 2:
            a, b = spots
            return self.emit(("mul", spots), lambda v: ar.multiply((v[a], v[b])), lambda v: v[a] * v[b])
        return self.emit(("mul", spots), lambda v: ar.multiply([v[k] for k in spots]), lambda v: _all(mul, v, spots))

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

    def logarithm(self, expr: sp.Expr) -> int:
        """ln of an expression, through log1p where it is 1 + something."""
        rest = rest_of_one(expr)
        if rest is not None:
            return self.log1p(self.place(rest))
        if expr is sp.E:
            return self.constant(fmpq(1))
        return self.call("log", [self.place(expr)])

    def call(self, name: str, places: Sequence[int], methods: Any = None) -> int:
        """A function of places: one of the table, or of the ``methods`` that are given with its name."""
        spots = tuple(places)
        if name in NAMED and NAMED[name].means:
            return self.term(read(NAMED[name].means), {"x": spots[0]})
        self.plan.heavy += _weight(name)
        real, complex_ = methods or FUNCTIONS[name]
        return self.emit(
            ("call", name, spots, methods),
            lambda v: real([v[k] for k in spots]),
            None if complex_ is None else lambda v: complex_([v[k] for k in spots], v.analytic),
        )

    def term(self, term: Term, at: Mapping[str, int]) -> int:
        """The place of a term of the table: a sum, a product, a whole power or a function of places."""
        match term.head:
            case "name":
                return at[term.name]
            case "number":
                return self.constant(to_fmpq(term.number))
            case "power":
                return self.integer_power(self.term(term.parts[0], at), int(term.parts[1].number))
        parts = [self.term(part, at) for part in term.parts]
        combine = {"sum": self.add, "product": self.multiply}.get(term.head)
        return self.call(term.head, parts) if combine is None else combine(parts)

    # --- expressions -------------------------------------------------------------------------

    def place(self, expr: sp.Expr) -> int:
        """The place where the value of ``expr`` is computed."""
        key = ("expr", expr)
        if key in self._places:
            return self._places[key]
        if self.outer is not None and self._is_free(expr):
            spot = self.input(self.outer.place(expr))
        else:
            spot = self._compile(expr)
        self._places[key] = spot
        return spot

    def _is_free(self, expr: sp.Expr) -> bool:
        symbols = expr.free_symbols
        return not expr.is_Rational and self.index not in symbols and self.local.isdisjoint(symbols)

    def _compile(self, expr: sp.Expr) -> int:
        if expr.is_Rational:
            return self.constant(fmpq(fmpz(int(expr.p)), fmpz(int(expr.q))))
        if expr.is_Float:
            return self._compile(sp.Rational(expr))
        if expr.is_Symbol:
            return self._symbol(expr)
        if expr in _CONSTANTS:
            constant = _CONSTANTS[expr]
            return self.emit(("named", expr), lambda v: constant(), lambda v: acb(constant()))
        if expr.is_Add:
            return self.add([self.place(arg) for arg in expr.args])
        if expr.is_Mul:
            found, rest = quotients(self, expr.args)
            return self.multiply([*found, *(self.place(arg) for arg in rest)])
        if expr.is_Pow:
            return self._power(expr.base, expr.exp)
        if isinstance(expr, sp.exp):
            return self.call("exp", [self.place(expr.args[0])])
        if isinstance(expr, sp.log) and len(expr.args) == 1:
            return self.logarithm(expr.args[0])
        if isinstance(expr, sp.Sum):
            return self._nested(expr, "sum")
        if isinstance(expr, sp.Integral):
            return self._nested(expr, "integral")
        if isinstance(expr, sp.Product):
            return self._nested(expr, "product")
        if isinstance(expr, sp.Piecewise):
            return self._piecewise(expr)
        if isinstance(expr, sp.hyper):
            top, bottom = list(expr.ap), list(expr.bq)
            return self.call("hyper", [self.place(a) for a in (*top, *bottom, expr.argument)], hypergeometric(len(top)))
        if isinstance(expr, sp.polys.rootoftools.ComplexRootOf):
            return self.emit(("root", expr), lambda v: real_root(expr), lambda v: acb(real_root(expr)))
        name, methods = _named(expr.func), getattr(expr.func, "enclosed", None)
        if methods is not None or name in FUNCTIONS or (name in NAMED and NAMED[name].means):
            return self.call(name, [self.place(arg) for arg in expr.args], methods)
        raise Undecided(f"no certified evaluation of {_name(expr)}")

    def _symbol(self, symbol: sp.Symbol) -> int:
        name = symbol.name
        if self.index is not None and symbol == self.index:
            name = "\0index"
        else:
            self.plan.names.add(name)
        return self._given(("symbol", name), lambda v: v.environment[name])

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> int:
        if exponent.is_Integer:
            return self.integer_power(self.place(base), int(exponent))
        if base is sp.E:
            return self.call("exp", [self.place(exponent)])
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

    def _piecewise(self, expr: sp.Piecewise) -> int:
        branches: list[tuple[int, int, str]] = []
        for value, condition in expr.args:
            if condition is sp.true:
                branches.append((self.place(value), -1, "true"))
                break
            if not isinstance(condition, sp.Rel):
                raise Undecided(f"no certified evaluation of the condition {condition}")
            gap = self.add(
                [self.place(condition.lhs), self.multiply([self.constant(fmpq(-1)), self.place(condition.rhs)])]
            )
            branches.append((self.place(value), gap, condition.rel_op))
        return self.emit(("piecewise", tuple(branches)), lambda v: _choose(v, branches), None)

    def _nested(self, expr: sp.Sum | sp.Integral | sp.Product, kind: str) -> int:
        limits = list(expr.limits)
        body = expr.function if len(limits) == 1 else expr.func(expr.function, *limits[:-1])
        limit = limits[-1]
        if len(limit) != 3:
            raise Undecided(f"no certified evaluation of an indefinite {kind}")
        return BUILDERS[kind](self, body, *limit)  # type: ignore[no-any-return]

    def body(self, expr: sp.Expr, index: sp.Symbol, local: Set[sp.Symbol] = frozenset()) -> Plan:
        """The plan of a body with a bound index, and ``local`` ones that are given by name when it is run; its inputs are
        places of this plan."""
        inner = Builder(self, index)
        inner.local = local
        inner.plan.root = inner.place(expr)
        return inner.plan


def rest_of_one(expr: sp.Expr) -> sp.Expr | None:
    """``expr - 1`` where the expression is printed as 1 + something not numeric, else None."""
    if expr.is_Add and expr.args[0] is sp.S.One:
        return sp.Add(*expr.args[1:], evaluate=False) if len(expr.args) > 2 else expr.args[1]
    return None


def body_value(plan: Plan, environment: Mapping[str, Any], inputs: Sequence[Any], index: Any) -> Number:
    """The body's value at one index."""
    return plan.run({**environment, "\0index": index, "\0inputs": inputs})


def _name(expr: sp.Expr) -> str:
    return getattr(expr.func, "__name__", str(expr.func)) if expr.args else str(expr)


def _all(combine: Callable[[Any, Any], Any], v: list[Any], spots: Sequence[int]) -> Any:
    return reduce(combine, [v[k] for k in spots])


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


def _named(function: Any) -> str:
    row = row_of(function)
    return row.row.name if row is not None else _OTHERS.get(function, "")


_OTHERS: dict[Any, str] = {sp.atan2: "atan2", sp.stieltjes: "stieltjes"}
"""Functions of SymPy that the table has not."""


_CONSTANTS: dict[Any, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
    sp.oo: arb.pos_inf,
    -sp.oo: arb.neg_inf,
    sp.nan: arb.nan,
    sp.zoo: arb.nan,
}


@uncounted
@lru_cache(maxsize=4096)
def compile_expr(expr: sp.Expr) -> Plan:
    """The plan of an expression; kept, so that only the first evaluation pays for it.

    >>> compile_expr(sp.Symbol("x") + 1).names
    {'x'}
    """
    builder = Builder()
    try:
        with sy.refusing("an enclosure"):
            builder.plan.root = builder.place(expr)
    except sy.SymbolicFailure as error:
        raise Undecided(str(error)) from error
    return builder.plan


def need(names: set[str], environment: Mapping[str, Any]) -> None:
    """Complain of a symbol without a value."""
    missing = sorted(names - set(environment))
    if missing:
        raise InputError(f"no value for {missing[0]}")
