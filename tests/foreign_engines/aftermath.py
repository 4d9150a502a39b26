"""Changes to a log after the search: rows out of order, as threads write them, or left out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.foreign_engines.paper import Node, Paper


def shuffle(paper: Paper, seed: int) -> None:
    """Put siblings out of order as several threads would, and stop one under each cut: in place.

    Visits of one ply stay in their order: one thread makes them.
    """
    draw = random.Random(seed)
    for node in list(nodes_of(paper)):
        children = node.get("children", [])
        for stub in [child for child in children if child.get("outcome") == "pruned"]:
            if node.get("outcome") == "cutoff" and draw.random() < 0.5:
                _stop_one(paper, node, stub)
        order: dict[str, float] = {}
        for child in children:
            order.setdefault(str(child.get("ply")), draw.random())
        children.sort(key=lambda child: order[str(child.get("ply"))])


def _stop_one(paper: Paper, node: Node, stub: Node) -> None:
    """Turn one of the plies that a cut dropped into a visit that another thread had begun."""
    ply = stub["plies"].pop()
    stub["count"] -= 1
    if not stub["count"]:
        node["children"].remove(stub)
    node["children"].append({"id": paper.n_rows, "ply": ply, "outcome": "stopped"})
    paper.n_rows += 1


def forget(paper: Paper, seed: int) -> None:
    """Leave the rows of some plies out, with a stub that says so: in place."""
    draw = random.Random(seed)
    for node in list(nodes_of(paper)):
        kept, n_left_out = [], 0
        for child in node.get("children", []):
            if child.get("ply") and child.get("purpose") == "full" and draw.random() < 0.15:
                n_left_out += 1
            else:
                kept.append(child)
        if n_left_out:
            node["children"] = [*kept, {"id": paper.n_rows, "outcome": "unlogged", "count": n_left_out}]
            paper.n_rows += 1


def nodes_of(paper: Paper) -> Iterator[Node]:
    """Every node of the log."""
    waiting: list[dict[str, Any]] = list(paper.roots)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.get("children", [])
