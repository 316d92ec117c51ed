r"""A display cut into pieces: at line breaks, commas, words and quantifiers; nothing is left out but spaces and full stops."""

from __future__ import annotations

from asymp.latex import signs
from asymp.latex.items import Item, Items
from asymp.latex.names import is_letter, sign_at

COMMA = Item("sign", ",")
STOPS = (COMMA, Item("sign", ";"))


def unwrapped(found: Items) -> Items:
    """The content of a display, without what wraps it and without the punctuation at its end."""
    found = stripped(found)
    while len(found) == 1 and found[0].kind == "env" and found[0].text in signs.DISPLAYS:
        found = stripped(found[0].parts[0])
    out: list[Item] = []
    for item in found:
        inner = item.parts[0] if item.kind == "env" and item.text in signs.DISPLAYS else (item,)
        out += inner
    return tuple(out)


def stripped(found: Items) -> Items:
    """Items without the spaces and the punctuation around them."""
    start, end = 0, len(found)
    while start < end and found[start].kind in ("space", "row"):
        start += 1
    while start < end and (found[end - 1].kind in ("space", "row") or found[end - 1] in (*STOPS, Item("sign", "."))):
        end -= 1
    return found[start:end]


def top(found: Items) -> list[Item]:
    """The items outside of brackets."""
    out, level = [], 0
    for item in found:
        level += (item.kind == "open") - (item.kind == "close")
        if level == 0:
            out.append(item)
    return out


def has_relation(found: Items) -> bool:
    """Whether a relation stands in items."""
    arrows = ("arrow", "underset", "overset", "stackrel")
    return any(item.kind == "relation" or (item.kind == "macro" and item.text in arrows) for item in found) or any(
        item.kind == "phrase" and item.text in ("increasing", "decreasing", "nondecreasing", "nonincreasing", "largest", "least")
        for item in found
    )


def is_inside(found: Items, k: int) -> bool:
    """Whether a space stands between two factors, so that nothing says what it separates."""
    before, after = found[k - 1] if k else None, found[k + 1] if k + 1 < len(found) else None
    if before is None or after is None:
        return False
    quantifies = after.kind == "macro" and after.text in ("forall", "exists", "arrow", "underset")
    joins = ("relation", "phrase", "space", "env")
    operators = (before.kind == "sign" and before.text != "!") or after.kind == "sign"
    limit = (before.kind, before.text) == ("macro", "lim")
    return not (before.kind in joins or after.kind in joins or operators or quantifies or limit)


def sides(found: Items) -> list[Items]:
    """What stands between the relations."""
    out: list[list[Item]] = [[]]
    for item in found:
        if item.kind == "relation":
            out.append([])
        elif item.kind != "space":
            out[-1].append(item)
    return [tuple(one) for one in out]


def links(found: Items) -> list[tuple[Item | None, Items]]:
    """The sides of a chain, each with the relation before it; none where there are words, commas, or other relations."""
    out: list[tuple[Item | None, list[Item]]] = [(None, [])]
    level = 0
    for item in found:
        level += (item.kind == "open") - (item.kind == "close")
        if level == 0 and (item.kind in ("text", "phrase", "env") or item in STOPS):
            return []
        if level == 0 and item.kind == "relation":
            if item.text not in ("=", "<=", "<", ">=", ">", "~", "->", "approx"):
                return []
            out.append((item, []))
        elif item.kind != "space":
            out[-1][1].append(item)
    return [(sign, stripped(tuple(side))) for sign, side in out] if all(side for _, side in out) else []


def is_for(item: Item) -> bool:
    """Whether a phrase begins conditions."""
    return item.kind == "phrase" and item.text in ("for", "some", "as")


def last_stop(found: Items) -> int:
    """Where the conditions of a leading ``\\forall`` end: at a colon, or at the last comma before a relation."""
    level, last = 0, 0
    for k, item in enumerate(found):
        level += (item.kind == "open") - (item.kind == "close")
        if level == 0 and item == Item("sign", ":") and found[k + 1 : k + 2] != (Item("relation", "="),):
            return k
        if level == 0 and item.kind == "phrase" and k and item.text in ("as", "where", "if", "iff"):
            break
        if level == 0 and item == COMMA and k + 1 < len(found) and has_relation(found[k + 1 :]):
            last = k
    return last


def quantified(found: Items, how: str) -> list[tuple[str, Items]]:
    r"""The conditions of ``\exists a > 0, \forall b > 0`` behind the first quantifier, each with what it says: some, or for."""
    out: list[tuple[str, list[Item]]] = [(how, [])]
    for item in found:
        if item.kind == "macro" and item.text in ("forall", "exists"):
            last = out[-1][1]
            while last and (last[-1] == COMMA or last[-1].kind == "space"):
                last.pop()
            out.append(("for" if item.text == "forall" else "some", []))
        else:
            out[-1][1].append(item)
    return [(one, stripped(tuple(items))) for one, items in out]


def split_at(found: Items, at: Item) -> list[Items]:
    """Items between those that are equal to one."""
    out: list[list[Item]] = [[]]
    for item in found:
        if item == at:
            out.append([])
        else:
            out[-1].append(item)
    return [tuple(one) for one in out]


def shared(clauses: list[tuple[str, Items, Item]]) -> list[tuple[str, Items, Item]]:
    """Names alone between commas put to the condition that they share: ``x, y > 0``."""
    out: list[tuple[str, Items, Item]] = []
    for clause in reversed(clauses):
        how, items, at = clause
        alone = how == "comma" and items and is_letter(items[0]) and sign_at(items, 0).end == len(items)
        last = out[-1] if out else None
        if alone and last is not None and last[0] == "comma" and last[1] and is_letter(last[1][0]) and has_relation(last[1]):
            sign = sign_at(last[1], 0)
            if last[1][sign.end : sign.end + 1] and last[1][sign.end].kind in ("relation", "sign"):
                out[-1] = (how, (*items, COMMA, *last[1]), at)
                continue
        out.append(clause)
    return out[::-1]


def families(found: Items) -> frozenset[str]:
    """Letters whose index is an expression somewhere: they are functions of it everywhere."""
    out: set[str] = set()
    for k, item in enumerate(found):
        if is_letter(item):
            sign = sign_at(found, k)
            if sign.index and not sign.plain and not (item.text == "H" and not item.font) and item.text != "o":
                out.add(sign.base)
        for part in item.parts:
            out |= families(part)
    return frozenset(out)
