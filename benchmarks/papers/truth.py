"""Whether a statement is true, by numbers alone: ``python -m benchmarks.papers.truth [--kind K]``.

Nothing of asymp is used.  Both sides are read by Python's own parser and computed by mpmath, sums term by term, at some sizes;
``left`` in the data is another way to the left side (an exact recurrence in :mod:`benchmarks.papers.sequences`, for example),
``check`` and ``check_false`` are Python where the statement has a form that is not read here.  ``at`` gives the values of the
variables, ``digits`` the precision.  An asymptotic statement is confirmed by |f - g| over its remainder at growing sizes: the
quotient stays, or falls; the false one is one that grows, or stays.

>>> found("harmonic(n) = log(n) + EulerGamma + O(1/n)", "n -> oo", {}), found("harmonic(n) = log(n) + O(1/n)", "n -> oo", {})
(True, False)
>>> found("harmonic(n) <= log(n) + 1 for n >= 1", "", {}), found("harmonic(n) < log(n) + 1 for n >= 1", "", {})
(True, False)
"""

from __future__ import annotations

import argparse
import ast
import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import mpmath as mp

from benchmarks.by_mpmath import BY_MPMATH
from benchmarks.papers import sequences

ORDERS = ("O", "o", "Theta", "Omega", "omega")
BRUTE = ("8", "32", "128", "512")
LARGE = ("1e3", "1e5", "1e7", "1e9")
WHOLE = ("0", "1", "2", "3", "4", "5", "7", "10", "20", "50")
REAL = ("-3", "-1/2", "0", "1/100", "1/4", "1/2", "3/4", "99/100", "1", "5/4", "2", "5", "20", "100")
DIGITS = 60
MANY = 100_000
"""Terms of an infinite sum, beyond which mpmath extrapolates it."""


# --- numbers for terms ---------------------------------------------------------------------------


