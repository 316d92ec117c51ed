"""What is computed at most once of an object that does not change.

It is ``functools.cached_property`` as Python has it from 3.12 on: the one before takes a lock each time, which costs more than
most of what is kept so.

>>> class Square:
...     @once
...     def area(self):
...         print("computed")
...         return 4
>>> one = Square()
>>> one.area, one.area
computed
(4, 4)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:
        """A method without arguments whose answer is kept in the object."""

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self.function, self.__doc__ = function, function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, item: Any, owner: type | None = None) -> Any:
            if item is None:
                return self
            found = item.__dict__[self.name] = self.function(item)
            return found
