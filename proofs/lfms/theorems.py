"""Section 5 for every n at once: its displays follow from the transitions, symbolically.

The law pi of each step is verified against the balance equations of :mod:`asymp.queues.balance`, for
symbolic n >= 2 and for n = 1.  From it:

* a completing state y is left at rate mu_y, after a mean time 1/mu_y, and no time passes in the others: by
  the renewal-reward theorem ``P_y = (pi_y/mu_y)/W``, W the sum of these weights over completing states.  That
  this law balances the flows between completing states is verified as well;
* pi^d is pi on the completing states, over its sum V there; ``mu = sum of P_y mu_y = V/W``;
* Delta is Delta~ up to a constant, by Poisson's equation (1), whose residuals are verified.

Each theorem is a list of equations, printed side against derived side; every difference is shown to
vanish, or the theorem raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import sympy as sp

from asymp.check.finite import difference_is_zero
from asymp.claim import Step
from asymp.queues import balance
from asymp.queues.balance import Family, Piece
from asymp.queues.one_and_n import (
    b,
    mean_cycle_time_formula,
    mean_relative_completions_formula,
    mu,
    mu1,
    mun,
    n,
    p,
    relative_completions_formula,
    throughput_formula,
)

Equation = tuple[str, sp.Expr, sp.Expr]
"""What is shown, and its two sides: as printed, and as it follows."""

SERVICE, DRAIN, FULL = "n-server job completes", "drain", "full"
"""The completing states by their transitions: (1, 0); (1, b) with 1 <= b < n; (0, n)."""

p1 = 1 - p
MU, CYCLE, E_DELTA = throughput_formula(), mean_cycle_time_formula(), mean_relative_completions_formula(mu)
"""As printed: mu of Lemma 5.3, 1/C' of Lemma 5.2, and E[Delta(Y_d)] of Lemma 5.5 in terms of mu."""
TIMES = {SERVICE: 1 / mun, DRAIN: p1**b / (b * mu1), FULL: p1**n / (n * mu1 * p)}
"""P_y/C' as printed in Lemma 5.2."""
COMPLETIONS = {SERVICE: p, DRAIN: p1**b * p, FULL: p1**n}
"""pi^d_y as printed in Lemma 5.4."""
TIMES_BY_MU = {SERVICE: mu * p / mun, DRAIN: mu * p1**b * p / (b * mu1), FULL: mu * p1**n / (n * mu1)}
"""P_i in terms of mu, as printed in the proof of Lemma 5.5."""
WEIGHTS = {DRAIN: p1**b * p * (1 - mu / (b * mu1)), FULL: p1**n * (1 - mu / (n * mu1))}
"""pi^d_i - P_i as printed in equation (6); the term of state 0 has the factor Delta~(0) = 0."""


