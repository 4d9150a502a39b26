"""The answers that a shared page holds: those that the server gives, asked of the application itself.

And the nodes that go into it: the most important first, whole families where there is room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt
from flask import Flask

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.nodes.best_children import children_in_order
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.node_pages import Pages, line, own_details
from plyscope.visualizer.web.share import USUAL_NODES

DETAILED: Final = 1_500
"""Nodes that have their board and their line, the most important ones."""
FINDINGS_OF_A_KIND: Final = 200
FINDINGS_DRAWN: Final = 1_000
"""Findings whose nodes are brought."""
WHY_PLIES: Final = 60
"""Plies of the root that are explained."""
BATCH: Final = 200
CARDS_PART: Final = 0.3
"""The share of gathering that the cards take; boards and lines are the rest."""

Body = dict[str, Any]
Progress = Callable[[str, float], None]
"""Gets the phase, `checking` or `gathering`, and the part of it that is done."""


@dataclass(frozen=True)
class Contents:
    """The data of a shared page; `said` are sentences about what its readers will see."""

    data: Body
    said: tuple[str, ...]


class Asked:
    """The application's answers about one log, as its page gets them."""

    def __init__(self, app: Flask, log_id: str) -> None:
        self._client = app.test_client()
        token = app.config["TOKEN"]
        self._headers = {} if token is None else {"Authorization": f"Bearer {token.secret}"}
        self.log_id = log_id
        self.kept: dict[str, Body] = {}
        """The answers that the page will ask for by the very same address."""

    def get(self, path: str = "", method: str = "GET", **query: Any) -> Body | None:
        """The answer, None where it is refused."""
        answer = self._client.open(self._address(path, query), method=method, headers=self._headers)
        return None if answer.status_code >= 400 else answer.get_json()

    def keep(self, path: str = "", **query: Any) -> Body | None:
        """The same, kept for the page."""
        found = self.get(path, **query)
        if found is not None:
            self.kept[self._address(path, query).removeprefix("/api")] = found
        return found

    def _address(self, path: str, query: Body) -> str:
        return f"/api/logs/{self.log_id}{path}" + (f"?{urlencode(query)}" if query else "")


