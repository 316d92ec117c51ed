"""What may stand in a file of claims: its tables and the keys of a claim, each with what it says.  The reader takes no others.

>>> [key for key in CLAIM if key.startswith("corrected")][:3]
['corrected', 'corrected-to', 'corrected-for']
"""

from __future__ import annotations

TABLES: dict[str, str] = {
    "paper": "key (a short name, needed), title, about, text (in which every quote occurs), model (a Python file beside it)",
    "variables": 'a name and its conditions: n = "whole, >= 1"',
    "names": 'a definition: B = "...", "term(k)" = "a^k/k!"',
    "notation": r"how a name is printed, and answers to what LaTeX leaves open: rho = '\rho', '\log' = '\ln'",
    "regimes": 'a name for limits: large = "n -> oo"',
    "domains": 'a name for conditions: small = "n in 1..6"',
    "model": 'a function of the model and its arguments: blocking = "whole n, a"',
    "functions": "a function of which only conditions are known",
    "sequences": 'a sequence by its recurrence: "a(n)" = "a(n + 1) = 2*a(n) + 1, a(0) = 0"',
    "chains": "a chain or a population, [chains.NAME]",
    "quantities": "what asymp enclose KEY/NAME gives",
    "figures": 'what asymp figure draws: harmonic = {of = "harmonic(n)", to = "n -> oo", terms = 2}',
    "claim": 'a claim, [claim."ID"]; its place is read off the ID: lemma-8.3 is Lemma 8.3',
}
"""Tables, in the order in which a file has them."""

CLAIM: dict[str, str] = {
    "quote": "the paper's own words, LaTeX or text",
    "says": "the statement; may be left out where the quote is one formula with a relation",
    "to": "what tends where: text, or a name of [regimes]",
    "for": "for which values: text, or a name of [domains]",
    "at": "points at which it is tried too",
    "corrected": "what is right, a claim of its own, ID-corrected",
    **{
        f"corrected-{key}": f"the same as {key}, of what is right"
        for key in ("to", "for", "at", "reading", "lemmas", "bridge")
    },
    "why": "why the printed one is wrong",
    "expected": "the outcome that is expected, where it is not holds and nothing is corrected",
    "place": "the paper's name of the place, where the ID does not say it",
    "reading": "how it was read, in words",
    "note": "the same",
    "narrowed": "what it leaves out of the printed statement: it then never counts as that",
    "ours": "true: a statement of our own, not printed",
    "differs": "how it stands to the machine's reading of its quote",
    "laid": "the quote as it is laid out in print, where a text has lost that",
    "where": "definitions that stand beside the quote",
    "used": "ids of the claims that rest on it in the paper",
    "lemmas": 'claims that its proof may use, ["lemma-1"], or statements proved on the way, "[w(n) >= 0 for whole n]"',
    "corrects": "the ID of the claim that it corrects, of two that stand apart",
    "correction": "the ID of the claim that corrects it",
    "bridge": "the name of [names] that it ties to the model",
    "words": "the statement in words, beside a test",
    **dict.fromkeys(("test", "sampled", "argued"), "code of a registered paper"),
    **{f"corrected-{key}": f"the same as {key}, of what is right" for key in ("sampled", "argued")},
    "kept": "true: its samples are kept",
    "complete": "true: the test goes through every case",
}
"""Keys of a claim."""


def page() -> str:
    """The keys as text.

    >>> page().splitlines()[0], "says  " in page()
    ('## A file of claims (TOML): its tables', True)
    """
    lines = ["## A file of claims (TOML): its tables", ""]
    lines += [f"{f'[{name}]':14}{words}" for name, words in TABLES.items()]
    lines += ["", '## Keys of a claim, [claim."ID"]', ""]
    return "\n".join([*lines, *(f"{key:{max(map(len, CLAIM)) + 2}}{words}" for key, words in CLAIM.items())]) + "\n"
