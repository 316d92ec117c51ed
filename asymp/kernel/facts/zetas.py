"""Derivatives of Gamma's logarithm and of zeta, and Stieltjes' constants, as balls at numbers.

psi^(m)(x) = (-1)^(m+1) m! zeta(m + 1, x) for x > 0 and m >= 1 (DLMF 25.11.12), which is monotone.  The k-th derivative of zeta at
s is k! times a coefficient of its power series there; gamma_k is the constant of the sum of log(n)^k/n (DLMF 25.2.5).

>>> from asymp.kernel.facts.ranges import ball
>>> from asymp.kernel.terms import read
>>> [ball(read(text), {}, 64).str(12, radius=False) for text in ("stieltjes(1)", "zeta'(-1)")]
['-0.0728158454837', '-0.165421143700']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import acb, arb, arb_series, fmpz

from asymp.kernel.facts.intervals import Range
from asymp.kernel.terms import Refused
from asymp.kernel.trust import ARITHMETIC, FLINT, of_flint, rests_on

MOST_DERIVATIVES = 40
FAR_BELOW = -1_000
FAR_ABOVE = 1_000_000


def polygamma(parts: Sequence[Range]) -> list[arb]:
    """The least and the largest value of psi^(m)."""
    m, x = _whole(parts[0]), parts[1]
    if m < 1 or x.low <= 0:
        raise Refused("polygamma of what may be 0 or negative")
    rests_on("DLMF 25.11.12")
    ends = [of_flint(arb(m + 1), "zeta", arb(end)) * fmpz.fac_ui(m) for end in x]
    return [ends[1], ends[0]] if m % 2 else [-ends[0], -ends[1]]


def zeta_derivative(parts: Sequence[Range]) -> list[arb]:
    """zeta^(k)(s), s other than 1."""
    k, (s, other) = _whole(parts[0]), parts[1]
    if s != other or s == 1 or not FAR_BELOW < s < FAR_ABOVE:
        raise Refused("a derivative of zeta at no one number, at its pole, or far from 0")
    rests_on(ARITHMETIC, f"{FLINT}arb_series.zeta")
    found = arb_series([arb(s), arb(1)], k + 1).zeta()
    return [found[k] * fmpz.fac_ui(k)] * 2


def stieltjes(parts: Sequence[Range]) -> list[arb]:
    """gamma_k."""
    return [of_flint(acb, "stieltjes", _whole(parts[0])).real] * 2


def _whole(x: Range) -> int:
    if not x.is_point or x.low.q != 1 or not 0 <= x.low <= MOST_DERIVATIVES:
        raise Refused("no whole number of derivatives, or too many")
    return int(x.low.p)


KNOWN: dict[tuple[str, int], Callable[[Sequence[Range]], list[arb]]] = {
    ("polygamma", 2): polygamma, ("ZetaDerivative", 2): zeta_derivative, ("stieltjes", 1): stieltjes,
}  # fmt: skip
"""By head and number of arguments."""
