"""Lemmas 5.2 to 5.5 for every n at once: their displays follow from the transitions, symbolically.

The law pi of each step is verified against the balance equations of :mod:`asymp.queues.balance`, for
symbolic n >= 2 and for n = 1.  From it:

* a completing state y is left at rate mu_y, after a mean time 1/mu_y, and no time passes in the others: by
  the renewal-reward theorem ``P_y = (pi_y/mu_y)/W``, W the sum of these weights over completing states.  That
  this law balances the flows between completing states is verified as well;
* pi^d is pi on the completing states, over its sum V there; ``mu = sum of P_y mu_y = V/W``;
* Delta is Delta~ up to a constant, by Poisson's equation (1), whose residuals are verified.

Each statement is a list of equations, printed side against derived side; every difference is shown to
vanish, or the proof raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import sympy as sp

from asymp.check.finite import difference_is_zero
from asymp.claim import Step
from asymp.queues import balance
from asymp.queues.balance import Family, Piece, b
from asymp.queues.one_and_n import mean_relative_completions_formula, mu, relative_completions_formula
from proofs.lfms.notation import E_DELTA, MU, i, p1, power_sum
from proofs.lfms.regimes import mu1, mun, n, p

Equation = tuple[str, sp.Expr, sp.Expr]
"""What is shown, and its two sides."""

SERVICE, DRAIN, FULL = "n-server job completes", "drain", "full"
"""The completing states by their transitions: (1, 0); (1, b) with 1 <= b < n; (0, n)."""

CYCLE = 1 / mun + p1**n / (n * mu1 * p) + power_sum(1 / i) / mu1
"""1/C' as printed in Lemma 5.2."""
TIMES = {SERVICE: 1 / mun, DRAIN: p1**b / (b * mu1), FULL: p1**n / (n * mu1 * p)}
"""P_y/C' as printed in Lemma 5.2."""
COMPLETIONS = {SERVICE: p, DRAIN: p1**b * p, FULL: p1**n}
"""pi^d_y as printed in Lemma 5.4."""

Delta = sp.Function("Delta")
"""Any function of the states 0..n of Lemma 5.5's proof."""


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

    def jobs(self, phase: str) -> sp.Expr:
        """The number of 1-server jobs in a state, its name in Lemma 5.5's proof."""
        return {SERVICE: sp.Integer(0), DRAIN: b, FULL: self.servers}[phase]

    def _covers(self, piece: Piece, family: Family) -> bool:
        return self._never_negative(family.lo - piece.lo) and self._never_negative(piece.hi - family.hi)

    def _never_negative(self, gap: sp.Expr) -> bool:
        """Whether a gap, affine in the number of servers, is >= 0 for all of them."""
        gap = sp.expand(gap)
        return bool(gap.coeff(n, 1) >= 0 and gap.subs(n, self.smallest) >= 0)

    @staticmethod
    def _in_place(value: sp.Expr, family: Family) -> sp.Expr:
        return value.subs(b, family.lo) if sp.expand(family.hi - family.lo) == 0 else value


MANY = Case("n >= 2", n, tuple(balance.stationary_law()), 2)
_ONE = sp.Integer(1)
SINGLE = Case(
    "n = 1",
    _ONE,
    (
        Piece(0, sp.Integer(0), sp.Integer(0), _ONE),
        Piece(0, _ONE, _ONE, p1),
        Piece(1, sp.Integer(0), sp.Integer(0), p),
    ),
    1,
)
"""With a single server the law is another: see lfms/lemma-5.1-single-server."""
BOTH = (MANY, SINGLE)


# --- what every proof rests on ------------------------------------------------------------------


def _zero(name: str, residual: sp.Expr) -> None:
    if residual != 0:
        raise ValueError(f"{name}: residual {residual}")


