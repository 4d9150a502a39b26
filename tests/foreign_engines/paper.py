"""The log of a foreign engine while it is written: nested JSON, or JSON Lines, as an outsider would."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

Node = dict[str, Any]


class Paper:
    """A log being written; `path` holds the nodes entered and not left. Fields in `omits` are not written."""

    def __init__(self, omits: Sequence[str] = (), **header: Any) -> None:
        self.omits = omits
        self.header: Node = {"plyscope": 1, **header}
        self.roots: list[Node] = []
        self.path: list[Node] = []
        self.lines: list[Node] = [self.header]
        self.n_rows = 0

    def enter(self, ply: str | None = None, **fields: Any) -> Node:
        """A node below the one entered last."""
        node = self._new(self.path[-1] if self.path else None, ply=ply, **self._kept(fields))
        self.path.append(node)
        return node

    def leave(self, score: float | None, **fields: Any) -> float:
        """The result of the node entered last."""
        self.path.pop().update({"score": score, **self._kept(fields)})
        return 0.0 if score is None else score

    def cut(self, plies: list[str], outcome: str = "pruned") -> None:
        """The siblings that are not searched."""
        if plies:
            self._new(self.path[-1], outcome=outcome, count=len(plies), plies=plies)

    def done(self, **result: Any) -> None:
        self.header["result"] = result

    def nested(self) -> bytes:
        tree = {"root": self.roots[0]} if len(self.roots) == 1 else {"roots": self.roots}
        return _json({**self.header, **tree})

    def jsonl(self) -> bytes:
        """One line a node, printed on exit, children before their parents."""
        header = {name: value for name, value in self.header.items() if name != "result"}
        lines: list[Node] = [header]
        waiting: list[tuple[Node, Any, bool]] = [(root, None, False) for root in reversed(self.roots)]
        while waiting:
            node, parent, is_left = waiting.pop()
            if is_left:
                flat = {name: value for name, value in node.items() if name != "children"}
                lines.append(flat if parent is None else {**flat, "parent": parent})
            else:
                waiting.append((node, parent, True))
                waiting += [(child, node["id"], False) for child in reversed(node.get("children", []))]
        if "result" in self.header:
            lines.append({"result": self.header["result"]})
        return b"\n".join(_json(line) for line in lines)

    def by_level(self) -> bytes:
        """One line a node, level by level, and each again with its score: as a tree grows that is no run."""
        lines, scores = [{name: value for name, value in self.header.items() if name != "result"}], []
        waiting: list[tuple[Node, Any]] = [(root, None) for root in self.roots]
        for node, parent in waiting:
            flat = {name: value for name, value in node.items() if name not in ("children", "score")}
            lines.append(flat if parent is None else {**flat, "parent": parent})
            scores += [{"id": node["id"], "score": node["score"]}] if "score" in node else []
            waiting += [(child, node["id"]) for child in node.get("children", [])]
        result = [{"result": self.header["result"]}] if "result" in self.header else []
        return b"\n".join(_json(line) for line in (*lines, *reversed(scores), *result))

    def _new(self, parent: Node | None, **fields: Any) -> Node:
        node = {"id": self.n_rows, **{name: value for name, value in fields.items() if value is not None}}
        self.n_rows += 1
        (self.roots if parent is None else parent.setdefault("children", [])).append(node)
        return node

    def _kept(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in fields.items() if name not in self.omits}


def _json(value: Any) -> bytes:
    return json.dumps(_spelled(value)).encode()


def _spelled(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _spelled(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_spelled(inner) for inner in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


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
    waiting: list[dict[str, Any]] = list(paper.roots)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.get("children", [])
