"""All systems, in the table's order."""

from __future__ import annotations

from benchmarks.capability.peers.asymp_cli import Asymp
from benchmarks.capability.peers.base import System
from benchmarks.capability.peers.cas import FriCAS, Giac, Maxima, Pari
from benchmarks.capability.peers.sympy_system import SymPy

SYSTEMS: dict[str, System] = {system.name: system for system in (Asymp(), SymPy(), Giac(), Maxima(), FriCAS(), Pari())}
