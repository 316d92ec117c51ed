"""Section 5: the saturated system, exactly.  The chain itself is the judge of every formula."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.claim import Claim, Domain, Identity, Step
from asymp.queues import balance
from proofs.lfms import samples
from proofs.lfms import section5_proofs as proofs
from proofs.lfms.notation import (
    CHAIN,
    CHAIN_GRID,
    CHAIN_ONE,
    E_DELTA,
    MU,
    beyond,
    chain,
    claim,
    erratum,
    p1,
    power_sum,
    zero_steps,
)
from proofs.lfms.regimes import n, p
from proofs.lfms.section5_proofs import DRAIN, FULL, SERVICE

Table = dict[Any, Fraction]


def claims() -> list[Claim]:
    """The statements of section 5, in order."""
    return [*_transitions(), *_lemma_1(), *_lemma_2(), *_lemma_3(), *_lemma_4(), *_lemma_5()]


def _table(function: Callable[..., Table]) -> Callable[..., Table]:
    """``function(system, n, p1, p, mu1, mun)`` as a function of a grid point, in exact numbers."""

    def at(n: int, p: Fraction, mu1: Any, mun: Any) -> Table:
        system = chain(n, p, mu1, mun)
        return function(system, n, 1 - p, p, Fraction(mu1), Fraction(mun))

    return at


def _same(
    slug: str, place: str, lhs: Any, rhs: Any, statement: str, domain: Domain = CHAIN, **more: Any
) -> Claim:
    """An identity between two tables over states."""
    proof = more.pop("proof", None)
    return claim(slug, place, Identity(_table(lhs), _table(rhs), domain, proof=proof), statement, **more)


# --- 5.1 ---------------------------------------------------------------------------------------


def _transitions() -> list[Claim]:
    def printed(s: Any, n: int, q: Fraction, p: Fraction, *_: Any) -> Table:
        out: Table = {}
        for b in range(n):
            out[(0, b), (0, b + 1)] = q
            out[(0, b), (1, b)] = p
        for b in range(1, n):
            out[(1, b), (1, b - 1)] = Fraction(1)
        out[(1, 0), (0, 0)] = Fraction(1)
        out[(0, n), (0, n - 1)] = Fraction(1)
        return out

    def actual(s: Any, *_: Any) -> Table:
        out: Table = {}
        for step in s.transitions:
            out[step.source, step.target] = (
                out.get((step.source, step.target), Fraction(0)) + step.probability
            )
        return out

    def kinds(s: Any, n: int, *_: Any) -> Table:
        return {y: y in s.completion_rate for y in s.labels}

    def printed_kinds(s: Any, n: int, *_: Any) -> Table:
        arriving = {(0, b): False for b in range(n)}
        return arriving | {(1, b): True for b in range(n)} | {(0, n): True}

    place = "Section 5.1"
    return [
        _same(
            "section-5.1-states",
            place,
            kinds,
            printed_kinds,
            "The states are (a, b); if a = 0 and b < n the state is an arriving state, if a = 1 or b = n a completing "
            "state.",
            CHAIN_ONE,
        ),
        _same(
            "section-5.1-transitions",
            place,
            actual,
            printed,
            "(0, b) -> (0, b+1) with probability p1 and (1, b) with p_n; (1, b) -> (1, b-1); (1, 0) -> (0, 0); "
            "(0, n) -> (0, n-1).",
            CHAIN_ONE,
        ),
    ]


def _lemma_1() -> list[Claim]:
    place = "Lemma 5.1"
    balanced = zero_steps(balance.verify_balance)
    note = (
        "For n >= 2: with n = 1 the states (0, 0) and (0, n-1) are one, and the law is another "
        "(lfms/lemma-5.1-single-server).  Proved by the balance equations of the chain for symbolic n."
    )

    def pick(states: Callable[[int], list[Any]]) -> Callable[..., Table]:
        return lambda s, n, *_: {y: s.pi[y] for y in states(n)}

    def law(value: Callable[..., Any], states: Callable[[int], list[Any]]) -> Callable[..., Table]:
        return lambda s, n, q, p, *_: {y: s.pi[0, 0] * value(y[1], n, q, p) for y in states(n)}

    parts = [
        (
            "pi-0-b",
            "for all b < n-1, pi_{0,b} = pi_{0,0} p1^b",
            lambda b, n, q, p: q**b,
            lambda n: [(0, b) for b in range(n - 1)],
        ),
        (
            "pi-0-n-1",
            "pi_{0,n-1} = pi_{0,0} p1^(n-1)/p_n",
            lambda b, n, q, p: q**b / p,
            lambda n: [(0, n - 1)],
        ),
        ("pi-0-n", "pi_{0,n} = pi_{0,0} p1^n/p_n", lambda b, n, q, p: q**b / p, lambda n: [(0, n)]),
        (
            "pi-1-b",
            "for all b < n, pi_{1,b} = pi_{0,0} p1^b",
            lambda b, n, q, p: q**b,
            lambda n: [(1, b) for b in range(n)],
        ),
    ]
    found = [
        _same(f"lemma-5.1-{slug}", place, pick(states), law(value, states), text, proof=balanced, note=note)
        for slug, text, value, states in parts
    ]
    single = Domain("n = 1", tuple({**point, "n": 1} for point in CHAIN_GRID if point["n"] == 2))
    found.append(
        beyond(
            "lemma-5.1-single-server",
            place,
            Identity(
                _table(lambda s, *_: dict(s.pi)),
                _table(lambda s, n, q, p, *_: {(0, 0): Fraction(1, 2), (0, 1): q / 2, (1, 0): p / 2}),
                single,
                proof=lambda: list(proofs.stationary(proofs.SINGLE)),
            ),
            "With a single server, n = 1, pi_{0,1} = pi_{0,0} p1 and pi_{1,0} = pi_{0,0} p_n.",
            note="The printed formulas would give pi_{0,0}/p_n, pi_{0,0} p1/p_n and pi_{0,0}.  Lemmas 5.2 to 5.5 hold "
            "with n = 1 too.",
        )
    )
    rows = [
        ("0-0", "pi_{0,0} = pi_{1,0}", lambda s, n, q, p, *_: [(s.pi[0, 0], s.pi[1, 0])]),
        (
            "0-b",
            "for 0 < b < n-1, pi_{0,b} = pi_{0,b-1} p1",
            lambda s, n, q, p, *_: [(s.pi[0, b], s.pi[0, b - 1] * q) for b in range(1, n - 1)],
        ),
        (
            "0-n-1",
            "pi_{0,n-1} = pi_{0,n-2} p1 + pi_{0,n}",
            lambda s, n, q, p, *_: [(s.pi[0, n - 1], s.pi[0, n - 2] * q + s.pi[0, n])],
        ),
        ("0-n", "pi_{0,n} = pi_{0,n-1} p1", lambda s, n, q, p, *_: [(s.pi[0, n], s.pi[0, n - 1] * q)]),
        (
            "1-b",
            "for 0 <= b < n-1, pi_{1,b} = pi_{1,b+1} + pi_{0,b} p_n",
            lambda s, n, q, p, *_: [(s.pi[1, b], s.pi[1, b + 1] + s.pi[0, b] * p) for b in range(n - 1)],
        ),
        (
            "1-n-1",
            "pi_{1,n-1} = pi_{0,n-1} p_n",
            lambda s, n, q, p, *_: [(s.pi[1, n - 1], s.pi[0, n - 1] * p)],
        ),
    ]
    for slug, text, pairs in rows:
        found.append(
            _same(
                f"lemma-5.1-proof-balance-{slug}",
                place,
                lambda *args, pairs=pairs: {k: pair[0] for k, pair in enumerate(pairs(*args))},
                lambda *args, pairs=pairs: {k: pair[1] for k, pair in enumerate(pairs(*args))},
                f"Balance equation: {text}.",
                proof=_derived_balance,
            )
        )
    return found


def _derived_balance() -> list[Step]:
    """The six equations as they follow from the transitions for symbolic n >= 2."""
    f = sp.Function("pi")
    b = balance.b
    printed = {
        f(0, 0) - f(1, 0),
        f(0, b) - p1 * f(0, b - 1),
        f(0, n - 1) - p1 * f(0, n - 2) - f(0, n),
        f(0, n) - p1 * f(0, n - 1),
        f(1, b) - f(1, b + 1) - p * f(0, b),
        f(1, n - 1) - p * f(0, n - 1),
    }
    derived = {sp.expand(e.lhs - e.rhs) for e in balance.symbolic_balance()}
    if derived != {sp.expand(x) for x in printed}:
        raise ValueError("the derived balance equations are others")
    return [
        Step(f"inflow of state {e.label}", sp.latex(sp.Eq(e.lhs, e.rhs))) for e in balance.symbolic_balance()
    ]


# --- 5.2 ---------------------------------------------------------------------------------------


def _cycle(n: int, q: Fraction, p: Fraction, mu1: Fraction, mun: Fraction) -> Fraction:
    """1/C' as printed."""
    return 1 / mun + q**n / (n * mu1 * p) + sum((q**b / (b * mu1) for b in range(1, n)), Fraction(0))


