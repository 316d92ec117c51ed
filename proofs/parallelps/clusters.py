r"""The system as n -> oo with every load small, from the generator (7) and its clusters: exact Taylor coefficients in lam.

A *cluster* is a set of servers connected by the jobs that they share.  As n -> oo at a fixed time a cluster is a tree (two jobs
have two servers in common with probability O(1/n)), and other clusters are independent of it: an arrival joins d servers of d
clusters, a departure cuts one into its parts.  With c_T the number of clusters of shape T a server of the system has in the mean,
stationary densities obey, for each shape T with V servers (and c of a lone server = 1 minus the rest),

    (lam d V + sum of rates of its jobs) c_T = lam * sum over (T_1, v_1), ..., (T_d, v_d) that an arrival makes T of  c_(T_1)...c_(T_d)
                                               + sum over (T', job whose departure leaves T) of  rate(job in T') c_(T'),

the rate of a job being the sum of 1/(jobs of the server) over its d servers.  c_T is O(lam^jobs), so that the coefficient of
lam^k is found from those of lam^(k-1) and of larger shapes: a finite recursion over the rationals.

That these are the limits of the coefficients of E[Q^n(oo)], with a remainder O(lam^(K+1)) uniform in n while d lam is small:
let each server ring at rate 1, a ring completing a job chosen at random.  Other servers' rings only take jobs away, so that queue j
is at most the M/M/1 queue of its own arrivals (rate d lam) and rings, path by path.  What is at a server at time 0 thus depends on
the arrivals in its present M/M/1 busy period, on the busy periods of their other servers that contain them, and so on: at most a
branching process, whose mean offspring (d - 1) * (arrivals in a busy period) is O(lam), for all n alike.  Terms of more than K
arrivals contribute O(lam^(K+1)); those of at most K are, but for O(1/n), the trees above.  :func:`finite` has the coefficients for
given n, from the chain itself, without this argument.

Sizes are phases: ``start``, ``rate``, ``after`` by phase, of mean 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial
from typing import Any

Code = tuple[Any, ...]
"""A rooted tree: its root's jobs, each (phase, the trees of its other servers), sorted."""
Job = tuple[int, tuple[int, ...]]
"""(phase, servers)."""
LONE: Code = ()


@dataclass(frozen=True)
class Sizes:
    """A law of sizes: phase k is first with probability ``start[k]``, has rate ``rate[k]``; then ``after[k]`` (0: none) < k."""

    start: tuple[tuple[int, Fraction], ...]
    rate: tuple[Fraction, ...]
    after: tuple[int, ...]


def sizes(kind: int, parameter: Any = 1) -> Sizes:
    """Kind 1: Erlang of so many phases (1: exponential); 2: exponential of rate r or 1/r, of mean 1 (the paper's figure 6).

    >>> sizes(2, 2).start
    ((1, Fraction(2, 3)), (2, Fraction(1, 3)))
    """
    if kind == 1:
        k = int(parameter)
        return Sizes(((k, Fraction(1)),), (Fraction(0), *(Fraction(k),) * k), (0, *range(k)))
    r = Fraction(parameter)
    q = (1 - r) / (1 / r - r)  # q/r + (1 - q) r = 1
    return Sizes(((1, q), (2, 1 - q)), (Fraction(0), r, 1 / r), (0, 0, 0))


def tree(code: Code) -> tuple[list[Job], int]:
    """Jobs, and the number of servers, of a rooted tree; the root is server 0."""
    found: list[Job] = []
    count = 1

    def grow(v: int, jobs: Code) -> None:
        nonlocal count
        for phase, others in jobs:
            servers = list(range(count, count + len(others)))
            count += len(others)
            found.append((phase, (v, *servers)))
            for w, other in zip(servers, others, strict=True):
                grow(w, other)

    grow(0, code)
    return found, count


def roots(jobs: list[Job], servers: int) -> Counter[Code]:
    """How many servers see the tree as each rooted tree."""
    at: dict[int, list[int]] = defaultdict(list)
    for k, (_, members) in enumerate(jobs):
        for v in members:
            at[v].append(k)

    def seen(v: int, but: int) -> Code:
        return tuple(sorted((jobs[k][0], tuple(sorted(seen(w, k) for w in jobs[k][1] if w != v))) for k in at[v] if k != but))

    return Counter(seen(v, -1) for v in range(servers))


def shape(jobs: list[Job], servers: int) -> Code:
    """The tree whatever its root: the least of its rooted trees."""
    return min(roots(jobs, servers))


