"""What an expansion may rest on: coefficients that vanish or not, and the refusal where that is not known.

>>> is_zero(sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6)), is_zero(sp.pi - sp.Rational(22, 7))
(True, False)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.coefficient import plainly_nonzero, poly
from asymp.notes import tell
from asymp.refusal import CannotTell
from asymp.refusal import Refused as Refused
from asymp.sign import sign

_assumed: ContextVar[list[sp.Expr] | None] = ContextVar("assumed", default=None)


@contextlib.contextmanager
def assumptions() -> Iterator[list[sp.Expr]]:
    """Collects the leading coefficients that were divided by: what was derived holds where none vanishes."""
    found: list[sp.Expr] = []
    token = _assumed.set(found)
    try:
        yield found
    finally:
        _assumed.reset(token)


_coarse: ContextVar[bool] = ContextVar("coarse", default=False)


@contextlib.contextmanager
def coarse() -> Iterator[None]:
    """Where e^E is refused though E -> -oo, its order stands in for it: e^E = O(e^(cG/2)), cG the leading term of E.

    For E = cG (1 + o(1)) is below cG/2 in the end.  What is exponentially small is then known to be so, even where
    its exponent hangs on a parameter: (1 - n^(-a))^n for 0 < a < 1 has the exponent -n^(1-a) - n^(1-2a)/2 - ...
    """
    token = _coarse.set(True)
    try:
        yield
    finally:
        _coarse.reset(token)


def assume_nonzero(coefficient: sp.Expr) -> None:
    """Note that what follows holds only where the coefficient does not vanish."""
    tell(assume_nonzero, coefficient)
    noted = _assumed.get()
    if noted is not None and coefficient not in noted:
        noted.append(coefficient)


def _evalf_excludes_zero(coefficient: sp.Expr, point: Mapping[str, Fraction]) -> bool:
    """The oracle when none is plugged in: SymPy's own evaluation, far from 0 at 40 digits."""
    value = coefficient.subs({s: sp.Rational(point[s.name]) for s in coefficient.free_symbols}).evalf(40, maxn=400)
    if not value.is_number or value.is_finite is False:
        raise Refused(f"cannot evaluate the coefficient {coefficient}")
    return bool(abs(value) > sp.Float("1e-25"))


_oracle: Callable[[sp.Expr, Mapping[str, Fraction]], bool] = _evalf_excludes_zero


def plug_oracle(excludes_zero: Callable[[sp.Expr, Mapping[str, Fraction]], bool]) -> None:
    """Decide nonzero coefficients by ``excludes_zero(coefficient, point)``: True only if it is not 0 there.

    ``asymp.expand`` plugs in ball arithmetic, which certifies its answer.
    """
    global _oracle
    _oracle = excludes_zero
    is_zero.cache_clear()  # type: ignore[attr-defined]  # what the last one said is not its word


@uncounted
@lru_cache(maxsize=100_000)
def is_zero(coefficient: sp.Expr) -> bool:
    """Whether a parameter expression vanishes identically.

    Nonzero is believed of the oracle's word at an arbitrary point; zero, of algebra alone.

    Raises:
        Refused: numerically 0, and no algebra shows it.
    """
    if coefficient.is_Rational:
        return bool(coefficient == 0)
    if plainly_nonzero(coefficient):
        return False
    if poly(coefficient) is None and sy.expand(coefficient) == 0:
        return True
    if coefficient.has(sp.Integral) and sign(coefficient) in (1, -1):
        return False
    symbols = sorted(coefficient.free_symbols, key=str)
    for shift in (Fraction(7, 10), Fraction(23, 10)):
        point = {s.name: shift + Fraction(k + 1, 2 * k + 3) for k, s in enumerate(symbols)}
        if _oracle(coefficient, point):
            return False
    if sy.simplify(sy.expand_log(coefficient, force=True)) == 0:
        return True
    raise CannotTell(f"cannot decide whether {coefficient} is zero")


def is_coarse() -> bool:
    """Whether :func:`coarse` is in force."""
    return _coarse.get()