def _lemma_2() -> list[Claim]:
    place = "Lemma 5.2"

    def inner(low: int) -> Callable[..., Table]:
        return lambda s, n, *_: {b: s.P[1, b] for b in range(low, n)}

    def formula(low: int) -> Callable[..., Table]:
        return lambda s, n, q, p, m1, mn: {
            b: q**b / (b * m1) / _cycle(n, q, p, m1, mn) for b in range(low, n)
        }

    def total(low: int) -> Callable[..., Table]:
        return lambda s, n, *_: {
            "sum": s.P[1, 0] + s.P[0, n] + sum((s.P[1, b] for b in range(low, n)), Fraction(0))
        }

    return [
        _same(
            "lemma-5.2-P-1-0",
            place,
            lambda s, *_: {0: s.P[1, 0]},
            lambda s, n, q, p, m1, mn: {0: 1 / _cycle(n, q, p, m1, mn) / mn},
            "P_{1,0} = C'/mun, with C' the inverse of 1/mun + p1^n/(n mu1 p_n) + sum p1^b/(b mu1).",
            CHAIN_ONE,
            proof=proofs.in_time(SERVICE),
        ),
        *erratum(
            "lemma-5.2-P-1-b",
            place,
            (
                Identity(
                    _table(lambda s, n, *_: {b: s.P[1, b] for b in range(2, n)}),
                    _table(lambda s, n, q, p, m1, mn: {b: 1 / (b * m1) for b in range(2, n)}),
                    CHAIN.where(lambda n, **_: n >= 3),
                ),
                "For 1 < b < n, P_{1,b} = 1/(b mu1) = C' p1^b/(b mu1): the first equality.",
            ),
            (
                Identity(_table(inner(1)), _table(formula(1)), CHAIN, proof=proofs.in_time(DRAIN)),
                "For 1 <= b < n, P_{1,b} = C' p1^b/(b mu1).",
            ),
            note="Seemingly a misprint for C pi_{1,b}/(b mu1), which is what the proof has.",
        ),
        _same(
            "lemma-5.2-P-1-b-formula",
            place,
            inner(2),
            formula(2),
            "For 1 < b < n, P_{1,b} = C' p1^b/(b mu1).",
            note="The outer two sides of the printed chain; true, but b = 1 is left out.",
            proof=proofs.in_time(DRAIN),
        ),
        *erratum(
            "lemma-5.2-all-states",
            place,
            (
                Identity(_table(total(2)), _table(lambda *_: {"sum": Fraction(1)}), CHAIN),
                "The distribution P is given by its values at (1, 0), at (1, b) for 1 < b < n, and at (0, n).",
            ),
            (
                Identity(
                    _table(total(1)),
                    _table(lambda *_: {"sum": Fraction(1)}),
                    CHAIN,
                    proof=proofs.listed_states(),
                ),
                "The distribution P is given by its values at (1, 0), at (1, b) for 1 <= b < n, and at (0, n).",
            ),
            note="The state (1, 1) is missing: the range should be 1 <= b < n (0 < b < n).  Tried as: the listed "
            "probabilities sum to 1.",
        ),
        _same(
            "lemma-5.2-P-0-n",
            place,
            lambda s, n, *_: {n: s.P[0, n]},
            lambda s, n, q, p, m1, mn: {n: q**n / (n * m1 * p) / _cycle(n, q, p, m1, mn)},
            "P_{0,n} = C' p1^n/(n mu1 p_n).",
            CHAIN_ONE,
            proof=proofs.in_time(FULL),
        ),
        _same(
            "lemma-5.2-proof-proportional",
            place,
            lambda s, *_: {
                y: s.P[y] * sum(s.pi[x] / s.completion_rate[x] for x in s.completion_rate) for y in s.P
            },
            lambda s, *_: {y: s.pi[y] / s.completion_rate[y] for y in s.P},
            "There is a constant C such that P_y = C pi_y/mu_y.",
            CHAIN_ONE,
            proof=proofs.proportional(),
        ),
        _same(
            "lemma-5.2-proof-chain",
            place,
            lambda s, n, q, p, m1, mn: {
                b: s.P[1, 0] * mn * s.pi[1, b] / s.pi[0, 0] / (b * m1) for b in range(1, n)
            },
            lambda s, n, q, p, m1, mn: {b: q**b / (b * m1) / _cycle(n, q, p, m1, mn) for b in range(1, n)},
            "P_{1,b} = C pi_{1,b}/(b mu1) = C' p1^b/(b mu1), with C' = C pi_{0,0}.",
            proof=proofs.in_time(DRAIN),
        ),
        _same(
            "lemma-5.2-proof-normalisation",
            place,
            lambda s, *_: {"sum": sum(s.P.values(), Fraction(0)), "C'": s.P[1, 0] * s.completion_rate[1, 0]},
            lambda s, n, q, p, m1, mn: {"sum": Fraction(1), "C'": 1 / _cycle(n, q, p, m1, mn)},
            "1 = sum of P_y = C' (1/mun + p1^n/(n mu1 p_n) + sum p1^b/(b mu1)).",
            CHAIN_ONE,
            proof=proofs.listed_states(),
        ),
    ]


