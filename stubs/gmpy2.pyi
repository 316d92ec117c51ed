"""What asymp uses of gmpy2, which has no types: its rational numbers, which mix with Python's and compare and hash as they do."""

from fractions import Fraction

mpq = Fraction
