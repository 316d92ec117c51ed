"""A stand-in for CuPy on a machine without a GPU: arrays are NumPy's, and RawModule compiles for the host with g++.

The kernels' own text runs, thread for thread, under ``cuda_on_host.hpp``.
"""

import ctypes
import hashlib
import re
import shutil
import subprocess
import types
from pathlib import Path

import numpy as np

SHIM = Path(__file__).with_name("cuda_on_host.hpp")
COMPILER = shutil.which("g++")


class HostModule:
    """``cupy.RawModule``, compiled by g++ into ``folder``."""

    def __init__(self, folder, code, options, turned):
        assert "--fmad=false" in options  # the host's -ffp-contract=off
        kernels = re.findall(r'extern "C" __global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(', code)
        text = code + "".join(f"\nEXPORT({name})" for name in kernels)
        stem = folder / hashlib.sha256(text.encode()).hexdigest()[:16]
        if not stem.with_suffix(".so").exists():
            stem.with_suffix(".cpp").write_text(f'#include "{SHIM}"\n{text}\n', encoding="utf-8")
            flags = [
                "-std=c++17",
                "-O2",
                "-U_FORTIFY_SOURCE",  # its longjmp refuses another stack
                "-ffp-contract=off",
                "-Wall",
                "-Werror",
                "-Wno-unknown-pragmas",
                "-shared",
                "-fPIC",
            ]
            command = [COMPILER, *flags, "-o", str(stem.with_suffix(".so")), str(stem.with_suffix(".cpp"))]
            subprocess.run(command, check=True, capture_output=True, text=True)
        self.library, self.turned = ctypes.CDLL(str(stem.with_suffix(".so"))), turned

    def get_function(self, name):
        function = getattr(self.library, f"host_{name}")

        def run(grid, block, arguments, shared_mem=0):
            assert shared_mem <= 48 << 10 and block[0] % 32 == 0
            values = (ctypes.c_int64 * len(arguments))(*map(plain, arguments))
            wanted = function(values, len(arguments), grid[0], block[0], self.turned)
            assert wanted == 0, f"{name} has {wanted} parameters and was given {len(arguments)}"

        return run


def plain(argument):
    """The 64 bits that a kernel is given: an array's address or a number's own."""
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous
        return argument.ctypes.data
    assert isinstance(argument, (np.int64, np.uint64)), type(argument)
    return int(np.asarray(argument).view(np.int64))


def stand_in(folder, memory=1 << 30, turned=False):
    """The part of CuPy that is used; ``turned`` takes the lanes of a warp from the last to the first."""
    runtime = types.SimpleNamespace(
        getDeviceProperties=lambda _: {"name": b"host stand-in"},
        getDeviceCount=lambda: 2,
        memGetInfo=lambda: (memory, memory),
        deviceSynchronize=lambda: None,
    )
    device = lambda number: types.SimpleNamespace(use=lambda: None)  # noqa: E731
    cuda = types.SimpleNamespace(is_available=lambda: True, runtime=runtime, Device=device)
    names = ("asarray", "empty", "zeros", "full", "arange")
    return types.SimpleNamespace(
        cuda=cuda,
        asnumpy=np.array,
        RawModule=lambda code, options: HostModule(folder, code, options, turned),
        **{name: getattr(np, name) for name in names},
    )
