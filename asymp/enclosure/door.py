"""What is asked for, as a term: a term, a text of the language, a number, or SymPy's expression, by the one adapter there is.

>>> str(as_term("sqrt(2) + 1")), str(as_term(3))
('1 + 2^(1/2)', '3')
>>> as_term(0.5)
Traceback (most recent call last):
...
asymp.enclosure.numbers.InputError: a float is not an expression
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from asymp.enclosure.numbers import InputError, Undecided
from asymp.kernel.terms import Refused, Term, number, read
from asymp.language.numbers import ParseError


def as_term(what: Any) -> Term:
    """The term of what a caller has.

    Raises:
        InputError: it is none.
        Undecided: a part of it has no value.
    """
    if isinstance(what, Term):
        return what
    try:
        if isinstance(what, str):
            return read(what)
        if isinstance(what, (int, Fraction)) and not isinstance(what, bool):
            return number(mpq(what.numerator, what.denominator))
        if "sympy" in sys.modules:
            from asymp import cas

            return cas.term_of(what)
    except ParseError as error:
        raise InputError(str(error)) from None
    except Refused as error:
        raise Undecided(str(error)) from None
    except TypeError:
        pass
    raise InputError(f"a {type(what).__name__} is not an expression")


def said_positive(what: Any) -> frozenset[str]:
    """The names that an expression of SymPy's says to be positive; of a term nothing is said."""
    if isinstance(what, (Term, str, int, Fraction)):
        return frozenset()
    from asymp import cas

    return cas.positive_names(what)
