r"""Orders of growth where expansions fail: what oscillates, and what is bounded by an explicit constant.

Every asymptotic relation is one question or two: is h = O(g), or h = o(g)?

* *Over residue classes.*  For whole n, what (-1)^P(n), floor(P(n)) and cos(pi P(n)) are along each class n = m k + r is
  exact (:mod:`asymp.check.classes`): a statement that fails along one class fails, one that holds along all of
  a complete system holds.
* *Refuted along a sequence* (:mod:`asymp.check.sequences`) of the domain on which nothing oscillates: what then remains is a
  statement without oscillation, and where that fails the one that was asked fails.
* *Held by explicit bounds.*  |h/g| <= C G for n >= N with G bounded, or G -> 0 (:mod:`asymp.expand.calculus`).
* *Held at the ends.*  If h/g, or its logarithm, is monotone in each sine on [-1, 1], it is largest at -1 or 1.

Exact zeros have their own rules: 0 = o(0), and f = O(0) only where f vanishes from some point on.  Every answer passes
the gate (:mod:`asymp.check.gate`): certified values of the statement as it was asked confirm it, or there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import sympy as sp

import asymp.symbolics as sy
from asymp.check import classes, gate, symbolic
from asymp.check.gate import Gate, Point, Question
from asymp.check.quotient import by_explicit_bounds
from asymp.check.sequences import Along, oscillators, questions, sequences, whole_variable
from asymp.check.vanish import difference_is_zero
from asymp.claim import Claim, Evidence, Finding, Limit, Order, Outcome, Step, Strength, Verdict
from asymp.expand import Expander
from asymp.scale import Regime, sign

MOST_OPERATIONS = 60
"""In an expression whose sines of sums are written out."""
Check = Callable[[Claim], Verdict]


def decide(claim: Claim, check: Check) -> tuple[Evidence, ...]:
    """Lines of evidence that decide the claim, the first of them symbolic; or none.

    Args:
        claim: with a regime.
        check: the judge, for the statements without oscillation.
    """
    asked = questions(claim.relation)
    regime = claim.regime
    if not asked or regime is None or (len(regime.scales) != 1):
        return ()
    whole = whole_variable(regime)
    if whole is None:
        return ()
    try:
        if whole:
            lines = _over_classes(claim, regime, check)
            if lines:
                return lines
        else:
            _must_be_real(claim.relation, regime)
    except classes.NotReal:
        return ()
    return _all_hold((_decide(q, claim, check, whole) for q in asked), claim)


def _must_be_real(relation: object, regime: Regime) -> None:
    found = sp.Tuple(*(x for x in vars(relation).values() if isinstance(x, sp.Basic))).subs(dict(regime.ties))
    if classes.forces_whole(found, regime.scales[0]):
        raise classes.NotReal("a power of a negative number is real at whole exponents alone")


def _all_hold(parts: Iterable[tuple[Evidence, ...]], claim: Claim) -> tuple[Evidence, ...]:
    """The first refutation, or all parts together where each of them holds."""
    held: list[Evidence] = []
    all_hold = True
    for lines in parts:
        if lines and lines[0].outcome is Outcome.REFUTED:
            return lines
        all_hold = all_hold and bool(lines) and lines[0].outcome is Outcome.HOLDS
        held += lines
    if not all_hold or not held or (isinstance(claim.relation, Limit) and claim.relation.value.is_finite is False):
        return ()  # f -> oo is more than 1 = o(f): the sign of f is open
    first = [line for line in held if line.kind == "symbolic"]
    return (*first, *[line for line in held if line.kind != "symbolic"])


def _decide(q: Question, claim: Claim, check: Check, whole: bool) -> tuple[Evidence, ...]:
    assert claim.regime is not None
    return (
        _zero(q, claim.regime, whole)
        or _along_a_sequence(q, claim, check, whole)
        or by_explicit_bounds(q, claim.regime, whole)
        or _at_the_ends(q, claim, check, whole)
    )


# --- points at which a question is measured ------------------------------------------------------


def _points(q: Question, regime: Regime, whole: bool, start: int = 1, extra: sp.Basic | None = None) -> Iterator[Point]:
    (n,) = regime.scales
    found = gate.whole_points(n, start) if whole else gate.real_points(n, start)
    used = q.h.free_symbols | q.g.free_symbols | (extra.free_symbols if extra is not None else set())
    return gate.complete(found, regime, used)


# --- exact zeros ---------------------------------------------------------------------------------


def is_zero(expr: sp.Expr) -> bool:
    """Whether an expression vanishes identically, by algebra."""
    if expr == 0 or sy.expand(expr) == 0:
        return True
    if expr.has(sp.sin, sp.cos) and expr.count_ops() < MOST_OPERATIONS and sy.expand(_in_sines(sp.expand_trig(expr))) == 0:
        return True
    return bool(difference_is_zero(expr, sp.S.Zero))


def _in_sines(expr: sp.Expr) -> sp.Expr:
    """cos(A)^2 = 1 - sin(A)^2 put in."""
    expr = sy.expand(expr)
    squares = {p: (1 - sp.sin(p.base.args[0]) ** 2) ** (p.exp / 2) for p in expr.atoms(sp.Pow)
               if isinstance(p.base, sp.cos) and p.exp.is_Integer and p.exp.is_even and p.exp > 0}  # fmt: skip
    return expr.xreplace(squares) if squares else expr


def _zero(q: Question, regime: Regime, whole: bool) -> tuple[Evidence, ...]:
    """h = 0 is o of anything; and what has a leading term is not O(0)."""
    if is_zero(q.h):
        why = f"the left side is identically 0, which is {q.order} of anything"
        measured = gate.vanishes(q.h, _points(q, regime, whole))
        return measured.proof(Outcome.HOLDS, why, (Step("exact zero", "h = 0"),))
    if is_zero(q.g) and _never_zero_far_out(q.h, regime):
        why = f"{q.h} does not vanish far out and the bound is identically 0: |h| <= C*0 fails"
        measured = gate.along(q, Question(q.h, q.order, sp.S.Zero), _points(q, regime, whole))
        return measured.proof(Outcome.REFUTED, why, (Step("exact zero", "g = 0"),))
    return ()


def _never_zero_far_out(expr: sp.Expr, regime: Regime) -> bool:
    """Whether an expression has a leading term whose sign is known, hence no zero far out."""
    try:
        _, coefficient = Expander(regime, 3)(expr).leading()
    except ValueError:
        return False
    return sign(coefficient) in (1, -1)


# --- residue classes -----------------------------------------------------------------------------


def _over_classes(claim: Claim, regime: Regime, check: Check) -> tuple[Evidence, ...]:
    """The statement along every class of a complete system: one that fails is enough, all must hold.

    Raises:
        NotReal: it has no meaning along some class.
    """
    (n,) = regime.scales
    fields = {name: x for name, x in vars(claim.relation).items() if isinstance(x, sp.Basic)}
    together = sp.Tuple(*fields.values())
    resolved = together.subs(dict(regime.ties))
    if not classes.oscillates(resolved, n):
        return ()
    found = classes.over_classes(resolved, n)
    if len(found) == 1 and found[0][2] == resolved:
        return ()
    seen: dict[sp.Basic, tuple[Evidence, ...]] = {}
    held: list[tuple[str, tuple[Evidence, ...]]] = []
    for modulus, residue, plain in found:
        words = _class_name(n, modulus, residue)
        there = replace(claim, relation=replace(claim.relation, **dict(zip(fields, plain.args, strict=True))), refuting=())
        points = list(gate.whole_points(n, modulus, modulus, residue))
        measured = _agrees(claim, there, regime, points)
        if measured.finding is not Finding.CONFIRMED:
            return ()
        if plain not in seen:
            seen[plain] = _plainly(there, regime, check)
        lines = seen[plain]
        if lines and lines[0].outcome is Outcome.REFUTED:
            return _failing(words, there, lines, measured)
        held.append((words, (*lines, measured.line(Outcome.HOLDS)) if lines else ()))
    if not all(lines for _, lines in held):
        return ()
    said = "; ".join(f"along {words}: {lines[0].detail}" for words, lines in held)
    steps = [Step(f"along {words}", lines[0].detail) for words, lines in held]
    why = said if len(held) == 1 else f"along each class mod {found[0][0]}: {said}"
    first = Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, why, steps=tuple(steps))
    numbers = [line for _, lines in held for line in lines if line.kind == "enclosed"]
    return (first, *{(line.outcome, line.detail): line for line in numbers}.values()) if numbers else ()


def _class_name(n: sp.Symbol, modulus: int, residue: int) -> str:
    if modulus == 1:
        return f"whole {n}"
    if modulus == 2:
        return f"{'odd' if residue else 'even'} {n}"
    return f"{n} = {modulus}*k" + (f" + {residue}" if residue else "")


def _agrees(claim: Claim, there: Claim, regime: Regime, points: list[Point]) -> Gate:
    """Whether the statement as asked has, at members of the class, the values of what was put in for it."""
    pairs = list(zip(questions(claim.relation), questions(there.relation), strict=True))
    checked = []
    for asked, plain in pairs:
        plain = Question(_cleared(plain.h), plain.order, _cleared(plain.g))
        used = asked.h.free_symbols | asked.g.free_symbols | plain.h.free_symbols | plain.g.free_symbols
        if plain.h == 0 and plain.g == 0:
            checked += [gate.vanishes(x, gate.complete(points, regime, used)) for x in (asked.h, asked.g)]
        else:
            checked.append(gate.along(asked, plain, gate.complete(points, regime, used)))
    return gate.together(checked)


def _cleared(expr: sp.Expr) -> sp.Expr:
    return sp.S.Zero if is_zero(expr) else expr


def _plainly(there: Claim, regime: Regime, check: Check) -> tuple[Evidence, ...]:
    """What becomes of a statement along a class: proved lines, or none."""
    relation = there.relation
    if isinstance(relation, Limit) and relation.value.is_finite is False:
        return _by_judge(there, check)

    def part(q: Question) -> tuple[Evidence, ...]:
        q = Question(_cleared(q.h), q.order, _cleared(q.g))
        return (
            _zero(q, regime, True)
            or _by_judge(replace(there, relation=Order(q.h, q.order, q.g)), check)
            or by_explicit_bounds(q, regime, True)
        )

    return _all_hold((part(q) for q in questions(relation)), there)


def _by_judge(claim: Claim, check: Check) -> tuple[Evidence, ...]:
    """The judge's lines on a statement without oscillation, where it proves or refutes it and numbers confirm that."""
    verdict = check(claim)
    if verdict.outcome is Outcome.UNDECIDED or verdict.strength is not Strength.PROVED:
        return ()
    lines = verdict.evidence
    return lines if lines and lines[0].kind == "symbolic" and lines[0].outcome is verdict.outcome else ()