def parts(jobs: list[Job], without: int) -> list[Code]:
    """The shapes left by a departure, lone servers among them left out."""
    rest, found = [job for k, job in enumerate(jobs) if k != without], []
    while rest:
        inside, some = set(rest[0][1]), []
        while True:
            new = [job for job in rest if inside & set(job[1])]
            if not new:
                break
            rest = [job for job in rest if not inside & set(job[1])]
            some += new
            inside |= {v for _, members in new for v in members}
        names = {v: k for k, v in enumerate(sorted(inside))}
        found.append(shape([(phase, tuple(names[v] for v in members)) for phase, members in some], len(names)))
    return found


def rates(jobs: list[Job], law: Sizes) -> list[Fraction]:
    """At which the present phases of jobs end."""
    level = Counter(v for _, members in jobs for v in members)
    return [law.rate[phase] * sum(Fraction(1, level[v]) for v in members) for phase, members in jobs]


def after(jobs: list[Job], k: int, law: Sizes) -> list[Job] | None:
    """The jobs when the phase of job k ends; None when it departs."""
    phase = law.after[jobs[k][0]]
    return [*jobs[:k], (phase, jobs[k][1]), *jobs[k + 1 :]] if phase else None


class Clusters:
    """All shapes of at most ``most`` jobs, and the coefficients of their densities."""

    def __init__(self, d: int, most: int, law: Sizes) -> None:
        self.d, self.most, self.law = d, most, law
        self.sizes: dict[Code, tuple[int, int]] = {LONE: (0, 1)}
        self.made: dict[Code, list[tuple[Fraction, tuple[Code, ...]]]] = defaultdict(list)
        self.left: dict[Code, list[tuple[Fraction, Code]]] = defaultdict(list)
        self.out: dict[Code, Fraction] = {}
        self._rooted: list[list[tuple[Code, Code, int]]] = [[(LONE, LONE, 1)]]
        for m in range(1, most + 1):
            self._add(m)
        self.density = {code: [Fraction(0)] * (most + 1) for code in self.sizes}
        self.density[LONE][0] = Fraction(1)
        order = sorted((code for code in self.sizes if code), key=lambda c: (-self.sizes[c][0], -sum(p for p, _ in tree(c)[0])))
        for k in range(1, most + 1):
            for code in order:
                if self.sizes[code][0] <= k:
                    self._step(code, k)
            self.density[LONE][k] = -sum(self.sizes[code][1] * self.density[code][k] for code in order)

    def _add(self, m: int) -> None:
        """Shapes of m jobs: what an arrival makes of smaller ones, and what phases make of those."""
        d, law = self.d, self.law
        new: dict[Code, list[Job]] = {}
        for split in descending(m - 1, d):
            groups = [combinations_with_replacement(self._rooted[j], count) for j, count in Counter(split).items()]
            for chosen in product(*groups):
                flat = [one for group in chosen for one in group]
                ways = factorial(d)
                for count in Counter(flat).values():
                    ways //= factorial(count)
                for _, _, count in flat:
                    ways *= count
                for phase, chance in law.start:
                    code = tuple(sorted([*flat[0][1], (phase, tuple(sorted(root for _, root, _ in flat[1:])))]))
                    jobs, servers = tree(code)
                    found = shape(jobs, servers)
                    new[found] = tree(found)[0]
                    self.made[found].append((chance * ways, tuple(one for one, _, _ in flat)))
        todo = list(new)
        while todo:
            jobs = new[todo.pop()]
            for k in range(len(jobs)):
                moved = after(jobs, k, law)
                if moved is not None:
                    found = shape(moved, 1 + m * (d - 1))
                    if found not in new:
                        new[found] = tree(found)[0]
                        todo.append(found)
        self._rooted.append([])
        for code, jobs in sorted(new.items()):
            self.sizes[code] = (m, 1 + m * (d - 1))
            self._rooted[m] += [(code, root, count) for root, count in roots(jobs, 1 + m * (d - 1)).items()]
            speeds = rates(jobs, law)
            self.out[code] = sum(speeds, Fraction(0))
            for k, speed in enumerate(speeds):
                moved = after(jobs, k, law)
                for found in parts(jobs, k) if moved is None else [shape(moved, 1 + m * (d - 1))]:
                    self.left[found].append((speed, code))

    def _step(self, code: Code, k: int) -> None:
        """The coefficient of lam^k of a density."""
        total = -self.d * self.sizes[code][1] * self.density[code][k - 1]
        for ways, codes in self.made[code]:
            total += ways * coefficient([self.density[one] for one in codes], k - 1)
        for speed, larger in self.left[code]:
            total += speed * self.density[larger][k]
        self.density[code][k] = total / self.out[code]

    def mean_queue(self) -> list[Fraction]:
        """The coefficients of lam^0, lam^1, ... of the mean queue."""
        return [self.d * sum((self.sizes[c][0] * x[k] for c, x in self.density.items()), Fraction(0)) for k in range(self.most + 1)]

    def queue(self, level: int) -> list[Fraction]:
        """Those of the probability that a server has so many jobs."""
        found = [Fraction(0)] * (self.most + 1)
        for code, x in self.density.items():
            jobs, servers = tree(code)
            at = Counter(v for _, members in jobs for v in members)
            count = sum(1 for v in range(servers) if at[v] == level)
            found = [a + count * b for a, b in zip(found, x, strict=True)]
        return found


