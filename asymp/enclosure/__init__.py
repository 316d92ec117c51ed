"""Certified numbers in ball arithmetic (python-flint is imported in this folder alone)."""

from asymp.enclosure import integrals as integrals
from asymp.enclosure import sums as sums
from asymp.enclosure.enclose import Enclosure, ball, compare, enclose, exact, sign
from asymp.enclosure.numbers import InputError, Undecided
from asymp.enclosure.plan import compile_expr
from asymp.enclosure.quantities import enclose_quantity, prepare

__all__ = [
    "Enclosure",
    "InputError",
    "Undecided",
    "ball",
    "compare",
    "compile_expr",
    "enclose",
    "enclose_quantity",
    "exact",
    "prepare",
    "sign",
]
