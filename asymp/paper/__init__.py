r"""Papers as data: a file of claims (TOML) to claims.  Reading one runs no code.

A file says once what its variables, names, regimes and domains are, then makes its claims, in the paper's order:

>>> found = read_claims('''
... [paper]
... key = "demo"
... [variables]
... n = "whole, >= 1"
... [names]
... H = "harmonic(n)"
... [regimes]
... large = "n -> oo"
... [claim."lemma-1"]
... says = "H ~ log(n)"
... to   = "large"
... [claim."lemma-2"]
... says      = "H <= log(n)"
... corrected = "H <= log(n) + 1"
... why       = "at n = 1 it says 1 <= 0"
... ''', "demo.toml")
>>> [(claim.id, claim.source.locator, str(claim.expected)) for claim in found.claims][1:]
[('demo/lemma-2', 'Lemma 2', 'refuted'), ('demo/lemma-2-corrected', 'Lemma 2', 'holds')]
>>> found.claims[0].statement, found.claims[0].where
('H ~ log(n) as whole n -> oo', ('H = harmonic(n)',))
"""

from __future__ import annotations

from asymp.language.model import Model, NeedsCode
from asymp.language.source import ClaimsError, Code
from asymp.paper.claims import NEEDS_CODE, place_of
from asymp.paper.reader import MOST_BYTES, ClaimsFile, PaperFile, read_claims

__all__ = [
    "MOST_BYTES", "NEEDS_CODE", "ClaimsError", "ClaimsFile", "Code", "Model", "NeedsCode", "PaperFile", "place_of", "read_claims",
]  # fmt: skip
