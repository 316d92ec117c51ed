"""Series of functions where their argument tends, as the table says them: :mod:`asymp.functions.series`.

>>> from asymp.scale import Regime
>>> n = sp.Symbol("n", positive=True)
>>> Expander(Regime.single(n), 1)(sp.erfc(n))
exp(-n**2)/(sqrt(pi)*n) - exp(-n**2)/(2*sqrt(pi)*n**3) + O(exp(-n**2)/n**5)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.expand.engine import Expander, canonical
from asymp.expand.method import handles
from asymp.expand.place import Place, place, power_series, shifted, side
from asymp.expansion import Expansion, Refused
from asymp.functions.conditions import W, X, Y, Z
from asymp.functions.series import SeriesAt, Terms, at
from asymp.functions.symbolic import NAMED, classes, expression, row_of
from asymp.parse import parse_expression
from asymp.scale import ONE, sign

LETTERS = {letter: sp.Dummy(letter, real=True) for letter in "abckmpsvx"}
Values = Mapping[str, sp.Expr]
OWN = frozenset(
    "gamma loggamma factorial digamma trigamma polygamma harmonic expint uppergamma lowergamma besseli besselj besselk zeta "
    "polylog LambertW".split()
)
"""Functions that have modules of their own, for what the table does not say."""


@uncounted
@lru_cache(maxsize=1_000)
def _parsed(text: str) -> sp.Expr:
    return parse_expression(text, LETTERS)


def read(text: str, put: Values) -> sp.Expr:
    """A text of the table with expressions for its letters."""
    found = _parsed(text)
    if found.has(sp.Sum):
        found = found.xreplace({LETTERS["k"]: put["k"]}).doit()
    return found.xreplace({LETTERS[letter]: value for letter, value in put.items() if letter in LETTERS})


def matched(name: str, arguments: tuple[sp.Expr, ...]) -> Iterator[tuple[SeriesAt, dict[str, sp.Expr]]]:
    """The series of a function of these arguments, with what stands for their letters; conditions on what stays are seen."""
    for one in at(name):
        if len(one.arguments) != len(arguments):
            continue
        pairs = dict(zip(one.arguments, arguments, strict=True))
        numbers = {letter: value for letter, value in pairs.items() if not letter.isalpha()}
        put = {letter: value for letter, value in pairs.items() if letter.isalpha()}
        if all(value == sp.Rational(text) for text, value in numbers.items()) and _met(one, put):
            yield one, put


def _met(one: SeriesAt, put: Values) -> bool:
    for kind, text in one.needed:
        value = read(text, put)
        whole = value.is_integer
        met = {
            ">": sign(value) == 1, ">=": sign(value) in (0, 1), "whole": whole is True,
            "no pole": sign(value) == 1 or (value.is_number and whole is False),
        }[kind]  # fmt: skip
        if not met:
            return False
    return True


def meets(one: SeriesAt, where: Place, x: Expansion) -> bool:
    """Whether a series is where the argument tends."""
    if not one.centre:
        return where.kind == {"oo": "infinity", "-oo": "-infinity"}.get(one.at)
    if where.kind.endswith("infinity") or sy.simplify(where.centre - read(one.centre, {})) != 0:
        return False
    return not one.side or side(x - Expansion.constant(where.centre)) == one.side


def expanded(expander: Expander, name: str, *arguments: sp.Expr | Expansion) -> Expansion:
    """A function by its series where x, the argument that is an expansion, tends; by Taylor's; by an identity; or by its bounds.

    Raises:
        Refused: the table says none.
    """
    x = next(value for value in arguments if isinstance(value, Expansion))
    row, letter = NAMED[name].row, expander.standing_for(x)
    given = tuple(letter if isinstance(value, Expansion) else value for value in arguments)
    found = list(matched(name, given))
    if any(one.at for one, _ in found) or row.derivative:
        where = place(x)
        for one, put in found:
            if one.at and meets(one, where, x):
                return _by(expander, one, {**put, "x": _letter(expander, one, x)})
        if row.parity and (where.kind == "-infinity" or (where.kind == "constant" and sign(where.centre) == -1)):
            return expanded(expander, name, x.scaled(-1)).scaled(row.parity)
        if row.derivative and given[-1] is letter and not where.kind.endswith("infinity"):
            if _is_inside(name, (*given[:-1], where.centre)):
                return _taylor(expander, name, given[:-1], where.centre, x)
    for one, put in found:
        if not one.at:
            return _by(expander, one, put)
    if not row.where and row.values.low and row.values.high:
        return Expansion.big_o(ONE)
    raise Refused(f"no series of {name} at {x}")


def said(expander: Expander, name: str, where: str, *arguments: sp.Expr | Expansion) -> Expansion:
    """The series of a function at a place, where the argument that is an expansion is known to tend there."""
    for one in at(name):
        if one.at == where and len(one.arguments) == len(arguments):
            given = (_letter(expander, one, value) if isinstance(value, Expansion) else value for value in arguments)
            pairs = dict(zip(one.arguments, given, strict=True))
            if all(letter.isalpha() or value == sp.Rational(letter) for letter, value in pairs.items()):
                return _by(expander, one, pairs)
    raise Refused(f"no series of {name} at {where}")


def _is_inside(name: str, arguments: tuple[sp.Expr, ...]) -> bool:
    """Whether a function is seen to be real near its last argument."""
    last = "xyzw"[len(arguments) - 1]

    def met(kind: str, text: str) -> bool:
        value = expression(text).xreplace(dict(zip((X, Y, Z, W), arguments, strict=False)))
        if kind == "whole":
            return value.is_integer is True and last not in text
        told = sign(value)
        return told == 1 or (kind == "!=" and told == -1) or (kind == "no pole" and value.is_number and value.is_integer is False)

    return any(all(met(kind, text) for kind, text in some) for some in NAMED[name].row.real(len(arguments)))


def _taylor(expander: Expander, name: str, fixed: tuple[sp.Expr, ...], centre: sp.Expr, x: Expansion) -> Expansion:
    """Taylor's series at a number inside of where the function is real."""
    s = sp.Dummy("s", real=True)
    slope, found = NAMED[name].make(*fixed, s), []
    for k in range(expander.order + 2):
        value = slope.xreplace({s: centre})
        if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
            raise Refused(f"the derivatives of {name} at {centre}")
        found.append(canonical(value) / sp.factorial(k))
        slope = slope.diff(s)
    return power_series(shifted(x, centre), lambda k: found[k], expander.order + 1)


