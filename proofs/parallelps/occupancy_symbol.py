"""The mean occupancy of a server in SymPy's expressions."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy as sp


class ParallelOccupancy(sp.Function):
    r"""``ParallelOccupancy(d, lam)``: the mean occupancy EQ of a server where each job is served by d servers at once.

    The root x > 0 of

    .. math:: \sum_{u=0}^\infty \prod_{v=1}^u \frac{d\lambda}{1 + v(d-1)\lambda/x} = \frac{1}{1-\lambda},
              \qquad d > 1,\ 0 < \lambda < 1,

    which is the mean of a queue with arrivals at rate d lam, service at rate 1 and reneging at rate (d - 1) lam/x a job;
    lam/(1 - lam) for d = 1, its limit.  Source: the mean-field analysis of parallel processor sharing, equation (3).
    Certified values: :func:`asymp.enclosure.enclose`.

    >>> ParallelOccupancy(2, sp.Rational(9, 10)).evalf(12)
    3.33765204472
    """

    nargs = (2,)

    @classmethod
    def eval(cls, d: sp.Expr, lam: sp.Expr) -> sp.Expr | None:
        return lam / (1 - lam) if d == 1 else None

    def _eval_is_real(self) -> bool | None:
        d, lam = self.args
        return True if (d - 1).is_nonnegative and lam.is_positive and (1 - lam).is_positive else None

    def _eval_is_positive(self) -> bool | None:
        return self._eval_is_real()

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        if not all(arg.is_number for arg in self.args):
            return None
        with mpmath.workprec(prec + 20):
            d, lam = (arg._to_mpmath(prec + 20) for arg in self.args)
            a, start = d * lam, -mpmath.log1p(-lam) / ((d - 1) * lam)
            goal = mpmath.log(d) + mpmath.log1p(-lam)
            found = mpmath.findroot(lambda t: mpmath.log(mpmath.hyp1f1(1, mpmath.exp(t) + 2, a * mpmath.exp(t)))
                                    - mpmath.log1p(mpmath.exp(-t)) + goal, mpmath.log(start))  # fmt: skip
            value = (d - 1) * lam * mpmath.exp(found)
        return sp.Float._new(mpmath.mpf(value)._mpf_, prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        d, lam = (printer._print(arg) for arg in self.args)
        body = rf"\operatorname{{E}}Q\left({d}, {lam}\right)"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"
