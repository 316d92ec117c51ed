"""How an answer is scored: its value against the true terms, at two huge sizes, so equivalent forms count alike.

solved: all wanted terms.  leading: some of the first terms, nothing false.  refused: no answer, or one that is
no expansion.  wrong: a false coefficient, a false remainder, or the wrong verdict on a statement.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import mpmath as mp
import sympy as sp

from benchmarks.capability.evaluate import Unreadable, evaluate, parse
from benchmarks.capability.problem import Case, Point, Problem, names

SMALL = 0.03
"""A quotient below this at the largest size, and falling, is taken to vanish."""
DIGITS = 80
"""Beyond those at which the truth was verified at the same sizes."""
SECONDS = 30


@dataclass(frozen=True)
class Part:
    """One case of an answer: the condition, the sum of its terms, and the growth of its remainder (if it says one).

    A case that is refused has no text, and ``why``.
    """

    text: str
    remainder: str = ""
    when: str = ""
    why: str = ""


@dataclass(frozen=True)
class Answer:
    """What a system said.  ``verdict`` is its word on a statement: holds, refuted; ``why`` its reason for refusing."""

    parts: tuple[Part, ...] = ()
    verdict: str = ""
    why: str = ""


@dataclass(frozen=True)
class Score:
    """``outcome``: solved, leading, refused or wrong; ``right``: how many of the first terms are right."""

    outcome: str
    right: int = 0
    note: str = ""


ORDER = ("wrong", "refused", "leading", "solved")


def score(problem: Problem, answer: Answer) -> Score:
    """The worst over the problem's cases: an answer that fails for some parameters fails."""
    if problem.holds is not None:
        if answer.verdict not in ("holds", "refuted"):
            return Score("refused", 0, answer.why)
        right = (answer.verdict == "holds") is problem.holds
        return Score("solved" if right else "wrong", int(right), answer.verdict)
    if not answer.parts:
        return Score("refused", 0, answer.why)
    variables = {name for name, _ in problem.limits} | {name for name, _ in problem.ties}
    for part in answer.parts:
        if any(names(condition) & variables and not _is_path(condition, problem) for condition in _conditions(part.when)):
            return Score("refused", 0, f"a case depends on what tends to its limit: {part.when[:120]}")
    try:
        with mp.workdps(problem.digits + DIGITS), _limited():
            found = [_score_case(problem, case, answer) for case in problem.cases]
    except Unreadable as error:
        return Score("refused", 0, f"unreadable: {error}")
    except (ArithmeticError, ValueError, TypeError, AttributeError, TimeoutError, RecursionError, MemoryError) as error:
        return Score("refused", 0, f"not evaluated: {type(error).__name__}: {error}"[:120])
    return min(found, key=lambda s: (ORDER.index(s.outcome), s.right))


def _score_case(problem: Problem, case: Case, answer: Answer) -> Score:
    places = [problem.point(size, case) for size in problem.compare or problem.sizes]
    part = next((p for p in answer.parts if _applies(p.when, case.at, problem, places)), None)
    if part is None:
        return Score("refused", 0, f"says nothing for {dict(case.at)}")
    if not part.text:
        return Score("refused", 0, f"case {part.when}: {part.why}")
    expr = parse(part.text)
    undefined = any(e.base == 0 for e in expr.atoms(sp.Pow)) or any(e.args[1] == 0 for e in expr.atoms(sp.uppergamma))
    undefined = undefined or bool(re.search(r"polylog\([^(),]*,\s*1\)", part.text))  # SymPy reads its continuation, zeta
    if undefined or expr.has(sp.nan, sp.zoo) or expr in (sp.oo, -sp.oo) or (expr == 0 and case.terms[0] != "0"):
        return Score("refused", 0, f"only says {part.text[:40]}")
    variables = {name for name, _ in problem.limits} | {name for name, _ in problem.ties}
    complaint = not_expanded(expr, variables)
    if complaint:
        return Score("refused", 0, f"not expanded: {complaint}")
    rows = [[problem.number(parse(text), place) for text in case.terms] for place in places]
    values = [problem.number(expr, place) for place in places]
    right = len(case.terms)  # from above: log n + c is still far from log n at any n that can be written down
    while right and not _vanishes(
        [abs((value - mp.fsum(row[:right])) / row[right - 1]) for value, row in zip(values, rows, strict=True)]
    ):
        right -= 1
    following = [row[right] for row in rows] if right < len(case.terms) else _next(problem, case, places)
    if right == 0:
        return Score("wrong", 0, f"{part.text[:60]} is not {case.terms[0]} at {dict(case.at)}")
    if right < len(case.terms):
        extra = [abs((v - mp.fsum(row[:right])) / t) for v, row, t in zip(values, rows, following, strict=True)]
        if not _vanishes(extra):
            return Score("wrong", right, f"term {right + 1} is not {case.terms[right]} at {dict(case.at)}")
    if right == len(case.terms) and following:  # an answer that goes on with the next term says nothing of what is after
        beyond = [abs((v - mp.fsum(row)) / t - 1) for v, row, t in zip(values, rows, following, strict=True)]
        following = [] if _vanishes(beyond) else following
    if part.remainder and following and _false_remainder(problem, part.remainder, places, following):
        return Score("wrong", right, f"the remainder is not O({part.remainder}) at {dict(case.at)}")
    if right == len(case.terms):
        return Score("solved", right)
    return Score("leading", right, f"{right} of {len(case.terms)} terms")


