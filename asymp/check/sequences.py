"""Sequences along which an oscillating quantity does not oscillate, and the questions that relations ask.

Each sequence is proved to exist: A(n) -> oo is continuous for real n, so that it takes every value 2 pi k + phase;
floor(B(n)) is exact where B(n) = m k + c; a whole n runs through residue classes (:mod:`asymp.check.classes`), through
k^q + j k^(q-1), where floor(n^(1/q)) = k, or through j c^k, where floor(ln n/ln c) = k.  Its members can be named,
so that the statement as it was asked can be enclosed there.

>>> n = sp.Symbol("n", positive=True)
>>> asked = Question(sp.S.One, "O", sp.sin(n))
>>> [one.words for one in sequences(asked, Regime.single(n)) if one.plain.g == 0]
['n = 2*pi*k', 'n = 2*pi*k + pi']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.check import classes
from asymp.check.gate import SIZES, Point, Question
from asymp.claim import Equivalent, ExpansionOf, Limit, Order
from asymp.enclosure import InputError, Undecided, ball
from asymp.enclosure.explicit import number
from asymp.enclosure.roots import enclose_root
from asymp.expand import Expander
from asymp.functions import symbolic
from asymp.scale import Regime

PHASES = (0, sp.Rational(1, 2), 1, sp.Rational(3, 2), sp.Rational(1, 6), sp.Rational(1, 4), sp.Rational(1, 3))
"""Multiples of pi tried as phases."""
FRACTIONS = (sp.S.Zero, sp.Rational(1, 2), sp.Rational(1, 3))
MOST_CLASSES = 12
"""Periods and moduli of one sequence at most, for real n."""
BESIDE = sp.Rational(1, 10**80)
"""How far beside a pole the statement is enclosed."""
MOST_DOUBLINGS = 400
"""Powers of 2 among which such a root is looked for."""
NAMED = 10**20
"""Members whose place is a root, not a formula, are taken up to this k."""
LARGEST_LOG = 5_000
"""No member has a larger logarithm: SymPy writes e^(10^8 ln 2) out in full."""
CONTINUOUS = (sp.Add, sp.Mul, sp.Pow, sp.Symbol, sp.Number, sp.NumberSymbol,
              *symbolic.classes(lambda row: row.smooth and row.least == 1 and not row.period))  # fmt: skip
"""What a carrier may be made of: continuous where it is real."""


@dataclass(frozen=True)
class Along:
    """A sequence: in words, the question along it, its members; the variable of ``plain``, where it is not the claim's."""

    words: str
    plain: Question
    at: Callable[[], Iterator[Point]]
    index: sp.Symbol | None = None


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


def whole_variable(regime: Regime) -> bool | None:
    """Whether the one large variable stands for whole numbers; None where some other variable that tends to a limit does.

    The regime says so: the meaning of the statement put there what is declared and what is forced.
    """
    (n,) = regime.scales
    return None if regime.whole & {s.name for s in regime.ties} else n.name in regime.whole


def oscillators(q: Question, variables: frozenset[sp.Symbol]) -> tuple[list[sp.Expr], list[sp.Expr], list[sp.Expr]]:
    """The sines, the integer parts, and the powers of -1 in a question."""
    both = sp.Tuple(q.h, q.g)
    waves = [a for a in both.atoms(sp.sin, sp.cos, sp.tan) if a.free_symbols & variables]
    jumps = [a for a in both.atoms(sp.floor, sp.ceiling) if a.free_symbols & variables]
    signs = [a for a in both.atoms(sp.Pow) if a.base.is_negative and a.exp.free_symbols & variables]
    key = sp.default_sort_key
    return sorted(waves, key=key), sorted(jumps, key=key), sorted(signs, key=key)


def sequences(q: Question, regime: Regime, whole: bool = False) -> Iterator[Along]:
    """Sequences to infinity, proved to exist, along which nothing of these kinds oscillates.

    ``whole``: whether the variable runs through whole numbers alone; then sin(n) comes near any phase, but need not
    reach it, and only what jumps at roots and logarithms is taken here.
    """
    variables = frozenset(regime.scales) | frozenset(regime.ties)
    waves, jumps, signs = oscillators(q, variables)
    if whole:
        if jumps and not waves and not signs:
            yield from _powers(q, regime, jumps)
        return
    if waves and not jumps and not signs:
        yield from _phases(q, regime, waves)
    elif jumps and not waves:
        yield from _jumps(q, regime, jumps)


# --- sines --------------------------------------------------------------------------------------


