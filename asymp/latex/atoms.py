r"""What a factor is made of: numbers, letters, brackets, fractions, roots, functions; and what a bracket behind a letter means.

>>> from asymp.language.syntax import words
>>> from asymp.latex.terms import term
>>> words(term(r"\binom{n}{k} \sqrt[3]{x} H_{n-1} e^{-\gamma} \lfloor x/2 \rfloor"))
'binomial(n, k)*x^(1/3)*harmonic(n - 1)*exp(-EulerGamma)*floor(x/2)'
"""

from __future__ import annotations

from asymp.functions.table import NAMED
from asymp.language.conditions import ORDERS
from asymp.language.laws import TITLES
from asymp.language.meanings import MEANT
from asymp.language.syntax import Node
from asymp.latex import applied, signs, totals
from asymp.latex.context import call_node, name_node, number_node, product_node, sum_node
from asymp.latex.cursor import Cursor, unexpected
from asymp.latex.items import Item, Items
from asymp.latex.names import Sign, is_braced, is_letter, sign_at
from asymp.latex.notation import Pattern, matches
from asymp.latex.phrases import SENTENCES

Found = tuple[Node, str]
"""A term, and what it is: letter, bracket, function or other."""
CONSTANTS = {"pi": "pi", "e": "E", "gamma": "EulerGamma"}
KNOWN = frozenset(
    "dots forall exists choose over wedge vee lor land colon prime arrow overset underset stackrel underline".split()
)
"""Macros that are read elsewhere."""
AS_WRITTEN = "as written"


def atom(at: Cursor, item: Item) -> Found:
    """The factor that begins here, without its powers and factorials."""
    if (item.kind, item.text, item.font) in at.context.notation.heads and (found := named(at)) is not None:
        return found
    match item.kind:
        case "number":
            at.position += 1
            return number_node(item.text), "other"
        case "letter" | "upright":
            return letter(at, item)
        case "group":
            if (name := hypergeometric(at, item)) is not None:
                return call_node(name, *at.arguments()), "other"
            if is_braced(item):  # {f}(x) is f(x)
                at.found = (*at.found[: at.position], *item.parts[0], *at.found[at.position + 1 :])
                return atom(at, item.parts[0][0])
            at.position += 1
            if not item.parts[0]:
                raise at.fail("an empty pair of braces", item)
            return over(at, item), "bracket"
        case "open":
            return bracket(at, item)
        case "bar" if item.text == "|" and "|" not in at.inside:
            at.position += 1
            at.inside.append("|")
            inner = at.expression()
            at.inside.pop()
            if not at.take("bar", "|"):
                raise at.fail("a bar that is never closed", item)
            if at.starts() and any(i.kind == "bar" for i in at.found[at.position :]):
                raise at.fail("which bars belong together?  Write \\left| and \\right|", item)
            return call_node("Abs", inner), "bracket"
        case "macro":
            return macro(at, item)
        case "text" if item.text.isidentifier() and item.text.isascii() and not item.font and item.text.lower() not in SENTENCES:
            upright = Item("upright", item.text, at=item.at)
            at.found = (*at.found[: at.position], upright, *at.found[at.position + 1 :])
            return letter(at, upright)
    raise at.fail(unexpected(item), item)


def hypergeometric(at: Cursor, item: Item) -> str | None:
    """The function that ``{}_2F_1`` is, of which all but its arguments is then taken; None for other braces."""
    first, letter_, second, opened = (at.ahead(k) for k in range(1, 5))
    if item.parts[0] or first is None or letter_ is None or second is None or opened is None:
        return None
    if (first.kind, letter_, second.kind, opened) != ("sub", Item("letter", "F"), "sub", Item("open", "(")):
        return None
    name = f"hyp{''.join(i.text for i in first.parts[0])}f{''.join(i.text for i in second.parts[0])}"
    if name not in NAMED:
        return None
    at.position += 4
    return name


def over(at: Cursor, item: Item) -> Node:
    r"""What stands in braces: a term, or ``{n \choose k}``, ``{a \over b}``."""
    inner = item.parts[0]
    for k, one in enumerate(inner):
        if one.kind == "macro" and one.text in ("choose", "over"):
            above, below = at.part(inner[:k], item.at), at.part(inner[k + 1 :], item.at)
            return call_node("binomial", above, below) if one.text == "choose" else product_node(above, below, signs="*/")
    return at.part(inner, item.at)


# --- names of a notation


