"""Numbers alone: a quotient at growing n, where no derivation was found.  Never more than *supported*.

Most quotients of papers converge like 1/ln n, so that a value at n = 10^1000 is still 10^-3 off, and a limit that is
wrong by 10^-4 looks the same.  What is asked here is whether the values converge *to the limit that is claimed*: either
they reach it to within RESOLVED, or they do so when they are extrapolated in x = 1/ln n to x = 0 (Neville's scheme), by
extrapolations that agree with each other.  Otherwise nothing is said: a gap that shrinks shows no limit by itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from asymp import budget
from asymp.check.derived import in_lowest_terms, runs_of
from asymp.check.measure import cap_bits, named, some
from asymp.check.theorems import decided
from asymp.claim import Asymptotic, Claim, Evidence, Finding, Outcome, Strength, Witness
from asymp.enclosure import InputError, Undecided, enclose
from asymp.kernel import terms
from asymp.kernel.growths.regime import moving, names_in, ties
from asymp.kernel.terms import Term
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Compared, Grows
from asymp.language.known import is_infinite
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.parse.at import term_of

SIZES = (8, 12, 20, 32, 50, 80, 130, 210, 340, 550, 1000)
"""Powers of 10 at which the quotient is enclosed."""
SHOWN = (8, 20, 1000)
"""Those that are shown."""
FAR = 20
"""Powers of 10 from which on n is no round number: what is periodic in n shows."""
RESOLVED = 1e-8
"""A trend tells limits apart that differ by more than this; it speaks for one only where it resolves as much."""
EXACT = 1e-13
"""Distances below this may be rounding."""
DIGITS = 40
"""Digits of the values that are extrapolated."""
PLAIN = 20
"""Bits of the numbers in a statement of which a trend may speak: 1 + 10^-9 is beyond RESOLVED."""
LEAST = 4
"""Values at least of a trend."""
JUMPING = frozenset(
    "sin cos tan cot sec csc floor ceiling mod frac besselj bessely sign Abs Min Max".split()
)


def trend(claim: Claim) -> Evidence:
    """The evidence of certified values alone.

    Raises:
        Undecided: a relation without a quotient, or one that oscillates.
    """
    assert isinstance(claim.relation, Asymptotic)
    statement, tried = claim.relation.statement, claim.relation.tried
    moves, tied = moving(statement), ties(statement.regime)
    still = sorted(names_in(statement) - moves - terms.CONSTANTS - {"oo"})
    if still and not tried:
        raise Undecided(f"the answer may hang on {still[0]}, and numbers are computed at few values of it")
    cut = any(isinstance(c, Grows) or (isinstance(c, Compared) and c.signs != ("=",)) for c in statement.regime)
    if len(moves - tied.keys()) > 1 and (cut or not tried):
        raise Undecided("the answer may hang on the path, and numbers are computed on few")
    quotient, target, bounded = question(statement.body)
    if _oscillates(quotient):
        raise Undecided("a quantity that oscillates or jumps shows no trend at a few points")
    _shows(statement)
    plain = in_lowest_terms(quotient)
    if {x.head for x in terms.walk(plain)} < {x.head for x in terms.walk(quotient)}:  # the kernel may know what is left
        node = Parser(str(plain)).whole()
        body = Ordering(node, "O", Node("number", 1, "1")) if bounded else Limiting(node, Node("number", 1, f"{target:g}"))
        found = decided(replace(claim, closed=str(replace(statement, body=body))), (Outcome.REFUTED,))
        if not isinstance(found, str):
            raise Undecided(f"numbers are not asked where a theorem speaks against the quotient: {found[1]}")
    runs = runs_of(statement, tried)
    points: list[Witness] = []
    rows: list[list[tuple[int, Any]]] = []
    for run in some(runs, thorough=True):
        row: list[tuple[int, Any]] = []
        for k, size in enumerate(SIZES):
            n = 10**size + (k if size >= FAR else 0)  # whole numbers of more than one residue, one after the other
            at = run.at(n)
            try:
                work = budget.BALL if size <= FAR else budget.FAR_BALL  # what gains nothing by that is left
                value = enclose(quotient, at, digits=DIGITS, cap_bits=cap_bits(quotient, 10**size), steps=work)
            except (Undecided, InputError):
                continue  # too small to be told from 0 there
            if not value.ball.is_finite():
                continue
            shown = {run.runner: named(10**size), **{name: str(x) for name, x in run.instance.items()}}
            if size in SHOWN:
                points.append(Witness({**shown, "path": run.name}, value.value, value.radius))
            row.append((size, value.ball))
        rows.append(row)
    said = [_stays_bounded(row) if bounded else approaches(row, target) for row in rows]
    finding, words = _together(said, rows)
    if finding is not Finding.CONFIRMED:
        return Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, words, tuple(points), finding=finding)
    return Evidence("enclosed", Outcome.HOLDS, Strength.SUPPORTED, words, tuple(points), finding=finding)


def _shows(statement: Statement) -> None:
    """Nothing, where all numbers in a statement are such as show at the points tried.

    Raises:
        Undecided: one has many digits, or is very small, very large or next to a whole number, as 1/gamma(30) and tanh(20) are.
    """
    why = "a term with so large or small a number in it need not show at the points tried"
    for part in dict.fromkeys(part for node in statement.body.terms() for part in terms.walk(term_of(node))):
        if part.is_number:
            found = max(abs(int(part.number.numerator)), int(part.number.denominator)).bit_length() <= PLAIN
        elif part.free or part.indices or not part.parts or part.head in terms.BINDERS:
            continue
        else:
            try:
                size = abs(enclose(part, {}, digits=DIGITS).ball)
            except InputError as error:
                raise Undecided(str(error)) from error
            away = abs(size - round(float(size.mid())))
            found = all(bool(x == 0) or bool(x > 2.0**-PLAIN) for x in (size, away)) and bool(size < 2.0**PLAIN)
        if not found:
            raise Undecided(why)


def _oscillates(quotient: Term) -> bool:
    """Whether something in it, a summand too, changes its sign or jumps for ever."""

    def alternates(part: Term) -> bool:
        return part.head == "power" and part.parts[0].is_number and part.parts[0].number < 0 and not part.parts[1].is_number

    return any(part.head in JUMPING or alternates(part) for part in terms.walk(quotient))


def _together(said: list[tuple[Finding, str]], rows: list[list[tuple[int, Any]]]) -> tuple[Finding, str]:
    for bad in (Finding.CONTRADICTED, Finding.UNMEASURED):
        for finding, words in said:
            if finding is bad:
                return finding, words
    if not said or not any(rows):
        return Finding.UNMEASURED, "no value could be certified"
    return said[0]


def _stays_bounded(row: Sequence[tuple[int, Any]]) -> tuple[Finding, str]:
    """Whether |quotient| falls at the last sizes, or has a limit that the values tell; n^(10^-6) has none.

    >>> from asymp.enclosure import ball
    >>> def said(f):
    ...     return _stays_bounded([(s, ball(terms.read(f), {"n": 10**s}, 4000)) for s in SIZES])[0].value
    >>> said("2 + 1/log(n)"), said("2 - 1/log(n)"), said("(2 + 1/log(n))*n^(1/10^6)")
    ('confirmed', 'confirmed', 'unmeasured')
    """
    if len(row) < LEAST:
        return Finding.UNMEASURED, f"values could be certified at fewer than {LEAST} sizes"
    sizes = [float(abs(ball).upper().log().mid()) if ball != 0 else -math.inf for _, ball in row]
    if any(math.isnan(x) or x == math.inf for x in sizes):
        return Finding.UNMEASURED, "the quotient is not finite"
    falls = all(b <= a for a, b in itertools.pairwise(sizes[-4:]))
    if falls or _spread(row) < 1e-6 * max(1.0, _upper(_extrapolated(row))):
        return Finding.CONFIRMED, f"the quotient stays below {math.exp(min(max(sizes), 700.0)):.3g}"
    return Finding.UNMEASURED, "the numbers show no clear trend"


def _spread(row: Sequence[tuple[int, Any]]) -> float:
    """How far extrapolations from different values are apart."""
    if len(row) <= LEAST + 2:
        return math.inf
    centre = _extrapolated(row)
    return max(_upper(e - centre) for e in (_extrapolated(row[1:]), _extrapolated(row[2:]), _extrapolated(row[:-1])))


def approaches(row: Sequence[tuple[int, Any]], target: float) -> tuple[Finding, str]:
    """Whether values at n = 10^size converge to the target, to within RESOLVED.

    >>> from asymp.enclosure import ball
    >>> def row(f):
    ...     return [(s, ball(terms.read(f), {"n": 10**s}, 4000)) for s in SIZES]
    >>> slow = "(1 + 3/log(n) - 7/log(n)^2 + sqrt(2)/log(n)^3)"
    >>> approaches(row(slow), 1)[0].value, approaches(row(slow + "*(1 + 1/10^6)"), 1)[0].value
    ('confirmed', 'contradicted')
    >>> approaches(row("1 + 1/log(log(n))"), 1)[0].value
    'unmeasured'
    """
    if len(row) < LEAST:
        return Finding.UNMEASURED, f"values could be certified at fewer than {LEAST} sizes"
    gaps = [abs(ball - target) for _, ball in row]
    worst = max(_upper(gap) for gap in gaps[-6:])
    if _lower(gaps[-1]) > max(0.9 * _upper(gaps[-2]), EXACT) and _upper(gaps[-1]) < RESOLVED:
        return Finding.CONTRADICTED, f"the quotient's distance from {target:g} stays at {_upper(gaps[-1]):.3g}"
    if worst < RESOLVED and _upper(gaps[-1]) <= _upper(gaps[-3]):
        return Finding.CONFIRMED, f"the quotient's distance from {target:g} shrinks to {_upper(gaps[-1]):.3g}"
    centre, spread = _extrapolated(row), _spread(row)
    if not spread < RESOLVED:
        return Finding.UNMEASURED, "the values converge too slowly for their limit to be told from others near it"
    far = abs(centre - target)
    if _upper(far) < min(RESOLVED, 100 * max(spread, EXACT)):
        return Finding.CONFIRMED, f"the quotient's values, extrapolated in 1/ln n, are {_upper(far):.3g} from {target:g}"
    if _lower(far) > 10 * max(spread, EXACT):
        return Finding.CONTRADICTED, f"the quotient's values approach {float(centre.mid()):.12g}, not {target:g}"
    return Finding.UNMEASURED, "the numbers show no clear trend"


def _extrapolated(row: Sequence[tuple[int, Any]]) -> Any:
    """The polynomial in x = 1/size through the values, at x = 0."""
    values = [ball for _, ball in row]
    sizes = [size for size, _ in row]
    for step in range(1, len(values)):
        # with x_i = 1/s_i: (x_i p_{i+1} - x_{i+step} p_i)/(x_i - x_{i+step}), here multiplied by s_i s_{i+step}
        values = [
            (values[i + 1] * sizes[i + step] - values[i] * sizes[i]) / (sizes[i + step] - sizes[i])
            for i in range(len(values) - 1)
        ]
    return values[0]


def _upper(ball: Any) -> float:
    found = float(abs(ball).upper())
    return math.inf if math.isnan(found) else found


def _lower(ball: Any) -> float:
    found = float(abs(ball).lower())
    return 0.0 if math.isnan(found) else found


def question(body: Body) -> tuple[Term, float, bool]:
    """(quotient, its target, whether it need only stay bounded).

    Raises:
        Undecided: a relation without one.
    """

    def over(f: Term, g: Term) -> Term:
        return terms.multiply(f, terms.reciprocal(g))

    match body:
        case Ratio():
            return over(term_of(body.left), term_of(body.right)), 1.0, False
        case Limiting() if not is_infinite(body.value):
            f, value = term_of(body.left), term_of(body.value)
            return (f, 0.0, False) if value == terms.ZERO else (over(f, value), 1.0, False)
        case Expanding():
            gap = terms.add(term_of(body.left), terms.negative(term_of(body.kept)))
            return over(gap, term_of(body.growth)), 0.0, body.order == "O"
        case Ordering() if body.order in ("O", "o"):
            return over(term_of(body.left), term_of(body.growth)), 0.0, body.order == "O"
    raise Undecided("such a relation has no trend")
