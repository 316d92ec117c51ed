"""Tables on a phone: where there is no room for three columns, a row is a small list, each cell behind its column's name.

The names stand in every cell of such a table, where the style sheet hides them as long as the columns have room; a table of
two columns stays one.
"""

from __future__ import annotations

from typing import Any

COLUMNS = 3
"""From which on a table is stacked."""


def labelled(doctree: Any) -> int:
    """Put the names of the columns into the cells of wide tables; the number of these tables."""
    from docutils import nodes

    found = 0
    for table in doctree.findall(nodes.table):
        names = [entry.astext() for head in table.findall(nodes.thead) for entry in head.findall(nodes.entry)]
        if len(names) < COLUMNS:
            continue
        table["classes"].append("stacked")
        found += 1
        for row in (row for body in table.findall(nodes.tbody) for row in body.findall(nodes.row)):
            for name, cell in zip(names, row.findall(nodes.entry), strict=False):
                inside = next(iter(cell.findall(nodes.paragraph)), None)
                if inside is not None and inside.astext().strip() and name:
                    inside.insert(0, nodes.inline("", name, classes=["column"]))
    return found


def _resolved(app: Any, doctree: Any, docname: str) -> None:
    if app.builder.format == "html":
        labelled(doctree)


def setup(app: Any) -> dict[str, Any]:
    """What is done when a page is about to be written."""
    app.connect("doctree-resolved", _resolved)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
