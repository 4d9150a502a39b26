"""The table of fields in docs/query.md, made from the fields themselves.

    python -m plyscope.visualizer.analysis.query.fields_page

writes it again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from plyscope.visualizer.analysis.query.field import (
    ENTRIES,
    FROM_THE_TREE,
    GROUPS,
    GROUPS_ASKED,
    LISTS,
    TYPES,
)
from plyscope.visualizer.store.fields import FIELDS

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "query.md"
BEGIN: Final = "<!-- fields -->\n"
END: Final = "<!-- end of fields -->\n"

OF_GROUPS: Final = {
    "factors": ("factors.NAME", "the raw value of this factor, as the header names it"),
    "contributions": (
        "contributions.NAME",
        "what it added: as the log states it, else weight × value",
    ),
    "scores": ("scores.NAME", "the score of this player; by number (`scores.0`) where players are not named"),
}


def fields_table() -> str:
    """A row for each field: name, type, words or meaning."""
    rows = ["| field | is | meaning |", "|---|---|---|"]
    rows += (f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in FROM_THE_TREE.items())
    for name, field in FIELDS.items():
        if name in GROUPS_ASKED:
            shown, meaning = OF_GROUPS[name]
            rows.append(f"| `{shown}` | number | {meaning} |")
        elif name not in (*LISTS, *ENTRIES, *GROUPS):
            kind = "key" if field.kind == "key" else TYPES[field.kind]
            words = [] if field.vocabulary is None else [f"`{word}`" for word in field.vocabulary.said]
            listed = f": {', '.join(words)}" if words else ""
            rows.append(f"| `{name}` | {kind} | {field.meaning}{listed} |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The text of the page with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + fields_table() + "\n" + END + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
