"""softplus is convex: one rule, and when it is tried."""

from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import Conclusion, apply, comparison_in, rule
from asymp.language.statement import read_statement

SAYS = read_statement("2*softplus((a + b)/2) <= softplus(a) + softplus(b) for real a, real b")


@rule("midpoint")
def midpoint(premises, data):
    """2 softplus((a + b)/2) <= softplus(a) + softplus(b) for all real a and b.

    softplus'' = e^x/(1 + e^x)^2 > 0, so that softplus is convex (Jensen).  Data: statement.
    """
    statement = comparison_in(data)
    if premises or canonical(statement) != canonical(SAYS):
        raise Refused("another statement than that softplus is convex at midpoints")
    return Conclusion(statement)


def propose(statement, holds):
    """Tries the rule on a statement that nothing else has decided."""
    if not holds:
        raise Refused("the rule proves, and refutes nothing")
    return apply("softly/midpoint", statement=str(statement))
