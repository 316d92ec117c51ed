"""The judge: ``check(claim)`` confronts a claim with independent lines of evidence.

>>> import sympy as sp
>>> from asymp.claim import Claim, Equivalent, Source
>>> from asymp.scale import Regime
>>> n = sp.Symbol("n", positive=True)
>>> claim = Claim("demo/harmonic", Source("demo", "Lemma 1"), Equivalent(sp.harmonic(n), sp.log(n)),
...               "H_n ~ ln n", regime=Regime.single(n))
>>> verdict = check(claim)
>>> verdict.outcome.value, verdict.strength.value, verdict.next_term
('holds', 'proved', 'EulerGamma/log(n)')
"""

from asymp.check.judge import check

__all__ = ["check"]
