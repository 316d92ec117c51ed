"""Theorems: the only source of ``proved``.  Exact arithmetic and balls; no floats, clock, search, SymPy.

A theorem is a closed statement that rules have made; :func:`~asymp.kernel.theorem.apply` is the one way to make one.
"""
