"""Theorems: the only source of ``proved``.  Exact arithmetic and balls; no floats, clock, search, SymPy.

A theorem is a closed statement that rules have made; :func:`~asymp.kernel.theorem.apply` is the one way to make one.  The
core is :mod:`~asymp.kernel.terms` (when two statements are the same), :mod:`~asymp.kernel.domain` (what conditions say),
:mod:`~asymp.kernel.data` (what a rule is given), :mod:`~asymp.kernel.trust` (what it rests on), :mod:`~asymp.kernel.theorem`
and :mod:`~asymp.kernel.records` (certificates replayed).  The theories, of which each uses only those before it, hold the
rules; ``asymp rules`` lists them.
"""

THEORIES = ("rings", "facts", "summation", "balls", "growths", "laws", "rays", "sequences", "chains", "functions")