# --- the laws -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """The system with ``servers`` servers, all integers >= ``smallest``, and its law pi with pi_{0,0} = 1."""

    text: str
    servers: sp.Expr
    law: tuple[Piece, ...]
    smallest: int

    def at(self, expr: sp.Expr) -> sp.Expr:
        """A printed expression with this many servers."""
        return expr if self.servers == n else expr.subs(n, self.servers).doit()

    @property
    def phases(self) -> dict[str, Family]:
        """The completing states: one family of transitions leaves each."""
        found = {f.name: f for f in balance.families(self.servers) if f.is_completion}
        return {name: f for name, f in found.items() if sp.expand(f.hi - f.lo) != -1}

    def pi(self, phase: str) -> sp.Expr:
        """pi on a phase, in b."""
        family = self.phases[phase]
        # a piece holds on all of the phase if it begins no later and ends no earlier, for all n
        held = [x for x in self.law if x.a == family.a and self._covers(x, family)]
        if len(held) != 1:
            raise ValueError(f"the law has {len(held)} values on {phase}")
        return self._in_place(held[0].value, family)

    def rate(self, phase: str) -> sp.Expr:
        """mu_y on a phase, in b."""
        rate = self.phases[phase].rate
        if rate is None:
            raise ValueError(f"{phase} is no completion")
        return self._in_place(rate, self.phases[phase])

    def jobs(self, phase: str) -> sp.Expr:
        """The number of 1-server jobs in a state, its name in Lemma 5.5's proof."""
        return {SERVICE: sp.Integer(0), DRAIN: b, FULL: self.servers}[phase]

    def total(self, value: Callable[[str], sp.Expr]) -> sp.Expr:
        """The sum of ``value(phase)``, in b, over all completing states."""
        terms = []
        for phase, family in self.phases.items():
            single = sp.expand(family.hi - family.lo) == 0
            terms.append(value(phase) if single else sp.Sum(value(phase), (b, family.lo, family.hi)))
        return sp.Add(*terms)

    def weight(self, phase: str) -> sp.Expr:
        """pi_y/mu_y: the mean time in y for each visit to (0, 0)."""
        return self.pi(phase) / self.rate(phase)

    def P(self, phase: str) -> sp.Expr:
        """The time-average law."""
        return self.weight(phase) / self.total(self.weight)

    def pid(self, phase: str) -> sp.Expr:
        """The completion-average law."""
        return self.pi(phase) / self.total(self.pi)

    @property
    def mu(self) -> sp.Expr:
        """The throughput, the sum of P_y mu_y."""
        return self.total(lambda phase: self.P(phase) * self.rate(phase))

    def each(self, name: str, printed: dict[str, sp.Expr], derived: Callable[[str], sp.Expr]) -> list[Equation]:
        """One equation for each phase that has a printed value."""
        return [(f"{name}, {x}", self.at(printed[x]), derived(x)) for x in self.phases if x in printed]

    def _covers(self, piece: Piece, family: Family) -> bool:
        return self._never_negative(family.lo - piece.lo) and self._never_negative(piece.hi - family.hi)

    def _never_negative(self, gap: sp.Expr) -> bool:
        """Whether a gap, affine in the number of servers, is >= 0 for all of them."""
        gap = sp.expand(gap)
        return bool(gap.coeff(n, 1) >= 0 and gap.subs(n, self.smallest) >= 0)

    @staticmethod
    def _in_place(value: sp.Expr, family: Family) -> sp.Expr:
        return value.subs(b, family.lo) if sp.expand(family.hi - family.lo) == 0 else value


_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
MANY = Case("n >= 2", n, tuple(balance.stationary_law()), 2)
SINGLE = Case("n = 1", _ONE, (Piece(0, _ZERO, _ZERO, _ONE), Piece(0, _ONE, _ONE, p1), Piece(1, _ZERO, _ZERO, p)), 1)
"""With a single server the law is another: lfms/lemma-5.1-single-server."""


# --- what every theorem rests on ------------------------------------------------------------------


def _zero(residuals: Sequence[tuple[str, sp.Expr]]) -> None:
    bad = [f"{name}: residual {residual}" for name, residual in residuals if residual != 0]
    if bad or not residuals:
        raise ValueError(bad[0] if bad else "nothing to show")


@cache
def stationary(case: Case) -> tuple[Step, ...]:
    """pi solves the balance equations, no state is left short, and pi/mu_y balances the flows in time."""
    _zero(balance.verify_balance(case.law, case.servers, case.smallest))
    _zero(balance.verify_outflow(case.servers, case.smallest))
    for name, outflow, inflow in flows(case):
        equal(name, outflow, inflow)
    pieces = [rf"\pi_{{{x.a},{sp.latex(x.lo)}..{sp.latex(x.hi)}}} = {sp.latex(x.value)} \pi_{{0,0}}" for x in case.law]
    return (
        Step(f"{case.text}: pi, up to its total: balance equations and total outflow, residuals 0", ", ".join(pieces)),
        Step(
            f"{case.text}: time passes in completing states alone, 1/mu_y a visit (renewal-reward); the flows "
            "between them balance, residuals 0",
            r"P_y \propto \pi_y/\mu_y",
        ),
    )


def flows(case: Case) -> list[Equation]:
    """(state, outflow, inflow) in time between completing states, the draws between them passed over.

    From (0, 0) draws lead to (1, b) with probability q^b p and to (0, n) with q^n; from (0, n-1) to (1, n-1)
    with p and to (0, n) with q: b draws of a 1-server job, and for b < n one of an n-server job.
    """
    draws = {f.name: f.probability for f in balance.families(case.servers) if not f.is_completion}
    q, end = draws["1-server job drawn"], draws["n-server job drawn"]

    def flow(phase: str, jobs: sp.Expr) -> sp.Expr:
        return (case.weight(phase) * case.rate(phase)).subs(b, jobs)

    served, full = flow(SERVICE, _ZERO), flow(FULL, case.servers)
    found = [("(0, n)", full, full * q + served * q**case.servers)]
    if DRAIN not in case.phases:
        return [*found, ("(1, 0)", served, served * end + full * end)]
    return [
        *found,
        ("(1, 0)", served, served * end + flow(DRAIN, _ONE)),
        ("(1, b), 0 < b < n - 1", flow(DRAIN, b), flow(DRAIN, b + 1) + served * q**b * end),
        ("(1, n - 1)", flow(DRAIN, n - 1), served * q ** (n - 1) * end + full * end),
    ]


