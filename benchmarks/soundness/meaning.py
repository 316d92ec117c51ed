"""Statements without a meaning, and their neighbours that have one: undefined parts, ends of sums, cut domains.

Whether a part is real where it is stated is written down by hand, with the place; nothing here comes from asymp.
Each part is hidden in several ways, in which a computer algebra system drops it: 0*P, P - P, P/P, P^0, cos(P).
A statement without a meaning asserts nothing: neither *holds* nor *refuted* is an answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

HIDDEN = ("{0}", "0*{0}", "{0} - {0}", "{0}/{0}", "({0})^0", "cos({0})", "exp({0})*exp(-({0}))", "Max({0}, 1)")

FAR = (  # undefined for arbitrarily large n (or wherever the limit is approached), and the neighbour that is defined
    ("log(-n)", "n->oo", "log(n)"),
    ("log(5-n)", "n->oo", "log(n-5)"),
    ("sqrt(-n)", "n->oo", "sqrt(n)"),
    ("sqrt(1-n)", "n->oo", "sqrt(n-1)"),
    ("(1-n)^(1/3)", "n->oo", "(n-1)^(1/3)"),
    ("asin(1+1/n)", "n->oo", "asin(1-1/n)"),
    ("acos(n)", "n->oo", "acos(1/n)"),
    ("acos(2)", "n->oo", "acos(1/2)"),
    ("acosh(1/n)", "n->oo", "acosh(n)"),
    ("acosh(1-1/n)", "n->oo", "acosh(1+1/n)"),
    ("atanh(n)", "n->oo", "atanh(1/n)"),
    ("LambertW(-n)", "n->oo", "LambertW(n)"),
    ("LambertW(-1/2)", "n->oo", "LambertW(-1/4)"),
    ("gamma(-n)", "n->oo", "gamma(1/n)"),
    ("gamma(-n)", "integer n->oo", "gamma(1/2 + 1/n)"),
    ("harmonic(-n)", "n->oo", "harmonic(1/n)"),
    ("factorial(-n)", "integer n->oo", "factorial(n)/n^n"),
    ("loggamma(-n)", "n->oo", "loggamma(1+1/n)"),
    ("log(log(1/n))", "n->oo", "log(log(n))"),
    ("log(cos(n)-1)", "n->oo", "log(cos(1/n))"),
    ("li(1-2)", "n->oo", "li(1/2)"),
    ("besselk(1, -n)", "n->oo", "besselk(1, n)"),
    ("polylog(2, n)", "n->oo", "polylog(2, -n)"),
    ("uppergamma(1/2, -n)", "n->oo", "uppergamma(1/2, n)"),
    ("expint(1, -n)", "n->oo", "expint(1, n)"),
    ("E1(-n)", "n->oo", "E1(n)"),
    ("(-8)^(1/3)", "n->oo", "8^(1/3)"),
    ("(-1)^(n/2)", "n->oo", "(-1)^(2*n)"),
    ("(-1)^(n+1/2)", "integer n->oo", "(-1)^(n^2+n)"),
    ("(-2)^(n/3)", "n->oo", "(-1/2)^n"),
    ("(-n)^(-n-1/2)", "integer n->oo", "(-n)^(-n)"),
    ("tan(n)", "real n->oo", "tan(1/n)"),
    ("1/sin(n)", "real n->oo", "1/(2+sin(n))"),
    ("log(sin(n))", "real n->oo", "log(2+sin(n))"),
    ("log(1-x)", "x->1+", "log(1+x)"),
    ("sqrt(-x)", "x->0+", "sqrt(x)"),
    ("acos(x)", "x->1+", "acos(x)"),
    ("log(x)", "x->0-", "log(1+x)"),
)
NEAR_SIDE = {"x->1+": "x->1-", "x->0-": "x->0+"}

ON_DOMAIN = (  # undefined at the place that is named, and a condition under which it is defined
    ("log(n-5)", "n >= 1", "n = 1", "n >= 6"),
    ("log(n-5)", "integer n >= 5", "n = 5", "integer n >= 6"),
    ("log(log(n))", "n >= 1", "n = 1", "n > 1"),
    ("1/(n-5)", "n >= 1", "n = 5", "n >= 6"),
    ("1/(n-5)", "integer n >= 1", "n = 5", "1 <= n <= 4"),
    ("1/(2*n-5)", "real n >= 1", "n = 5/2", "integer n >= 1"),
    ("1/(n^2-2)", "real n >= 1", "n = sqrt(2)", "integer n >= 1"),
    ("1/(x^2-x-1)", "x >= 1", "x = (1+sqrt(5))/2", "x >= 2"),
    ("1/(exp(x)-3)", "x >= 1", "x = log(3)", "x >= 2"),
    ("sqrt(n^2-5*n+6)", "real n >= 1", "n = 5/2", "integer n >= 1"),
    ("sqrt(x)", "x >= -1", "x = -1", "x >= 0"),
    ("x^(1/3)", "x <= -1", "x = -1", "x >= 0"),
    ("x^x", "-2 < x < -1", "x = -3/2", "x > 0"),
    ("(1-1/n)^(-n)", "n >= 1", "n = 1", "n >= 2"),
    ("n^(-n)", "n >= 0", "n = 0", "n >= 1"),
    ("asin(x)", "0 <= x <= 2", "x = 2", "0 <= x <= 1"),
    ("acos(x-1)", "x >= 0", "x = 3", "0 <= x <= 2"),
    ("acosh(x)", "x > 0", "x = 1/2", "x >= 1"),
    ("atanh(x)", "0 <= x <= 1", "x = 1", "0 <= x < 1"),
    ("li(x)", "0 < x < 2", "x = 1", "x > 1"),
    ("Ei(x-1)", "x >= 1", "x = 1", "x > 1"),
    ("Ei(x)", "x >= -1", "x = 0", "x <= -1"),
    ("gamma(x)", "x >= -1/2", "x = 0", "x > 0"),
    ("gamma(-n)", "integer n >= 1", "n = 1", "integer n <= -1"),
    ("digamma(n-3)", "integer n >= 1", "n = 1", "integer n >= 4"),
    ("harmonic(x-3)", "x >= 1", "x = 1", "x > 2"),
    ("loggamma(x)", "x >= 0", "x = 0", "x > 0"),
    ("zeta(x)", "x >= 1/2", "x = 1", "x > 1"),
    ("polylog(1, x)", "0 <= x <= 1", "x = 1", "0 <= x < 1"),
    ("LambertW(x)", "x >= -1", "x = -1", "x >= 0"),
    ("tan(x)", "0 <= x <= 2", "x = pi/2", "0 <= x <= 1"),
    ("cot(x)", "0 <= x <= 1", "x = 0", "0 < x <= 1"),
    ("1/cos(x)", "0 <= x <= 3", "x = pi/2", "0 <= x <= 1"),
    ("log(sin(x))", "0 <= x <= 1", "x = 0", "0 < x <= 1"),
    ("log(sign(x))", "x >= 0", "x = 0", "x > 0"),
    ("1/Abs(x)", "x >= -1", "x = 0", "x >= 1"),
    ("log(Abs(x))", "-1 <= x <= 1", "x = 0", "x >= 1"),
    ("1/floor(x)", "x > 0", "x = 1/2", "x >= 1"),
    ("besselk(0, x)", "x >= 0", "x = 0", "x > 0"),
    ("uppergamma(0, x)", "x >= 0", "x = 0", "x > 0"),
    ("log(x, 2-x)", "0 < x < 2", "x = 1", "1/4 < x < 3/4"),
    ("log(x-y)", "x >= 1, y >= 1", "x = y = 1", "x >= 3, 0 < y < 2"),
    ("sqrt(1-x^2-y)", "0 <= x <= 1, 0 <= y <= 1", "x = y = 1", "0 <= x < 1/2, 0 <= y < 1/2"),
)

SUMS = (  # no meaning: an end that is not whole, or a range that runs backwards
    ("Sum(1,(k,1,sqrt(n))) = sqrt(n) + o(1)", "n->oo"),
    ("Sum(k^2,(k,1,n/2)) = n^3/24 + n^2/8 + O(n)", "n->oo"),
    ("Sum(2^k,(k,n,n-3)) ~ -3*2^n/4", "n->oo"),
    ("Sum(1/k,(k,1,log(n))) ~ log(log(n))", "n->oo"),
    ("Sum(1/k,(k,n/3,n)) -> log(3)", "n->oo"),
    ("Sum(1,(k,1/2,n)) ~ n", "n->oo"),
    ("Sum(1,(k,n,1)) ~ -n", "n->oo"),
    ("Sum(k,(k,n+2,n)) = O(n)", "n->oo"),
    ("Sum(1,(k,n,sqrt(n))) = O(n)", "n->oo"),
    ("Product(2,(k,1,n/2)) ~ 2^(n/2)", "n->oo"),
    ("Product(k,(k,n,n-5)) = O(1)", "n->oo"),
    ("Sum(Sum(1,(j,1,k/2)),(k,1,n)) ~ n^2/4", "n->oo"),
    ("Sum(Sum(1,(j,k,1)),(k,1,n)) = O(n^2)", "n->oo"),
    ("Sum(1/(n-k),(k,1,n)) ~ log(n)", "n->oo"),
    ("Sum(log(k),(k,0,n)) ~ n*log(n)", "n->oo"),
    ("Sum(1/k,(k,-1,n)) ~ log(n)", "n->oo"),
    ("Sum(sqrt(k-3),(k,1,n)) = O(n^2)", "n->oo"),
    ("Sum(1,(k,1,n)) ~ n", "real n->oo"),
    ("Sum(1,(k,1,p)) = O(1)", "p->0+"),
    ("Sum(1,(k,1,n)) >= 1 for real n >= 1", None),
    ("Sum(1,(k,1,n-2)) >= -1 for n >= 0", None),
    ("Sum(1,(k,1,n/2)) <= n for integer n >= 1", None),
    ("Sum(1,(k,3,x)) >= 0 for 0 < x < 1", None),
    ("Integral(1/t,(t,-1,1)) <= n for n >= 1", None),
    ("Integral(1/(t-1/2)^2,(t,0,1)) <= n for n >= 1", None),
    ("Integral(log(t),(t,-1,1)) = O(n)", "n->oo"),
    ("n = O(oo)", "n->oo"),
    ("oo <= n for n >= 1", None),
)
FINE = (  # neighbours with a meaning, and whether they are true
    ("Sum(1,(k,1,floor(sqrt(n)))) ~ sqrt(n)", "n->oo", True),
    ("Sum(1,(k,1,n)) = n + o(1)", "n->oo", True),
    ("Sum(k,(k,1,2*n)) ~ 2*n^2", "n->oo", True),
    ("Sum(2^k,(k,n-3,n)) ~ 15*2^n/8", "n->oo", True),
    ("Sum(2^k,(k,n,n-1)) -> 0", "n->oo", True),
    ("Sum(1,(k,1,n*(n+1)/2)) ~ n^2/2", "n->oo", True),
    ("Sum(1,(k,n,2*n)) ~ n", "n->oo", True),
    ("Sum(1/(n-k),(k,1,n-1)) ~ log(n)", "n->oo", True),
    ("Sum(1/k,(k,1,n)) ~ 2*log(n)", "n->oo", False),
    ("Sum(1,(k,1,n)) <= n for integer n >= 0", None, True),
    ("Sum(1,(k,1,n)) <= n - 1 for integer n >= 1", None, False),
    ("Integral(t^(-1/2),(t,0,n)) ~ 2*sqrt(n)", "n->oo", True),
    ("x >= 0 for x <= 5", None, False),
    ("x^2 >= 0 for x <= 5", None, True),
    ("x^3 <= 125 for x <= 5", None, True),
    ("Abs(x) <= x for x >= -1", None, False),
    ("sign(x) >= 1 for x >= 0", None, False),
    ("sqrt(x^2) = x for x >= -1", None, False),
    ("sin(pi*n) -> 0", "integer n->oo", True),
    ("sin(pi*n) -> 0", "real n->oo", False),
    ("cos(pi*n)^2 -> 1", "integer n->oo", True),
    ("(-1)^(n^2+n) -> 1", "n->oo", True),
    ("(-1)^(n*(n+1)/2) -> 1", "n->oo", False),
    ("factorial(n)/factorial(floor(n)) -> 1", "n->oo", True),
    ("cos(n*acos(x)) = O(1)", "n->oo", True),
)


def statements() -> Iterator[Statement]:
    """The statements without a meaning (truth None), and their neighbours that have one."""
    for part, to, neighbour in FAR:
        for form in HIDDEN:
            yield Statement(f"{form.format(part)} = O(1)", to, (), None, "meaning", f"{part} is not real there")
        side = NEAR_SIDE.get(to, to.replace("real ", "").replace("integer ", ""))
        yield Statement(f"0*({neighbour}) -> 0", side, (), True, "meaning", "defined, times 0")
    for part, where, place, good in ON_DOMAIN:
        for form in HIDDEN:
            yield Statement(f"{form.format(part)} <= 7 for {where}", None, (), None, "meaning", f"undefined at {place}")
        yield Statement(f"0*({part}) <= 7 for {good}", None, (), True, "meaning", "defined, times 0")
        yield Statement(f"0*({part}) >= 7 for {good}", None, (), False, "meaning", "defined, times 0")
    for text, to in SUMS:
        yield Statement(text, to, (), None, "ends of sums", "no meaning")
    for text, to, true in FINE:
        assume = ("0<x<1",) if "acos(x)" in text else ()
        yield Statement(text, to, assume, true, "ends of sums", "by hand")
