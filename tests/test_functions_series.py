"""The series in the table of functions, held against balls: each remainder at several orders, ever nearer to its place."""

from fractions import Fraction

import pytest
from flint import acb, arb, ctx, fmpq, fmpz

from asymp.enclosure.numbers import to_fmpq
from asymp.functions.series import SERIES, SeriesAt
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.coefficients import evaluated
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.trust import cited
from asymp.language.syntax import Parser
from asymp.parse.at import term_of

BITS = 600
FIXED = {
    "s": [Fraction(1, 2), Fraction(3), Fraction(7, 3)], "p": [Fraction(1, 2), Fraction(3), Fraction(-2, 3)],
    "m": [Fraction(1), Fraction(2), Fraction(5)], "v": [Fraction(0), Fraction(1, 3), Fraction(2), Fraction(5, 2)],
    "a": [Fraction(1, 2), Fraction(3)], "b": [Fraction(2), Fraction(7, 4)], "c": [Fraction(5, 2), Fraction(4)],
    "z": [Fraction(1, 2), Fraction(3)],
}  # fmt: skip
OTHERS = {
    "uppergamma(s, x) whole s, s < 0": {"s": [Fraction(-1), Fraction(-4)]},
    "besselk(v, x) v > 0, no pole 1 - v": {"v": [Fraction(1, 3), Fraction(1, 2), Fraction(5, 3)]},
    "stirling2(x, m) whole x, whole m, m - 1 > 0": {"m": [Fraction(3), Fraction(5), Fraction(6)]},
    "polylog(s, x) no pole 1 - s": {"s": [Fraction(1, 2), Fraction(-2), Fraction(7, 3), Fraction(0)]},
}


def _int(x):
    return int(x.real.unique_fmpz())


BALLS = {
    "exp": acb.exp, "log": acb.log, "sin": acb.sin, "cos": acb.cos, "tan": acb.tan, "cot": acb.cot, "sec": acb.sec, "csc": acb.csc,
    "sinh": acb.sinh, "cosh": acb.cosh, "tanh": acb.tanh, "coth": acb.coth, "sech": acb.sech, "csch": acb.csch, "asin": acb.asin,
    "acos": acb.acos, "atan": acb.atan, "asinh": acb.asinh, "acosh": acb.acosh, "atanh": acb.atanh, "gamma": acb.gamma,
    "loggamma": acb.lgamma, "digamma": acb.digamma, "trigamma": lambda x: acb(2).zeta(x), "polygamma": lambda m, x: x.digamma() if m == 0 else -((-1) ** _int(m)) * (m + 1).gamma() * (m + 1).zeta(x),
    "factorial": lambda x: (x + 1).gamma(), "harmonic": lambda x: (x + 1).digamma() + arb.const_euler(),
    "E1": lambda x: x.expint(1), "Ei": acb.ei, "li": acb.li, "Li": lambda x: x.li() - acb(2).li(), "Si": acb.si, "Ci": acb.ci,
    "Shi": acb.shi, "Chi": acb.chi, "erf": acb.erf, "erfc": acb.erfc, "erfi": acb.erfi, "fresnelc": acb.fresnel_c,
    "fresnels": acb.fresnel_s, "expint": lambda p, x: x.expint(p), "uppergamma": lambda s, x: x.gamma_upper(s),
    "lowergamma": lambda s, x: x.gamma_lower(s), "betainc": lambda a, b, x: x.beta_lower(a, b), "airyai": acb.airy_ai,
    "airybi": acb.airy_bi, "airyaiprime": lambda x: x.airy_ai(1), "airybiprime": lambda x: x.airy_bi(1),
    "besseli": lambda v, x: x.bessel_i(v), "besselj": lambda v, x: x.bessel_j(v), "besselk": lambda v, x: x.bessel_k(v),
    "bessely": lambda v, x: x.bessel_y(v), "hyp1f1": lambda a, b, x: x.hypgeom_1f1(a, b), "elliptic_k": acb.elliptic_k,
    "hyp2f1": lambda a, b, c, x: x.hypgeom_2f1(a, b, c), "elliptic_e": acb.elliptic_e, "zeta": acb.zeta, "stieltjes": lambda k: acb.stieltjes(_int(k)), "hurwitz": acb.zeta,
    "catalan": lambda x: acb(4) ** x * (x + acb("0.5")).gamma() / (acb.pi() ** acb("0.5") * (x + 2).gamma()),
    "binomial": lambda x, y: (x + 1).gamma() / ((y + 1).gamma() * (x - y + 1).gamma()), "polylog": lambda s, x: x.polylog(s), "LambertW": lambda x, k=acb(0): x.lambertw(_int(k)),
    "bernoulli": lambda n: acb(fmpq.bernoulli(_int(n))), "stirling2": lambda n, k: acb(fmpz.stirling_s2(_int(n), _int(k))),
    "subfactorial": lambda n: acb(sum((-1) ** j * fmpz.fac_ui(_int(n)) / fmpz.fac_ui(j) for j in range(_int(n) + 1))),
}  # fmt: skip


