"""Sequences that a statement declares by a recurrence: what is read, what is refused, and what is proved, each with a false sibling."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asymp.kernel.data import Data
from asymp.kernel.growths.declared import declared
from asymp.kernel.sequences.declared import agrees, reached, without
from asymp.kernel.sequences.dividing import inductive, values_along
from asymp.kernel.sequences.generating import generated, operator
from asymp.kernel.sequences.iterated import doubled, drifting, of_power, orbit, settling
from asymp.kernel.sequences.ratios import between, growing
from asymp.kernel.terms import Refused, canonical, read
from asymp.kernel.theorem import Theorem, apply, certificate, proves, replay
from asymp.language.numbers import ParseError
from asymp.language.setting import closed_texts
from asymp.language.statement import read_statement
from asymp.parse import claim
from asymp.prove.claims import theorem

TOWER = "sequence a(n), a(n+1) = 2*a(n) + 1, a(0) = 0"
FIBONACCI = "sequence a(n), a(n+2) = a(n+1) + a(n), a(0) = 0, a(1) = 1"
MOTZKIN = "sequence a(n), (n+2)*a(n) = (2*n+1)*a(n-1) + 3*(n-1)*a(n-2), a(0) = 1, a(1) = 1"
FRANEL = "sequence a(n), (n+1)^2*a(n+1) = (7*n^2+7*n+2)*a(n) + 8*n^2*a(n-1), a(0) = 1, a(1) = 2"
LOGISTIC = "sequence x(n), x(n+1) = x(n) - x(n)^2, x(0) = 1/2"
HERON = "sequence x(n), x(n+1) = (x(n) + 2/x(n))/2, x(0) = 1"
SEARCH = "sequence a(n), a(n) = a(floor(n/2)) + 1, a(1) = 1"
SQUARES = "sequence a(n), a(n+1) = a(n)^2 + 1, a(0) = 1"
LITTLE = "(1 + 10^(-30))"


def _holds(text: str, holds: bool = True) -> Theorem:
    statement = read_statement(text)
    found = theorem(statement, holds)
    assert proves(replay(certificate(found)), statement, holds)
    return found


# --- what is read -----------------------------------------------------------------------------------------------


def test_a_declaration_is_part_of_the_statement_up_to_its_order_and_its_variable():
    said = "a(n) >= 0 for whole n >= 0"
    own = canonical(read_statement(f"{said}, {FIBONACCI}"))
    same = "sequence a(k), a(1) = 1, a(k+2) = a(k+1) + a(k), a(0) = 0"
    assert own == canonical(read_statement(f"{said}, {same}"))
    assert str(read_statement(str(read_statement(f"{said}, {FIBONACCI}")))) == str(
        read_statement(f"{said}, {FIBONACCI}")
    )
    for other in (
        FIBONACCI.replace("a(0) = 0", "a(0) = 1"),
        FIBONACCI.replace("+ a(n),", "+ 2*a(n),"),
        FIBONACCI.replace("sequence a(n)", "sequence b(n)").replace("a(", "b("),
    ):
        assert own != canonical(read_statement(f"{said}, {other}"))


def test_the_values_are_exact():
    found = declared(read_statement(f"a(n) >= 0 for whole n >= 0, {MOTZKIN}"), "a")
    assert [found.at(k) for k in range(8)] == [1, 1, 2, 4, 9, 21, 51, 127]
    harmonic = declared(read_statement("a(n) >= 0 for sequence a(n), a(n) = a(n-1) + 1/n, a(0) = 0"), "a")
    assert harmonic.at(4) == Fraction(25, 12)
    with pytest.raises(Refused, match="is not computed"):
        found.at(-1)


@pytest.mark.parametrize(
    ("statement", "to", "assume", "why"),
    [
        (
            "a(n) >= 0 for whole n >= 0",
            None,
            "sequence a(n), a(n) = a(n-1) + a(n-2), a(0) = 0",
            "first values are missing",
        ),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n), (n-5)*a(n) = a(n-1), a(0) = 1", "at n = 5 does not give"),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n), a(n) = a(n-1)/(n-3), a(0) = 1", "divides by 0 at n = 3"),
        ("a(n) >= 0 for whole n >= 1", None, "sequence a(n), a(n) = a(n/2) + 1, a(1) = 1", "not at a whole number"),
        (
            "a(n) >= 0 for whole n >= 1",
            None,
            "sequence a(n), a(n) = a(ceiling(n/2)) + 1, a(0) = 1",
            "which it is to give",
        ),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n), a(n+1) = c*a(n), a(0) = 1", "say for which c"),
        (
            "a(n) >= 0 for whole n >= 0",
            None,
            "sequence a(n), a(n+1) = a(n), a(0) = 1, a(1) = 2",
            "contradicts the first values",
        ),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n), a(n+1) = a(n), a(0) = 1, a(0) = 2", "given twice"),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n), a(n+1)^2 = a(n), a(0) = 1", "not solved for"),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n), a(n) = Sum(a(k), (k, 0, n-1)), a(0) = 1", "inside a sum"),
        (
            "a(n) >= 0 for whole n >= 0",
            None,
            "sequence a(n), a(n+1) = b(n), a(0) = 1, sequence b(n), b(n+1) = b(n), b(0) = 1",
            "b is nothing",
        ),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(n)", "are missing"),
        ("a(n) >= 0 for whole n >= 0", None, "sequence a(a), a(a+1) = a(a), a(0) = 1", "a sequence is declared"),
        (
            "sin(n) >= 0 for whole n >= 0",
            None,
            "sequence sin(n), sin(n+1) = sin(n), sin(0) = 1",
            "has a meaning already",
        ),
        ("a*a(n) >= 0 for whole n >= 0, a > 0", None, TOWER, "a is a function"),
        ("a(n) >= 0 for real n >= 0", None, TOWER, "not seen to be at a whole number"),
        ("a(-1) = 0", None, TOWER, "lies before"),
        ("a(n, 1) -> 0", "n -> oo", TOWER, "takes 1 arguments"),
    ],
)
def test_what_is_no_sequence_is_refused(statement: str, to: str | None, assume: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        claim("me/x", statement, to=to, source="me, 1", assume=[assume])


def test_a_file_of_claims_declares_sequences():
    text = """
    paper.key = "demo"
    variables.n = "whole, >= 0"
    sequences."a(k)" = "a(k+1) = 2*a(k) + 1, a(0) = 0"
    claim.lemma-1.says = "a(n) = 2^n - 1"
    """
    closed = closed_texts(text, "demo.toml")["demo/lemma-1"]
    assert closed == "a(n) = 2^n - 1 for sequence a(k), a(k + 1) = 2*a(k) + 1, a(0) = 0, whole n >= 0"


# --- what is proved ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("true", "false", "where"),
    [
        ("a(n) = 2^n - 1", f"a(n) = {LITTLE}*2^n - 1", f"for whole n >= 0, {TOWER}"),
        (
            "a(n) ~ ((1+sqrt(5))/2)^n/sqrt(5)",
            f"a(n) ~ {LITTLE}*((1+sqrt(5))/2)^n/sqrt(5)",
            f"as whole n -> oo for {FIBONACCI}",
        ),
        (
            "a(n) ~ 3^n*sqrt(27/(4*pi*n^3))",
            f"a(n) ~ {LITTLE}*3^n*sqrt(27/(4*pi*n^3))",
            f"as whole n -> oo for {MOTZKIN}",
        ),
        ("a(n+1)/a(n) = 8 - 8/n + O(1/n^2)", f"a(n+1)/a(n) -> {LITTLE}*8", f"as whole n -> oo for {FRANEL}"),
        ("a(n) = Theta(8^n/n)", "a(n) = O(8^n/n^(9/8))", f"as whole n -> oo for {FRANEL}"),
        ("x(n) = 1/n - log(n)/n^2 + O(1/n^2)", "x(n) = 1/n + O(1/n^2)", f"as whole n -> oo for {LOGISTIC}"),
        ("x(n) -> sqrt(2)", f"x(n) -> {LITTLE}*sqrt(2)", f"as whole n -> oo for {HERON}"),
        ("a(n) = log(n)/log(2) + O(1)", "a(n) = log(n)/log(2) + o(1)", f"as whole n -> oo for {SEARCH}"),
        ("log(a(n)) = Theta(2^n)", "log(a(n)) = O(2^n/n)", f"as whole n -> oo for {SQUARES}"),
    ],
)
def test_statements_are_decided_by_theorems(true: str, false: str, where: str) -> None:
    assert _holds(f"{true} {where}").holds
    assert not _holds(f"{false} {where}", holds=False).holds


def test_two_sequences_of_one_statement_are_told_apart():
    other = FIBONACCI.replace("a(", "b(").replace("b(0) = 0", "b(0) = 2")
    _holds(f"b(n) = 2*a(n+1) - a(n) for whole n >= 0, {FIBONACCI}, {other}")
    assert not _holds(f"b(n) = a(n) for whole n >= 0, {FIBONACCI}, {other}", holds=False).holds


# --- what the rules refuse ----------------------------------------------------------------------------------------


def _why(rule: str, premises: list[Theorem], **data: object) -> str:
    with pytest.raises(Refused) as caught:
        apply(rule, premises, **data)
    return str(caught.value)


def test_no_other_rule_makes_a_theorem_of_a_declared_sequence():
    text = f"2 >= 1 for whole n >= 0, {TOWER}"
    assert "knows nothing of statements of declared sequences" in _why("algebra", [], statement=text)
    text = f"n + 1 -> oo as whole n -> oo for {TOWER.replace('a(0) = 0', 'a(0) = 0, a(1) = 5')}"
    place = {"scales": {"n_": "n"}, "values": {"n": "n_"}}
    assert "contradicts" in _why("asymptotic", [], statement=text, order=1, place=place, runner="k", values={"n": "k"})


def test_a_term_is_no_sequence_that_begins_or_goes_on_otherwise():
    statement = read_statement(f"a(n) = 2^n - 1 for whole n >= 0, {TOWER}")
    found = declared(statement, "a")
    for by in ("2^n", "2^n - 1 + n*(n-1)"):
        wanted = agrees(found, read(by), 0)
        assert any(not theorem(one, False).holds for one in wanted if _fails(one))
    given = [theorem(one, True) for one in (*agrees(found, read("2^n - 1"), 0), *reached(statement, "a", 0))]
    first = theorem(read_statement("2^n - 1 = 2^n - 1 for whole n >= 0"), True)
    said = {"statement": str(statement), "of": "a", "by": "2^n - 1"}
    assert apply("sequence", [first, *given], **said, start=0).holds
    assert "other statements" in _why("sequence", [given[0], *given], **said, start=0)
    assert "other statements" in _why("sequence", [first, *given[1:]], **said, start=0)
    assert "not compared from" in _why("sequence", [first, *given], **said, start=-1)
    assert "no term in n" in _why("sequence", [first, *given], statement=str(statement), of="a", by="2^m - 1", start=0)
    assert "not the name" in _why("sequence", [first, *given], statement=str(statement), of="b", by="2^n - 1", start=0)


def _fails(one: object) -> bool:
    try:
        theorem(one, False)  # type: ignore[arg-type]
    except Refused:
        return False
    return True


def test_places_that_a_sequence_has_not_are_refused():
    for text, why in (
        (f"a(n-1) >= 0 for real n >= 1, {TOWER}", "not seen to be at a whole number"),
        (f"a(n/2) -> oo as whole n -> oo for {TOWER}", "not seen to be at a whole number"),
        (f"Sum(a(k), (k, -1, n)) >= 0 for whole n >= 0, {TOWER}", "not seen to be at a whole number from 0"),
    ):
        with pytest.raises(Refused, match=why):
            reached(read_statement(text), "a", 0)
    (one,) = reached(read_statement(f"a(n-1) >= 0 for whole n >= 0, {TOWER}"), "a", 0)
    assert str(one) == "n - 1 >= 0 for whole n >= 0" and _fails(one)


def test_rules_of_iterated_sequences_say_what_they_need():
    leaf = read_statement(f"x(n) = sqrt(2) + O((1/2)^n) as whole n -> oo for {HERON}")
    data = {"of": "x", "after": 1, "to": "2^(1/2)", "side": 1, "rate": "1/2"}
    assert len(settling(leaf, Data(data))) == 3
    for change, why in (
        ({"rate": "1"}, "is wanted"), ({"to": "3/2"}, "is wanted"), ({"side": 2}, "a side is"), ({"after": 99}, "so many steps"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            settling(leaf, Data({**data, **change}))
    assert any(_fails(one) for one in settling(leaf, Data({**data, "after": 0})))  # a(0) lies on the other side
    slow = read_statement(f"x(n)^(-1) = n + O(log(n)) as whole n -> oo for {LOGISTIC}")
    data = {"of": "x", "after": 0, "to": "0", "exponent": "-1", "slope": "1", "rest": "1", "second": []}
    assert str(drifting(slow, Data(data))[-1]) == "(x - x^2)^(-1) + -1*x^(-1) = 1 + O(x) as x -> 0+"
    for change, why in (
        ({"slope": "2"}, "is what follows"), ({"rest": "2"}, "is what follows"), ({"rest": "-1"}, "does not tend to 0"),
        ({"exponent": "1"}, "are wanted"), ({"slope": "-1"}, "are wanted"), ({"to": "oo"}, "does not tend"),
        ({"to": "1"}, "to 0 or to infinity"), ({"second": ["1", "1"]}, "smaller rest"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            drifting(slow, Data({**data, **change}))
    floors = "sequence x(n), x(n+1) = x(n) - floor(x(n)), x(0) = 1/2"
    with pytest.raises(Refused, match="may not be continuous"):
        drifting(read_statement(f"x(n)^(-1) = n + O(log(n)) as whole n -> oo for {floors}"), Data(data))
    twice = read_statement(f"log(a(n)) = Theta(2^n) as whole n -> oo for {SQUARES}")
    data = {"of": "a", "after": 1, "degree": "2", "least": "1", "most": "2"}
    assert len(doubled(twice, Data(data))) == 4
    for change in ({"degree": "3"}, {"degree": "1"}, {"least": "0"}):
        with pytest.raises(Refused, match=r"wanted|follows"):
            doubled(twice, Data({**data, **change}))
    with pytest.raises(Refused, match="a power is wanted"):
        of_power(slow, "x", read("0"))
    with pytest.raises(Refused, match="hangs on n too"):
        orbit(declared(read_statement("x(n) = 1 for sequence x(n), x(n+1) = x(n)/(n+1), x(0) = 1"), "x"), 1)


def test_bounds_of_ratios_and_of_halves_are_of_their_recurrences():
    chain = read_statement(f"1 <= a(n+1)/a(n) <= 2 for whole n >= 2, {FIBONACCI}")
    data = {"of": "a", "low": "1", "high": "2", "sign": 1}
    assert not any(_fails(one) for one in between(chain, Data(data)))
    assert any(_fails(one) for one in between(chain, Data({**data, "sign": -1})))
    narrow = read_statement(f"8/5 <= a(n+1)/a(n) <= 13/8 for whole n >= 2, {FIBONACCI}")
    assert any(_fails(one) for one in between(narrow, Data({**data, "low": "8/5", "high": "13/8"})))
    for text, change, why in (
        (str(chain), {"low": "2"}, "does not say that"),
        (f"1 <= a(n+1)/a(n) <= 2 for whole n >= 0, {FIBONACCI}", {}, "is not positive"),
        (f"1 <= a(n+1)/a(n) <= 2 for whole n >= 2, {TOWER}", {}, "homogeneous"),
        (f"1 <= a(n+1)/a(n) <= 2 for n >= 2, {FIBONACCI}", {}, "whole n >= N"),
    ):
        with pytest.raises(Refused, match=why):
            between(read_statement(text), Data({**data, **change}))
    order = read_statement(f"a(n) = Theta(3^n) as whole n -> oo for {MOTZKIN}")
    with pytest.raises(Refused, match="above 1"):
        growing(order, "a", read("1"))
    assert str(growing(order, "a", read("2"))[1]) == "3^n > 0 as whole n -> oo"
    below = read_statement(f"a(n) <= 2*log(n) + 2 for whole n >= 1, {SEARCH}")
    assert not any(_fails(one) for one in inductive(below, "a", 2))
    zero = read_statement("a(n) < n + 1 for whole n >= 1, sequence a(n), a(n) = 0*a(n-1) + n + 1, a(0) = 0")
    assert any(_fails(one) for one in inductive(zero, "a", 2))  # strict before is not strict here
    strict = read_statement("a(n) < 2^n for whole n >= 0, sequence a(n), a(n) = 2*a(n-1), a(0) = 1/2")
    assert not any(_fails(one) for one in inductive(strict, "a", 1))
    tight = read_statement(f"a(n) <= log(n) + 1 for whole n >= 1, {SEARCH}")
    assert any(_fails(one) for one in inductive(tight, "a", 2))
    for after in (1, 1000):
        with pytest.raises(Refused, match="begins elsewhere"):
            inductive(below, "a", after)
    found = declared(below, "a")
    assert len(values_along(found, 2, 1, "k", read("k + 1"), 0)) == 2
    with pytest.raises(Refused, match="begins elsewhere"):
        values_along(found, 2, 1, "k", read("k + 1"), 10**40)
    with pytest.raises(Refused, match="is not the power before it"):
        values_along(found, 3, 1, "k", read("k + 1"), 1)


def test_a_generating_function_obeys_the_recurrence_and_begins_so():
    statement = read_statement(f"a(n) ~ 3^n as whole n -> oo for {MOTZKIN}")
    data = {"of": "a", "function": "(1 - z - (1 - 2*z - 3*z^2)^(1/2))/(2*z^2)", "variable": "z", "radius": "1/4", "rest": "2",
            "weight": "1"}  # fmt: skip
    assert not any(_fails(one) for one in generated(statement, Data(data)))
    for change in ({"rest": "3"}, {"function": "(1 - 2*z - 3*z^2)^(-1/2)", "rest": "2"}):
        assert any(_fails(one) for one in generated(statement, Data({**data, **change})))
    for change, why in (
        ({"rest": "2 + z^2"}, "below 2"), ({"radius": "0"}, "positive radius"), ({"variable": "n"}, "a function of n"),
        ({"weight": "2"}, "weight"), ({"function": "w"}, "a function of z"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=why):
            generated(statement, Data({**data, **change}))
    involutions = declared(
        read_statement("a(n) > 0 for sequence a(n), a(n+1) = a(n) + n*a(n-1), a(0) = 1, a(1) = 1"), "a"
    )
    operated = operator(involutions, read("exp(z + z^2/2)"), "z", True)
    assert theorem(read_statement(f"{operated} = 0 for z > 0, z < 1"), True).holds


def test_what_stands_in_the_place_of_a_sequence_is_not_captured():
    statement = read_statement(f"Sum(a(k)*n, (k, 0, n)) >= 0 for whole n >= 0, {TOWER}")
    found = declared(statement, "a")
    from asymp.kernel.sequences.declared import definition

    put = without(statement, "a", definition(found, read("2^n - 1")))
    assert canonical(put) == canonical(read_statement("Sum((2^k - 1)*n, (k, 0, n)) >= 0 for whole n >= 0"))