def contents(
    app: Flask,
    log_id: str,
    *,
    nodes: int = USUAL_NODES,
    top: int | None = None,
    labels: Body | None = None,
    view: Body | None = None,
    on_progress: Progress = lambda phase, part: None,
) -> Contents:
    """Check a log that is open and gather its page: at most `nodes`, of the subtree of row `top` if named.

    What `on_progress` raises ends the work. `labels` are the fields that its cards show, by layer, where they
    are not the usual ones; `view` says the `node` that is selected and those that are `open` when it opens.
    """
    shelf = app.extensions["shelf"]
    assert isinstance(shelf, Shelf)
    tree = shelf.open(log_id)
    asked = Asked(app, log_id)
    opened = asked.keep(as_read=1)
    assert opened is not None
    if labels:
        opened["labels"] = labels
    report = _report(asked, on_progress)
    notes = (asked.keep("/notes") or {"notes": []})["notes"]
    seen = [each for each in ((view or {}).get("node"), *(view or {}).get("open", ())) if each is not None]
    lines = [each["id"] for each in _why(asked, tree, tree.path(tree.row_of(seen[0])) if seen else [])]
    findings = list(_findings(asked, report))
    first = [opened["root"], *seen, *opened["pv"], *lines, *(note["id"] for note in notes if "id" in note)]
    first += [each for one in findings[:FINDINGS_DRAWN] for each in (one["node"], *one["involved"])]
    start = tree.main_root if top is None else top
    rows, important = choose(tree, [tree.row_of(each) for each in first], nodes, start)
    roots = [tree.row_of(root["id"]) for root in opened["roots"]]  # which the page draws, or asks for
    rows = np.union1d(rows, np.array(roots, np.int64))
    n_details = min(DETAILED, len(important))
    n_nodes, n_detailed = (int(np.count_nonzero(~tree.is_stub[of])) for of in (rows, important[:n_details]))
    n_found = sum(group["count"] for group in report.get("groups", ()))
    of_check = f"{counted(n_found, 'finding')} of the check" if n_found else ""
    if len(findings) < n_found:
        of_check = f"{len(findings):,} of {of_check}, the first of each rule"
    said = tuple(sentences(opened, n_nodes, n_detailed, of_check, notes, _left_out(tree, rows, top)))
    asked.keep("/statistics")
    asked.keep("/statistics/iterations", node=opened["root"])
    asked.keep("/quotient")
    asked.keep("/query/fields")
    cards: list[Body] = []
    for at in range(0, len(rows), BATCH):
        on_progress("gathering", CARDS_PART * at / len(rows))
        cards += Pages(tree).all(rows[at : at + BATCH].tolist())
    ids = [card["id"] for card in cards]
    marks: Body = {}
    for at in range(0, len(ids) if findings else 0, BATCH):
        here = ",".join(map(str, ids[at : at + BATCH]))
        marks |= (asked.get("/check/marks", ids=here) or {"marks": {}})["marks"]
    id_of = tree.log.columns["id"]
    known = set(ids)
    told, boards = {}, Boards(tree.log)

    def write(row: int) -> Body | int:
        """A node of a line; of what the page has anyway the id."""
        return node_id if (node_id := int(id_of[row])) in known else Pages(tree).node(row)

    for number, row in enumerate(important[:n_details]):
        node_id = int(id_of[row])
        told[node_id] = {**own_details(tree, row, boards), "line": line(tree, row, write)}
        on_progress("gathering", CARDS_PART + (1 - CARDS_PART) * number / n_details)
    data: Body = {"report": _within(report, findings), "findings": findings, "marks": marks}
    data["view"] = view and {"log": log_id, **view}
    return Contents({"log": log_id, "answers": asked.kept, "nodes": cards, "details": told, **data}, said)


def sentences(
    opened: Body, n_shared: int, n_details: int, findings: str, notes: list[Body], left_out: str
) -> Iterator[str]:
    """Tell what a shared page says of whom and where, for whoever is about to pass it on."""
    n_nodes = opened["totals"]["nodes"]
    yield f"{n_shared:,} of {n_nodes:,} nodes, {n_details:,} of them with their board and line."
    if left_out:
        yield left_out
    yield f"The name of the log: {opened['log']['name']}."
    if opened["players"]:
        yield f"The names of the players: {', '.join(opened['players'])}."
    search = opened.get("search") or {}
    for key in ("engine", "machine", "host", "command", "user"):
        told = search.get(key, opened["header"].get(key, (opened.get("result") or {}).get(key)))
        if told:
            yield f"The {key}: {told}."
    yield "All else that the header of the log states, its statistics and why its root chose its ply."
    if findings:
        yield f"{findings}."
    yield f"{counted(len(notes), 'note')}." if notes else "No notes."


def _left_out(tree: Tree, rows: Rows, top: int | None) -> str:
    """Say which nodes of a log are not inside, and why; nothing where all are."""
    start = tree.main_root if top is None else top
    end, n_trees = int(tree.log.columns["end"][start]), len(tree.log.roots)
    is_node = ~tree.is_stub
    n_inside = np.count_nonzero(is_node[rows[(rows >= start) & (rows < end)]])
    said = []
    if top is not None:
        said.append("only the part of the tree that was asked for is inside, with the way there")
    elif n_trees > 1:
        others = "the other tree" if n_trees == 2 else f"the other {n_trees - 1:,} trees"
        said.append(
            f"the tree that the page opens is inside; of {others} (iterations, searches) only the roots"
        )
    if n_inside < np.count_nonzero(is_node[start:end]):
        said.append("the most important nodes come first, up to the number that a file has room for")
    return "; ".join(said).capitalize() + "." if said else ""


