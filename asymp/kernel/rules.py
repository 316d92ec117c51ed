"""Every rule of the kernel: where this module is loaded, all of them are registered.

>>> from asymp.kernel.theorem import RULES
>>> {"algebra", "asymptotic", "induction", "witness"} <= RULES.keys()
True
"""

from asymp.kernel.balls import bounds, boxes, roots, rounding, slopes
from asymp.kernel.growths import (
    asymptotics,
    bounded,
    constants,
    contrary,
    endless,
    eventual,
    limit_points,
    logarithmic,
    narrower,
    offsets,
    throughout,
    uniform,
    upper_limits,
)
from asymp.kernel.laws import limits
from asymp.kernel.rays import line, periodic
from asymp.kernel.sequences import (
    apart,
    conditional,
    declared,
    dividing,
    generating,
    implicit,
    iterated,
    known_sums,
    lattice,
    partial,
    ratios,
    recurrences,
    remainders,
    rewriting,
    rooted,
    shapes,
    tied,
)

MODULES = (
    bounds, boxes, roots, rounding, slopes, asymptotics, bounded, constants, contrary, endless, eventual, limit_points,
    logarithmic, narrower, offsets, throughout, uniform, upper_limits, limits, line, periodic, apart, conditional, declared,
    dividing, generating, implicit, iterated, known_sums, lattice, partial, ratios, recurrences, remainders, rewriting, rooted,
    shapes, tied,
)  # fmt: skip
"""The modules with rules; what they import has the others."""
