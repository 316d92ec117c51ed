"""What is known of each function, one row a function: names, where it is real, range, parity, slope, period, source.

>>> from asymp.functions import NAMED
>>> NAMED["tanh"].range.low, NAMED["tanh"].parity
(-1, -1)
"""

from asymp.functions.parts import Part as Part
from asymp.functions.parts import parts_of as parts_of
from asymp.functions.row import Condition as Condition
from asymp.functions.row import Range as Range
from asymp.functions.row import Row as Row
from asymp.functions.table import NAMED as NAMED
from asymp.functions.table import ROWS as ROWS
from asymp.functions.table import power as power
from asymp.functions.table import row_of as row_of