def _next(problem: Problem, case: Case, places: list[Point]) -> list[mp.mpf]:
    return [problem.number(parse(case.next), place) for place in places] if case.next else []


def _vanishes(quotients: list[mp.mpf]) -> bool:
    """Small at the larger size, and not growing."""
    first, last = quotients[0], quotients[-1]
    return bool(last < SMALL and (last <= first or last < mp.mpf(10) ** -20))


def _false_remainder(problem: Problem, text: str, places: list[Point], following: list[mp.mpf]) -> bool:
    """Whether what is left grows beyond every multiple of the stated remainder."""
    growth = parse(text)
    quotients = []
    for place, term in zip(places, following, strict=True):
        bound = abs(problem.number(growth, place))
        if bound == 0:
            return True
        quotients.append(abs(term) / bound)
    return bool(quotients[-1] > 50 and quotients[-1] > 3 * quotients[0])


def _conditions(when: str) -> list[str]:
    return [part.strip() for part in re.split(r"\band\b|,", when) if part.strip()]


def _is_path(condition: str, problem: Problem) -> bool:
    """``u/v->oo``, ``u/v->0``, ``u/v=c`` with a new c: how several variables go to their limits together."""
    left, arrow, right = condition.partition("->" if "->" in condition else "=")
    if len(problem.limits) < 2 or not arrow or not names(left) & {name for name, _ in problem.limits}:
        return False
    return arrow == "->" or (right.strip().isidentifier() and right.strip() not in problem.cases[0].at)


def _applies(when: str, at: Mapping[str, str], problem: Problem, places: list[Point]) -> bool:
    """Whether ``a<2 and c - 1 != 0`` holds for the parameters, ``u/v->oo`` on the way that is taken to the limit.

    A condition on the unknown of an equation says which root is meant; the problems have one root each, so it is passed by.
    """
    point = {name: evaluate(parse(text), {}) for name, text in at.items()}
    for condition in _conditions(when):
        if problem.unknown and problem.unknown in names(condition):
            continue
        if _is_path(condition, problem):
            left, target = re.split("->|=", condition)
            first, last = (abs(problem.number(parse(left), place)) for place in places)
            wide = mp.mpf(10) ** 6
            grows = last > first * 2 and last > wide
            shrinks = last < first / 2 and last < 1 / wide
            if not {"oo": grows, "0": shrinks}.get(target.strip(), abs(last / first - 1) < SMALL):
                return False
            continue
        pieces = re.split(r"(<=|>=|!=|==|<|>|=)", condition)
        for left, relation, right in zip(pieces[::2], pieces[1::2], pieces[2::2], strict=False):
            a, b = evaluate(parse(left), point), evaluate(parse(right), point)
            held = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "!=": a != b}.get(relation, a == b)
            if not held:
                return False
    return True


def not_expanded(expr: sp.Expr, variables: set[str]) -> str:
    """What in the expression is no sum of log-exp monomials of the variables; empty if nothing.

    >>> not_expanded(parse("n*log(n) - n"), {"n"}), not_expanded(parse("log(n + 1)"), {"n"})
    ('', 'log(n + 1)')
    >>> not_expanded(parse("1/(s*n^s - n^s)"), {"n"})
    ''
    """
    symbols = {sp.Symbol(name, positive=True) for name in variables}

    def bad(e: sp.Expr) -> str:
        if not e.free_symbols & symbols or e.is_Symbol:
            return ""
        if e.is_Add or e.is_Mul:
            return next((found for found in map(bad, e.args) if found), "")
        if isinstance(e, sp.exp) or (e.is_Pow and not e.base.free_symbols & symbols):
            return bad(sp.expand(e.exp))
        if e.is_Pow and not e.exp.free_symbols & symbols:
            if monomial(e.base) or (e.exp.is_Integer and e.exp > 0):
                return bad(e.base)
            return str(e)
        if e.is_Pow:
            return "" if monomial(e.base) else str(e)
        if isinstance(e, sp.log):
            return "" if monomial(e.args[0]) else str(e)
        return str(e)

    def monomial(e: sp.Expr) -> bool:
        """A product of powers of variables, their logarithms, exponentials, and of what is small beside them: one term."""
        if not e.free_symbols & symbols or e.is_Symbol:
            return True
        if e.is_Mul:
            return all(monomial(a) for a in e.args)
        if isinstance(e, sp.exp):
            return not bad(sp.expand(e.args[0]))
        if e.is_Pow:
            return monomial(e.base) and not bad(sp.expand(e.exp))
        if e.is_Add:  # l - 1 where l tends to 1; or a common factor with a constant: n^s*s - n^s
            if len(e.args) == 2 and e.is_polynomial() and all(a.is_number or a in symbols or -a in symbols for a in e.args):
                return e.subs(dict.fromkeys(symbols, 1)) == 0
            parts = {term.as_independent(*symbols, as_Add=False)[1] for term in e.args}
            return len(parts) == 1 and monomial(parts.pop())
        return isinstance(e, sp.log) and monomial(e.args[0])

    return bad(expr)[:60]


@contextmanager
def _limited() -> Iterator[None]:
    """An evaluation that does not end is stopped (where signals are to be had: in the main thread)."""

    def stop(*_: object) -> None:
        raise TimeoutError("too slow")

    try:
        old = signal.signal(signal.SIGVTALRM, stop)
    except ValueError:
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)
