"""The tree of a search as rows in pre-order, seen from one root player; and the part of it worth keeping.

A tree with only its first levels at hand is written too: a node with `n_children` but no `first` was
expanded, and all its children are in one stub.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from plyscope.engine.game import ONGOING, SCORED, Array
from plyscope.engine.jit import kernel
from plyscope.engine.montecarlo.growing import mean_for
from plyscope.engine.montecarlo.playout import DRAW as DRAWN_RESULT
from plyscope.engine.montecarlo.playout import WIN as WON_RESULT
from plyscope.engine.montecarlo.playout import result_for
from plyscope.engine.montecarlo.tree import ROOT
from plyscope.engine.record.rows import DRAW, LEAF, LOSS, SEARCHED, TERMINAL, UNLOGGED, WIN

PATH: Final = np.dtype(
    [
        ("node", np.int64),
        ("row", np.int64),
        ("next", np.int64),  # place of the child that is written next
        ("n_logged", np.int64),
        ("visits", np.int64),  # of the children without rows
        ("points", np.int64),  # their half points
    ]
)


@kernel
def write_rows(
    nodes: Array, path: Array, log_visits: int, root_player: int, rows: Array, figures: Array
) -> int:
    """Write the nodes with at least `log_visits` visits, and stubs for the rest; returns the number of rows.

    There is room for two rows a node that is written, and for `path` of one more than the deepest level.
    """
    write_node(nodes, ROOT, -1, root_player, rows, figures, 0)
    enter(path, 0, ROOT, 0)
    n_rows = 1
    level = 0
    while level >= 0:
        at = path[level]
        node = nodes[at["node"]]
        if node["first"] >= 0 and at["next"] < node["n_tried"]:
            child = node["first"] + at["next"]
            at["next"] += 1
            if nodes[child]["visits"] < log_visits:
                at["visits"] += nodes[child]["visits"]
                at["points"] += points_of(nodes[child], root_player)
                continue
            at["n_logged"] += 1
            write_node(nodes, child, at["row"], root_player, rows, figures, n_rows)
            level += 1
            enter(path, level, child, n_rows)
            n_rows += 1
            continue
        if node["first"] < 0:
            at["visits"] = node["visits"] - node["n_own"]
            at["points"] = points_of(node, root_player)
            if node["n_own"] == 1:
                at["points"] -= result_for(root_player, node["own"])
        n_left = node["n_children"] - at["n_logged"]
        if n_left > 0:
            write_stub(at, n_left, rows, figures, n_rows)
            n_rows += 1
        rows[at["row"]]["end"] = n_rows
        level -= 1
    return n_rows


@kernel
def enter(path: Array, level: int, node: int, row: int) -> None:
    """Begin with the children of a node."""
    path[level]["node"] = node
    path[level]["row"] = row
    path[level]["next"] = 0
    path[level]["n_logged"] = 0
    path[level]["visits"] = 0
    path[level]["points"] = 0


@kernel
def points_of(node: Any, root_player: int) -> int:
    """Return the half points of a node's visits for the root player."""
    lead = node["first_wins"] - node["second_wins"]
    return int(node["visits"] + (lead if root_player == 0 else -lead))


@kernel
def write_node(
    nodes: Array, place: int, parent: int, root_player: int, rows: Array, figures: Array, number: int
) -> None:
    """Write a node as row `number`, but for its `end`."""
    node = nodes[place]
    row = rows[number]
    row["parent"] = parent
    row["end"] = number + 1
    row["ply"] = node["ply"]
    row["moves"] = node["n_children"]
    row["player"] = node["player"]
    row["key"] = node["key"]
    row["ending"] = 0
    row["outcome"] = SEARCHED
    if node["n_children"] == 0:
        row["outcome"] = LEAF
        if node["status"] != ONGOING and node["status"] != SCORED:
            row["outcome"] = TERMINAL
            result = result_for(root_player, node["own"])
            row["ending"] = WIN if result == WON_RESULT else DRAW if result == DRAWN_RESULT else LOSS
    clear(row)
    figure = figures[number]
    figure["visits"] = node["visits"]
    figure["wins"] = node["first_wins"] if root_player == 0 else node["second_wins"]
    figure["losses"] = node["second_wins"] if root_player == 0 else node["first_wins"]
    figure["draws"] = node["visits"] - node["first_wins"] - node["second_wins"]
    figure["mean"] = mean_for(node, root_player) if node["visits"] > 0 else math.nan
    figure["prior"] = node["prior"]
    figure["explore"] = node["explore"]
    figure["exploit"] = node["exploit"]
    if parent >= 0 and rows[parent]["player"] != root_player:
        figure["exploit"] = 1.0 - node["exploit"]
    figure["n"] = node["n"]
    figure["n_parent"] = node["n_parent"]
    figure["expanded_at"] = node["expanded_at"]
    figure["place"] = place
    figure["count"] = 0


@kernel
def write_stub(at: Any, n_left: int, rows: Array, figures: Array, number: int) -> None:
    """Write row `number`, a stub for `n_left` children of the node that `at` is at."""
    row = rows[number]
    row["parent"] = at["row"]
    row["end"] = number + 1
    row["ply"] = -1
    row["moves"] = 0
    row["player"] = 0
    row["key"] = 0
    row["ending"] = 0
    row["outcome"] = UNLOGGED
    clear(row)
    figure = figures[number]
    figure["visits"] = at["visits"]
    figure["wins"] = 0
    figure["draws"] = 0
    figure["losses"] = 0
    figure["mean"] = at["points"] / (2 * at["visits"]) if at["visits"] > 0 else math.nan
    figure["prior"] = math.nan
    figure["exploit"] = math.nan
    figure["explore"] = math.nan
    figure["n"] = 0
    figure["n_parent"] = 0
    figure["expanded_at"] = 0
    figure["place"] = at["node"]
    figure["count"] = n_left


@kernel
def clear(row: Any) -> None:
    """Write the fields of a row that a best-first search does not use."""
    row["depth"] = 0
    row["bound"] = 0
    row["cut_by"] = 0
    row["purpose"] = 0
    row["reduction"] = 0
    row["flags"] = 0
    row["alpha"] = math.nan
    row["beta"] = math.nan
    row["score"] = math.nan
    row["static"] = math.nan


@kernel
def transplant(nodes: Array, root: int, into: Array) -> int:
    """Copy the subtree of `root` as a tree of its own, level by level; returns its number of nodes.

    Terms of choices are kept, since the siblings of a node that is kept are kept too; the root has none.
    """
    copy_node(nodes, root, into, 0, -1)
    into[0]["ply"] = -1
    into[0]["n"] = 0
    into[0]["n_parent"] = 0
    into[0]["prior"] = math.nan
    into[0]["exploit"] = math.nan
    into[0]["explore"] = math.nan
    n_nodes = 1
    place = 0
    while place < n_nodes:
        first = into[place]["first"]
        if first >= 0:
            into[place]["first"] = n_nodes
            for i in range(into[place]["n_children"]):
                copy_node(nodes, first + i, into, n_nodes + i, place)
            n_nodes += into[place]["n_children"]
        place += 1
    return n_nodes


@kernel
def copy_node(nodes: Array, place: int, into: Array, number: int, parent: int) -> None:
    """Copy one node; in the tree that it comes to, it was not expanded yet by that search."""
    into[number] = nodes[place]
    into[number]["parent"] = parent
    into[number]["expanded_at"] = 0
