"""The claims of the lfms paper: well formed, complete, in the paper's words, and changed texts are found out.

All claims are run with those of the other papers, elsewhere.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
import sympy as sp

from asymp import registry
from asymp.check.judge import judge
from asymp.claim import Outcome, Property, Strength, Unread
from asymp.enclosure import enclose_quantity, exact
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared
from asymp.language.setting import SettingReader
from asymp.language.statement import read_statement
from asymp.language.syntax import Node
from asymp.paper import read_claims
from asymp.papers.lfms import samples
from asymp.papers.lfms.model import chain
from asymp.papers.lfms.notation import E_DELTA, MU, mu1, n, p
from asymp.registry import validate

FILE = Path(samples.__file__).parent / "claims.toml"
claims = partial(registry.claims, "lfms")  # read when the first test asks

RESULTS = (
    [f"Theorem 4.{k}" for k in (1, 2, 3)]
    + [f"Lemma 5.{k}" for k in range(1, 6)]
    + [
        "Lemma 6.1",
        "Theorem 6.1",
        "Lemma 7.1",
        "Theorem 7.1",
        "Lemma 8.1",
        "Lemma 8.2",
        "Lemma 8.3",
        "Theorem 8.1",
    ]
)
ITEMS = [
    f"Theorem {number} item {k}"
    for number, last in (("6.1", 4), ("7.1", 5), ("8.1", 5))
    for k in range(1, last + 1)
]
ASSERTING = set(range(1, 43))
"""Every numbered equation says something."""


def test_claims_are_well_formed_and_linked():
    assert validate(claims(), "lfms") == []
    assert max(Counter(claim.id for claim in claims()).values()) == 1
    assert sum(claim.as_printed for claim in claims()) >= 100
    for claim in claims():
        if claim.corrects is not None:
            assert not claim.as_printed and registry.find_claim(claim.corrects).expected is Outcome.REFUTED
        if claim.correction is not None:
            assert claim.expected is Outcome.REFUTED


def test_every_result_item_and_equation_is_registered():
    located = {claim.source.locator for claim in claims() if claim.as_printed}
    assert set(RESULTS) <= located
    assert set(ITEMS) <= located
    assert {f"Equation ({k})" for k in ASSERTING} <= located
    assert {f"Figure {k}" for k in range(2, 11)} <= located


def test_every_locator_has_the_form_of_one_in_the_paper():
    allowed = (
        set(RESULTS)
        | set(ITEMS)
        | {f"Equation ({k})" for k in range(1, 43)}
        | {f"Figure {k}" for k in range(2, 11)}
    )
    allowed |= {f"Section {k}" for k in ("3.1", "3.2", "4", "5.1", "5.2", "5.3", "5.4", "6", "7", "8", "9", "10")} | {
        "Appendix A"
    }
    assert {claim.source.locator for claim in claims()} <= allowed


def test_every_locator_occurs_in_the_text_of_the_paper():
    text_file = next(
        (
            path
            for parent in Path(__file__).resolve().parents
            for path in parent.glob("shared/papers/lfms.txt")
        ),
        None,
    )
    if text_file is None:
        pytest.skip("the paper's text is not at hand")
    text = text_file.read_text()
    for locator in {claim.source.locator for claim in claims()}:
        kind, number, *item = locator.split()
        if kind == "Equation":
            # tags are \tag{7} or, as extracted, (7) at the end of a line of a display
            assert f"({number.strip('()')})" in text or rf"\tag{{{number.strip('()')}}}" in text, locator
        elif kind == "Section":
            assert re.search(rf"^{re.escape(number)} ", text, re.M), locator
        elif kind == "Appendix":
            assert re.search(r"^A Additional", text, re.M)
        else:
            assert f"{kind} {number}" in text, locator
            if item:
                assert re.search(rf"^- {item[1]}\. ", text, re.M), locator


def test_hardly_any_claim_is_a_test():
    """At most one in twenty: the others are formulas, which are what is checked."""
    assert sum(isinstance(claim.relation, Property) for claim in claims()) <= len(claims()) / 20
    assert not [claim.id for claim in claims() if isinstance(claim.relation, Unread)]


def test_quantities_are_the_chains():
    """n = 4, p = 1/3, mu1 = 2, mun = 5: the exact chain against the definitions, and these against the claims' own."""
    system = chain(4, Fraction(1, 3), 2, 5)
    values = {"n": 4, "p": Fraction(1, 3), "mu1": 2, "mun": 5}
    assert exact(MU, values) == system.throughput
    assert exact(E_DELTA, values) == system.mean_relative_completions
    throughput, response = registry.paper("lfms").quantities()
    assert exact(throughput.definition, values) == system.throughput
    assert exact(response.definition, values) == system.mean_relative_completions
    raw = {"n": "1e8", "alpha": "2", "mu1": "1", "mun": "1"}
    # n - ln n - gamma + O(ln^2 n/n), and Theorem 4.3 with its next orders
    assert enclose_quantity(throughput, raw, 15).value.startswith("99999981.0021")
    assert enclose_quantity(response, raw, 12).value.startswith("181.7824")