def _phases(q: Question, regime: Regime, waves: list[sp.Expr]) -> Iterator[Along]:
    asked = q
    if q.h.has(sp.tan) or q.g.has(sp.tan):  # near a pole the quotient is as large as at it
        top, bottom = sp.fraction(sy.together((q.h / q.g).replace(sp.tan, lambda x: sp.sin(x) / sp.cos(x))))
        q = Question(top, q.order, bottom)
        waves = oscillators(q, frozenset(regime.scales) | frozenset(regime.ties))[0]
    arguments = [a.args[0] for a in waves]
    carrier = _carrier(arguments)
    if carrier is None or not _runs_to_infinity(carrier, regime):
        return
    period = int(sp.ilcm(1, *(_line(argument, carrier)[0].q for argument in arguments)))
    if period > MOST_CLASSES:
        return
    lines = list(dict.fromkeys(_line(argument, carrier) for argument in arguments))
    places = [(p + 2 * sp.Integer(k), line) for line in lines for p in PHASES for k in range(period)]
    for at in dict.fromkeys((phase * sp.pi - shift) / rate for phase, (rate, shift) in places):  # one argument is at a phase
        swap = {}
        for a, argument in zip(waves, arguments, strict=True):
            rate, shift = _line(argument, carrier)
            swap[a] = a.func(sy.expand(rate * at + shift))
        words = f"{carrier} = {2 * period * sp.pi}*k" + (f" + {at}" if at != 0 else "")
        plain = Question(q.h.xreplace(swap), q.order, q.g.xreplace(swap))
        beside = BESIDE if asked is not q and plain.g == 0 else sp.S.Zero
        values = [2 * period * sp.pi * k + at + beside for k in SIZES]
        yield Along(words, plain, _members(carrier, values, regime))


def _carrier(arguments: list[sp.Expr]) -> sp.Expr | None:
    """The part of the arguments of which all are rational multiples, up to constants."""
    parts = {_split(argument)[0] for argument in arguments}
    return parts.pop() if len(parts) == 1 else None


def _split(argument: sp.Expr) -> tuple[sp.Expr, sp.Rational]:
    """argument = factor * rest + constant, factor rational."""
    varying = sp.Add(*(term for term in sp.Add.make_args(sy.expand(argument)) if term.free_symbols))
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
    constant = sp.Add(*(term for term in sp.Add.make_args(sy.expand(argument)) if not term.free_symbols))
    return factor, constant


def _runs_to_infinity(carrier: sp.Expr, regime: Regime) -> bool:
    """Whether it is continuous from some point on and tends to +oo, in the variables alone."""
    if carrier.free_symbols - set(regime.scales) - set(regime.ties):
        return False
    if not all(isinstance(part, CONTINUOUS) for part in sp.preorder_traversal(carrier)):
        return False
    try:
        growth, coefficient = Expander(regime, 2)(carrier).leading()
    except ValueError:
        return False
    return bool(growth.limit() == "infinity" and coefficient.is_number and number(coefficient) > 0)


# --- integer parts --------------------------------------------------------------------------------


def _jumps(q: Question, regime: Regime, jumps: list[sp.Expr]) -> Iterator[Along]:
    """Real n: B(n) = m k + c makes every floor(a B + b) exact, for rational a, and what is made of these."""
    inner = [j for j in jumps if not j.args[0].has(sp.floor, sp.ceiling)]
    arguments = {j.args[0] for j in inner}
    carrier = arguments.pop() if len(arguments) == 1 else _carrier([j.args[0] for j in inner])
    if carrier is None or not _runs_to_infinity(carrier, regime):
        return
    t = sp.Dummy("t", positive=True)
    on_line = {}
    rates = []
    for j in inner:
        rate, shift = (sp.S.One, sp.S.Zero) if j.args[0] == carrier else _line(j.args[0], carrier)
        rates.append(rate)
        on_line[j] = j.func(rate * t + shift)
    h, g = q.h.xreplace(on_line), q.g.xreplace(on_line)
    if q.h.has(sp.tan) or q.g.has(sp.tan):
        return
    modulus = int(sp.ilcm(1, *(rate.q for rate in rates)))
    for m in dict.fromkeys((modulus, 2 * modulus)):
        for c in [r + f for f in FRACTIONS for r in range(m)] if m <= MOST_CLASSES else []:
            try:
                top, bottom = classes.along(h, t, m, c), classes.along(g, t, m, c)
            except classes.NotReal:
                continue
            if top is None or bottom is None:
                break
            plain = Question(top.xreplace({t: carrier}), q.order, bottom.xreplace({t: carrier}))
            if classes.oscillates(sp.Tuple(plain.h, plain.g), regime.scales[0]):
                continue
            words = f"{carrier} = {'' if m == 1 else f'{m}*'}k" + (f" + {c}" if c else "")
            yield Along(words, plain, _members(carrier, [m * sp.Integer(k) + c for k in SIZES], regime))