def value(term, x):
    """A term in x as a ball."""
    if term.head == "number":
        return acb(to_fmpq(term.number))
    if term.head == "name":
        return {"x": x, "pi": acb.pi(), "E": acb(1).exp(), "EulerGamma": acb(arb.const_euler())}[term.name]
    if term.head == "Sum":
        body, *ends = term.parts
        low, high = (_int(value(end, x)) for end in ends)
        return sum((value(terms.opened(body, terms.number(j)), x) for j in range(low, high + 1)), acb(0))
    parts = [value(part, x) for part in term.parts]
    if term.head == "sum":
        return sum(parts, acb(0))
    if term.head == "product":
        found = acb(1)
        for part in parts:
            found *= part
        return found
    if term.head == "power":
        e = term.parts[1]
        return parts[0] ** int(e.number) if e.is_number and e.number.denominator == 1 else parts[0] ** parts[1]
    return BALLS[term.head](*parts)


def written(text, fixed, k=0):
    return evaluated(terms.substitute(term_of(Parser(text).whole()), {**{a: terms.number(v) for a, v in fixed.items()}, "k": terms.number(k)}))


def choices(one: SeriesAt):
    """Values of what stays."""
    letters = [a for a in one.arguments if a.isalpha() and a != "x"]
    found = [{}]
    for letter in letters:
        own = OTHERS.get(f"{one.of} {one.where}", FIXED)[letter]
        found = [{**rest, letter: v} for rest in found for v in own]
    return found


def points(one: SeriesAt, sizes=(10, 80, 640)):
    """Ever nearer to its place; anywhere for an identity."""
    if one.name == "zeta" and one.at == "oo":
        sizes = (20, 40, 80)
    if one.name == "LambertW" and (one.at == "oo" or one.at == "0-"):
        sizes = (10**40, 10**400, 10**4000)
    if "whole x" in one.where:
        yield from map(acb, (20, 40, 160))
        return
    for size in sizes:
        h = acb(fmpq(1, size))
        if one.at == "<0":  # next to a pole and to another place
            yield from (acb(c) + side * h for c in ("-3", "-2.5") for side in (1, -1))
        elif one.at in ("oo", "-oo"):
            yield (1 / h) * (1 if one.at == "oo" else -1) * acb("1.37")
        elif one.at:
            for side in [one.side] if one.side else [1, -1]:
                yield value(terms.read(one.centre), None) + side * h * acb("0.73")
        else:
            yield acb("0.37") + h