def _failing(words: str, there: Claim, lines: tuple[Evidence, ...], measured: Gate) -> tuple[Evidence, ...]:
    """A refutation along a class or sequence: the reason, the steps, and the numbers of the statement as asked first."""
    relation = there.relation
    text = relation.kind
    if isinstance(relation, Order):
        text = Question(relation.f, relation.order, relation.g).text()
    elif questions(relation):
        text = questions(relation)[0].text()
    why = f"fails along {words} (k = 1, 2, ...): {text} does not hold, {lines[0].detail}"
    first = replace(lines[0], detail=why, steps=(Step(f"along {words}, k = 1, 2, ...", text), *lines[0].steps))
    return (first, measured.line(Outcome.REFUTED), *lines[1:])


# --- along a sequence --------------------------------------------------------------------------


def _along_a_sequence(q: Question, claim: Claim, check: Check, whole: bool) -> tuple[Evidence, ...]:
    """Evidence that the question fails along a sequence of the domain; empty where none was found."""
    regime = claim.regime
    assert regime is not None
    for one in sequences(q, regime, whole):
        cleared = _without_poles(one.plain)
        if cleared is None or cleared.h == 0:
            continue
        within = regime if one.index is None else replace(Regime.single(one.index), ranges=regime.ranges,
                                                          instances=regime.instances, whole=frozenset({one.index.name}))
        if cleared.g == 0:
            if not _never_zero_far_out(cleared.h, within):
                continue
            why = f"along {one.words} (k = 1, 2, ...) the bound is 0 and the left side is {cleared.h}, which is not 0"
            step = Step(f"along {one.words}, k = 1, 2, ...", sy.latex(cleared.h) + f" = {q.order}\\left(0\\right)?")
            lines = _at_members(q, cleared, one, regime).proof(Outcome.REFUTED, why, (step,))
            if lines:
                return lines
            continue
        simple = replace(claim, relation=Order(cleared.h, q.order, cleared.g), regime=within, refuting=())
        lines = _refuted(simple, check)
        if not lines:
            continue
        measured = _at_members(q, cleared, one, regime)
        if measured.finding is Finding.CONFIRMED:
            return _failing(one.words, simple, lines, measured)
    return ()


