r"""What the site takes from the code: pages say ``<!-- made: NAME -->``, and the text is made when the site is built.

``functions`` of their table, ``rules`` of the kernel with what stands beside their code, ``methods`` of the expander,
``facts`` and ``law_facts`` that theorems cite, ``commands`` of the command line's parser, ``forms`` and ``conditions`` of the
language, ``tables`` and ``keys`` of a file of claims, ``library``, ``record`` of the record's schema, ``errata KEY`` of a paper's
claims.  Formulas are set as MathML, by what sets them in the report too.

>>> made("forms").splitlines()[0]
'| form | says | example |'
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SPECIAL = re.compile(r"([\\`*_\[\]<>$|{}#~])")


def made(words: str) -> str:
    """The text of one place, as Markdown."""
    name, *rest = words.split()
    return "\n".join(MAKERS[name](*rest))


def plain(text: str) -> str:
    r"""Text in which no sign means anything to Markdown.

    >>> plain("a_1 * b <= |c|")
    'a\\_1 \\* b \\<= \\|c\\|'
    """
    return SPECIAL.sub(r"\\\1", text)


def code(text: str) -> str:
    r"""Text as it is typed, in a cell of a table or elsewhere.

    >>> code("|x|")
    '`\\|x\\|`'
    """
    return f"`{text.replace('|', chr(92) + '|')}`" if text else ""


def prose(text: str) -> Iterator[str]:
    """A docstring as Markdown: its paragraphs, lists, formulas and examples; roles and quotes of reStructuredText are code.

    >>> list(prose("*Peaks*: see :mod:`asymp.x`, f_n."))
    ['*Peaks*: see `asymp.x`, f\\\\_n.', '']
    """
    for part in re.split(r"\n\s*\n", text.replace(r"\|", "|")):
        lines = part.splitlines()
        if lines[0].lstrip().startswith(">>>"):
            yield from ["```pycon", *lines, "```", ""]
        elif lines[0].startswith(".. math::"):
            yield from ["$$", *(line.strip() for line in [lines[0].removeprefix(".. math::"), *lines[1:]]), "$$", ""]
        elif all(line.startswith("    ") for line in lines):
            yield from ["```text", *(line[4:] for line in lines), "```", ""]
        else:
            listed = [re.match(r"([-*]|\d+\.) (.*)", line) for line in lines]
            yield from [
                *(
                    f"{item[1]} {_inline(item[2])}" if item else _inline(line)
                    for item, line in zip(listed, lines, strict=True)
                ),
                "",
            ]


def _inline(line: str) -> str:
    pieces = re.split(r"(``[^`]+``|:\w+:`[^`]+`|(?<![\w*])\*[^\s*][^*]*\*(?![\w*]))", line.strip())
    return "".join(_quoted(piece) if k % 2 else plain(piece) for k, piece in enumerate(pieces))


def _quoted(piece: str) -> str:
    if piece.startswith("*"):
        return f"*{plain(piece[1:-1])}*"
    if piece.startswith(":math:"):
        return f"${piece.removeprefix(':math:').strip('`')}$"
    inner = re.sub(r"^:\w+:", "", piece).strip("`")
    return f"`{inner.removeprefix('~')}`"


def table(*columns: str) -> list[str]:
    """The head of a table."""
    return [f"| {' | '.join(columns)} |", f"| {' | '.join('---' for _ in columns)} |"]


def tables() -> Iterator[str]:
    """The tables of a file of claims."""
    from asymp.paper.keys import TABLES

    yield from table("table", "holds")
    yield from (f"| {code(f'[{name}]')} | {plain(words)} |" for name, words in TABLES.items())


def keys() -> Iterator[str]:
    """The keys of a claim."""
    from asymp.paper.keys import CLAIM

    yield from table("key", "says")
    yield from (f"| {code(name)} | {plain(words)} |" for name, words in CLAIM.items())


def library() -> Iterator[str]:
    """The files of the library."""
    from asymp.library import about

    yield from table("word", "claims", "title")
    yield from (f"| {code(word)} | {count} | {plain(title)} |" for word, count, title in about())


# --- the language ------------------------------------------------------------------------------------


def forms() -> Iterator[str]:
    """Every form of a statement, with an example as the parser reads it."""
    from asymp.language.forms import FORMS
    from asymp.language.statement import read_statement

    yield from table("form", "says", "example")
    for form, words, example in FORMS:
        yield f"| {code(form)} | {plain(words)} | {code(str(read_statement(example)))} |"


def conditions() -> Iterator[str]:
    """Every form of a condition."""
    from asymp.language.conditions import read_conditions, text_of
    from asymp.language.forms import CONDITIONS

    yield from table("condition", "says")
    for example, words in CONDITIONS:
        yield f"| {code(text_of(read_conditions(example)))} | {plain(words)} |"


def functions() -> Iterator[str]:
    """The table of functions, elementary ones first as it has them."""
    from asymp.functions.table import ROWS
    from asymp.language.statement import read_statement
    from asymp.language.statement_tex import statement_tex

    yield from table("function", "set as", "real where", "values f", "derivative", "source")
    for row in ROWS:
        names = "x y z w".split()[: row.least]
        call = f"{row.name}({', '.join(names)})"
        tex = (
            statement_tex(read_statement(f"{call} = 0"), {})
            .rpartition("=")[0]
            .strip()
            .replace(r"\left(", "(")
            .replace(r"\right)", ")")
        )
        others = f" ({', '.join(map(code, row.others))})" if row.others else ""
        source = f"DLMF {row.source}" if re.match(r"[\d.]+", row.source) else row.source
        cells = [code(call) + others, f"${tex}$".replace("|", r"\vert "), code(row.where or "everywhere"), code(row.range),
                 code(row.derivative), plain(source)]  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def facts() -> Iterator[str]:
    """What theorems may cite."""
    from asymp.kernel.cited import CITED

    yield from table("fact", "what it says")
    yield from (f"| {plain(fact)} | {plain(says)} |" for fact, says in CITED.items())


def law_facts() -> Iterator[str]:
    """What theorems on limit laws may cite."""
    from asymp.functions.laws import FACTS

    yield from table("fact", "what it says")
    yield from (f"| {plain(fact)} | {plain(says)} |" for fact, says in FACTS.items() if not fact.startswith("law: "))


# --- what decides ------------------------------------------------------------------------------------


def in_words(text: str) -> str:
    r"""Words of a derivation with their formulas on one line, and the names of what is filled in.

    >>> in_words(r"since $\ln y \le y - 1$, with {variable} = {value}")
    'since ln y ≤ y - 1, with variable = value'
    """
    from asymp.export.notation import plain as on_one_line

    said = re.sub(r"\$([^$]*)\$", lambda found: on_one_line(found[1].replace("{{", "{").replace("}}", "}")), text)
    return re.sub(r"\{([^{}]*)\}", r"\1", said)


def rules() -> Iterator[str]:
    """The kernel's rules, theory by theory: the words of a derivation, and what stands beside the code."""
    import asymp.kernel.records  # noqa: F401  (registers all rules)
    from asymp.kernel import THEORIES
    from asymp.kernel.theorem import RULES
    from asymp.prove.rule_words import WORDS

    for theory in THEORIES:
        yield from [
            f"## {theory}",
            "",
            *prose((inspect.getdoc(import_module(f"asymp.kernel.{theory}")) or "").split("\n\n")[0]),
        ]
        for name, rule in RULES.items():
            if "/" in name or rule.__module__.split(".")[2] != theory:
                continue
            yield from [f"### {name}", ""]
            if name in WORDS:
                yield from [f"*In a derivation: {plain(in_words(WORDS[name]))}.*", ""]
            yield from prose(inspect.getdoc(rule) or "")
            yield from [f"In `{rule.__module__}`.", ""]