def _lemma_3() -> list[Claim]:
    place, words = "Lemma 5.3", "Section 5.2"
    geometric = power_sum(sp.Integer(1))
    return [
        claim(
            "lemma-5.3",
            place,
            Identity(_mu_table, MU, CHAIN_ONE, proof=proofs.throughput()),
            "mu = 1/p_n (1/mun + p1^n/(n mu1 p_n) + sum_{b=1}^{n-1} p1^b/(b mu1))^(-1).",
            note="The exact chain against the formula from which every asymptotic claim starts.",
            sampled=samples.LEMMA_5_3,
        ),
        _same(
            "lemma-5.3-proof-rates",
            place,
            lambda s, *_: {"mu": s.throughput},
            lambda s, n, q, p, m1, mn: {
                "mu": s.P[1, 0] * mn
                + s.P[0, n] * n * m1
                + sum((s.P[1, b] * b * m1 for b in range(1, n)), Fraction(0))
            },
            "mu = P_{1,0} mun + P_{0,n} n mu1 + sum P_{1,b} b mu1.",
            CHAIN_ONE,
            proof=proofs.rates(),
        ),
        _same(
            "lemma-5.3-proof-cycle",
            place,
            lambda s, *_: {"mu": s.throughput},
            lambda s, n, q, p, m1, mn: {
                "mu": (1 + q**n / p + sum((q**b for b in range(1, n)), Fraction(0))) / _cycle(n, q, p, m1, mn)
            },
            "mu = C' (1 + p1^n/p_n + sum_{b=1}^{n-1} p1^b).",
            CHAIN_ONE,
            proof=proofs.cycle_completions(),
        ),
        claim(
            "lemma-5.3-proof-geometric",
            place,
            Identity(geometric, (p1 - p1**n) / (1 - p1), _WHOLE),
            "sum_{b=1}^{n-1} p1^b = (p1 - p1^n)/(1 - p1).",
        ),
        claim(
            "lemma-5.3-proof-collapse",
            place,
            Identity(1 + p1**n / p + (p1 - p1**n) / (1 - p1), 1 / p, _WHOLE),
            "1 + p1^n/p_n + (p1 - p1^n)/(1 - p1) = 1/p_n.",
        ),
        _same(
            "section-5.2-completion-rate",
            words,
            lambda s, n, q, p, m1, mn: {"rate": s.P[1, 0] * mn, "share": s.pid[1, 0] * s.throughput},
            lambda s, n, q, p, m1, mn: {
                "rate": 1 / _cycle(n, q, p, m1, mn),
                "share": 1 / _cycle(n, q, p, m1, mn),
            },
            "C' is the rate of completion of n-server jobs.",
            CHAIN_ONE,
            proof=proofs.completion_rate(),
        ),
        _same(
            "section-5.2-phases",
            words,
            lambda s, n, q, p, m1, mn: {
                "(1,0)": s.P[1, 0] / (s.P[1, 0] * mn),
                "(0,n)": s.P[0, n] / (s.P[1, 0] * mn),
                "(1,b)": sum((s.P[1, b] for b in range(1, n)), Fraction(0)) / (s.P[1, 0] * mn),
            },
            lambda s, n, q, p, m1, mn: {
                "(1,0)": 1 / mn,
                "(0,n)": q**n / (n * m1 * p),
                "(1,b)": sum((q**b / (b * m1) for b in range(1, n)), Fraction(0)),
            },
            "The expected lengths of the three phases of 1/C', the time in (1,0), in (0,n) and in (1,b), are its first, "
            "second, and third terms.",
            CHAIN_ONE,
            proof=proofs.phase_lengths(),
        ),
    ]


