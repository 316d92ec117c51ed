r"""Laws of service and interarrival times: each carries its own theory.

A law says how it is drawn (:meth:`Law.parts`): a mixture of elementary laws, each a transformation of uniforms.  Its moments and
distribution function follow from that.  The samplers in :mod:`asymp.sample` draw; nothing is drawn here.

=====================  ==============================================================================
Exponential            mean m: ``P(X > x) = exp(-x/m)``
Erlang                 the sum of k independent exponentials of mean m/k
HyperExponential       exponential of mean m_i with probability q_i
BoundedPareto          on [L, H] with shape a: ``P(X > x) = ((L/x)^a - (L/H)^a)/(1 - (L/H)^a)``
Deterministic          a constant
Empirical              given values, equally likely or weighted
=====================  ==============================================================================

Values are float64 and good to a few units in the last place: variances are sums of squares, never a
difference of moments.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import mpmath
from scipy.special import gammaincinv

from asymp.queues.law import Kind, Law, Part, assign, normalised, number, positive, probability, whole


@dataclass(frozen=True)
class Exponential(Law):
    """Exponential of a given mean.

    >>> Exponential(2.0).moment(3), Exponential(2.0).cv
    (48.0, 1.0)
    """

    scales = ("mean",)
    mean: float

    def __post_init__(self) -> None:
        assign(self, mean=positive("mean", self.mean))

    def quantile(self, u: float) -> float:
        """-m log(1-u)."""
        return -self.mean * math.log1p(-probability(u)) + 0.0

    def parts(self) -> tuple[Part, ...]:
        """Itself."""
        return (Part(1.0, Kind.EXPONENTIAL, (self.mean,)),)


@dataclass(frozen=True)
class Erlang(Law):
    """The sum of ``phases`` independent exponentials, of total mean ``mean``.

    >>> round(Erlang(3, 0.5).cv, 4)  # sqrt(1/3)
    0.5774
    """

    scales = ("mean",)
    phases: int
    mean: float

    def __post_init__(self) -> None:
        assign(self, phases=whole("phases", self.phases, 1, 10**6, "1..10^6"), mean=positive("mean", self.mean))

    def quantile(self, u: float) -> float:
        """By the inverse of the incomplete gamma function."""
        return float(gammaincinv(self.phases, probability(u))) * self.mean / self.phases

    def parts(self) -> tuple[Part, ...]:
        """Itself; an exponential for one phase."""
        if self.phases == 1:
            return (Part(1.0, Kind.EXPONENTIAL, (self.mean,)),)
        return (Part(1.0, Kind.ERLANG, (self.mean / self.phases, float(self.phases))),)


@dataclass(frozen=True)
class HyperExponential(Law):
    """Exponential of mean ``means[i]`` with probability ``probabilities[i]``.

    >>> law = HyperExponential.of_mean(0.5, (0.01, 0.99), (25.0,))  # Table 2 of mjsre, class 1
    >>> round(law.means[1], 6), round(law.mean, 12), round(law.cv, 4)
    (0.252525, 0.5, 7.036)
    """

    scales = ("means",)
    probabilities: tuple[float, ...]
    means: tuple[float, ...]
    mean: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.probabilities) != len(self.means):
            raise ValueError(f"{len(self.probabilities)} probabilities for {len(self.means)} means")
        means = tuple(positive("each of the means", m) for m in self.means)
        assign(self, probabilities=normalised(self.probabilities), means=means)
        assign(self, mean=self.moment(1))

    @classmethod
    def of_mean(cls, mean: float, probabilities: Sequence[float], means: Sequence[float]) -> HyperExponential:
        """With the mean of the last phase, left out of ``means``, such that the whole has ``mean``.

        Raises:
            ValueError: if the other phases alone reach the mean.
        """
        mean = positive("mean", mean)
        weights = normalised(probabilities)
        if len(means) != len(weights) - 1:
            raise ValueError(f"{len(weights)} probabilities need {len(weights) - 1} means and the mean of all")
        rest = mean - math.fsum(q * positive("each of the means", m) for q, m in zip(weights, means, strict=False))
        if rest <= 0:
            raise ValueError(f"the phases given have mean {mean - rest:g} already: none is left of {mean:g}")
        return cls(weights, (*means, rest / weights[-1]))

    def quantile(self, u: float) -> float:
        """The root of ``log P(X > x) = log(1 - u)``.

        The logarithm is convex in x and decreases, so Newton's iterates from 0 climb to the root.
        """
        target = math.log1p(-probability(u))
        x = 0.0
        for _ in range(200):
            below = self.cdf(x)
            tails = [q * math.exp(-x / m) for q, m in zip(self.probabilities, self.means, strict=True)]
            above = math.fsum(tails)
            slope = math.fsum(t / m for t, m in zip(tails, self.means, strict=True)) / above
            step = ((math.log1p(-below) if below < 0.5 else math.log(above)) - target) / slope
            if step <= 4e-16 * x:
                break
            x += step
        return x

    def parts(self) -> tuple[Part, ...]:
        """Its phases."""
        pairs = zip(self.probabilities, self.means, strict=True)
        return tuple(Part(q, Kind.EXPONENTIAL, (m,)) for q, m in pairs)


@dataclass(frozen=True)
class BoundedPareto(Law):
    """Pareto of shape a, cut to [low, high]: ``P(X > x) = ((L/x)^a - (L/H)^a)/(1 - (L/H)^a)``.

    >>> round(BoundedPareto(0.15, 400.0, 1.4).mean, 4)  # printed in mjsre, Table 2, for a mean of 0.5
    0.5026
    >>> round(BoundedPareto.of_mean(0.5, 400.0, 1.4).low, 6)
    0.1492
    """

    scales = ("low", "high")
    low: float
    high: float
    shape: float
    mean: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high, shape = positive("low", self.low), positive("high", self.high), positive("shape", self.shape)
        if not low < high:
            raise ValueError(f"low must be below high, not {low:g} against {high:g}")
        assign(self, low=low, high=high, shape=shape)
        assign(self, mean=self.moment(1))

    @classmethod
    def of_mean(cls, mean: float, high: float, shape: float) -> BoundedPareto:
        """With the lower bound that gives the mean, which grows with it from 0 to ``high``.

        Raises:
            ValueError: if the mean is not below ``high``, or would take a bound below 1e-300.
        """
        mean, high = positive("mean", mean), positive("high", high)
        if not mean < high:
            raise ValueError(f"the mean {mean:g} must be below high = {high:g}")
        if cls(1e-300, high, shape).mean > mean:
            raise ValueError(f"no lower bound gives the mean {mean:g} with high = {high:g} and shape = {shape:g}")
        below, above, most = math.log(1e-300), math.log(mean), math.nextafter(high, 0)  # the mean is above low
        for _ in range(60):  # 700 * 2^-60
            middle = (below + above) / 2
            if cls(min(math.exp(middle), most), high, shape).mean < mean:
                below = middle
            else:
                above = middle
        return cls(min(math.exp(above), most), high, shape)

    @property
    def _span(self) -> float:
        """log(H/L)."""
        ratio = self.high / self.low
        return math.log(ratio) if math.isfinite(ratio) else math.log(self.high) - math.log(self.low)

    @property
    def _mass(self) -> float:
        """1 - (low/high)^shape."""
        return -math.expm1(-self.shape * self._span)

    @property
    def variance(self) -> float:
        """E[X^2] - E[X]^2, with the digits that the difference loses where the bounds are close."""
        with mpmath.workdps(60):
            low, high, a = mpmath.mpf(self.low), mpmath.mpf(self.high), mpmath.mpf(self.shape)
            mass = 1 - (low / high) ** a

            def moment(k: int) -> mpmath.mpf:
                if k == a:
                    return a * low**a * mpmath.log(high / low) / mass
                return a * low**a * (high ** (k - a) - low ** (k - a)) / (k - a) / mass

            return float(moment(2) - moment(1) ** 2)

    def moment(self, k: int) -> float:
        """a L^a (H^(k-a) - L^(k-a)) / ((k-a) (1 - (L/H)^a)); the logarithm of H/L at k = a."""
        d, r = whole("k", k, 0, 1 << 30) - self.shape, self._span
        if d > 0:  # from the upper end, where most of the moment is: no overflow
            return self.high**k * math.exp(-self.shape * r) * self.shape * -math.expm1(-d * r) / d / self._mass
        return self.low**k * self.shape * (math.expm1(d * r) / d if d else r) / self._mass

    def quantile(self, u: float) -> float:
        """L (1 - u (1 - (L/H)^a))^(-1/a)."""
        return self.low * math.exp(-math.log1p(-probability(u) * self._mass) / self.shape)

    def parts(self) -> tuple[Part, ...]:
        """Itself."""
        return (Part(1.0, Kind.BOUNDED_PARETO, (self.low, self._mass, 1 / self.shape)),)


@dataclass(frozen=True)
class Deterministic(Law):
    """A constant.

    >>> Deterministic(2.0).quantile(0.5), Deterministic(2.0).cv
    (2.0, 0.0)
    """

    scales = ("value",)
    value: float
    mean: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        assign(self, value=positive("value", self.value))
        assign(self, mean=self.value)

    def quantile(self, u: float) -> float:
        """The value."""
        return self.value + 0 * probability(u)

    def parts(self) -> tuple[Part, ...]:
        """Itself."""
        return (Part(1.0, Kind.DETERMINISTIC, (self.value,)),)


@dataclass(frozen=True)
class Empirical(Law):
    """Given values, equally likely or with weights (any positive numbers); sorted, equal ones put together.

    >>> law = Empirical((3.0, 1.0, 1.0, 7.0))
    >>> law.values, law.weights, law.mean, law.quantile(0.5)
    ((1.0, 3.0, 7.0), (0.5, 0.25, 0.25), 3.0, 1.0)
    """

    scales = ("values",)
    values: tuple[float, ...]
    weights: tuple[float, ...] | None = None
    mean: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values = [number("each of the values", x) for x in self.values]
        if not values or min(values) < 0 or max(values) == 0:
            raise ValueError("values must be nonnegative, and one of them positive")
        weights = [1.0] * len(values) if self.weights is None else [positive("each weight", w) for w in self.weights]
        if len(weights) != len(values):
            raise ValueError(f"{len(weights)} weights for {len(values)} values")
        together: dict[float, list[float]] = {}
        for x, w in zip(values, weights, strict=True):
            together.setdefault(x + 0.0, []).append(w)  # + 0.0: -0.0 is 0.0
        total = math.fsum(weights)
        total = 1.0 if abs(total - 1) <= 1e-14 else total  # weights that were normalised stay as they are
        points = sorted(together)
        assign(self, values=tuple(points), weights=tuple(math.fsum(together[x]) / total for x in points))
        assign(self, mean=math.fsum(w * x for x, w in zip(self.values, self._weights, strict=True)))

    @property
    def _weights(self) -> tuple[float, ...]:
        return self.weights or ()

    def quantile(self, u: float) -> float:
        """The first value whose cumulative weight reaches u, but for rounding: quantile(cdf(x)) is x."""
        reach = probability(u) * (1 - 1e-14)
        cumulative = list(itertools.accumulate(self._weights))
        return self.values[min(bisect.bisect_left(cumulative, reach), len(self.values) - 1)]

    def parts(self) -> tuple[Part, ...]:
        """A constant for each value."""
        pairs = zip(self.values, self._weights, strict=True)
        return tuple(Part(w, Kind.DETERMINISTIC, (x,)) for x, w in pairs)
