"""Random numbers inside compiled kernels that draw as they go: NumPy's SFC64, the same bits.

A kernel whose next draw depends on what it has drawn cannot be given arrays of them.  The generator is Doty-Humphrey's
Small Fast Chaotic generator (PractRand), 256 bits of state, seeded as NumPy seeds it from ``SeedSequence(seed, spawn_key)``,
so that streams of different keys are independent as far as NumPy's are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asymp.sample.compiler import inline

S3, S11, S24, S40, ONE = (np.uint64(k) for k in (3, 11, 24, 40, 1))


def stream(seed: int, *key: int) -> np.ndarray[Any, Any]:
    """The state of a stream, uint64[4], which kernels advance in place.

    >>> stream(1, 0).dtype, bool((stream(1, 0) == stream(1, 1)).all())
    (dtype('uint64'), False)
    """
    source = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=key))
    return np.array(source.state["state"]["state"], np.uint64)


@inline
def bits(s: Any) -> Any:
    """64 bits."""
    out = s[0] + s[1] + s[3]
    s[3] += ONE
    s[0] = s[1] ^ (s[1] >> S11)
    s[1] = s[2] + (s[2] << S3)
    s[2] = ((s[2] << S24) | (s[2] >> S40)) + out
    return out


@inline
def uniform(s: Any) -> float:
    """On [0, 1), a multiple of 2^-53."""
    return (bits(s) >> S11) * 2.0**-53


@inline
def below(s: Any, m: int) -> Any:
    """Of 0..m-1, off by less than m 2^-53 in each probability."""
    return np.int64(uniform(s) * m)
