"""Array backends, NumPy or CuPy behind one name ``xp``, and their random streams.

CuPy is imported here alone, and only when a GPU is asked for or may be there: ``import cupy``
succeeds on a machine without one, so ``cupy.cuda.is_available()`` is asked.

Streams are counter-based (Philox).  Work is cut into *blocks* of a fixed size, and the b-th block
draws from a stream that depends on (seed, b) alone, so that what is estimated depends neither on
how many blocks are done at a time nor on where a run is interrupted.
"""

from __future__ import annotations

import importlib
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

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

    def generators(self, seed: int) -> Iterator[Generator]:
        """The generators of blocks 0, 1, 2, ..., without end; draw from each before the next."""
        if self.name == "cupy":
            # CuPy keeps 32 bits of a seed: streams seeded one by one would meet, so one Philox
            # stream is read on in order.
            generator = self.xp.random.Generator(self.xp.random.Philox4x3210(seed, size=1 << 18))
            while True:
                yield generator
        block = 0
        while True:
            key = np.random.SeedSequence(seed, spawn_key=(block,))
            yield np.random.Generator(np.random.Philox(key))
            block += 1

    def to_host(self, array: Array) -> np.ndarray[Any, Any]:
        """The array as a NumPy array."""
        return np.asarray(array.get() if self.name == "cupy" else array)

    def __str__(self) -> str:
        return f"{self.name} on {self.device}"


def backend(device: str = "auto") -> Backend:
    """The backend of a device: ``cpu``, ``gpu``, or ``auto`` (a GPU if there is one).

    Raises:
        ValueError: for any other name.
        DeviceError: if a GPU is asked for and CuPy or the GPU is missing.

    >>> backend("cpu").name
    'numpy'
    >>> backend("tpu")
    Traceback (most recent call last):
    ...
    ValueError: device must be auto, cpu or gpu, not 'tpu'
    """
    if device not in ("auto", "cpu", "gpu"):
        raise ValueError(f"device must be auto, cpu or gpu, not {device!r}")
    if device == "cpu":
        return _numpy()
    try:
        return _cupy()
    except DeviceError:
        if device == "gpu":
            raise
        return _numpy()


def _numpy() -> Backend:
    # Three arrays of 2^15 doubles stay in the second-level cache.
    return Backend("numpy", np, f"CPU ({platform.machine()})", 1 << 15)


def _cupy() -> Backend:
    try:
        cupy = importlib.import_module("cupy")
    except Exception as error:  # a CuPy without its CUDA libraries raises more than ImportError
        raise DeviceError("no GPU: CuPy is not installed (the extra 'gpu' brings it)") from error
    try:
        available = bool(cupy.cuda.is_available())
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode() if available else ""
    except Exception as error:
        raise DeviceError(f"no GPU: CuPy could not ask for one ({type(error).__name__})") from error
    if not available:
        raise DeviceError("no GPU: CuPy is installed but finds no CUDA device")
    return Backend("cupy", cupy, name, 1 << 22)
