"""The M/M/n/n queue: the blocking probability from its balance equations, in exact numbers."""

from fractions import Fraction


def blocking(n: int, a: Fraction) -> Fraction:
    """The probability that all n servers are busy, offered load a: a pi_(k-1) = k pi_k."""
    law = [Fraction(1)]
    for k in range(1, n + 1):
        law.append(law[-1] * a / k)
    return law[n] / sum(law)
