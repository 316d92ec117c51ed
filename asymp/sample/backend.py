"""Array backends, NumPy or CuPy behind one name ``xp``, and their random streams.

CuPy is imported here alone, and only when a GPU is asked for or may be there: ``import cupy``
succeeds on a machine without one, so ``cupy.cuda.is_available()`` is asked.

Streams are counter-based (Philox).  Work is cut into *blocks* of a fixed size, and the b-th block
draws from a stream that depends on (seed, b) alone, so that what is estimated depends neither on
how many blocks are done at a time, on where a run is interrupted, nor on which machine draws which of them.
"""

from __future__ import annotations

import importlib
import itertools
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from asymp.model import PARTS, is_gpu

Array = Any
"""A NumPy or CuPy array of float64."""
Generator = Any
"""``numpy.random.Generator`` or ``cupy.random.Generator``: the methods used are common to both."""


class DeviceError(RuntimeError):
    """A device was asked for that is not there; the message is one line."""


@dataclass(frozen=True)
class Backend:
    """An array module, the device under it, and the number of draws of one block."""

    name: str
    xp: ModuleType
    device: str
    block: int

    def generators(self, seed: int, first: int = 0) -> Iterator[Generator]:
        """The generators of blocks ``first``, ``first + 1``, ..., without end."""
        for block, key in enumerate(_keys(seed) if self.name == "cupy" else _sequences(seed, first)):
            if self.name != "cupy":
                yield np.random.Generator(np.random.Philox(key))
            elif block >= first:
                yield self.xp.random.Generator(self.xp.random.Philox4x3210(key, size=1 << 18))

    def to_host(self, array: Array) -> np.ndarray[Any, Any]:
        """The array as a NumPy array."""
        return np.asarray(array.get() if self.name == "cupy" else array)

    def __str__(self) -> str:
        return f"{self.name} on {self.device}"


def _sequences(seed: int, first: int) -> Iterator[np.random.SeedSequence]:
    return (np.random.SeedSequence(seed, spawn_key=(block,)) for block in itertools.count(first))


def _keys(seed: int) -> Iterator[np.random.SeedSequence]:
    """Those of which CuPy, which keeps 32 bits of each, makes different streams: one that makes an earlier stream is left out."""
    seen: set[int] = set()
    for key in _sequences(seed, 0):
        bits = int(key.generate_state(1)[0])
        if bits not in seen:
            seen.add(bits)
            yield key


def backend(device: str = "auto") -> Backend:
    """The backend of a device: ``cpu``, ``gpu`` or ``gpu:K`` (the K-th, from 0), or ``auto`` (a GPU if there is one).

    Of several GPUs ``gpu`` and ``auto`` take the first; the parts of a run that is drawn in parts take one after another.  It is
    this thread's current device from then on.

    Raises:
        ValueError: for any other name.
        DeviceError: if a GPU is asked for and CuPy or the GPU is missing.

    >>> backend("cpu").name
    'numpy'
    >>> backend("tpu")
    Traceback (most recent call last):
    ...
    ValueError: device must be auto, cpu, gpu or gpu:K, not 'tpu'
    """
    if device not in ("auto", "cpu") and not is_gpu(device):
        raise ValueError(f"device must be auto, cpu, gpu or gpu:K, not {device!r}")
    if device == "cpu":
        return _numpy()
    try:
        return _cupy(int(device[4:]) if device.startswith("gpu:") else None)
    except DeviceError:
        if is_gpu(device):
            raise
        return _numpy()


def _numpy() -> Backend:
    # Three arrays of 2^15 doubles stay in the second-level cache.
    return Backend("numpy", np, f"CPU ({platform.machine()})", 1 << 15)


def _cupy(number: int | None) -> Backend:
    try:
        cupy = importlib.import_module("cupy")
    except Exception as error:  # a CuPy without its CUDA libraries raises more than ImportError
        raise DeviceError("no GPU: CuPy is not installed (the extra 'gpu' brings it)") from error
    try:
        count = int(cupy.cuda.runtime.getDeviceCount()) if cupy.cuda.is_available() else 0
    except Exception as error:
        raise DeviceError(f"no GPU: CuPy could not ask for one ({type(error).__name__})") from error
    if not count:
        raise DeviceError("no GPU: CuPy is installed but finds no CUDA device")
    parts = PARTS.get()
    if number is None:
        number = (parts.index - 1) % count if parts is not None and parts.index else 0
    if number >= count:
        raise DeviceError(f"no GPU {number}: CuPy finds {count}, which are gpu:0 to gpu:{count - 1}")
    try:
        cupy.cuda.Device(number).use()
        name = cupy.cuda.runtime.getDeviceProperties(number)["name"].decode()
    except Exception as error:
        raise DeviceError(f"no GPU: CuPy could not use GPU {number} ({type(error).__name__})") from error
    return Backend("cupy", cupy, name, 1 << 22)
