"""True statements made from facts, and statements that are false by construction.

A mutant is kept only where numbers agree that it is false: what it asserts to be bounded, or to vanish, or
to tend to 1, is evaluated by mpmath at two huge arguments and must do nothing of the kind.  What is not
clear is discarded, and counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mpmath as mp

from benchmarks.soundness import numeric
from benchmarks.soundness.facts import FACTS, POWERS, Fact


@dataclass(frozen=True)
class Statement:
    """What is asked, and whether it is true (None: it asserts nothing, so that neither answer is right)."""

    text: str
    to: str | None
    assume: tuple[str, ...]
    true: bool | None
    kind: str
    why: str = ""


@dataclass(frozen=True)
class _Question:
    """``quantity = O(1)`` ('bounded'), ``-> 0`` ('vanishes'), or is bounded below ('away')."""

    quantity: str
    asserts: str


def clearly_false(fact: Fact, question: _Question) -> bool:
    """Whether the quantity at two huge arguments contradicts what is asserted of it."""
    try:
        near, far = (abs(numeric.value_or_zero(p, question.quantity)) for p in numeric.points(fact))
    except (ValueError, ZeroDivisionError, ArithmeticError):
        return False
    if question.asserts == "vanishes":  # it stays, or grows
        return bool(far > 0 and far >= near * mp.mpf("0.9"))
    if question.asserts == "bounded":
        return bool(near > 0 and far > near * mp.mpf("1.2"))
    return bool(far < near / mp.mpf("1.2"))  # bounded below, yet it shrinks


def _sum(terms: tuple[tuple[str, str], ...]) -> str:
    return " + ".join(f"({c})*({g})" for c, g in terms) or "0"


def true_statements(fact: Fact) -> Iterator[Statement]:
    """What follows from the fact's expansion."""

    def say(kind: str, text: str) -> Statement:
        return Statement(text, fact.to, fact.assume, True, kind, fact.source)

    terms = fact.terms
    (c, g), *_ = terms
    yield say("equivalent", f"{fact.f} ~ ({c})*({g})")
    yield say("equivalent", f"{fact.f} = (1+o(1))*({c})*({g})")
    yield say("Theta", f"{fact.f} = Theta({g})")
    yield say("O", f"{fact.f} = O({g})")
    yield say("Omega", f"{fact.f} = Omega({g})")
    yield say("o", f"{fact.f} = o(({g})*({fact.log}))")
    yield say("omega", f"{fact.f} = omega(({g})/({fact.log}))")
    yield say("limit", f"({fact.f})/({g}) -> {c}")
    for j in range(1, len(terms)):
        head = _sum(terms[:j])
        yield say("expansion O", f"{fact.f} = {head} + O({terms[j][1]})")
        yield say("expansion o", f"{fact.f} = {head} + o({terms[j - 1][1]})")
        yield say("limit", f"(({fact.f}) - ({head}))/({terms[j][1]}) -> {terms[j][0]}")


