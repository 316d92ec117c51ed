"""The door to SymPy's algebra: simplifiers, solvers, polynomials, with bounded work and one kind of failure.

Whatever SymPy raises here becomes a :class:`SymbolicFailure`, which is a refusal.  What a call is given is measured
first: multiplied out, (a + b + c + d)^500 has 21 million terms, and x^(10^9) + 1 as a dense polynomial fills the
memory.

>>> x = sp.Symbol("x")
>>> expand((x + 1) ** 2)
x**2 + 2*x + 1
>>> expand((x + 1) ** (10**7))
Traceback (most recent call last):
...
asymp.symbolics.SymbolicFailure: expand: multiplied out it has more than 5000 terms
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp
from sympy.core.function import PoleError
from sympy.polys.polyerrors import BasePolynomialError

from asymp.budget import METER, SYMBOLIC
from asymp.kernel.terms import Refused


class _Signs(dict[sp.Symbol, str]):
    """A variable that is called gamma is not printed by the sign of Euler's constant, whatever is assumed of it."""

    def get(self, symbol: Any, default: Any = None) -> Any:
        """The sign of a symbol that has one of its own."""
        return r"\mathrm{gamma}" if symbol.name == "gamma" else default


SIGNS = _Signs()


def latex(expr: Any) -> str:
    r"""LaTeX, in which no two things have one sign.

    >>> latex(sp.Symbol("gamma", positive=True) - sp.EulerGamma)
    '\\mathrm{gamma} - \\gamma'
    """
    return str(sp.latex(expr, symbol_names=SIGNS))


MOST_TERMS = 5_000
"""Terms at most that anything may have when it is multiplied out."""
MOST_DEGREE = 2_000
"""The largest exponent in what is taken for a polynomial: SymPy's are dense."""
MOST_HIDDEN = 20_000
"""The largest degree in the powers that a polynomial is built from: at a million SymPy's gcd ends the process."""
MIDDLE_DEGREE = 250
"""The same for what is simplified or solved for."""
MOST_BITS = 1_024
"""Of whole numbers that may have to be factored, as those under a root: SymPy takes minutes for 20,000 bits."""
MOST_ARGUMENT_BITS = 4_096
"""Of a number in a function: the logarithm of one of 20,000 bits, which may be a power, takes minutes."""
MOST_POWER_SUM = 20_000
"""n m, where SymPy adds up H_n^(m) at once."""
MOST_VALUE_BITS = 8_000_000
"""Of a whole number that SymPy would write down at once, as n!."""
MOST_OPERATIONS = 4_000
"""Of what is simplified or solved for."""

_DEAR = ("prime", "composite")
"""What is asked of a number after all else: of one of 6,001 digits it takes seconds."""


def _in_order(facts: list[str]) -> None:
    """In place of SymPy's shuffle of the facts that may settle a question: their order, and so the work, hung on chance.

    >>> facts = ["prime", "zero", "integer"]
    >>> _in_order(facts)
    >>> facts
    ['integer', 'zero', 'prime']
    """
    facts.sort(key=lambda fact: (fact in _DEAR, fact))


importlib.import_module("sympy.core.assumptions").shuffle = _in_order  # type: ignore[attr-defined]

FAILURES = (
    BasePolynomialError, PoleError, RuntimeError, ArithmeticError, TypeError, ValueError, AttributeError, LookupError,
    AssertionError,
)  # fmt: skip
"""What SymPy raises where it does not get on.  Interrupts, time limits and an exhausted memory pass through."""


class SymbolicFailure(Refused):
    """SymPy could not work with an expression, or it would have been too much work."""


@contextlib.contextmanager
def refusing(what: str) -> Iterator[None]:
    """Turns SymPy's errors into refusals, for what is not a call of one function here.

    An error that was not raised inside SymPy is nobody's refusal and passes through, but for a stack that is full.

    Raises:
        SymbolicFailure: instead of any of FAILURES.

    >>> with refusing("division"):
    ...     sp.Poly(1 / sp.Symbol("x"), sp.Symbol("x"))
    Traceback (most recent call last):
    ...
    asymp.symbolics.SymbolicFailure: division: PolynomialError: 1/x contains an element of the set of generators.
    """
    try:
        yield
    except Refused:
        raise
    except FAILURES as error:
        if not isinstance(error, RecursionError) and not _raised_inside(error):
            raise
        raise _failure(what, error) from error