@handles(*classes(lambda row: bool(row.means)))
def _by_another(expander: Expander, expr: sp.Expr) -> Expansion:
    """acot x = atan(1/x), and so on."""
    row = row_of(expr.func)
    assert row is not None
    return expander(expression(row.row.means).xreplace({X: expr.args[0]}))


@handles(*classes(lambda row: bool(at(row.name)) and row.name not in OWN))
def by_the_table(expander: Expander, expr: sp.Expr) -> Expansion:
    """A function of one argument that moves."""
    moves = [bool(argument.free_symbols & expander._variables()) for argument in expr.args]
    row = row_of(expr.func)
    if sum(moves) != 1 or row is None:
        raise Refused(f"{expr}: more than one argument moves")
    return expanded(expander, row.row.name, *(
        expander(argument) if moved else expander(argument).expr for argument, moved in zip(expr.args, moves, strict=True)
    ))  # fmt: skip


def _letter(expander: Expander, one: SeriesAt, x: Expansion) -> sp.Expr:
    """What stands for x: below 0 it is -y, since SymPy writes erfc(-y) as 2 - erfc(y), and that for x is the series itself."""
    return -expander.standing_for(x.scaled(-1)) if one.at.startswith("-") or one.at == "0-" else expander.standing_for(x)


def _by(expander: Expander, one: SeriesAt, put: Values) -> Expansion:
    if one.sums:
        expander.note(f"series of {one.name}", _shown(one), f"DLMF {one.source}")
    parts = [_sum(expander, part, put) for part in one.sums]
    return Expansion.sum([expander(read(one.plus, put)), *parts] if one.plus != "0" else parts)


def coefficients(part: Terms, put: Values, last: int) -> list[sp.Expr]:
    """Those of 1, u, ..., u^last."""
    return [read(part.at(k), {**put, "k": sp.Integer(k)}) if k >= part.first else sp.S.Zero for k in range(last + 1)]


def stirling_weights(last: int) -> list[sp.Expr]:
    """Those of x^(1 - 2k) in Stirling's series of ln Gamma, k = 0, ..., last.

    >>> stirling_weights(2)
    [0, 1/12, -1/360]
    """
    (part,) = at("loggamma")[0].sums
    return coefficients(part, {}, last)


def _sum(expander: Expander, part: Terms, put: Values) -> Expansion:
    last = part.last(expander.order)
    head = expander(read(part.head, put))
    if not part.step:
        terms = [expander(c) for c in coefficients(part, put, last + 1)[part.first :]]
        return head * Expansion.sum([*terms[:-1], terms[-1].tail(1)])
    step = expander(read(part.step, put))
    if not step.terms and not step.remainder:
        return head * expander(coefficients(part, put, 0)[0])
    if not part.rest:
        return head * step.series(coefficients(part, put, last))
    total, power = Expansion({}), Expansion.constant(1)
    for c in coefficients(part, put, last):
        total, power = total + expander(c) * power, power * step
    return head * (total + expander(read(part.rest, {**put, "k": sp.Integer(last + 1)})).tail(1))


def _shown(one: SeriesAt) -> str:
    """The series in LaTeX."""
    plain = {letter: sp.Symbol(letter, real=True) for letter in LETTERS}

    def tex(text: str) -> str:
        return str(sy.latex(_parsed(text).xreplace({LETTERS[a]: s for a, s in plain.items()})))

    parts = [tex(one.plus)] if one.plus != "0" else []
    for part in one.sums:
        head = "" if part.head == "1" else tex(part.head)
        step = rf"\left({tex(part.step)}\right)^k" if part.step else ""
        parts.append(rf"{head} \sum_k \left({tex(part.at(part.first))}\right) {step}")
    return rf"{tex(one.of)} \sim {' + '.join(parts)}"
