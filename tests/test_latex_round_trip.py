"""What the language writes as LaTeX is read as the statement that it was, for every form and every registered claim."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import asymp
from asymp.kernel.terms import Refused, Term, canonical
from asymp.language.conditions import OfFunction, read_conditions, text_of
from asymp.language.elaborate import closed, filled
from asymp.language.forms import CONDITIONS, FORMS
from asymp.language.numbers import ParseError
from asymp.language.setting import SettingReader
from asymp.language.statement import Statement, read_statement
from asymp.language.statement_tex import conditions_tex, statement_tex
from asymp.language.syntax import Parser
from asymp.language.tex import name_tex, tex
from asymp.language.words import CONSTANTS
from asymp.latex import Notation, TwoReadings, Unreadable, read
from asymp.latex.paper import of_file
from asymp.latex.same import alike
from asymp.latex.statements import read_conditions as conditions_of_latex

ROOT = Path(asymp.__file__).resolve().parents[1]
PAPERS = ("ilb", "lfms", "mjsre", "parallelps", "twoclass")
LAWS = re.compile(r"\b(P|E|Var)\(")
"""Chances and means of everyday laws are printed as the field does, and are no notation of the reader."""
ONE_FRACTION = {"ilb/equation-33-theta-1"}
"""Asked back with a reading that has a/(b*c) for its a/b/c: the same number, another term."""
TOO_MANY = {"mjsre/equation-12"}
"""Claims in which so many names are printed alike that there are more readings than are listed."""
ASKED = {"ilb": 108, "lfms": 33, "mjsre": 65, "parallelps": 12, "twoclass": 0}
"""At most so many claims whose formula has several readings, as names of the paper are printed alike."""


PRINTED_ALONE = re.compile(r"^(limsup|liminf|not|sequence)\b")
"""What is printed for people: the reader of LaTeX says that it does not read it."""


@pytest.mark.parametrize("example", [example for *_, example in FORMS if not PRINTED_ALONE.match(example)])
def test_every_form_is_read_back(example):
    statement = read_statement(example)
    assert canonical(read(statement_tex(statement, {}))) == canonical(statement)


@pytest.mark.parametrize("example", [example for *_, example in FORMS if PRINTED_ALONE.match(example)])
def test_what_is_printed_alone_is_not_read_as_something_else(example):
    with pytest.raises(Unreadable):
        read(statement_tex(read_statement(example), {}))


@pytest.mark.parametrize("example", [example for example, _ in CONDITIONS if not PRINTED_ALONE.match(example)])
def test_every_condition_is_read_back(example):
    found = read_conditions(example)
    names = {name for c in found for node in c.terms() for name in node.free}
    known = Notation(variables=frozenset(names))
    assert text_of(read_conditions(", ".join(conditions_of_latex(conditions_tex(found, {}), known)))) == text_of(found)


TERMS = (
    "sin(x)^2", "sin(x)^(-1)", "log(x)^(-1)", "log(x)*y", "(log(x))!", "harmonic(n, 2)", "exp(1)^x", "-x^2", "(-x)^2",
    "x/(y/z)", "(x/y)^2", "x^(y^z)", "factorial2(n)", "(n!)!", "n!^2", "floor(x/2)", "Abs(x - y)", "binomial(n, k)^2", "sqrt(x)^3",
    "gamma(x)^2", "uppergamma(s, x)", "zeta(s)", "erf(x)", "li(x)", "Max(x, y, z)", "Sum(k, (k, 1, n))*x", "Sum(k*j, (k, 1, j), (j, 1, n))",
    "Product(k, (k, 1, n))*n", "Integral(exp(-t), (t, 0, x))*x", "Integral(Integral(t*u, (t, 0, u)), (u, 0, 1))", "x*2^y", "2*3", "2*x*3",
    "1e100*x", "0.5*x", "polylog(2, x)", "betainc(a, b, x)", "besselj(n, x)", "asin(x)", "sinh(x)^2", "EulerGamma*pi*E", "ff(x, 2)",
    "x_*y", "mu_n + mu1", "alpha_n*rate", "AtMost(j, a)*x", "lowergamma(s, x)", "airyai(x)", "stirling2(n, k)", "hyp2f1(a, b, c, x)",
)  # fmt: skip


@pytest.mark.parametrize("text", TERMS)
def test_terms_are_read_back(text):
    node = Parser(text).whole()
    known = Notation(variables=node.free - CONSTANTS)
    statement = read_statement(f"{text} <= w")
    assert canonical(alike(read(statement_tex(statement, {}), known))) == canonical(alike(statement)), tex(node, {})


def test_two_names_are_not_printed_alike():
    for one, other in (("E", "e"), ("EulerGamma", "gamma")):
        assert name_tex(one, {}) != name_tex(other, {})
    assert name_tex("EulerGamma", {"g": r"\gamma"}) != r"\gamma"
    statements = ("f ~ g as n -> oo, x > 0", "f ~ g as n -> oo for x > 0", "n = 1 for n in 0..3", "n = 1 for whole n, 0 <= n <= 3")
    assert len({statement_tex(read_statement(one), {}) for one in statements}) == 4


# --- the claims


@cache
def paper(key: str) -> SettingReader:
    where = ROOT / "proofs" / key / "claims.toml"
    found = SettingReader(where.read_text(encoding="utf-8"), where.name, None)
    found.setting, found.regimes, found.domains = found.read_setting(), found.texts("regimes"), found.texts("domains")
    return found


def same(file: SettingReader, statement: Statement) -> Term:
    """The closed statement of a reading; an error where it is none in the paper."""
    own = [c.name for c in statement.domain if isinstance(c, OfFunction)]
    for node in (*statement.terms(), *(node for c in statement.conditions() for node in c.terms())):
        file.known_functions(node, file.setting, own)
    return canonical(alike(closed(statement, file.setting)))


def closing(file: SettingReader, text: str) -> Term | None:
    """The closed statement of a text; None where it is none in the paper."""
    try:
        return same(file, read_statement(text))
    except ValueError:
        return None


@pytest.mark.parametrize("key", PAPERS)
def test_every_registered_statement_is_read_back(key):
    """Or asked back with itself among the readings, where the paper prints several names alike; never another one."""
    file = paper(key)
    known, signs = of_file(file, file.setting), file.texts("notation")
    asked, wrong = [], []
    for name, entry in file.entries().items():
        try:
            written, whole = file.worded(entry["says"], entry)
            wanted = canonical(alike(whole))
        except (KeyError, ParseError, Refused):
            continue
        if LAWS.search(entry["says"]):
            continue
        latex = statement_tex(filled(written, file.setting), signs)
        try:
            if same(file, read(latex, known, same=lambda one: same(file, one))) != wanted:
                wrong.append((name, latex))
        except TwoReadings as several:
            asked.append(name)
            if name not in ONE_FRACTION and wanted not in [closing(file, reading.text) for reading in several.readings]:
                wrong.append((name, latex))
        except Unreadable as error:
            if name not in TOO_MANY:
                wrong.append((name, str(error)))
    assert wrong == []
    assert len(asked) <= ASKED[key], asked
