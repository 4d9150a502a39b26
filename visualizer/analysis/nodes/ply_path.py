"""Paths of plies: the node at the end of a path, and the unique path of a node.

A path is written as in `check`: plies joined by ` > `, `c6#2` for the second visit of c6 under its parent,
`(pruned)` for the stub of that outcome, `?` for a node without a ply. Where a ply was visited more than once,
plain `c6` names none of the visits, so that a scout is not taken for its re-search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from plyscope.engine.quoting import quoted
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import WIDE, Tree

SEPARATOR: Final = " > "
NO_PLY: Final = "?"
MOST_NAMED: Final = 8
"""Siblings that an error lists."""
LONGEST_NAME: Final = 30
MOST_STEPS: Final = 200
"""Plies of a path where many paths are listed."""


def steps_of(text: str) -> list[str]:
    """The plies of a path; a leading `root` is passed over.

    >>> steps_of("root > c6 > d6#2"), steps_of("root")
    (['c6', 'd6#2'], [])
    """
    steps = [step.strip() for step in text.strip().split(SEPARATOR)]
    return steps[1:] if steps[0] == "root" else steps


def row_at(tree: Tree, steps: Sequence[str], start: int) -> int:
    """The row at the end of a path from `start`.

    Raises LookupError, with the choices, where there is none, and where a ply has several visits.
    """
    row = start
    for number, step in enumerate(steps):
        row = _below(tree, row, step, steps[:number])
    return row


def path_to(tree: Tree, row: int) -> str:
    """The path that leads to `row` from the root of its tree, and to no other row; `root` for the root.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> twice = b'{"plyscope": 1, "root": {"children": [{"ply": "c6"}, {"ply": "c6"}, {"ply": "d6"}]}}'
    >>> [path_to(Tree(read_log(twice)), row) for row in range(4)]
    ['root', 'c6#1', 'c6#2', 'd6']
    """
    rows = tree.path(row)
    return SEPARATOR.join(_step(tree, above, below) for above, below in pairwise(rows)) or "root"


def paths_to(tree: Tree, rows: Sequence[int]) -> list[str]:
    """The path to each of `rows`, as by `path_to`; shared parts are read once.

    A path of more than `MOST_STEPS` plies is shortened to both ends, with the number of plies between.
    """
    steps: dict[int, str] = {}
    return [_shortened(tree, way, steps) for way in ways_to(tree, rows)]


def shown_path(tree: Tree, row: int) -> str:
    """The path to one row, for people: shortened as in `paths_to`."""
    return paths_to(tree, [row])[0]


def ways_to(tree: Tree, rows: Sequence[int]) -> Iterator[list[int]]:
    """The rows from the root down to each of `rows`; a part shared with the row before is walked once."""
    way: list[int] = []
    for row in rows:
        way = _way(tree, row, way)
        yield way


def _way(tree: Tree, row: int, before: list[int]) -> list[int]:
    """The rows from the root down to `row`, where those down to another row are known."""
    # The items of mapped columns are slow to read one by one, those of their arrays are not.
    parents, levels = (np.asarray(tree.log.columns[name]) for name in ("parent", "level"))
    level = int(levels[row])
    below: list[int] = []
    while level >= 0 and not (level < len(before) and before[level] == row):
        below.append(row)
        row, level = int(parents[row]), level - 1
    return before[: level + 1] + below[::-1]


def _shortened(tree: Tree, way: list[int], steps: dict[int, str]) -> str:
    half = MOST_STEPS // 2
    parts = [way] if len(way) - 1 <= MOST_STEPS else [way[: half + 1], way[-half - 1 :]]
    texts = [
        SEPARATOR.join(_step_of(tree, above, below, steps) for above, below in pairwise(part))
        for part in parts
    ]
    if len(texts) == 1:
        return texts[0] or "root"
    n_between = len(way) - 1 - 2 * half
    return f"{texts[0]}{SEPARATOR}({n_between:,} {'ply' if n_between == 1 else 'plies'}){SEPARATOR}{texts[1]}"


def _step_of(tree: Tree, parent: int, row: int, steps: dict[int, str]) -> str:
    if row not in steps:
        steps.update(
            _steps_below(tree, parent) if tree.n_children(parent) < WIDE else {row: _step(tree, parent, row)}
        )
    return steps[row]


def _steps_below(tree: Tree, parent: int) -> dict[int, str]:
    children = tree.children(parent).tolist()
    places: dict[str, dict[int, int]] = {}
    times: dict[str, int] = {}
    for child in children:
        ply = tree.ply(child)
        named = [ply] if ply else []
        if tree.is_stub[child] or not ply:
            named.append(_name(tree, child))
        for name in named:
            times[name] = times.get(name, 0) + 1
            places.setdefault(name, {}).setdefault(child, times[name])
    steps = {}
    for child in children:
        name = _name(tree, child)
        steps[child] = name if times[name] == 1 else f"{name}#{places[name][child]}"
    return steps


def _step(tree: Tree, parent: int, row: int) -> str:
    name = _name(tree, row)
    if name == tree.ply(row) and not _is_word(name):
        children = tree.children(parent)
        same = children[tree.log.columns["ply"][children] == tree.log.columns["ply"][row]].tolist()
    else:
        same = _called(tree, parent, name)
    return name if len(same) == 1 else f"{name}#{same.index(row) + 1}"


def _name(tree: Tree, row: int) -> str:
    if tree.is_stub[row]:
        return f"({words.OUTCOMES[int(tree.log.columns['outcome'][row])]})"
    return tree.ply(row) or NO_PLY


def _is_word(name: str) -> bool:
    """Whether a name may stand for nodes without a ply, or for stubs, besides those whose ply it is."""
    return name == NO_PLY or (name.startswith("(") and name[1:-1] in words.OUTCOMES[words.FIRST_STUB :])


def _called(tree: Tree, row: int, name: str) -> list[int]:
    """The children of `row` with the name `name`, without the number of a visit."""
    children = tree.children(row)
    is_stub = tree.is_stub[children]
    found = tree.visits(row, name)
    if name == NO_PLY:
        found += children[(tree.log.columns["ply"][children] < 0) & ~is_stub].tolist()
        found += [empty for empty in tree.visits(row, "") if not tree.is_stub[empty]]
    elif _is_word(name):
        outcome = words.OUTCOMES.index(name[1:-1])
        found += children[tree.log.columns["outcome"][children] == outcome].tolist()
    return sorted(found)


def _below(tree: Tree, row: int, step: str, before: Sequence[str]) -> int:
    same = _called(tree, row, step)
    if not same:
        name, _, number = step.rpartition("#")
        if name and number.isdecimal():
            visits = _called(tree, row, name)
            if 0 < int(number) <= len(visits):
                return visits[int(number) - 1]
            if visits:
                times = f"{len(visits)} times" if len(visits) > 1 else "once"
                raise LookupError(f"no {_shown(step)} {_where(before)}: {_shown(name)} was visited {times}")
        raise LookupError(f"no {_shown(step)} {_where(before)}; {_choices(tree, row)}")
    if len(same) > 1:
        ids = tree.log.columns["id"][same[:MOST_NAMED]].tolist()
        named = ", ".join(f"{step}#{visit} (id {id_})" for visit, id_ in enumerate(ids, 1))
        more = ", …" if len(same) > MOST_NAMED else ""
        raise LookupError(
            f"{_shown(step)} was visited {len(same)} times {_where(before)}; say which: {named}{more}"
        )
    return same[0]


def _where(before: Sequence[str]) -> str:
    return f"below {_shown(SEPARATOR.join(before))}" if before else "below the root"


def _choices(tree: Tree, row: int) -> str:
    children = tree.children(row)
    if not len(children):
        return "there is nothing below it in this log"
    names = list(dict.fromkeys(_name(tree, child) for child in children[: 4 * MOST_NAMED].tolist()))
    more = f" and {n_more:,} more" if (n_more := len(children) - MOST_NAMED) > 0 else ""
    return f"there are {', '.join(_shown(name) for name in names[:MOST_NAMED])}{more}"


def _shown(name: str) -> str:
    return quoted(name, most=4 * LONGEST_NAME)
