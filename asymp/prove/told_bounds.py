"""A proof by the rule ``bounds`` as steps that can be followed: each goal, why it holds, and what is left to be shown.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.bounds import holds
>>> made = holds(read_statement("cos(x) >= 1 - x^2/2 for x >= 0")).made[2]
>>> def lines(steps, depth=0):
...     for step in steps:
...         print((" " * depth + step.rule + " | " + step.latex).rstrip())
...         lines(step.steps, depth + 2)
>>> lines(told(made, str))
Left side less right side: from x = 0 on, by its derivative in x | cos(x) - 1 + 1/2*x^2 \\ge 0
  At x = 0: it is 0 |
  Its derivative in x: from x = 0 on, by its derivative in x | x - sin(x) \\ge 0
    At x = 0: it is 0 |
    Its derivative in x: by the ranges of its parts | 1 - cos(x) \\ge 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from asymp.claim import Step
from asymp.kernel.balls.bounds import Proof, bound
from asymp.kernel.balls.goals import goals
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NEGATIVE, NONE, NONNEGATIVE, POSITIVE, Signs
from asymp.kernel.noted import listening
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused, Term, add, call, multiply, name, negative, number, power, read, reciprocal
from asymp.kernel.theorem import read_closed
from asymp.language.bodies import Comparison, Extreme, Shape
from asymp.language.statement import Statement
from asymp.prove.why import why_signs
from asymp.prove.written import in_factors, shortest

Written = Callable[[Term], str]
_SIGN = {POSITIVE: "> 0", NONNEGATIVE: r"\ge 0", NEGATIVE: "< 0", frozenset({-1, 0}): r"\le 0", NONE: "= 0"}


def told(data: Mapping[str, Any], written: Written, text: Written = str) -> Iterator[Step]:
    """The goals of a proof, in words and as a formula, from the data of its rule; ``text``: how terms stand among words.

    Raises:
        Refused: it is none.
    """
    teller, statement = _Teller(written, text), read_closed(data["statement"])
    for (d, _, at), tree, role in zip(goals(statement), data["proofs"], _first_roles(statement, text), strict=True):
        teller.role = [role]
        teller.signs(d, at, tree)
    yield from teller.found


def _first_roles(statement: Statement, text: Written) -> Iterator[str]:
    """What the goals are to which a statement comes down."""
    body = statement.body
    if isinstance(body, Comparison):
        for _, sign, _ in body.chain.pairs():
            yield "left side less right side" if sign[0] == ">" else "right side less left side"
    elif isinstance(body, Shape):
        minus = "minus " if body.shape in ("decreasing", "nonincreasing") else ""
        yield f"{minus}its derivative in {text(name(body.name))}"
    elif isinstance(body, Extreme):
        yield from ["what says that the place lies in the domain"] * (len(goals(statement)) - 1)
        one, other = ("at the place", "elsewhere")[:: 1 if body.extreme == "largest" else -1]
        yield f"the value {one} less that {other}"


class _Teller(Proof):
    """Checks a proof, and notes each goal when it has been shown, with those to which it comes down."""

    def __init__(self, written: Written, text: Written) -> None:
        super().__init__()
        self.written, self.text = written, text
        self.found: list[Step] = []
        self.role: list[str] = []

    def signs(self, d: Term, at: Context, tree: Any) -> Signs:
        """The same, with a paragraph for the goal."""
        role, (outer, above) = self.role.pop(0), (self.role, self.found)
        why, self.role = self._said(at, tree)
        self.found = []
        found = super().signs(d, at, tree)
        below, self.role, self.found = self.found, outer, above
        shown = [
            self.written(shortest(d, at, lambda one: len(self.written(one)))),
            *([self._parts(d, at, tree)] if tree[0] == "by" and tree[1] else []),
        ]
        last = [_SIGN[found]] if found in _SIGN and not (found == NONE and shown[-1] == "0") else []
        why = why or (self._seen(d, at) if tree[0] == "by" else "")
        if found == NONE and shown == ["0"]:
            why, shown = "it is 0", []
        words = f"{role[:1].upper()}{role[1:]}{f': {why}' if why else ''}"
        self.found.append(Step(words, " ".join([" = ".join(dict.fromkeys(shown)), *last]), "", "", tuple(below)))
        return found

    def _seen(self, d: Term, at: Context) -> str:
        """Why a sign is seen at once; nothing where that is plain."""
        with suppress(Refused), listening() as notes:
            value = Context(at.whole, at.pairs).value(d)
            Context(at.whole, at.pairs).of(value)
            return why_signs(notes, value, self.written)
        return ""

    def _said(self, at: Context, tree: Any) -> tuple[str, list[str]]:
        """Why a goal holds, nothing where its sign is seen; and what the goals are that a step leaves."""
        w = self.text
        v = w(name(tree[1])) if tree[0] in _NAMING else ""
        match tree:
            case ["slope", x, i, *_]:
                a, _, rises = bound(at, x, i)
                why = f"from {v} = {w(a)} {'on' if rises else 'down'}, by its derivative in {v}"
                return why, [f"at {v} = {w(a)}", f"{'' if rises else 'minus '}its derivative in {v}"]
            case ["concave", x, i, j, *_]:
                ends = [f"at {v} = {w(bound(at, x, end)[0])}" for end in (i, j)]
                return f"concave in {v}, between two ends", [
                    *ends,
                    f"its second derivative in {v}, with the other sign",
                ]
            case ["parted", _, place, *_]:
                return "by cases", [f"for {v} from {w(read(place))} on", f"for {v} up to {w(read(place))}"]
            case ["induct", *_]:
                next_one = w(add(name(tree[1]), number(1)))
                return f"by induction on {v}", [f"at the first {v}", f"from {v} to {next_one}"]
            case ["cases", u, *_]:
                return "by cases", [f"where {w(read(u))} is not {sign}" for sign in ("negative", "positive")]
            case ["whole", _, k, *_]:
                return "by cases", [f"for {v} up to {k}", f"for {v} from {k + 1} on"]
            case ["put", x, i, t, _]:
                a, _, rises = bound(at, x, i)
                to = add(a, name(t) if rises else negative(name(t)))
                return f"{v} = {w(to)}, where {w(name(t))} is not negative", [f"with {v} in terms of {w(name(t))}"]
            case ["integrate", _, _, antiderivative, _]:
                return f"by the antiderivative {w(read(antiderivative))}", ["with the integral done"]
            case ["by", facts]:
                why = ", ".join(dict.fromkeys(_KNOWN[fact[0]] for _, fact in facts))
                return why, ["what is used" for _, fact in facts if fact[0] in ("rises", "lemma", "integral")]
        return "", []

    def _parts(self, d: Term, at: Context, tree: Any) -> str:
        """The facts with their factors, and the rest, of which a goal is the sum."""
        rest, parts = at.value(d), []
        for m, fact in tree[1]:
            value, _ = Proof().fact(fact, at)
            rest = rest - at.value(read(m)) * value
            shown = _shown(fact, at, to_term(value))
            with suppress(Refused):
                m = str(in_factors(at.value(read(m))))
            parts.append(self.written(multiply(read(m), shown)))
        if not rest.is_zero or not parts:
            parts += [self.written(add(part)) for part in _parts_of(to_term(rest))]
        return " + ".join(parts).replace("+ -", "- ")


def _parts_of(term: Term) -> tuple[Term, ...]:
    return term.parts if term.head == "sum" else (term,)


_NAMING = frozenset(("slope", "concave", "parted", "induct", "whole", "put"))
"""Steps in one variable, which they name first."""
_KNOWN = {
    "given": "by what is given", "square": "a square is not negative", "log": r"since $\ln y \le y - 1$",
    "exp": r"since $e^{y} \ge 1 + y$", "power": "by Bernoulli's inequality", "rises": "by a function that increases",
    "lemma": "by what follows", "integral": "as one integrand is above the other",
}  # fmt: skip


def _shown(fact: Any, at: Context, value: Term) -> Term:
    """A fact's left side less its right side, as it is known."""
    match fact:
        case ["square", e]:
            return power(read(e), number(2))
        case ["log", u, v]:
            y = multiply(read(u), reciprocal(read(v)))
            return add(y, number(-1), negative(call("log", y)))
        case ["exp", u]:
            return add(call("exp", read(u)), number(-1), negative(read(u)))
    return value
