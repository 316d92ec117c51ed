"""Table 1 as it is printed, and its system solved: 256 servers, 1 job in 1000 needs all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from asymp.enclosure import Enclosure
from asymp.queues.one_and_n_queue import OneAndNQueue, Stationary

SERVERS, P_BIG, MU_SMALL, MU_BIG = 256, Fraction(1, 1000), Fraction(1), Fraction(1, 40)


@dataclass(frozen=True)
class Estimate:
    """An estimate of the mean wait with its 99% interval, in seconds, and the seconds that it took."""

    value: Fraction
    low: Fraction
    high: Fraction
    seconds: int


@dataclass(frozen=True)
class Row:
    """A row of Table 1."""

    tenths: int
    exact: str
    backward: Estimate
    forward: Estimate


def _row(tenths: int, exact: str, backward: str, forward: str) -> Row:
    def read(text: str) -> Estimate:
        value, low, high, seconds = text.split()
        return Estimate(Fraction(value), Fraction(low), Fraction(high), int(seconds))

    return Row(tenths, exact, read(backward), read(forward))


TABLE_1 = (
    _row(1, "3.75", "3.40 2.99 3.81 410", "3.93 3.46 4.40 698"),
    _row(2, "8.59", "7.99 7.32 8.65 409", "8.85 8.11 9.59 698"),
    _row(3, "14.93", "14.07 13.14 15.00 408", "15.37 14.37 16.37 696"),
    _row(4, "23.49", "22.42 21.18 23.66 452", "23.97 22.67 25.27 691"),
    _row(5, "35.59", "34.49 32.87 36.11 1299", "36.03 34.36 37.71 697"),
    _row(6, "53.86", "52.77 50.60 54.94 3170", "54.27 52.05 56.49 696"),
    _row(7, "84.47", "82.13 80.09 86.17 5920", "84.18 81.13 87.22 701"),
    _row(8, "145.89", "144.57 139.91 149.24 16094", "135.08 130.81 139.36 694"),
    _row(9, "330.59", "328.17 318.68 337.65 80801", "213.88 208.10 219.67 695"),
)


# --- the exact waits --------------------------------------------------------------------------------


@cache
def solved(arrival_rate: Fraction) -> Stationary[Enclosure]:
    """The queue at an arrival rate, certified to ten digits."""
    return OneAndNQueue(SERVERS, P_BIG, MU_SMALL, MU_BIG, arrival_rate).enclose(10)
