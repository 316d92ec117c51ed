"""What a theorem's series say of a claim, set against certified numbers as every derivation is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from asymp.check.measure import Run
from asymp.claim import Asymptotic, Claim, Outcome, Step
from asymp.kernel import terms
from asymp.kernel.growths.regime import names_in, ranges
from asymp.kernel.rings.factors import factored, reduced
from asymp.kernel.rings.ratio import Ratio as Quotient
from asymp.kernel.rings.ratio import atom, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Conditions
from asymp.language.statement import Statement
from asymp.language.syntax import Parser
from asymp.language.tex import tex
from asymp.parse.at import term_of
from asymp.parse.terms import points
from asymp.prove.expansion import Expanded, expansions
from asymp.prove.written import in_words
from asymp.regimes.names import runner_of
from asymp.regimes.quantities import lone, runs

LONGEST = 800
"""Characters of a next term that is shown."""


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
        runs = runs_of(one.statement, asked.tried if asked.statement == one.statement else ())
    kept, rests = (list(map(terms.read, texts)) for texts in (one.kept, one.rest))
    written = [_tex(x) for x in one.kept] + [rf"O\left({_tex(x)}\right)" for x in one.rest]
    step = Step("by the series of the theorem", rf"{one.quantity} = {' + '.join(written) or '0'}".replace("+ -", "- "))
    apart = " + ".join(map(_neat, one.next)).replace("+ -", "- ")
    together = _neat(str(terms.add(*map(terms.read, one.next)))) if len(one.next) > 1 else apart
    following = min(apart, together, key=len).replace("^", "**")
    following = following if len(following) <= LONGEST else ""
    outcome, whole = (Outcome.HOLDS if holds else Outcome.REFUTED), bool(asked.whole)
    main, rest = terms.add(*kept), terms.add(*rests)
    return Derived(one.statement, expr, main, rest, runs, outcome, one.why, following or None, (step,), whole)


def runs_of(statement: Statement, tried: Conditions = ()) -> list[Run]:
    """Ways to the limit, with values of the parameters: those at which a statement says that it is tried, if it does.

    >>> from asymp.language.statement import read_statement
    >>> [run.label for run in runs_of(read_statement("n*p -> 0 as n -> oo, p = a/n^2 for a > 0"))]
    ['p = a*n^(-2), a=1', 'p = a*n^(-2), a=2']
    """
    runner = lone(statement)
    if runner and names_in(statement) == {runner}:
        return [Run(f"{runner} -> oo", runner)]
    found = []
    runner = runner_of(statement)
    given = [{name: terms.number(mpq(x)) for name, x in point.items()} for point in points(tried, {}, {})] if tried else []
    for along, instance in ((x, y) for x, other in runs(statement, runner) for y in given or [other]):
        own = next((v for v, x in along.items() if x == terms.name(runner)), runner)  # a variable that runs by itself
        put = {runner: terms.name(own)}
        values = {v: terms.substitute(x, put) for v, x in along.items() if v != own}
        moving = ", ".join(f"{v} = {x}" for v, x in values.items()) or f"{own} -> oo"
        found.append(Run(moving, own, values, instance))
    return found


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


def _neat(text: str) -> str:
    """A term in lowest terms, or as it is where that is shorter; powers for exponentials of logarithms."""
    term = terms.read(text)
    return min((in_words(with_powers(x)) for x in (in_lowest_terms(term), term)), key=len)


def _raised(base: Term, k: Term) -> Term:
    """A power of an atom, which may be one itself."""
    return terms.power(base.parts[0], terms.multiply(base.parts[1], k)) if base.head == "power" else terms.power(base, k)


def in_lowest_terms(term: Term) -> Term:
    """A term as a quotient of products of irreducible polynomials in its atoms, where it is not too long.

    >>> in_words(in_lowest_terms(terms.read("(x^2 + 3*x + 2)/(n*x^2 - n)")))
    '(x + 2)/(n*(x - 1))'
    """
    try:
        value = reduced(_formal(term))
        (above, over, tops), (below, under, bottoms) = factored(value.num), factored(value.den)
    except Refused:
        return term
    parts = [terms.number(above / below)]
    for powers, sign in ((over, 1), (under, -1)):
        parts += [_raised(a, terms.number(sign * k)) for a, k in powers]
    for factors, sign in ((tops, 1), (bottoms, -1)):
        parts += [terms.power(to_term(Quotient(dict(q))), terms.number(sign * k)) for q, k in factors]
    return terms.multiply(*parts)


def _formal(term: Term) -> Quotient:
    """A term as a ratio in its atoms, whatever may be 0: as it is shown, not as it is reckoned with."""
    if term.is_number:
        return rational(term.number)
    if term.head in ("sum", "product"):
        found = rational(term.head == "product")
        for part in term.parts:
            found = found + _formal(part) if term.head == "sum" else found * _formal(part)
        return found
    if term.head == "power" and term.parts[1].is_number and term.parts[1].number.denominator == 1:
        base, k = _formal(term.parts[0]), int(term.parts[1].number)
        return base.power(k) if k >= 0 else base.power(-k).inverse()
    return atom(term)


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
