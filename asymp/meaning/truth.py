"""What became of the question whether a condition holds on a whole domain.

>>> every([Truth.ALWAYS, Truth.UNKNOWN]), some([Truth.NEVER, Truth.FAILS])
(<Truth.UNKNOWN: 'unknown'>, <Truth.FAILS: 'fails'>)
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Truth(StrEnum):
    """Of a condition: it holds at every point, at none, not at all of them; or nothing is known."""

    ALWAYS = "always"
    NEVER = "never"
    FAILS = "fails"
    UNKNOWN = "unknown"


def every(parts: Iterable[Truth]) -> Truth:
    """All of the conditions hold; the parts are asked one by one, up to the first that does not."""
    found = Truth.ALWAYS
    for part in parts:
        if part in (Truth.NEVER, Truth.FAILS):
            return part
        if part is Truth.UNKNOWN:
            found = Truth.UNKNOWN
    return found


def some(parts: Iterable[Truth]) -> Truth:
    """At every point one of the conditions holds: where two fail at some points, these need not be the same."""
    left = []
    for part in parts:
        if part is Truth.ALWAYS:
            return part
        if part is not Truth.NEVER:
            left.append(part)
    if not left:
        return Truth.NEVER
    return Truth.FAILS if left == [Truth.FAILS] else Truth.UNKNOWN
