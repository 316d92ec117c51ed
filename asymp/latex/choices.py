r"""Questions that a formula may leave open, with their answers; a formula is read in every way, and none is chosen.

A question is a key of a notation: an answer that stands there answers for all formulas.

>>> sorted(QUESTIONS)[:3]
['(\\ln n)^2', '1/2n', '2\\frac12']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from asymp.latex.source import Beyond, Unreadable

MOST = 64
"""Ways in which a formula is read before it is refused."""
QUESTIONS: dict[str, tuple[str, ...]] = {
    "1/2n": ("(1/2)n", "1/(2n)"),
    r"\ln n p": (r"\ln(n p)", r"(\ln n) p"),
    r"\ln 1/n": (r"\ln(1/n)", r"(\ln 1)/n"),
    r"\ln n/m": (r"\ln(n/m)", r"(\ln n)/m"),
    r"\ln(a)(b)": (r"\ln((a)(b))", r"(\ln(a))(b)"),
    r"(\ln n)^2": (r"(\ln(n))^2", r"\ln(n^2)"),
    r"\sin^{-1}": (r"\arcsin", r"1/\sin"),
    r"\log": (r"\ln", r"\log_2", r"\log_{10}"),
    r"\lg": (r"\log_2", r"\log_{10}"),
    "a(b)": (r"a \cdot b", "a of b"),
    r"\prod a b": (r"(\prod a) b", r"\prod (a b)"),
    r"\sum a + b": (r"(\sum a) + b", r"\sum (a + b)"),
    r"\sum_{k \le n}": ("k from 0", "k from 1"),
    r"2\frac12": (r"2 \cdot \frac12", r"2 + \frac12"),
    "[x]": ("(x)", r"\lfloor x \rfloor"),
    r"\{x\}": ("(x)", r"x - \lfloor x \rfloor"),
    r"f \ll g": ("f = o(g)", "f = O(g)"),
    r"f \approx g": (r"f \sim g", "f = g + o(1)"),
    r"f \sim g + o(h)": ("f = g + o(h)", r"f \sim g"),
    r"\mathbb{N}": ("from 0", "from 1"),
    "f = O(g) = O(h)": ("f = O(g), g = O(h)", "f = O(g), f = O(h)"),
    "a, b": ("a and b", "a where b"),
    "~": ("a space", r"\sim"),
    "ln n": (r"\ln n", "l n n"),
    r"\psi(x)": ("the function", r"a \cdot b", "a of b"),
    "B_n": ("a name", "a Bernoulli number"),
}
"""Question -> its answers."""
Result = TypeVar("Result")
Spot = tuple[str, int | str]


class Asked(Exception):
    """A question that has no answer yet: ``spot`` is where it is asked."""

    def __init__(self, question: str, spot: Spot, options: tuple[str, ...], at: int) -> None:
        super().__init__(question)
        self.question, self.spot, self.options, self.at = question, spot, options, at


class Answers:
    """The answers that hold while a formula is read once: those of a notation, and those that are tried."""

    def __init__(self, known: Mapping[str, str], tried: Mapping[Spot, str] | None = None) -> None:
        self.known, self.tried = known, dict(tried or {})

    def to(self, question: str, at: int, subject: str = "", only: tuple[str, ...] | None = None) -> str:
        """The answer to a question that is asked at a place, or of a name wherever it stands.

        Raises:
            Asked: it has none.
        """
        options = only or QUESTIONS[question]
        if (said := self.known.get(question)) in options:
            return str(said)
        spot: Spot = (question, subject or at)
        if spot not in self.tried:
            raise Asked(question, spot, options, at)
        return self.tried[spot]


Found = tuple[dict[Spot, str], Result]


def every(read: Callable[[Answers], Result], known: Mapping[str, str], source: str) -> tuple[list[Found[Result]], Asked | None]:
    """What a formula says by each way of answering its questions; and the first question.

    A way in which it cannot be read is none.

    Raises:
        Unreadable: it can be read in no way, or has too many questions.
    """
    todo: list[dict[Spot, str]] = [{}]
    found: list[Found[Result]] = []
    first: Asked | None = None
    failed: Unreadable | None = None
    runs = 0
    while todo:
        tried = todo.pop()
        runs += 1
        try:
            found.append((tried, read(Answers(known, tried))))
        except Asked as asked:
            first = first or asked
            if runs + len(todo) + len(asked.options) > 2 * MOST:
                shown = " or ".join(asked.options)
                raise Unreadable(f"too many questions, such as {asked.question}: {shown}", source, first.at) from asked
            todo += [{**tried, asked.spot: option} for option in reversed(asked.options)]
        except Beyond:
            raise
        except Unreadable as error:
            failed = failed or error
    if not found and failed is not None:
        raise failed
    return found, first