def _sum(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    if high != mp.inf:
        return mp.fsum(term(mp.mpf(k)) for k in range(int(low), int(mp.floor(high)) + 1))
    found, small = mp.mpf(0), 0
    for k in itertools.count(int(low)):
        one = term(mp.mpf(k))
        found += one
        small = small + 1 if abs(one) <= abs(found) * mp.eps / 8 else 0
        if small > 8:
            return found
        if k - low == 400 and abs(one) > abs(found) * mp.mpf(10) ** -12:
            return mp.nsum(lambda j: term(mp.mpf(j)), [int(low), mp.inf])
        if k - low > MANY:
            raise ValueError("a sum without an end")
    return found


def _product(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    if high == mp.inf:
        return mp.exp(_sum(lambda k: mp.log(term(k)), low, high))
    return mp.fprod(term(mp.mpf(k)) for k in range(int(low), int(high) + 1))


def _integral(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    inside = [mp.mpf(2) ** j for j in range(-6, 9)]
    ends = [low, *(x for x in (*(-y for y in reversed(inside)), 0, *inside) if low < x < high), high]
    return mp.quad(term, ends)


TOTALS = {"Sum": _sum, "Product": _product, "Integral": _integral}
BASE: dict[str, Any] = {
    **BY_MPMATH, "ln": mp.log, "oo": mp.inf, "mp": mp, "Total": TOTALS, "Number": mp.mpf,
    "stieltjes": mp.stieltjes, "abs": abs,
    **{name: getattr(sequences, name) for name in sequences.__all__},
}  # fmt: skip
CONSTANTS = {
    "pi": lambda: +mp.pi,
    "E": lambda: +mp.e,
    "EulerGamma": lambda: +mp.euler,
    "Glaisher": lambda: +mp.glaisher,
}


class _Numbers(ast.NodeTransformer):
    """Numbers are mpmath's, totals are functions of their summand."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Call(ast.Name("Number", ast.Load()), [ast.Constant(str(node.value))], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not (isinstance(node.func, ast.Name) and node.func.id in TOTALS and len(node.args) > 1):
            return self.generic_visit(node)
        found = self.visit(node.args[0])
        for limits in node.args[1:]:
            assert isinstance(limits, ast.Tuple)
            name, low, high = limits.elts
            assert isinstance(name, ast.Name)
            which = ast.Subscript(ast.Name("Total", ast.Load()), ast.Constant(node.func.id), ast.Load())
            bound = ast.arguments([], [ast.arg(name.id)], None, [], [], None, [])
            found = ast.Call(which, [ast.Lambda(bound, found), self.visit(low), self.visit(high)], [])
        return found


def _tree(text: str) -> ast.expr:
    """The term, by Python's parser: ^ is a power, k! a factorial where it follows a name, a number or a bracket."""
    text = re.sub(
        r"\b(\d+(?:\.\d+)?)e(\d+)\b", r"(\1*10**\2)", text.replace("^", "**")
    )  # Python's own 1e400 is infinite
    while mark := re.search(r"(?<![!])!(?![!=])", text):
        head, depth = mark.start(), 0
        while head > 0:
            here = text[head - 1]
            depth += (here == ")") - (here == "(")
            if depth < 0 or (depth == 0 and not (here.isalnum() or here in "(_")):
                break
            head -= 1
        text = f"{text[:head]}factorial({text[head : mark.start()]}){text[mark.end() :]}"
    return ast.parse(text.strip(), mode="eval").body


def _compiled(tree: ast.expr) -> Any:
    whole = ast.Expression(_Numbers().visit(ast.parse(ast.unparse(tree), mode="eval").body))
    return compile(ast.fix_missing_locations(whole), "<statement>", "eval")


def _value(tree: ast.expr, point: Mapping[str, Any]) -> Any:
    names = {**BASE, **{name: make() for name, make in CONSTANTS.items()}, **point}
    return eval(_compiled(tree), names)


# --- what is said --------------------------------------------------------------------------------


def _cut(text: str) -> tuple[str, str]:
    body, _, domain = text.partition(" for ")
    return body, domain


def _conditions(domain: str) -> list[str]:
    """The conditions, without the words for kinds."""
    parts, depth, begin = [], 0, 0
    for k, letter in enumerate(domain + ","):
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and not depth:
            parts.append(re.sub(r"\b(whole|real|integer|all)\b", "", domain[begin:k]).strip())
            begin = k + 1
    return [part for part in parts if part]


def _sizes(to: str, brute: bool, at: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """The points on the way to the limit; ties of one variable to others are kept."""
    conditions = [part.strip() for part in to.split(",")]
    first = re.match(r"(?:whole |integer |real )*(\w+) *-> *(.*)", conditions[0])
    assert first, to
    name, end = first.groups()
    for size in at.get(name, BRUTE if brute else LARGE):
        number = _value(_tree(str(size)), {})
        if name not in at and end != "oo":
            number = {"0+": 1 / number, "0": 1 / number, "1-": 1 - 1 / number, "1+": 1 + 1 / number, "-oo": -number}[
                end
            ]
        point = {name: number}
        for part in conditions[1:]:
            if tie := re.match(r"(\w+) *= *(.*)", part):
                point[tie[1]] = tie[2]
        yield point


def _grid(at: Mapping[str, Sequence[Any]], names: Sequence[str], whole: set[str]) -> Iterator[dict[str, Any]]:
    values = [[_value(_tree(str(v)), {}) for v in at.get(name, WHOLE if name in whole else REAL)] for name in names]
    for chosen in itertools.product(*values):
        yield dict(zip(names, chosen, strict=True))


def _free(tree: ast.AST, bound: frozenset[str] = frozenset()) -> set[str]:
    if isinstance(tree, ast.Call):
        own = {limits.elts[0].id for limits in tree.args[1:] if isinstance(limits, ast.Tuple)}  # type: ignore[attr-defined]
        return set().union(*(_free(part, bound | own) for part in tree.args))
    if isinstance(tree, ast.Name):
        return set() if tree.id in bound or tree.id in CONSTANTS or tree.id == "oo" else {tree.id}
    return set().union(*(_free(part, bound) for part in ast.iter_child_nodes(tree)))


def _remainder(right: ast.expr) -> tuple[ast.expr | None, str, ast.expr | None]:
    """``terms + O(g)`` as terms, O, g."""
    if isinstance(right, ast.Call) and isinstance(right.func, ast.Name) and right.func.id in ORDERS:
        return None, right.func.id, right.args[0]
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add):
        terms, order, size = _remainder(right.right)
        if order and terms is None:
            return right.left, order, size
    return right, "", None


def _tends(values: Sequence[Any]) -> bool | None:
    """Whether they fall towards 0, and are not far: None where that is not clear."""
    if values[-1] < mp.mpf(10) ** (-mp.mp.dps // 2):
        return True
    *_, before, last = values
    if last < before * mp.mpf("0.8"):
        return True
    return False if last > before * mp.mpf("0.93") else None


def _stays(values: Sequence[Any]) -> bool | None:
    """Whether they stay bounded: None where that is not clear."""
    *_, first, before, last = values
    if last <= mp.mpf("1.12") * max(first, before) or last < mp.mpf(10) ** (-mp.mp.dps // 3):
        return True
    return False if last > before * mp.mpf("1.2") > first * mp.mpf("1.4") else None


def _limit(body: str, to: str, numbers: Mapping[str, Any], brute: bool) -> bool | None:
    sign = next(one for one in ("~", "->", "<=", ">=", "<", ">", "=") if one in body)
    left, right = body.split(sign, 1)
    own_left = numbers.get("left")
    left, right = None if own_left else _tree(left), _tree(right)
    terms, order, size = _remainder(right) if sign == "=" else (right, "", None)
    found: list[bool | None] = []
    given = numbers.get("at", {})
    ties = {tie[1] for tie in re.finditer(r"(\w+) *=", to)}
    own = (_free(left) if left else set()) | (_free(terms) if terms else set()) | (_free(size) if size else set())
    own |= set().union(set(), *(_free(_tree(tie[1])) for tie in re.finditer(r"\w+ *= *([^,]*)", to)))
    tending = set(re.findall(r"(\w+) *->", to))
    others = sorted(own - tending - ties)
    for chosen in _grid({name: given.get(name, ("1/2", "2")) for name in others}, others, set()):
        if not all(_value(_tree(part), chosen) for part in numbers.get("where", ())):
            continue
        values: list[Any] = []
        for point in _sizes(to, brute, given):
            here = {**chosen, **point}
            for name, value in list(here.items()):
                if isinstance(value, str):
                    here[name] = _value(_tree(value), here)
            f = (
                eval(own_left, {**BASE, **{k: make() for k, make in CONSTANTS.items()}, **here})
                if own_left
                else _value(left, here)
            )
            g = None if terms is None else _value(terms, here)
            if sign in ("<=", ">=", "<", ">"):
                values.append({"<=": f <= g, ">=": f >= g, "<": f < g, ">": f > g}[sign])
            elif sign == "~":
                values.append(abs(f / g - 1))
            elif sign == "->":
                values.append(1 / f if g == mp.inf else -1 / f if g == -mp.inf else abs(f - g))
            else:
                rest = f - g if g is not None else f
                values.append(abs(rest / _value(size, here)) if size is not None else abs(rest))
        if sign in ("<=", ">=", "<", ">"):
            found.append(all(values[-2:]))
        elif sign in ("~", "->") or order == "o":
            found.append(_tends(values) if min(values) >= 0 else False)
        elif order == "O":
            found.append(_stays(values))
        elif order == "Omega":
            found.append(_stays([1 / one for one in values]))
        elif order == "omega":
            found.append(_tends([1 / one for one in values]))
        elif order == "Theta":
            both = (_stays(values), _stays([1 / one for one in values]))
            found.append(False if False in both else None if None in both else True)
        else:
            raise ValueError(f"no remainder: {body}")
    return False if False in found else None if None in found or not found else True


def _finite(body: str, domain: str, numbers: Mapping[str, Any], assume: Sequence[str]) -> bool | None:
    if rounds := re.match(r"(.*) rounds to (.*)", body):
        value, text = _value(_tree(rounds[1]), {}), rounds[2].strip()
        unit = mp.mpf(10) ** -len(text.partition(".")[2])
        return bool(abs(value - mp.mpf(text)) <= unit / 2 or mp.floor(value / unit) * unit == mp.mpf(text))
    conditions = [
        part for whole in (domain, *assume) if not whole.startswith("sequence") for part in _conditions(whole)
    ]
    whole = set(re.findall(r"(?:whole|integer) (\w+)", domain))
    signs = re.findall(r"<=|>=|<|>|(?<![<>])=", body)
    trees = [_tree(part) for part in re.split(r"<=|>=|<|>|(?<![<>])=", body)]
    tests = [_tree(part) for part in conditions]
    names = sorted(set().union(*map(_free, trees), *map(_free, tests)))
    count = 0
    whole |= {name for name in names if name in ("n", "m", "k", "i", "j")}
    for point in _grid(numbers.get("at", {}), names, whole):
        try:
            if not all(_value(test, point) for test in tests):
                continue
        except (ValueError, ArithmeticError):
            continue
        values = [mp.nan if k == 0 and "left" in numbers else _value(tree, point) for k, tree in enumerate(trees)]
        if own := numbers.get("left"):
            values[0] = eval(own, {**BASE, **{name: make() for name, make in CONSTANTS.items()}, **point})
        count += 1
        for sign, f, g in zip(signs, values, values[1:], strict=False):
            near = abs(f - g) <= mp.mpf(10) ** (-mp.mp.dps * 2 // 3) * max(1, abs(f), abs(g))
            if not {
                "=": near,
                "<=": near or f <= g,
                ">=": near or f >= g,
                "<": not near and f < g,
                ">": not near and f > g,
            }[sign]:
                return False
    return True if count else None


def found(text: str, to: str, numbers: Mapping[str, Any], assume: Sequence[str] = (), true: bool = True) -> bool | None:
    """What numbers say of a statement; None where they do not say."""
    with mp.workdps(numbers.get("digits", DIGITS)):
        own = numbers.get("check" if true else "check_false")
        if own is not None:
            return bool(eval(own, {**BASE, **{name: make() for name, make in CONSTANTS.items()}}))
        body, domain = _cut(text)
        if body.count(" as "):
            body, to = body.split(" as ", 1)
        if not to:
            return _finite(body, domain, numbers, assume)
        brute = bool(re.search(r"Sum|Product|Integral", text)) or "left" in numbers
        ways = {_limit(body, one, numbers, brute) for one in numbers.get("path", [to])}
        return False if False in ways else None if None in ways else True


def main(words: Sequence[str] | None = None) -> int:
    """Prints what is not confirmed; 1 where there is something."""
    from benchmarks.papers.statements import statements

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", help="one kind alone: its name or number")
    options = parser.parse_args(words)
    asked, wrong = statements(options.kind), 0
    for one in asked:
        begin = time.perf_counter()
        try:
            says: Any = found(one.text, one.to, one.numbers, one.assume, one.true)
        except Exception as error:  # whatever it is, the statement is not confirmed
            says = f"{type(error).__name__}: {error}"
        if says is not one.true:
            wrong += 1
            print(
                f"{'not confirmed' if says is not (not one.true) else 'CONTRADICTED'}: {one} is {one.true}, numbers say {says}",
                flush=True,
            )
        if (took := time.perf_counter() - begin) > 5:
            print(f"slow: {took:.0f} s: {one}", flush=True)
    print(f"{len(asked)} statements, {sum(one.true for one in asked)} true: {wrong} not confirmed")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