def _raised_inside(error: BaseException) -> bool:
    """Whether SymPy (or mpmath) raised it."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    module = "" if place is None else str(place.tb_frame.f_globals.get("__name__", ""))
    return module.split(".")[0] in ("sympy", "mpmath")


def _failure(what: str, error: Exception) -> SymbolicFailure:
    said = " ".join(str(error).split())[:200]
    return SymbolicFailure(f"{what}: {type(error).__name__}{': ' + said if said else ''}")


# --- measures -----------------------------------------------------------------------------------


def terms(expr: sp.Expr, most: int = MOST_TERMS) -> int:
    """About how many terms ``expr`` has when it is multiplied out; more than ``most`` are not counted.

    >>> a, b, c, d = sp.symbols("a b c d")
    >>> terms((a + b) * (c + d)), terms((a + b + c + d) ** 3), terms((a + b + c + d) ** 500)
    (4, 20, 5001)
    """
    return _terms(expr, most, {})


def _terms(expr: sp.Basic, most: int, seen: dict[sp.Basic, int]) -> int:
    if not expr.args:
        return 1
    if expr in seen:
        return seen[expr]
    counts = [_terms(arg, most, seen) for arg in expr.args]
    if expr.is_Add:
        found = sum(counts)
    elif expr.is_Mul:
        found = math.prod(counts)
    elif expr.is_Pow:
        found = _power_terms(counts[0], _whole_part(expr.args[1]), most)
    else:
        found = 1
    inside = max(counts)
    seen[expr] = min(most + 1, max(found, most + 1 if inside > most else 0))
    return seen[expr]


def _whole_part(exponent: sp.Basic) -> int:
    """How often SymPy multiplies a base by itself: (x + 1)^(7/2) is (x + 1)^3 (x + 1)^(1/2)."""
    number = exponent.as_coeff_Add()[0] if exponent.is_Add else exponent
    return abs(int(number)) if number.is_Rational else 0


def _power_terms(count: int, power: int, most: int) -> int:
    if count == 1 or power == 0:
        return 1
    if count > most or power > most:
        return most + 1
    found = 1
    for k in range(1, min(power, count - 1) + 1):  # binomial(power + count - 1, min(power, count - 1))
        found = found * (power + count - k) // k
        if found > most:
            return most + 1
    return found


def degree_bound(expr: sp.Basic) -> int:
    """The largest whole exponent that occurs, products of nested ones included.

    >>> x = sp.Symbol("x")
    >>> degree_bound(((x**10 + 1) ** 20 + x) * x)
    200
    """
    inner = max((degree_bound(arg) for arg in expr.args), default=0)
    if expr.is_Symbol:
        return 1
    if expr.is_Pow and expr.args[0].free_symbols:
        return max(_whole_part(expr.args[1]), 1) * max(inner, 1)
    return inner


def hidden_degree(expr: sp.Basic) -> int:
    """The degree in the powers that polynomials are built from: e^1000 is (e^(1/1000))^1000000.

    >>> hidden_degree(sp.exp(-1000) + sp.exp(sp.Rational(1, 1000))), hidden_degree(sp.sqrt(sp.Symbol("x")))
    (1000000, 1)
    """
    found: dict[tuple[sp.Basic, sp.Basic], list[sp.Rational]] = {}
    for part in expr.atoms(sp.Pow, sp.exp):
        base, exponent = part.as_base_exp()
        for term in sp.Add.make_args(exponent):
            number, rest = term.as_coeff_Mul()
            if number.is_Rational and not (rest == 1 and base.is_Rational):
                found.setdefault((base, rest), []).append(number)
    return max((int(max(map(abs, many)) * math.lcm(*(int(x.q) for x in many))) for many in found.values()), default=0)


def costly(expr: sp.Basic) -> str:
    """What SymPy would compute at length as soon as ``expr`` is put together again; empty where there is nothing.

    >>> costly(sp.sqrt(2 * sp.Symbol("x"))), costly(sp.harmonic(1000, 999, evaluate=False))
    ('', 'harmonic(1000, 999)')
    """
    for part in sp.preorder_traversal(expr):
        if _is_costly(part):
            return _short(part)
    return ""


def _is_costly(part: sp.Basic) -> bool:
    if part.is_Pow:
        base, exponent = part.args
        return _bits(base.as_coeff_Mul()[0]) > MOST_BITS and not exponent.is_Integer
    if not part.is_Function or not part.args or isinstance(part, (sp.floor, sp.ceiling, sp.Abs, sp.sign, sp.Min, sp.Max)):
        return False
    if any(_bits(a.as_coeff_Mul()[0]) > MOST_ARGUMENT_BITS for a in part.args if isinstance(a, sp.Expr)):
        return True
    if not all(a.is_Rational for a in part.args):
        return False
    size = float(min(max(abs(a) for a in part.args), 10**30))
    if isinstance(part, sp.harmonic):
        return len(part.args) == 2 and size * min(map(abs, part.args)) > MOST_POWER_SUM
    if isinstance(part, _WRITTEN_DOWN):
        return size * math.log2(size + 2) > MOST_VALUE_BITS
    return False


_WRITTEN_DOWN = (
    sp.factorial, sp.factorial2, sp.gamma, sp.binomial, sp.rf, sp.ff, sp.catalan, sp.zeta, sp.polygamma, sp.loggamma,
    sp.harmonic, sp.beta,
)  # fmt: skip


def _bits(number: sp.Rational) -> int:
    return max(abs(int(number.p)), int(number.q)).bit_length() if number.is_Rational else 0


def _short(expr: sp.Basic) -> str:
    head = expr.func.__name__
    if expr.is_Pow:
        return f"a root of a number of {int(_bits(expr.args[0].as_coeff_Mul()[0]) * 0.30103) + 1} digits"
    return f"{head}({', '.join(str(a) if _bits(a) < 100 else '...' for a in expr.args)})"


def _require(name: str, expr: Any, degree: int, operations: bool) -> None:
    if isinstance(expr, (list, tuple)):
        for one in expr:
            _require(name, one, degree, operations)
        return
    if not isinstance(expr, sp.Basic) or not expr.args or isinstance(expr, sp.Poly):
        return
    if terms(expr) > MOST_TERMS:
        raise SymbolicFailure(f"{name}: multiplied out it has more than {MOST_TERMS} terms")
    if degree and (degree_bound(expr) > degree or hidden_degree(expr) > MOST_HIDDEN):
        raise SymbolicFailure(f"{name}: an exponent above {degree}")
    if part := costly(expr):
        raise SymbolicFailure(f"{name}: {part} is too much work")
    if operations and expr.count_ops() > MOST_OPERATIONS:
        raise SymbolicFailure(f"{name}: an expression of more than {MOST_OPERATIONS} operations")


# --- the functions --------------------------------------------------------------------------------


def _through(function: Callable[..., Any], degree: int = 0, operations: bool = False) -> Callable[..., Any]:
    """The function with measured input, its work counted and its errors as refusals."""
    name = function.__name__

    @functools.wraps(function)
    def called(expr: Any, *args: Any, **options: Any) -> Any:
        METER.steps += SYMBOLIC
        try:
            _require(name, expr, degree, operations)
            return function(expr, *args, **options)
        except Refused:
            raise
        except FAILURES as error:
            raise _failure(name, error) from error

    return called


expand = _through(sp.expand)
together = _through(sp.together)
powsimp = _through(sp.powsimp)
cancel = _through(sp.cancel, MOST_DEGREE)
factor = _through(sp.factor, MOST_DEGREE)
degree = _through(sp.degree, MOST_DEGREE)
real_roots = _through(sp.real_roots, MOST_DEGREE)
simplify = _through(sp.simplify, MIDDLE_DEGREE, operations=True)
combsimp = _through(sp.combsimp, MIDDLE_DEGREE, operations=True)
solve = _through(sp.solve, MIDDLE_DEGREE, operations=True)


def poly(expr: Any, *generators: sp.Symbol, **options: Any) -> sp.Poly:
    """``sympy.Poly``.

    Raises:
        SymbolicFailure: it is no such polynomial, or too large a one.

    >>> x = sp.Symbol("x")
    >>> poly(x**2 - 1, x).degree()
    2
    """
    METER.steps += SYMBOLIC
    with refusing("Poly"):
        _require("Poly", expr, MOST_DEGREE, operations=False)
        return sp.Poly(expr, *generators, **options)
