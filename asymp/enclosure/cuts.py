"""Whether a complex ball may touch a branch cut; there an analytic function answers nan."""

from __future__ import annotations

from flint import acb

CNAN = acb("nan")


def negative(z: acb) -> bool:
    """The cut from -oo to 0."""
    return z.imag.contains(0) and not z.real > 0


def beyond_one(z: acb) -> bool:
    """The cut from 1 to oo."""
    return z.imag.contains(0) and not z.real < 1


def outside_unit(z: acb) -> bool:
    """The cuts from -oo to -1 and from 1 to oo."""
    return z.imag.contains(0) and not (z.real < 1 and z.real > -1)


def imaginary_beyond(z: acb) -> bool:
    """The cuts from i to i oo and from -i to -i oo."""
    return z.real.contains(0) and not (z.imag < 1 and z.imag > -1)
