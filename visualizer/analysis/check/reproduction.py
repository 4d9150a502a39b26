"""The reproduction of a node: its path of plies, and one line with position, depth, window and options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.nodes.digits import exact
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.positions import shown_ply

SEPARATOR = " > "

MOST_PLIES: Final = 200
"""Longer paths are shortened to both ends."""
MOST_WALKED: Final = 500
"""Siblings that are walked one by one; more are compared all at once."""


def path_of(log: Log, row: int, way: Sequence[int] | None = None) -> str:
    """Return the plies from the root, `root` for a root; `c6#2` is the second visit of c6 under its parent.

    The path of a stub ends in its outcome: `c6 > (pruned)`. Of more than 200 plies the middle is left out.
    `way` has the rows from the root down to `row`, where somebody has walked it.
    """
    parent = log.columns["parent"]
    rows: list[int] = []
    if way is None:
        while (above := int(parent[row])) >= 0:
            rows.append(row)
            row = above
        rows.reverse()
    else:
        rows = list(way[1:])
    n_left_out = max(0, len(rows) - MOST_PLIES)
    half = MOST_PLIES // 2 if n_left_out else len(rows)
    steps = [_step(log, int(parent[each]), each) for each in rows[:half]]
    if n_left_out:
        steps.append(f"({n_left_out:,} plies)")
        steps += [_step(log, int(parent[each]), each) for each in rows[-half:]]
    return SEPARATOR.join(steps) or "root"


def _step(log: Log, parent: int, row: int) -> str:
    ply, end = log.columns["ply"], log.columns["end"]
    outcome = int(log.columns["outcome"][row])
    if outcome >= words.FIRST_STUB:
        return f"({words.OUTCOMES[outcome]})"
    text = shown_ply(log, row) or "?"
    visit, sibling, n_walked = 1, parent + 1, 0
    while sibling < row and n_walked < MOST_WALKED:
        visit += bool(ply[sibling] == ply[row] and log.columns["outcome"][sibling] < words.FIRST_STUB)
        sibling = int(end[sibling])
        n_walked += 1
    if sibling < row:
        between = slice(sibling, row)
        is_same = (ply[between] == ply[row]) & (log.columns["parent"][between] == parent)
        visit += int(np.count_nonzero(is_same & (log.columns["outcome"][between] < words.FIRST_STUB)))
    return text if visit == 1 else f"{text}#{visit}"


def reproduce(log: Log, row: int) -> str:
    """Return one line with which the visit of `row` can be repeated, as far as the log tells.

    E.g. `position …; plies c6 > d6; depth 3; window (-inf, 4); alphabeta, fail soft, limit 8`. Windows are
    the root player's; if the other side moves, the call of a negamax engine is added.
    """
    parts = []
    if isinstance(game := log.header.get("game"), str):
        parts.append(f"game {game}")
    if (at := _position(log, row)) is not None:
        parts.append(f"position {at}")
    path = path_of(log, row)
    parts.append("at the root" if path == "root" else f"plies {path}")
    if (depth := _number(log, "depth", row)) is not None:
        parts.append(f"depth {exact(depth)}")
    alpha, beta = _number(log, "alpha", row), _number(log, "beta", row)
    if alpha is not None and beta is not None:
        window = f"window ({exact(alpha)}, {exact(beta)})"
        if (layer := log.columns.get("layer")) is not None and layer[row] == words.MIN:
            window += f", as its mover sees it ({exact(0 - beta)}, {exact(0 - alpha)})"
        parts.append(window)
    if options := _options(log):
        parts.append(options)
    return "; ".join(parts)


def _position(log: Log, row: int) -> str | None:
    """Return the position in which the plies of the path begin."""
    column, parent = log.columns.get("position"), log.columns["parent"]
    text = None
    if column is not None:
        while int(parent[row]) >= 0:
            row = int(parent[row])
        text = log.text(int(column[row]))
    start = log.header.get("position")
    return text or (start if isinstance(start, str) else None)


def _number(log: Log, name: str, row: int) -> float | None:
    column = log.columns.get(name)
    if column is None or math.isnan(value := float(column[row])):
        return None
    return value


def _options(log: Log) -> str:
    search = log.search
    named = {name: search[name] for name in ("algorithm", "fail", "limit", "table") if name in search}
    options = search.get("options")
    named |= options if isinstance(options, dict) else {}
    return ", ".join(
        str(value) if name == "algorithm" else f"{name} {value}"
        for name, value in named.items()
        if value not in (None, False)
    )
