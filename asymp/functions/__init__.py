"""What is known of each function, one row a function: names, where it is real, range, parity, slope, derivative, source.

The table is text in the language (``row``, ``table``), which the kernel and the language read; ``symbolic`` makes of it what
SymPy's expressions are asked by.

>>> from asymp.functions.table import NAMED
>>> NAMED["tanh"].range, NAMED["tanh"].parity
('-1 < f < 1', -1)
"""
