"""Moments of exp(P(u)) on the half-line, P(u) -> -oo a sum of powers: what is left of an integral at its peak.

    int_0^oo u^e e^(-c u^p) du = Gamma((e+1)/p) c^(-(e+1)/p) / p,

a complementary error function for P = b u - c u^2, and for any polynomial P of degree D the D - 1 integrals
of u^0, ..., u^(D-2), which stay integrals, with the others from int (u^m e^P)' du = 0 or -1.

>>> u_moments = Moments({sp.Integer(2): sp.Integer(-1)})
>>> u_moments(sp.Integer(0)), u_moments(sp.Integer(2))
(sqrt(pi)/2, sqrt(pi)/4)
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

import asymp.symbolics as sy
from asymp.expansion import Refused
from asymp.notes import Memory
from asymp.scale import sign, tidy

u = sp.Symbol("u", positive=True)
"""The variable of the integrals that stay."""


class Moments:
    """The integrals of u^e (ln u)^k e^(P(u)) over (0, oo).

    Args:
        core: exponent -> coefficient of P.

    Raises:
        Refused: P does not tend to -oo.
    """

    def __init__(self, core: Mapping[sp.Expr, sp.Expr]) -> None:
        self.core = dict(core)
        self.degree = _largest(list(self.core))
        self.top = -self.core[self.degree]
        if sign(sy.factor(self.top)) != 1:
            raise Refused(f"whether {self.top} is positive at the peak is not known")
        self._known: Memory[int, sp.Expr] = Memory()

    @property
    def single(self) -> bool:
        """Whether P is one power."""
        return len(self.core) == 1

    def split(self, e: sp.Expr) -> tuple[sp.Expr, int]:
        """(x, j) with (e+1)/p = x + j, j a nonnegative integer and x the same for a whole family of exponents."""
        if self.degree.free_symbols:
            number, rest = sy.div(sy.expand(e + 1), sy.expand(self.degree), *sorted(self.degree.free_symbols, key=str))
            rest = sy.factor(rest / self.degree)
            if not number.is_Rational:
                number, rest = sp.S.Zero, sy.factor(number + rest)
        else:
            number, rest = sy.expand((e + 1) / self.degree).as_coeff_Add()
        j = int(sp.floor(number)) if rest != 0 else int(sp.ceiling(number)) - 1
        j = max(j, 0)
        return number - j + rest, j

    def base(self, x: sp.Expr, top: sp.Expr | None = None) -> sp.Expr:
        """Gamma(x) c^(-x)/p, the moment of exponent e = p x - 1 (P one power, c = ``top``)."""
        return sp.gamma(x) * (self.top if top is None else top) ** (-x) / self.degree

    def __call__(self, e: sp.Expr, logs: int = 0) -> sp.Expr:
        """The moment of u^e (ln u)^logs."""
        if self.single:
            if not logs:
                x, j = self.split(e)
                return self.base(x) * sp.rf(x, j) / self.top**j
            q = sp.Dummy("q", positive=True)
            value = sy.diff(sp.gamma((q + 1) / self.degree) * self.top ** (-(q + 1) / self.degree) / self.degree, q, logs)
            return sy.expand(value.subs(q, e))
        whole = all(q.is_Integer for q in self.core)
        if logs or not whole or not e.is_Integer:
            return self._integral(e, logs)
        return self._polynomial(int(e))

    def _integral(self, e: sp.Expr, logs: int) -> sp.Expr:
        power = sp.Add(*(c * u**q for q, c in self.core.items()))
        return sp.Integral(u**e * sp.log(u) ** logs * sp.exp(power), (u, 0, sp.oo))

    def _polynomial(self, m: int) -> sp.Expr:
        return self._known(m, lambda: self._compute(m))

    def _compute(self, m: int) -> sp.Expr:
        degree = int(self.degree)
        if degree == 2 and m == 0:
            b, c = self.core.get(sp.S.One, sp.S.Zero), self.top
            root = sp.sqrt(c)
            return sp.sqrt(sp.pi) / (2 * root) * sp.exp(b**2 / (4 * c)) * sp.erfc(-b / (2 * root))
        if m <= degree - 2:
            return self._integral(sp.Integer(m), 0)
        k = m - degree + 1  # from the derivative of u^k e^P
        total = sp.S.One if k == 0 else k * self._polynomial(k - 1)
        for j, c in self.core.items():
            if j != degree:
                total += j * c * self._polynomial(k + int(j) - 1)
        return tidy(total / (degree * self.top))


def _largest(exponents: list[sp.Expr]) -> sp.Expr:
    best = exponents[0]
    for q in exponents[1:]:
        side = sign(q - best)
        if side is None:
            raise Refused(f"whether {q} > {best} depends on parameters")
        best = q if side > 0 else best
    return best
