"""Section 6.1 for one server: the moments of the wait of M/G/1."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from asymp.claim import Evidence, Outcome, Step, Strength


def pollaczek_khinchine(orders: Sequence[int] = (1, 2, 3), shift: int = 1) -> list[Evidence]:
    """E[W^k] of M/G/1 from the transform of Pollaczek and Khinchine, in the moments m_j of the service time.

    The moment of order ``k + shift`` is to enter with the coefficient lambda/((k + 1)(1 - rho)).
    """
    rate, z = sp.symbols("lambda z", positive=True)
    steps = []
    for k in orders:
        moments = sp.symbols(f"m1:{k + 2}", positive=True)
        # z - lambda (1 - beta(z)) = z (1 - rho - ...): divided by z before it is inverted
        series = sum((rate * (-z) ** j * m / sp.factorial(j + 1) for j, m in enumerate(moments)), sp.Integer(0))
        load = rate * moments[0]
        transform = (1 - load) / (1 - series)
        found = sp.factor(sp.series(transform, z, 0, k + 1).removeO().coeff(z, k) * (-1) ** k * sp.factorial(k))
        room = sp.Symbol("r", positive=True)  # 1 - rho
        highest = moments[k + shift - 1]
        slope = sp.factor(sp.diff(found, highest).subs(rate, (1 - room) / moments[0]))
        bottom = sp.fraction(sp.factor(found.subs(rate, (1 - room) / moments[0])))[1]
        if not bottom.subs(room, 1).is_positive or len(sp.Poly(bottom, room).terms()) != 1:
            return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"E[W^{k}] may be infinite below load 1")]
        if sp.simplify(slope - (1 - room) / (moments[0] * room * (k + 1))) != 0:
            detail = f"the coefficient of m_{k + shift} in E[W^{k}] is {slope}, r = 1 - rho"
            return [Evidence("symbolic", Outcome.REFUTED, Strength.CERTIFIED, detail)]
        steps.append(Step("Pollaczek and Khinchine", f"E[W^{{{k}}}] = {sp.latex(found)}"))
    detail = f"M/G/1, k = {', '.join(map(str, orders))}: E[W^k] is finite if m_(k+1) is, and contains lambda m_(k+1)/((k+1)(1-rho))"
    return [Evidence("symbolic", Outcome.HOLDS, Strength.CERTIFIED, detail, steps=tuple(steps))]
