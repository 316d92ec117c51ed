"""Every form of a statement and of a condition, with what it says and an example: the page on the grammar is made from it.

>>> page().splitlines()[0]
'# The language of statements'
"""

from __future__ import annotations

from asymp.language.conditions import read_conditions, text_of
from asymp.language.statement import read_statement

FORMS: tuple[tuple[str, str, str], ...] = (
    ("f ~ g", "f/g tends to 1; that is f - g = o(g), also where g is 0", "harmonic(n) ~ log(n) as n -> oo"),
    ("f -> v", "f tends to v, or to oo", "(1 + 1/n)^n -> E as n -> oo"),
    ("X => Y", "in law; X is poisson(c), normal(m, v), ..., Laplace(f, (s, 0, oo)), Masses(f, (k, 0, n)), ..., scaled, shifted",
     "(poisson(n) - n)/sqrt(n) => normal(0, 1) as n -> oo"),
    ("f = O(g)", "also o, Theta, Omega, omega", "log(n) = o(n) as n -> oo"),
    ("f = a + b + O(g)", "or + o(g): the remainder", "harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo"),
    ("f = (1 + o(1))*g", "the same as f ~ g", "harmonic(n) = (1 + o(1))*log(n) as n -> oo"),
    ("f = g*exp(h + O(k))", "an order in exp, log, an exponent or a denominator: undone on both sides",
     "n! = n^(n*(1 + o(1))) as n -> oo"),
    ("f <= g + O(h)", "also o, and >=: Max(f - g, 0) = O(h)", "sin(n) <= 1 + o(1) as n -> oo"),
    ("... uniformly in C", "one bound for all these values", "i/n^2 = o(1) uniformly in whole i, 1 <= i <= n as n -> oo"),
    ("f = g for C", "equal on the domain", "Sum(k, (k, 1, n)) = n*(n+1)/2 for whole n >= 1"),
    ("f <= g for C", "also <, >=, >", "log(1+x) <= x for x > 0"),
    ("a <= b <= c for C", "a chain: each sign with its neighbours", "0 < 1/(1+x) < 1 for x > 0"),
    ("f <= g as R", "from some point on, and eventually may be said; also <, >=, >", "n <= n^2/1000 as n -> oo"),
    ("limsup(f) = c as R", "or <= c; liminf(f) = c, or >= c", "limsup(cos(pi*n/2)) = 1 as whole n -> oo"),
    ("not f -> v as R", "it fails; so of every form about a limit without parameters", "not sin(n) -> 0 as whole n -> oo"),
    ("f = g + C + O(h) for some C as R", "a number C, the same for all that moves; it may depend on parameters",
     "harmonic(n) = log(n) + C + O(1/n) for some real C as n -> oo"),
    ("f rounds to 0.57", "rounded, or cut, to the digits", "EulerGamma rounds to 0.5772"),
    ("f is increasing in x for C", "decreasing, nondecreasing, nonincreasing", "x/(1+x) is increasing in x for x > 0"),
    ("f is largest at x = v for C", "or least: of all x of the domain", "x*(1-x) is largest at x = 1/2 for 0 < x < 1"),
    ("f = g has one root x in (a, b)", "exactly one", "x^2 = 2 has one root x in (0, 2)"),
    ("A and B", "both", "0 < x and x < 1 for 1/3 < x < 1/2"),
    ("A iff B", "each where the other", "n^2 = 4 iff n = 2 for n in 0..6"),
    ("A if B", "the first wherever the second", "n^2 >= 4 if n >= 2 for n in 0..6"),
    ("A for some C for D", "of each of D some C", "k^2 = n for some k in 0..3 for n in {0, 1, 4, 9}"),
    ("A for D for some C", "one C, the same for all of D", "log(x) <= C*x for x > 0 for some C > 0"),
)
"""(pattern, what it says, an example)."""

CONDITIONS: tuple[tuple[str, str], ...] = (
    ("whole n >= 1", "a kind (whole or real; integer is whole) and a range"),
    ("0 < p < 1", "a range"),
    ("1 <= i <= n", "a range that depends on others"),
    ("n*mu1 > mun", "a condition on several"),
    ("p = 1/n^2", "a variable tied to others"),
    ("sequence a(n), a(n + 1) = 2*a(n) + 1, a(0) = 0", "the sequence that begins so and goes on by that recurrence"),
    ("n in 2..7", "whole numbers from 2 to 7: a finite domain"),
    ("p in {1/2, 1/10}", "a list of values"),
    ("(a, b) in {(1, 2), (3, 4)}", "a list of values of several"),
    ("n -> oo", "a limit; n -> -oo; p -> 0+ and p -> 1- from a side; x -> 0 from both, unless its range has one side"),
    ("n*p -> oo", "an ordering of what tends somewhere: to oo, to 0, or to a constant"),
    ("p = omega(log(n)/n)", "the same: p/(log(n)/n) -> oo; p = o(1/n) is n*p -> 0"),
)
"""(an example, what it says)."""


def page() -> str:
    """The grammar as text: every form with an example, printed as the parser reads it.

    >>> "f ~ g" in page()
    True
    """
    lines = ["# The language of statements", ""]
    lines += [
        "A statement is a closed formula: what is said, as what tends where, for which values of its variables.",
        "Variables are names; products are written with *; powers with ^; SymPy's names of functions are used.",
        "Whatever is not said is filled in from the declared variables, and shown; a name of which nothing is said is refused.",
        "",
        "## What may be said", "",
    ]  # fmt: skip
    for form, words, example in FORMS:
        lines += [form, f"    {words}", f"    e.g. {read_statement(example)}"]
    lines += ["", "## Conditions, separated by commas", ""]
    for example, words in CONDITIONS:
        lines += [text_of(read_conditions(example)), f"    {words}"]
    lines += ["", "## Terms", ""]
    lines += ["numbers 2, 0.5, 1e100; names n, mu1, alpha; pi, E, EulerGamma, oo; + - * / ^ ! !!; f(x, y);"]
    lines += ["Sum(f, (k, a, b)), Product(f, (k, a, b)), Integral(f, (t, a, b)), with several ranges, the last outermost."]
    lines += ["[z^n] F, the coefficient of z^n in the power series of F at z = 0: it reaches to the end of a product."]
    return "\n".join(lines) + "\n"
