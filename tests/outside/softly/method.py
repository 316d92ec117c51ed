"""How softplus is expanded: by its definition."""

from asymp.kernel.terms import ONE, add, call
from asymp.prove.method import Method


def work(expander, term):
    """log(1 + e^u) for whatever u tends to."""
    return expander.series(call("log", add(ONE, call("exp", *term.parts))))


METHOD = Method("softplus", ("softplus",), work, order=100, source="Dugas et al. (2001)")
