r"""Sequences of linear recurrences with polynomial coefficients, by their generating functions.

Let :math:`\sum_j c_j(n) a(n + j) = 0` for n >= start, with the highest j called top, and let F have a power series at 0.  With
:math:`\theta = z d/dz`, which multiplies the coefficient of z^n by n, the coefficient of z^(n + top) in

.. math:: L F = \sum_j z^{top - j} c_j(\theta - j) F

is :math:`\sum_j c_j(n) [z^{n+j}] F`.  So if L F is a polynomial of a degree below start + top, the coefficients of F obey
the recurrence, and are the sequence if they begin as it does.  That L F is a polynomial is an identity of analytic functions,
which holds where it does on an interval (0, r).  With n! [z^n] F in the place of the coefficients the same is so of
c_j(n) (n + j)!/(n + least j)!, of which a common factor without zeros from start on is left out.  (Flajolet and Sedgewick,
Analytic Combinatorics, VII.9 and appendix B.4.)

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> said = "sequence a(n), n*a(n) = (2*n-1)*a(n-1) + 3*(n-1)*a(n-2), a(0) = 1, a(1) = 1"
>>> statement = read_closed(f"a(n) ~ 3^n*sqrt(3/(4*pi*n)) as whole n -> oo for {said}")
>>> data = {"of": "a", "function": "(1 - 2*z - 3*z^2)^(-1/2)", "variable": "z", "radius": "1/3", "rest": "0", "weight": "1"}
>>> wanted = [of_coefficients(statement, Data(data)), *generated(statement, Data(data))]
>>> apply("generating function", [theorem(one, True) for one in wanted], statement=str(statement), **data).holds
True
"""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.data import Data
from asymp.kernel.growths.declared import Declared, declared, linear, polynomial
from asymp.kernel.rings.polynomials import Poly, divided, times, value_at
from asymp.kernel.sequences.declared import definition, reached, without
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, name, number, power, read
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared
from asymp.language.statement import Statement

WEIGHTS = {"1": False, "factorial": True}
MOST_DEGREE = 12


@rule("generating function", of_sequences=True)
def _generating_function(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of a sequence, or its negation, from that of the coefficients of a function, or of n! times these.

    Data: statement, of, function (F), variable (z), radius (r), rest (the polynomial L F), weight ("1" or "factorial").
    Premises: the statement of the coefficients, and those of :func:`generated`.
    """
    statement = read_closed(data["statement"])
    holds = shown(premises[:1], [of_coefficients(statement, data)], None)
    shown(premises[1:], generated(statement, data))
    return Conclusion(statement, holds)


def _coefficients(found: Declared, data: Data) -> Term:
    """[z^n] F, or n! [z^n] F."""
    z, weight = data.text("variable"), data.text("weight")
    if weight not in WEIGHTS or terms.read(z) != name(z) or z in terms.CONSTANTS:
        raise Refused("a variable, and a weight that is known, are wanted")
    f = read(data.text("function"))
    if f.free - {z}:
        raise Refused(f"a function of {z} is wanted")
    n = name(found.variable)
    if z == found.variable:
        raise Refused(f"{z} is the variable of the recurrence")
    coefficient = read(f"[{z}^({found.variable})] ({f})")
    return multiply(call("factorial", n), coefficient) if WEIGHTS[weight] else coefficient


def of_coefficients(statement: Statement, data: Data) -> Statement:
    """The statement of the coefficients in the place of the sequence."""
    of = data.text("of")
    found = declared(statement, of)
    return without(statement, of, definition(found, _coefficients(found, data)))


def generated(statement: Statement, data: Data) -> list[Statement]:
    """That the coefficients begin as the sequence does, and obey its equation.

    Raises:
        Refused: the recurrence is of another form, or the polynomial of too high a degree.
    """
    of = data.text("of")
    found = declared(statement, of)
    coefficients, z = _coefficients(found, data), data.text("variable")
    if found.first < 0 or found.start + found.top < 0:
        raise Refused("the sequence begins before 0")
    wanted = []
    for k, node in enumerate(found.begins, found.first):
        left = terms.substitute(coefficients, {found.variable: number(k)})
        wanted.append(Statement(Comparison(Compared((node_of(left), node), ("=",)))))
    f, r, rest = read(data.text("function")), read(data.text("radius")), read(data.text("rest"))
    p = polynomial(rest, z)
    if p is None or len(p) > max(found.start + found.top, 1) or not r.is_number or r.number <= 0:
        raise Refused(f"a polynomial of a degree below {found.start + found.top}, and a positive radius, are wanted")
    if any(p) and found.start + found.top < 1:
        raise Refused("a rest where there is none")
    operated = operator(found, f, z, WEIGHTS[data.text("weight")])
    if not _stands_in(f, frozenset(terms.walk(operated))):  # where the identity holds, it has a value
        raise Refused("the function is not seen to be defined")
    inside = (Compared((node_of(ZERO), node_of(name(z)), node_of(r)), ("<", "<")),)
    wanted.append(Statement(Comparison(Compared((node_of(operated), node_of(rest)), ("=",))), domain=inside))
    return [*wanted, *reached(statement, of, found.first)]


def _stands_in(f: Term, parts: frozenset[Term]) -> bool:
    """Whether a term, or all that it is a sum or a product of, stands among the parts of another."""
    inside = f.head in ("sum", "product") and all(one.is_number or _stands_in(one, parts) for one in f.parts)
    return f in parts or inside


def coefficients_of(found: Declared, weighted: bool) -> dict[int, Poly]:
    """The c_j, of a(n), or of a(n)/n! without a common factor.

    Raises:
        Refused: the recurrence is not linear, homogeneous, with polynomial coefficients.
    """
    parts, rest = linear(found)
    if rest != ZERO:
        raise Refused("a recurrence that is not homogeneous")
    rows: dict[int, Poly] = {}
    for j, c in {**parts, found.top: found.lead}.items():
        p = polynomial(c, found.variable)
        if p is None:
            raise Refused(f"{c} is no polynomial")
        rows[j] = p
    if weighted:
        least = min(rows)
        for j in rows:
            for i in range(least + 1, j + 1):
                rows[j] = times(rows[j], [mpq(i), mpq(1)])
        for x in range(found.start - MOST_DEGREE, found.start):
            while all(value_at(p, mpq(x)) == 0 for p in rows.values()):
                rows = {j: divided(p, [mpq(-x), mpq(1)])[0] for j, p in rows.items()}
    if any(len(p) > MOST_DEGREE for p in rows.values()):
        raise Refused("a recurrence of so high a degree")
    return rows


def shifted(p: Poly, j: int) -> Poly:
    """p(x - j)."""
    found: Poly = [mpq(0)]
    for c in reversed(p):
        found = times(found, [mpq(-j), mpq(1)])
        found[0] += c
    return found


def operator(found: Declared, f: Term, z: str, weighted: bool) -> Term:
    """L F, with derivatives by the calculus."""
    rows = {j: shifted(p, j) for j, p in coefficients_of(found, weighted).items()}
    powers = [f]
    for _ in range(max(map(len, rows.values())) - 1):
        powers.append(multiply(name(z), derivative(powers[-1], z)))
    total = []
    for j, p in sorted(rows.items()):
        move = found.top - j
        front = ONE if not move else power(name(z), number(move))
        total += [multiply(number(c), front, powers[i]) for i, c in enumerate(p) if c]
    return add(*total)