def descending(total: int, count: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Tuples of so many numbers >= 0 of this sum that do not increase.

    >>> list(descending(2, 2))
    [(2, 0), (1, 1)]
    """
    if count == 0:
        if total == 0:
            yield ()
        return
    for x in range(min(total, total if most is None else most), -1, -1):
        if x * count < total:
            break
        yield from ((x, *rest) for rest in descending(total - x, count - 1, x))


def coefficient(series: list[list[Fraction]], k: int) -> Fraction:
    """The coefficient of lam^k of a product."""
    found = [Fraction(1)] + [Fraction(0)] * k
    for one in series:
        found = [sum((found[i] * one[j - i] for i in range(j + 1)), Fraction(0)) for j in range(k + 1)]
    return found[k]


@lru_cache(maxsize=64)
def clusters(d: int, most: int, kind: int = 1, parameter: Any = 1) -> Clusters:
    """The clusters of at most so many jobs.

    >>> clusters(2, 3).mean_queue()
    [Fraction(0, 1), Fraction(1, 1), Fraction(2, 3), Fraction(19, 36)]
    """
    return Clusters(d, most, sizes(kind, parameter))


# --- the same for given n, from the chain --------------------------------------------------------------


def renamed(jobs: list[Job]) -> tuple[Job, ...]:
    """The jobs with their servers renamed, the same for jobs that differ by names alone: the least over all orders of the jobs.

    A server is known by the jobs that it has; those with the same jobs are alike.
    """
    at: dict[int, int] = defaultdict(int)
    for k, (_, members) in enumerate(jobs):
        for v in members:
            at[v] |= 1 << k
    best: tuple[Any, ...] | None = None
    for order in permutations(range(len(jobs))):
        masks = sorted(sum(1 << k for k, old in enumerate(order) if mask >> old & 1) for mask in at.values())
        key = (tuple(jobs[old][0] for old in order), tuple(masks))
        if best is None or key < best:
            best = key
    if best is None:
        return ()
    return tuple((phase, tuple(v for v, mask in enumerate(best[1]) if mask >> k & 1)) for k, phase in enumerate(best[0]))


@lru_cache(maxsize=64)
def finite(n: int, d: int, most: int, kind: int = 1, parameter: Any = 1) -> tuple[Fraction, ...]:
    """The coefficients of lam^0, ..., lam^most of the mean queue of n servers, exact, from the chain on all states.

    pi(x) has a Taylor series whose coefficient of lam^k is 0 where x has more than k jobs: the balance of x gives it from those of
    lam^(k-1) and of states with more jobs.  States that differ by the servers' names are one.

    >>> finite(3, 3, 4)[1:] == (1, 1, 1, 1)  # d = n: lam/(1 - lam)
    True
    """
    law, every = sizes(kind, parameter), comb(n, d)
    states: dict[tuple[Job, ...], list[tuple[tuple[Job, ...], Fraction]]] = {}
    gain: dict[tuple[Job, ...], list[tuple[Fraction, tuple[Job, ...]]]] = defaultdict(list)
    left: dict[tuple[Job, ...], list[tuple[Fraction, tuple[Job, ...]]]] = defaultdict(list)
    todo: list[tuple[Job, ...]] = [()]
    while todo:
        state = todo.pop()
        if state in states:
            continue
        states[state] = []
        jobs = list(state)
        used = 1 + max((v for _, members in jobs for v in members), default=-1)
        if len(jobs) < most:
            for old in range(max(0, d - (n - used)), min(d, used) + 1):
                for members in combinations(range(used), old):
                    ways = Fraction(comb(n - used, d - old), every)
                    for phase, chance in law.start:
                        new = renamed([*jobs, (phase, (*members, *range(used, used + d - old)))])
                        gain[new].append((ways * chance, state))
                        todo.append(new)
        for k, speed in enumerate(rates(jobs, law)):
            moved = after(jobs, k, law)
            target = renamed(moved if moved is not None else jobs[:k] + jobs[k + 1 :])
            left[target].append((speed, state))
            todo.append(target)
    law_of = {state: [Fraction(0)] * (most + 1) for state in states}
    law_of[()][0] = Fraction(1)
    order = sorted((s for s in states if s), key=lambda s: (-len(s), -sum(p for p, _ in s)))
    for k in range(1, most + 1):
        for state in order:
            if len(state) <= k:
                total = -n * law_of[state][k - 1] + n * sum((w * law_of[s][k - 1] for w, s in gain[state]), Fraction(0))
                total += sum((speed * law_of[s][k] for speed, s in left[state]), Fraction(0))
                law_of[state][k] = total / sum(rates(list(state), law), Fraction(0))
        law_of[()][k] = -sum(law_of[state][k] for state in order)
    return tuple(Fraction(d, n) * sum((len(s) * x[k] for s, x in law_of.items()), Fraction(0)) for k in range(most + 1))


# --- from empty, in powers of time -------------------------------------------------------------------


@lru_cache(maxsize=64)
def transient(d: int, most: int, lam: Fraction, kind: int = 1, parameter: Any = 1) -> dict[Code, list[Fraction]]:
    """The densities at time t from empty, as coefficients of t^0, ..., t^most: the same equations with d/dt c_T on the left."""
    table = clusters(d, most, kind, parameter)
    density = {code: [Fraction(0)] * (most + 1) for code in table.sizes}
    density[LONE][0] = Fraction(1)
    for k in range(most):
        for code in table.sizes:
            if code and table.sizes[code][0] <= k + 1:
                total = -(d * table.sizes[code][1] * lam + table.out[code]) * density[code][k]
                for ways, codes in table.made[code]:
                    total += lam * ways * coefficient([density[one] for one in codes], k)
                total += sum((speed * density[larger][k] for speed, larger in table.left[code]), Fraction(0))
                density[code][k + 1] = total / (k + 1)
        density[LONE][k + 1] = -sum(table.sizes[code][1] * density[code][k + 1] for code in table.sizes if code)
    return density


@lru_cache(maxsize=256)
def tail(level: int, d: int, most: int, lam: Fraction) -> list[Fraction]:
    """The coefficients of the limit of E[ybar_level(t)], the part of servers with at least so many jobs.

    >>> tail(1, 2, 2, Fraction(1, 2))  # d lam t - (d lam)^2 t^2/2 - d (d lam) t^2/2
    [Fraction(0, 1), Fraction(1, 1), Fraction(-3, 2)]
    """
    found = [Fraction(0)] * (most + 1)
    for code, series in transient(d, most, lam).items():
        jobs, servers = tree(code)
        at = Counter(v for _, members in jobs for v in members)
        count = sum(1 for v in range(servers) if at[v] >= level)
        found = [a + count * b for a, b in zip(found, series, strict=True)]
    return found


@lru_cache(maxsize=64)
def mean_field_tails(d: int, most: int, lam: Fraction) -> list[list[Fraction]]:
    """The coefficients of ybar_0, ybar_1, ... of (6) from empty: ``[level][power of t]``."""
    y = [[Fraction(0)] * (most + 1) for _ in range(most + 2)]
    y[0][0] = Fraction(1)
    share: list[Fraction] = []  # of ybar_1 / (ybar_1 + ybar_2 + ...), both of order t
    for k in range(most):
        if k == 0:
            share.append(Fraction(1))  # ybar_1 = d lam t + ..., and so is the sum
        else:
            sums = [sum((one[j] for one in y[1:]), Fraction(0)) for j in range(most + 1)]
            share = []
            for j in range(k):
                share.append((y[1][j + 1] - sum((share[i] * sums[j - i + 1] for i in range(j)), Fraction(0))) / sums[1])
        for level in range(1, most + 1):
            fall = [a - b for a, b in zip(y[level], y[level + 1], strict=True)]
            rise = y[level - 1][k] - y[level][k]
            mixed = sum((share[i] * fall[k - i] for i in range(min(k, len(share) - 1) + 1)), Fraction(0))
            y[level][k + 1] = (d * lam * rise - fall[k] - level * (d - 1) * mixed) / (k + 1)
    return y
