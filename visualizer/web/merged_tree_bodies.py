"""The bodies of answers about the merged tree of a comparison: like those about one log, each node marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from plyscope.visualizer.analysis.best_children import Order
from plyscope.visualizer.analysis.diff.answer import beside_json, change_json
from plyscope.visualizer.analysis.diff.change_table import COLUMNS, ChangeTable
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old
from plyscope.visualizer.analysis.pv import principal_variation
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.web import response_bodies

MOST_CLOSING: Final = 2
"""Last siblings that are sent too where they are stubs: they say what became of all others."""


class MergedNodes:
    """The nodes of one answer, with the ids of the merged tree and what each has beside it."""

    def __init__(self, merged: Merged) -> None:
        self._merged = merged
        sides = merged.compared.sides
        self._new, self._old = response_bodies.Nodes(sides.new.tree), response_bodies.Nodes(sides.old.tree)

    def node(self, place: int, index: int | None = None) -> dict[str, Any]:
        """A node; `index` is its place among its siblings where that is known."""
        merged = self._merged
        made = (self._old if is_old(place) else self._new).node(merged.row(place))
        if is_old(place):
            rename(made, merged)
        made["index"] = merged.index_among_siblings(place) if index is None else index
        made["n_children"] = merged.n_children(place)
        if (beside := beside_json(merged, place)) is not None:
            made["beside"] = beside
        return made

    def page(
        self, place: int, offset: int, limit: int, best: int = 0, order: Order = "best"
    ) -> dict[str, Any]:
        """A node with a page of its children as searched, and the `best` first in an order beside it."""
        all_of_them = self._merged.children(place)
        page = all_of_them[offset : offset + limit]
        children: dict[str, Any] = {
            "total": len(all_of_them),
            "offset": offset,
            "items": [self.node(each, offset + at) for at, each in enumerate(page.tolist())],
        }
        if best and len(page) < len(all_of_them):
            ranked, n_ranked = self._merged.children_in_order(place, order)
            closing = [each for each in all_of_them[-MOST_CLOSING:].tolist() if self._is_stub(each)]
            wanted = np.union1d(ranked[: min(best, n_ranked)], closing)
            at = np.flatnonzero(np.isin(all_of_them, wanted))
            at = at[(at < offset) | (at >= offset + limit)]
            children["best"] = [self.node(int(all_of_them[index]), int(index)) for index in at]
        return {"node": self.node(place), "children": children}

    def ranked_page(self, place: int, offset: int, limit: int, order: Order) -> dict[str, Any]:
        """A node with one page of its children in an order; `offset` counts ranks."""
        index = {each: at for at, each in enumerate(self._merged.children(place).tolist())}
        page = self._merged.children_in_order(place, order)[0][offset : offset + limit].tolist()
        items = [self.node(each, index[each]) for each in page]
        return {"node": self.node(place), "children": {"total": len(index), "offset": offset, "items": items}}

    def _is_stub(self, place: int) -> bool:
        return bool(self._merged.side(place).tree.is_stub[self._merged.row(place)])


def several_pages(
    merged: Merged, places: Iterable[int], limit: int, best: int, most: int, *, order: Order = "best"
) -> dict[str, Any]:
    """Each of some nodes with its first `limit` children and the `best` of an order, `most` in all."""
    nodes = MergedNodes(merged)
    pages = []
    for place in places:
        page = nodes.page(place, 0, min(limit, most), min(best, most), order)
        most = max(0, most - len(page["children"]["items"]) - len(page["children"].get("best", ())))
        pages.append(page)
    return {"nodes": pages}


def path(merged: Merged, place: int, most: int) -> dict[str, Any]:
    """The nodes from the root to this one, the `most` nearest ones."""
    places = merged.path(place)
    nodes = MergedNodes(merged)
    answer: dict[str, Any] = {"path": [nodes.node(each) for each in places[-most:]]}
    return answer | ({"more": len(places) - most} if len(places) > most else {})


def details(merged: Merged, place: int, boards: Boards, most_path: int) -> dict[str, Any]:
    """Everything known of one node, from the log that has it; its path through the merged tree."""
    side = merged.side(place)
    told = response_bodies.details(side.tree, merged.row(place), boards, most_path)
    if is_old(place):
        for node in (told["node"], *told["line"]["nodes"], told["line"]["leaf"]):
            rename(node, merged)
        for ply in told["board"].get("plies", ()):
            ply["id"] = _renamed(merged, ply["id"])
    if (beside := beside_json(merged, place)) is not None:
        told["node"]["beside"] = beside
    return told | path(merged, place, most_path)


def table_page(
    merged: Merged, table: ChangeTable, offset: int, limit: int, place: int | None
) -> dict[str, Any]:
    """One page of the changes: a row and a node each; `at` and `here` say where `place` stands among all."""
    nodes = MergedNodes(merged)
    rows, of_rows = [], []
    for change in table.page(offset, limit):
        told = change_json(merged.compared, change)
        at = change.new if change.new >= 0 else ~change.old
        row = {
            "id": merged.id_of(at),
            "path": response_bodies.cut_start(told["path"], response_bodies.LIST_TEXT),
        }
        row |= {"change": told["kind"], "before": told["old"], "now": told["new"]}
        rows.append(
            row | {"difference": told.get("delta"), "claims": told.get("claims"), "nodes": told.get("nodes")}
        )
        of_rows.append(nodes.node(at))
    body: dict[str, Any] = {"total": len(table), "offset": offset, "columns": list(COLUMNS)}
    body |= {"rows": rows, "nodes": of_rows}
    if place is not None:
        body["at"], body["here"] = table.at(merged, place)
    return body


def rename(node: dict[str, Any], merged: Merged) -> None:
    """Give a node of the old log, and those that it names, their ids in the merged tree."""
    for name in ("id", "parent"):
        if node[name] is not None:
            node[name] = _renamed(merged, node[name])
    node.pop("row", None)
    entry = node.get("tt")
    if isinstance(entry, dict) and "from" in entry:
        node["tt"] = {**entry, "from": _renamed(merged, entry["from"])}


def _renamed(merged: Merged, old_id: int) -> int | None:
    """The id of a node of the old log; None for one outside the compared tree."""
    place = merged.place_of_old(merged.compared.sides.old.tree.row_of(old_id))
    return None if place is None else merged.id_of(place)


def with_places(answer: dict[str, Any], merged: Merged) -> dict[str, Any]:
    """The comparison, its links with `at`, an id of the merged tree, and the old line in such ids."""
    for sentence in answer["parts"]:
        for part in sentence:
            _add_place(part, merged, part.get("old"), part.get("new"))
    if (first := answer["first"]) is not None:
        _add_place(first, merged, *_ids(first))
    for change in answer["nodes"]:
        _add_place(change, merged, *_ids(change))
    old = merged.compared.sides.old
    line = principal_variation(old.tree) if old.root == old.tree.main_root else []
    places = [merged.place_of_old(row) for row in line]
    return answer | {"old_pv": [merged.id_of(place) for place in places if place is not None]}


def _ids(told: dict[str, Any]) -> tuple[int | None, int | None]:
    old, new = told["old"], told["new"]
    return None if old is None else old["id"], None if new is None else new["id"]


def _add_place(told: dict[str, Any], merged: Merged, old: int | None, new: int | None) -> None:
    at = new if new is not None or old is None else _renamed(merged, old)
    if at is not None:
        told["at"] = at
