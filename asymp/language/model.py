"""Functions of a paper's model, which statements may call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asymp.language.numbers import ParseError


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
