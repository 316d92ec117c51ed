"""Whether a statement is true, by numbers alone: ``python -m benchmarks.papers.truth [--kind K]``, ``--suite S`` of the peers'.

Both sides are computed at some sizes (:mod:`benchmarks.papers.numbers`); nothing of asymp is used.  In the data ``left`` is
another way to the left side (an exact recurrence in :mod:`benchmarks.papers.sequences`, for example), ``check`` and
``check_false`` are Python where the statement has a form that is not read here, ``at`` gives the values of the variables,
``path`` a way through the regime, ``digits`` the precision.  An asymptotic statement is confirmed by |f - g| over its
remainder at growing sizes: it stays bounded, or falls; it is false where that grows, or stays.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import mpmath as mp

from benchmarks.papers.numbers import free, python, tree, value

ORDERS = ("O", "o", "Theta", "Omega", "omega")
COMPARED = ("<=", ">=", "<", ">")
BRUTE, LARGE = ("8", "32", "128", "512"), ("1e3", "1e5", "1e7", "1e9")
"""The sizes at a limit: where a sum is computed term by term, and elsewhere."""
WHOLE = ("0", "1", "2", "3", "4", "5", "7", "10", "20", "50")
REAL = ("-3", "-1/2", "0", "1/100", "1/4", "1/2", "3/4", "99/100", "1", "5/4", "2", "5", "20", "100")
DIGITS = 60


def found(text: str, to: str, numbers: Mapping[str, Any], assume: Sequence[str] = (), true: bool = True) -> bool | None:
    """What numbers say of a statement; None where they do not say."""
    with mp.workdps(numbers.get("digits", DIGITS)):
        if (own := numbers.get("check" if true else "check_false")) is not None:
            return bool(python(own, {}))
        body, _, domain = text.partition(" for ")
        if not to:
            return _finite(body, [part for whole in (domain, *assume) for part in _conditions(whole)], domain, numbers)
        return _all(_limit(body, one, numbers) for one in numbers.get("path", [to]))


def _all(ways: Iterable[bool | None]) -> bool | None:
    each = set(ways)
    return False if False in each else None if None in each or not each else True


# --- for all of a domain -------------------------------------------------------------------------


def _conditions(domain: str) -> list[str]:
    """The conditions, without the words for kinds; a sequence that is given is none.

    >>> _conditions("whole n >= 1, 0 < p < 1"), _conditions("sequence a(n), a(n+1) = 2*a(n)")
    (['n >= 1', '0 < p < 1'], [])
    """
    if domain.startswith("sequence"):
        return []
    bare = re.sub(r"\b(whole|real|integer)\b", "", domain)
    return [part.strip() for part in re.split(r",(?![^(]*\))", bare) if part.strip()]


def _finite(body: str, conditions: Sequence[str], domain: str, numbers: Mapping[str, Any]) -> bool | None:
    if rounds := re.match(r"(.*) rounds to (.*)", body):
        return _rounds(value(tree(rounds[1]), {}), rounds[2].strip())
    signs = re.findall(r"<=|>=|<|>|=", body)
    sides = [tree(part) for part in re.split(r"<=|>=|<|>|=", body)]
    tests = [tree(part) for part in conditions]
    variables = sorted(set().union(*map(free, sides), *map(free, tests)))
    whole = {*re.findall(r"(?:whole|integer) (\w+)", domain), *"nmkij"}
    tried = 0
    for point in _grid(numbers.get("at", {}), {name: WHOLE if name in whole else REAL for name in variables}):
        if not all(value(test, point) for test in tests):
            continue
        tried += 1
        own = numbers.get("left")
        first = python(own, point) if own else value(sides[0], point)
        values = [first, *(value(side, point) for side in sides[1:])]
        if not all(_holds(sign, f, g) for sign, f, g in zip(signs, values, values[1:], strict=False)):
            return False
    return True if tried else None


def _holds(sign: str, f: Any, g: Any) -> bool:
    """Whether they are so, where what agrees to two thirds of the digits is equal."""
    if abs(f - g) <= mp.mpf(10) ** (-mp.mp.dps * 2 // 3) * max(1, abs(f), abs(g)):
        return sign in ("=", "<=", ">=")
    return sign != "=" and bool((f < g) == (sign in ("<", "<=")))


def _rounds(number: Any, text: str) -> bool:
    """Whether it rounds, or is cut, to the digits.

    >>> _rounds(mp.pi, "3.14"), _rounds(mp.pi, "3.1416"), _rounds(mp.pi, "3.142"), _rounds(mp.pi, "3.143")
    (True, True, True, False)
    """
    unit, digits = mp.mpf(10) ** -len(text.partition(".")[2]), mp.mpf(text)
    return bool(abs(number - digits) <= unit / 2 or abs(mp.floor(number / unit) * unit - digits) < unit / 4)


def _grid(at: Mapping[str, Sequence[str]], usual: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    values = [[value(tree(one), {}) for one in at.get(name, those)] for name, those in usual.items()]
    for chosen in itertools.product(*values):
        yield dict(zip(usual, chosen, strict=True))


# --- at a limit ----------------------------------------------------------------------------------


def _limit(body: str, to: str, numbers: Mapping[str, Any]) -> bool | None:
    """What holds at a limit, for each value of the parameters."""
    sign = next(one for one in ("~", "->", *COMPARED, "=") if one in body)
    own, at = numbers.get("left"), numbers.get("at", {})
    left, right = (tree(part) if k or not own else None for k, part in enumerate(body.split(sign, 1)))
    assert right is not None
    terms, order, size = _remainder(right) if sign == "=" else (right, "", None)
    ties = dict(re.findall(r"(\w+) *= *([^,]*)", to))
    sizes = _sizes(to, at, BRUTE if own or re.search(r"Sum|Product|Integral", body) else LARGE)
    parts = [part for part in (left, terms, size, *map(tree, ties.values())) if part is not None]
    others = set().union(*map(free, parts)) - ties.keys() - set(re.findall(r"(\w+) *->", to))

    def at_size(point: dict[str, Any]) -> Any:
        for name, tie in ties.items():
            point[name] = value(tree(tie), point)
        f = python(own, point) if left is None else value(left, point)
        g = mp.mpf(0) if terms is None else value(terms, point)
        if sign in COMPARED:
            return _holds(sign, f, g)
        if sign == "~":
            return abs(f / g - 1)
        if sign == "->":
            return 1 / f if g == mp.inf else -1 / f if g == -mp.inf else abs(f - g)
        assert size is not None, body
        return abs((f - g) / value(size, point))

    ways = []
    for chosen in _grid(at, dict.fromkeys(sorted(others), ("1/2", "2"))):
        values = [at_size({**chosen, **point}) for point in sizes]
        ways.append(
            (values[-1] if values[-2] == values[-1] else None) if sign in COMPARED else _so(order or "o", values)
        )
    return _all(ways)


def _sizes(to: str, at: Mapping[str, Sequence[str]], usual: Sequence[str]) -> list[dict[str, Any]]:
    """The points on the way to the limit of what tends first."""
    first = re.match(r"(?:whole |integer |real )*(\w+) *-> *([^,]*)", to)
    assert first, to
    name, end = first.groups()
    values = [value(tree(size), {}) for size in at.get(name, usual)]
    if name not in at and end != "oo":
        values = [{"0+": 1 / one, "1-": 1 - 1 / one, "1+": 1 + 1 / one, "-oo": -one}[end] for one in values]
    return [{name: one} for one in values]


def _remainder(right: ast.expr) -> tuple[ast.expr | None, str, ast.expr | None]:
    """``terms + O(g)`` as terms, O, g."""
    if isinstance(right, ast.Call) and isinstance(right.func, ast.Name) and right.func.id in ORDERS:
        return None, right.func.id, right.args[0]
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add):
        _, order, size = _remainder(right.right)
        return right.left, order, size
    return right, "", None


def _so(order: str, values: Sequence[Any]) -> bool | None:
    """Whether the quotients by the remainder are as O, o, ... say."""
    inverse = [] if order in "Oo" else [mp.inf if one == 0 else 1 / one for one in values]
    if order == "Theta":
        return _all([_stays(values), _stays(inverse)])
    test = _tends if order in ("o", "omega") else _stays
    return test(inverse or values)


def _tends(values: Sequence[Any]) -> bool | None:
    """Whether they fall towards 0, from one size to the next: None where that is not clear.

    >>> _tends([1, 0.5, 0.25]), _tends([1.5, 1.1, 1.05]), _tends([-1, -2, -3])
    (True, False, False)
    """
    *_, before, last = values
    if min(before, last) < 0:
        return False
    if last < mp.mpf(10) ** (-mp.mp.dps // 2) or last < before * mp.mpf("0.8"):
        return True
    return False if last > before * mp.mpf("0.93") else None


def _stays(values: Sequence[Any]) -> bool | None:
    """Whether they stay bounded: None where that is not clear.

    >>> _stays([0.9, 0.99, 0.999]), _stays([1, 2, 3])
    (True, False)
    """
    *_, first, before, last = values
    if last <= mp.mpf("1.12") * max(first, before) or last < mp.mpf(10) ** (-mp.mp.dps // 3):
        return True
    return False if last > before * mp.mpf("1.2") > first * mp.mpf("1.4") else None


def main(words: Sequence[str] | None = None) -> int:
    """Prints what is not confirmed; 1 where there is something."""
    from benchmarks.papers.statements import HERE, statements

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", help="one kind alone: its name or number")
    parser.add_argument("--suite", metavar="S", help="a suite of benchmarks/peers instead")
    options = parser.parse_args(words)
    suite = options.suite
    asked, wrong = statements(suite, HERE.parent / "peers") if suite else statements(options.kind), 0
    for one in asked:
        begin = time.perf_counter()
        try:
            says: Any = found(one.text, one.to, one.numbers, one.assume, one.true)
        except Exception as error:  # whatever it is, the statement is not confirmed
            says = f"{type(error).__name__}: {error}"
        if says is not one.true:
            wrong += 1
            print(f"not confirmed: {one} is {one.true}, numbers say {says}", flush=True)
        if (took := time.perf_counter() - begin) > 5:
            print(f"slow: {took:.0f} s: {one}", flush=True)
    print(f"{len(asked)} statements, {sum(one.true for one in asked)} true: {wrong} not confirmed")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
