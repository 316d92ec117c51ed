"""Every rule of the kernel: where this module is loaded, all of them are registered.

>>> from asymp.kernel.theorem import RULES
>>> {"algebra", "asymptotic", "induction", "witness"} <= RULES.keys()
True
"""

from asymp.kernel.balls import bounds, boxes, roots, rounding
from asymp.kernel.growths import (
    asymptotics,
    bounded,
    constants,
    contrary,
    eventual,
    limit_points,
    logarithmic,
    narrower,
    offsets,
    uniform,
)
from asymp.kernel.laws import limits
from asymp.kernel.rays import line, periodic
from asymp.kernel.sequences import (
    apart,
    conditional,
    known_sums,
    lattice,
    partial,
    recurrences,
    remainders,
    rewriting,
    rooted,
    shapes,
    tied,
)

MODULES = (
    bounds, boxes, roots, rounding, asymptotics, bounded, constants, contrary, eventual, limit_points, logarithmic, narrower,
    offsets, uniform, limits, line, periodic, apart, conditional, known_sums, lattice, partial, recurrences, remainders,
    rewriting, rooted, shapes, tied,
)  # fmt: skip
"""The modules with rules; what they import has the others."""
