"""Printed numbers: rounded, cut, neither, and what is no printed number."""

from __future__ import annotations

import pytest

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem


def rounding(text, **data):
    return apply("rounding", statement=text, **({"bits": 64} | data))


@pytest.mark.parametrize(
    ("term", "digits", "holds"),
    [
        ("pi", "3.14", True), ("pi", "3.15", False), ("pi", "3.1416", True), ("pi", "3.1415", True), ("pi", "3.1417", False), ("pi", "3", True),
        ("pi", "4", False), ("2*pi", "6.283", True), ("2*pi", "6.284", False), ("-pi", "-3.14", True), ("-pi", "-3.1416", True),
        ("-pi", "-3.1415", True), ("-pi", "3.14", False), ("pi", "-3.14", False), ("1/2", "1", True), ("1/2", "0", True), ("3/2", "1", True),
        ("3/2", "2", True), ("1/3", "0.33", True), ("2/3", "0.66", True), ("2/3", "0.67", True), ("2/3", "0.68", False), ("1", "0.9", False),
        ("1", "0", False), ("0.999", "0", True), ("-0.999", "-0", True), ("-0.999", "0", False), ("0.999", "-0", False), ("-1/2", "0", True),
        ("1234", "1e3", True), ("2001", "1e3", False), ("1999", "1e3", True), ("2000", "1e3", False), ("1234", "1.2e3", True),
        ("1 - 10^(-200)", "0", True), ("1", "1.000", True), ("1 + 10^(-4)", "1.000", True), ("3.1395", "3.140", True), ("3.1394", "3.140", False),
    ],
)  # fmt: skip
def test_a_number_is_printed_rounded_or_cut(term, digits, holds):
    text = f"{term} rounds to {digits}"
    assert rounding(text, bits=1000).holds is holds
    assert theorem(read_statement(text), holds).holds is holds
    with pytest.raises(Refused):
        theorem(read_statement(text), not holds)


@pytest.mark.parametrize(
    "text",
    [
        "x rounds to 3.14", "x rounds to 3 for x = 3", "pi rounds to 3.14 for x > 0", "pi rounds to 3.14 for some x in 1..2", "x - x rounds to 0",
        "log(-1) rounds to 0", "1/(1 - 1) rounds to 0", "0*log(0) rounds to 0", "sqrt(-1) rounds to 1", "oo rounds to 1", "f(1) rounds to 1",
        "pi = 3.14", "pi rounds to 3.14 and pi rounds to 3", "pi/oo rounds to 0", "pi rounds to 3 as n -> oo", "pi rounds to 1e-2000",
    ],
)  # fmt: skip
def test_what_is_no_printed_number_is_refused(text):
    with pytest.raises(ValueError):
        rounding(text)


def test_a_value_at_the_end_that_is_not_told_apart_is_refused():
    for text in ("exp(log(2)) rounds to 1", "1 + exp(log(2))/2 - 10^(-30) rounds to 1", "1 + 10^(-60)*exp(1) - 10^(-60)*E rounds to 0"):
        with pytest.raises(Refused):
            rounding(text)
    assert rounding("1 + exp(log(2))/2 - 10^(-30) rounds to 1", bits=200).holds
    assert not rounding("1 + exp(log(2))/2 + 10^(-30) rounds to 1", bits=200).holds


def test_data_of_another_kind_are_refused():
    for data in ({"bits": 64.0}, {"bits": True}, {"bits": 8}, {"bits": 64, "more": 1}, {"statement": 3}):
        with pytest.raises(Refused):
            apply("rounding", **({"statement": "pi rounds to 3", "bits": 64} | data))
    with pytest.raises(Refused):
        apply("rounding", [rounding("pi rounds to 3")], statement="pi rounds to 3", bits=64)
