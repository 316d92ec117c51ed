"""Whether what a coefficient is taken of has a power series at 0.

>>> from asymp.language.parts import parts_of
>>> from asymp.language.syntax import Parser
>>> [part] = [part for part in parts_of(Parser("[z^n] log(z)").whole()) if part.total is not None]
>>> no_power_series(part, lambda term: term, Context())
'a logarithm of what is not seen to be positive at 0'
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.rings.power_series import Z, at_zero, elementary, parted
from asymp.kernel.terms import Refused, Term
from asymp.language.parts import Part
from asymp.parse.at import term_of


def no_power_series(part: Part, put: Callable[[Term], Term], context: Context) -> str:
    """Why the body of a coefficient is not seen to have a power series at 0; empty where it is.

    ``put``: what stands for the variables around it, of which ``context`` speaks.
    """
    if part.head != "Coefficient" or part.total is None:
        return ""
    variable, body = part.total
    try:
        _, rest = parted(elementary(put(terms.substitute(term_of(body), {variable: Z}))))
        at_zero(rest, context)
    except Refused as error:
        return str(error)
    return ""
