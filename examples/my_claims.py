"""Claims of one's own: run them with ``asymp check examples/my_claims.py``."""

from asymp.parse import claim

CLAIMS = [
    claim("my/harmonic", "harmonic(n) = log(n) + EulerGamma + O(1/n)", to="n->oo", source="notes, eq. (1)"),
    claim(
        "my/too-sharp",
        "harmonic(n) = log(n) + EulerGamma + o(1/n)",
        to="n->oo",
        source="notes, eq. (2)",
        expected="refuted",
    ),
    claim("my/rate", "n^(2-a)*log(n) = o(n)", to="n->oo", assume="a>1", source="notes, eq. (3)"),
]
