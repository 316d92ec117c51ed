r"""The words of a formula that say something, and those that do not and are refused.

>>> [item.text for item in flat(Context(r"f \text{for all } x", Notation(), Answers({})), items(r"f \text{for all } x"))]
['f', 'for', 'x']
"""

from __future__ import annotations

from asymp.latex.choices import Answers
from asymp.latex.context import Context
from asymp.latex.items import Item, Items
from asymp.latex.notation import Notation
from asymp.latex.tree import items

PHRASES = {
    "for all": "for", "for every": "for", "for each": "for", "for any": "for", "for": "for", "for some": "some",
    "there is": "some", "uniformly in": "uniform", "uniformly for": "uniform", "uniformly for all": "uniform", "as": "as",
    "when": "where", "whenever": "where", "where": "where", "with": "where", "provided that": "where", "provided": "where",
    "given": "where", "assuming": "where", "if and only if": "iff", "iff": "iff", "if": "if", "and": "and", "then": "then",
    "otherwise": "otherwise", "else": "otherwise", "is increasing in": "increasing", "is decreasing in": "decreasing",
    "is nondecreasing in": "nondecreasing", "is nonincreasing in": "nonincreasing", "is largest at": "largest",
    "is least at": "least", "has one root": "root", "real": "real", "whole": "whole", "integer": "whole", "integers": "whole",
    "in": "in", "in the limit": "as", "subject to": "where",
}  # fmt: skip
"""Words -> what they say."""
SENTENCES = frozenset(
    "a an are but by clearly else from has have hence if implies in is it let max min not note of on or otherwise recall since "
    "so such suppose that the then there therefore thus to under we when where which with".split()
)
"""Words that no name is."""
_LONGEST = max(len(phrase.split()) for phrase in PHRASES)


def flat(context: Context, found: Items) -> Items:
    """Items with the words outside of brackets as phrases, and the formulas among words as items."""
    out: list[Item] = []
    level = 0
    for k, item in enumerate(found):
        level += (item.kind == "open") - (item.kind == "close")
        if item.kind != "text" or level > 0:  # what stands in brackets may belong to a sign
            if item.kind != "cell":
                out.append(item)
            continue
        pieces = item.parts[0]
        following = found[k + 1] if k + 1 < len(found) else None
        one = len(pieces) == 1 and pieces[0].kind == "word" and pieces[0].text not in PHRASES
        name = one and not item.font and pieces[0].text.lower() not in SENTENCES
        scripted = following is not None and following.kind in ("sub", "sup") and pieces and pieces[-1].kind == "word"
        if name or (scripted and not item.font):
            if not item.text.replace(" ", "_").isidentifier():
                raise context.fail(f"the words {item.text!r} are not read", item)
            out.append(Item("upright", item.text.replace(" ", "_"), at=item.at))
            continue
        out += _said(context, pieces)
    return tuple(out)


def _said(context: Context, pieces: Items) -> list[Item]:
    out: list[Item] = []
    k = 0
    while k < len(pieces):
        piece = pieces[k]
        if piece.kind != "word":
            out.append(piece)
            k += 1
            continue
        run: list[str] = []
        while k + len(run) < len(pieces) and pieces[k + len(run)].kind == "word" and len(run) < _LONGEST:
            run.append(pieces[k + len(run)].text)
        for length in range(len(run), 0, -1):
            phrase = " ".join(run[:length])
            said = PHRASES.get(phrase) or PHRASES.get(phrase.lower())
            if said == "in":
                out.append(Item("relation", "in", at=piece.at))
            elif said:
                out.append(Item("phrase", said, at=piece.at))
            else:
                continue
            k += length
            break
        else:
            raise context.fail(f"the words {' '.join(run)!r} are not read", piece)
    return out


__all__ = ["PHRASES", "Answers", "Context", "Notation", "flat", "items"]
