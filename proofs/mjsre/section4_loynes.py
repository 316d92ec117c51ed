"""Section 4.3.2: Loynes' sequence, its limit, and its law."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from asymp.claim import Claim, Property
from asymp.queues.recurrence import Job, loynes, step, workloads
from asymp.sample.referee import play
from proofs.mjsre import section4_steps as steps
from proofs.mjsre.inputs import arrivals, batch, below, drawn
from proofs.mjsre.notation import beyond, claim
from proofs.mjsre.stationary import converges, perfect, same_law, several
from proofs.mjsre.trying import argued, tried


def claims() -> list[Claim]:
    """The statements of section 4.3.2 and remark 2, in order."""
    return [
        claim(
            "equation-4-examples",
            "Equation (4)",
            Property(tried("120 drawn pasts", lambda: map(_examples, range(120)))),
            "M_1 = R(S(alpha_{-1}, 0) + sigma_{-1} L(alpha_{-1}) - tau_{-1} U)^+ is a function of xi_{-1} only, whereas M_2 = "
            "R(S(alpha_{-1}, M_1(theta^{-1} xi)) + sigma_{-1} L(alpha_{-1}) - tau_{-1} U)^+ is a function of xi_{-2} and xi_{-1}.",
            note="theta shifts to the left, so that M_1(theta^{-1} xi) is M_1 with xi_{-2} for xi_{-1}; a parenthesis is missing in "
            "the printed M_2.",
        ),
        claim(
            "equation-4-state",
            "Equation (4)",
            Property(tried("120 drawn pasts of 9 jobs", lambda: map(_state, range(120)))),
            "M_n is the state of the system at time 0 when it starts empty at time -(tau_{-n} + ... + tau_{-1}) and uses "
            "(xi_{-n}, ..., xi_{-1}) at the arrival epochs -(tau_{-n} + ... + tau_{-1}), ..., -tau_{-1}.",
            note="Against the queue played event by event.",
        ),
        claim(
            "lemma-4.3",
            "Lemma 4.3",
            argued(steps.nondecreasing, tried("240 drawn pasts of 12 jobs on 1 to 6 servers", _nondecreasing)),
            "The sequence M_n is monotonically nondecreasing in n.",
        ),
        claim(
            "section-4.3-same-law",
            "Section 4.3.2",
            Property(same_law()),
            "For all n >= 0, M_n has the same law as W_n when taking W_0 = 0.",
        ),
        claim(
            "lemma-4.4-weak",
            "Lemma 4.4",
            Property(converges),
            "W_n converges weakly (from below) to M_oo.",
            note="Where M_oo is finite; tried on i.i.d. inputs for which the workload is a finite Markov chain, solved exactly.",
        ),
        claim(
            "lemma-4.4-perfect",
            "Lemma 4.4",
            Property(perfect),
            "M_oo provides a perfect sample of the stationary distribution of the state vector.",
            note="Where M_oo is finite.  For inputs that are stationary and ergodic without being independent there can be other "
            "stationary distributions, see the next claim: M_oo samples the least.",
        ),
        beyond(
            "lemma-4.4-several",
            "Lemma 4.4",
            Property(several, complete=True),
            "A stationary ergodic input with load below 1 can have several stationary workloads; M_oo is the least of them.",
            note="Two servers, one-server jobs, alternately sigma = 1, tau = 0 and sigma = 2, tau = 2 (load 3/4), the phase "
            "drawn at random: the recurrence keeps (0, 0) and (0, 1) alike.",
        ),
        claim(
            "remark-2",
            "Remark 2",
            Property(tried("all n_1 > n_2 >= 0 in 60 drawn pasts of 9 jobs", _subsequences)),
            "M_{n_1, 0}(0) = M_{n_2, 0}(M_{n_1, n_2}(0)), n_1 > n_2 >= 0.",
        ),
    ]


def _past(seed: int, length: int = 9) -> tuple[int, list[Job]]:
    """(servers, xi_{-1}, xi_{-2}, ...)."""
    return 1 + seed % 5, drawn(1000 + seed, 1 + seed % 5, length)


def _examples(seed: int) -> str | None:
    servers, past = _past(seed)
    zero = [Fraction(0)] * servers
    shifted = step(zero, past[1])  # M_1 of theta^{-1} xi
    good = loynes(past, servers)[1:3] == [step(zero, past[0]), step(shifted, past[0])]
    return None if good else f"{past[:2]} on {servers} servers"


def _state(seed: int) -> str | None:
    servers, past = _past(seed)
    for n, m in enumerate(loynes(past, servers)):
        jobs = past[n - 1 :: -1] if n else []
        history = play(arrivals(jobs, -sum(job.gap for job in jobs)), servers)
        if history.workload(n, Fraction(0)) != [m]:
            return f"M_{n} of {past} on {servers} servers"
    return None


def _nondecreasing() -> Iterator[str | None]:
    for servers, past in batch(240):
        for n, (m, more) in enumerate(itertools.pairwise(loynes(past, servers))):
            yield None if below(m, more) else f"n = {n}, {past} on {servers} servers"


def _subsequences() -> Iterator[str | None]:
    for seed in range(60):
        servers, past = _past(seed)
        for n1 in range(1, len(past) + 1):
            whole = loynes(past[:n1], servers)[-1]
            for n2 in range(n1):
                middle = workloads(reversed(past[n2:n1]), servers)[-1]
                good = workloads(reversed(past[:n2]), servers, middle)[-1] == whole
                yield None if good else f"{n1}, {n2}, {past} on {servers} servers"