def _refuted(simple: Claim, check: Check) -> tuple[Evidence, ...]:
    """The judge's lines where it refutes a statement for all its parameters, by a derivation."""
    try:
        if any(d.outcome is not Outcome.REFUTED for d in symbolic.derive(simple)):
            return ()
    except ValueError:  # not derived: nothing is refuted
        return ()
    lines = _by_judge(simple, check)
    return lines if lines and lines[0].outcome is Outcome.REFUTED else ()


def _at_members(q: Question, plain: Question, one: Along, regime: Regime) -> Gate:
    used = q.h.free_symbols | q.g.free_symbols | plain.h.free_symbols | plain.g.free_symbols
    return gate.along(q, plain, gate.complete(one.at(), regime, used))


def _without_poles(q: Question) -> Question | None:
    """The question with zeros written as 0; None where a side is not finite."""
    h, g = sy.together(q.h), sy.together(q.g)
    if h.has(sp.zoo, sp.nan, sp.oo) or g.has(sp.zoo, sp.nan, sp.oo):
        return None
    return Question(_cleared(q.h), q.order, _cleared(q.g))


# --- at the ends of what oscillates --------------------------------------------------------------


def _at_the_ends(q: Question, claim: Claim, check: Check, whole: bool) -> tuple[Evidence, ...]:
    """h/g monotone in each of sin, cos on [-1, 1], or its logarithm linear: largest at the ends.  (-1)^n is at an end."""
    regime = claim.regime
    assert regime is not None
    waves, jumps, signs = oscillators(q, frozenset(regime.scales) | frozenset(regime.ties))
    atoms = [*waves, *signs]
    if not atoms or jumps or len(atoms) > 2 or any(isinstance(a, sp.tan) for a in atoms):
        return ()
    if any(a.base != -1 for a in signs) or (signs and not whole):
        return ()
    names = {a: sp.Dummy("s", real=True) for a in atoms}
    h, g = q.h.xreplace(names), q.g.xreplace(names)
    for a in waves:
        if not (_linear(h, names[a]) and not g.has(names[a])) and not _log_linear(h / g, names[a]):
            return ()
    lines: list[Evidence] = []
    steps = [Step("largest where each sine is -1 or 1", "")]
    largest = sp.S.Zero
    for corner in itertools.product((1, -1), repeat=len(atoms)):
        swap = dict(zip(names.values(), corner, strict=True))
        plain = Question(_cleared(h.subs(swap)), q.order, _cleared(g.subs(swap)))
        if plain.h == 0:
            continue
        if plain.g == 0:
            return ()
        found = _by_judge(replace(claim, relation=Order(plain.h, q.order, plain.g), refuting=()), check)
        if not found or found[0].outcome is not Outcome.HOLDS:
            return ()
        lines += found
        steps += [step for line in found for step in line.steps]
        largest = largest + sp.Abs(plain.h / plain.g)
    if not lines:
        return ()
    why = "; ".join(dict.fromkeys(line.detail for line in lines if line.kind == "symbolic"))
    measured = gate.within(q, largest, _points(q, regime, whole, extra=largest))
    proved = measured.proof(Outcome.HOLDS, f"at both ends of what oscillates: {why}", tuple(steps))
    return (*proved, *[line for line in lines if line.kind == "enclosed"]) if proved else ()


def _linear(expr: sp.Expr, s: sp.Symbol) -> bool:
    return bool(sy.expand(sy.diff(expr, s, 2)) == 0)


def _log_linear(expr: sp.Expr, s: sp.Symbol) -> bool:
    """Whether ln of an expression is linear in s: a product of powers whose exponents alone hold s, linearly."""
    for factor in sp.Mul.make_args(sy.powsimp(expr)):
        base, exponent = (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.as_base_exp()
        if base.has(s) or (exponent.has(s) and not (base.is_positive and _linear(exponent, s))):
            return False
    return True
