"""Certified numbers in ball arithmetic (python-flint is imported in this folder alone)."""

from asymp.enclosure import coefficients as coefficients
from asymp.enclosure import integrals as integrals
from asymp.enclosure import sums as sums
from asymp.enclosure.enclose import Enclosure, ball, compare, enclose, exact, sign
from asymp.enclosure.numbers import InputError, Undecided
from asymp.enclosure.quantities import enclose_quantity, prepare

__all__ = [
    "Enclosure",
    "InputError",
    "Undecided",
    "ball",
    "compare",
    "enclose",
    "enclose_quantity",
    "exact",
    "prepare",
    "sign",
]
