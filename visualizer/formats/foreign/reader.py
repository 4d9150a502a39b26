"""Anyone's tree: a parsed document that is no log of ours, taken for the search tree that it most likely is.

What holds the children is found first (`trunk`), then which field means what is guessed from names and values
(`reading`), and the nodes are told in the words of the native form (`nodes`). A mapping corrects any guess.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from plyscope.visualizer.formats.cut_path import with_open
from plyscope.visualizer.formats.draft import Draft
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.fields import Field, collect, number
from plyscope.visualizer.formats.foreign.mapping import checked_mapping
from plyscope.visualizer.formats.foreign.nodes import NodeTeller
from plyscope.visualizer.formats.foreign.outline import NESTED, Outline
from plyscope.visualizer.formats.foreign.reading import Reading
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.foreign.trunk import find_tree
from plyscope.visualizer.store.log import Log


def read_foreign(
    document: object,
    *,
    mapping: Mapping[str, str] | None = None,
    notices: Sequence[str] = (),
    open_at: str = "",
) -> Log:
    """The log that a foreign document makes; `notices` of what went before stand first in it.

    `open_at` is the JSON path at which the document was cut, empty where it is whole.

    `mapping` says which field is taken for what (`{"children": "nextMove", "score": "value"}`), an empty text
    for none; the rest is guessed. Raises LogError where the document is no tree, or a mapped field is
    not there.

    >>> log = read_foreign({"name": "root", "kids": [{"name": "c6", "value": 3}, {"name": "d6", "value": 5}]})
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist(), dict(log.mapping)
    ([-1, 0, 0], [nan, 3.0, 5.0], {'children': 'kids', 'ply': 'name', 'score': 'value'})
    >>> read_foreign([3, 5, 9])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: $: this looks like a list of 3 numbers; expected a tree, ...
    """
    told = checked_mapping(mapping or {})
    children = told.get("children") or None
    guessed = outline = find_tree(document)
    if children and (guessed is None or guessed.children != children):
        outline = find_tree(document, children)
    if outline is None:
        raise LogError(_refusal(document, children), path="$")
    reading = Reading(outline, told)
    draft = Draft()
    for notice in (*notices, *outline.notices, *reading.sentences()):
        draft.notice(notice)
    teller = NodeTeller(reading, outline)
    for node, parent in enumerate(outline.parents):
        fields, extras = teller.node(node)
        draft.add(fields, None if parent < 0 else parent, partial(outline.path, node), extras)
    log = draft.seal(
        reading.header(),
        roots_need_iterations=False,
        mapping=reading.mapping,
        shape=""
        if guessed is None
        else shape_of_tree(guessed, reading.fields if guessed is outline else None),
        fields=field_names(reading),
    )
    return with_open(log, _open_rows(outline, open_at)) if open_at and outline.form == NESTED else log


def field_names(reading: Reading) -> tuple[str, ...]:
    """The names of the fields seen on the nodes, that of the children last."""
    return tuple(dict.fromkeys([*reading.fields, *filter(None, [reading.outline.children])]))


def _open_rows(outline: Outline, open_at: str) -> list[int]:
    """The nodes in which a cut lies: of the last one and those above it, the ones its path goes through."""
    down = []
    node = len(outline.nodes) - 1
    while node >= 0:
        down.append(node)
        node = outline.parents[node]
    rows: list[int] = []
    reached = 0
    for node in reversed(down):
        step = outline.steps[node]
        end = reached + len(step)
        if not open_at.startswith(step, reached) or open_at[end : end + 1] not in ("", ".", "["):
            break
        rows.append(node)
        reached = end
    return rows


def shape_of(document: object) -> str:
    """A digest of the names that the nodes of a foreign document share, empty where it is no tree.

    It does not depend on any mapping, so that a mapping can be remembered under it.

    >>> three, two, other = {"kids": [{"v": 1}, {"v": 3}]}, {"kids": [{"v": 2}]}, {"kids": [{"w": 2}]}
    >>> shape_of(three) == shape_of(two) != shape_of(other)
    True
    """
    outline = find_tree(document)
    return "" if outline is None else shape_of_tree(outline)


def shape_of_tree(outline: Outline | SlicedOutline | Tree, fields: Mapping[str, Field] | None = None) -> str:
    """A digest of the names on at least half of the nodes below the root; rarer ones come and go."""
    n_nodes, n_with = max(outline.n_nodes - 1, 1), outline.n_with()
    paths = fields or collect(outline.sample())
    shared = [path for path in paths if 2 * n_with.get(path.partition(".")[0], 0) >= n_nodes]
    text = "\n".join([outline.form, outline.children, *sorted(shared)])
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _refusal(document: object, children: str | None) -> str:
    if children is None:
        return f"this looks like {looks_like(document)}; {EXPECTED}"
    objects = document if isinstance(document, list) else [document]
    seen = list(dict.fromkeys(name for item in objects[:100] if isinstance(item, dict) for name in item))
    what = f"fields seen: {', '.join(seen[:30])}" if seen else f"this looks like {looks_like(document)}"
    return f'mapping: nothing holds nodes under "{children}"; {what}'


EXPECTED: Final = (
    "expected a tree, objects that hold their children: "
    '{"name": "root", "children": [{"name": "c6", "score": 3}]}'
)


def looks_like(document: object) -> str:
    """A description of a document that is no tree.

    >>> looks_like([12, 7, 9])
    'a list of 3 numbers'
    >>> looks_like([[["x", "o", ""], ["", "x", ""], ["", "", "o"]]] * 4)
    'a list of 4 boards of 3 × 3 cells'
    >>> looks_like([{"move": "c6", "score": 3}, {"move": "d6", "score": 1}])
    'a table of 2 rows (move, score) of which none says what lies below it'
    >>> looks_like({"name": "left-pad", "version": "1.3.0"})
    'an object of 2 fields (name, version) of which none holds nodes'
    """
    if isinstance(document, dict):
        if not document:
            return "an empty object"
        rows = list(document.values())
        if len(rows) > 1 and all(
            isinstance(row, dict) and row and list(row) == list(rows[0]) for row in rows
        ):
            return f"a table of {len(rows)} × {len(rows[0])} values by row and column ({_named(document)})"
        return f"an object of {_n(len(document), 'field')} ({_named(document)}) of which none holds nodes"
    if not isinstance(document, list):
        return f"a single value, {shown(document)}"
    items = [item for item in document if item is not None]
    if not items:
        return "an empty list"
    if all(isinstance(item, dict) for item in items):
        return _table(items)
    if all(isinstance(item, list) for item in items):
        return _lists(items)
    if all(number(item) is not None for item in items):
        return f"a list of {_n(len(items), 'number')}"
    if all(isinstance(item, str) for item in items):
        return f"a list of {_n(len(items), 'text')}"
    return f"a list of {_n(len(items), 'thing')} of different kinds"


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows[:100] for name in row))
    cells = next((row[name] for row in rows for name in names if _grid(row.get(name))), None)
    if cells is not None:
        return (
            f"a list of {_n(len(rows), 'position')} ({_named(names)}) of which none says what lies below it"
        )
    return f"a table of {_n(len(rows), 'row')} ({_named(names)}) of which none says what lies below it"


def _lists(lists: Sequence[list[Any]]) -> str:
    grids = {_grid(item) for item in lists}
    if len(grids) == 1 and (grid := next(iter(grids))):
        return f"a list of {_n(len(lists), 'board')} of {grid[0]} × {grid[1]} cells"
    if all(not isinstance(cell, list | dict) for item in lists for cell in item):
        widths = {len(item) for item in lists}
        if len(widths) == 1:
            return f"a board or table of {len(lists)} × {widths.pop()} values"
        return f"a list of {_n(len(lists), 'list')} of values"
    return "lists in lists, of which nothing says what is a node and what a score"


def _grid(value: object) -> tuple[int, int] | None:
    """Rows and columns of a list of equally long lists of scalars."""
    if (
        not isinstance(value, list)
        or len(value) < 2
        or not all(isinstance(row, list) and row for row in value)
    ):
        return None
    if len({len(row) for row in value}) != 1 or any(
        isinstance(cell, list | dict) for row in value for cell in row
    ):
        return None
    return len(value), len(value[0])


def _named(names: Mapping[str, Any] | Sequence[str]) -> str:
    first = [name if len(name) <= 30 else f"{name[:29]}…" for name in list(names)[:6]]
    return ", ".join(first) + (", …" if len(names) > 6 else "")


def _n(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