def named(at: Cursor) -> Found | None:
    """What a sign of the notation stands for here; None where none does."""
    item = at.found[at.position]
    found: list[tuple[Pattern, dict[int, Items], int]] = []
    for one in at.context.notation.patterns:
        if (matched := matches(one.items, at.found, at.position)) is not None:
            found.append((one, *matched))
    if not found:
        return None
    longest = max(end for _, _, end in found)
    takes = [end for _, _, end in found if at.found[end : end + 1] == (Item("open", "("),)]  # B(x): B of x, or B times (x)
    best = [one for one in found if one[2] in (longest, *takes)]
    names = list(dict.fromkeys(pattern.name for pattern, _, _ in best))
    if own := declared_sign(at, item, longest, names):
        if own in at.context.bound:
            return None
        names.append(own)
    if all(pattern.composite for pattern, _, _ in best):
        names.append(AS_WRITTEN)
    chosen = at.context.ask("sign", item, "/".join(names), tuple(names)) if len(names) > 1 else names[0]
    if chosen in (AS_WRITTEN, own):
        return None
    pattern, caught, end = next(one for one in best if one[0].name == chosen)
    arity = at.context.notation.functions.get(chosen, 0 if chosen in at.context.notation.variables else -1)
    if pattern.holes and arity not in (-1, pattern.holes):
        raise at.context.beyond(f"the sign of {chosen} leaves out an argument: it cannot be read back", item)
    at.position = end
    if pattern.holes:
        return call_node(chosen, *(at.part(caught[k], item.at) for k in sorted(caught))), "letter"
    if chosen in ORDERS:
        return applied.order(at, chosen, item), "function"
    if arity > 0 or (chosen in NAMED and chosen not in at.context.notation.variables):
        if at.item is not None and at.item.kind == "open":
            return call_node(chosen, *at.arguments()), "other"
        raise at.fail(f"{chosen} is a function: give it arguments in brackets", item)
    return name_node(chosen), "letter"


def declared_sign(at: Cursor, item: Item, end: int, names: list[str]) -> str:
    """The declared name that is printed so too, having no sign of its own; empty where there is none."""
    if not is_letter(item):
        return ""
    sign, known = sign_at(at.found, at.position), at.context.notation
    declared = sign.plain in known.variables or sign.plain in known.functions or sign.plain in at.context.bound
    return sign.plain if sign.end == end and declared and sign.plain not in (*known.signs, *names) else ""


# --- letters


def letter(at: Cursor, item: Item) -> Found:
    """A letter or an upright word: a constant, a name, a function of what stands in brackets, an order."""
    context = at.context
    sign = sign_at(at.found, at.position)
    following = at.found[sign.end] if sign.end < len(at.found) else None
    opens = following is not None and following.kind == "open" and following.text in ("(", "[")
    declared = sign.plain in context.notation.variables or sign.plain in context.notation.functions or sign.plain in context.bound
    if opens and item.text in ("O", "o") and item.font.split()[:1] in (["tilde"], ["hat"], ["bar"]):
        raise context.beyond("an order up to logarithms is not read: write the logarithms", item)
    if (order := order_of(item)) and not declared and not sign.primes and (opens or sign.index):
        at.position += 1
        return applied.order(at, order, item), "function"
    if item.font.startswith("bb") and not declared:
        raise context.beyond(f"\\mathbb{{{item.text}}} is no name: say in the notation what it is here", item)
    if item.kind == "upright" and not declared and (found := applied.upright(at, item, sign)) is not None:
        return found
    if not declared and item.kind == "letter" and (found := standard(at, item, sign, opens)) is not None:
        return found
    at.position = sign.end
    if item.operator and not opens and at.starts():
        raise context.beyond(f"{item.text} is an operator: put what it is of into brackets", item)
    if not sign.plain or (not declared and is_family(at, sign)):
        return family(at, sign, item), "letter"
    name = sign.plain
    printed = name in context.notation.signs or name in context.called
    if name in context.notation.functions and name not in context.bound and printed and not opens:
        raise at.fail(f"{name} is a function in the paper: say in the notation how it is printed", item)
    if sign.primes and opens and not declared and not context.is_variable(name):
        raise context.beyond("a prime before a bracket: a derivative is not read", item)
    if item.text == "theta" and opens and not declared and not context.is_variable(name):
        answer = context.ask("a(b)", item, name, (r"a \cdot b", r"\Theta", "a of b"))
        if answer == r"\Theta":
            return applied.order(at, "Theta", item), "function"
    elif opens and (single(at) or not context.is_variable(name)):
        answer = "a of b" if name in context.notation.functions else meaning(at, item, name)
    else:
        return name_node(context.name(sign)), "letter"
    if answer == "a of b":
        return call_node(function_name(at, sign), *at.arguments()), "other"
    if answer != r"a \cdot b":
        return call_node(answer, *at.arguments()), "other"
    return name_node(context.name(sign)), "letter"


