"""What oscillates or jumps in the kernel: what its rules prove and refute, and what each of their conditions keeps out."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath
import pytest
from witnessed import witnessed

from asymp.check.ask import ask
from asymp.kernel import terms
from asymp.kernel.growths import bounded as bounded
from asymp.kernel.growths.exact import Whole, sine
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.kernel.trust import cited
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

PLACE = {"scales": {"s": "n"}, "values": {"n": "s"}}
SMALL = {"scales": {"s": "1/x"}, "values": {"x": "1/s"}}


def holds(text, classes=1, place=PLACE, order=3, premises=()):
    return witnessed("bounded", premises, statement=text, order=order, place=place, classes=classes)


def fails(text, order=3, premises=(), **values):
    return apply("along", premises, statement=text, order=order, runner="s", values=values)


def refused(text, classes=1, **others):
    with pytest.raises(Refused):
        holds(text, classes, **others)


# --- exact values at whole numbers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sin(2*pi*k + 1)", "sin(1)"), ("sin(pi*k)", "0"), ("cos(2*pi*k + pi/3)", "1/2"), ("sin(pi*k + pi/6)", "(-1)^k/2"),
        ("cos(pi*k)", "(-1)^k"), ("(-1)^(k^2 + k)", "1"), ("(-1)^(k^3)", "(-1)^k"), ("(-1)^(3*k + 1)", "-(-1)^k"),
        ("(-2)^k", "(-1)^k*2^k"), ("((-1)^k)^2", "1"), ("floor(k + 7/2)", "k + 3"), ("ceiling(k - 1/2)", "k"),
        ("floor(3*k + log(3)/log(2))", "3*k + 1"), ("floor(log(2^k)/log(2))", "k"), ("floor(-k - 1/2)", "-k - 1"),
        ("sin(x)", "sin(x)"), ("(-1)^(k/2)", "(-1)^(k/2)"), ("(-1)^x", "(-1)^x"), ("floor(x + 1)", "floor(x + 1)"),
        ("sin(pi*x)", "sin(pi*x)"), ("sin(pi*k/2)", "sin(pi*k/2)"), ("floor(k/2)", "floor(k/2)"),
    ],
)  # fmt: skip
def test_what_is_exact_at_whole_numbers(text, expected):
    assert Whole(frozenset({"k"})).settled(terms.read(text)) == terms.read(expected)


@pytest.mark.parametrize("denominator", [1, 2, 3, 4, 5, 6, 12])
def test_sines_of_rational_turns(denominator):
    for k in range(-3 * denominator, 3 * denominator):
        value = sine(Fraction(k, denominator))
        if value is None:
            continue
        with mpmath.workdps(50):
            written = mpmath.mpf(0) + eval_of(value)
            assert abs(written - mpmath.sin(mpmath.pi * k / denominator)) < mpmath.mpf(10) ** -45


def eval_of(term):
    """The value by mpmath, which shares nothing with the kernel."""
    inner = [eval_of(part) for part in term.parts]
    match term.head:
        case "number":
            return mpmath.mpf(term.number.numerator) / term.number.denominator
        case "power":
            return inner[0] ** inner[1]
        case "product":
            return mpmath.fprod(inner)
        case "sum":
            return mpmath.fsum(inner)
        case "name":
            return {"k": 17, "j": 4, "pi": mpmath.pi}[term.name]
    return {"sin": mpmath.sin, "cos": mpmath.cos, "floor": mpmath.floor, "ceiling": mpmath.ceil}[term.head](*inner)


def test_rewriting_does_not_change_a_value():
    """Random waves of whole variables: the term as it was and as it is settled have the same value."""
    rng, changed = random.Random(11), 0
    whole = Whole(frozenset({"k", "j"}))
    for _ in range(200):
        a, b, c, d = (rng.choice([-5, -3, -2, -1, 1, 2, 3, 4, 7]) for _ in range(4))
        inside = f"({a}*k^2 + {b}*j*k + ({c})/{rng.choice([1, 2, 3, 6])} + ({d})/7*k*{rng.choice([0, 0, 1])})"
        shape = rng.choice(["sin(pi*X)", "cos(pi*X + 1/3)", "floor(X)", "ceiling(X)", "(-1)^(2*j*k*X*0 + (A)*k + j)*sin(pi*X)"])
        term = terms.read(shape.replace("X", inside).replace("A", str(a)))
        found = whole.settled(term)
        changed += found != term
        with mpmath.workdps(60):
            assert abs(eval_of(found) - eval_of(term)) < mpmath.mpf(10) ** -40, str(term)
    assert changed > 100


# --- what holds --------------------------------------------------------------------------------------------

TRUE = [
    ("n*(2 + sin(n)) = Theta(n) as n -> oo", 1), ("exp(sin(n)) = Theta(1) as n -> oo", 1), ("1/(2 + cos(n)) = O(1) as n -> oo", 1),
    ("n + sin(n) -> oo as n -> oo", 1), ("n*Abs(sin(n)) = O(n) as n -> oo", 1), ("n*(1 + sin(n)^2) = Theta(n) as n -> oo", 1),
    ("floor(log(n)) ~ log(n) as n -> oo", 1), ("2^floor(log(n)/log(2)) = Theta(n) as n -> oo", 1),
    ("floor(n) - floor(n) = o(0) as n -> oo", 1), ("sin(n)*a/n -> 0 as n -> oo for a > 0", 1), ("(-1)^n = O(1) as whole n -> oo", 1),
    ("n + (-1)^n ~ n as whole n -> oo", 1), ("(-1)^n = Theta(1) as whole n -> oo", 2), ("(2 + (-1)^n)^n = O(3^n) as whole n -> oo", 2),
    ("floor(n/2) + floor((n + 1)/2) = n + o(1) as whole n -> oo", 2), ("2 + cos(pi*n/3) = Theta(1) as whole n -> oo", 6),
    ("exp(sqrt(log(n))) = o(n^a) as n -> oo for a > 0", 1), ("log(n)^100 = o(n^(1/100)) as n -> oo", 1), ("0 ~ 0 as n -> oo", 1),
    ("log(log(n))^5 = o(log(n)) as n -> oo", 1), ("n^9*exp(-log(n)^2) -> 0 as n -> oo", 1), ("Max(n, n^2) ~ n^2 as n -> oo", 1),
    ("Min(2*n, n, n + 1) ~ n as n -> oo", 1), ("n^sin(n) = O(n) as n -> oo", 1), ("exp(n*cos(n)) = O(exp(n)) as n -> oo", 1),
    ("n^(sin(n) + cos(n)) = O(n^2) as n -> oo", 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "classes"), TRUE)
def test_bounded_quantities(text, classes):
    assert cited(holds(text, classes).trusts)


FALSE = [
    "1 + cos(n) = Theta(1) as n -> oo",  # 1 + cos(n) vanishes: the interval is closed
    "1/(1 + sin(n)) = O(1) as n -> oo",
    "log(1 + sin(n)) = O(1) as n -> oo",
    "sin(n)^(1/2) = O(1) as n -> oo",  # of what may be negative
    "sin(log(-n)) = O(1) as n -> oo",  # the argument has no meaning
    "sin(1/(n - n)) = O(1) as n -> oo",
    "0*sin(log(-n)) = o(1) as n -> oo",
    "0 = O(log(-n)) as n -> oo",
    "sin(n) -> sin(n) as n -> oo",  # what moves is no limit
    "exp(n*sin(n)) = O(1) as n -> oo",
    "sin(n)/sin(n) -> 1 as n -> oo",
    "floor(n) = n + o(1) as n -> oo",  # for whole n alone
    "(-1)^n = O(1) as n -> oo",
    "(-1)^(n/2) = O(1) as whole n -> oo",
    "(-1)^(1/n) = O(1) as whole n -> oo",
    "(-1)^m*n = O(n) as whole n -> oo for m > 0",
    "((-1)^n)^(1/3) = O(1) as whole n -> oo",
    "(-8)^(1/3)*n ~ -2*n as whole n -> oo",
    "n*floor(1 + 1/n) ~ 2*n as n -> oo",
    "1/n = O(0) as n -> oo",
    "exp(-n) ~ 0 as n -> oo",
    "0 = Theta(1) as n -> oo",
    "0 = Omega(1) as n -> oo",
    "0 ~ sin(n) as n -> oo",
    "sin(a)*n = Theta(n) as n -> oo for a > 0",
    "sin(n, 2) = O(1) as n -> oo",
    "floor(n, 2) ~ n as n -> oo",
    "Sum(sin(k), (k, 1, n)) = O(n) as n -> oo",
    "wave1_*sin(n) = O(1) as n -> oo for wave1_ > 0",  # a name that stands for a bounded quantity
    "(0*sin(n))^0 -> 1 as n -> oo",
    "Max(n, log(-n)) ~ n as n -> oo",
    "Max(2 + sin(n), 3) = Theta(n) as n -> oo",
    "Min(n, n^2) ~ n^2 as n -> oo",
    "n^sin(n) = o(n) as n -> oo",
    "n^sin(n) = O(n^(1 - 10^(-200))) as n -> oo",
    "n^(a*sin(n)) = O(n) as n -> oo for a > 0",
    "n^(2*sin(n)^2 - sin(n)) = O(n) as n -> oo",  # 3 at -1
    "n^(sin(n)*cos(n) + sin(n)) = O(n) as n -> oo",
    "n^sin(n) = O(0) as n -> oo",
    "n^a = o(exp(sqrt(log(n)))) as n -> oo for a > 0",
    "n^(1/100) = O(log(n)^100) as n -> oo",
]


@pytest.mark.parametrize("text", FALSE)
@pytest.mark.parametrize("classes", [1, 2])
def test_what_is_false_or_has_no_meaning_is_refused(text, classes):
    refused(text, classes)


@pytest.mark.parametrize(
    "text",
    [
        "(-1)^n -> 1 as whole n -> oo",  # along one class it does
        "floor(n/2) = n/2 + o(1) as whole n -> oo",
        "a*(-1)^n = o(1) as whole n -> oo for a > 0",
        "(2 + (-1)^n)^n = O(2^n) as whole n -> oo",
        "1 + (-1)^n = Theta(1) as whole n -> oo",
        "n*p -> 1 as whole n -> oo, p = 2/n",
        "n*p + (-1)^n = O(1) as whole n -> oo, p = 1/n",  # classes of n are none of p = 1/n, as it stands
        "m*(-1)^n = O(m) as whole n -> oo, whole m -> oo",
    ],
)
def test_every_class_has_to_hold(text):
    refused(text, 2)


@pytest.mark.parametrize("data", [{"classes": 0}, {"classes": True}, {"classes": 10**6}, {"classes": "2"}, {"order": 0}])
def test_data_of_other_types_are_refused(data):
    given = {"statement": "(-1)^n = O(1) as whole n -> oo", "order": 3, "place": PLACE, "classes": 1, "runner": "k", "values": {"n": "k"}}
    assert apply("bounded", **given).holds
    with pytest.raises(Refused):
        apply("bounded", **{**given, **data})
    with pytest.raises(Refused):
        apply("bounded", **given, more=1)


def test_small_quantities():
    assert holds("x*sin(1/x) -> 0 as x -> 0+", place=SMALL).holds
    refused("sin(1/x) -> 0 as x -> 0+", place=SMALL)
    refused("floor(x) = o(x) as x -> 0+", place=SMALL)  # true, but not seen


# --- what fails ---------------------------------------------------------------------------------------------

PATHS = [
    ("1 = O(sin(n)) as n -> oo", {"n": "pi*s"}), ("sin(n) = o(1) as n -> oo", {"n": "2*pi*s + pi/2"}),
    ("sin(log(n)) = o(1) as n -> oo", {"n": "exp(2*pi*s + pi/2)"}), ("sin(1/x) = o(1) as x -> 0+", {"x": "1/(2*pi*s + pi/2)"}),
    ("n*cos(2*n + 1) = Omega(n) as n -> oo", {"n": "pi*s/2 + pi/4 - 1/2 + pi*s/2"}),
    ("(-1)^n -> 1 as whole n -> oo", {"n": "2*s + 1"}), ("n - floor(n) = o(1) as real n -> oo", {"n": "s + 1/2"}),
    ("2^floor(log(n)/log(2)) ~ n as whole n -> oo", {"n": "3*2^s"}), ("ceiling(sqrt(n))^2 = n + O(1) as whole n -> oo", {"n": "s^2 + 1"}),
    ("floor(sqrt(n)) = sqrt(n) + o(1) as whole n -> oo", {"n": "s^2 + s"}), ("1/n = o(0) as n -> oo", {"n": "s"}),
    ("exp(-n) ~ 0 as n -> oo", {"n": "s"}), ("(a - 2)*n = Theta(n) as n -> oo for a > 1", {"n": "s", "a": "2"}),
    ("(a - 2)*n + 1 ~ (a - 2)*n as n -> oo for a > 1", {"n": "s", "a": "2"}), ("a^n = O(2^n) as n -> oo for a > 1", {"n": "s", "a": "3"}),
    ("n*(2 + sin(n)) = o(n*(2 + (-1)^n)) as whole n -> oo", {"n": "2*s"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), PATHS)
def test_a_path_on_which_it_fails(text, values):
    assert fails(text, **values).holds is False


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sin(n) = o(1) as whole n -> oo", {"n": "2*pi*s + pi/2"}),  # not whole
        ("sin(n) = o(1) as whole n -> oo", {"n": "s"}),
        ("floor(n) = n + o(1) as whole n -> oo", {"n": "s + 1/2"}),
        ("sin(pi*n) = o(1) as whole n -> oo", {"n": "s + 1/2"}),
        ("n^2 = O(n) as whole n -> oo", {"n": "2^(-s)"}),
        ("n^2 = O(n) as whole n -> oo", {"n": "2^(s - 5)"}),  # whole, but not seen to be
        ("n^2 = O(n) as whole n -> oo", {"n": "(-2)^s"}),
        ("sin(n) = O(1) as n -> oo", {"n": "2*pi*s + pi/2"}),  # it holds
        ("(-1)^n = O(1) as whole n -> oo", {"n": "2*s + 1"}),
        ("sin(n) = o(1) as n -> oo for n < 5", {"n": "2*pi*s + pi/2"}),
        ("sin(n) = o(1) as n -> oo", {"n": "-2*pi*s - 3*pi/2"}),
        ("sin(n) = o(1) as n -> oo", {"n": "pi*s"}),
        ("n - floor(n) = o(1) as n -> oo", {"n": "s"}),
        ("0 = Omega(0) as n -> oo", {"n": "s"}),  # 0 <= C*0
        ("1 = O(a - 2) as n -> oo for a > 2", {"n": "s", "a": "2"}),
        ("a*sin(n) = o(1) as n -> oo for whole a > 0", {"n": "2*pi*s + pi/2", "a": "1/2"}),
        ("a*n = o(n) as n -> oo", {"n": "s", "a": "s"}),
        ("pi*n ~ 3*n as n -> oo", {"n": "s", "pi": "4"}),
        ("sin(n) = o(1) as n -> oo", {"n": "sin(s)"}),
        ("sin(n) = o(s) as n -> oo", {"n": "2*pi*s + pi/2"}),  # the runner is a variable of the statement
        ("floor(n + sin(n)/n) = n + o(1) as whole n -> oo", {"n": "s"}),
        ("f(n) = O(1) as n -> oo", {"n": "s"}),
        ("n = O(1) as n -> oo", {"n": "s", "s": "5"}),
    ],
)
def test_a_path_has_to_be_one_and_to_refute(text, values):
    with pytest.raises(Refused):
        fails(text, **values)


def test_a_floor_next_to_a_whole_number_takes_its_side():
    assert fails("floor(n - 1/n) = n + o(1) as whole n -> oo", n="s").holds is False
    assert fails("floor(n + 1/n) = n - 1 + o(1) as whole n -> oo", n="s").holds is False
    for text in ("floor(n + 1/n) = n + o(1)", "floor(n - 1/n) = n - 1 + o(1)", "ceiling(n + exp(-n)) = n + 1 + o(1)"):
        with pytest.raises(Refused):
            fails(f"{text} as whole n -> oo", n="s")


# --- mutations ------------------------------------------------------------------------------------------------

EQUALITIES = [
    ("n + sin(n) ~ {}*n as n -> oo", 1), ("n*(2 + sin(n))/n^2 + 1 -> {} as n -> oo", 1), ("floor(n/2) ~ {}*n/2 as n -> oo", 1),
    ("(-1)^(n^2 + n) -> {} as whole n -> oo", 1), ("n + (-1)^n ~ {}*n as whole n -> oo", 1), ("cos(2*pi*n) -> {} as whole n -> oo", 1),
    ("((-1)^n)^2 -> {} as whole n -> oo", 1), ("floor(n + 1/3)/n -> {} as whole n -> oo", 1),
    ("2*sin(pi*n + pi/6)*(-1)^n -> {} as whole n -> oo", 2), ("n - 2*floor(n/2) + 2*floor(n/2) - n + 1 -> {} as whole n -> oo", 2),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "classes"), EQUALITIES)
def test_a_constant_that_is_wrong_at_the_two_hundredth_digit_is_refused(pattern, classes):
    assert holds(pattern.format("1"), classes).holds
    for wrong in ("(1 + 10^(-200))", "(1 - 10^(-200))", "(-1)", "0", "(1 + sin(n))"):
        refused(pattern.format(wrong), classes)


@pytest.mark.parametrize(("text", "classes"), [(t, m) for t, m in TRUE if " = O(" in t or " = Theta(" in t])
def test_a_smaller_growth_is_refused(text, classes):
    left, rest = text.split(" = O(" if " = O(" in text else " = Theta(")
    growth, regime = rest.split(") as ")
    refused(f"{left} = {'O' if ' = O(' in text else 'Theta'}(({growth})/log(n)) as {regime}", classes)


# --- certified values beside theorems ---------------------------------------------------------------------------


def test_no_theorem_against_numbers():
    """Random statements f = O(n^k) with waves in f: what is proved is bounded at many n, what is refuted is not."""
    rng, proved = random.Random(5), 0
    functions = {"sin(n)": math.sin, "cos(n^2)": lambda n: math.cos(n * n), "(-1)^n": lambda n: (-1) ** (n % 2),
                 "(floor(n/3) - n/3)": lambda n: n // 3 - n / 3}  # fmt: skip
    for _ in range(40):
        (one, f), (two, g) = rng.sample(sorted(functions.items()), 2)
        a, b, c, k = rng.randint(0, 2), rng.randint(0, 2), rng.choice([0, 1, 2, 3]), rng.randint(0, 3)
        text = f"n^{a}*{one}*({c} + {two}) + n^{b}*{two} = O(n^{k}) as whole n -> oo".replace("n^0", "1")
        for outcome in (True, False):
            try:
                theorem(read_statement(text), outcome)
            except Refused:
                continue
            sizes = [
                max(abs(n**a * f(n) * (c + g(n)) + n**b * g(n)) / n**k for n in range(size, size + 400)) for size in (10**3, 10**6)
            ]
            proved += 1
            assert (sizes[1] < 10 + 10 * sizes[0]) is outcome, text
    assert proved > 20


# --- letters, and what is asked back ------------------------------------------------------------------------------


def test_a_letter_that_has_to_be_whole_is_said_to_be():
    assert ask("(-1)^n = O(1)", to="n->oo").claim.closed == "(-1)^n = O(1) as whole n -> oo"
    assert ask("sin(n) = O(1)", to="n->oo").claim.closed == "sin(n) = O(1) as n -> oo"
    verdict = ask("factorial(n)*sin(n) = o(factorial(n))", to="n->oo")
    assert verdict.claim.closed.endswith("as whole n -> oo") and verdict.outcome == "refuted"


def test_a_theorem_of_one_reading_does_not_decide_what_is_asked_back():
    verdict = ask("sin(pi*n) = o(1)", to="n->oo")
    assert (verdict.outcome, verdict.asked_back, verdict.certificate) == ("undecided", ("n",), None)
    assert ask("sin(pi*n) = o(1)", to="real n->oo").certificate and ask("sin(pi*n) = o(1)", to="integer n->oo").certificate


def test_certificates_are_replayed():
    for text, outcome in (("n*(2 + sin(n)) = Theta(n) as n -> oo", True), ("1 = O(sin(n)) as n -> oo", False)):
        assert replay(certificate(theorem(read_statement(text), outcome))).holds is outcome
