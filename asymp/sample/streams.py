"""Random numbers inside compiled kernels that draw as they go: NumPy's SFC64, the same bits.

A kernel whose next draw depends on what it has drawn cannot be given arrays of them.  The generator is Doty-Humphrey's
Small Fast Chaotic generator (PractRand), 256 bits of state, seeded as NumPy seeds it from ``SeedSequence(seed, spawn_key)``,
so that streams of different keys are independent as far as NumPy's are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np


def stream(seed: int, *key: int) -> np.ndarray[Any, Any]:
    """The state of a stream, uint64[4], which kernels advance in place.

    >>> stream(1, 0).dtype, bool((stream(1, 0) == stream(1, 1)).all())
    (dtype('uint64'), False)
    """
    source = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key))
    return np.array(source.state["state"]["state"], np.uint64)


@cache
def compiled() -> tuple[Callable[..., Any], Callable[..., float], Callable[..., int]]:
    """``bits(stream)``, 64 of them; ``uniform(stream)`` on [0, 1), a multiple of 2^-53; ``below(stream, m)`` of 0..m-1.

    ``below`` is off by less than m 2^-53 in each probability.
    """
    import numba

    inline = numba.njit(forceinline=True, error_model="numpy")
    whole: Any = np.int64
    s11, s3, s24, s40, one = (np.uint64(k) for k in (11, 3, 24, 40, 1))

    @inline
    def bits(s: Any) -> Any:
        out = s[0] + s[1] + s[3]
        s[3] += one
        s[0] = s[1] ^ (s[1] >> s11)
        s[1] = s[2] + (s[2] << s3)
        s[2] = ((s[2] << s24) | (s[2] >> s40)) + out
        return out

    @inline
    def uniform(s: Any) -> float:
        return (bits(s) >> s11) * 2.0**-53

    @inline
    def below(s: Any, m: int) -> Any:
        return whole(uniform(s) * m)

    return bits, uniform, below
