r"""Coefficients of infinite products: partitions, by Hardy and Ramanujan, and by Meinardus.

With C = pi (2/3)^(1/2) and lambda = (N - 1/24)^(1/2), (1.61) of Hardy and Ramanujan 1918 says

.. math:: [z^N] \prod_{k \ge 1} \frac{1}{1 - z^k} = \frac{1}{2 \pi \sqrt 2} \frac{d}{dN} \frac{e^{C \lambda}}{\lambda}
          + O(e^{D \sqrt N}) = \frac{e^{C \lambda}}{4 \pi \sqrt 2} \Bigl(\frac{C}{\lambda^2} - \frac{1}{\lambda^3}\Bigr)
          + O(e^{D \sqrt N}) \quad \text{for every } D > C/2 .

Meinardus 1954 (Andrews, The Theory of Partitions, 1976, theorem 6.2; 6.4 for parts in a progression) says of the product of
(1 - z^p)^(-m) over the p = c k + d, k >= 0, c and d > 0 without a common divisor, m > 0: D(s) = m c^(-s) zeta(s, d/c) has the
residue m/c at s = 1, and

.. math:: [z^N] \prod_k (1 - z^{c k + d})^{-m} = e^{D'(0)} \frac{B^{1/2 - D(0)}}{\sqrt{4 \pi}}
          N^{\kappa} e^{2 B \sqrt N} (1 + O(N^{-1/5})), \quad B^2 = \frac{m \pi^2}{6 c}, \quad \kappa = \frac{D(0)}{2} - \frac34 ,

D(0) = m (1/2 - d/c), D'(0) = m (log Gamma(d/c) - log(2 pi)/2 - log(c) (1/2 - d/c)).  Of distinct parts the generating function is
that of odd parts (Euler): the product of 1 + z^k over k >= 1 is that of 1/(1 - z^(2k-1)).

>>> from asymp.kernel.rings.power_series import opened
>>> for text in ("1/Product(1 - z^k, (k, 1, oo))", "Product(1 + z^j, (j, 1, oo))", "Product((1 - z^(3*k+1))^(-2), (k, 0, oo))"):
...     progression(opened(terms.read(f"[z^n] {text}")))
(1, 1, mpq(1,1))
(2, 1, mpq(1,1))
(3, 1, mpq(2,1))
"""

from __future__ import annotations

from math import gcd

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.power_series import Z, linear
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

KEPT = terms.read("exp(pi*sqrt(2/3)*sqrt(n - 1/24))*(pi*sqrt(2/3)/(n - 1/24) - (n - 1/24)^(-3/2))/(4*pi*sqrt(2))")
REST = terms.read("exp(3/5*pi*sqrt(2/3)*sqrt(n))")
FRONT = terms.read("gamma(a)^m*(2*pi)^(-m/2)*c^(m*(a - 1/2))*(m*pi^2/(6*c))^((1/2 - m*(1/2 - a))/2)/sqrt(4*pi)")
GROWTH = terms.read("n^(m*(1/2 - a)/2 - 3/4)*exp(2*sqrt(m*pi^2/(6*c))*sqrt(n))")
K = terms.name("@k")
Progression = tuple[int, int, mpq]
"""c, d and m."""


def partitions(term: Term, n: Term) -> tuple[Term, Term]:
    """The terms, and what the remainder is O of.

    Raises:
        Refused: it is another function.
    """
    c, d, m = progression(term)
    if c == d == 1 and m == 1:
        rests_on("Hardy and Ramanujan 1918, chapter 1")
        return terms.substitute(KEPT, {"n": n}), terms.substitute(REST, {"n": n})
    rests_on("Andrews 1976, chapter 6")
    put = {"n": n, "a": terms.number(mpq(d, c)), "c": terms.number(c), "m": terms.number(m)}
    growth = terms.substitute(GROWTH, put)
    return terms.multiply(terms.substitute(FRONT, put), growth), terms.multiply(growth, terms.power(n, terms.number(mpq(-1, 5))))


def progression(term: Term) -> Progression:
    """c, d and m of a product of (1 - z^(c k + d))^(-m) over k >= 0, or of one of 1 + z^k.

    Raises:
        Refused: it is another function.
    """
    base, m = _without_powers(term)
    if base.head != "Product" or base.parts[2] != terms.name("oo") or not base.parts[1].is_number:
        raise Refused("an infinite product of which nothing is known")
    body, e = _without_powers(terms.opened(base.parts[0], K))
    m, first = -m * e, base.parts[1].number
    for way in (1, -1):  # 1 - z^p or 1 + z^p
        for part in body.parts if body.head == "sum" else ():
            power = terms.negative(part) if way == 1 else part
            if power.head == "power" and power.parts[0] == Z and body == terms.add(terms.ONE, part):
                c, d = linear(power.parts[1], K)
                d += c * int(first)
                if first.denominator != 1 or c < 1 or d < 1 or gcd(c, d) != 1 or d > c:
                    raise Refused("parts that are not those of a progression")
                if way == 1 and m > 0:
                    return c, d, m
                if way == -1 and (c, d) == (1, 1) and m < 0:
                    return 2, 1, -m
    raise Refused("an infinite product of which nothing is known")


def _without_powers(term: Term) -> tuple[Term, mpq]:
    """f and -e of f^e."""
    m = mpq(-1)
    while term.head == "power" and term.parts[1].is_number:
        term, m = term.parts[0], m * term.parts[1].number
    return term, m