def _mutants(fact: Fact) -> Iterator[tuple[Statement, _Question]]:
    def say(kind: str, text: str, why: str, quantity: str, asserts: str) -> tuple[Statement, _Question]:
        return Statement(text, fact.to, fact.assume, False, kind, why), _Question(quantity, asserts)

    f, terms = fact.f, fact.terms
    (c, g), *_ = terms

    # the leading term
    wrong = {
        "constant": f"11/10*({c})*({g})",
        "constant by 10^-12": f"(1+10^-12)*({c})*({g})",
        "sign": f"-({c})*({g})",
        "log too many": f"({c})*({g})*({fact.log})",
        "log too few": f"({c})*({g})/({fact.log})",
        "exponent": f"({c})*({g})*({fact.large})^(1/10)",
    }
    for why, bad in wrong.items():
        yield say("equivalent", f"{f} ~ {bad}", why, f"({f})/({bad}) - 1", "vanishes")
    yield say("equivalent", f"{f} = (1+o(1))*({wrong['constant']})", "constant", f"({f})/({wrong['constant']}) - 1", "vanishes")
    yield say("limit", f"({f})/({g}) -> 9/10*({c})", "constant", f"({f})/({g}) - 9/10*({c})", "vanishes")
    yield say("limit", f"({f})/({g}) -> -({c})", "sign", f"({f})/({g}) + ({c})", "vanishes")
    yield say("limit", f"({f})/({g}) -> 0", "vanishing", f"({f})/({g})", "vanishes")
    yield say("limit", f"({f})/({g}) -> oo", "infinite", f"({g})/({f})", "vanishes")
    yield say("limit", f"({f})/({g})*({fact.log}) -> {c}", "log too many", f"({f})/({g})*({fact.log}) - ({c})", "vanishes")

    # orders
    yield say("O", f"{f} = O(({g})/({fact.log}))", "log too few", f"({f})/(({g})/({fact.log}))", "bounded")
    yield say("o", f"{f} = o({g})", "swapped relation", f"({f})/({g})", "vanishes")
    yield say("o", f"{f} = o(10^30*({g}))", "swapped relation", f"({f})/({g})", "vanishes")
    yield say("Omega", f"{f} = Omega(({g})*({fact.log}))", "log too many", f"({f})/(({g})*({fact.log}))", "away")
    yield say("omega", f"{f} = omega({g})", "swapped relation", f"({g})/({f})", "vanishes")
    yield say("Theta", f"{f} = Theta(({g})*({fact.log}))", "log too many", f"({f})/(({g})*({fact.log}))", "away")
    yield say("Theta", f"{f} = Theta(({g})/({fact.log}))", "log too few", f"({f})/(({g})/({fact.log}))", "bounded")
    yield say("O", f"({g})*({fact.log}) = O({f})", "swapped sides", f"({g})*({fact.log})/({f})", "bounded")

    # expansions: terms[:j] + O(growth of the next), and + o(growth of the last)
    for j in range(1, len(terms)):
        head, last, after = terms[:j], terms[j - 1][1], terms[j][1]
        true_head = _sum(head)
        for i in range(j):
            for why, factor in (("sign", "-1"), ("constant", "21/20"), ("constant by 10^-9", "(1+10^-9)"), ("dropped", "0")):
                changed = _sum((*head[:i], (f"({factor})*({head[i][0]})", head[i][1]), *head[i + 1 :]))
                rest = f"({f}) - ({changed})"
                what = f"{why}, term {i + 1}"
                yield say("expansion O", f"{f} = {changed} + O({after})", what, f"({rest})/({after})", "bounded")
                yield say("expansion o", f"{f} = {changed} + o({last})", what, f"({rest})/({last})", "vanishes")
        for why, extra in (("added log", f"({after})*({fact.log})"), ("added multiple of the last", f"1/7*({last})")):
            rest = f"({f}) - ({true_head}) - {extra}"
            yield say("expansion O", f"{f} = {true_head} + {extra} + O({after})", why, f"({rest})/({after})", "bounded")
        rest = f"({f}) - ({true_head})"
        small = f"({after})/({fact.log})"
        yield say("expansion O", f"{f} = {true_head} + O({small})", "remainder too small", f"({rest})/({small})", "bounded")
        yield say("expansion o", f"{f} = {true_head} + o({after})", "remainder too small", f"({rest})/({after})", "vanishes")
        if j + 1 < len(terms):
            small = terms[j + 1][1]
            yield say("expansion O", f"{f} = {true_head} + O({small})", "a later remainder", f"({rest})/({small})", "bounded")
            full = _sum(terms[: j + 1])
            yield say("expansion o", f"{f} = {full} + o({terms[j + 1][1]})", "a later remainder",
                      f"(({f}) - ({full}))/({small})", "vanishes")
        yield say("limit", f"(({f}) - ({true_head}))/({after}) -> 11/10*({terms[j][0]})", "constant",
                  f"({rest})/({after}) - 11/10*({terms[j][0]})", "vanishes")
        if fact.to == "n->oo" and fact.points == POWERS:  # the argument moved where powers of n feel it
            for shift in ("n+1", "n-1", "2*n"):
                moved = _sum(tuple((c, _moved(g, shift)) for c, g in head))
                rest = f"({f}) - ({moved})"
                yield say("expansion O", f"{f} = {moved} + O({after})", f"argument {shift}", f"({rest})/({after})", "bounded")
        if not _holds_still(fact, head):
            swapped = _sum(tuple((c, f"1/({g})") for c, g in head))
            yield say("equivalent", f"{f} ~ {swapped}", "inverted", f"({f})/({swapped}) - 1", "vanishes")


def _holds_still(fact: Fact, head: tuple[tuple[str, str], ...]) -> bool:
    return all(g == "1" for _, g in head)


def _moved(growth: str, shift: str) -> str:
    """A growth with its variable moved (names such as ``ln`` hold an n too)."""
    out, k = [], 0
    while k < len(growth):
        alone = growth[k] == "n" and not (growth[k - 1 : k].isalpha() or growth[k + 1 : k + 2].isalpha())
        out.append(f"({shift})" if alone else growth[k])
        k += 1
    return "".join(out)


