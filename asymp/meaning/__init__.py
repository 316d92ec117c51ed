"""A statement is checked for meaning before it is checked for truth: what is defined where, and what is whole.

>>> from asymp.parse import claim
>>> meaning(claim("me/x", "log(n - 5) <= n for n >= 1", source="me, 1"))
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: log(n - 5) is not defined at n = 1: n - 5 > 0 is needed
"""

from asymp.meaning.claims import Meaning as Meaning
from asymp.meaning.claims import meaning as meaning
from asymp.meaning.limits import has_a_path as has_a_path
from asymp.meaning.read import Kind as Kind
from asymp.meaning.read import Meaningless as Meaningless
from asymp.meaning.read import read as read