def equal(name: str, printed: sp.Expr, derived: sp.Expr) -> list[Step]:
    """The steps that show two sides equal.

    Raises:
        ValueError: if the difference is not shown to vanish.
    """
    steps = difference_is_zero(printed, derived)
    if not steps:
        raise ValueError(f"{name}: the two sides are not shown equal")
    return [*steps[:-1], Step(f"{name}: printed less derived vanishes", sp.latex(printed))]


def theorem(
    equations: Callable[[Case], Sequence[Equation]], cases: Sequence[Case] = (MANY, SINGLE), poisson: bool = False
) -> Callable[[], list[Step]]:
    """The law of every case, then each equation of it; with ``poisson``, equation (1) for Delta~."""

    def proof() -> list[Step]:
        steps: list[Step] = []
        for case in cases:
            steps += stationary(case)
            found = list(equations(case))
            if not found:
                raise ValueError(f"{case.text}: nothing to show")
            for name, printed, derived in found:
                steps += equal(f"{case.text}: {name}", printed, derived)
        return steps + (POISSON() if poisson else [])

    return proof


# --- Lemma 5.1 ------------------------------------------------------------------------------------


def LEMMA_5_1() -> list[Step]:
    """The printed law solves the balance equations, for all n >= 2."""
    return [stationary(MANY)[0]]


def SINGLE_SERVER() -> list[Step]:
    """The law for n = 1."""
    return [stationary(SINGLE)[0]]


def BALANCE() -> list[Step]:
    """The six equations of the proof of Lemma 5.1 as they follow from the transitions, for symbolic n >= 2."""
    f = sp.Function("pi")
    printed = {
        f(0, 0) - f(1, 0),
        f(0, b) - p1 * f(0, b - 1),
        f(0, n - 1) - p1 * f(0, n - 2) - f(0, n),
        f(0, n) - p1 * f(0, n - 1),
        f(1, b) - f(1, b + 1) - p * f(0, b),
        f(1, n - 1) - p * f(0, n - 1),
    }
    derived = balance.symbolic_balance()
    if {sp.expand(e.lhs - e.rhs) for e in derived} != {sp.expand(x) for x in printed}:
        raise ValueError("the derived balance equations are others")
    return [Step(f"inflow of state {e.label}", sp.latex(sp.Eq(e.lhs, e.rhs))) for e in derived]


# --- Lemmas 5.2 to 5.4 ------------------------------------------------------------------------------


def in_time(case: Case, times: dict[str, sp.Expr] = TIMES, cycle: sp.Expr = CYCLE) -> list[Equation]:
    """Lemma 5.2: the printed values, with 1 <= b < n, are P and sum to 1; C' is P_{1,0} mun."""
    values = {x: times[x] / cycle for x in times}
    return [
        *case.each("P_y", values, case.P),
        ("the sum of P_y", _ONE, case.total(lambda x: case.at(values[x]))),
        ("C'", case.at(1 / cycle), case.P(SERVICE) * case.rate(SERVICE)),
    ]


def throughput(case: Case, printed: sp.Expr = MU) -> list[Equation]:
    """Lemma 5.3: mu = C' (1 + p1^n/p_n + sum p1^b), and the bracket collapses to 1/p_n."""
    rates = {SERVICE: mun, DRAIN: b * mu1, FULL: n * mu1}
    jobs = 1 + p1**n / p + sp.Sum(p1**b, (b, 1, n - 1))
    return [
        ("the sum of P_y mu_y", case.total(lambda x: case.P(x) * case.at(rates[x])), case.mu),
        ("mu, completions a cycle", case.at(jobs / CYCLE), case.mu),
        ("mu", case.at(printed), case.mu),
    ]


