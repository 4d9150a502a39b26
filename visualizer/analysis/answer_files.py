"""The files that are printed from the dataclasses of answers and from the fields of queries.

    python -m plyscope.visualizer.analysis.answer_files

writes them again: the types of the page's modules, the tables of figures in the page about the API, and the
table of fields in the page about queries.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from plyscope.visualizer.analysis.json_answer import SPREAD, figures_of, is_long, key_of
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.query.field import (
    ENTRIES,
    FROM_THE_TREE,
    GROUPS,
    GROUPS_ASKED,
    LISTS,
    TYPES,
)
from plyscope.visualizer.analysis.results.answer import Standings
from plyscope.visualizer.analysis.statistics.figures import Statistics
from plyscope.visualizer.analysis.statistics.iterations import NodeIteration
from plyscope.visualizer.analysis.statistics.totals import Totals
from plyscope.visualizer.analysis.whatif.answer import WeightCurve, WeightRanges, WhatIf
from plyscope.visualizer.store.field_files import ROOT, between
from plyscope.visualizer.store.fields import FIELDS

MODULE: Final = "static/data/answers.js"
PAGE: Final = "docs/api.md"
QUERIES: Final = "docs/query.md"

ANSWERS: Final[Mapping[str, tuple[type, ...]]] = {
    "matches": (Standings,),
    "statistics": (Statistics, NodeIteration),
    "what-if": (WhatIf, WeightRanges, WeightCurve),
}
"""The answers of each part of the API that has tables; the dataclasses in them are found from these."""
OTHERS: Final = (Totals,)
"""Dataclasses that only get a type for the page."""

OF_GROUPS: Final = {
    "factors": ("factors.NAME", "the raw value of this factor, as the header names it"),
    "contributions": (
        "contributions.NAME",
        "what it added: as the log states it, else weight × value",
    ),
    "scores": ("scores.NAME", "the score of this player; by number (`scores.0`) where players are not named"),
}

PLAIN: Final[Mapping[Any, str]] = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
    Any: "any",
}


@dataclass(frozen=True)
class Member:
    """A key of an answer, with its type and its meaning."""

    name: str
    kind: Any
    meaning: str
    is_optional: bool = False


def files() -> dict[str, str]:
    """The whole text of every file, by its path from the root; of the page only tables are made here."""
    page = (ROOT / PAGE).read_text("utf-8")
    for name, answers in ANSWERS.items():
        page = between(page, name, _table(_all_kinds(answers)))
    kinds = _all_kinds([*(each for some in ANSWERS.values() for each in some), *OTHERS])
    queries = between((ROOT / QUERIES).read_text("utf-8"), "fields", f"\n{_fields_table()}\n")
    return {PAGE: page, MODULE: _module(kinds), QUERIES: queries}


def _fields_table() -> str:
    """The fields that an expression can use, as a table of the page on queries."""
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


def _module(kinds: Sequence[type]) -> str:
    assert len({kind.__name__ for kind in kinds}) == len(kinds), "two answers have one name"
    typedefs = "\n\n".join(map(_typedef, kinds))
    return f"""// @ts-check
/**
 * The shapes of answers of the server, from the dataclasses in visualizer/analysis:
 * `python -m plyscope.visualizer.analysis.answer_files` writes this file.
 */

/** @import {{ Score }} from "./fields.js" */
/** @import {{ Id }} from "./types.js" */

{typedefs}

