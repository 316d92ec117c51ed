r"""Beyond the paper: a dominating queue with the stability region of the queue itself, which Appendix A leaves open.

Batches of m successive jobs: all are delayed to the arrival of the last of them, and batches are served one after another, each
from empty servers.  Batch k is then a customer of a single server queue, its service time the height H of the pile of its
m jobs.  Write D for the vector of absolute times by which the servers are free of the jobs so far, so that a job arriving
at t makes D into ``Phi(D v t U)``, ``Phi(W) = R(S(alpha, W) + sigma L(alpha))``, and E_k for when batch k has left:
``E_k = max(E_{k-1}, t_k) + H_k``, t_k the arrival of its last job.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import sympy as sp

from asymp.claim import Claim, Step
from asymp.queues.recurrence import Job, Number, pile, step, workloads
from proofs.mjsre import section4_steps as steps
from proofs.mjsre.exact import Lattice, Point
from proofs.mjsre.inputs import batch, below, drawn, vectors
from proofs.mjsre.notation import beyond
from proofs.mjsre.piecewise import positive, proved
from proofs.mjsre.trying import argued, exists, tried

APPENDIX = "Appendix A"
DRAWN = "drawn sequences of 12 jobs on 1 .. 6 servers"
SIZES = (1, 2, 3, 4, 6)
"""Jobs of a batch in the trials."""

x, y, h, h1, b, e, t, t1, k1 = sp.symbols("x y h h' b E t t' H", real=True)
alpha_x, alpha_h = sp.symbols("x_alpha h_alpha", real=True)
c, sigma = sp.symbols("c sigma", real=True)


def claims() -> list[Claim]:
    """The dominating queue: what it dominates, when it is stable, its tail, and the sandwich that it certifies."""
    where = f"240 {DRAWN}"
    return [
        beyond(
            "perfect-translation",
            APPENDIX,
            argued(translated, tried("2 and 3 servers, every ordered vector over 0, 1, 3", _translations)),
            "The pile commutes with translations: Phi(W + c U) = Phi(W) + c U.",
        ),
        beyond(
            "perfect-flattening",
            APPENDIX,
            argued(flattened, tried(f"{where}, from drawn vectors", _flattenings)),
            "A pile built on W is at most the pile built on empty servers, lifted by the highest of W: "
            "Phi_n ... Phi_1(W) <= |W| U + Phi_n ... Phi_1(0).",
        ),
        beyond(
            "perfect-subadditive",
            APPENDIX,
            argued(subadditive, tried(f"every cut of {where}", _cuts)),
            "Path by path the pile of m + n jobs is at most as high as those of the first m and of the last n together, so that "
            "E[H_{m+n}] <= E[H_m] + E[H_n] and E[exp(r H_{m+n})] <= E[exp(r H_m)] E[exp(r H_n)] for r >= 0.",
            note="The two piles are of different jobs, so they are independent.",
        ),
        beyond(
            "perfect-domination",
            APPENDIX,
            argued(dominated, tried(f"{where}, batches of {SIZES} jobs", _dominations)),
            "Just after batch k every server is free of the jobs so far by E_k: D <= E_k U.",
            note="From Lemma 4.1 alone; no stationarity, no independence.  The workload that the next job, arriving at t, finds is "
            "at most (E_k - t)^+ U.",
        ),
        beyond(
            "perfect-delay-to-the-last",
            APPENDIX,
            exists(f"{where}, batches of 2 and 3 jobs", _undelayed),
            "The delay is needed: batches that start when their first job arrives do not dominate.",
        ),
        beyond(
            "perfect-lindley",
            APPENDIX,
            argued(lindley, tried(f"{where}, batches of {SIZES} jobs", _lindley)),
            "Y_k = (E_{k-1} - t_k)^+ follows Lindley's equation Y_{k+1} = (Y_k + H_k - T_{k+1})^+, T_{k+1} = t_{k+1} - t_k: with "
            "independent jobs a GI/G/1 queue of service H_m and interarrival time the sum of m interarrival times.",
        ),
        beyond(
            "perfect-stability-region",
            APPENDIX,
            argued(
                same_region,
                tried("three systems with integer service times, m = 1, 2, 4, ..., 64", _capacities),
                cited=True,
            ),
            "The dominating queue is stable if lambda < m/E[H_m]; m/E[H_m] <= lambda_c, it does not decrease when m is doubled, "
            "and it tends to lambda_c: for each lambda < lambda_c some batch size gives a stable dominating queue.",
            note="The stationary majorant with the stability region of the queue itself that Appendix A asks for.",
        ),
        beyond(
            "perfect-tail",
            APPENDIX,
            argued(
                kingman,
                tried("two systems with integer times, batches of 1 .. 3 jobs, u = 0 .. 12, exactly", _tails),
                cited=True,
            ),
            "If E[exp(theta H_m)] E[exp(-theta tau)]^m <= 1, the majorant Z = sup over n >= 1 of H_1 + ... + H_n less the sum of "
            "1 + (n-1)m interarrival times has P(Z > u) <= exp(-theta u) E[exp(theta H_m)] E[exp(-theta tau)].",
            note="Z is what domination gives for the workload found by the first job after a batch, all batches before counted.",
        ),
        beyond(
            "perfect-light-tail",
            APPENDIX,
            argued(
                light,
                tried("two systems with integer times, batches of 1 .. 3 jobs, four interarrival laws", _exponents),
                cited=True,
            ),
            "If E[exp(r sigma)] is finite for some r > 0 (bounded services, for one), then for every lambda < lambda_c the stationary "
            "workload has an exponential tail: P(W^s > u) <= C exp(-theta u) for some theta > 0.",
            note="Against section 8.2, which reads a heavy tail from the densities of bounded Pareto services.",
        ),
        beyond(
            "perfect-sandwich",
            APPENDIX,
            argued(sandwiched, tried(f"{where}, from every level in 0 .. 6 and drawn vectors below it", _sandwiches)),
            "Chains started empty, at W <= u U, and at u U stay in this order; from where the outer two have met all three are one.",
        ),
    ]


# --- proofs --------------------------------------------------------------------------------------


def translated() -> list[Step]:
    """S, adding sigma L and a compare-exchange commute with translations."""
    steps.insertion_sort_is_reordering()
    return [
        proved(
            "S commutes with translations",
            [],
            [(sp.Max(alpha_x + c, x + c), sp.Max(alpha_x, x) + c)],
            r"S(\alpha,W+cU)=S(\alpha,W)+cU",
            equal=True,
        ),
        proved("so does adding sigma L", [], [((x + c) + sigma, (x + sigma) + c)], r"W+cU+\sigma L", equal=True),
        proved(
            "so does a compare-exchange, of which R is composed",
            [],
            [(sp.Min(x + c, y + c), sp.Min(x, y) + c), (sp.Max(x + c, y + c), sp.Max(x, y) + c)],
            r"\mathcal{R}(W+cU)=\mathcal{R}(W)+cU",
            equal=True,
        ),
    ]


def flattened() -> list[Step]:
    """W <= |W| U, then monotonicity and translation, map by map."""
    return [
        Step("|W| is the largest coordinate", r"W\le |W|U"),
        *steps.monotone(),
        *translated(),
        Step("by induction on the jobs", r"\Phi(W)\le\Phi(|W|U+0)=|W|U+\Phi(0)"),
    ]


def subadditive() -> list[Step]:
    """Flattening after the first m jobs."""
    return [
        *flattened(),
        proved("the largest coordinate", [(x, b + h), (h, k1)], [(x, b + k1)], r"|H_{m+n}|\le |H_m|+|H'_n|"),
    ]


def dominated() -> list[Step]:
    """Induction on batches and, inside one, on jobs: D <= b U + (pile so far), b = max(E_{k-1}, t_k)."""
    return [
        *translated(),
        *steps.monotone(),
        proved("before batch k", [(x, e)], [(x, sp.Max(e, t1))], r"D\le E_{k-1}U\implies D\le bU,\ b=E_{k-1}\vee t_k"),
        proved(
            "a job of the batch arrives at t <= t_k",
            [(x, sp.Max(e, t1) + h), (t, t1), (0, h)],
            [(sp.Max(x, t), sp.Max(e, t1) + h)],
            r"D\le bU+H,\ t\le t_k,\ H\ge 0\implies D\vee tU\le bU+H",
        ),
        Step("monotonicity, translation", r"\Phi(D\vee tU)\le\Phi(bU+H)=bU+\Phi(H)"),
        proved("after the batch", [(x, sp.Max(e, t1) + h), (h, k1)], [(x, sp.Max(e, t1) + k1)], r"D\le (b+|H|)U=E_kU"),
        proved("what the next job finds", [(x, e)], [(positive(x - t), positive(e - t))], r"W\le (E_k-t)^+U"),
    ]


def lindley() -> list[Step]:
    """(E_k - t_{k+1})^+ from E_k = max(E_{k-1}, t_k) + H_k."""
    return [
        proved(
            "Lindley's equation",
            [],
            [(positive(sp.Max(e, t) + h - t1), positive(positive(e - t) + h - (t1 - t)))],
            r"(E_{k-1}\vee t_k+H_k-t_{k+1})^+=((E_{k-1}-t_k)^++H_k-(t_{k+1}-t_k))^+",
            equal=True,
        ),
        Step(
            "H_k depends on needs and services of batch k, T_{k+1} on gaps alone", r"H_k,\ T_{k+1}\ \text{independent}"
        ),
    ]


def same_region() -> list[Step]:
    """Subadditivity and Fekete's lemma; Loynes' theorem for the batch queue."""
    return [
        *subadditive(),
        Step("doubling", r"E[H_{2m}]/(2m)\le E[H_m]/m", "subadditivity with n = m"),
        Step(
            "Fekete's lemma; the limit is that of Kingman's subadditive ergodic theorem",
            r"\lim E[H_m]/m=\inf_m E[H_m]/m=\gamma=1/\lambda_c",
            "Fekete 1923; mjsre, Theorem 5.1",
        ),
        Step("the GI/G/1 queue of batches is stable", r"E[H_m]<m/\lambda", "Loynes 1962"),
    ]


def kingman() -> list[Step]:
    """The maximal inequality for a nonnegative supermartingale."""
    return [
        proved(
            "each further batch multiplies the mean of exp(theta Z_n) by at most 1",
            [(x, 0)],
            [(y + x, y)],
            r"E[e^{\theta Z_{n+1}}\mid Z_n]=e^{\theta Z_n}E[e^{\theta H_m}]E[e^{-\theta\tau}]^m\le e^{\theta Z_n}",
        ),
        Step(
            "the first batch",
            r"E[e^{\theta Z_1}]=E[e^{\theta H_m}]E[e^{-\theta\tau}]",
            "one interarrival time before job -N",
        ),
        Step("maximal inequality", r"P(\sup_n Z_n>u)\le e^{-\theta u}E[e^{\theta Z_1}]", "Ville 1939; Kingman 1964"),
    ]


def light() -> list[Step]:
    """The mean drift of a stable batch queue is negative, so that its moment function goes below 1."""
    return [
        *dominated(),
        Step(
            "a stable dominating queue exists",
            r"\lambda<\lambda_c\implies\exists m:\ E[H_m]<m/\lambda",
            "perfect-stability-region",
        ),
        Step(
            "its moments are finite",
            r"H_m\le\sigma_1+\dots+\sigma_m\implies E[e^{rH_m}]\le E[e^{r\sigma}]^m<\infty",
            "subadditivity",
        ),
        Step(
            "E exp(theta (H_m - T_m)) is 1 at 0, where its derivative is negative",
            r"E[H_m]-m/\lambda<0\implies\exists\theta>0:\ E[e^{\theta(H_m-T_m)}]\le 1",
        ),
        *kingman(),
    ]


def sandwiched() -> list[Step]:
    """Lemma 4.1, job by job."""
    return [
        *steps.monotone(),
        proved("between equals", [(x, y), (y, h), (h, x)], [(x, y), (y, x)], r"V\le W\le V\implies W=V"),
        Step("the same maps from there on", r"V_n=W_n\implies V_{n+1}=W_{n+1}"),
    ]


# --- trials on exact numbers --------------------------------------------------------------------


def _after(jobs: Iterable[Job], size: int, start: Sequence[Number] | None = None) -> list[Number]:
    """The pile on ``start``."""
    w = list(start) if start is not None else [Fraction(0)] * size
    for job in jobs:
        w = step(w, job._replace(gap=0))
    return w


def _translations() -> Iterator[str | None]:
    for size in (2, 3):
        for w, need, service, lift in itertools.product(vectors(size, (0, 1, 3)), range(1, size + 1), (0, 2), (1, 5)):
            job = Job(need, service, 0)
            lifted, here = step([z + lift for z in w], job), [z + lift for z in step(w, job)]
            yield None if lifted == here else f"{job} on {w}: {lifted}, {here}"


def _flattenings() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        start = _after(drawn(servers, servers, 4), servers)
        upper = [max(start) + z for z in _after(jobs, servers)]
        yield None if below(_after(jobs, servers, start), upper) else f"{servers} servers, {jobs} on {start}"


def _cuts() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        whole = max(pile(jobs, servers)[-1])
        for cut in range(1, len(jobs)):
            parts = max(pile(jobs[:cut], servers)[-1]) + max(pile(jobs[cut:], servers)[-1])
            yield None if whole <= parts else f"{servers} servers, {jobs} cut at {cut}: {whole} > {parts}"


def batches(jobs: Sequence[Job], servers: int, size: int, last: bool = True) -> list[tuple[Number, Number, Number]]:
    """(E_k, t_k, H_k) of each whole batch; with ``last`` false a batch may start when its first job arrives."""
    times = [sum((job.gap for job in jobs[:n]), Fraction(0)) for n in range(len(jobs))]
    ready, rows = Fraction(0), list[tuple[Number, Number, Number]]()
    for first in range(0, len(jobs) - size + 1, size):
        height = max(pile(jobs[first : first + size], servers)[-1])
        arrival = times[first + size - 1 if last else first]
        ready = max(ready, arrival) + height
        rows.append((ready, arrival, height))
    return rows


def free_times(jobs: Sequence[Job], servers: int) -> list[list[Number]]:
    """D after each job."""
    found_, now = [], Fraction(0)
    for job, w in zip(jobs, workloads(jobs, servers), strict=False):
        found_.append([now + z for z in step(w, job._replace(gap=0))])
        now += Fraction(job.gap)
    return found_


def _exceeded(jobs: Sequence[Job], servers: int, size: int, last: bool) -> str | None:
    free = free_times(jobs, servers)
    for number, (ready, _, _) in enumerate(batches(jobs, servers, size, last)):
        highest = max(free[(number + 1) * size - 1])
        if highest > ready:
            return f"{servers} servers, batches of {size}, {jobs}: {highest} after batch {number}, not {ready}"
    return None


def _dominations() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        for size in SIZES:
            yield _exceeded(jobs, servers, size, True)


def _undelayed() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        for size in (2, 3):
            yield _exceeded(jobs, servers, size, False)


def _lindley() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        for size in SIZES:
            rows = batches(jobs, servers, size)
            waits = [max(ready - height - arrival, 0) for ready, arrival, height in rows]  # Y_k = (E_{k-1} - t_k)^+
            for k in range(len(rows) - 1):
                gap = rows[k + 1][1] - rows[k][1]
                after = max(waits[k] + rows[k][2] - gap, 0)
                yield None if waits[k + 1] == after else f"{servers} servers, {jobs}: {waits[k + 1]}, {after}"


_ONE = Fraction(1)
_HALF = Fraction(1, 2)
SYSTEMS: tuple[tuple[int, tuple[tuple[Fraction, int, tuple[Point, ...]], ...]], ...] = (
    (2, ((_HALF, 1, ((1, _HALF), (2, _HALF))), (_HALF, 2, ((1, _ONE),)))),
    (3, ((_HALF, 1, ((1, _HALF), (2, _HALF))), (_HALF, 2, ((2, _ONE),)))),
    (4, ((Fraction(2, 3), 1, ((2, _ONE),)), (Fraction(1, 3), 3, ((1, _HALF), (3, _HALF))))),
)


def _capacities() -> Iterator[str | None]:
    for servers, classes in SYSTEMS:
        system = Lattice(servers, classes)
        gamma, means = system.growth, list(system.mean_heights(64))
        rates = [means[2**k] / 2**k for k in range(7)]
        for k, rate in enumerate(rates):
            yield None if rate >= gamma else f"{servers} servers, m = {2**k}: {rate} < {gamma}"
        yield None if rates == sorted(rates, reverse=True) else f"{servers} servers: {rates} does not decrease"
        # A pile's height exceeds its lowest server by a bounded mean, so that m (E[H_m]/m - gamma) stays bounded.
        excess = [2**k * (rate - gamma) for k, rate in enumerate(rates)]
        yield None if excess[-1] <= 2 * max(excess[:4]) else f"{servers} servers: m (E[H_m]/m - gamma) = {excess}"


def height_law(
    servers: int, classes: Sequence[tuple[Fraction, int, Sequence[Point]]], size: int
) -> dict[int, Fraction]:
    """The law of the height of a pile of ``size`` jobs, by going through all of them."""
    jobs = [(p * q, Job(need, value, 0)) for p, need, law in classes for value, q in law]
    law_of: dict[int, Fraction] = {}
    for chosen in itertools.product(jobs, repeat=size):
        weight, height = _ONE, int(max(pile([job for _, job in chosen], servers)[-1]))
        for p, _ in chosen:
            weight *= p
        law_of[height] = law_of.get(height, Fraction(0)) + weight
    return law_of


def convolved(one: dict[int, Fraction], two: dict[int, Fraction], sign: int = 1) -> dict[int, Fraction]:
    """The law of X + Y, or of X - Y."""
    out: dict[int, Fraction] = {}
    for (i, p), (j, q) in itertools.product(one.items(), two.items()):
        out[i + sign * j] = out.get(i + sign * j, Fraction(0)) + p * q
    return out


GAPS: dict[int, Fraction] = {1: Fraction(1, 4), 3: Fraction(3, 4)}
"""An interarrival law of mean 5/2."""


def _tails() -> Iterator[str | None]:
    for servers, classes in SYSTEMS[:2]:
        for size in (1, 2, 3):
            height = height_law(servers, classes, size)
            gaps = {0: _ONE}
            for _ in range(size):
                gaps = convolved(gaps, GAPS)
            first, further = convolved(height, GAPS, -1), convolved(height, gaps, -1)
            for base in (Fraction(9, 8), Fraction(5, 4), Fraction(3, 2), Fraction(2)):
                if sum(p * base**i for i, p in further.items()) <= 1:
                    yield from _tail(first, further, base, f"{servers} servers, m = {size}, exp(theta) = {base}")


def _tail(first: dict[int, Fraction], further: dict[int, Fraction], base: Fraction, words: str) -> Iterator[str | None]:
    """P(max of Z_1 .. Z_6 > u) against the bound, for each u."""
    start = sum((p * base**i for i, p in first.items()), Fraction(0))
    for level in range(13):
        beyond_, law_of = Fraction(0), first
        for turn in range(6):
            if turn:
                law_of = convolved(law_of, further)
            beyond_ += sum((p for i, p in law_of.items() if i > level), Fraction(0))
            law_of = {i: p for i, p in law_of.items() if i <= level}
        bound = start / base**level
        yield None if beyond_ <= bound else f"{words}, u = {level}: {float(beyond_):.4g} > {float(bound):.4g}"


def _exponents() -> Iterator[str | None]:
    laws = [{1: 1 - p, 3: p} for p in (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))]
    bases = [1 + Fraction(1, 2**k) for k in range(10)]
    for (servers, classes), size, gap in itertools.product(SYSTEMS[:2], (1, 2, 3), laws):
        height = height_law(servers, classes, size)
        gaps = {0: _ONE}
        for _ in range(size):
            gaps = convolved(gaps, gap)
        walk = convolved(height, gaps, -1)
        stable = sum(p * i for i, p in walk.items()) < 0
        below_one = any(sum(p * base**i for i, p in walk.items()) <= 1 for base in bases)
        yield None if stable == below_one else f"{servers} servers, m = {size}, gaps {gap}: drift < 0 is {stable}"


def _sandwiches() -> Iterator[str | None]:
    for servers, jobs in batch(240):
        for level in range(7):
            middle = sorted(min(z, level) for z in _after(drawn(level, servers, 3), servers))
            chains = [workloads(jobs, servers, start) for start in ([0] * servers, middle, [level] * servers)]
            met = False
            for low, between, high in zip(*chains, strict=True):
                met = met or low == high
                good = below(low, between) and below(between, high) and (not met or low == between == high)
                yield None if good else f"{servers} servers, {jobs} from {middle} below {level}"
