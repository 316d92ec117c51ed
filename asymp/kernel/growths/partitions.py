r"""Coefficients of infinite products: the number of partitions (Hardy and Ramanujan 1918).

With C = pi (2/3)^(1/2) and lambda = (N - 1/24)^(1/2), (1.61) there says

.. math:: [z^N] \prod_{k \ge 1} \frac{1}{1 - z^k} = \frac{1}{2 \pi \sqrt 2} \frac{d}{dN} \frac{e^{C \lambda}}{\lambda}
          + O(e^{D \sqrt N}) = \frac{e^{C \lambda}}{4 \pi \sqrt 2} \Bigl(\frac{C}{\lambda^2} - \frac{1}{\lambda^3}\Bigr)
          + O(e^{D \sqrt N}) \quad \text{for every } D > C/2 .

>>> is_partitions(opened(terms.read("Coefficient(1/Product(1 - x^j, (j, 1, oo)), (x, 0, n))")))
True
"""

from __future__ import annotations

from asymp.kernel import terms
from asymp.kernel.rings.power_series import opened
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

PARTITIONS = frozenset(
    opened(terms.read(f"Coefficient({text}, (z, 0, n))"))
    for text in ("1/Product(1 - z^k, (k, 1, oo))", "Product(1/(1 - z^k), (k, 1, oo))")
)
KEPT = terms.read("exp(pi*sqrt(2/3)*sqrt(n - 1/24))*(pi*sqrt(2/3)/(n - 1/24) - (n - 1/24)^(-3/2))/(4*pi*sqrt(2))")
REST = terms.read("exp(3/5*pi*sqrt(2/3)*sqrt(n))")


def is_partitions(term: Term) -> bool:
    """Whether it is the generating function of the numbers of partitions."""
    return term in PARTITIONS


def partitions(term: Term, n: Term) -> tuple[Term, Term]:
    """The terms, and what the remainder is O of.

    Raises:
        Refused: it is another function.
    """
    if not is_partitions(term):
        raise Refused("an infinite product of which nothing is known")
    rests_on("Hardy and Ramanujan 1918, chapter 1")
    return terms.substitute(KEPT, {"n": n}), terms.substitute(REST, {"n": n})
