"""The rule for linear recurrences: two sequences that satisfy the same one are equal if their first values are.

>>> from asymp.kernel.theorem import apply
>>> f, g = read("Sum(k*k!, (k, 0, n))"), read("(n + 1)! - 1")
>>> by = [read("-1"), read("1")]
>>> step = f"{combined(by, f, 'n')} = {combined(by, g, 'n')} for whole n >= 0"
>>> parts = [apply("sums", statement=one, by=[]) for one in ("Sum(k*k!, (k, 0, 0)) = 1! - 1", step)]
>>> apply("recurrence", parts, statement=f"{f} = {g} for whole n >= 0", variable="n", by=["-1", "1"]).holds
True
>>> apply("recurrence", parts, statement=f"{f} = {g} for whole n >= 1", variable="n", by=["-1", "1"])
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the first values are not those of the statement
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel.data import Data
from asymp.kernel.sequences.induction import one_link, premise_of, started
from asymp.kernel.summation.sums import settled
from asymp.kernel.terms import Refused, Term, add, multiply, name, number, read, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule

MOST_ORDER = 8


@rule("recurrence")
def _recurrence(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f(n) = g(n) for whole n >= m, from its first d values and a_0 f(n) + ... + a_d f(n + d) = a_0 g(n) + ... + a_d g(n + d).

    ``by`` are a_0, ..., a_d, functions of n, of which a_d is seen to be > 0, or < 0, for all n >= m.  Premises: f(m) = g(m), ...,
    f(m + d - 1) = g(m + d - 1), and the equation for whole n >= m.  Of n the domain says nothing else, and m is a whole number.
    """
    statement = comparison_in(data)
    n, factors = data.text("variable"), [read(one) for one in data.texts("by")]
    left, sign, right = one_link(statement)
    least, others = started(statement, n)
    order = len(factors) - 1
    if sign != "=" or not 1 <= order <= MOST_ORDER or len(premises) != order + 1:
        raise Refused("an equation, the factors of its recurrence, the first values, and a step")
    for j, premise in enumerate(premises[:-1]):
        at = {n: number(least.number + j)}
        if premise_of(premise, others) != (substitute(left, at), "=", substitute(right, at)):
            raise Refused("the first values are not those of the statement")
    if premise_of(premises[-1], statement.domain) != (combined(factors, left, n), "=", combined(factors, right, n)):
        raise Refused("the step is not the recurrence of both sides")
    if not settled(statement.domain, lambda one: one.sign(one.of(factors[-1])) in (1, -1)):
        raise Refused("the last factor may be 0")
    return Conclusion(statement)


def combined(factors: Sequence[Term], f: Term, n: str) -> Term:
    """a_0 f(n) + ... + a_d f(n + d)."""
    return add(*(multiply(a, substitute(f, {n: add(name(n), number(j))})) for j, a in enumerate(factors)))
