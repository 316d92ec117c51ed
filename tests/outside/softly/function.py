"""softplus(x) = log(1 + e^x), as a function of asymp's language."""

from flint import arb

from asymp.functions.row import Row


def ball(x):
    """A ball around the values at a number or at all points of a ball."""
    x = arb(x)
    return x + (-x).exp().log1p() if x > 0 else x.exp().log1p()


ROW = Row(
    "softplus",
    range="f > 0",
    slope=1,
    derivative="1 - 1/(1 + exp(x))",
    ball="softly.function:ball",
    source="Dugas et al. (2001)",
)
