"""What a theorem's series say of a claim, set against certified numbers as every derivation is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asymp.check.measure import Run
from asymp.claim import Asymptotic, Claim, Outcome, Step
from asymp.kernel import terms
from asymp.kernel.growths.regime import names_in, ranges
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.statement import Statement
from asymp.language.syntax import Parser
from asymp.language.tex import tex
from asymp.parse.at import term_of
from asymp.prove.derivation import in_words
from asymp.prove.expansion import Expanded, expansions
from asymp.regimes.quantities import lone


@dataclass(frozen=True)
class Derived:
    """``expr`` = ``main`` + O(``rest``) on some ways to the limit, by the series of a theorem."""

    statement: Statement
    expr: Term
    main: Term
    rest: Term
    runs: Sequence[Run]
    outcome: Outcome
    why: str
    following: str | None
    steps: tuple[Step, ...] = ()
    whole: bool = False

    @property
    def measured(self) -> Derived:
        """What numbers are set against."""
        return self

    @property
    def text(self) -> str:
        """Its regime, in words."""
        return ", ".join(map(str, self.statement.regime))

    def is_identity(self) -> bool:
        """Whether an expansion without a remainder is the quantity itself, by algebra."""
        domain = ranges((*self.statement.domain, *self.statement.regime))
        try:
            return not domain.value(terms.add(self.expr, terms.negative(self.main))).num
        except Refused:
            return False


def derived(claim: Claim, theorem: Theorem) -> list[Derived]:
    """What the series behind a theorem say of its claim: one, or one for each value of a parameter.

    Raises:
        Refused: it does not come from series in one regime.
    """
    found = []
    for one in expansions(theorem):
        asked = claim.relation
        if str(one.statement) != claim.closed or not isinstance(asked, Asymptotic):
            asked = Asymptotic(one.statement)
        found.append(_derived(one, asked, theorem.holds))
    return found


def _derived(one: Expanded, asked: Asymptotic, holds: bool) -> Derived:
    expr = _quantity(one.statement.body, one.quantity)
    runs: Sequence[Run]
    if one.along:
        along = {name: terms.read(x) for name, x in one.along.items()}
        expr, runs = terms.substitute(expr, along), [Run(f"{one.runner} -> oo", one.runner)]
    else:
        runs = runs_of(asked)
    kept, rests = (list(map(terms.read, texts)) for texts in (one.kept, one.rest))
    written = [_tex(x) for x in one.kept] + [rf"O\left({_tex(x)}\right)" for x in one.rest]
    step = Step("by the series of the theorem", rf"{one.quantity} = {' + '.join(written) or '0'}".replace("+ -", "- "))
    following = " + ".join(in_words(with_powers(terms.read(x))) for x in one.next).replace("+ -", "- ").replace("^", "**")
    outcome, whole = (Outcome.HOLDS if holds else Outcome.REFUTED), bool(asked.whole)
    main, rest = terms.add(*kept), terms.add(*rests)
    return Derived(one.statement, expr, main, rest, runs, outcome, one.why, following or None, (step,), whole)


def runs_of(asked: Asymptotic) -> Sequence[Run]:
    """Ways to the limit: the one variable itself, where it stands alone; else those of the engine's view of the regime."""
    statement = asked.statement
    if (n := lone(statement)) and names_in(statement) == {n}:
        return [Run(f"{n} -> oo", n)]
    from asymp.check import symbolic_integrals  # SymPy is for these alone
    from asymp.expand.view import view_of

    return symbolic_integrals.runs_of(view_of(asked).regime)


def _tex(text: str) -> str:
    return tex(Parser(text).whole(), {})


def _quantity(body: Body, name: str) -> Term:
    def over(f: Term, g: Term) -> Term:
        return terms.multiply(f, terms.reciprocal(g))

    match body:
        case Ratio():
            return over(term_of(body.left), term_of(body.right))
        case Limiting():
            return term_of(body.left)
        case Expanding():
            f = terms.add(term_of(body.left), terms.negative(term_of(body.kept)))
            return over(f, term_of(body.growth)) if name == "f/g" else f
        case Ordering():
            f, g = term_of(body.left), term_of(body.growth)
            f, g = (g, f) if body.order in ("Omega", "omega") else (f, g)
            return over(f, g) if name == "f/g" else f
    raise Refused(f"{type(body).__name__} is not about a limit")


def with_powers(term: Term) -> Term:
    """Powers of x for exponentials of multiples of log(x).

    >>> str(with_powers(terms.read("n/exp(log(n)*a + b)")))
    'exp(-b)*n^(1 - a)'
    """
    if not term.parts:
        return term
    if term.head == "power" and term.parts[0].head == "exp" and term.parts[1].is_number:
        return with_powers(terms.call("exp", _spread(term.parts[1], term.parts[0].parts[0])))
    parts = tuple(map(with_powers, term.parts))
    if term.head == "product":
        return _together(parts)
    if term.head != "exp":
        return terms.rebuilt(term, parts)
    powers, others = [], []
    for part in parts[0].parts if parts[0].head == "sum" else parts:
        factors = part.parts if part.head == "product" else (part,)
        logs = [f for f in factors if f.head == "log"]
        if len(logs) == 1:
            powers.append(terms.power(logs[0].parts[0], terms.multiply(*(f for f in factors if f is not logs[0]))))
        else:
            others.append(part)
    return terms.multiply(*powers, *([terms.call("exp", terms.add(*others))] if others else []))


def _together(factors: Sequence[Term]) -> Term:
    """A product with one power of each base."""
    exponents: dict[Term, list[Term]] = {}
    for factor in factors:
        for part in factor.parts if factor.head == "product" else (factor,):
            base, k = part.parts if part.head == "power" else (part, terms.ONE)
            exponents.setdefault(base, []).append(k)
    numbers = {base for base in exponents if base.is_number}
    kept = [terms.power(base, k) for base in numbers for k in exponents[base]]
    return terms.multiply(*kept, *(terms.power(base, terms.add(*ks)) for base, ks in exponents.items() if base not in numbers))


def _spread(factor: Term, term: Term) -> Term:
    """A number times a sum, multiplied out."""
    return terms.add(*(terms.multiply(factor, part) for part in (term.parts if term.head == "sum" else (term,))))
