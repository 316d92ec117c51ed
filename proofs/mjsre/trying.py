"""Tests of statements: a proof of checked steps, and exact trials that can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from asymp.claim import Evidence, Outcome, Property, Step, Strength
from proofs.mjsre.notation import Test, certified

Cases = Callable[[], Iterable[str | None]]
"""One entry a case tried: None where the statement held, else what happened."""


def tried(where: str, cases: Cases) -> Test:
    """A test on every case: refuted at the first that fails, certified on all of them; nothing tried is undecided.

    >>> [str(e.outcome) for e in tried("n = 1, 2", lambda: (None if n < 3 else f"n = {n}" for n in (1, 2)))()]
    ['holds']
    >>> tried("n = 1 .. 9", lambda: (None if n < 3 else f"n = {n}" for n in range(1, 10)))()[0].detail
    'fails: n = 3'
    """

    def test() -> list[Evidence]:
        count = 0
        for failure in cases():
            count += 1
            if failure is not None:
                return certified(Outcome.REFUTED, f"fails: {failure}")
        if not count:
            return certified(Outcome.UNDECIDED, f"no case to try: {where}")
        return certified(Outcome.HOLDS, f"exactly, in {count} cases: {where}")

    return test


def argued(proof: Callable[[], Sequence[Step]], *trials: Test, cited: bool = False) -> Property:
    """A proof (it raises if a step fails) and the trials that go with it; a proof that fails is undecided.

    The trials run the code of the recurrence, the proof reasons on its formulas.  A proof that leans on theorems that
    are cited, not checked here, is called certified at most.
    """

    def test() -> list[Evidence]:
        try:
            steps = tuple(proof())
        except ValueError as error:
            lines = [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, f"the proof failed: {error}")]
        else:
            said = "derived, from theorems that are cited: " if cited else "proved: "
            detail = said + "; ".join(step.rule for step in steps)
            strength = Strength.CERTIFIED if cited else Strength.PROVED
            lines = [Evidence("symbolic", Outcome.HOLDS, strength, detail, steps=steps)]
        for trial in trials:
            lines += trial()
        return lines

    return Property(test)


def exists(where: str, cases: Cases) -> Property:
    """The statement that something exists: the first case that shows it is enough."""
    return Property(found(where, cases), complete=True)


def found(where: str, cases: Cases) -> Test:
    """A test that something exists: certified by the first case that shows it (here an entry says what was found).

    Nothing found is undecided: it may exist elsewhere.
    """

    def test() -> list[Evidence]:
        for case in cases():
            if case is not None:
                return certified(Outcome.HOLDS, f"found among {where}: {case}")
        return certified(Outcome.UNDECIDED, f"none among {where}")

    return test
