r"""Where an arrival goes: the policies of load balancing among n servers that hold at most theta jobs each.

All servers being alike, a policy is what it does to levels, the numbers of jobs at servers: ``c[k]`` servers have k.

==============  ==========================================================================================
insensitive     server i with probability ``(theta - x_i)/sum_j (theta - x_j)``; blocked where all are full
jsq             join the shortest queue, ties at random; blocked where all are full
jiq             join the idle queue: an idle server at random if there is one, else any server at random, without
                knowing more, and blocked if that one is full
jsq:D           the shortest of D servers drawn at random with replacement; blocked where all D are full
random          ``jsq:1``: any server at random, as in Bernoulli routing
==============  ==========================================================================================

Each knows an arrival's probability of being blocked in a state, so that blocking is a mean over time (arrivals being
Poisson, they see time averages) and not a count of blocked arrivals, whose variance is larger.

Sources: Bonald, Jonckheere, Proutiere (2004) for the first; Lu et al. (2011) for jiq; Mitzenmacher (1996) for jsq:D.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from asymp.messages import unknown
from asymp.sample.compiler import part
from asymp.sample.streams import below

INSENSITIVE, SHORTEST, IDLE, CHOICES = range(4)
NAMES = ("insensitive", "jsq", "jiq", "jsq:D", "random")
MOST_CHOICES = 100


@dataclass(frozen=True)
class Policy:
    """A policy as kernels take it.

    >>> Policy.named("jsq:2")
    Policy(name='jsq:2', kind=3, choices=2)
    """

    name: str
    kind: int
    choices: int = 1

    @classmethod
    def named(cls, text: str) -> Policy:
        """The policy of a name.

        Raises:
            ValueError: in one line, if there is none.
        """
        word = text.strip().lower()
        plain = {"insensitive": INSENSITIVE, "jsq": SHORTEST, "jiq": IDLE, "random": CHOICES}
        if word in plain:
            return cls(word, plain[word])
        head, _, tail = word.partition(":")
        if head != "jsq":
            raise ValueError(unknown("policy", text, NAMES))
        if not (tail.isascii() and tail.isdigit() and 1 <= int(tail[:9]) <= MOST_CHOICES):
            raise ValueError(f"policy={text[:40]}: D of jsq:D must be an integer in 1..{MOST_CHOICES}")
        return cls(f"jsq:{int(tail)}", CHOICES, int(tail))


@part
def any_level(c: Any, lowest: int, n: int, s: Any) -> int:
    left = below(s, n)
    k = lowest
    while left >= c[k]:
        left -= c[k]
        k += 1
    return k


@part
def level(kind: int, choices: int, c: Any, lowest: int, free: int, n: int, theta: int, s: Any) -> int:
    """Where an arrival goes, theta if it is blocked.

    ``c`` are the servers of each level, ``lowest`` the first level that has any, ``free`` the places left in all.
    """
    if kind == SHORTEST or lowest == theta or (kind == IDLE and lowest == 0):
        return lowest
    if kind == INSENSITIVE:
        left = below(s, free)
        k = lowest
        while True:
            places = (theta - k) * c[k]
            if left < places:
                return k
            left -= places
            k += 1
    best = any_level(c, lowest, n, s)
    for _ in range(1, choices if kind == CHOICES else 1):
        best = min(best, any_level(c, lowest, n, s))
    return best


@part
def blocked(kind: int, choices: int, c: Any, free: int, n: int, theta: int) -> float:
    """The probability that an arrival is blocked in this state."""
    if kind <= SHORTEST:
        return 1.0 if free == 0 else 0.0
    if kind == IDLE and c[0] > 0:
        return 0.0
    full = c[theta] / n
    out = full
    for _ in range(1, choices if kind == CHOICES else 1):
        out *= full
    return out


def shares(counts: np.ndarray[Any, Any], servers: int) -> np.ndarray[Any, Any]:
    """As many servers of each level as there are in another number of servers, rounded by largest remainders.

    >>> shares(np.array([1.0, 2.0, 0.0]), 10).tolist()
    [3, 7, 0]
    """
    wanted = counts / counts.sum() * servers
    whole = np.floor(wanted).astype(np.int64)
    for k in np.argsort(whole - wanted, kind="stable")[: servers - int(whole.sum())]:
        whole[k] += 1
    return whole
