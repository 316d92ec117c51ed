"""Section 10: what the conclusion says of stability."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from asymp.claim import Claim, Evidence, Outcome, Property
from proofs.mjsre import samples
from proofs.mjsre.exact import Lattice, Point
from proofs.mjsre.notation import certified, claim, erratum

_HALF = Fraction(1, 2)
CONSTANT: tuple[Point, ...] = ((2, Fraction(1)),)
VARIABLE: tuple[Point, ...] = ((1, _HALF), (3, _HALF))


def claims() -> list[Claim]:
    """The statements of section 10, in order."""
    place = "Section 10"
    return [
        claim(
            "section-10-depends",
            place,
            Property(depends, complete=True),
            "The stability condition depends on service time distributions (and not only on their means).",
        ),
        *erratum(
            "section-10-variability",
            place,
            (
                Property(higher_variability),
                "A higher variability of service times determines a lower maximum utilization.",
            ),
            (
                Property(samples.thresholds_in_order),
                "Among the four laws of section 8.2 a higher variability goes with a lower maximum utilization.",
            ),
            note="4 servers, equally likely jobs of one server for 2 and of two servers for 2; or of two servers for 1 or 3, equally "
            "likely.  Both thresholds are exact.",
        ),
    ]


def threshold(law: Sequence[Point], need: int = 2, servers: int = 4) -> Fraction:
    """1/gamma for one-server jobs of service time 2, and as many of ``need`` servers with ``law``."""
    return 1 / Lattice(servers, [(_HALF, 1, CONSTANT), (_HALF, need, law)]).growth


def higher_variability(need: int = 2) -> list[Evidence]:
    """The variable law has the mean of the constant one: does it have the lower threshold?"""
    constant, variable = threshold(CONSTANT, need), threshold(VARIABLE, need)
    detail = f"lambda_c = {float(constant):.6f} with service times 2, {float(variable):.6f} with 1 or 3 ({constant}, {variable})"
    if variable > constant:
        return certified(Outcome.REFUTED, detail)
    return certified(Outcome.HOLDS, detail)


def depends() -> list[Evidence]:
    """Two laws of one mean with two thresholds."""
    constant, variable = threshold(CONSTANT, 3), threshold(VARIABLE, 3)
    detail = f"4 servers, jobs of 1 and 3: lambda_c = {constant} with service times 2, {variable} with 1 or 3"
    return certified(Outcome.HOLDS if constant != variable else Outcome.REFUTED, detail)