def _powers(q: Question, regime: Regime, jumps: list[sp.Expr]) -> Iterator[Along]:
    """Whole n, and floor or ceiling of n^(1/q), or of ln n/ln c: n runs through whole numbers that are told by k."""
    (n,) = regime.scales
    arguments = {j.args[0] for j in jumps}
    if len(arguments) != 1 or regime.ties:
        return
    (argument,) = arguments
    k = sp.Symbol("k", positive=True)
    for words, member, low, floor_value in _whole_members(argument, n, k):
        swap = {j: floor_value if isinstance(j, sp.floor) or low else floor_value + 1 for j in jumps}
        plain = Question(q.h.xreplace(swap).subs(n, member), q.order, q.g.xreplace(swap).subs(n, member))

        def at(member: sp.Expr = member) -> Iterator[Point]:
            for size in SIZES:
                if size <= 10**4 or member.is_polynomial(k):
                    yield {n.name: member.subs(k, sp.Integer(size)), k.name: sp.Integer(size)}

        yield Along(f"n = {words}".replace("n", n.name, 1), plain, at, k)


def _whole_members(argument: sp.Expr, n: sp.Symbol, k: sp.Symbol) -> Iterator[tuple[str, sp.Expr, bool, sp.Expr]]:
    """(n in words, n, whether the argument is floor(argument) itself, floor(argument)) as functions of k."""
    if argument.is_Pow and argument.base == n and argument.exp.is_Rational and argument.exp.p == 1 and argument.exp.q <= 4:
        power = int(argument.exp.q)  # k^q <= k^q + j k^(q-1) < (k+1)^q for 0 <= j < q
        for j in range(power):
            member = k**power + j * k ** (power - 1)
            yield str(member), member, j == 0, k
    base = sy.simplify(sp.log(n) / argument)
    if base.func is sp.log and base.args[0].is_Integer and base.args[0] >= 2:
        c = base.args[0]
        for j in (1, 2) if c > 2 else (1, sp.Rational(3, 2)):  # c^k <= j c^k < c^(k+1), whole for k >= 1
            yield (f"{c}**k" if j == 1 else f"{j}*{c}**k"), j * c**k, j == 1, k


# --- members ------------------------------------------------------------------------------------


def _members(carrier: sp.Expr, values: list[sp.Expr], regime: Regime) -> Callable[[], Iterator[Point]]:
    """The points at which the carrier has these values: by a formula where it has one, else as certified roots."""
    (scale,) = regime.scales
    within = carrier.subs(dict(regime.ties))

    def at() -> Iterator[Point]:
        for size, value in zip(SIZES, values, strict=True):
            place: Any = preimage(within, scale, value)
            if place is None and size <= NAMED:
                place = _root(within, scale, value)
            if place is None:
                continue
            point = {scale.name: place}
            for symbol, tie in regime.ties.items():
                if tie.free_symbols == {scale} and isinstance(place, sp.Basic):
                    point[symbol.name] = tie.subs(scale, place)
            yield point

    return at


def preimage(carrier: sp.Expr, n: sp.Symbol, value: sp.Expr) -> sp.Expr | None:
    """The n > 0 at which a chain of powers, logarithms, exponentials and lines in n has a value; None: no such chain,
    or a number that is too large to be written.

    >>> n = sp.Symbol("n", positive=True)
    >>> preimage(2 * sp.log(n) ** 2 + 1, n, sp.Integer(9)), preimage(n + sp.log(n), n, sp.Integer(9))
    (exp(2), None)
    """
    while carrier != n:
        if carrier.is_Add or carrier.is_Mul:
            fixed, rest = carrier.as_independent(n)
            if rest.func is carrier.func or not fixed.is_number:  # two parts of it hold n
                return None
            value = value - fixed if carrier.is_Add else value / fixed
        elif isinstance(carrier, sp.log):
            if not abs(float(value)) < LARGEST_LOG:
                return None
            rest, value = carrier.args[0], sp.exp(value)
        elif isinstance(carrier, sp.exp):
            rest, value = carrier.args[0], sp.log(value)
        elif carrier.is_Pow and n not in carrier.exp.free_symbols and carrier.exp.is_number:
            rest, value = carrier.base, value ** (1 / carrier.exp)
        elif carrier.is_Pow and n not in carrier.base.free_symbols and carrier.base.is_number:
            rest, value = carrier.exp, sp.log(value) / sp.log(carrier.base)
        else:
            return None
        carrier = rest
    return value


def _root(carrier: sp.Expr, n: sp.Symbol, value: sp.Expr) -> Any:
    """A certified root of carrier = value: between two powers of 2."""
    try:
        for power in range(1, MOST_DOUBLINGS):
            if ball(carrier - value, {n.name: sp.Integer(2) ** power}, 512) > 0:
                near = sp.Integer(2) ** power
                return enclose_root(carrier - value, n.name, {}, 3 * near / 4, near / 4, digits=120, within=(sp.S.One, sp.oo))
    except (Undecided, InputError, ValueError, ArithmeticError):
        return None
    return None