def methods() -> Iterator[str]:
    """The methods of the expander, by the nodes that they are for, in the order in which they are tried."""
    import asymp.expand  # noqa: F401
    from asymp.expand.method import _METHODS

    found: dict[str, list[tuple[str, int, Any]]] = {}
    for kind, some in _METHODS.items():
        for method in some:
            module = inspect.unwrap(method.work).__module__
            found.setdefault(module, []).append((kind.__name__, method.order, method))
    for module in sorted(found, key=lambda one: (min(order for _, order, _ in found[one]), one)):
        kinds = dict.fromkeys(kind for kind, _, _ in found[module])
        yield from [f"## {plain(found[module][0][2].name)}", "", f"For {', '.join(map(code, kinds))}; `{module}`.", ""]
        yield from prose(inspect.getdoc(sys.modules[module]) or "")


# --- the command line, the record --------------------------------------------------------------------


def commands() -> Iterator[str]:
    """Every command with its options, from the parser."""
    from asymp.command.arguments import build
    from asymp.version import __version__

    parser = build(__version__)
    (choices,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for name in (action.dest for action in choices._choices_actions):  # those that --help lists
        sub = choices.choices[name]
        usage = " ".join(sub.format_usage().removeprefix("usage: ").split())
        yield from [f"## asymp {name}", "", f"{_sentence(sub.description)}", "", "```text", *_folded(usage), "```", ""]
        rows = [action for action in sub._actions if action.help and "--help" not in action.option_strings]
        if rows:
            yield from table("argument", "says")
        for action in rows:
            words = ", ".join(code(one) for one in action.option_strings) or code(str(action.metavar or action.dest))
            value = "" if action.nargs == 0 or not action.option_strings else f" {code(_value(action))}"
            yield f"| {words}{value} | {plain((action.help or '') % {'default': action.default, 'prog': 'asymp'})} |"
        yield ""
        if sub.epilog:
            yield from [plain(" ".join(sub.epilog.split())), ""]


def _value(action: argparse.Action) -> str:
    return "|".join(map(str, action.choices)) if action.choices else str(action.metavar or action.dest.upper())


def _sentence(text: str | None) -> str:
    words = plain(text or "")
    return words[:1].upper() + words[1:] + "." if words else ""


def _folded(usage: str, width: int = 96) -> Iterator[str]:
    line = ""
    for word in re.findall(r"\[[^\]]*\]|\S+", usage):
        if line and len(line) + len(word) >= width:
            yield line
            line = "    "
        line += ("" if not line.strip() else " ") + word
    yield line


def record() -> Iterator[str]:
    """The fields of the record, from its schema."""
    from asymp.export.record import SCHEMA

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    parts = {"the record": schema, **{name: part for name, part in schema["$defs"].items() if "properties" in part}}
    for name, part in parts.items():
        yield from [
            f"## {name[:1].upper()}{name[1:]}",
            "",
            plain(part.get("description", "")),
            "",
            *table("field", "is", "says"),
        ]
        for field, says in part["properties"].items():
            sure = "" if field in part.get("required", ()) else " (where there is one)"
            yield f"| {code(field)} | {plain(_kind(says, schema))} | {plain(says.get('description', ''))}{sure} |"
        yield ""


def _kind(says: dict[str, Any], schema: dict[str, Any]) -> str:
    if "enum" in says:
        return ", ".join(json.dumps(one) if one is None else str(one) for one in says["enum"])
    if "$ref" in says:
        name = says["$ref"].rpartition("/")[2]
        return _kind(schema["$defs"][name], schema) if "enum" in schema["$defs"][name] else name
    if "anyOf" in says:
        return " or ".join(_kind(one, schema) for one in says["anyOf"])
    kind = says.get("type", "anything")
    if kind == "array" and "items" in says:
        return f"list of {_kind(says['items'], schema)}"
    return " or ".join(kind) if isinstance(kind, list) else kind


# --- papers ------------------------------------------------------------------------------------------


def errata(key: str) -> Iterator[str]:
    """What a paper's file of claims registers as wrong as printed: what is printed, what is right, and why."""
    data = tomllib.loads((ROOT / "proofs" / key / "claims.toml").read_text(encoding="utf-8"))
    wrong = [(name, claim) for name, claim in data["claim"].items() if "corrected" in claim]
    yield from [
        f"The file has {len(data['claim'])} claims; {len(wrong)} are wrong as printed and have a correction:",
        "",
    ]
    for name, claim in wrong:
        yield f"`{key}/{name}`"
        moved = [key for key in ("to", "for", "at") if f"corrected-{key}" in claim]
        if "says" in claim:
            yield from [f": printed: {code(' '.join([_text(claim['says']), *_where(claim, '', moved)]))}", ""]
        yield from [
            f": correct: {code(' '.join([_text(claim['corrected']), *_where(claim, 'corrected-', moved)]))}",
            "",
        ]
        yield from [f": {plain(_text(claim.get('why', '')))}", ""]


def _where(claim: dict[str, Any], before: str, keys: Iterable[str]) -> list[str]:
    words = {"to": "as", "for": "for", "at": "at"}
    return [f"{words[key]} {_text(claim[before + key])}" for key in keys if before + key in claim]


def _text(said: Any) -> str:
    found = said if isinstance(said, str) else "; ".join(map(str, said)) if isinstance(said, Iterable) else str(said)
    return " ".join(found.split())


MAKERS: dict[str, Callable[..., Iterator[str]]] = {
    maker.__name__: maker
    for maker in (tables, keys, library, forms, conditions, functions, facts, law_facts, rules, methods, commands, record, errata)
}


# --- Sphinx --------------------------------------------------------------------------------------------


def _source_read(app: Any, docname: str, source: list[str]) -> None:
    source[0] = re.sub(r"^<!-- made: (.+?) -->$", lambda match: made(match[1]), source[0], flags=re.M)


def setup(app: Any) -> dict[str, Any]:
    """Formulas as MathML, and the places where text is made."""
    from docutils import nodes

    from asymp.export.mathml import mathml

    def inline(self: Any, node: Any) -> None:
        self.body.append(_set(mathml(node.astext())))
        raise nodes.SkipNode

    def displayed(self: Any, node: Any) -> None:
        self.body.append(f'<div class="math">{_set(mathml(node.astext(), display=True))}</div>')
        raise nodes.SkipNode

    def _set(formula: str) -> str:
        if formula.startswith("<code>"):
            raise ValueError(f"a formula that cannot be set: {formula}")
        return formula

    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    app.connect("source-read", _source_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
