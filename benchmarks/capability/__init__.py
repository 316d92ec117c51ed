"""What asymp and the free systems can expand, problem by problem: ``python -m benchmarks.capability``."""