def single(at: Cursor) -> bool:
    """Whether the bracket that is next holds one name or one number: no product is written so, even of a variable."""
    inner = at.found[at.position + 1 :]
    if not inner:
        return False
    end = sign_at(inner, 0).end if is_letter(inner[0]) else 1 if inner[0].kind == "number" else 0
    return bool(end) and inner[end : end + 1] != () and inner[end].kind == "close"


def function_name(at: Cursor, sign: Sign) -> str:
    """A letter as the name of a function of its own, which no function of the language has.

    Raises:
        Beyond: the language has one of that name.
    """
    name = at.context.name(sign)
    if name in MEANT and name not in at.context.notation.functions:
        what = f"{name} is another function in the language: say in the notation what it is here"
        raise at.context.beyond(what, at.found[at.position - 1])
    return name


def meaning(at: Cursor, item: Item, name: str) -> str:
    """What a bracket behind a letter means of which nothing is known."""
    if several(at) or name in TITLES:
        return "a of b"
    if name in ("psi", "W", "E1"):
        known = {"psi": "digamma", "W": "LambertW", "E1": "E1"}[name]
        return at.context.ask("a(b)", item, name, (known, r"a \cdot b", *(["a of b"] if known != name else [])))
    return at.context.ask("a(b)", item, name)


def several(at: Cursor) -> bool:
    """Whether the bracket that is next holds several terms."""
    level = 0
    for item in at.found[at.position :]:
        level += (item.kind == "open") - (item.kind == "close")
        if level == 1 and item == Item("sign", ","):
            return True
        if level <= 0:
            return False
    return False


def order_of(item: Item) -> str:
    """The order that a letter is where a bracket follows; empty for others."""
    if item.kind == "letter" and item.text in ("O", "o") and item.font in ("", "cal", "scr", "rm"):
        return item.text
    return item.text if item.kind == "letter" and item.text in ("Theta", "Omega", "omega") and not item.font else ""


def standard(at: Cursor, item: Item, sign: Sign, opens: bool) -> Found | None:
    """Letters that everybody means one thing by: e, pi, gamma, Gamma(s, x), zeta(s), H_n."""
    text, plain = item.text, not sign.index and not sign.primes and not sign.star
    if item.font not in ("", "rm"):
        return None
    if text == "H" and sign.index and not sign.primes and not opens and not sign.star:
        return harmonic(at, sign, item)
    if text in signs.GREEK_FUNCTIONS and plain and opens and text not in at.context.bare:
        at.position += 1
        start = at.position
        given = at.arguments()
        known = signs.GREEK_FUNCTIONS[text].get(len(given))
        if known is None:
            at.position = start
            raise at.fail(f"\\{text} of {len(given)} arguments: a product is written with \\cdot", item)
        return call_node(known, *given), "other"
    if text == "gamma" and sign.index == (Item("upright", "Euler"),) and not opens:
        at.position = sign.end
        return name_node("EulerGamma"), "letter"
    if text in CONSTANTS and plain:
        at.position += 1
        if opens:
            shown = text if text == "e" else f"\\{text}"
            what = f"{shown} before a bracket: the number, or a function?  Write \\cdot for a product"
            raise at.context.beyond(f"{what}, or say in the notation what it is", item)
        return name_node(CONSTANTS[text]), "letter"
    if text == "B" and sign.index and not opens and not sign.primes and not item.font and sign.plain != "B":
        if at.context.ask("B_n", item) == "a Bernoulli number":
            at.position = sign.end
            return call_node("bernoulli", at.part(sign.index, item.at)), "letter"
    if text == "E" and not item.font and plain and not opens and at.item is not None:
        raise at.fail("E is an expectation or a name: say in the notation which (Euler's number is e)", item)
    return None


def harmonic(at: Cursor, sign: Sign, item: Item) -> Found:
    """``H_n``, and ``H_n^{(2)}`` of order 2."""
    at.position = sign.end
    of = at.part(sign.index, item.at)
    raised = at.item
    if raised is not None and raised.kind == "sup":
        inner = raised.parts[0]
        if len(inner) == 3 and inner[0] == Item("open", "(") and inner[2] == Item("close", "("):
            at.position += 1
            return call_node("harmonic", of, at.part(inner[1:2], raised.at)), "other"
    return call_node("harmonic", of), "letter"


def is_family(at: Cursor, sign: Sign) -> bool:
    """Whether an index is an argument: it holds a bound variable, or the same letter has expressions for indices."""
    bound = any(is_letter(one) and sign_at(sign.index, k).plain in at.context.bound for k, one in enumerate(sign.index))
    return bool(sign.index) and (bound or sign.base in at.context.families or sign.base in at.context.notation.functions)


