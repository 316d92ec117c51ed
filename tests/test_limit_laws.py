"""Limit laws X => Y: the language, the kernel's rule and its refusals, the judge; attacks on each.

Values of the table of laws are held against certified integrals and sums; the limit laws themselves are from Feller, An
Introduction to Probability Theory and Its Applications, I and II, and Billingsley, Probability and Measure.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

from asymp.answer.enclosed import enclose_text
from asymp.check.ask import ask
from asymp.check.judge import check
from asymp.claim import Outcome, Strength
from asymp.enclosure import Undecided, enclose
from asymp.functions.laws import FACTS, LAWS
from asymp.kernel import terms
from asymp.kernel.laws import unfolding
from asymp.kernel.laws.unfolding import unfolded
from asymp.kernel.records import GIVEN, REPLAYED, replayed
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import apply, certificate, replay
from asymp.kernel.trust import cited
from asymp.language.conditions import read_conditions
from asymp.language.elaborate import Setting, closed
from asymp.language.names import definition
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import DESCRIBED
from asymp.latex import read as read_latex
from asymp.parse import claim
from asymp.parse.build import build
from asymp.prove.claims import theorem
from asymp.registry import load_file

TINY = "(1 + 10^(-200))"
HOLD = (
    ("binomial(n, c/n) => poisson(c)", "n -> oo", "c > 0"),
    ("binomial(n, p) => poisson(c)", "n -> oo, p -> 0+, n*p -> c", "c > 0"),
    ("(binomial(n, p) - n*p)/sqrt(n*p*(1 - p)) => normal(0, 1)", "n -> oo", "0 < p < 1"),
    ("geometric(1/n)/n => exponential(1)", "n -> oo", ""),
    ("(poisson(n) - n)/sqrt(n) => normal(0, 1)", "n -> oo", ""),
    ("(gamma(a, 1) - a)/sqrt(a) => normal(0, 1)", "a -> oo", ""),
    ("gamma(n, n) => 1", "n -> oo", ""),
    ("poisson(1/n) => 0", "n -> oo", ""),
    ("uniform(0, 1 + 1/n) => uniform(0, 1)", "n -> oo", ""),
    ("1 - 2*uniform(0, 1 + 1/n) => uniform(-1, 1)", "n -> oo", ""),
    ("Distribution((1 - exp(-x))^n, (x, 0, oo)) - log(n) => gumbel", "n -> oo", ""),
    ("n*Distribution(1 - (1 - x)^n, (x, 0, 1)) => exponential(1)", "n -> oo", ""),
    ("(1 - rho)*Generating((1 - rho)/(1 - rho*z), (z, 0, 1)) => exponential(1)", "rho -> 1-", ""),
    ("(1 - rho)*Masses((1 - rho)*rho^k, (k, 0, oo)) => exponential(1)", "rho -> 1-", ""),
    ("Laplace((1 + s)^(-n), (s, 0, oo))/n => 1", "n -> oo", ""),
    ("Distribution((1 - exp(-x))^n, (x, 0, oo))/log(n) => 1", "n -> oo", ""),
    ("normal(0, 1/n) => 0", "n -> oo", ""),
    ("Distribution(1 - (1 - x)^n, (x, 0, 1)) => 0", "n -> oo", ""),
    ("sqrt(n)*Distribution(1 - (1 - x)^n, (x, 0, 1)) => 0", "n -> oo", ""),
    ("Distribution(x^n, (x, 0, 1)) => 1", "n -> oo", ""),
    ("Masses(1/(n + 1), (k, 0, n))/n => uniform(0, 1)", "n -> oo", ""),
    ("Masses(r^k/Sum(r^j, (j, 0, n)), (k, 0, n)) => geometric(1 - r) - 1", "n -> oo", "0 < r < 1"),
    ("Mgf(exp(t^2/2 + t^3/n), (t, -oo, oo)) => normal(0, 1)", "n -> oo", ""),
    ("Moments(k!*(1 + 1/n)^k, (k, 1, oo)) => exponential(1)", "n -> oo", ""),
    # cycles of a random permutation, and records: Feller I, X.6
    ("(Generating(gamma(n + z)/gamma(n + 1)/gamma(z), (z, 0, 1)) - log(n))/sqrt(log(n)) => normal(0, 1)", "n -> oo", ""),
)
FAIL = (
    ("binomial(n, c/n) => poisson(2*c)", "n -> oo", "c > 0"),
    (f"binomial(n, c/n) => poisson({TINY}*c)", "n -> oo", "c > 0"),
    (f"geometric(1/n)/n => exponential({TINY})", "n -> oo", ""),
    ("geometric(1/n)/n^2 => exponential(1)", "n -> oo", ""),
    ("n*geometric(1/n) => exponential(1)", "n -> oo", ""),
    ("(poisson(n) - n)/sqrt(n) => normal(0, 2)", "n -> oo", ""),
    (f"(poisson(n) - n)/sqrt(n) => normal(0, {TINY})", "n -> oo", ""),
    ("(poisson(n) - n)/sqrt(n) => normal(10^(-200), 1)", "n -> oo", ""),
    ("(poisson(n) - n)/n => normal(0, 1)", "n -> oo", ""),
    ("poisson(n)/sqrt(n) => normal(0, 1)", "n -> oo", ""),
    ("(poisson(n) + n)/sqrt(n) => normal(0, 1)", "n -> oo", ""),
    ("(n - poisson(n))/n => 1", "n -> oo", ""),
    ("gamma(n, n) => exponential(1)", "n -> oo", ""),
    ("(poisson(n) - n)/n^(1/4) => normal(0, 1)", "n -> oo", ""),
    ("(binomial(n, p) - n*p)/n^(1/4) => 0", "n -> oo", "0 < p < 1"),
    ("(n - poisson(n))/n^(1/4) => normal(0, 1)", "n -> oo", ""),
    ("Distribution((1 - exp(-x))^n, (x, 0, oo))/log(n) => 2", "n -> oo", ""),
    ("normal(0, n) => normal(0, 1)", "n -> oo", ""),
    ("Distribution(x^n, (x, 0, 1)) => 1/2", "n -> oo", ""),
    ("Distribution(1 - (1 - x)^n, (x, 0, 1)) => 1/2", "n -> oo", ""),
    ("exponential(1) => normal(0, 1)", "n -> oo", ""),
    ("poisson(1/n) => 1", "n -> oo", ""),
    ("Distribution((1 - exp(-x))^n, (x, 0, oo)) => gumbel", "n -> oo", ""),
    ("Distribution((1 - exp(-x))^n, (x, 0, oo)) - log(n) => gumbel(1/10, 1)", "n -> oo", ""),
    (f"Distribution((1 - exp(-x))^n, (x, 0, oo)) - log(n) => gumbel(0, {TINY})", "n -> oo", ""),
    ("Distribution((1 - exp(-x))^n, (x, 0, oo)) - log(n) => gumbel(10^(-200), 1)", "n -> oo", ""),
    (f"n*Distribution(1 - (1 - x)^n, (x, 0, 1)) => exponential({TINY})", "n -> oo", ""),
    ("(1 - rho)*Generating((1 - rho)/(1 - rho*z), (z, 0, 1)) => exponential(2)", "rho -> 1-", ""),
    ("Generating((1 - rho)/(1 - rho*z), (z, 0, 1)) => exponential(1)", "rho -> 1-", ""),  # the mass escapes
    ("Laplace(1/2 + 1/(2 + 2*n*s), (s, 0, oo)) => 0", "n -> oo", ""),  # a half of it escapes
    ("Moments(k!*(1 + 1/n)^k, (k, 1, oo)) => exponential(2)", "n -> oo", ""),
)
NO_LAWS = (
    ("Masses(1/n, (k, 0, n))/n => uniform(0, 1)", "no law is given: it is refuted"),  # n + 1 times 1/n
    (f"Masses({TINY}*exp(-1)/k!, (k, 0, oo)) => poisson(1)", ""),
    ("Masses(exp(-1)/k!, (k, 1, oo)) => poisson(1)", "no law is given: it is refuted"),
    ("Masses(2*(-1/2)^k*3/4, (k, 0, oo)) => poisson(1)", ""),
    ("Laplace(1/(2 + s), (s, 0, oo))/n => 0", "no law is given: it is refuted"),
    (f"Laplace({TINY}/(1 + s), (s, 0, oo)) => exponential(1)", "no law is given: it is refuted"),
    ("Generating(z/2, (z, 0, 1)) => geometric(1/2)", "no law is given: it is refuted"),
    ("Moments(2*k!, (k, 1, oo)) => exponential(1)", "no law is given: it is refuted"),
    ("Distribution(exp(-x), (x, 0, oo)) => exponential(1)", ""),  # it falls
    ("Distribution(1/2 - exp(-x)/2, (x, 0, oo)) => exponential(1)", "no law is given: it is refuted"),
    ("exponential(0) => exponential(1)", "no meaning: exponential(0) is no law"),
    ("exponential(-1/n) => exponential(1)", "no meaning: exponential(-1/n) is no law"),
    ("binomial(n, 1 + 1/n) => poisson(1)", "no meaning: binomial(n, 1 + 1/n) is no law"),
    ("binomial(n/2, 1/2) => poisson(1)", "no meaning"),
    ("poisson(1/n) => poisson(0)", "no meaning: poisson(0) is no law"),
    ("uniform(0, 1) => uniform(1, 0)", "no meaning: uniform(1, 0) is no law"),
    ("uniform(0, 1) => uniform(1, 1)", "no meaning: uniform(1, 1) is no law"),
    ("geometric(1/n) => geometric(1)", "no meaning: geometric(1) is no law"),
    ("normal(0, 1/n) => normal(0, 0)", "no meaning: normal(0, 0) is no law"),
    ("normal(0, sin(n)) => normal(0, 1)", ""),
)
UNREAD = (
    ("poisson(1) + poisson(2) => poisson(3)", "two laws on one side"),
    ("poisson(1) - poisson(1) => 0", "two laws on one side"),
    ("n => 3", "no law on the left"),
    ("exp(poisson(n)) => poisson(1)", "scaled and shifted"),
    ("1/poisson(n) => 0", "scaled and shifted"),
    ("poisson(n)^2 => 0", "scaled and shifted"),
    ("poisson(n, 1) => 0", "takes 1 parameters"),
    ("Laplace(exp(-s), (s, 1, oo)) => 1", r"the range of Laplace is \(0, oo\)"),
    ("Generating(z, (z, 0, 2)) => 1", "the range of Generating"),
    ("Masses(1/4, (k, 0, 1), (j, 0, 1)) => 1", "one term and one range"),
    ("Masses(1, (k, oo, 1)) => 1", "runs backwards"),
    ("poisson(n) => poisson(n)", "the law on the right of => moves"),
    ("poisson(1) => Masses(1, (k, 1, 1))", "an everyday law, or a number"),
    ("Laplace(exp(-s), (s, 0, oo)) -> 1", "gives a law"),
    ("poisson(1) => poisson(1) => 0", "a second relation"),
    ("poisson(1) => poisson(1) uniformly in 0 < c < 1", "is not said of laws"),
    ("poisson(c) => poisson(c)", "say for which c"),
)


def verdict(said, to="n -> oo", assume=""):
    return ask(said, to=to, assume=[assume] if assume else [])


@pytest.mark.parametrize(("said", "to", "assume"), HOLD, ids=[one[0] for one in HOLD])
def test_a_limit_law_is_proved(said, to, assume):
    found = verdict(said, to, assume)
    assert (found.outcome, found.strength) == (Outcome.HOLDS, Strength.PROVED), found.reason or found.no_theorem
    made = replay(list(found.certificate))
    given = {one for one in made.trusts if one.startswith("given: the law ")}
    assert cited(made.trusts - given) and bool(given) == any(name in said for name in DESCRIBED)


@pytest.mark.parametrize(("said", "to", "assume"), FAIL, ids=[one[0] for one in FAIL])
def test_a_limit_law_is_refuted(said, to, assume):
    found = verdict(said, to, assume)
    assert (found.outcome, found.strength) == (Outcome.REFUTED, Strength.PROVED), found.reason or found.no_theorem


@pytest.mark.parametrize(("said", "why"), NO_LAWS, ids=[one[0] for one in NO_LAWS])
def test_what_is_no_law_is_not_asked_for_its_limit(said, why):
    found = verdict(said)
    assert found.outcome is Outcome.UNDECIDED and not found.asked
    assert found.reason.startswith(why or ("no", "it is not known")), found.reason


@pytest.mark.parametrize(("said", "why"), UNREAD, ids=[one[0] for one in UNREAD])
def test_what_cannot_be_read_is_refused(said, why):
    with pytest.raises(ParseError, match=why):
        verdict(said)


# --- the language --------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [one[0] for one in (*HOLD, *FAIL)])
def test_a_limit_law_is_read_as_it_is_written(said):
    statement = read_statement(f"{said} as n -> oo")
    assert read_statement(str(statement)) == statement
    latex = statement_tex(statement, {})
    assert r"\xrightarrow{d}" in latex
    if not any(name in said for name in DESCRIBED):
        assert canonical(read_latex(latex)) == canonical(statement)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Masses(1/n, (k, 1, n)) => 1", "Masses(1/n, (j, 1, n)) => 1", True),
        ("poisson(n + 1) => 1", "poisson(1 + n) => 1", True),
        ("gamma(n, 1) => 1", "gamma(1, n) => 1", False),
        ("poisson(n) => 1", "exponential(n) => 1", False),
        ("poisson(n) - 1 => 1", "poisson(n) + 1 => 1", False),
        ("poisson(n)/2 => 1", "2*poisson(n) => 1", False),
        ("Masses(1/n, (k, 1, n)) => 1", "Masses(1/n, (k, 0, n)) => 1", False),
        ("Laplace(exp(-s), (s, 0, oo)) => 1", "Mgf(exp(-s), (s, 0, oo)) => 1", False),
        ("poisson(1) => 1", "1 => poisson(1)", False),
    ],
)
def test_two_limit_laws_are_the_same_if_they_say_the_same(one, other, same):
    found = [canonical(read_statement(f"{said} as n -> oo")) for said in (one, other)]
    assert (found[0] == found[1]) is same


def test_the_names_of_laws_are_functions_and_letters_elsewhere():
    assert verdict("gamma(n + 1)/n! -> 1").outcome is Outcome.HOLDS
    assert verdict("binomial(n, 2) ~ n^2/2").outcome is Outcome.HOLDS
    assert ask("normal + uniform >= 0 for normal > 0, uniform > 0").strength is Strength.PROVED


# --- the table of laws ------------------------------------------------------------------------------------

VALUES = {
    "normal": ("1/3", "2"), "poisson": ("3/2",), "binomial": ("7", "2/5"), "geometric": ("1/3",), "exponential": ("3/2",),
    "gamma": ("5/2", "3/2"), "gumbel": ("1/3", "2/3"), "uniform": ("-1", "3/2"),
}  # fmt: skip


def at(text, law, **values):
    """A text of a row at the values of its parameters."""
    return put(text, **dict(zip(law.letters, VALUES[law.name], strict=True)), **values)


def put(text, **values):
    return str(terms.substitute(terms.read(text), {v: terms.read(str(x)) for v, x in values.items()}))


def ends(law):
    return ["oo" if end == "oo" else "-oo" if end == "-oo" else at(end, law) for end in (law.low, law.high)]


def ball(text):
    return enclose(text, digits=10).ball


def mean(law, f, high=""):
    """The mean of f(X), of X up to a high end, by certified sums and integrals."""
    low, top = ends(law)
    if law.name == "gumbel":  # exp(-(X - m)/b) is exponential
        m, b = VALUES["gumbel"]
        least = f"exp(-(({high}) - ({m}))/({b}))" if high else "0"
        return ball(f"Integral(({put(f, x=f'{m} - {b}*log(y)')})*exp(-y), (y, {least}, oo))")
    top = high or top
    if law.mass:
        return ball(f"Sum(({put(f, x='k')})*({at(law.mass, law)}), (k, {low}, {top}))")
    if low == "-oo":  # turned round
        body = f"({put(f, x='-x')})*({put(at(law.density, law), x='-x')})"
        down = ball(f"Integral({body}, (x, {put('-t', t=high) if high else '0'}, oo))")
        return down if high else down + ball(f"Integral(({f})*({at(law.density, law)}), (x, 0, oo))")
    return ball(f"Integral(({f})*({at(law.density, law)}), (x, {low}, {top}))")


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
@pytest.mark.parametrize("s", ["1/4", "1", "-1/4"])
def test_a_transform_is_the_mean_of_exp(law, s):
    f = ball(at(law.transform, law, s=s))
    assert mean(law, f"exp(-({s})*x)").overlaps(f)
    assert f.log().overlaps(ball(at(law.cumulant, law, s=s)))


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
def test_means_variances_and_moments_are_those_of_the_law(law):
    assert mean(law, "1").overlaps(ball("1"))
    assert mean(law, "x").overlaps(ball(at(law.mean, law)))
    assert mean(law, put("(x - m)^2", m=at(law.mean, law))).overlaps(ball(at(law.variance, law)))
    for k in (1, 2, 5) if law.moment else ():
        assert mean(law, f"x^{k}").overlaps(ball(at(law.moment, law, k=str(k))))


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
@pytest.mark.parametrize("x", ["1", "2"])
def test_a_distribution_function_is_that_of_the_law(law, x):
    x = x if law.name != "uniform" else "1/2"
    assert mean(law, "1", high=x).overlaps(ball(at(law.cdf, law, x=x)))


@pytest.mark.parametrize("law", [law for law in LAWS.values() if law.below != "oo"], ids=lambda law: law.name)
def test_a_transform_is_finite_up_to_its_end(law):
    """At the end it is not, and just inside it is what the mean says."""
    end = at(law.below, law)
    inside = put("-(t - 1/10)", t=end)
    assert mean(law, put("exp(-s*x)", s=inside)).overlaps(ball(at(law.transform, law, s=inside)))
    with pytest.raises((Undecided, ValueError)):
        mean(law, put("exp(-s*x)", s=put("-(t + 1/10)", t=end)))


# --- the rule, and its refusals ------------------------------------------------------------------------------

ALONG = {"place": {"scales": {"n_": "n"}, "values": {"n": "n_"}}, "order": 3}
SAID = "geometric(1/n)/n => exponential(1) as whole n -> oo"
LIMIT = "1/n*exp(-s/n)/(1 - (1 - 1/n)*exp(-s/n)) -> 1/(1 + s) as whole n -> oo for s > 0"


def shown(text, holds=True):
    return theorem(read_statement(text), holds)


def ruled(said, *premises, way="transform", variable="s", **more):
    return apply("limit law", list(premises), statement=said, way=way, variable=variable, **{**ALONG, **more})


def test_the_rule_makes_a_limit_law_of_a_limit():
    made = ruled(SAID, shown(LIMIT))
    assert made.holds and str(made.statement) == SAID
    assert {"Curtiss 1942", "law: geometric", "law: exponential"} <= made.trusts


@pytest.mark.parametrize(
    ("said", "premise", "data"),
    [
        (SAID, LIMIT.replace("s > 0", "s > 1"), {}),  # not at every s
        (SAID, LIMIT.replace("s > 0", "0 < s < 1"), {}),
        (SAID, LIMIT.replace("whole n", "n"), {}),
        (SAID, "1/(1 + s) -> 1/(1 + s) as whole n -> oo for s > 0", {}),
        (SAID, LIMIT, {"variable": "n"}),
        (SAID, LIMIT, {"variable": "t"}),
        (SAID, LIMIT, {"variable": "1"}),
        (SAID, LIMIT, {"way": "masses"}),
        (SAID, LIMIT, {"way": "mirrored"}),
        (SAID, LIMIT, {"way": "distribution"}),
        (SAID, LIMIT, {"way": "by faith"}),
        (SAID, LIMIT, {"order": 0}),
        (SAID, LIMIT, {"spare": 1}),
        (SAID, LIMIT, {"place": {"scales": {"n_": "n^2"}, "values": {"n": "n_"}}}),
        (SAID.replace("exponential(1)", "exponential(2)"), LIMIT, {}),
        (SAID.replace("exponential(1)", "gamma(2, 1)"), LIMIT, {}),
        (SAID + " for c > 0", LIMIT, {}),
        ("geometric(n)/n => exponential(1) as whole n -> oo", LIMIT.replace("1/n", "n"), {}),
    ],
)
def test_the_rule_refuses_other_premises_and_other_data(said, premise, data):
    given = None
    try:
        given = shown(premise)
    except Refused:
        return
    with pytest.raises(Refused):
        ruled(said, given, **data)


@pytest.mark.parametrize(
    ("said", "premise", "name", "way"),
    [  # the limits hold, or hold formally: what is missing is a law, or a range
        ("exponential(0) => 0 as n -> oo", "0 -> 1 as n -> oo for s > 0", "s", "transform"),
        ("binomial(n, 2/n - 1/n) => poisson(1) as n -> oo", "(1 - (2/n - 1/n) + (2/n - 1/n)*exp(-s))^n -> exp(exp(-s) - 1) as n -> oo for s > 0", "s", "transform"),
        ("normal(0, -1 + 1/n) => normal(0, -1) as n -> oo", "exp((-1 + 1/n)*s^2/2) -> exp(-s^2/2) as n -> oo for s > 0", "s", "transform"),
        ("binomial(n, -1/n) => poisson(-1) as whole n -> oo", "(1 + 1/n - 1/n*exp(-s))^n -> exp(-(exp(-s) - 1)) as whole n -> oo for s > 0", "s", "transform"),
        ("Laplace(1/(1 + s), (s, 0, oo)) => exponential(1) as n -> oo", "1/(1 - s) -> 1/(1 - s) as n -> oo for s > 0", "s", "mirrored"),
        ("Masses(1/2, (k, 1, 2)) => poisson(1) as n -> oo", "1/2 -> 1/2 as n -> oo", "k", "masses"),
        ("2*Masses(1/2, (k, 1, 2)) => poisson(1) as n -> oo", "1/2 -> 1/2 as n -> oo", "k", "masses"),
        ("Distribution(x, (x, 0, 1)) => exponential(1) as n -> oo", "x -> x as n -> oo for x > 0", "x", "distribution"),
        ("1/n - n*Distribution(x, (x, 0, 1)) => exponential(1) as n -> oo", "x -> x as n -> oo for x > 0", "x", "distribution"),
    ],
)  # fmt: skip
def test_the_rule_refuses_what_is_no_law_and_what_is_out_of_range(said, premise, name, way):
    """Whatever the premise: with the very one that the way asks for, where that is a theorem."""
    wanted = unfolded_or_none(said, way, name)
    for text in (premise, *wanted):
        try:
            given = shown(text)
        except (Refused, ParseError):
            continue
        with pytest.raises(Refused):
            ruled(said, given, way=way, variable=name)


def unfolded_or_none(said, way, name):
    try:
        return [str(one) for one in unfolded(read_statement(said), way, name).limits]
    except Refused:
        return []


FAILS = "1/n*exp(-s/n)/(1 - (1 - 1/n)*exp(-s/n)) -> 2/(2 + s) as whole n -> oo for s > 0"
BOUND = FAILS.replace("-> 2/(2 + s) as", "= O(1) as")


def test_a_transform_refutes_only_where_it_is_bounded():
    """Of X = 0 with probability 1 - 1/n, else n, the transform at -s has no limit; yet X tends to 0 in law."""
    said = "geometric(1/n)/n => exponential(2) as whole n -> oo"
    failing = shown(FAILS, False)
    assert not ruled(said, failing, shown(BOUND)).holds
    for premises in ([failing], [failing, failing], [failing, shown(LIMIT)], [shown(BOUND), failing]):
        with pytest.raises(Refused):
            ruled(said, *premises)
    rare = "Mgf(1 - 1/n + exp(n*t)/n, (t, -oo, oo)) => 0"
    assert verdict(rare).strength is Strength.PROVED and verdict(rare).outcome is Outcome.HOLDS
    with pytest.raises(Refused):
        theorem(read_statement(f"{rare} as whole n -> oo"), False)


def test_a_premise_that_fails_is_one_of_the_limits():
    with pytest.raises(Refused):
        ruled(SAID, shown(FAILS, False), shown(BOUND))
    with pytest.raises(Refused):
        ruled(SAID, shown("1/n -> 1 as whole n -> oo for s > 0", False), shown("1/n = O(1) as whole n -> oo for s > 0"))


def spread(said, *premises):
    return apply("no limit law", list(premises), statement=said, **ALONG)


def test_a_law_that_spreads_has_no_limit():
    said, regime = "(poisson(n) - n)/n^(1/4) => normal(0, 1)", "as whole n -> oo"
    clt = shown(f"(poisson(n) - n)/sqrt(n) => normal(0, 1) {regime}")
    grows = shown(f"1/n^(1/4)/(1/sqrt(n)) -> oo {regime}")
    assert not spread(f"{said} {regime}", clt, grows).holds
    refused = [
        (f"{said} as n -> oo", clt, grows),
        (f"{said} {regime} for c > 0", clt, grows),
        (f"(poisson(2*n) - n)/n^(1/4) => normal(0, 1) {regime}", clt, grows),
        (f"(gamma(n, 1) - n)/n^(1/4) => normal(0, 1) {regime}", clt, grows),
        (f"(poisson(n) - n)/n => normal(0, 1) {regime}", clt, grows),
        (f"(poisson(n) - n)/n^(1/4) => normal(0, -1) {regime}", clt, grows),
        (f"{said} {regime}", clt, shown(f"n -> oo {regime}")),
        (f"{said} {regime}", clt, shown(f"1/n^(1/4)/(1/sqrt(n)) -> 0 {regime}", False)),
        (f"{said} {regime}", shown(f"(poisson(n) - n)/n => 0 {regime}"), shown(f"1/n^(1/4)/(1/n) -> oo {regime}")),  # a number
        (f"{said} {regime}", shown(f"(poisson(n) - n)/sqrt(n) => normal(0, 2) {regime}", False), grows),
        (f"{said} {regime}", clt), (f"{said} {regime}", grows, clt), (f"{said} {regime}", clt, grows, grows),
    ]  # fmt: skip
    for text, *premises in refused:
        with pytest.raises(Refused):
            spread(text, *premises)


def test_what_is_given_is_named_and_a_record_says_so():
    found = verdict("Laplace((1 + s)^(-n), (s, 0, oo))/n => 1")
    assert "given: the law Laplace((1 + s)^(-n), (s, 0, oo))" in found.trusts
    entry = {"id": "me/x", "outcome": "holds", "strength": "proved", "certificate": list(found.certificate), "closed": found.claim.closed,
             "statement": found.claim.statement, "trusts": list(found.trusts)}  # fmt: skip
    assert replayed(entry).told == GIVEN
    assert replayed({**entry, "closed": entry["closed"].replace("=> 1", "=> 2")}).told != GIVEN


def test_a_certificate_of_another_limit_law_is_refused():
    steps = certificate(shown(SAID))
    steps[-1] = {**steps[-1], "data": {**steps[-1]["data"], "statement": SAID.replace("=> exponential(1)", "=> exponential(2)")}}
    with pytest.raises(Refused):
        replay(steps)


def test_a_paper_may_call_its_own_functions_by_the_names_of_laws():
    assert claim("me/x", "poisson >= 0", source="me, 1", assume="poisson > 1").statement == "poisson >= 0 for poisson > 1"


# --- everyday words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "to", "assume"),
    [
        ("P(binomial(n, c/n) = 0) -> exp(-c)", "n -> oo", "c > 0"),
        ("P(poisson(n) <= n) -> 1/2", "integer n -> oo", ""),
        ("1 - Phi(x) ~ phi(x)/x", "x -> oo", ""),
        ("P(exponential(r) > t) = exp(-r*t) for r > 0, t > 0", None, ""),
        ("P(exponential(1) <= x) <= 1 for real x", None, ""),
        ("P(geometric(p) > k) = (1 - p)^k for whole k >= 0, 0 < p < 1", None, ""),
        ("P(geometric(p) = k) = p*(1 - p)^(k - 1) for whole k >= 1, 0 < p < 1", None, ""),
        ("P(uniform(0, 1) <= x) = x for 0 < x < 1", None, ""),
        ("P(poisson(n + x*sqrt(n)) <= n) -> Phi(-x)", "integer n -> oo", "x > 0"),
        ("P(exponential(1) <= x) >= 0 for real x", None, ""),
        ("E(binomial(n, p)) = n*p for whole n >= 1, 0 < p < 1", None, ""),
        ("Var(3*poisson(c) + 1) = 9*c for c > 0", None, ""),
        ("E(3*poisson(c) - 1) = 3*c - 1 for c > 0", None, ""),
        ("Sum(P(poisson(c) = k), (k, 0, oo)) = 1 for c > 0", None, ""),
        ("Integral(1 - P(exponential(r) <= x), (x, 0, oo)) = 1/r for r > 0", None, ""),
        ("P(poisson(c) = k + 1) = c/(k + 1)*P(poisson(c) = k) for whole k >= 0, c > 0", None, ""),
    ],
)
def test_everyday_words_stand_for_terms(said, to, assume):
    found = verdict(said, to, assume)
    assert (found.outcome, found.strength) == (Outcome.HOLDS, Strength.PROVED), found.reason or found.no_theorem
    assert found.claim.statement.startswith(said.split(" for ")[0])  # the words are shown


@pytest.mark.parametrize("law", [law for law in LAWS.values() if law.name != "gumbel"], ids=lambda law: law.name)
@pytest.mark.parametrize("x", ["-2", "-1", "0", "1/2", "1", "3/2", "2", "9"])
def test_probabilities_are_those_of_the_law_everywhere(law, x):
    """Below and above where it lies, too: P is 0 and 1 there, and >=, > and < fit."""
    words = f"{law.name}({', '.join(VALUES[law.name])})"
    at_most = text_enclosed(f"P({words} <= {x})")
    low, high = ends(law)
    inside = [low == "-oo" or number(low) < number(x), high == "oo" or number(x) < number(high)]
    wanted = mean(law, "1", high=put("floor(x)", x=x) if law.mass else x) if all(inside) else None
    if law.mass and number(low) <= number(x):
        wanted = mean(law, "1", high=put("floor(x)", x=x)) if number(x) >= 0 else arb(0)
    assert at_most.overlaps(wanted if wanted is not None else arb(inside[0]))
    assert (1 - at_most).overlaps(text_enclosed(f"P({words} > {x})"))
    if x.lstrip("-").isdigit() or not law.mass:
        below = text_enclosed(f"P({words} < {x})")
        assert (1 - below).overlaps(text_enclosed(f"P({words} >= {x})"))
        single = text_enclosed(f"P({words} = {x})") if law.mass else arb(0)
        assert (at_most - below).overlaps(single)


def number(text):
    return Fraction(str(terms.read(text)))


def text_enclosed(text):
    return enclose_text(text, {}, digits=10).ball


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("P(poisson(1) = x) >= 0 for x > 0", "say that x is whole"),
        ("P(poisson(1) = 1/2) >= 0 for x > 0", "say that 1/2 is whole"),
        ("P(poisson(1) < x) >= 0 for x > 0", "say that x is whole"),
        ("P(normal(0, 1) = 1) >= 0 for x > 0", "single values"),
        ("P(poisson(-1) = 1) >= 0 for x > 0", "is no law: -1 > 0 is needed"),
        ("P(poisson(0) = 1) >= 0 for x > 0", "is no law: 0 > 0 is needed"),
        ("P(binomial(5, 3/2) = 1) >= 0 for x > 0", "is no law"),
        ("P(poisson(1) + 1 <= 1) >= 0 for x > 0", "alone"),
        ("P(3 <= 1) >= 0 for x > 0", "an everyday law alone"),
        ("P(poisson(1)) >= 0 for x > 0", "a probability is written"),
        ("E(3) >= 0 for x > 0", "an everyday law"),
        ("E(poisson(1)*poisson(1)) >= 0 for x > 0", "two laws"),
        ("E(poisson(1)^2) >= 0 for x > 0", "scaled and shifted"),
        ("P(1 <= poisson(1) <= 2) >= 0 for x > 0", ""),
        ("Q(poisson(1) <= 2) >= 0 for x > 0", ""),
    ],
)
def test_everyday_words_of_what_is_no_law_are_refused(said, why):
    with pytest.raises(ParseError, match=why or "."):
        ask(said)


def test_a_record_of_everyday_words_is_replayed(tmp_path):
    text = 'paper.key = "d"\n[variables]\nn = "whole, >= 1"\nc = "> 0"\n'
    text += '[claim.lemma-1]\nsays = "P(binomial(n, c/n) = 0) -> exp(-c)"\nto = "n -> oo"\n'
    (tmp_path / "d.toml").write_text(text, encoding="utf-8")
    (made,) = load_file(tmp_path / "d.toml")
    found = check(made)
    entry = {"id": "d/lemma-1", "outcome": "holds", "strength": "proved", "certificate": list(found.certificate), "closed": made.closed,
             "statement": made.statement, "trusts": list(found.trusts)}  # fmt: skip
    assert made.statement.startswith("P(binomial(n, c/n) = 0)") and replayed(entry).told == REPLAYED


def test_what_may_be_no_law_has_no_meaning():
    found = ask("P(poisson(c) = 0) > 1 for -1 < c < 0")
    assert found.outcome is Outcome.UNDECIDED and "log(c) is not defined" in found.reason


def test_a_letter_of_the_paper_is_no_word():
    declared = Setting({"Phi": read_conditions("> 0", "Phi")}, dict([definition("P(x)", "x + 1"), definition("phi(x)", "2*x")]))
    assert str(closed(read_statement("P(n) + phi(n) + Phi > 0 for n > 0"), declared).body) == "(n + 1) + 2*n + Phi > 0"
    with pytest.raises(ParseError, match="unknown function 'Phi'"):
        build(closed(read_statement("Phi(n) > 0 for n > 0"), declared))


def test_what_is_cited_of_laws_is_what_the_code_names():
    said = set(FACTS) - {f"law: {name}" for name in LAWS}
    assert said == {fact for facts in unfolding.FACTS.values() for fact in facts} | {"Billingsley 14.2"}


@pytest.mark.parametrize("said", ["(poisson(n) - n)/sqrt(n) => normal(0, 1)", "binomial(n, 1/n) => poisson(1)", "poisson(1/n) => 0"])
def test_how_far_distribution_functions_are_apart_stands_beside_it(said):
    (line,) = [line for line in verdict(said).evidence if "distribution functions" in line.detail]
    assert (line.outcome, line.strength) == (Outcome.HOLDS, Strength.SUPPORTED)
    gaps = [float(point.value) for point in line.points]
    assert len(gaps) == 4 and gaps == sorted(gaps, reverse=True) and gaps[-1] < 1e-4


@pytest.mark.parametrize("said", [f"(poisson(n) - n)/sqrt(n) => normal(0, {TINY})", "(poisson(n) - n)/sqrt(n) => normal(0, 2)"])
def test_a_distance_speaks_against_no_theorem(said):
    (line,) = [line for line in verdict(said).evidence if "distribution functions" in line.detail]
    assert line.outcome is not Outcome.HOLDS


def test_a_limit_that_is_a_number_refutes_nothing():
    """binomial(1, 0) is the number 0, whatever its row says: n times it stays where it is."""
    limit = theorem(read_statement("binomial(1, 1/n^9) => binomial(1, 0) as whole n -> oo"), True)
    grows = theorem(read_statement("n -> oo as whole n -> oo"), True)
    place = {"scales": {"n_": "n"}, "values": {"n": "n_"}}
    for ratio in ("n", "n/1"):
        with pytest.raises(Refused):
            apply("no limit law", [limit, grows], statement=f"{ratio}*binomial(1, 1/n^9) => 0 as whole n -> oo", place=place, order=2)


@pytest.mark.parametrize("law", [
    "Laplace(exp(s), (s, 0, oo)) => -1", "Laplace(exp(s/n), (s, 0, oo)) => 0", "Generating(2 - z, (z, 0, 1)) => poisson(1)",
    "Moments(2*k!, (k, 1, oo)) => exponential(1)", "Moments(1/k, (k, 1, oo)) => exponential(1)",
])  # fmt: skip
def test_what_no_law_has_is_no_law(law):
    """A transform of X >= 0 is at most 1; the determinants of moments are not negative."""
    assert ask(law, to="n -> oo").outcome is Outcome.UNDECIDED


def test_moments_that_grow_refute_nothing():
    """X = n with probability 1/n, else 0: all moments but the first grow, and X tends to 0 in law."""
    assert ask("Moments(n^(k - 1), (k, 1, oo)) => 0", to="n -> oo").outcome is Outcome.UNDECIDED
