"""Real algebraic numbers as balls: the roots of an integer polynomial, isolated and refined by flint.

>>> x = sp.Symbol("x")
>>> with ctx.workprec(64): print(real_root(sp.CRootOf(x**3 - x - 1, 0)).str(10))
[1.324717957 +/- 2.45e-10]
"""

from __future__ import annotations

import itertools

import sympy as sp
from flint import arb, ctx, fmpz_poly

import asymp.symbolics as sy
from asymp.enclosure.numbers import Undecided


def real_root(root: sp.ComplexRootOf) -> arb:
    """A real ``CRootOf``; SymPy counts real roots first, in ascending order, and so does this.

    Raises:
        Undecided: the root is not real.
    """
    if not root.is_real:
        raise Undecided(f"{root} is not real")
    coefficients = [int(c) for c in reversed(sy.poly(root.poly).all_coeffs())]
    polynomial = fmpz_poly(coefficients)
    bits = ctx.prec
    with ctx.workprec(bits + 32):
        real = [z.real for z, _ in polynomial.complex_roots() if z.imag.is_zero()]
        place = root.index
        real.sort(key=lambda z: z.mid())
        if place >= len(real) or any(not a < b for a, b in itertools.pairwise(real)):
            raise Undecided(f"{root} could not be isolated")
        return real[place]