RANGES = (
    # (statement, to, ranges where it is true, wider ranges where it fails, parameter value that shows it)
    ("n^a = o(n)", "n->oo", ("0<a<1",), ("0<a<2",), "3/2"),
    ("n^a = O(n^2)", "n->oo", ("0<a<2",), ("0<a<3",), "5/2"),
    ("n^(1-a) + 1 ~ 1", "n->oo", ("a>1",), ("a>1/2",), "3/4"),
    ("n^(1-a) + 1 ~ n^(1-a)", "n->oo", ("0<a<1",), ("0<a<3",), "2"),
    ("n^(1-a) + 1 = Theta(1)", "n->oo", ("a>1",), ("a>0",), "1/2"),
    ("(1-p)^n -> 1", "n->oo, p=n^(-a)", ("a>1",), ("a>1/2",), "3/4"),
    ("(1-p)^n -> 0", "n->oo, p=n^(-a)", ("0<a<1",), ("0<a<2",), "3/2"),
    ("a^n -> oo", "n->oo", ("a>1",), ("a>1/2",), "3/4"),
    ("a^n -> 0", "n->oo", ("0<a<1",), ("0<a<2",), "3/2"),
    ("a^n = o(2^n)", "n->oo", ("0<a<2",), ("0<a<4",), "3"),
    ("n^2 + n^a ~ n^2", "n->oo", ("0<a<2",), ("0<a<5",), "3"),
    ("n^2 + n^a ~ n^a", "n->oo", ("a>2",), ("a>1",), "3/2"),
    ("n^a*log(n) = O(n^2)", "n->oo", ("0<a<2",), ("0<a<9/4",), "17/8"),
    ("n^(-a) = o(1/log(n)^5)", "n->oo", ("a>0",), ("a>-1",), "-1/2"),
    ("log(n)^a = o(log(n))", "n->oo", ("0<a<1",), ("0<a<2",), "3/2"),
    ("exp(n^a) = o(exp(n))", "n->oo", ("0<a<1",), ("0<a<2",), "3/2"),
    ("exp(a*n) = o(exp(n))", "n->oo", ("0<a<1",), ("0<a<3/2",), "5/4"),
    ("(a-1)*n + log(n) -> oo", "n->oo", ("a>1",), ("a>0",), "1/2"),
    ("(a-1)*n + log(n) ~ (a-1)*n", "n->oo", ("a>1",), ("a>0",), "1"),
    ("(a-1)*n + log(n) = Theta(n)", "n->oo", ("a>1",), ("a>0",), "1"),
    ("(a-2)*(a-3)*n + 1 = Theta(n)", "n->oo", ("a>3",), ("a>1",), "2"),
    ("uppergamma(n, a*n) = o(gamma(n))", "n->oo", ("a>1",), ("a>1/2",), "3/4"),
    ("uppergamma(n, a*n) ~ gamma(n)", "n->oo", ("0<a<1",), ("0<a<2",), "3/2"),
    ("gamma(n+a)/gamma(n) = O(n)", "n->oo", ("0<a<1",), ("0<a<2",), "3/2"),
    ("x^a*log(1/x) -> 0", "x->0+", ("a>0",), ("a>-1",), "-1/2"),
    ("x^(a-1) -> oo", "x->0+", ("0<a<1",), ("0<a<2",), "3/2"),
    ("(1+x)^a - 1 = Theta(x)", "x->0+", ("a>0",), ("a>-1",), "0"),
    ("m^a = o(n)", "n->oo, m=n^(1/2)", ("0<a<2",), ("0<a<3",), "5/2"),
    ("n*p -> 0", "n->oo, p=n^(-a)", ("a>1",), ("a>0",), "1/2"),
    ("n*p -> oo", "n->oo, p=n^(-a)", ("0<a<1",), ("0<a<2",), "3/2"),
)
"""Statements that are true in a range and fail in part of a wider one; the last value is exact and by inspection."""


def range_statements() -> Iterator[Statement]:
    """True in the narrow range; false in the wide one, and at the value itself."""
    for text, to, narrow, wide, bad in RANGES:
        yield Statement(text, to, narrow, True, "range")
        yield Statement(text, to, wide, False, "range", f"fails at a = {bad}")
        yield Statement(text, to, (f"a = {bad}",), False, "range", f"asked at a = {bad}")


@dataclass(frozen=True)
class Made:
    """The statements, and how many mutants were discarded because numbers do not show that they are false."""

    statements: tuple[Statement, ...]
    discarded: int
    unconfirmed: tuple[str, ...]


def from_fact(fact: Fact, every: int = 1) -> Made:
    """The statements of one fact, each ``every``-th; none where its terms are not confirmed."""
    if not numeric.confirmed(fact):
        return Made((), 0, (fact.f,))
    true = list(true_statements(fact))
    if fact.exact:
        rest = f"({fact.terms[-1][1]})/({fact.large})^9"
        true.append(Statement(f"{fact.f} = {_sum(fact.terms)} + O({rest})", fact.to, fact.assume, True, "expansion O", "exact"))
    seen = {s.text for s in true}
    mutants: list[Statement] = []
    discarded = 0
    for statement, question in list(_mutants(fact))[::every]:
        if statement.text in seen:
            continue
        seen.add(statement.text)
        if clearly_false(fact, question):
            mutants.append(statement)
        else:
            discarded += 1
    return Made((*true[::every], *mutants), discarded, ())


def all_facts() -> tuple[Fact, ...]:
    """The facts in their order."""
    return FACTS


def at_values(fact: Fact) -> Fact:
    """The fact at its parameter values alone."""
    return replace(fact, assume=tuple(f"{name} = {value}" for name, value in fact.values))
