r"""A paper's LaTeX as statements of the language: read, refused with the place, or asked back with every reading.

pylatexenc finds macros, environments and comments; the grammar is this room's own, and what comes out is text of the language,
which :mod:`asymp.language.statement` reads.  Nothing is evaluated, no TeX is run, and no file is read.

>>> from asymp.latex import read
>>> print(read(r"n! \sim \sqrt{2 \pi n} \left(\frac{n}{e}\right)^n", to=r"n \to \infty"))
n! ~ sqrt(2*pi*n)*(n/E)^n as n -> oo
"""

from asymp.latex.notation import Notation, notation
from asymp.latex.read import read, read_all, read_steps
from asymp.latex.source import Reading, TwoReadings, Unreadable

__all__ = ["Notation", "Reading", "TwoReadings", "Unreadable", "notation", "read", "read_all", "read_steps"]