export {{}};
"""


def _typedef(kind: type) -> str:
    lines = [f" * {_meaning(kind)}", f" * @typedef {{object}} {kind.__name__}"]
    for each in members(kind):
        name = f"[{each.name}]" if each.is_optional else each.name
        lines.append(f" * @property {{{written(each.kind)}}} {name} {each.meaning}".rstrip())
    return "\n".join(["/**", *lines, " */"])


def _table(kinds: Sequence[type]) -> str:
    rows = ["| figure | value | meaning |", "|---|---|---|"]
    for kind in kinds:
        rows.append(f"| ***{kind.__name__}*** | | {_meaning(kind)} |")
        for each in members(kind):
            value = written(each.kind).replace("|", "\\|")
            rows.append(f"| `{each.name}`{'?' if each.is_optional else ''} | `{value}` | {each.meaning} |")
    return "\n".join(rows) + "\n"


def members(kind: type) -> Iterator[Member]:
    """The keys of a dataclass in JSON, in their order; raises NameError where its module lacks a type."""
    hints, meanings = get_type_hints(kind, include_extras=True), _meanings(kind)
    for each in fields(kind):
        key, hint = key_of(each), hints[each.name]
        if key == SPREAD["json"]:
            yield from members(_dataclasses(hint)[0])
        elif key:
            is_optional = each.default is not MISSING
            held = _stated(hint) if is_optional else hint
            yield Member(key, held, meanings.get(each.name, ""), is_optional)
            if is_long(each):
                yield Member(f"more_{key}", int, f"How many of `{key}` were left out.", is_optional=True)
    for name, get in figures_of(kind).items():
        yield Member(name, get_type_hints(get, include_extras=True)["return"], _sentences(get.__doc__))


def written(kind: Any) -> str:
    """A type of Python as the page's modules write it.

    >>> written(tuple[str | None, ...]), written(tuple[float, float]), written(Literal["max", "min"])
    ('(string | null)[]', '[number, number]', '"max" | "min"')
    """
    if kind in PLAIN:
        return PLAIN[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return str(inner[1])
    if origin is Literal:
        return " | ".join(json.dumps(each) for each in inner)
    if origin in (Union, types.UnionType):
        return " | ".join(map(written, inner))
    if origin is tuple and inner[-1] is not Ellipsis:
        return f"[{', '.join(map(written, inner))}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Record<{written(inner[0])}, {written(inner[1])}>"
    if isinstance(origin, type) and issubclass(origin, Sequence):
        item = written(inner[0])
        return f"({item})[]" if " | " in item else f"{item}[]"
    return "Id" if kind is Node else str(kind.__name__)


def _all_kinds(answers: Sequence[type]) -> list[type]:
    """These dataclasses and all those inside them, each once, the outer ones first."""
    found = dict.fromkeys(answers)
    for kind in answers:
        for each in members(kind):
            found |= dict.fromkeys(_all_kinds(_dataclasses(each.kind)))
    return list(found)


def _stated(kind: Any) -> Any:
    """A type without None."""
    is_union = get_origin(kind) in (Union, types.UnionType)
    return reduce(or_, [part for part in get_args(kind) if part is not type(None)]) if is_union else kind


def _dataclasses(kind: Any) -> list[type]:
    """The dataclasses that a type is made of."""
    if isinstance(kind, type) and is_dataclass(kind):
        return [kind]
    return [part for each in get_args(kind) for part in _dataclasses(each)]


def _meaning(kind: type) -> str:
    return _sentences(kind.__doc__)


def _sentences(text: str | None) -> str:
    """The first paragraph of a docstring, on one line, with the words of JSON."""
    first = " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())
    return re.sub(r"\bNone\b", "null", first)


def _meanings(kind: type) -> dict[str, str]:
    """The sentences below the fields of a dataclass, and of the classes below it."""
    found: dict[str, str] = {}
    for each in reversed([one for one in kind.__mro__ if is_dataclass(one)]):
        (stated,) = ast.parse(textwrap.dedent(inspect.getsource(each))).body
        assert isinstance(stated, ast.ClassDef)
        for member, below in zip(stated.body, stated.body[1:], strict=False):
            match member, below:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(value=ast.Constant(str(text))):
                    found[name] = _sentences(text)
    return found


def main() -> None:
    """Write every file again."""
    for path, text in files().items():
        (ROOT / path).write_text(text, "utf-8")
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
