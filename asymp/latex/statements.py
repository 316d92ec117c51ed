r"""A display as statements: rows, the body, and the regime and the domain that stand around it.

>>> read_conditions(r"n \ge 1, 0 < p < 1")
['n >= 1', '0 < p < 1']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from asymp.language.conditions import ORDERS, Between, Listed, subjects
from asymp.language.statement import Statement, Throughout
from asymp.language.statement import read_statement as read_text
from asymp.latex.bodies import Body, body, split
from asymp.latex.choices import Answers
from asymp.latex.conditions import COMPARED, DOTS, Condition, conditions
from asymp.latex.context import Context
from asymp.latex.items import Item, Items
from asymp.latex.names import is_letter, sign_at, standing
from asymp.latex.notation import Notation
from asymp.latex.phrases import flat
from asymp.latex.pieces import (
    COMMA,
    STOPS,
    families,
    has_relation,
    is_for,
    is_inside,
    last_stop,
    quantified,
    shared,
    sides,
    split_at,
    stripped,
    top,
    unwrapped,
)
from asymp.latex.source import Unreadable

_OPENING = {"for": "for", "where": "where", "as": "as", "some": "some", "uniform": "uniform"}


@dataclass
class Parts:
    """What a formula says, by what it says of it.

    ``order``: of the quantifiers before it the outermost first, ``some`` and ``for``; empty where one stands behind it.
    """

    bodies: list[Body] = field(default_factory=list)
    joined: str = "and"
    some: list[str] = field(default_factory=list)
    uniform: list[str] = field(default_factory=list)
    regime: list[str] = field(default_factory=list)
    domain: list[str] = field(default_factory=list)
    order: str = ""

    @property
    def asymptotic(self) -> bool:
        """Whether it is of a limit."""
        return any(one.asymptotic for one in self.bodies)

    def add(self, how: str, found: list[Condition], at: Context, item: Item) -> None:
        """Conditions, where the words before them put them."""
        for one in found:
            if how in ("some", "uniform"):
                getattr(self, how).append(str(one))
            elif one.tends or how == "as" or (how == "where" and self.asymptotic):
                self.regime.append(str(one))
            else:
                self.domain.append(str(one))


class Statements:
    """Reads one formula, by one way of answering its questions."""

    def __init__(
        self, source: str, notation: Notation, answers: Answers, to: Sequence[str] = (), found: Items | None = None
    ) -> None:
        self.source, self.notation, self.to = source, notation, list(to)
        found = notation.items(source) if found is None else found
        bare: set[str] = set()
        called: set[str] = set()
        standing(found, bare, called)
        for one in self.to:
            bare |= {name for c in read_text(f"x ~ y as {one}").regime for node in c.terms() for name in node.free}
        self.context = Context(source, notation, answers, frozenset(bare), families=families(found), called=frozenset(called))
        self.found = self.context_tie(found)

    def context_tie(self, found: Items) -> Items:
        """``~`` as a space, or as a relation."""
        ties = [item for item in found if item.kind == "tie"]
        if not ties:
            return found
        space = self.context.ask("~", ties[0]) == "a space"
        if space:  # a small one, which says nothing
            return tuple(item for item in found if item.kind != "tie")
        return tuple(Item("relation", "~", at=item.at) if item.kind == "tie" else item for item in found)

    def read(self) -> tuple[Statement, ...]:
        """The statements of the formula, in order."""
        rows = [self.row(found) for found in self.rows(unwrapped(self.found))]
        found = tuple(one for row in rows for one in row)
        if not found:
            raise Unreadable("an empty formula", self.source, 0)
        return found

    # --- rows

    def rows(self, found: Items) -> list[Items]:
        """The rows of a display, those that go on from the one before put together."""
        rows: list[Items] = []
        for row in split(found, "row"):
            plain = stripped(row)
            if not plain:
                continue
            first = next((i for i in plain if i.kind not in ("space", "cell")), None)
            last = next((i for i in reversed(rows[-1]) if i.kind not in ("space", "cell")), None) if rows else None
            if first is None:
                continue
            goes_on = (first.kind == "relation" and first.text not in ("iff", "implies", "if")) or (
                first.kind == "sign" and first.text in "+-*/") or (first.kind == "phrase")  # fmt: skip
            asks = last is not None and (last.kind == "relation" or (last.kind == "sign" and last.text in "+-*/,"))
            conditions_follow = first.kind == "text" or (last is not None and last == COMMA)
            if rows and (goes_on or asks or conditions_follow or first.kind == "relation"):
                rows[-1] = (*rows[-1], *plain)
            elif rows and not has_relation(plain):
                raise self.context.fail("a product across a line break?  Write \\cdot, or put it into one row", first)
            elif rows and not any(i.kind == "cell" for i in row):
                raise self.context.fail("a new statement, or a product across a line break?  Align the rows with &", first)
            else:
                rows.append(plain)
        return rows

    # --- one statement

    def row(self, found: Items) -> list[Statement]:
        """The statements of one row; several where it has cases."""
        parts = self.parts(stripped(flat(self.context, found)))
        if any(one.parts for one in parts.bodies):
            return self.of_cases(parts)
        return [self.statement(parts, f" {parts.joined} ".join(one.text for one in parts.bodies))]

    def statement(self, parts: Parts, text: str, more: list[str] | None = None) -> Statement:
        """A statement from its parts."""
        if self.to:
            if parts.regime:
                raise Unreadable("what tends where is said twice: in the formula and beside it", self.source, 0)
            parts.regime = self.to
        domain = [*parts.domain, *(more or [])]
        if self.context.small:
            self.check_small(parts.regime)
        said = [("for some", parts.some), ("uniformly in", parts.uniform), ("as", parts.regime), ("for", domain)]
        if parts.some and domain and parts.order == "some for":
            said = said[1:] + said[:1]
        elif parts.some and domain and not parts.regime and parts.order != "for some":
            some, values = ", ".join(parts.some), ", ".join(domain)
            told = f"Write \\exists {some}\\ \\forall {values}\\colon, or \\forall before \\exists"
            raise Unreadable(f"one for all, or one for each?  {told}", self.source, 0)
        for words, found in said:
            if found:
                text += f" {words} {', '.join(found)}"
        try:
            made = read_text(text)
        except ValueError as error:
            raise Unreadable(f"read as {text!r}, which is no statement: {error}", self.source, 0) from error
        given = (*made.some, *(made.body.statement.some if isinstance(made.body, Throughout) else ()))
        names = {name for c in given for name in subjects(c) | {getattr(c, "name", "")}} - {""}
        if len(names) > 1 and names - {name for c in given if isinstance(c, (Between, Listed)) for name in subjects(c)}:
            raise Unreadable("more than one number is left open", self.source, 0)
        loose = [name for node in made.terms() for name in node.calls if name in ORDERS]
        if loose:
            raise Unreadable(f"{loose[0]} stands where the language has no place for it", self.source, 0)
        return made

    def check_small(self, regime: list[str]) -> None:
        """That the index of an o lists what tends in the regime."""
        said = read_text(f"x ~ y as {', '.join(regime)}").regime if regime else ()
        from asymp.language.conditions import Compared, Tends

        tends = {name for c in said if isinstance(c, Tends) for name in c.term.free if c.term.kind == "name"}
        tied = {c.parts[0].text for c in said if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name"}
        for names, at in self.context.small:
            if not regime:
                raise self.context.fail(f"an o of {', '.join(sorted(names))}: say what tends where", at)
            if not tends <= names <= tends | tied:
                shown = f"this o is of {', '.join(sorted(names))}, and what tends is {', '.join(sorted(tends))}"
                raise self.context.fail(shown, at)

    def of_cases(self, parts: Parts) -> list[Statement]:
        """A statement for each row of cases, on its condition."""
        (only,) = parts.bodies
        out: list[Statement] = []
        said: list[str] = []
        for text, cell in only.parts:
            inner = stripped(flat(self.context, cell))
            if inner and inner[0].kind == "phrase" and inner[0].text in ("if", "for", "where"):
                inner = inner[1:]
            if inner == (Item("phrase", "otherwise"),):
                if len(said) != 1:
                    raise self.context.fail("'otherwise' behind more than one condition", inner[0])
                found = [opposite(said[0], self.context, inner[0])]
            else:
                found = [str(one) for one in conditions(self.context, inner)]
            said += found if len(found) == 1 else [""]
            out.append(self.statement(Parts([], "and", [], [], list(parts.regime), list(parts.domain)), text, found))
        return out

    def parts(self, found: Items) -> Parts:
        """What is said, and the conditions around it."""
        parts = Parts()
        if found and found[0].kind == "phrase" and found[0].text == "if" and Item("phrase", "then") in found:
            k = found.index(Item("phrase", "then"))
            parts.bodies = [body(self.context, found[k + 1 :]), body(self.context, stripped(found[1:k]))]
            parts.joined = "if"
            return parts
        found, tail = self.bracket(found)
        quantified, found = self.leading(found, parts)
        before = [how for how, _, _ in quantified]
        clauses = self.clauses(found)
        if not clauses or not clauses[0][1]:
            raise Unreadable("no statement here", self.source, found[0].at if found else 0)
        pending: list[tuple[str, list[Condition], Item]] = quantified
        how = "body"
        for introduced, items, at in clauses:
            how = introduced if introduced not in ("comma", "and") else how if how != "body" else introduced
            if how in ("for", "where", "as", "some", "uniform"):
                pending.append((how, conditions(self.context, items), at))
            elif how == "body" or how == "then":
                parts.bodies.append(body(self.context, items))
                how = "body"
            elif how in ("iff", "if", "implies"):
                self.joined(parts, how, items, at)
                how = "body"
            elif how == "comma" and self.is_condition(items, parts):
                how = "where"
                pending.append((how, conditions(self.context, items), at))
            else:
                self.joined(parts, "and", items, at)
                how = "body"
        if not parts.bodies:
            raise Unreadable("no statement here, but conditions", self.source, found[0].at)
        if before and len(before) == len(pending) and before in (sorted(before), sorted(before)[::-1]):
            parts.order = " ".join(dict.fromkeys(before))
        for how, given, item in pending:
            parts.add(how, given, self.context, item)
        for one in parts.bodies:
            parts.regime = [*map(str, one.regime), *parts.regime]
        self.tail(parts, tail)
        return parts

    def joined(self, parts: Parts, how: str, found: Items, at: Item) -> None:
        """One more body, joined by and, if or iff."""
        if not parts.bodies:
            raise self.context.fail("nothing stands before this", at)
        if len(parts.bodies) > 1 and (parts.joined != how or how != "and"):
            raise self.context.fail("two ways of joining statements: one at a time", at)
        made = body(self.context, found)
        if how == "implies":
            parts.bodies = [made, *parts.bodies]
            how = "if"
        else:
            parts.bodies.append(made)
        parts.joined = how

    def bracket(self, found: Items) -> tuple[Items, Items]:
        """The formula without the conditions in brackets at its end, and these."""
        if not found or found[-1] != Item("close", "("):
            return found, ()
        level = 0
        for k in range(len(found) - 1, -1, -1):
            level += (found[k].kind == "close") - (found[k].kind == "open")
            if level == 0:
                break
        inner = flat(self.context, found[k + 1 : -1]) if k else ()
        apart = k > 0 and (found[k - 1].kind in ("space", "phrase") or found[k - 1] in STOPS)
        limit = any(i == Item("relation", "->") for i in inner)
        if k and has_relation(inner) and (apart or limit) and found[k - 1].kind != "phrase":
            return stripped(found[:k]), inner
        return found, ()

    def tail(self, parts: Parts, found: Items) -> None:
        """Conditions in brackets: what tends, and behind a semicolon for which values."""
        if not found:
            return
        pieces = split_at(found, Item("sign", ";"))
        for k, piece in enumerate(pieces):
            parts.add("for" if k else "where", conditions(self.context, stripped(piece)), self.context, found[0])

    def leading(self, found: Items, parts: Parts) -> tuple[list[tuple[str, list[Condition], Item]], Items]:
        r"""``\forall x > 0,`` before the statement: its conditions, and the rest."""
        out: list[tuple[str, list[Condition], Item]] = []
        while found and ((found[0].kind == "macro" and found[0].text in ("forall", "exists")) or is_for(found[0])):
            first = found[0]
            how = "some" if first.text in ("exists", "some") else "as" if first.text == "as" else "for"
            cut = last_stop(found)
            if not cut:
                raise self.context.fail("where the condition ends is not said: put a comma or a colon behind it", first)
            inner = found[1:cut]
            for said, piece in quantified(inner, how):
                if len(piece) == 0:
                    raise self.context.fail("an empty condition", first)
                if not has_relation(piece) and not piece[0].kind == "phrase":
                    raise self.context.fail("for which?  Write the range", piece[0])
                out.append((said, conditions(self.context, piece), first))
            found = stripped(found[cut + 1 :])
        return out, found

    def clauses(self, found: Items) -> list[tuple[str, Items, Item]]:
        """The pieces between commas, spaces and words, each with what introduces it."""
        out: list[tuple[str, list[Item], Item]] = [("body", [], found[0] if found else Item("end"))]
        level = 0
        for k, item in enumerate(found):
            level += (item.kind == "open") - (item.kind == "close")
            boundary = ""
            if level == 0 and item.kind == "phrase" and item.text in (*_OPENING, "iff", "if", "and", "then"):
                boundary = item.text
            elif (level == 0 and item in STOPS) or (level == 0 and item.kind == "space" and self.is_boundary(found, k)):
                boundary = "comma"
            elif level == 0 and item.kind == "relation" and item.text in ("iff", "implies", "if"):
                boundary = item.text
            elif level == 0 and item.kind == "macro" and item.text == "forall":
                boundary = "for"
            elif level == 0 and item.kind == "macro" and item.text == "exists":
                boundary = "some"
            how, inner, at = out[-1]
            if not boundary:
                if item.kind != "space":
                    inner.append(item)
                elif level == 0 and is_inside(found, k):
                    raise self.context.fail("a wide space inside a term: a product is written without, a number of an equation "
                                            "as \\tag", item)  # fmt: skip
            elif inner:
                out.append((boundary, [], item))
            elif boundary != "comma":  # a word behind a comma or a space
                if how not in ("comma", "body", "and"):
                    raise self.context.fail("words behind words", item)
                out[-1] = (boundary, [], item)
            elif item in STOPS:
                if len(out) == 1 or how != "comma" or at in STOPS:
                    raise self.context.fail("a comma with nothing before it", item)
                out[-1] = (how, [], item)
        if not out[-1][1]:
            if out[-1][0] != "comma" and len(out) > 1:
                raise self.context.fail("nothing stands behind these words", out[-1][2])
            out.pop()
        return self.lists([(how, tuple(items), at) for how, items, at in out])

    def is_boundary(self, found: Items, k: int) -> bool:
        """Whether a space separates clauses: a relation stands on both sides of it."""
        before, after = stripped(found[:k]), stripped(found[k + 1 :])
        if not before or not after or before[-1].kind in ("relation", "phrase"):
            return False
        if after[0].kind in ("relation", "sign", "phrase"):
            return False
        start = max((j for j in range(k) if found[j] in STOPS or found[j].kind == "phrase"), default=-1)
        end = next((j for j in range(k + 1, len(found)) if found[j] in STOPS or found[j].kind in ("phrase", "space")), len(found))
        if after[0].kind == "macro" and after[0].text in ("forall", "exists"):
            return False
        return has_relation(found[start + 1 : k]) and has_relation(found[k + 1 : end])

    def lists(self, clauses: list[tuple[str, Items, Item]]) -> list[tuple[str, Items, Item]]:
        r"""Clauses with what belongs to one list put together: ``i = 1, \ldots, n`` and ``a, b > 0``."""
        out: list[tuple[str, Items, Item]] = []
        clauses = shared(clauses)
        for how, items, at in clauses:
            bare = bool(out) and how == "comma" and not has_relation(out[-1][1])
            if out and how == "comma" and (not has_relation(items) or bare or out[-1][0] in _OPENING):
                out[-1] = (out[-1][0], (*out[-1][1], COMMA, *items), out[-1][2])
            elif out and how == "and" and out[-1][0] in _OPENING:
                out[-1] = (out[-1][0], (*out[-1][1], Item("phrase", "and", at=at.at), *items), out[-1][2])
            else:
                out.append((how, items, at))
        return out

    def is_condition(self, found: Items, parts: Parts) -> bool:
        """Whether a relation behind a comma is a condition, and no second statement."""
        relations = [item for item in top(found) if item.kind == "relation"]
        texts = {item.text for item in relations}
        if texts & {"in", "->", "up", "down"} or DOTS in found:
            return True
        if not texts or not texts <= set(COMPARED):
            return False
        between = sides(found)
        named = any(side and is_letter(side[0]) and sign_at(side, 0).end == len(side) for side in between)
        simple = all(not any(i.kind in ("open", "env") or i.text in ORDERS for i in side) for side in between)
        if not named or not simple:
            return self.context.ask("a, b", relations[0]) == "a where b"
        first = parts.bodies[-1] if parts.bodies else None
        ranged = first is not None and not first.asymptotic and all(s.kind in ("name", "number") for s in first.sides)
        if texts == {"="} or ranged:
            return self.context.ask("a, b", relations[0]) == "a where b"
        return True


def opposite(text: str, context: Context, item: Item) -> str:
    """What holds where a comparison does not."""
    turned = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
    found = [sign for sign in text.split() if sign in (*turned, "=")]
    if len(found) != 1 or found[0] not in turned or "," in text:
        raise context.fail("'otherwise' of what is no single comparison", item)
    return " ".join(turned.get(word, word) for word in text.split(" "))


def limits(text: str, notation: Notation, answers: Answers | None = None) -> list[Condition]:
    """The conditions in a text of LaTeX."""
    found = notation.items(text)
    bare: set[str] = set()
    standing(found, bare, set())
    context = Context(text, notation, answers or Answers(notation.readings), frozenset(bare))
    flattened = stripped(flat(context, found))
    if not flattened:
        raise Unreadable("an empty condition", text, 0)
    return conditions(context, flattened)


def read_conditions(text: str, notation: Notation | None = None) -> list[str]:
    """Conditions in LaTeX as texts of the language."""
    return [str(one) for one in limits(text, notation or Notation())]
