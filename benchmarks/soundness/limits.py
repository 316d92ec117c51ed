"""Limits that are a little off: known ones (by hand, or from the DLMF) times 1 + 10^-4, 1 - 10^-6 and the like.

Most converge like 1/ln n, and some are beyond the engine, so that the answer rests on numbers alone: these must
not speak for a limit that they exclude, and they exclude each of the mutants.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

KNOWN = (
    ("harmonic(n)/log(n)", "1", "DLMF 5.11.2"),
    ("harmonic(n)-log(n)", "EulerGamma", "DLMF 5.2.3"),
    ("log(factorial(n))/(n*log(n))", "1", "Stirling"),
    ("(1+1/n)^n", "E", "definition"),
    ("n^(1/n)", "1", "ln n/n -> 0"),
    ("li(n)*log(n)/n", "1", "DLMF 6.12.2"),
    ("gamma(n+1/2)/(gamma(n)*sqrt(n))", "1", "DLMF 5.11.12"),
    ("binomial(2*n,n)*sqrt(pi*n)/4^n", "1", "Stirling"),
    ("log(2*n)/log(n)", "1", "1 + ln 2/ln n"),
    ("LambertW(n)/log(n)", "1", "DLMF 4.13.10"),
    ("(log(n)+log(log(n)))/log(n)", "1", "ln ln n/ln n -> 0"),
    ("zeta(1+1/log(n))/log(n)", "1", "a simple pole"),
    ("zeta(2+1/n)", "pi^2/6", "continuous"),
    ("atan(n)", "pi/2", "continuous at oo"),
    ("E1(1/n)/log(n)", "1", "DLMF 6.6.2"),
    ("log(log(n)+5)/log(log(n))", "1", "5/(ln n ln ln n)"),
    ("digamma(n)-log(n)+1", "1", "DLMF 5.11.2"),
    ("(3^n+5^n)^(1/n)", "5", "(3/5)^n -> 0"),
    ("(log(n)+1)/(log(n)-1)", "1", "by hand"),
    ("sqrt(log(n)^2+log(n))-log(n)", "1/2", "by hand"),
    ("log(n)^(1/log(n))", "1", "ln ln n/ln n -> 0"),
    ("(1+1/log(n))^log(n)", "E", "definition"),
    ("exp(1/log(n))", "1", "continuous"),
    ("gamma(1+1/n)", "1", "continuous"),
    ("Sum(1/k^2,(k,1,n))", "pi^2/6", "Euler"),
    ("Sum(1/k,(k,1,n))/log(n)", "1", "DLMF 5.11.2"),
    ("beta(1/n,1/2)/n", "1", "a simple pole"),
    ("polylog(2,1-1/n)", "pi^2/6", "continuous"),
    ("n*(exp(1/n)-1)", "1", "by hand"),
    ("sqrt(n^2+n)-n", "1/2", "by hand"),
    ("(sin(n)+n)/n", "1", "sin n/n -> 0"),
    ("log(n+sqrt(n))/log(n)", "1", "n^(-1/2)/ln n"),
    ("exp(digamma(n))/n", "1", "DLMF 5.11.2"),
    ("log(log(n^2))-log(log(n))", "log(2)", "by hand"),
)
FACTORS = ("(1+1/10^4)", "(1-1/10^4)", "(1+1/10^6)", "(1-1/10^6)", "(1+1/10^12)")


def statements() -> Iterator[Statement]:
    """Each limit, and its mutants."""
    for f, value, source in KNOWN:
        yield Statement(f"{f} -> {value}", "n->oo", (), True, "limits", source)
        for factor in FACTORS:
            yield Statement(f"{f} -> ({value})*{factor}", "n->oo", (), False, "limits", f"{source}, times {factor}")
        yield Statement(f"({f})/({value}) = O(1)", "n->oo", (), True, "limits", source)
        yield Statement(f"({f})/({value}) ~ 1+1/10^4", "n->oo", (), False, "limits", source)
