"""Random numbers from counters: Philox4x32-10, and what each counter is for.

Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011): ten rounds of 32-bit
multiplications turn a 128-bit counter under a 64-bit key into 128 random bits.  Nothing is carried from one draw to the
next, so the numbers of a job depend on (seed, sample, job) alone, however the work is cut.

The key is the seed.  The counter is ``(job mod 2^32, job div 2^32 + block 2^24, sample mod 2^32, sample div 2^32)`` with
0 <= job < 2^56.  Of the four words w0..w3 of block 0 of a job,

* ``(w0 >> 20) + w1 2^12`` (44 bits) makes the first uniform of the service time,
* ``(w2 >> 20) + w3 2^12`` that of the interarrival time, as ``(k + 1/2) 2^-44``,
* ``(w0 mod 2^20) + (w2 mod 2^20) 2^20`` (40 bits) chooses the class.

Blocks 1, 2, ... hold two further uniforms each for the service time, ``((w0 + w1 2^32) div 2^12 + 1/2) 2^-52`` and the
same of w2, w3; blocks 128, 129, ... those of the interarrival time, and the first 40 bits of block 127 choose the component
of an interarrival law that is a mixture.

Words are kept as int64 below 2^32, and the text serves NumPy arrays and compiled scalars alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample.compiler import inline

MASK = 0xFFFFFFFF
MULTIPLIER_0, MULTIPLIER_1 = 0xD2511F53, 0xCD9E8D57
WEYL_0, WEYL_1 = 0x9E3779B9, 0xBB67AE85
MOST_JOBS = 1 << 56
"""Job indices are below this number."""
CHOICE_BLOCK, ARRIVAL_BLOCK, BLOCKS = 127, 128, 256
UNIFORM_44, UNIFORM_52 = 2.0**-44, 2.0**-52


def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> tuple[Any, Any, Any, Any]:
    """The four words of a counter under a key, words being arrays of int64 (or Python integers) below 2^32.

    >>> [f"{word:08x}" for word in philox(0, 0, 0, 0, 0, 0)]  # Random123, kat_vectors
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """

    def turn(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> tuple[Any, Any, Any, Any]:
        # Products of 32-bit words wrap into the sign of an int64; shift and mask read the right bits all the same.
        p0, p1 = c0 * MULTIPLIER_0, c2 * MULTIPLIER_1
        return ((p1 >> 32) & MASK) ^ c1 ^ k0, p1 & MASK, ((p0 >> 32) & MASK) ^ c3 ^ k1, p0 & MASK

    # Written out: the compiler then sees one straight line of code and vectorises the loop over jobs around it.
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 1 * WEYL_0) & MASK, (k1 + 1 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 2 * WEYL_0) & MASK, (k1 + 2 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 3 * WEYL_0) & MASK, (k1 + 3 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 4 * WEYL_0) & MASK, (k1 + 4 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 5 * WEYL_0) & MASK, (k1 + 5 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 6 * WEYL_0) & MASK, (k1 + 6 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 7 * WEYL_0) & MASK, (k1 + 7 * WEYL_1) & MASK)
    c0, c1, c2, c3 = turn(c0, c1, c2, c3, (k0 + 8 * WEYL_0) & MASK, (k1 + 8 * WEYL_1) & MASK)
    return turn(c0, c1, c2, c3, (k0 + 9 * WEYL_0) & MASK, (k1 + 9 * WEYL_1) & MASK)


def words(seed: int, sample: int, job: np.ndarray[Any, Any], block: int) -> tuple[Any, Any, Any, Any]:
    """The four words of a block of each job of an int64 array."""
    c2, c3 = np.int64(sample & MASK) + np.zeros_like(job), np.int64((sample >> 32) & MASK) + np.zeros_like(job)
    return philox(job & MASK, (job >> 32) | (block << 24), c2, c3, seed & MASK, (seed >> 32) & MASK)


compiled = inline(philox)
""":func:`philox` on int64 scalars, for kernels."""
