"""A workload as arrays that kernels read: an alias table over the (class, component) pairs and their parameters.

Walker's alias method (A. J. Walker, 1977): of K entries each is hit by 2^40 of the values of a 40-bit word times K, and
keeps the part below its threshold, the rest being given to its alias.  Probabilities are rounded to multiples of
``2^-40 / K``, less than 1e-12; those below are lost, so :func:`pack` refuses them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from asymp.queues.laws import Kind, Law, Part
from asymp.sample.counter import ARRIVAL_BLOCK, BLOCKS, CHOICE_BLOCK, UNIFORM_44

if TYPE_CHECKING:
    from asymp.queues.workload import Workload

Array = np.ndarray[Any, Any]

SCALE = 1 << 40
MOST_ENTRIES = 1 << 24
SERVICE_PHASES = 1 + 2 * (CHOICE_BLOCK - 1)
ARRIVAL_PHASES = 1 + 2 * (BLOCKS - ARRIVAL_BLOCK)
LARGEST_EXPONENT = 700.0
"""Of :func:`asymp.sample.elementary.exp`, which does not test for overflow."""


class Packed(NamedTuple):
    """What kernels need to draw jobs; numba takes it as one argument.

    Entries are the (class, component) pairs of the service laws.  ``parameters`` has three columns as ``Kind`` lists
    them.  ``kinds_used`` has bit k set if an entry is of kind k, and ``phases`` is the largest number of Erlang
    phases (1 without any).  ``arrival_*`` are the same of the interarrival law.
    """

    servers: int
    thresholds: Array  # int64[K], below which of 2^40 an entry is kept
    aliases: Array  # int64[K]
    needs: Array  # int64[K]
    classes: Array  # int32[K]
    kinds: Array  # int32[K]
    parameters: Array  # float64[K, 3]
    kinds_used: int
    phases: int
    arrival_thresholds: Array
    arrival_aliases: Array
    arrival_kinds: Array
    arrival_parameters: Array
    arrival_kinds_used: int
    arrival_phases: int


def pack(workload: Workload, interarrival: Law) -> Packed:
    """The arrays of a workload and of the law of the times between arrivals.

    Raises:
        ValueError: for 2^24 components or more, a component of probability below 1e-12, more Erlang phases than the
            counters have blocks for (253 of a service time, 257 of an interarrival time), or a bounded Pareto law
            whose bounds are more than 300 orders of magnitude apart.
    """
    pairs = [(k, c.servers, c.probability, part) for k, c in enumerate(workload.classes) for part in c.service.parts()]
    parts = [part for *_, part in pairs]
    where = [f"class {k + 1} ({need} servers)" for k, need, _, _ in pairs]
    weights = [Fraction(p) * Fraction(part.probability) for _, _, p, part in pairs]
    thresholds, aliases = alias_table(weights, where)
    kinds, parameters, used, phases = _components(parts, where, SERVICE_PHASES)
    arrivals = interarrival.parts()
    place = ["the interarrival law"] * len(arrivals)
    a_thresholds, a_aliases = alias_table([Fraction(part.probability) for part in arrivals], place)
    a_kinds, a_parameters, a_used, a_phases = _components(arrivals, place, ARRIVAL_PHASES)
    return Packed(
        workload.servers,
        thresholds,
        aliases,
        np.array([need for _, need, _, _ in pairs], np.int64),
        np.array([k for k, *_ in pairs], np.int32),
        kinds,
        parameters,
        used,
        phases,
        a_thresholds,
        a_aliases,
        a_kinds,
        a_parameters,
        a_used,
        a_phases,
    )


def alias_table(weights: Sequence[Fraction], where: Sequence[str]) -> tuple[Array, Array]:
    """Thresholds (out of 2^40) and aliases of entries with these weights.

    The rounding makes the thresholds exact integers: entry i has probability
    ``(thresholds[i] + sum over j with aliases[j] = i of (2^40 - thresholds[j])) / (K 2^40)``.

    >>> alias_table([Fraction(1), Fraction(3)], ["a", "b"])[0].tolist()
    [549755813888, 1099511627776]
    """
    count, total = len(weights), sum(weights)
    if not 0 < count < MOST_ENTRIES:
        raise ValueError(f"{count} components: there must be at least 1 and fewer than 2^24")
    shares = [weight * count * SCALE / total for weight in weights]
    whole = [int(share) for share in shares]
    # The units lost by rounding down go to the largest remainders.
    order = sorted(range(count), key=lambda i: whole[i] - shares[i])
    for i in order[: count * SCALE - sum(whole)]:
        whole[i] += 1
    for weight, units, name in zip(weights, whole, where, strict=True):
        if weight > 0 and units == 0:
            raise ValueError(
                f"{name}: a component of probability {float(weight):.3g} is below what can be drawn (1e-12)"
            )
    thresholds, aliases = np.full(count, SCALE, np.int64), np.arange(count, dtype=np.int64)
    small = [i for i in range(count) if whole[i] < SCALE]
    large = [i for i in range(count) if whole[i] >= SCALE]
    while small:
        i, j = small.pop(), large[-1]
        thresholds[i], aliases[i] = whole[i], j
        whole[j] -= SCALE - whole[i]
        if whole[j] < SCALE:
            small.append(large.pop())
    return thresholds, aliases


def mean_need(packed: Packed) -> float:
    """The mean servers of a job."""
    found = (packed.thresholds / SCALE) @ packed.needs + (1 - packed.thresholds / SCALE) @ packed.needs[packed.aliases]
    return float(found / packed.needs.size)


def _components(parts: Sequence[Part], where: Sequence[str], most: int) -> tuple[Array, Array, int, int]:
    parameters = np.zeros((len(parts), 3))
    used, phases = 0, 1
    for row, part, name in zip(parameters, parts, where, strict=True):
        row[: len(part.parameters)] = part.parameters
        used |= 1 << part.kind
        if part.kind == Kind.ERLANG:
            phases = max(phases, int(part.parameters[1]))
            if part.parameters[1] > most:
                raise ValueError(
                    f"{name}: {int(part.parameters[1])} Erlang phases, more than the {most} that can be drawn"
                )
        if part.kind == Kind.BOUNDED_PARETO:
            _, mass, power = part.parameters
            if -math.log(max(1 - mass, UNIFORM_44 / 2)) * power > LARGEST_EXPONENT:
                raise ValueError(f"{name}: the bounds of the Pareto law are too far apart to be drawn")
    return np.array([part.kind for part in parts], np.int32), parameters, used, phases
