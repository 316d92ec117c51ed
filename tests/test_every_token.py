"""Every token of a text ends up in the statement, or the text is refused: nothing is swallowed, nothing guessed.

Each token of many statements is left out, and written twice: the text is then refused, or it is another statement.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from asymp.kernel.terms import Refused, canonical
from asymp.language.conditions import read_conditions
from asymp.language.elaborate import Setting, closed
from asymp.language.forms import CONDITIONS, FORMS
from asymp.language.kinds import meant_whole
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import tokens
from asymp.parse import claim

SUGAR = {
    "all": "'for all x > 0' is how one says 'for x > 0': a domain is always said for all of it",
}
"""The words that may be left out without a change, each with the reason.  There is no other."""

STATEMENTS = (
    *(example for _, _, example in FORMS),
    "x + 1 > 0 for all x > 0",
    "H(n) <= 1 + log(n) for all whole n >= 1, function H(n), [H(i) <= 1 + log(i) for whole i, 1 <= i <= n]",
    "n! > (n/exp(1))^n for whole n >= 1",
    "(2*n)!! = 2^n*n! for whole n >= 0",
    "(n!)! >= n!! for whole n >= 0",
    "-x^2 <= -(-x)^2/2 - x/7 for real x",
    "2^-n*3 >= -1/2/3 for integer n >= 1",
    "a/b*c = a*c/b for a > 0, b > 0, c > 0",
    "(1 - p)^n -> 0 as whole n -> oo, p -> 0+, n*p -> oo",
    "(1 - p)^n -> 0 as n -> oo, p = omega(log(n)/n), p -> 0+",
    "1/x -> -oo as x -> 0-",
    "x^3 -> -oo as x -> -oo",
    "x*log(x) -> 0 as x -> 0+",
    "n*x^n -> 0 as whole n -> oo for 0 < x < 1",
    "a*n ~ a*(n + b) as n -> oo for a > 0, b > 0",
    "log(n + 1) = log(n) + 1/n - 1/(2*n^2) + o(1/n^2) as n -> oo",
    "log(n) = -(1 + o(1))*(-log(n)) as n -> oo",
    "n^2 = Theta(n^2 + n) as n -> oo",
    "i/n = O(1) uniformly in real i, 0 < i <= n as n -> oo",
    "x^2*y >= 0 for real x, y >= 0 and y < 10",
    "k <= n for whole k, whole n, 0 <= k <= n",
    "k <= n for n in 2..7, k in 1..n",
    "2*a <= b for (a, b) in {(1, 2), (3, 7)}",
    "a + b >= -1/2 for a in {1/2, 1/10}, b in {-1, 0.5}",
    "n*p = 1 for whole n >= 1, p = 1/n",
    "x^2 - 2 = 0 has one root x in (0, 2)",
    "exp(-x) is decreasing in x for real x",
    "x^2 is least at x = 0 for -1 <= x <= 1",
    "pi/4 rounds to 0.785",
    "-EulerGamma rounds to -0.5772",
    "n >= 3 iff n^2 >= 9 for n in 0..6",
    "x >= 1 and x <= 2 and x > 1/2 for 1 <= x <= 2",
    "k^2 >= n for some k in 1..3 for n in {0, 1, 4, 9}",
    "Sum(1/k, (k, 1, n)) - log(n) -> EulerGamma as n -> oo",
    "Sum(j*k, (j, 1, k), (k, 1, n)) <= n^4 for whole n >= 1",
    "Product(1 + 1/k, (k, 1, n)) = n + 1 for whole n >= 0",
    "Integral(exp(-t*n), (t, 0, oo)) = 1/n for n > 0",
    "binomial(n, k) <= 2^n for whole n >= 0, whole k, 0 <= k <= n",
    "Max(x, y) >= x for real x, real y",
    "floor(x) <= x <= ceiling(x) for real x",
    "0 < x < 2 for 1/3 < x < 1",
    "1.5*x >= 1.e0*x for x >= .5",
)
CLAIMS = sorted((Path(__file__).parents[1] / "proofs").glob("*/claims.toml"))


def _said(text: str) -> list[str]:
    """What is said in a file of claims."""
    found = []
    for entry in tomllib.loads(text).get("claim", {}).values():
        if isinstance(entry, dict):
            found += [entry[key] for key in ("says", "corrected") if isinstance(entry.get(key), str)]
    return found


def _same(text: str, statement: Statement) -> bool:
    """Whether a text is read, and as this statement."""
    try:
        found = closed(read_statement(text), Setting())
        if canonical(found) != canonical(statement):
            return False
        claim("me/x", text, source="me, 1")  # what is refused one door further on is refused
    except (ParseError, Refused):
        return False
    return True


def _changes(text: str) -> list[tuple[str, str, str]]:
    """Each token left out, and written twice: (token, what was done, text)."""
    found = []
    for token in tokens(text)[:-1]:
        start, end = token.column - 1, token.column - 1 + _length(text, token.column - 1)
        piece = text[start:end]
        found.append((token.text, "left out", f"{text[:start]} {text[end:]}"))
        found.append((token.text, "twice", f"{text[:start]}{piece} {text[start:]}"))
    return found


def _length(text: str, start: int) -> int:
    """Of the token that starts there."""
    inside = text[start:]
    for end in range(len(inside), 0, -1):
        try:
            if len(found := tokens(inside[:end])) == 2 and found[0].column == 1 and not inside[:end].endswith((" ", "\n")):
                return end
        except ParseError:
            continue
    raise AssertionError(text)


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_token_left_out_or_written_twice(text: str) -> None:
    statement = closed(read_statement(text), Setting())
    canonical(statement)
    swallowed = [f"{token} {what}: {new}" for token, what, new in _changes(text) if token not in SUGAR and _same(new, statement)]
    assert not [one for one in swallowed if not _is_meant(one)]


def _is_meant(change: str) -> bool:
    """Whether what was left out is a kind that the statement cannot do without: an end of a sum is whole in any case."""
    token, _, text = change.partition(" left out: ")
    return token == "whole" and bool(text) and bool(meant_whole(read_statement(text)))


@pytest.mark.parametrize("text", [example for example, _ in CONDITIONS])
def test_of_conditions_too(text: str) -> None:
    def read(text: str) -> object:
        try:
            return frozenset(canonical(Statement(read_statement("1 < 2").body, domain=read_conditions(text))))
        except (ParseError, Refused):
            return None

    assert read(text) is not None
    assert not [change for change in _changes(text) if read(change[2]) == read(text)]


def _counted(text: str) -> Counter[str]:
    """The names and numbers of a text; brackets, commas and signs are the affair of the tests above."""
    plain = {"integer": "whole", "integers": "whole"}
    found = Counter(plain.get(token.text, token.text) for token in tokens(text) if token.kind in ("name", "number"))
    for word in (*SUGAR, "and"):  # conditions are parted by 'and' or by a comma
        del found[word]
    return found


def test_what_is_read_is_printed() -> None:
    """Every name and every number of a text is in the statement as it is printed, and nothing else."""
    texts = [*STATEMENTS, *(text for file in CLAIMS for text in _said(file.read_text()))]
    others = re.compile(r"\+ o\(1\)\)|\+ Theta\(|[<>]=? [^<>=]* \+ [oO]\(")  # read as another form that says it
    texts = [text for text in texts if not others.search(text)]
    assert len(texts) > 200
    wrong = [text for text in texts if _counted(text) != _counted(str(read_statement(text)))]
    assert not wrong


@pytest.mark.parametrize(("text", "why"), [
    ("n*x/(1+n*x) -> 1 as n -> oo uniformly for 0 < x < 1", "uniformly in 0 < x < 1"),
    ("k^2 = 1 for some all k in 0..3", "'all'"),
    ("x > 0 for all all x", "'all'"),
    ("x > 0 for some some x in {1}", "'some'"),
    ("for > 0", "'for'"),
    ("whole + 1 > 0 for whole > 0", "'whole'"),
    ("+x > 0 for x > 0", "nothing before"),
    ("x + +1 > 0 for x > 0", "nothing before"),
    ("2^+3 > 0", "nothing before"),
    ("1/n -> 0 as n -> +oo", "nothing before"),
    ("n!!! > 0 for n >= 1", "!!!"),
    ("n! ! > 0 for n >= 1", "second factorial"),
    ("n!! ! > 0 for n >= 1", "second factorial"),
    ("n! !! > 0 for n >= 1", "second factorial"),
    ("n > 0 for n in 2...7", "2..7"),
    ("n > 0 for integer 1 <= 2*n", "of which variable"),
    ("n > 0 for integer 1 <= n*m <= k", "of which variable"),
    ("n > 0 for whole n + m > 3", "of which variable"),
    ("n > 0 for whole n <= m <= k", "of which variable"),
    ("n > 0 for whole (n, m) in {(1, 2)}", "of which variable"),
    ("n > 0 for whole, n > 1", "of which variable"),
    ("n > 0 for whole whole n > 1", "'whole'"),
    ("n > 0 for n > 1,, n > 2", "empty condition"),
    ("n > 0 for n > 1,", "empty condition"),
    ("n > 0 for n > 1 and", "empty condition"),
    ("n > 0 for n > 1, and n > 2", "'and'"),
    ("(0, 2) = 3 has one root x", "has one root x in"),
])
def test_refused_with_the_place(text: str, why: str) -> None:
    with pytest.raises(ParseError) as failed:
        closed(read_statement(text), Setting())
    assert why in str(failed.value)