def test_the_open_queue_refutes_a_wrong_limit(monkeypatch):
    from asymp.queues import open_queue

    monkeypatch.setattr(open_queue, "heavy_traffic_limit", lambda *args, **kw: (Fraction(2), Fraction(0)))
    assert judge(samples.heavy_traffic())[0] == Outcome.REFUTED


# --- changed texts ------------------------------------------------------------------------------------

def test_a_statement_of_the_exact_chain_that_is_off_by_a_little_is_refuted():
    """The right side times 1 + 10^-30, in statements about the chain's laws: every one is seen to fail."""
    import tomllib

    source = FILE.read_text(encoding="utf-8")
    head, entries = source[: source.index("\n[claim.")], tomllib.loads(source)["claim"]
    exact_ones = [c for c in claims() if c.expected is Outcome.HOLDS and c.relation.kind == "identity" and "law(" in c.closed]
    drawn = random.Random(5).sample(exact_ones, 12)
    for claim in drawn:
        entry = entries[(claim.corrects or claim.id).split("/", 1)[1]]
        if claim.corrects:
            start = "corrected-"
            instead = {key.removeprefix(start): line for key, line in entry.items() if key.startswith(start)}
            entry = {**entry, **instead, "says": entry["corrected"]}
        statement = read_statement(entry["says"])
        if not isinstance(statement.body, Comparison):
            continue
        *first, last = statement.body.chain.parts
        if last.text == "0":  # a factor does not change it
            continue
        factor = Node("number", 1, "1." + "0" * 29 + "1")
        off = Node("product", 1, "", (factor, last), "**")
        body = Comparison(Compared((*first, off), statement.body.chain.signs))
        lines = [f"{key} = '{entry[key]}'" for key in ("for", "at") if key in entry]
        text = head + f"\n[claim.\"lemma-1\"]\nsays = '{body}'\n" + "\n".join(lines)
        from asymp.check import check

        (changed,) = read_claims(text, "changed.toml", registry.code_of("asymp.papers.lfms")).claims
        assert check(changed).outcome is Outcome.REFUTED, str(body)


# --- sampled evidence -------------------------------------------------------------------------------

ENTRIES = SettingReader(FILE.read_text(encoding="utf-8"), "claims.toml", None).entries()
SAMPLED = [claim_id for claim_id, entry in ENTRIES.items() if "sampled" in entry]


@pytest.mark.parametrize("claim_id", SAMPLED)
def test_samples_say_what_is_expected_and_no_more(claim_id):
    claim = registry.find_claim(claim_id)
    (evidence,) = claim.sampled()
    assert evidence.kind == "sampled"
    assert (evidence.outcome, evidence.strength) == (claim.expected, Strength.SUPPORTED), evidence.detail
    assert len(evidence.points) <= 40  # the bound from which the false-alarm rate is stated


def test_every_sample_is_looked_at():
    assert [claim.id for claim in claims() if claim.sampled is not None] == SAMPLED


def outcome_of(test):
    (evidence,) = test()
    return evidence.outcome


def test_samples_find_out_wrong_formulas():
    points = samples.ALL_REGIMES
    assert outcome_of(samples.agrees(samples.THROUGHPUT, MU, points)) == Outcome.HOLDS
    assert outcome_of(samples.agrees(samples.THROUGHPUT, MU * sp.Rational(101, 100), points)) == Outcome.REFUTED
    assert outcome_of(samples.agrees(samples.RESPONSE, E_DELTA * sp.Rational(11, 10), points)) == Outcome.REFUTED
    small = samples.grid((2,), (n**-samples.HALF,))
    for name, expr in ((samples.THROUGHPUT, MU), (samples.RESPONSE, E_DELTA)):
        assert outcome_of(samples.agrees(name, expr, small)) == Outcome.HOLDS
        assert outcome_of(samples.agrees(name, expr * (1 - p), small)) == Outcome.REFUTED
        # E[Delta(Y_d)] is (I - 1)/2, not I/2
        assert outcome_of(samples.agrees(name, expr + sp.Rational(1, 2), small)) == Outcome.REFUTED


def test_samples_find_out_wrong_limits_and_next_terms():
    share = samples._DRAINING
    run = samples.N_RUN
    assert outcome_of(samples.approaches(samples.TIME_DRAIN, share, 1, run)) == Outcome.HOLDS
    # a wrong limit is not supported, and not refuted either: no finite n can do that
    assert outcome_of(samples.approaches(samples.TIME_DRAIN, share, 0, run)) == Outcome.UNDECIDED
    assert outcome_of(samples.approaches(samples.TIME_FULL, share, 1, run)) == Outcome.REFUTED
    log = sp.log(1 / p)
    wrong = samples.formula(samples.THROUGHPUT, mu1 / (p * log), 1 - 1 / log, p, samples.grid((8, 32), (n ** -samples.HALF,)))
    assert outcome_of(wrong) == Outcome.REFUTED


@pytest.mark.parametrize("value", [0, sp.Rational(1, 2), 1, -sp.EulerGamma])
def test_samples_tell_eulers_constant_from_others(value):
    assert outcome_of(samples.constant(sp.sympify(value))) == Outcome.REFUTED
    assert outcome_of(samples.constant(sp.EulerGamma)) == Outcome.HOLDS