_WHOLE = Domain.product(
    "n >= 1, 0 < p_n < 1", n=[1, 2, 3, 7, 20], p=[Fraction(1, 2), Fraction(1, 10), Fraction(6, 7)]
)


def _mu_table(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    return chain(n, p, mu1, mun).throughput


def _e_table(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    return chain(n, p, mu1, mun).mean_relative_completions


# --- 5.3 ---------------------------------------------------------------------------------------


def _lemma_4() -> list[Claim]:
    place = "Lemma 5.4"
    return [
        _same(
            "lemma-5.4-pid-1-b",
            place,
            lambda s, n, *_: {b: s.pid[1, b] for b in range(n)},
            lambda s, n, q, p, *_: {b: q**b * p for b in range(n)},
            "For all b < n, pi^d_{1,b} = p1^b p_n.",
            CHAIN_ONE,
            proof=proofs.at_completions(SERVICE, DRAIN),
        ),
        _same(
            "lemma-5.4-pid-0-n",
            place,
            lambda s, n, *_: {n: s.pid[0, n]},
            lambda s, n, q, p, *_: {n: q**n},
            "pi^d_{0,n} = p1^n.",
            CHAIN_ONE,
            proof=proofs.at_completions(FULL),
        ),
        _same(
            "section-5.3-states",
            "Section 5.3",
            lambda s, *_: {"states": Fraction(len(s.pid))},
            lambda s, n, *_: {"states": Fraction(n + 1)},
            "There are only n + 1 possible states in which a completion can occur.",
            CHAIN_ONE,
            proof=proofs.number_of_states(),
        ),
        _same(
            "lemma-5.4-proof-constant",
            place,
            lambda s, *_: dict(s.pid),
            lambda s, n, q, p, *_: {y: p / s.pi[0, 0] * s.pi[y] for y in s.pid},
            "pi^d_s = C'' pi_s for every completing state, with C'' = p_n/pi_{0,0}.",
            note="For n >= 2, as Lemma 5.1; with n = 1, C'' = 1/pi_{0,0}.",
            proof=proofs.conditioned(),
        ),
    ]


# --- 5.4 ---------------------------------------------------------------------------------------


def _line(s: Any, n: int) -> dict[int, tuple[int, int]]:
    """The one-dimensional states 0..n of the proof of Lemma 5.5."""
    return {**{b: (1, b) for b in range(n)}, n: (0, n)}


def _shifted(s: Any, n: int) -> dict[int, Fraction]:
    """Delta~ = Delta - Delta(0), from the exact chain."""
    delta = s.relative_completions
    return {k: delta[y] - delta[1, 0] for k, y in _line(s, n).items()}


def _lemma_5() -> list[Claim]:
    place = "Lemma 5.5"
    poisson = zero_steps(balance.verify_poisson)
    return [
        claim(
            "lemma-5.5",
            place,
            Identity(_e_table, E_DELTA, CHAIN_ONE, proof=proofs.mean_relative_completions()),
            "E[Delta(Y_d)] = p1^n (1 - mu/(n mu1)) (n - 1 + 1/p_n - (mu/mu1) H_{n-1} - mu/(n p_n mu1)) "
            "+ sum_{i=1}^{n-1} p1^i p_n (1 - mu/(i mu1)) (i - (mu/mu1) H_i).",
            sampled=samples.LEMMA_5_5,
        ),
        _same(
            "equation-3",
            "Equation (3)",
            lambda s, n, *_: {"E": sum(s.P[y] * _shifted(s, n)[k] for k, y in _line(s, n).items())},
            lambda s, *_: {"E": -s.relative_completions[1, 0]},
            "E[Delta~(Y)] = E[Delta(Y)] - E[Delta(0)] = -E[Delta(0)].",
            CHAIN_ONE,
            proof=proofs.shifted_mean(),
        ),
        _same(
            "equation-4",
            "Equation (4)",
            lambda s, *_: {"E": s.mean_relative_completions},
            lambda s, n, *_: {
                "E": sum((s.pid[y] - s.P[y]) * _shifted(s, n)[k] for k, y in _line(s, n).items())
            },
            "E[Delta(Y_d)] = E[Delta~(Y_d)] - E[Delta~(Y)].",
            CHAIN_ONE,
            proof=proofs.difference_of_means(),
        ),
        _same(
            "equation-5",
            "Equation (5)",
            lambda s, *_: {"E": s.mean_relative_completions},
            lambda s, n, *_: {
                "E": sum((s.pid[y] - s.P[y]) * _shifted(s, n)[k] for k, y in _line(s, n).items())
            },
            "E[Delta(Y_d)] = sum_{i=0}^{n} (pi^d_i - P_i) Delta~(i).",
            CHAIN_ONE,
            proof=proofs.difference_of_means(),
        ),
        _same(
            "lemma-5.5-proof-P",
            place,
            lambda s, n, *_: {k: s.P[y] for k, y in _line(s, n).items()},
            lambda s, n, q, p, m1, mn: {
                0: s.throughput * p / mn,
                **{k: s.throughput * q**k * p / (k * m1) for k in range(1, n)},
                n: s.throughput * q**n / (n * m1),
            },
            "P_0 = mu p_n/mun; for 1 <= i < n, P_i = mu p1^i p_n/(i mu1); P_n = mu p1^n/(n mu1).",
            CHAIN_ONE,
            proof=proofs.law_from_throughput(),
        ),
        *erratum(
            "lemma-5.5-proof-pid-from-P",
            place,
            (
                Identity(
                    _table(lambda s, *_: dict(s.pid)),
                    _table(lambda s, *_: {y: s.throughput / s.completion_rate[y] * s.P[y] for y in s.pid}),
                    CHAIN_ONE,
                ),
                "pi^d_i = (mu/mu_i) P_i, where mu_i is the completion rate in state i.",
            ),
            (
                Identity(
                    _table(lambda s, *_: dict(s.pid)),
                    _table(lambda s, *_: {y: s.completion_rate[y] / s.throughput * s.P[y] for y in s.pid}),
                    CHAIN_ONE,
                    proof=proofs.completions_from_time(),
                ),
                "pi^d_i = (mu_i/mu) P_i, where mu_i is the completion rate in state i.",
            ),
            note="Upside down; equation (6), which follows it, does not use it so.",
        ),
        _same(
            "equation-6",
            "Equation (6)",
            lambda s, *_: {"E": s.mean_relative_completions},
            lambda s, n, q, p, m1, mn: {
                "E": q**n * (1 - s.throughput / (n * m1)) * _shifted(s, n)[n]
                + sum(
                    (q**k * p * (1 - s.throughput / (k * m1)) * _shifted(s, n)[k] for k in range(1, n)),
                    Fraction(0),
                )
            },
            "E[Delta(Y_d)] = p1^n (1 - mu/(n mu1)) Delta~(n) + sum_{i=1}^{n-1} p1^i p_n (1 - mu/(i mu1)) Delta~(i).",
            CHAIN_ONE,
            proof=proofs.weights(),
        ),
        _same(
            "lemma-5.5-proof-step",
            place,
            lambda s, n, *_: {
                k: s.relative_completions[1, k] - s.relative_completions[1, k - 1] for k in range(1, n)
            },
            lambda s, n, q, p, m1, mn: {k: 1 - s.throughput / (k * m1) for k in range(1, n)},
            "For 1 <= i < n, Delta(i) = 1 - mu/(i mu1) + Delta(i-1).",
            proof=poisson,
        ),
        _same(
            "lemma-5.5-proof-below",
            place,
            lambda s, n, *_: {k: _shifted(s, n)[k] for k in range(1, n)},
            lambda s, n, q, p, m1, mn: {
                k: k - s.throughput / m1 * sum(Fraction(1, j) for j in range(1, k + 1)) for k in range(1, n)
            },
            "For 1 <= i < n, Delta~(i) = i - (mu/mu1) H_i.",
            proof=poisson,
        ),
        _same(
            "lemma-5.5-proof-state-n",
            place,
            lambda s, n, *_: {n: s.relative_completions[0, n]},
            lambda s, n, q, p, m1, mn: {
                n: 1
                - s.throughput / (n * m1)
                + q * s.relative_completions[0, n]
                + p * s.relative_completions[1, n - 1]
            },
            "Delta(n) = 1 - mu/(n mu1) + p1 Delta(n) + p_n Delta(n-1).",
            CHAIN_ONE,
            proof=poisson,
        ),
        _same(
            "lemma-5.5-proof-state-n-difference",
            place,
            lambda s, n, *_: {n: s.relative_completions[0, n] - s.relative_completions[1, n - 1]},
            lambda s, n, q, p, m1, mn: {n: 1 / p - s.throughput / (n * p * m1)},
            "Delta(n) - Delta(n-1) = 1/p_n - mu/(n p_n mu1).",
            CHAIN_ONE,
            proof=poisson,
        ),
        _same(
            "lemma-5.5-proof-special",
            place,
            lambda s, n, *_: {n: _shifted(s, n)[n]},
            lambda s, n, q, p, m1, mn: {
                n: n
                - 1
                + 1 / p
                - s.throughput / m1 * sum((Fraction(1, j) for j in range(1, n)), Fraction(0))
                - s.throughput / (n * p * m1)
            },
            "Delta~(n) = n - 1 + 1/p_n - (mu/mu1) H_{n-1} - mu/(n p_n mu1).",
            CHAIN_ONE,
            proof=poisson,
        ),
    ]
