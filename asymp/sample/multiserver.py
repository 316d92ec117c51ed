r"""The multiserver-job queue sampled: Algorithm 1 backward in time, and forward runs from an empty system.

:func:`backward` draws independent samples of the stationary workload, each with its own stopping length;
:func:`forward` runs independent replications from an empty system and leaves out a warm-up;
:func:`count_forward` does so for exponential one-server jobs on up to 10^8 servers.  The recurrence is in
:mod:`asymp.sample.runs`, what is estimated in :mod:`asymp.sample.waiting`.
"""

from __future__ import annotations

from asymp.sample.backward import backward
from asymp.sample.counts import count_forward
from asymp.sample.forward import forward
from asymp.sample.sampled import Sampled, sample_runs
from asymp.sample.stop_length import UnstableError

__all__ = ["Sampled", "UnstableError", "backward", "count_forward", "forward", "sample_runs"]