@cache
def stationary(case: Case) -> tuple[Step, ...]:
    """pi solves the balance equations, no state is left short, and pi/mu_y balances the flows in time."""
    for label, residual in balance.verify_balance(case.law, case.servers, case.smallest):
        _zero(f"balance of {label}", residual)
    for label, residual in balance.verify_outflow(case.servers, case.smallest):
        _zero(f"outflow of {label}", residual)
    for label, outflow, inflow in flows(case):
        equal(f"flow through {label}", outflow, inflow)
    law = ", ".join(
        rf"\pi_{{{x.a},{sp.latex(x.lo)}..{sp.latex(x.hi)}}} = {sp.latex(x.value)} \pi_{{0,0}}" for x in case.law
    )
    return (
        Step(f"{case.text}: pi, up to its total: balance equations and total outflow, residuals 0", law),
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
    servers = case.servers

    def flow(phase: str, jobs: sp.Expr) -> sp.Expr:
        return (case.weight(phase) * case.rate(phase)).subs(b, jobs)

    served, full = flow(SERVICE, sp.Integer(0)), flow(FULL, servers)
    found = [("(0, n)", full, full * q + served * q**servers)]
    if DRAIN not in case.phases:
        return [*found, ("(1, 0)", served, served * end + full * end)]
    return [
        *found,
        ("(1, 0)", served, served * end + flow(DRAIN, sp.Integer(1))),
        ("(1, b), 0 < b < n - 1", flow(DRAIN, b), flow(DRAIN, b + 1) + served * q**b * end),
        ("(1, n - 1)", flow(DRAIN, n - 1), served * q ** (n - 1) * end + full * end),
    ]


def prove(
    equations: Callable[[Case], Sequence[Equation]], cases: Sequence[Case] = BOTH, poisson: bool = False
) -> Callable[[], list[Step]]:
    """A proof: the law of every case, then each equation of it; with ``poisson``, equation (1) for Delta~."""

    def proof() -> list[Step]:
        steps: list[Step] = []
        for case in cases:
            steps += stationary(case)
            found = list(equations(case))
            if not found:
                raise ValueError(f"{case.text}: nothing to show")
            for name, printed, derived in found:
                steps += equal(f"{case.text}: {name}", printed, derived)
        return steps + (list(_poisson()) if poisson else [])

    return proof


def equal(name: str, printed: sp.Expr, derived: sp.Expr) -> list[Step]:
    """The steps that show two sides equal.

    Raises:
        ValueError: if the difference is not shown to vanish.
    """
    steps = difference_is_zero(printed, derived)
    if not steps:
        raise ValueError(f"{name}: the two sides are not shown equal")
    return [*steps[:-1], Step(f"{name}: printed less derived vanishes", sp.latex(printed))]


@cache
def _poisson() -> tuple[Step, ...]:
    for name, residual in balance.verify_poisson():
        _zero(name, residual)
    below, special = relative_completions_formula()
    return (
        Step("Poisson's equation (1) for Delta~, i < n, for symbolic n: residuals 0", sp.latex(below)),
        Step("... and for i = n; its solutions differ by constants", sp.latex(special)),
    )


# --- Lemma 5.2 ------------------------------------------------------------------------------------


def in_time(phase: str, times: dict[str, sp.Expr] = TIMES, cycle: sp.Expr = CYCLE) -> Callable[[], list[Step]]:
    """P on a phase is C' times the printed numerator."""

    def equations(case: Case) -> list[Equation]:
        if phase not in case.phases:
            return []
        return [
            (f"pi_y/mu_y, {phase}", case.at(times[phase]) * _visits(case), case.weight(phase)),
            (f"P_y, {phase}", case.at(times[phase] / cycle), case.P(phase)),
        ]

    return prove(equations, (MANY,) if phase == DRAIN else BOTH)


def _visits(case: Case) -> sp.Expr:
    """pi_{1,0}: visits to (1, 0) for each to (0, 0); the unit of the printed numerators."""
    return case.pi(SERVICE)


def listed_states(times: dict[str, sp.Expr] = TIMES, cycle: sp.Expr = CYCLE) -> Callable[[], list[Step]]:
    """The printed values, with 1 <= b < n, are P and sum to 1; C' is P_{1,0} mun."""

    def equations(case: Case) -> list[Equation]:
        return [
            *((f"P_y, {x}", case.at(times[x] / cycle), case.P(x)) for x in case.phases),
            ("the sum of P_y", sp.Integer(1), case.total(lambda x: case.at(times[x] / cycle))),
            ("C'", case.at(1 / cycle), case.P(SERVICE) * case.rate(SERVICE)),
        ]

    return prove(equations)


def proportional() -> Callable[[], list[Step]]:
    """P_y = C pi_y/mu_y: this law balances the flows in time, and its total is 1."""
    return prove(
        lambda case: [
            ("the sum of P_y", sp.Integer(1), case.total(case.P)),
            *(
                (f"P_y, {x}", case.P(x) * case.total(lambda y: case.pi(y) / case.rate(y)), case.pi(x) / case.rate(x))
                for x in case.phases
            ),
        ]
    )


# --- Lemma 5.3 ------------------------------------------------------------------------------------


def throughput(printed: sp.Expr = MU) -> Callable[[], list[Step]]:
    """mu = V/W: the geometric sum in V = 1 + sum p1^b + p1^n/p_n collapses to 1/p_n."""

    def equations(case: Case) -> list[Equation]:
        found = [("mu", case.at(printed), case.mu)]
        if case.servers == n:
            found.insert(0, ("sum of P_y mu_y, over C'", 1 / p, case.mu * CYCLE))
        return found

    return prove(equations)


def rates() -> Callable[[], list[Step]]:
    """mu = P_{1,0} mun + P_{0,n} n mu1 + sum P_{1,b} b mu1, against Lemma 5.3."""
    names = {SERVICE: mun, DRAIN: b * mu1, FULL: n * mu1}
    return prove(lambda case: [("mu", case.total(lambda x: case.P(x) * case.at(names[x])), case.at(MU))])


def cycle_completions() -> Callable[[], list[Step]]:
    """mu = C' (1 + p1^n/p_n + sum p1^b)."""
    jobs = 1 + p1**n / p + power_sum(sp.Integer(1))
    return prove(lambda case: [("mu", case.at(jobs / CYCLE), case.mu)])


def completion_rate() -> Callable[[], list[Step]]:
    """C' is the rate of completions in (1, 0), and pi^d_{1,0} mu."""
    return prove(
        lambda case: [
            ("P_{1,0} mun", case.at(1 / CYCLE), case.P(SERVICE) * mun),
            ("pi^d_{1,0} mu", case.at(1 / CYCLE), case.pid(SERVICE) * case.mu),
        ]
    )


def phase_lengths() -> Callable[[], list[Step]]:
    """The time in each phase for each n-server completion: P of the phase over the rate of completions."""

    def equations(case: Case) -> list[Equation]:
        rate = case.P(SERVICE) * mun
        found = [
            ("time in (1, 0)", 1 / mun, case.P(SERVICE) / rate),
            ("time in (0, n)", case.at(TIMES[FULL]), case.P(FULL) / rate),
        ]
        if DRAIN in case.phases:
            spent = sp.Sum(case.P(DRAIN), (b, 1, n - 1)) / rate
            found.append(("time in (1, b)", sp.Sum(TIMES[DRAIN], (b, 1, n - 1)), spent))
        return found

    return prove(equations)


# --- Lemma 5.4 ------------------------------------------------------------------------------------


def at_completions(
    *phases: str, completions: dict[str, sp.Expr] = COMPLETIONS, cases: Sequence[Case] = BOTH
) -> Callable[[], list[Step]]:
    """pi^d on the phases; the total of pi over completing states is pi_{1,0}/p_n."""

    def equations(case: Case) -> list[Equation]:
        return [
            ("the sum of pi_y over completing states", case.pi(SERVICE) / p, case.total(case.pi)),
            *((f"pi^d_y, {x}", case.at(completions[x]), case.pid(x)) for x in phases if x in case.phases),
        ]

    return prove(equations, cases)


def number_of_states() -> Callable[[], list[Step]]:
    """n + 1 completing states."""
    return prove(
        lambda case: [("completing states", case.servers + 1, sum(f.hi - f.lo + 1 for f in case.phases.values()))]
    )


def conditioned() -> Callable[[], list[Step]]:
    """pi^d_y = C'' pi_y with C'' = p_n/pi_{0,0}, for n >= 2."""
    return prove(lambda case: [(f"pi^d_y, {x}", p * case.pi(x), case.pid(x)) for x in case.phases], (MANY,))


# --- Lemma 5.5 ------------------------------------------------------------------------------------


def _p_of_mu(case: Case, phase: str) -> sp.Expr:
    """P in terms of the throughput, as printed in the proof of Lemma 5.5."""
    return {SERVICE: mu * p / mun, DRAIN: mu * p1**b * p / (b * mu1), FULL: case.at(mu * p1**n / (n * mu1))}[phase]


def law_from_throughput() -> Callable[[], list[Step]]:
    """P_0 = mu p_n/mun, P_i = mu p1^i p_n/(i mu1), P_n = mu p1^n/(n mu1)."""
    return prove(_law_from_throughput)


def _law_from_throughput(case: Case) -> list[Equation]:
    return [(f"P_i, {x}", _p_of_mu(case, x).subs(mu, case.at(MU)), case.P(x)) for x in case.phases]


def completions_from_time(inverted: bool = False) -> Callable[[], list[Step]]:
    """pi^d_i = (mu_i/mu) P_i, the corrected ratio; ``inverted`` is the printed one."""

    def equations(case: Case) -> list[Equation]:
        return [
            (
                f"pi^d_i, {x}",
                (case.rate(x) / case.mu) ** (-1 if inverted else 1) * case.P(x),
                case.pid(x),
            )
            for x in case.phases
        ]

    return prove(equations)


def shifted_mean() -> Callable[[], list[Step]]:
    """Equation (3): E[Delta~(Y)] = E[Delta(Y)] - Delta(0), for any Delta, as P sums to 1."""

    def equations(case: Case) -> list[Equation]:
        start = Delta(sp.Integer(0))
        shifted = case.total(lambda x: case.P(x) * (Delta(case.jobs(x)) - start))
        mean = case.total(lambda x: case.P(x) * Delta(case.jobs(x)))
        return [("the sum of P_y", sp.Integer(1), case.total(case.P)), ("E[Delta~(Y)]", mean - start, shifted)]

    return prove(equations)


def difference_of_means() -> Callable[[], list[Step]]:
    """Equations (4), (5): sum (pi^d_i - P_i) Delta~(i) = E[Delta(Y_d)] - E[Delta(Y)], and E[Delta(Y)] = 0."""

    def equations(case: Case) -> list[Equation]:
        start = Delta(sp.Integer(0))

        def shifted(x: str) -> sp.Expr:
            return Delta(case.jobs(x)) - start

        means = case.total(lambda x: case.pid(x) * Delta(case.jobs(x)))
        means -= case.total(lambda x: case.P(x) * Delta(case.jobs(x)))
        return [("E[Delta(Y_d)] - 0", case.total(lambda x: (case.pid(x) - case.P(x)) * shifted(x)), means)]

    return prove(equations)


def _weights(case: Case, phase: str) -> sp.Expr:
    """p1^n (1 - mu/(n mu1)) and p1^i p_n (1 - mu/(i mu1)), as printed in equation (6); 0 has Delta~ = 0."""
    return {DRAIN: p1**b * p * (1 - mu / (b * mu1)), FULL: case.at(p1**n * (1 - mu / (n * mu1)))}[phase]


def weights() -> Callable[[], list[Step]]:
    """Equation (6): pi^d_i - P_i in terms of mu, then mu of Lemma 5.3 for it."""
    return prove(_difference_of_laws)


def _difference_of_laws(case: Case) -> list[Equation]:
    return [
        (f"pi^d_i - P_i, {x}", _weights(case, x).subs(mu, case.at(MU)), case.pid(x) - case.P(x))
        for x in case.phases
        if x != SERVICE
    ]


def mean_relative_completions(printed: sp.Expr | None = None) -> Callable[[], list[Step]]:
    """Lemma 5.5: the sum of (pi^d_i - P_i) Delta~(i), with Delta~(0) = 0; ``printed`` in terms of mu."""
    below, special = relative_completions_formula()
    formula = mean_relative_completions_formula(mu) if printed is None else printed

    def equations(case: Case) -> list[Equation]:
        value = {DRAIN: below, FULL: case.at(special)}
        parts = [x for x in case.phases if x != SERVICE]
        terms = {x: _weights(case, x) * value[x] for x in parts}
        total = terms[FULL] + (sp.Sum(terms[DRAIN], (b, 1, n - 1)) if DRAIN in parts else 0)
        return [
            *_law_from_throughput(case),
            *_difference_of_laws(case),
            ("Delta~(0)", sp.Integer(0), below.subs(b, 0)),
            ("E[Delta(Y_d)], in terms of mu", case.at(formula), total),
            ("with mu of Lemma 5.3", case.at(E_DELTA), case.at(formula.subs(mu, MU))),
        ]

    return prove(equations, poisson=True)