@pytest.mark.parametrize("one", SERIES, ids=str)
def test_the_remainder_is_what_is_said(one):
    with ctx.workprec(BITS):
        for fixed in choices(one):
            f = written(one.of, fixed)
            for order in (0, 1, 2, 3, 5) if one.sums else (0,):
                shares = []
                for x in points(one):
                    known, rest = value(written(one.plus, fixed), x), arb(0)
                    for part in one.sums:
                        head, step = value(written(part.head, fixed), x), value(written(part.step or "1", fixed), x)
                        end = part.first + min(order + 1, len(part.listed) or order + 1)
                        known += head * sum((value(written(part.at(k), fixed, k), x) * step**k for k in range(part.first, end)), acb(0))
                        last = part.rest or ("" if part.step else part.at(end))
                        # sin^2 + cos^2 = 1: a head that oscillates is at most, and not always, its amplitude
                        plain = part.head.replace("sin", "exp(1)+0*cos").replace("cos", "exp(1)+0*sin")
                        size = value(written(plain, fixed), x) if "sin" in part.head or "cos" in part.head else head
                        rest += abs(size * (value(written(last, fixed, end), x) if last else step**end))
                    gap = abs(value(f, x) - known)
                    assert gap.is_finite(), f"{f} at {x}"
                    if not one.sums:
                        assert gap < abs(known) * arb(2) ** (-BITS // 4), f"{f} at {x}: {gap}"
                        continue
                    shares.append(gap / rest)
                if shares:
                    assert shares[-1] < 4 * max(shares[:-1], key=lambda s: s.mid()) + arb(2) ** (-BITS // 8), f"order {order}, {fixed}: {[x.str(5) for x in shares]}"


@pytest.mark.parametrize("one", [one for one in SERIES if one.bound is not None], ids=str)
def test_a_remainder_is_at_most_the_first_term_left_out(one):
    (part,) = one.sums
    with ctx.workprec(BITS):
        for fixed in choices(one):
            for x in (acb(fmpq(1, 100)), acb(fmpq(1, 3)), acb(fmpq(9, 10)), acb(2), acb(11), acb(40)):
                for count in range(1, 9):
                    end = part.first + count
                    conditions = one.bound.split(", ") if one.bound else []
                    met = [_met(c, {**fixed, "x": x, "k": Fraction(end)}) for c in conditions]
                    if not all(met):
                        continue
                    head, step = value(written(part.head, fixed), x), value(written(part.step, fixed), x)
                    known = value(written(one.plus, fixed), x)
                    known += head * sum((value(written(part.at(k), fixed, k), x) * step**k for k in range(part.first, end)), acb(0))
                    gap = abs(value(written(one.of, fixed), x) - known)
                    out = abs(head * value(written(part.at(end), fixed, end), x) * step**end)
                    assert gap < out * (1 + arb(2) ** -60) + arb(2) ** (-BITS // 2), f"{one} of {fixed} at {x}, {count} terms"


def _met(condition, at):
    left, sign, right = condition.split(" ")[0], condition.split(" ")[1], " ".join(condition.split(" ")[2:])
    x = at["x"]
    put = {a: terms.number(v) for a, v in at.items() if a != "x"}
    low, high = (value(terms.substitute(terms.read(t), put), x).real for t in (left, right))
    return bool(low >= high) if sign == ">=" else bool(low <= high)


def test_each_series_is_of_a_row_and_is_cited():
    assert all(one.name in NAMED for one in SERIES)
    assert all(cited([one.fact]) for one in SERIES if one.fact)


VALUES = [(row.name, x, v) for row in {id(row): row for row in NAMED.values()}.values() for x, v in row.values_known.items()]


@pytest.mark.parametrize(("name", "x", "said"), VALUES)
def test_a_value_of_a_row_is_that_of_the_function(name, x, said):
    with ctx.workprec(200):
        found = BALLS[name](value(terms.read(x), None)) if name in BALLS else ball(terms.read(f"{name}({x})"), {}, 200)
        assert abs(found - value(terms.read(said), None)) < arb(2) ** -150


DERIVED = sorted({row.name for row in NAMED.values() if row.derivative and row.name in BALLS} - {"log", "exp"})


@pytest.mark.parametrize("name", DERIVED)
def test_taylors_series_by_the_derivative(name):
    """f(c + h) against what the kernel makes of it, at two h."""
    row = NAMED[name]
    centre = {"acosh": "5/3", "asin": "1/3", "acos": "1/3", "atanh": "1/3", "elliptic_k": "1/3", "elliptic_e": "1/3", "polylog": "1/3"}.get(name, "4/3")
    fixed = ["3/2", "5/2"][: row.least - 1] if name != "polygamma" else ["2"]
    if name == "betainc":
        centre = "1/3"
    text = f"{name}({', '.join([*fixed, f'{centre} + 1/n'])})"
    for order in (1, 2, 4):
        found = Expander(Algebra(Domain(), order), {"n": 0}, {}).series(terms.read(text))
        errors = []
        for n in (1000, 10_000):
            with ctx.workprec(400):
                total = acb(0)
                for c, g in found.terms:
                    e = dict(g.powers).get((0, 0))
                    power = Fraction(0) if e is None else e.constant()
                    total += value(_term(c), None) * acb(n) ** int(power)
                errors.append(abs(value(terms.substitute(terms.read(text), {"n": terms.number(n)}), None) - total))
        assert errors[1] * 10**order * 2 < errors[0] + arb(2) ** -300, f"{text} at order {order}: {errors}"


def _term(c):
    from asymp.kernel.rings.field import to_term

    return to_term(c)
