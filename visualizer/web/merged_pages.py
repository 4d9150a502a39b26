"""The merged tree of a comparison in the API's answers: like one log, each node with its partner."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyscope.visualizer.analysis.diff.answer import beside_json, change_json
from plyscope.visualizer.analysis.diff.change_table import COLUMNS, ChangeTable
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old, place_of_change
from plyscope.visualizer.analysis.nodes.best_children import Order
from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
from plyscope.visualizer.analysis.nodes.node_json import cut_start
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.web import node_pages
from plyscope.visualizer.web.node_pages import Pages, Places


class MergedPages(Pages):
    """The nodes of one answer, by places in the merged tree, with their ids there."""

    def __init__(self, merged: Merged) -> None:
        sides = merged.compared.sides
        self._merged, self._new, self._old = merged, Pages(sides.new.tree), Pages(sides.old.tree)

    def node(self, at: int, index: int | None = None) -> dict[str, Any]:
        """A node; `index` is its place among its siblings where that is known."""
        merged = self._merged
        made = (self._old if is_old(at) else self._new).node(merged.row(at))
        if is_old(at):
            rename(made, merged)
        made["index"] = merged.index_among_siblings(at) if index is None else index
        made["n_children"] = merged.n_children(at)
        if (beside := beside_json(merged, at)) is not None:
            made["beside"] = beside
        return made

    def _n_children(self, at: int) -> int:
        return self._merged.n_children(at)

    def _children(self, at: int, offset: int, limit: int) -> Places:
        return self._merged.children(at)[offset : offset + limit]

    def _ranked(self, at: int, order: Order) -> tuple[Places, int]:
        return self._merged.children_in_order(at, order)

    def _as_searched(self, at: int, children: Places) -> Places:
        searched = self._merged.children(at)
        return searched[np.isin(searched, children)]

    def _siblings(self, at: int, children: Places) -> list[dict[str, Any]]:
        index = {each: place for place, each in enumerate(self._merged.children(at).tolist())}
        return [self.node(each, index[each]) for each in children.tolist()]

    def _is_stub(self, at: int) -> bool:
        return bool(self._merged.side(at).tree.is_stub[self._merged.row(at)])

    def _path(self, at: int, most: int) -> tuple[list[int], int]:
        places = self._merged.path(at)
        return places[-most:], len(places)


def details(merged: Merged, place: int, boards: Boards, most_path: int) -> dict[str, Any]:
    """Everything known of one node, from the log that has it; its path through the merged tree."""
    side = merged.side(place)
    told = node_pages.details(side.tree, merged.row(place), boards, most_path)
    if is_old(place):
        for node in (told["node"], *told["line"]["nodes"], told["line"]["leaf"]):
            rename(node, merged)
        for ply in told["board"].get("plies", ()):
            ply["id"] = _renamed(merged, ply["id"])
    if (beside := beside_json(merged, place)) is not None:
        told["node"]["beside"] = beside
    return told | MergedPages(merged).path(place, most_path)


def table_page(
    merged: Merged, table: ChangeTable, offset: int, limit: int, place: int | None
) -> dict[str, Any]:
    """One page of the changes: a row and a node each; `at` and `here` say where `place` stands among all."""
    nodes = MergedPages(merged)
    rows, of_rows = [], []
    for change in table.page(offset, limit):
        told = change_json(merged.compared, change)
        at = place_of_change(change)
        row = {
            "id": merged.id_of(at),
            "path": cut_start(told["path"], node_pages.LIST_TEXT),
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
