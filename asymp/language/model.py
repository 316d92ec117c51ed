"""Functions of a paper's model, which statements may call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asymp.language.numbers import ParseError

BUILT_IN = frozenset("""
    Abs AtMost E1 Ei FallingFactorial Integral LambertW Li Max Min Product Ranked RisingFactorial Sum acos
    acosh airyai airyaiprime airybi airybiprime asin asinh atan atanh besseli besselj besselk beta binomial catalan ceiling cos
    cosh cot coth csc csch digamma erf erfc erfi exp expint factorial factorial2 ff floor gamma harmonic li ln log loggamma
    lowergamma parallel_occupancy polygamma polylog rf sec sech sign sin sinh sqrt tan tanh trigamma uppergamma zeta
""".split())
"""Functions that have a meaning before anything is declared: no definition with arguments has one of these names."""


class NeedsCode(Exception):
    """A claim that needs code where none is run."""


@dataclass(frozen=True)
class Model:
    """A function of a paper's model: exact, and the same answer to the same question.

    Args:
        name: as in statements.
        signature: its arguments with their kinds, as ``"whole n, p, mu1, mun"``.
        function: the code; None where none is run.
    """

    name: str
    signature: str
    function: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """The answer.

        Raises:
            NeedsCode: no code is run.
            ParseError: another number of arguments, or one that is not whole where it is to be.
        """
        kinds = [part.split() for part in self.signature.split(",") if part.strip()]
        if len(arguments) != len(kinds):
            raise ParseError(f"{self.name} takes {len(kinds)} arguments, not {len(arguments)}")
        for (*kind, name), value in zip(kinds, arguments, strict=True):
            if kind == ["whole"] and not isinstance(value, int):
                raise ParseError(f"{self.name}: {name} is whole, not {value}")
        if self.function is None:
            raise NeedsCode
        try:
            return self.function(*arguments)
        except SystemExit as error:
            raise ParseError(f"{self.name} wants to leave the program") from error
