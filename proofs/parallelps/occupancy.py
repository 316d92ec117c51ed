"""The mean occupancy of a server as a function of the language: its row, and how it is computed and expanded."""

from __future__ import annotations

from asymp.functions.row import Row

ROW = Row(
    "parallel_occupancy", "x >= 1, y > 0, y < 1", range="f > 0", least=2, most=2,
    root="Sum(Product(x*y/(1 + v*(x - 1)*y/f), (v, 1, u)), (u, 0, oo)) = 1/(1 - y)", rooted="x > 1, y > 0, y < 1",
    ball="asymp.papers.parallelps.occupancy_balls:parallel_occupancy",
    symbolic="asymp.papers.parallelps.occupancy_symbol:ParallelOccupancy", source="Theorem 1",
)  # fmt: skip
