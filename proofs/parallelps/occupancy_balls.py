r"""Certified mean occupancy of parallel processor sharing (see :class:`asymp.papers.parallelps.occupancy_symbol.ParallelOccupancy`).

With b = 1/mu and a = d lam the equation (3) of the source reads sum_u prod_{v<=u} a b/(b + v) = 1/(1 - lam).  Less its first
term 1, over a:

.. math:: F(b) = \ln\frac{b}{b+1} + \ln M(1;\, b+2;\, a b) + \ln d + \ln(1-\lambda) = 0,

with Kummer's function M, and without cancellation for small lam.  *One root at most*: M(1; b+2; a b) b/(b+1) is the sum over
u >= 1 of the products of b/(b + 1) and a b/(b + v), 2 <= v <= u, and each factor rises strictly in b > 0.  *One root*: two
certified signs of F, which is continuous.  The signs are those of balls that hold all a and lam of the balls given, so that the
answer holds the root for each of them.

>>> from flint import ctx
>>> with ctx.workprec(128): print(parallel_occupancy(fmpq(2), fmpq(9, 10)).str(20, radius=False))
3.3376520447193221923
"""

from __future__ import annotations

from flint import arb, ctx

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import NAN, Number, fmpq, to_ball

STEPS = 200
"""Steps until the middle of the root is found."""
WIDENINGS = 12
"""How often the bracket is widened until the signs are certified."""


def parallel_occupancy(d: Number, lam: Number) -> Number:
    """EQ for d = 1 or a real number d >= 3/2 of servers a job, and 0 < lam < 1; nan elsewhere.

    Raises nothing; the ball is nan too where the precision does not do.  Between 1 and 3/2 (no job joins so many servers) 1/mu
    may be so large that the series of M is not summed.
    """
    servers, load, idle = to_ball(d), to_ball(lam), to_ball(1 - lam)
    if not (load > 0 and idle > 0):
        return NAN
    if isinstance(d, fmpq) and d == 1:
        return lam / (1 - lam)
    if not servers >= 1.5:
        return NAN
    equation = _Equation(servers, load, to_ball(ar.log1p(-lam)) if load < 0.5 else idle.log())
    middle = equation.middle()
    root = None if middle is None else equation.around(*middle)
    return NAN if root is None else (servers - 1) * load * root


class _Equation:
    """F, at the middle of the inputs and over all of them."""

    def __init__(self, d: arb, lam: arb, log_idle: arb) -> None:
        self.start = -log_idle.mid() / (lam * (d - 1)).mid()  # EQ = -ln(1 - lam), its limit as d -> oo
        self.inputs = (d * lam, d.log() + log_idle)
        self.middles = ((d.mid() * lam.mid()).mid(), (d.mid().log() + log_idle.mid()).mid())

    def __call__(self, b: arb, whole: bool = False) -> arb:
        a, rest = self.inputs if whole else self.middles
        return (b / (b + 1)).log() + (a * b).hypgeom([arb(1)], [b + 2]).log() + rest

    def middle(self) -> tuple[arb, arb] | None:
        """The root, not certified, and a width that is of the order of its error."""
        low = high = self.start.mid()
        if not (low.is_finite() and low > 0):
            return None
        below = above = self(low)
        while not below < 0 < above:  # a bracket first; a sign that this precision does not tell ends it
            if below > 0:
                low, high, above = (low / 2).mid(), low, below
                below = self(low)
            elif above < 0:
                low, high, below = high, (2 * high).mid(), above
                above = self(high)
            elif (below.contains(0) or above.contains(0)) and high == low and below.is_finite():  # the start is the root
                low, high = (low / 2).mid(), (2 * high).mid()
                below, above = self(low), self(high)
                if not below < 0 < above:
                    return None
            else:
                return None
        below, above = below.mid(), above.mid()
        old = None
        for step in range(STEPS):  # false position with halved weights (Illinois), halving now and then
            point = ((low * above - high * below) / (above - below)).mid()
            if step % 8 == 7 or not low < point < high:
                point = ((low + high) / 2).mid()
            value = self(point)
            slope = (above - below) / (high - low)
            if value.contains(0) or high - low <= point * arb(2) ** (4 - ctx.prec):
                return point, ((4 * value.abs_upper() / slope) + point * arb(2) ** (4 - ctx.prec)).mid()
            here = value.mid()
            if here < 0:
                low, below, above = point, here, (above / 2).mid() if old is False else above
            else:
                high, above, below = point, here, (below / 2).mid() if old is True else below
            old = here > 0
        return None

    def around(self, point: arb, width: arb) -> arb | None:
        """The ball between two points with certified signs, for all inputs."""
        spread = (self(point, whole=True).abs_upper() / self(point).abs_upper().max(arb(2) ** -ctx.prec)).log().mid()
        width = width * arb(2) ** max(0, int(float(spread) * 1.45)) if spread.is_finite() else width
        for _ in range(WIDENINGS):
            low, high = (point - width).mid(), (point + width).mid()
            if low > 0 and self(low, whole=True) < 0 < self(high, whole=True):
                return low.union(high)
            width = 4 * width
        return None
