"""What a user types: .ci/wheel asks mypy --strict, by the types that the wheel brings."""

from collections.abc import Sequence
from pathlib import Path

import asymp
from asymp import Claim, Outcome, Paper, Strength, Verdict, Verdicts
from asymp.testing import claims_test


def first_failing(path: Path) -> str | None:
    paper = asymp.Paper(path, trust=False)
    title: str = paper.title
    claims: Sequence[Claim] = paper[1:3]
    one: Claim = paper["lemma-1"]
    verdicts: Verdicts = paper.check("lemma-1", quick=True, jobs=1)
    refuted = verdicts.where(Outcome.REFUTED)
    for verdict in refuted:
        if verdict.outcome is Outcome.REFUTED and verdict.strength is Strength.PROVED:
            return verdict.latex() + title + one.id + str(len(claims))
    rows = verdicts.to_dicts()
    record = verdicts.record()
    return f"{len(rows)} {record['summary']} {verdicts['lemma-1'].seconds + 1.0}"


def asked() -> Verdict:
    verdict = asymp.check("harmonic(n) ~ log(n)", to="n->oo", assume=["alpha > 1"])
    figure = verdict.plot(order=2)
    file: Path = figure.save("x.png")
    claim = asymp.claim("me/x", "log(n) <= n for n >= 1", source="me, 1", expected="holds")
    again = asymp.check(claim, quick=True)
    ball = asymp.enclose("Sum(1/k^2, (k, 1, n))", n="1e1000", digits=20)
    value: str = ball.value
    expansion = asymp.expand("harmonic(n)", to="n->oo", order=2)
    sample = asymp.sample("one-and-n", {"n": "4", "p": "1/2", "mu1": "1", "mun": "1"}, size=100, seed=1)
    total: float = sum(estimate.value for estimate in sample.estimates.values())
    print(file, again.claim.statement, value, expansion, total, asymp.latex(verdict), asymp.__version__)
    return again


def sheet(paper: Paper) -> str:
    return "\n".join(asymp.latex(verdict) for verdict in paper.check())


test_claims = claims_test("my_claims.toml", slow=["x"])
