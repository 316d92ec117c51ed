"""The queueing models of the papers.

* ``rules``: the multiserver-job system in its rules; ``elimination``: exact finite chains.
* ``saturated``: the saturated system over the rationals, ``saturated.one_and_n`` its 1-and-n case.
* ``one_and_n``: the paper's formulas in SymPy; ``chain``: chains given as data, solved exactly.
* ``open_queue``: the open queue as a quasi-birth-and-death process.
* ``recurrence``: the multiserver-job recurrence, literally; ``pseudocode``: its two algorithms, line by line.
"""
