"""softplus is subadditive: one rule, and when it is tried."""

from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import Conclusion, apply, comparison_in, rule
from asymp.language.statement import read_statement

SAYS = read_statement("softplus(a + b) <= softplus(a) + softplus(b) for real a, real b")


@rule("subadditive")
def subadditive(premises, data):
    """softplus(a + b) <= softplus(a) + softplus(b) for all real a and b.

    1 + e^(a + b) < (1 + e^a)*(1 + e^b), and the logarithm increases.  Data: statement.
    """
    statement = comparison_in(data)
    if premises or canonical(statement) != canonical(SAYS):
        raise Refused("another statement than that softplus is subadditive")
    return Conclusion(statement)


def propose(statement, holds):
    """Tries the rule on a statement that nothing else has decided."""
    if not holds:
        raise Refused("the rule proves, and refutes nothing")
    return apply("softly/subadditive", statement=str(statement))
