"""A claim is held against the machine's reading of its quote when it is checked: what says otherwise is not what is printed."""

import json

import pytest

from asymp.cli import main
from asymp.command.checking import check_all
from asymp.paper.readings import ReadingFile

FILE = '[paper]\nkey = "a"\n[variables]\nn = "whole, >= 1"\n'
OTHER = "quote = 'H_n \\le \\ln n'\nsays = \"harmonic(n) <= log(n) + 1\"\n"


def _file(*claims):
    return FILE + "".join(f'[claim."lemma-{k}"]\n{said}' for k, said in enumerate(claims, 1))


@pytest.mark.parametrize(("said", "otherwise"), [
    (OTHER, True),
    (OTHER.replace(r"\ln n", r"1 + \ln n"), False),
    (OTHER + 'narrowed = "half of it"\n', False),
    (OTHER + 'differs = "unreadable: misprint, a 1 is missing"\n', False),
    (OTHER + "ours = true\n", False),
    (OTHER + 'differs = "steps"\n', True),  # not what it is
    (OTHER.replace("H_n", "h_n"), False),  # of which the file says nothing
    (OTHER.replace("'H_n \\le \\ln n'", "'less than its logarithm'"), False),
    ("quote = '$n^2 - 1 < n^2 < 2n^2$'\nsays = \"n^2 - 1 < n^2\"\n", False),  # a part, though it does not say so
    ("quote = '$(n - 1)(n + 1) < n^2$'\nsays = \"n^2 - 1 < n^2\"\n", False),  # the same by an identity
    ("quote = '$(n - 1)(n + 1) < n^2$'\nsays = \"n^2 - 2 < n^2\"\n", True),
])  # fmt: skip
def test_what_says_otherwise_than_its_quote_is_seen(said, otherwise):
    assert ReadingFile(_file(said), "a.toml").standing("lemma-1").otherwise is otherwise


def test_a_check_says_so_and_counts_no_theorem_for_what_is_printed(tmp_path, capsys):
    path, out = tmp_path / "a.toml", tmp_path / "out.json"
    path.write_text(_file(OTHER, OTHER.replace(r"\ln n", r"\ln n + 1")), encoding="utf-8")
    for _ in "as it is found", "as it is in the store":
        assert main(["check", str(path), "--json", str(out)]) == 0
        rows = capsys.readouterr().out.splitlines()
        at = next(k for k, row in enumerate(rows) if "a/lemma-1" in row)
        assert rows[at].startswith("~") and " differs " in rows[at]
        assert rows[at + 1].strip() == "the quote reads: harmonic(n) <= log(n); the claim says otherwise"
        assert "1 proved" in rows[-1] and "1 otherwise than the quote" in rows[-1]
        data = json.loads(out.read_text())
        assert [(one["as_printed"], one["reading"], one["outcome"]) for one in data["claims"]] == [
            (False, "differs", "holds"), (True, "same", "holds"),
        ]  # fmt: skip
        assert (data["summary"]["proved"], data["summary"]["differs"]) == (1, 1)
    found = check_all([str(path)])
    assert [one.claim.as_printed for one in found.values()] == [False, True]
    assert found["a/lemma-1"].claim.quoted["read"] == "harmonic(n) <= log(n)" and found["a/lemma-1"].certificate