def _report(asked: Asked, on_progress: Progress) -> Body:
    report = asked.get("/check", method="POST")
    while report is not None and report["state"] == "running":
        on_progress("checking", report["progress"])
        report = asked.get("/check", wait=0.5)
    return report or {"state": "none", "rows": 0, "quick": False}


def _within(report: Body, findings: list[Body]) -> Body:
    """The report with the counts of the findings that are inside, and `in_log`, how many the log has."""
    if "groups" not in report:
        return report
    inside = Counter((one["rule"], one["severity"]) for one in findings)
    groups = [{**each, "count": inside[each["rule"], each["severity"]]} for each in report["groups"]]
    severities = Counter(one["severity"] for one in findings)
    counts = {severity: severities[severity] for severity in report["counts"]}
    in_log = sum(each["count"] for each in report["groups"])
    return {**report, "groups": groups, "counts": counts, "in_log": in_log}


def _findings(asked: Asked, report: Body) -> Iterator[Body]:
    for group in report.get("groups", ()):
        of = {"rule": group["rule"], "severity": group["severity"]}
        yield from (asked.get("/check/findings", **of, limit=FINDINGS_OF_A_KIND) or {"items": []})["items"]


def _why(asked: Asked, tree: Tree, way: list[int]) -> Iterator[Body]:
    """The nodes of the lines by which the root, its best plies and the last rows of `way` are explained."""
    plies = children_in_order(tree, tree.main_root, "best")[0][:WHY_PLIES].tolist()
    for row in dict.fromkeys((tree.main_root, *plies, *way[-WHY_PLIES:])):
        found = asked.keep("/explain", versus=int(tree.log.columns["id"][row]))
        for each in (found or {}).get("lines", ()):
            yield from each["nodes"]


MOST_LEVELS: Final = 2000
"""Levels above a node that are brought with it; what lies deeper is not brought for its own sake."""

Rows = npt.NDArray[np.int64]


def choose(tree: Tree, first: Iterable[int], most: int, top: int) -> tuple[Rows, list[int]]:
    """At most `most` rows of the subtree of `top` with all that stand above them, in the order of the log.

    Those of `first` come first, then all children of these, then the children of the largest subtrees. A
    family that there is no room for is left out whole; of `top` and of `first`, its best children come.
    The second value is the same rows as a list, the most important first.
    """
    level, end = tree.log.columns["level"], tree.log.columns["end"]
    is_chosen = np.zeros(tree.log.n_rows, np.bool_)
    important: list[int] = []

    def bring(rows: Iterable[int]) -> None:
        for row in rows:
            if not is_chosen[row]:
                is_chosen[row] = True
                important.append(row)

    bring(tree.path(top))
    for row in first:
        is_inside = top <= row < end[top] and level[row] <= MOST_LEVELS
        above = [each for each in tree.path(row) if not is_chosen[each]] if is_inside else []
        if len(important) + len(above) <= most:
            bring(above)
    named = [row for row in important if top <= row < end[top]]
    for row in named:
        _bring_family(tree, row, most - len(important), bring, is_chosen, in_part=True)
    inside = np.arange(top, end[top])
    with_children = inside[end[inside] > inside + 1]
    for row in with_children[np.argsort(with_children - end[with_children], kind="stable")].tolist():
        if len(important) >= most:
            break
        if is_chosen[row]:
            _bring_family(tree, row, most - len(important), bring, is_chosen, in_part=False)
    return np.flatnonzero(is_chosen), important


def _bring_family(
    tree: Tree,
    row: int,
    room: int,
    bring: Callable[[Iterable[int]], None],
    is_chosen: npt.NDArray[np.bool_],
    *,
    in_part: bool,
) -> None:
    children = tree.children(row)
    missing = children[~is_chosen[children]]
    if len(missing) > room and in_part:
        best = children_in_order(tree, row, "best")[0]
        missing = best[~is_chosen[best]][:room]
    if len(missing) <= room:
        bring(missing.tolist())
