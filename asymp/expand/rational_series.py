"""Power series with rational coefficients: powers and reversion, to any order.

A series is the list of its coefficients.  Sources: Henrici, Applied and Computational Complex Analysis I,
sections 1.6 (J. C. P. Miller's recurrence) and 1.9 (Lagrange and Buermann).
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from asymp.functions.series import at
from asymp.kernel import terms
from asymp.kernel.growths.coefficients import evaluated


def power(series: Sequence[sp.Expr], exponent: sp.Expr | int) -> list[sp.Expr]:
    """series^exponent for a series that starts with 1, to the same length: with p = series, q = p^e,

    k q_k = sum_{j=1..k} (e j - (k - j)) p_j q_{k-j}.

    >>> power([1, 1, 0, 0], sp.Rational(1, 2))
    [1, 1/2, -1/8, 1/16]

    Raises:
        ValueError: another first coefficient.
    """
    if series[0] != 1:
        raise ValueError("the series does not start with 1")
    exponent = sp.sympify(exponent)
    result = [sp.S.One]
    for k in range(1, len(series)):
        total = sp.Add(*((exponent * j - (k - j)) * series[j] * result[k - j] for j in range(1, k + 1)))
        result.append(total / k)
    return result


def reversion(series: Sequence[sp.Expr]) -> list[sp.Expr]:
    """The series g with series(g(p)) = p, for a series u + a_2 u^2 + ...: g_n = [u^(n-1)] (u/series)^n / n.

    >>> reversion([0, 1, 1, 0, 0])          # u + u^2 = p: the Catalan numbers with signs
    [0, 1, -1, 2, -5]

    Raises:
        ValueError: the series does not start with u.
    """
    if series[0] != 0 or series[1] != 1:
        raise ValueError("the series does not start with u")
    inner = list(series[1:])
    return [sp.S.Zero, *(power(inner, -n)[n - 1] / n for n in range(1, len(series)))]


def exponential(series: Sequence[sp.Expr]) -> list[sp.Expr]:
    """exp of a series without constant term: k q_k = sum_{j=1..k} j p_j q_{k-j}.

    >>> exponential([0, 1, 0, 0])
    [1, 1, 1/2, 1/6]

    Raises:
        ValueError: there is a constant term.
    """
    if series[0] != 0:
        raise ValueError("the series has a constant term")
    result = [sp.S.One]
    for k in range(1, len(series)):
        result.append(sp.Add(*(j * series[j] * result[k - j] for j in range(1, k + 1))) / k)
    return result


def stirling_weights(last: int) -> list[sp.Expr]:
    """Those of x^(1 - 2k) in Stirling's series of ln Gamma, k = 0, ..., last.

    >>> stirling_weights(2)
    [0, 1/12, -1/360]
    """
    (part,) = at("loggamma")[0].sums
    weights = (evaluated(terms.substitute(terms.read(part.at(k)), {"k": terms.number(k)})).number for k in range(1, last + 1))
    return [sp.S.Zero, *(sp.Rational(int(w.numerator), int(w.denominator)) for w in weights)]
