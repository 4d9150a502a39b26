"""The files that are generated from the table of fields.

    python -m plyscope.visualizer.store.field_files

writes them again: the documentation of the format, its schema, and the fields for the page's modules.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, get_args

from plyscope.engine.alphabeta.counters import COUNTERS
from plyscope.visualizer.store.fields import FIELDS, OWN, Field, Group, Kind, entry_of
from plyscope.visualizer.store.header_fields import NOTE, NOTE_COLOURS, SEARCH, Declared, DeclaredKind
from plyscope.visualizer.store.words import Vocabulary

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = "docs/log-format.md"
SCHEMA: Final = "docs/log-format.schema.json"
MODULE: Final = "static/data/fields.js"
SHORT_LINE: Final = 60
"""Objects of so few characters stand in one line."""

KINDS: Final[dict[Kind, tuple[str, str, dict[str, Any]]]] = {
    "score": ("number", "Score", {"$ref": "#/$defs/maybe_number"}),
    "low edge": ("number or null", "Score | null", {"$ref": "#/$defs/maybe_number"}),
    "high edge": ("number or null", "Score | null", {"$ref": "#/$defs/maybe_number"}),
    "amount": ("number", "number", {"$ref": "#/$defs/maybe_number"}),
    "whole": ("whole number", "number", {"$ref": "#/$defs/whole"}),
    "flag": ("true or false", "boolean", {"$ref": "#/$defs/flag"}),
    "text": ("text", "string", {"$ref": "#/$defs/maybe_text"}),
    "long text": ("text", "string", {"$ref": "#/$defs/maybe_text"}),
    "player": ("text or index", "string", {"type": ["string", "integer", "null"]}),
    "key": ("text or number", "string", {"type": ["string", "integer", "null"]}),
    "id": ("whole number or text", "number", {"$ref": "#/$defs/id"}),
    "numbers": ("list of numbers", "(Score | null)[]", {"$ref": "#/$defs/numbers"}),
    "named numbers": (
        "object of numbers",
        "(Score | null)[]",
        {"type": ["object", "null"], "additionalProperties": {"$ref": "#/$defs/maybe_number"}},
    ),
    "texts": ("list of texts", "string[]", {"type": ["array", "null"], "items": {"type": "string"}}),
}
"""The type of each kind of value: for people, in the page's modules, in the schema."""

ENTRIES: Final = {"tt": "TableEntry", "ucb": "ChoiceTerms"}
"""The types of fields that are objects of ours, in the page's modules."""

DECLARED_KINDS: Final[dict[DeclaredKind, tuple[str, dict[str, Any]]]] = {
    "number": ("number", {"$ref": "#/$defs/maybe_number"}),
    "whole": ("whole number", {"$ref": "#/$defs/whole"}),
    "count": ("whole number", {"type": ["integer", "null"], "minimum": 1}),
    "flag": ("true or false", {"type": ["boolean", "null"]}),
    "text": ("text", {"$ref": "#/$defs/maybe_text"}),
    "player": ("text or index", {"type": ["string", "integer", "null"]}),
    "range": (
        "list of two numbers",
        {"type": ["array", "null"], "items": {"$ref": "#/$defs/number"}, "minItems": 2, "maxItems": 2},
    ),
    "object": ("object", {}),
}
"""The type of each kind of declaration but words: for people, in the schema."""


def files(root: Path = ROOT) -> dict[str, str]:
    """The whole text of every file, by its path from the root; only parts of two of them are generated."""
    page = (root / PAGE).read_text("utf-8")
    page = between(page, "fields", fields_table())
    page = between(page, "search", declared_table(SEARCH))
    page = between(page, "notes", declared_table(NOTE))
    page = between(page, "counters", counters_table())
    schema = json.loads((root / SCHEMA).read_text("utf-8"))
    definitions = schema["$defs"]
    children = definitions["node"]["properties"]["children"]
    definitions["search"]["properties"] = {each.name: _declared_schema(each) for each in SEARCH}
    definitions["note"]["properties"] = {each.name: _declared_schema(each) for each in NOTE}
    definitions["node"]["properties"] = _properties(OWN) | {"children": children}
    return {PAGE: page, SCHEMA: _indented(schema) + "\n", MODULE: module()}


def _indented(value: Any, levels: int = 4, margin: str = "") -> str:
    """JSON with a line for each entry of the outer `levels` of objects and lists, the inner ones in a line.

    >>> print(_indented({"required": "plyscope", "properties": {"game": {"type": "string"}}}, levels=1))
    {
      "required": "plyscope",
      "properties": {"game": {"type": "string"}}
    }
    """
    if levels == 0 or not isinstance(value, dict | list) or len(json.dumps(value)) < SHORT_LINE:
        return json.dumps(value, ensure_ascii=False)
    inner = margin + "  "
    opened, closed, names = "[", "]", [""] * len(value)
    if isinstance(value, dict):
        opened, closed, names = "{", "}", [f"{json.dumps(name)}: " for name in value]
        value = value.values()
    lines = [
        f"{inner}{name}{_indented(each, levels - 1, inner)}" for name, each in zip(names, value, strict=True)
    ]
    inside = ",\n".join(lines)
    return f"{opened}\n{inside}\n{margin}{closed}"


def between(page: str, name: str, text: str) -> str:
    """The page with `text` between the two marks of that name."""
    made, n_found = re.subn(
        rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)",
        lambda found: f"{found[1]}{text}{found[2]}",
        page,
        flags=re.DOTALL,
    )
    assert n_found == 1, name
    return made


