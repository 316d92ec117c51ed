"""Laws written in a word, as a command takes them: ``erlang:3``, to be given a mean.

======================================  =============================================================
``exponential``, ``deterministic``      the mean says all
``erlang:K``                            K phases
``hyperexponential:P,R``                two phases, the first with probability P and R times the mean of
                                        all (``0.01,50`` is that of mjsre, Table 2)
``bounded-pareto:HIGH,SHAPE``           up to HIGH; the lower bound follows from the mean
``two-point:LOW,HIGH``                  LOW or HIGH times the mean, LOW < 1 < HIGH, as often as makes the mean
======================================  =============================================================
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.messages import unknown
from asymp.queues.laws import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Erlang,
    Exponential,
    HyperExponential,
    Law,
    positive,
)

_FORMS = {
    "exponential": (),
    "deterministic": (),
    "erlang": ("phases",),
    "hyperexponential": ("probability", "ratio"),
    "bounded-pareto": ("high", "shape"),
    "two-point": ("low", "high"),
}


def read_law(text: str) -> Callable[[float], Law]:
    """What makes the law from its mean.

    Raises:
        ValueError: in one line, for an unknown law or parameters that are none; what it returns raises it
            for a mean that the law cannot have.

    >>> read_law("erlang:3")(0.5)
    Erlang(phases=3, mean=0.5)
    >>> read_law("hyperexponential:0.01,50")(0.5).means[0]
    25.0
    >>> read_law("two-point:0.1,10")(1.0).mean
    1.0
    """
    name, _, rest = text.strip().partition(":")
    if name not in _FORMS:
        raise ValueError(unknown("law", name, _FORMS))
    wanted = _FORMS[name]
    words = [word.strip() for word in rest.split(",")] if rest.strip() else []
    if len(words) != len(wanted):
        form = f"{name}:{','.join(wanted).upper()}" if wanted else name
        raise ValueError(f"the law {text[:60]!r} is written {form}")
    numbers = []
    for word, what in zip(words, wanted, strict=True):
        try:
            numbers.append(positive(what, float(word.replace("_", "x"))))
        except ValueError:
            raise ValueError(f"the law {text[:60]!r}: {what} must be a positive number") from None
    if name == "exponential":
        return Exponential
    if name == "deterministic":
        return Deterministic
    if name == "erlang":
        phases = int(numbers[0])
        if phases != numbers[0]:
            raise ValueError(f"the law {text[:60]!r}: phases must be an integer")
        return lambda mean: Erlang(phases, mean)
    if name == "hyperexponential":
        p, ratio = numbers
        if not p < 1 or not p * ratio < 1:
            raise ValueError(f"the law {text[:60]!r}: probability and probability * ratio must be below 1")
        return lambda mean: HyperExponential.of_mean(mean, (p, 1 - p), (ratio * mean,))
    if name == "two-point":
        low, high = numbers
        if not low < 1 < high:
            raise ValueError(f"the law {text[:60]!r}: want low < 1 < high")
        weights = (high - 1, 1 - low)
        return lambda mean: Empirical((low * mean, high * mean), weights)
    high, shape = numbers
    return lambda mean: BoundedPareto.of_mean(mean, high, shape)
