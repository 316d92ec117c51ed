"""Formulas in the languages of the other systems, and their answers back.

A dialect names each function by a template of its arguments; what has none cannot be asked.

>>> to_text(parse("Sum(log(k), (k, 1, n)) - loggamma(n)"), GIAC)
'sum(ln(k),k,1,n)-(ln(Gamma(n)))'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import sympy as sp

from benchmarks.capability.evaluate import Unreadable, parse


@dataclass(frozen=True)
class Dialect:
    """How a system writes constants, functions, sums and integrals ({0} the body, {1} variable, {2} {3} the range)."""

    constants: Mapping[str, str]
    functions: Mapping[str, str]
    sum: str
    integral: str
    product: str = ""
    power: str = "^"
    infinity: Callable[[sp.Expr], str] = field(default=str)


GIAC = Dialect(
    {"pi": "pi", "E": "exp(1)", "EulerGamma": "euler_gamma", "oo": "inf", "-oo": "-inf"},
    {
        "log": "ln({0})", "exp": "exp({0})", "gamma": "Gamma({0})", "loggamma": "ln(Gamma({0}))", "polygamma": "Psi({1},{0})",
        "digamma": "Psi({0})", "harmonic": "(Psi({0}+1)+euler_gamma)", "zeta": "Zeta({0})", "erf": "erf({0})",
        "erfc": "erfc({0})", "Ei": "Ei({0})", "li": "Ei(ln({0}))", "E1": "(-Ei(-({0})))", "uppergamma": "Gamma({0},{1})",
        "lowergamma": "igamma({0},{1})",
        "factorial": "(({0})!)", "binomial": "comb({0},{1})", "sin": "sin({0})", "cos": "cos({0})", "cosh": "cosh({0})",
        "sinh": "sinh({0})", "tan": "tan({0})", "floor": "floor({0})", "polylog": "polylog({0},{1})", "LambertW": "LambertW({0})",
    },
    "sum({0},{1},{2},{3})", "integrate({0},{1},{2},{3})", "product({0},{1},{2},{3})",
)  # fmt: skip
MAXIMA = Dialect(
    {"pi": "%pi", "E": "%e", "EulerGamma": "%gamma", "oo": "inf", "-oo": "minf"},
    {
        "log": "log({0})", "exp": "exp({0})", "gamma": "gamma({0})", "loggamma": "log_gamma({0})", "digamma": "psi[0]({0})",
        "polygamma": "psi[{0}]({1})", "harmonic": "(psi[0]({0}+1)+%gamma)", "harmonic2": "gen_harmonic_number({1},{0})",
        "zeta": "zeta({0})", "erf": "erf({0})", "erfc": "erfc({0})", "Ei": "expintegral_ei({0})", "E1": "expintegral_e1({0})",
        "li": "expintegral_li({0})", "uppergamma": "gamma_incomplete({0},{1})", "lowergamma": "gamma_incomplete_lower({0},{1})",
        "factorial": "(({0})!)", "binomial": "binomial({0},{1})", "sin": "sin({0})", "cos": "cos({0})", "cosh": "cosh({0})",
        "sinh": "sinh({0})", "tan": "tan({0})", "floor": "floor({0})", "polylog": "li[{0}]({1})", "LambertW": "lambert_w({0})",
        "LambertW2": "generalized_lambert_w({1},{0})",
    },
    "sum({0},{1},{2},{3})", "integrate({0},{1},{2},{3})", "product({0},{1},{2},{3})",
)  # fmt: skip
FRICAS = Dialect(
    {"pi": "%pi", "E": "%e", "EulerGamma": "(-digamma(1))", "oo": "%plusInfinity", "-oo": "%minusInfinity"},
    {
        "log": "log({0})", "exp": "exp({0})", "gamma": "Gamma({0})", "loggamma": "log(Gamma({0}))", "digamma": "digamma({0})",
        "polygamma": "polygamma({0},{1})", "harmonic": "(digamma({0}+1)-digamma(1))", "erf": "erf({0})", "erfc": "(1-erf({0}))",
        "Ei": "Ei({0})", "E1": "(-Ei(-({0})))", "li": "li({0})", "uppergamma": "Gamma({0},{1})",
        "lowergamma": "(Gamma({0})-Gamma({0},{1}))", "factorial": "factorial({0})", "binomial": "binomial({0},{1})",
        "sin": "sin({0})", "cos": "cos({0})", "cosh": "cosh({0})", "sinh": "sinh({0})", "tan": "tan({0})",
        "polylog": "polylog({0},{1})", "LambertW": "lambertW({0})", "zeta": "riemannZeta({0})", "zeta2": "hurwitzZeta({0},{1})",
    },
    "sum({0},{1}={2}..{3})", "integrate({0},{1}={2}..{3})", "product({0},{1}={2}..{3})",
)  # fmt: skip
PARI = Dialect(
    {"pi": "Pi", "E": "exp(1)", "EulerGamma": "Euler", "oo": "oo", "-oo": "-oo"},
    {
        "log": "log({0})", "exp": "exp({0})", "gamma": "gamma({0})", "loggamma": "lngamma({0})", "digamma": "psi({0})",
        "polygamma": "psi({1},{0})", "harmonic": "(psi({0}+1)+Euler)", "zeta": "zeta({0})", "zeta2": "zetahurwitz({0},{1})",
        "erfc": "erfc({0})", "erf": "(1-erfc({0}))", "E1": "eint1({0})", "Ei": "(-real(eint1(-({0}))))",
        "li": "(-real(eint1(-log({0}))))", "uppergamma": "incgam({0},{1})", "lowergamma": "incgamc({0},{1})",
        "factorial": "gamma(({0})+1)", "binomial": "(gamma(({0})+1)/gamma(({1})+1)/gamma(({0})-({1})+1))", "sin": "sin({0})",
        "cos": "cos({0})", "cosh": "cosh({0})", "sinh": "sinh({0})", "tan": "tan({0})", "floor": "floor({0})",
        "polylog": "polylog({0},{1})", "LambertW": "lambertw({0})", "LambertW2": "lambertw({0},{1})",
    },
    "sum({1}={2},{3},{0})", "intnum({1}={2},{3},{0})", "prod({1}={2},{3},{0})",
)  # fmt: skip


def to_text(expr: sp.Expr, dialect: Dialect) -> str:
    """The expression in a system's language.

    Raises:
        Unreadable: the system has no name for a function in it.
    """
    d = dialect
    if expr in (sp.oo, -sp.oo):
        return d.constants[str(expr)]
    if expr.is_Integer:
        return str(expr) if expr >= 0 else f"({expr})"
    if expr.is_Rational:
        return f"({expr.p}/{expr.q})"
    if expr.is_NumberSymbol:
        return d.constants[{"Exp1": "E", "Pi": "pi"}.get(type(expr).__name__, str(expr))]
    if expr.is_Symbol:
        return str(expr.name)
    if expr.is_Add:
        text = ""
        for term in sorted(expr.args, key=lambda t: t.could_extract_minus_sign()):
            minus = term.could_extract_minus_sign()
            text += ("-(" + to_text(-term, d) + ")") if minus else ("+" if text else "") + to_text(term, d)
        return text
    if expr.is_Mul:
        above, below = expr.as_numer_denom()
        if below != 1 and not below.is_Mul and above != expr:
            return f"({to_text(above, d)})/({to_text(below, d)})"
        if below != 1 and above != expr:
            return f"({to_text(above, d)})/({'*'.join('(' + to_text(a, d) + ')' for a in below.args)})"
        return "*".join(f"({to_text(a, d)})" if a.is_Add or a.is_Mul else to_text(a, d) for a in expr.args)
    if isinstance(expr, (sp.Sum, sp.Integral, sp.Product)):
        body, (name, low, high) = expr.args
        template = d.sum if isinstance(expr, sp.Sum) else d.integral if isinstance(expr, sp.Integral) else d.product
        return template.format(to_text(body, d), name, to_text(low, d), to_text(high, d))
    if isinstance(expr, sp.exp):
        return d.functions["exp"].format(to_text(expr.args[0], d))
    if expr.is_Pow:
        base, exponent = expr.args
        if exponent == -1:
            return f"1/({to_text(base, d)})"
        if exponent == sp.Rational(1, 2):
            return f"sqrt({to_text(base, d)})"
        return f"({to_text(base, d)}){d.power}({to_text(exponent, d)})"
    name, arguments = expr.func.__name__, [to_text(a, d) for a in expr.args]
    if name == "expint" and expr.args[0] == 1:
        name, arguments = "E1", arguments[1:]
    if name == "polygamma" and expr.args[0] == 0:
        name, arguments = "digamma", arguments[1:]
    if len(arguments) == 2 and name in ("harmonic", "zeta", "LambertW"):
        name += "2"
    if name not in d.functions:
        raise Unreadable(f"no {name} here")
    return d.functions[name].format(*arguments)


def from_giac(text: str) -> tuple[str, str]:
    """Terms and growth of the remainder of a series of Giac."""
    text = text.strip().replace("euler_gamma", "EulerGamma").replace("Zeta(", "zeta(").replace("Gamma(", "gamma(")
    text = text.replace("+infinity", "oo").replace("infinity", "oo").replace("Psi(", "digamma(")
    inner = r"\([^()]*(?:\([^()]*\)[^()]*)*\)"
    found = re.search(rf"[-+]?\s*([^-+()]*(?:{inner}[^-+()]*)*)\*?order_size{inner}", text)
    if not found:
        return text, ""
    return (text[: found.start()] or "0") + text[found.end() :], (found.group(1).strip("* ") or "1")


def from_maxima(text: str) -> str:
    """A formula of Maxima in the common syntax."""
    text = text.strip().replace("%pi", "pi").replace("%e", "E").replace("%gamma", "EulerGamma").replace("minf", "-oo")
    text = re.sub(r"\binf\b", "oo", text)
    return re.sub(r"psi\[(\d+)\]\(", r"polygamma(\1, ", text).replace("log_gamma", "loggamma")


def from_fricas(text: str) -> tuple[str, str]:
    """Terms and growth of the remainder of a series printed as Fortran by FriCAS."""
    text = text.replace("%pi", "pi").replace("NOTHING()+infinity", "oo").replace("NOTHING()-infinity", "-oo")
    text = re.sub(r"\bD(EXP|LOG|SQRT|SIN|COS|ATAN|SINH|COSH|TAN|TANH)\b", lambda m: m.group(1).lower(), text)
    text = re.sub(r"\*\*-(\d+)", r"**(-\1)", text).replace("Gamma(", "gamma(")
    found = re.search(r"\+?O\((.*)\)\s*$", text)
    return (text[: found.start()] or "0", found.group(1)) if found else (text, "")


def at_infinity(expr: sp.Expr, name: str, target: str, new: str = "x_") -> tuple[sp.Expr, str, str]:
    """The expression in a variable that tends to 0 from above, its name, and how to go back: n = 1/x, l = 1 - x."""
    n, x = sp.Symbol(name, positive=True), sp.Symbol(new, positive=True)
    if target == "oo":
        return expr.subs(n, 1 / x), new, f"1/{name}"
    place = sp.Rational(target[:-1])
    if place == 0:
        return expr.subs(n, x), new, name
    if target[-1] == "+":
        return expr.subs(n, place + x), new, f"({name}-{place})"
    return expr.subs(n, place - x), new, f"({place}-{name})"


def resolved(text: str, ties: list[tuple[str, str]]) -> sp.Expr:
    """The expression with its ties put in; an index i is renamed, for in some systems i is the imaginary unit."""
    values = {sp.Symbol(name, positive=True): parse(value) for name, value in ties}
    expr = parse(text).xreplace({sp.Symbol("i", positive=True): sp.Symbol("j", positive=True)})
    for _ in values:
        expr = expr.subs(values)
    return expr
