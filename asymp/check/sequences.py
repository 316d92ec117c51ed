"""Sequences along which an oscillating quantity does not oscillate, and the questions that relations ask.

>>> n = sp.Symbol("n", positive=True)
>>> asked = Question(sp.S.One, "O", sp.sin(n))
>>> [words for words, plain in sequences(asked, Regime.single(n)) if plain.g == 0]
['n = 2*pi*k', 'n = 2*pi*k + pi']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from asymp.claim import Equivalent, ExpansionOf, Limit, Order
from asymp.enclosure.explicit import number
from asymp.expand import Expander
from asymp.scale import Regime

PHASES = (0, sp.Rational(1, 2), 1, sp.Rational(3, 2), sp.Rational(1, 6), sp.Rational(1, 4), sp.Rational(1, 3))
"""Multiples of pi tried as phases."""
FRACTIONS = (sp.S.Zero, sp.Rational(1, 2), sp.Rational(1, 3))


@dataclass(frozen=True)
class Question:
    """Is h = O(g), or o(g)?"""

    h: sp.Expr
    order: str
    g: sp.Expr

    def text(self) -> str:
        """As a statement."""
        return f"{self.h} = {self.order}({self.g})"


def questions(relation: object) -> list[Question]:
    """What a relation asks; all must hold.  f -> oo asks that 1 = o(f), which is necessary only.

    >>> n = sp.Symbol("n", positive=True)
    >>> [q.text() for q in questions(Order(n, "Theta", 2 * n))]
    ['n = O(2*n)', '2*n = O(n)']
    """
    if isinstance(relation, Equivalent):
        return [Question(relation.f - relation.g, "o", relation.g)]
    if isinstance(relation, ExpansionOf):
        return [Question(relation.f - relation.terms, relation.order, relation.growth)]
    if isinstance(relation, Limit) and relation.value.is_finite is not False:
        return [Question(relation.f - relation.value, "o", sp.S.One)]
    if isinstance(relation, Limit):
        return [Question(sp.S.One, "o", relation.f)]
    if isinstance(relation, Order):
        f, g, order = relation.f, relation.g, relation.order
        if order in ("O", "o"):
            return [Question(f, order, g)]
        if order in ("Omega", "omega"):
            return [Question(g, order[0].lower() if order == "omega" else "O", f)]
        return [Question(f, "O", g), Question(g, "O", f)]
    return []


def oscillators(q: Question, variables: frozenset[sp.Symbol]) -> tuple[list[sp.Expr], list[sp.Expr], list[sp.Expr]]:
    """The sines, the integer parts, and the powers of -1 in a question."""
    both = sp.Tuple(q.h, q.g)
    waves = [a for a in both.atoms(sp.sin, sp.cos, sp.tan) if a.free_symbols & variables]
    jumps = [a for a in both.atoms(sp.floor, sp.ceiling) if a.free_symbols & variables]
    signs = [a for a in both.atoms(sp.Pow) if a.base == -1 and a.exp.free_symbols & variables]
    key = sp.default_sort_key
    return sorted(waves, key=key), sorted(jumps, key=key), sorted(signs, key=key)


def sequences(q: Question, regime: Regime) -> Iterator[tuple[str, Question]]:
    """(the sequence in words, the question along it)."""
    if q.h.has(sp.tan) or q.g.has(sp.tan):  # near a pole the quotient is as large as at it
        top, bottom = sp.fraction(sp.together((q.h / q.g).replace(sp.tan, lambda x: sp.sin(x) / sp.cos(x))))
        q = Question(top, q.order, bottom)
    variables = frozenset(regime.scales) | frozenset(regime.ties)
    waves, jumps, signs = oscillators(q, variables)
    kinds = [kind for kind in (waves, jumps, signs) if kind]
    if len(kinds) != 1:
        return
    atoms = kinds[0]
    arguments = [a.exp if atoms is signs else a.args[0] for a in atoms]
    if atoms is jumps:
        carrier = arguments[0] if len(set(arguments)) == 1 else None
    else:
        carrier = _carrier(arguments)
    if carrier is None or not _tends_to_infinity(carrier, regime):
        return
    if atoms is signs:
        for parity, value in (("even", 1), ("odd", -1)):
            swap = {}
            for a, argument in zip(atoms, arguments, strict=True):
                rate, shift = _line(argument, carrier)
                if not (rate.is_Integer and shift.is_Integer):
                    return
                swap[a] = (value if rate % 2 else 1) * (-1) ** shift
            yield f"{parity} {carrier}", Question(q.h.xreplace(swap), q.order, q.g.xreplace(swap))
        return
    if atoms is waves:
        period = sp.ilcm(1, *(_line(argument, carrier)[0].q for argument in arguments))
        if _whole_only(q, variables):
            return  # values of sin at whole numbers come near any phase, but need not reach it
        phases = [p + 2 * sp.Integer(k) for p in PHASES for k in range(int(period))] if period <= 4 else []
        rate0, shift0 = _line(arguments[0], carrier)
        for phase in phases:
            swap, at = {}, (phase * sp.pi - shift0) / rate0  # the first argument is at this phase
            for a, argument in zip(atoms, arguments, strict=True):
                rate, shift = _line(argument, carrier)
                angle = sp.expand(rate * at + shift)
                swap[a] = a.func(angle)
            words = f"{carrier} = {2 * period * sp.pi}*k" + (f" + {at}" if at != 0 else "")
            yield words, Question(q.h.xreplace(swap), q.order, q.g.xreplace(swap))
        return
    for fraction in FRACTIONS:
        swap = {a: (a.args[0] - fraction if isinstance(a, sp.floor) else a.args[0] + (1 - fraction if fraction else 0))
                for a in atoms}  # fmt: skip
        words = f"{carrier} = k" + (f" + {fraction}" if fraction else "")
        yield words, Question(q.h.xreplace(swap), q.order, q.g.xreplace(swap))


def _carrier(arguments: list[sp.Expr]) -> sp.Expr | None:
    """The part of the arguments of which all are rational multiples, up to constants."""
    parts = []
    for argument in arguments:
        rest, factor = _split(argument)
        parts.append((rest, factor))
    if len({rest for rest, _ in parts}) != 1:
        return None
    return parts[0][0]


def _split(argument: sp.Expr) -> tuple[sp.Expr, sp.Rational]:
    """argument = factor * rest + constant, factor rational."""
    varying = sp.Add(*(term for term in sp.Add.make_args(sp.expand(argument)) if term.free_symbols))
    factor, rest = varying.as_coeff_Mul()
    if rest.is_Add:
        content, rest = rest.primitive()
        factor = factor * content
    if not factor.is_Rational:
        return varying, sp.S.One
    return (rest, factor) if factor > 0 else (-rest, -factor)


def _line(argument: sp.Expr, carrier: sp.Expr) -> tuple[sp.Rational, sp.Expr]:
    """(rate, constant) with argument = rate*carrier + constant."""
    _, factor = _split(argument)
    constant = sp.Add(*(term for term in sp.Add.make_args(sp.expand(argument)) if not term.free_symbols))
    return factor, constant


def _tends_to_infinity(carrier: sp.Expr, regime: Regime) -> bool:
    try:
        growth, coefficient = Expander(regime, 2)(carrier).leading()
    except ValueError:
        return False
    return bool(growth.limit() == "infinity" and coefficient.is_number and number(coefficient) > 0)


def _whole_only(q: Question, variables: frozenset[sp.Symbol]) -> bool:
    both = sp.Tuple(q.h, q.g)
    return any(a.free_symbols & variables for a in both.atoms(sp.factorial, sp.binomial, sp.harmonic, sp.Sum, sp.Product))
