r"""Erlang's loss and delay systems: M/M/n/n and M/M/n, from the balance of their chains.

Calls arrive at rate a (in units of the service rate: the offered load), each takes one of n servers for an
exponential time of mean 1, and is lost (B) or waits (C) where none is free.  Across the cut between
k - 1 and k calls the flows are equal, ``a pi_{k-1} = min(k, n) pi_k``, so that

.. math:: B(n, a) = \frac{a^n/n!}{\sum_{k=0}^n a^k/k!},
    \qquad \frac1B = \frac{e^a}{a^n}\,\Gamma(n+1, a),
    \qquad C(n, a) = \frac{n B}{n - a(1 - B)}\quad (a < n).

The second is DLMF 8.4.8.  Sources: Erlang (1917); Jagerman (1974).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

import asymp.symbolics as sy
from asymp.elimination import Elimination, rational

n, a = sp.symbols("n a", positive=True)
"""Servers and offered load."""
_k = sp.Symbol("k", integer=True, nonnegative=True)


def stationary_weight(k: sp.Expr) -> sp.Expr:
    """pi_k/pi_0 for k <= n calls, from the cut equations: the product of a/j for j <= k.

    >>> stationary_weight(sp.Integer(3))
    a**3/6
    """
    return a**k / sp.factorial(k)


def balance_defect() -> sp.Expr:
    """a pi_{k-1} + (k+1) pi_{k+1} - (a + k) pi_k, the balance of state 0 < k < n: it must be 0.

    >>> balance_defect()
    0
    """
    flows = a * stationary_weight(_k - 1) + (_k + 1) * stationary_weight(_k + 1) - (a + _k) * stationary_weight(_k)
    return sy.simplify(sy.gammasimp(flows.rewrite(sp.gamma)))


def erlang_b() -> sp.Expr:
    """The probability that a call is lost: all n servers are taken, and arrivals see time averages.

    >>> erlang_b().subs({n: 2, a: 1}).doit()
    1/5
    """
    return stationary_weight(n) / sp.Sum(stationary_weight(_k), (_k, 0, n))


def inverse_erlang_b() -> sp.Expr:
    """1/B by the incomplete gamma function, DLMF 8.4.8; the sum's closed form for every real n.

    >>> sp.expand_func(inverse_erlang_b().subs({n: 2, a: 1})).simplify()
    5
    """
    return sp.exp(a - n * sp.log(a)) * sp.uppergamma(n + 1, a)


def recursion_defect() -> sp.Expr:
    """1/B(n) - 1 - (n/a)/B(n-1), by Gamma(n+1, a) = n Gamma(n, a) + a^n e^(-a) (DLMF 8.8.2): it must be 0.

    >>> recursion_defect()
    0
    """
    gamma = sp.Symbol("Gamma", positive=True)  # Gamma(n, a)
    here = sp.exp(a) * a**-n * (n * gamma + a**n * sp.exp(-a))
    before = sp.exp(a) * a ** (1 - n) * gamma
    return sy.simplify(sy.expand(here - 1 - n / a * before))


def erlang_c() -> sp.Expr:
    """The probability that a call waits in M/M/n, a < n: beyond n the weights are geometric with ratio a/n.

    >>> erlang_c().subs({n: 2, a: 1}).doit()
    1/3
    """
    waiting = stationary_weight(n) * n / (n - a)
    return waiting / (sp.Sum(stationary_weight(_k), (_k, 0, n - 1)) + waiting)


def erlang_b_by_recursion(servers: int, load: Fraction | int | str) -> Fraction:
    """B(0) = 1, B(j) = a B(j-1)/(j + a B(j-1)), exactly.

    Raises:
        ValueError: a negative number of servers, or a load that is not positive.

    >>> erlang_b_by_recursion(2, 1)
    Fraction(1, 5)
    """
    offered = _load(servers, load)
    blocked = Fraction(1)
    for j in range(1, servers + 1):
        blocked = offered * blocked / (j + offered * blocked)
    return blocked


def erlang_b_by_chain(servers: int, load: Fraction | int | str) -> Fraction:
    """B from the chain's transition rates alone, by exact elimination: no product form is used.

    The chain is made uniform at rate a + n, so that its jumps have the time averages as stationary law.

    >>> erlang_b_by_chain(2, 1)
    Fraction(1, 5)
    """
    offered = _load(servers, load)
    clock = offered + servers
    rows = []
    for k in range(servers + 1):
        row = {}
        if k < servers:
            row[k + 1] = offered / clock
        if k:
            row[k - 1] = Fraction(k) / clock
        row[k] = 1 - sum(row.values(), Fraction(0))
        rows.append({j: weight for j, weight in row.items() if weight})
    return Elimination(rows).stationary()[servers]


def erlang_c_by_recursion(servers: int, load: Fraction | int | str) -> Fraction:
    """C = n B/(n - a (1 - B)), exactly.

    Raises:
        ValueError: a load that is not below the number of servers.

    >>> erlang_c_by_recursion(2, 1)
    Fraction(1, 3)
    """
    offered = _load(servers, load)
    if offered >= servers:
        raise ValueError(f"a load of {offered} is not below {servers} servers: the queue has no stationary law")
    blocked = erlang_b_by_recursion(servers, offered)
    return servers * blocked / (servers - offered * (1 - blocked))


def _load(servers: int, load: Fraction | int | str) -> Fraction:
    offered = rational(load, "load")
    if servers < 0 or offered <= 0:
        raise ValueError(f"servers={servers}, load={offered}: servers >= 0 and a load > 0")
    return offered
