"""Real algebraic numbers as balls: the roots of an integer polynomial, isolated and refined by flint.

>>> root = Term("root_of", tuple(map(number, (-1, -1, 0, 1))), mpq(0))
>>> with ctx.workprec(64): real_root(root).str(10)
'[1.324717957 +/- 2.45e-10]'
"""

from __future__ import annotations

import itertools

from flint import arb, ctx, fmpz_poly
from gmpy2 import mpq as mpq

from asymp.enclosure.numbers import Undecided
from asymp.kernel.terms import Term
from asymp.kernel.terms import number as number


def real_root(root: Term) -> arb:
    """The k-th root of a polynomial, the real ones first, in ascending order; its parts are the coefficients, the constant first.

    Raises:
        Undecided: the root is not real.
    """
    polynomial = fmpz_poly([int(c.number) for c in root.parts])
    bits = ctx.prec
    with ctx.workprec(bits + 32):
        real = [z.real for z, _ in polynomial.complex_roots() if z.imag.is_zero()]
        place = int(root.number)
        real.sort(key=lambda z: z.mid())
        if place >= len(real):
            raise Undecided(f"root {place} of the polynomial {polynomial} is not real")
        if any(not a < b for a, b in itertools.pairwise(real)):
            raise Undecided(f"the roots of {polynomial} could not be isolated")
        return real[place]
