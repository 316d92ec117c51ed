"""The statements that nobody registered: as many and as false as they are said to be, their truth by numbers, how answers count."""

from collections import Counter

import pytest

from benchmarks.papers import asked, sequences, statements, truth
from benchmarks.papers import numbers as terms
from benchmarks.papers.__main__ import COLUMNS, main, table, told
from benchmarks.papers.asked import answered
from benchmarks.papers.statements import Said
from benchmarks.papers.truth import found

SAID = statements.statements()


def test_each_kind_has_forty_statements_a_third_of_them_false():
    of, false = Counter(one.kind for one in SAID), Counter(one.kind for one in SAID if not one.true)
    assert len(of) == 11
    assert all(of[kind] >= 40 and 3 * false[kind] >= of[kind] for kind in statements.kinds())


def test_no_statement_stands_twice_and_each_has_a_source():
    count = Counter(map(str, SAID))
    assert [one for one, many in count.items() if many > 1] == []
    assert all(
        one.source and set(one.numbers) <= {"at", "path", "left", "check", "check_false", "digits", "shows"}
        for one in SAID
    )


@pytest.mark.parametrize("one", [one for k, one in enumerate(SAID) if k % 23 == 0], ids=str)
def test_numbers_confirm_the_truth(one):
    assert found(one.text, one.to, one.numbers, one.assume, one.true) is one.true


@pytest.mark.parametrize(
    ("text", "to", "true"),
    [
        ("Sum(1/k, (k, 1, n)) = log(n) + O(1)", "n -> oo", True),
        ("Sum(1/k, (k, 1, n)) = log(n) + o(1)", "n -> oo", False),
        ("n^2 = Theta(n^2 + n)", "n -> oo", True),
        ("n^2 = Theta(n^2*log(n))", "n -> oo", False),
        ("n^2 = omega(n)", "n -> oo", True),
        ("n^2 = Omega(n^3)", "n -> oo", False),
        ("1/x -> oo", "x -> 0+", True),
        ("x^2 <= x for 0 <= x <= 1", "", True),
        ("x^2 < x for 0 <= x <= 1", "", False),
        ("k! = gamma(k+1) for whole k >= 0", "", True),
        ("(n-1)!*n^2 = n!*n for whole n >= 1", "", True),
    ],
)
def test_numbers_tell_true_from_false(text, to, true):
    assert found(text, to, {}) is true


def test_a_holding_false_statement_is_wrong_and_so_is_a_refuted_true_one():
    right, wrong = Said("x", "", "", (), True, ""), Said("x", "", "", (), False, "")
    holds, refuted = ({"outcome": one, "strength": "supported"} for one in ("holds", "refuted"))
    assert (told(right, holds), told(wrong, refuted)) == ("supported", "supported")
    assert (told(wrong, holds), told(right, refuted)) == ("WRONG", "WRONG")
    others = ["undecided", "late", "refused", "crash"]
    assert [told(right, {"outcome": one}) for one in others] == others


def test_the_run_asks_and_prints(capsys, tmp_path):
    assert main(["--kind", "1", "--only", "n*harmonic(n)", "--fresh", "--json", str(tmp_path / "rows.json")]) == 0
    shown = capsys.readouterr().out
    assert "WRONG" in shown and "01-slow" in shown and (tmp_path / "rows.json").exists()


def test_what_is_not_read_is_refused_in_one_line():
    answer = answered("[z^n] 1/(1-z) = 1", "n -> oo", [])
    assert answer["outcome"] == "refused" and "\n" not in answer["reason"]


def test_the_table_has_a_row_a_kind():
    row = {"kind": "x", "true": True, "seconds": 1.0, "column": "proved"}
    assert table([row, row | {"column": COLUMNS[-1]}]).count("\n") == 2


PEERS = statements.HERE.parent / "peers"


def test_the_suites_of_other_tools_are_read_in_the_same_way(tmp_path, capsys):
    """With false neighbours; what the tool does with its own is said of true statements alone, in words that are known."""
    said = statements.statements(folder=PEERS)
    suites = statements.kinds(PEERS)
    assert {"coqinterval", "metitarski"} <= suites.keys()
    for suite in suites:
        own = [one for one in said if one.kind == suite]
        assert own == statements.statements(suite, PEERS)
        assert any(not one.true for one in own)
    assert all(one.peer in ("", *statements.PEERS) and (one.true or not one.peer) for one in said)
    assert len({(one.kind, str(one)) for one in said}) == len(said)
    entry = 'kind = "a suite"\nstatements = [{true = "1 < 2", false = "2 < 1", source = "here", peer = "solved"}]'
    (tmp_path / "one.toml").write_text(entry)
    assert main(["--suite", "one"], folder=tmp_path, kind="suite") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[-2:] == ["1/1", "1/1"]
    (tmp_path / "one.toml").write_text(entry.replace("solved", "sometimes"))
    with pytest.raises(ValueError, match="sometimes is none of"):
        statements.statements(folder=tmp_path)


@pytest.mark.parametrize("module", [asked, sequences, statements, terms, truth], ids=lambda module: module.__name__)
def test_examples(module):
    import doctest

    assert doctest.testmod(module).failed == 0
