"""Answers to what is typed: verdicts, expansions, certified values, for the command line, Python and notebooks.

>>> check("harmonic(n) ~ log(n)", to="n->oo")
<Verdict ask/typed: holds, proved>
>>> expand("harmonic(n)", to="n->oo", order=1)
log(n) + O(1)
>>> print(enclose("harmonic(n)", n="1e1000", digits=10))
2303.162309 +/- 3.5e-7
"""

from asymp.answer.enclosed import enclose
from asymp.answer.expansion import Expanded, expand
from asymp.answer.verdict import check

__all__ = ["Expanded", "check", "enclose", "expand"]
