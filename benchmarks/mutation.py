"""Makes true claims false, and asks the kernel for theorems of them: how many false ones are upheld (none may be), and
how many are refuted.

    python -m benchmarks.mutation lfms --every 4

Only claims with a theorem are taken, so that each mutant is false for certain: a factor 1 + 10^-6 or 1 + 10^-200 on the
right of ~, another limit, a term added that the remainder excludes, ~ and the remainder tightened by a logarithm; a side of
an equation moved by 10^-200, a comparison reversed or made strict the other way.  The mutants are the same in each run.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from asymp import registry
from asymp.claim import Outcome
from asymp.kernel.terms import Refused, name, of
from asymp.language.bodies import Body, Comparison, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Compared
from asymp.language.statement import Statement, is_asymptotic, read_statement
from asymp.language.syntax import Node, Parser
from asymp.prove.asymptotic import regime_of
from asymp.prove.claims import theorem

FACTORS = ("1 + 10^(-6)", "1 + 10^(-200)", "1 - 10^(-200)", "-1", "2")


def times(node: Node, factor: str) -> Node:
    """A term times another, given as text."""
    return Node("product", 1, "", (node, Parser(factor).whole()), "**")


def plus(node: Node, other: Node) -> Node:
    """A sum."""
    return Node("sum", 1, "", (node, other), "++")


def mutants(statement: Statement, large: str) -> Iterator[tuple[str, Body]]:
    """(what was done, a body that is false since the statement's is true); ``large`` tends to infinity in its regime."""
    body = statement.body
    log = f"log({large})"
    if isinstance(body, Ratio):
        for factor in (*FACTORS, log):
            yield f"times {factor}", replace(body, right=times(body.right, factor))
        yield "tightened", Ordering(body.left, "o", body.right)
        yield "widened", Ordering(body.left, "omega", body.right)
    elif isinstance(body, Limiting):
        value = of(body.value)
        if value in (name("oo"), of(Parser("-oo").whole())):
            yield "finite", replace(body, value=Parser("1").whole())
            yield "other sign", replace(body, value=Node("negative", 1, "", (body.value,)))
        else:
            for shift in ("10^(-6)", "10^(-200)", "1"):
                yield f"plus {shift}", replace(body, value=plus(body.value, Parser(shift).whole()))
            yield "infinite", replace(body, value=Parser("oo").whole())
    elif isinstance(body, Expanding):
        factors = ("10^(-6)", "10^(-200)", "1") if body.order == "o" else (log,)
        for factor in factors:
            yield f"a term more: {factor}", replace(body, kept=plus(body.kept, times(body.growth, factor)))
    elif isinstance(body, Comparison):
        yield from compared(body)
    elif isinstance(body, Ordering) and body.order in ("Theta", "o", "O"):
        excluded = {"Theta": ("o", "omega"), "o": ("Theta", "Omega"), "O": ("omega",)}[body.order]
        for order in excluded:
            yield f"{order} for {body.order}", replace(body, order=order)


def compared(body: Comparison) -> Iterator[tuple[str, Body]]:
    """Chains in which one link is false where it was true; a side of an equation moved by amounts of all sizes."""
    parts, signs = body.chain.parts, body.chain.signs
    opposite = {"=": ("<", ">"), "<": (">=", "="), "<=": (">",), ">": ("<=", "="), ">=": ("<",)}
    for k, sign in enumerate(signs):
        for other in opposite[sign]:
            yield f"{other} for {sign}", replace(body, chain=Compared(parts, (*signs[:k], other, *signs[k + 1 :])))
        for shift in ("1", "10^(-6)", "10^(-200)", "-10^(-200)") if sign == "=" else ():
            moved = (*parts[: k + 1], plus(parts[k + 1], Parser(shift).whole()), *parts[k + 2 :])
            yield f"plus {shift}", replace(body, chain=Compared(moved, signs))


def main() -> None:
    """Prints a line for each false statement that has a theorem, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paper")
    parser.add_argument("--every", type=int, default=1, help="take each k-th claim")
    arguments = parser.parse_args()
    begin = time.perf_counter()
    count: Counter[str] = Counter()
    for claim in registry.claims(arguments.paper)[:: arguments.every]:
        if claim.expected is not Outcome.HOLDS or not claim.closed:
            continue
        statement = read_statement(claim.closed)
        try:
            theorem(statement, True, claim.chains)
        except Refused:
            count["claims without a theorem"] += 1
            continue
        count["claims"] += 1
        regime = regime_of(statement) if is_asymptotic(statement.body) else None
        names = {s.name for s in regime.ties} | {s.name for s in regime.scales} if regime else set()
        large = "n" if "n" in names else "1/p" if "p" in names else ""
        known = large or isinstance(statement.body, Comparison)
        for what, body in mutants(statement, large) if known else ():
            mutant = replace(statement, body=body)
            count["mutants"] += 1
            try:
                theorem(mutant, True, claim.chains)
                count["false ones upheld"] += 1
                print(f"UPHELD {claim.id}: {what}: {mutant}")
            except Refused:
                pass
            try:
                theorem(mutant, False, claim.chains)
                count["refuted"] += 1
            except Refused:
                count["undecided"] += 1
    for word, k in sorted(count.items()):
        print(f"{k:5}  {word}")
    print(f"{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
