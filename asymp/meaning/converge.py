r"""Whether a sum, a product or an integral to infinity, or up to where its integrand is infinite, has a value.

Near such an end the body is expanded by the kernel.  With t -> oo (an end b of an integral is t = 1/|b - x|, the body then
divided by t^2), the tests are Bertrand's: f = O(1/(t ln^2 t)) converges, and f of one sign with f >= c/(t ln t) diverges,
for sums and integrals alike (f is monotone from some point on, being of the log-exp scale).  A product converges to something
other than 0 where the sum of its factors less 1 converges absolutely.  Terms of a sum that do not tend to 0 diverge.

>>> from asymp.kernel.facts.context import Context
>>> at = Context(pairs=((terms.ZERO, "<", terms.name("n")),))
>>> [converges("Sum", terms.read(f), "k", terms.ONE, OO, at).value for f in ("1/k", "k^(-2)", "exp(-n*k)", "exp(n*k)")]
['never', 'always', 'always', 'never']
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain, Growth, power_of
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term
from asymp.meaning.truth import Truth, every

ORDER = 2
OO, MINUS_OO = terms.name("oo"), terms.negative(terms.name("oo"))
_T = terms.name("#t")


def converges(operator: str, body: Term, variable: str, low: Term, high: Term, at: Context) -> Truth:
    """Whether it has a value: ALWAYS, NEVER, or UNKNOWN, for all values of the other variables in a context.

    >>> [converges("Integral", terms.read(f), "t", terms.ZERO, terms.ONE, Context()).value for f in ("1/t", "1/sqrt(t)")]
    ['never', 'always']
    """
    domain, found = Domain(at.whole, at.pairs, at.within), []
    try:
        for end, way in ((low, -1), (high, 1)):
            if end in (OO, MINUS_OO):
                t = _T if end == OO else terms.negative(_T)
                found.append(_far(operator, terms.substitute(body, {variable: t}), domain))
            elif operator == "Integral" and _infinite_at(body, variable, end, at):
                near = terms.add(end, terms.multiply(terms.number(-way), terms.reciprocal(_T)))
                square = terms.power(_T, terms.number(-2))
                found.append(_far(operator, terms.multiply(terms.substitute(body, {variable: near}), square), domain))
    except Refused:
        return Truth.UNKNOWN
    return every(found)


def _infinite_at(body: Term, variable: str, end: Term, at: Context) -> bool:
    """Whether the body may be infinite, or undefined, at a finite end."""
    try:
        at.value(terms.substitute(body, {variable: end}))
    except Refused:
        return True
    return False


def _far(operator: str, body: Term, domain: Domain) -> Truth:
    """For t -> oo."""
    if operator == "Product":
        body = terms.add(body, terms.number(-1))
    envelope, waves = _without_waves(body)
    try:
        algebra = Algebra(domain, ORDER)
        f = Expander(algebra, {_T.name: 0}, {}).series(envelope)
        growths = [*(g for _, g in f.terms), *f.rest]
        if all(_limit(g, 2, domain) in ("zero", "one") for g in growths):
            return Truth.ALWAYS
        coefficient, growth = algebra.leading(f)
    except Refused:
        return Truth.UNKNOWN
    if waves:  # terms that do not tend to 0; an integral may converge all the same, as that of sin(t^2) does
        simple = operator == "Sum" and all(_is_polynomial(x) for x in waves)
        return Truth.NEVER if simple and growth.limit(domain) in ("one", "infinity") else Truth.UNKNOWN
    if _limit(growth, 1, domain) in ("one", "infinity"):
        to_zero = operator == "Product" and domain.sign(coefficient) == -1
        return Truth.UNKNOWN if to_zero else Truth.NEVER
    return Truth.UNKNOWN


def _limit(growth: Growth, logs: int, domain: Domain) -> str:
    """Of growth * t * (ln t)^logs."""
    return growth.times(power_of(0, 0)).times(power_of(0, 1).raised(rational(mpq(logs)))).limit(domain)


def _is_polynomial(term: Term) -> bool:
    """In t, with numbers for coefficients."""
    if term.head in ("sum", "product"):
        return all(map(_is_polynomial, term.parts))
    if term.head == "power":
        k = term.parts[1]
        return _is_polynomial(term.parts[0]) and k.is_number and k.number > 0 and k.number.denominator == 1
    return not term.parts


def _without_waves(body: Term) -> tuple[Term, list[Term]]:
    """The body with factors sin, cos and (-1)^t replaced by 1, and what these are of."""
    kept, waves = [], []
    for factor in body.parts if body.head == "product" else (body,):
        base, k = factor.parts if factor.head == "power" else (factor, terms.ONE)
        if base.head in ("sin", "cos") and k.is_number and k.number > 0 and k.number.denominator == 1 and _T.name in base.free:
            waves.append(base.parts[0])
        elif base == terms.number(-1) and _T.name in k.free:
            waves.append(k)
        else:
            kept.append(factor)
    return terms.multiply(*kept), waves
