"""Attacks on the answers of ``asymp ask`` and ``asymp expand``: see :mod:`benchmarks.soundness.runner`."""