def fields_table() -> str:
    """The table of fields, by group, in the documentation of the format."""
    rows = ["| field | value | meaning |", "|---|---|---|"]
    for group in get_args(Group):
        rows.append(f"| ***{group}*** | | |")
        rows += [_row(field) for field in FIELDS.values() if field.group == group]
    return "\n".join(rows) + "\n"


def _row(field: Field) -> str:
    if field.kind == "entry":
        value = "object"
    elif field.vocabulary is not None:
        value = ", ".join(f"`{word}`" for word in field.vocabulary.said)
    else:
        value = KINDS[field.kind][0]
    return f"| `{field.name}` | {value} | {field.meaning} |"


def declared_table(table: Iterable[Declared]) -> str:
    """The table of the keys that a part of the header may declare, in the documentation of the format."""
    rows = ["| key | value | meaning | default |", "|---|---|---|---|"]
    for each in table:
        value = ", ".join(f"`{word}`" for word in each.words) or DECLARED_KINDS[each.kind][0]
        rows.append(f"| `{each.name}` | {value} | {each.meaning} | {each.default} |")
    return "\n".join(rows) + "\n"


def counters_table() -> str:
    """The table of our counters, in the documentation of the format."""
    rows = ["| counter | tried | succeeded | counts |", "|---|---|---|---|"]
    rows += [f"| `{name}` | {of.tried} | {of.succeeded} | {of.meaning} |" for name, of in COUNTERS.items()]
    return "\n".join(rows) + "\n"


def _properties(fields: Iterable[Field]) -> dict[str, Any]:
    return {field.inner_name: _schema(field) for field in fields}


def _schema(field: Field) -> dict[str, Any]:
    if field.kind == "entry":
        told: dict[str, Any] = {"type": ["object", "null"], "properties": _properties(entry_of(field.name))}
    elif field.vocabulary is not None:
        told = {"enum": [*field.vocabulary.said, None]}
    else:
        told = KINDS[field.kind][2]
    return told | {"description": field.meaning}


def _declared_schema(each: Declared) -> dict[str, Any]:
    told = {"enum": [*each.words, None]} if each.words else DECLARED_KINDS[each.kind][1]
    return told | {"description": each.meaning}


def module() -> str:
    """The page's module: the fields in reading order, words, counters, and types."""
    shown = [
        {
            "name": each.name,
            "kind": each.kind,
            "label": each.label or each.name.replace("_", " "),
            "title": each.meaning.replace("`", ""),
        }
        for each in sorted(OWN, key=lambda field: get_args(Group).index(field.group))
    ]
    words = {each.name: dict(each.vocabulary.said) for each in FIELDS.values() if each.vocabulary}
    counters = {name: [of.tried, of.succeeded, of.meaning] for name, of in COUNTERS.items()}
    return f"""// @ts-check
/**
 * The fields of a node, the words of their values and the counters of a search, from the table in
 * visualizer/store/fields.py: `python -m plyscope.visualizer.store.field_files` writes this file.
 */

/** @typedef {{number | "inf" | "-inf" | "nan"}} Score numbers that JSON lacks are written as words */
{_typedefs()}

/**
 * What people are told of a field.
 * @typedef {{{{name: string, kind: string, label: string, title: string}}}} FieldWords
 */

/**
 * Every field that a node states itself, in the order in which one reads them.
 * @type {{readonly FieldWords[]}}
 */
// prettier-ignore
export const FIELDS = {_indented(shown, 1)};

/** What people read for each word of a field. */
// prettier-ignore
export const WORDS = {_indented(words, 1)};

/**
 * What is tried and what succeeds, of each counter that our engine writes, and what that means.
 * @type {{Record<string, [string, string, string]>}}
 */
// prettier-ignore
export const COUNTERS = {_indented(counters, 1)};

/** @typedef {{{" | ".join(map(json.dumps, NOTE_COLOURS))}}} NoteColour */

/**
 * The colours of notes, the usual one first.
 * @type {{readonly [NoteColour, ...NoteColour[]]}}
 */
export const NOTE_COLOURS = {json.dumps(NOTE_COLOURS)};
"""


def _typedefs() -> str:
    vocabularies: dict[str, Vocabulary] = {
        each.vocabulary.type: each.vocabulary for each in FIELDS.values() if each.vocabulary
    }
    words = [
        f"/** @typedef {{{' | '.join(json.dumps(word) for word in each.said)}}} {name} */"
        for name, each in vocabularies.items()
    ]
    return "\n".join(
        [
            *words,
            "",
            *(
                line
                for entry in OWN
                if entry.kind == "entry"
                for line in (_typedef(ENTRIES[entry.name], f"{entry.meaning}.", entry_of(entry.name)), "")
            ),
            _typedef(
                "LoggedFields",
                "What a log may state of a node; an absent field is unknown.",
                [field for field in OWN if field.name != "id"],
            ),
        ]
    )


def _typedef(name: str, meaning: str, fields: Iterable[Field]) -> str:
    lines = [f" * @property {{{_type(field)}}} [{field.inner_name}] {field.meaning}" for field in fields]
    return "\n".join(["/**", f" * {meaning}", f" * @typedef {{object}} {name}", *lines, " */"])


def _type(field: Field) -> str:
    if field.kind == "entry":
        return ENTRIES[field.name]
    return field.vocabulary.type if field.vocabulary else KINDS[field.kind][1]


def main() -> None:
    """Write every file again."""
    for path, text in files().items():
        is_new = text != (ROOT / path).read_text("utf-8")
        (ROOT / path).write_text(text, "utf-8")
        sys.stdout.write(f"{path}{'' if is_new else ' (as it was)'}\n")


if __name__ == "__main__":
    main()