def family(at: Cursor, sign: Sign, item: Item) -> Node:
    """``x_{n+1}``: the letter is a function of its indices."""
    pieces: list[Items] = []
    start = level = 0
    for k, one in enumerate(sign.index):
        level += (one.kind == "open") - (one.kind == "close")
        if level == 0 and one == Item("sign", ","):
            pieces.append(sign.index[start:k])
            start = k + 1
    pieces.append(sign.index[start:])
    if at.item is not None and at.item.kind == "open" and at.item.text in ("(", "["):
        raise at.fail("an index and a bracket: say in the notation what the letter is", item)
    if any(not piece for piece in pieces):
        raise at.fail("an empty index", item)
    for piece in pieces:
        if len(piece) > 1 and all(is_letter(one) for one in piece):
            raise at.context.beyond("several letters as an index: two indices, or a product?  Write a comma, or \\cdot", item)
    if sign.base in at.context.notation.functions:
        raise at.context.beyond(f"an index of {sign.base}: say in the notation how the function is printed", item)
    bare = Sign(sign.base, (), sign.primes, sign.star, sign.end, sign.base + "_star" * sign.star + "_" * sign.primes, sign.at)
    return call_node(function_name(at, bare), *(at.part(piece, item.at) for piece in pieces))


def is_derivative(item: Item) -> bool:
    """Whether a fraction is ``dy/dx``: both sides begin with d."""
    above, below = item.parts
    d = Item("letter", "d")
    return above[:1] == (d,) and below[:1] == (d,) and len(below) > 1 and is_letter(below[1])


# --- brackets


def bracket(at: Cursor, item: Item) -> Found:
    """A bracket: its content, its whole part or its absolute value."""
    start = at.position
    given = arguments_or_rank(at)
    if isinstance(given, Node):
        return given, "other"
    if len(given) > 1:
        raise at.fail("a list in brackets", item)
    inner = at.found[start + 1 : at.position - 1]
    if item.text in ("[", "{") and not any(one.kind in ("open", "bar") for one in inner):
        question = "[x]" if item.text == "[" else r"\{x\}"
        if at.context.ask(question, item) != "(x)":
            whole = call_node("floor", given[0])
            return (whole if item.text == "[" else sum_node(given[0], whole, signs="+-")), "bracket"
    functions = {"floor": "floor", "ceil": "ceiling", "|": "Abs"}
    return (call_node(functions[item.text], given[0]) if item.text in functions else given[0]), "bracket"


def arguments_or_rank(at: Cursor) -> tuple[Node, ...] | Node:
    """What stands in a bracket; of ``(x_j : j = 1, ..., s)_{(i)}`` the i-th smallest of a list; or a vector."""
    end, level = at.position, 0
    for end in range(at.position, len(at.found)):
        level += (at.found[end].kind == "open") - (at.found[end].kind == "close")
        if level == 0:
            break
    inner = at.found[at.position + 1 : end]
    colon, level = 0, 0
    for k, one in enumerate(inner if Item("sign", ":") in inner else ()):
        level += (one.kind == "open") - (one.kind == "close")
        if level == 0 and one == Item("sign", ":"):
            colon = k
            break
    after = at.found[end + 1] if end + 1 < len(at.found) else None
    if colon and after is not None and after.kind == "sub" and after.parts[0][:1] == (Item("open", "("),):
        return totals.ranked(at, inner, colon, after, end)
    if after is not None and after.kind == "sub" and any(one.kind == "relation" for one in after.parts[0]):
        return totals.vector(at, inner, after, end)
    return at.arguments()


# --- macros


def macro(at: Cursor, item: Item) -> Found:
    """A macro with its arguments."""
    name = item.text
    if name in signs.FUNCTIONS or name in signs.BARE or name in ("log", "lg"):
        return applied.function(at, item)
    at.position += 1
    match name:
        case "frac":
            if is_derivative(item):
                raise at.context.beyond("a derivative is not read", item)
            above, below = (at.part(part, item.at) for part in item.parts)
            parts, marks = (above.parts, above.signs) if above.kind == "product" else ((above,), "*")
            return product_node(*parts, below, signs=marks + "/"), "bracket"
        case "binom":
            return call_node("binomial", *(at.part(part, item.at) for part in item.parts)), "other"
        case "sqrt":
            inner = at.part(item.parts[0], item.at)
            if len(item.parts) == 1:
                return call_node("sqrt", inner), "other"
            root = product_node(number_node("1"), at.part(item.parts[1], item.at), signs="*/")
            return Node("power", 1, "", (inner, root)), "bracket"
        case "infty":
            return name_node("oo"), "other"
        case "indicator":
            return applied.indicator(at, item), "other"
        case "lim":
            raise at.fail("a limit inside a term: write it alone on one side", item)
    unknown = "out of place" if name in KNOWN else "not read: say what it is in the notation, or in the preamble"
    why = signs.REFUSED.get(name, unknown)
    raise at.fail(f"\\{name}: {why}", item)
