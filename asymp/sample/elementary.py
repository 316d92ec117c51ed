"""Logarithm and exponential that give the same bits everywhere.

Library versions of ``log`` and ``exp`` differ in the last bit between NumPy, numba and CUDA, and a sample that is to be
the same on each needs its own.  Both are the algorithms of fdlibm (Sun Microsystems 1993, e_log.c and e_exp.c) without
their branches: IEEE additions, multiplications and divisions in a fixed order, none of them fused, so compilers must
not contract ``a*b + c`` (numba does not unless asked; CUDA needs ``--fmad=false``).  Below 1 unit in the last place.

* ``log(x)``: x positive and normal.  ``x = 2^k m`` with m between sqrt(1/2) and sqrt(2), ``f = m - 1``, ``s = f/(2 + f)``
  and ``log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2))``.
* ``exp(x)``: ``-708 <= x <= 709``.  ``x = k log 2 + r``, ``|r| <= log(2)/2``, ``c = r - r^2 P(r^2)`` and
  ``exp(r) = 1 + r + r c/(2 - c)``.

The text is written once, for NumPy arrays and for compiled scalars (:data:`compiled_log`, :data:`compiled_exp`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample.compiler import inline

LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 in two parts; multiples of the first by integers below 2^20 are exact."""
INVERSE_LOG2 = 1.44269504088896338700e00
LOG_SERIES = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
EXP_SERIES = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)
SHIFT = 0x3FF0000000000000 - 0x3FE6A09E00000000
"""Added to the bits of x, carries into the exponent where the significand exceeds sqrt(2)."""
FRACTION = 0x000FFFFFFFFFFFFF
ROOT_HALF = 0x3FE6A09E00000000
ROUNDER, ROUNDER_BITS = 6755399441055744.0, 0x4338000000000000
"""1.5 * 2^52 and its bits."""


def log(x: Any) -> Any:
    """The natural logarithm of positive normal numbers.

    >>> x = np.array([0.5, 1.0, 10.0])
    >>> bool(np.all(np.abs(log(x) - np.log(x)) <= np.spacing(np.abs(np.log(x)))))
    True
    """
    l1, l2, l3, l4, l5, l6, l7 = LOG_SERIES
    shifted = np.float64(x).view(np.int64) + SHIFT
    k = ((shifted >> 52) - 1023) * 1.0
    f = np.int64((shifted & FRACTION) + ROOT_HALF).view(np.float64) - 1.0
    half_square = 0.5 * f * f
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (l2 + w * (l4 + w * l6))
    odd = z * (l1 + w * (l3 + w * (l5 + w * l7)))
    return k * LOG2_HIGH - ((half_square - (s * (half_square + (even + odd)) + k * LOG2_LOW)) - f)


def exp(x: Any) -> Any:
    """e^x, -708 <= x <= 709."""
    p1, p2, p3, p4, p5 = EXP_SERIES
    k = np.floor(x * INVERSE_LOG2 + 0.5)
    high = x - k * LOG2_HIGH
    low = k * LOG2_LOW
    r = high - low
    t = r * r
    c = r - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))))
    y = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    # k + 1.5 * 2^52 holds k in its last bits, and y lies between 0.7 and 1.42: scaling it by 2^k is exact
    return y * np.int64((np.float64(k + ROUNDER).view(np.int64) - ROUNDER_BITS + 1023) << 52).view(np.float64)


compiled_log, compiled_exp = inline(log), inline(exp)
"""The same on scalars, for kernels."""