def at_completions(case: Case, completions: dict[str, sp.Expr] = COMPLETIONS) -> list[Equation]:
    """Lemma 5.4."""
    return case.each("pi^d_y", completions, case.pid)


def _per_cycle(case: Case) -> list[Equation]:
    rate = case.P(SERVICE) * mun

    def phase(name: str, value: Callable[[str], sp.Expr]) -> sp.Expr:
        return case.total(lambda x: value(x) if x == name else _ZERO)

    return [
        ("C' = P_{1,0} mun", case.at(1 / CYCLE), rate),
        ("C' = pi^d_{1,0} mu", case.at(1 / CYCLE), case.pid(SERVICE) * case.mu),
        *((f"time a cycle, {x}", phase(x, lambda y: case.at(TIMES[y])), phase(x, case.P) / rate) for x in case.phases),
    ]


LEMMA_5_2 = theorem(in_time)
PROPORTIONAL = theorem(
    lambda case: [
        ("the sum of P_y", _ONE, case.total(case.P)),
        *((f"P_y, {x}", case.P(x) * case.total(case.weight), case.pi(x) / case.rate(x)) for x in case.phases),
    ]
)
LEMMA_5_3 = theorem(throughput)
CYCLES = theorem(_per_cycle)
LEMMA_5_4 = theorem(at_completions)
COMPLETING_STATES = theorem(
    lambda case: [("completing states", case.servers + 1, sum(f.hi - f.lo + 1 for f in case.phases.values()))]
)
CONDITIONED = theorem(lambda case: [(f"pi^d_y, {x}", p * case.pi(x), case.pid(x)) for x in case.phases], (MANY,))


# --- Lemma 5.5 ------------------------------------------------------------------------------------


def POISSON() -> list[Step]:
    """Poisson's equation (1) for the printed Delta~."""
    _zero(balance.verify_poisson())
    below, special = relative_completions_formula()
    return [
        Step("Poisson's equation (1) for Delta~, i < n, for symbolic n: residuals 0", sp.latex(below)),
        Step("... and for i = n; its solutions differ by constants", sp.latex(special)),
    ]


def _means(case: Case) -> list[Equation]:
    """Equations (3) to (5) for any Delta: P and pi^d sum to 1, and E[Delta(Y)] = 0."""
    delta = sp.Function("Delta")

    def mean(law: Callable[[str], sp.Expr], start: sp.Expr = _ZERO) -> sp.Expr:
        return case.total(lambda x: law(x) * (delta(case.jobs(x)) - start))

    def difference(x: str) -> sp.Expr:
        return case.pid(x) - case.P(x)

    start = delta(_ZERO)
    return [
        ("the sum of P_y", _ONE, case.total(case.P)),
        ("E[Delta~(Y)]", mean(case.P) - start, mean(case.P, start)),
        ("E[Delta(Y_d)] - 0", mean(difference, start), mean(case.pid) - mean(case.P)),
    ]


def by_throughput(case: Case) -> list[Equation]:
    """P and pi^d - P in terms of mu, and pi^d_i = (mu_i/mu) P_i."""
    ratio = {x: case.rate(x) / case.mu * case.P(x) for x in case.phases}
    return [
        *case.each("P_i", {x: value.subs(mu, MU) for x, value in TIMES_BY_MU.items()}, case.P),
        *case.each("(mu_i/mu) P_i", ratio, case.pid),
        *case.each(
            "pi^d_i - P_i", {x: value.subs(mu, MU) for x, value in WEIGHTS.items()}, lambda x: case.pid(x) - case.P(x)
        ),
    ]


def relative_completions(case: Case, printed: sp.Expr = E_DELTA) -> list[Equation]:
    """Lemma 5.5: the sum of (pi^d_i - P_i) Delta~(i), with Delta~(0) = 0; ``printed`` in terms of mu."""
    below, special = relative_completions_formula()
    value = {SERVICE: below.subs(b, 0), DRAIN: below, FULL: case.at(special)}
    total = case.total(lambda x: case.at(WEIGHTS[x]) * value[x] if x in WEIGHTS else _ZERO)
    return [
        *by_throughput(case),
        ("Delta~(0)", _ZERO, value[SERVICE]),
        ("E[Delta(Y_d)], in terms of mu", case.at(printed), total),
    ]


MEANS = theorem(_means)
BY_THROUGHPUT = theorem(by_throughput)
LEMMA_5_5 = theorem(relative_completions, poisson=True)
