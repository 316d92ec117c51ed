"""The judge: ``check(claim)`` confronts a claim with independent lines of evidence.

>>> from asymp.parse import claim
>>> verdict = check(claim("demo/harmonic", "harmonic(n) ~ log(n)", to="n->oo", source="demo, Lemma 1"))
>>> verdict.outcome.value, verdict.strength.value, verdict.next_term
('holds', 'proved', 'EulerGamma/log(n)')
"""

from asymp.check.judge import check

__all__ = ["check"]
