"""Trees written as tables, whose rows name their parents or their children."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.probe import NAMES
from plyscope.visualizer.formats.foreign.meaning.fields import number, plain
from plyscope.visualizer.formats.foreign.meaning.names import PLIES, SCORES, words
from plyscope.visualizer.store.fields import FIELDS

IDS: Final = ("id", "nodeid", "key", "uid", "index", "idx", "number", "name", "node", "state")
PARENTS: Final = words(
    "parent parentid pid parentnode parentindex parentkey parents parentids father from prev"
)
BY_PARENT: Final = "table of rows that name their parents"
BY_CHILDREN: Final = "table of rows that list their children"
BY_EDGES: Final = "table of rows that list their edges"
TARGETS: Final = ("to", "target", "child", "next", "dst", "dest", "head", "successor", "result")
"""Beginnings of plain names for the target of an edge."""
ENDS: Final = (("source", "target"), ("from", "to"), ("parent", "child"), ("src", "dst"), ("tail", "head"))
"""The names of the two ends of edges."""
ADJACENCY_MAP: Final = Found("map from each node to its children", "", kind="map", is_map=True)
NO_PARENT: Final = ("", "-1", "None", "null", "none", "#", "root")


def found_rows(document: object, *, is_cut: bool = False) -> Found | None:
    """The description of a table whose rows name one another, None where they do not.

    The table is a list of objects, or a map from id to object or to the list of its children. Where the
    document `is_cut`, most of the rows that are named may be missing.

    >>> rows = [{"id": 1, "parent": None}, {"id": 2, "parent": 1, "move": "c6"}]
    >>> found_rows(rows).form, found_rows([{"id": 1, "move": "c6"}])
    ('table of rows that name their parents', None)
    >>> found_rows({"1": {"parent": None}, "2": {"parent": 1, "move": "c6"}}).is_map
    True
    >>> found_rows({"A": ["B", "C"], "B": []}).form
    'map from each node to its children'
    """
    if isinstance(document, list):
        rows = [row for row in document if isinstance(row, dict)]
        if len(rows) < 2 or len(rows) < len(document):
            return None
        if is_cut and all(any(source in row and target in row for source, target in ENDS) for row in rows):
            return None  # these are edges; their nodes come later
        name, ids = _ids(rows)
        found = _by_parent(rows, ids, is_cut=is_cut) or _by_children(rows, ids, is_cut=is_cut)
        return found and replace(found, id=name)
    if isinstance(document, dict) and len(document) >= 2:
        return _map(document, is_cut=is_cut)
    return None


SURE_PLIES: Final = frozenset(("move", "lastmove", "action", "uci", "san"))
"""Plain names of plies that mark rows as foreign though their score has our name."""


def is_of_others(names: Collection[str]) -> bool:
    """Whether rows with these fields are a foreign table: no log of ours, but with names for the same things.

    >>> is_of_others(["id", "parent", "move", "eval"]), is_of_others(["id", "parent", "ply", "eval"])
    (True, False)
    >>> is_of_others(["id", "parent", "move", "score"]), is_of_others(["id", "parent", "score"])
    (True, False)
    >>> is_of_others(["id", "parentId", "ply", "score"]), is_of_others(["id", "parent", "layer"])
    (True, False)
    """
    ours = {name for name in names if name in ("id", "parent") or name in FIELDS}
    others = {plain(name) for name in names if name not in ours}
    if {"id", "parent"} <= ours:
        is_scored = bool(others & {*SCORES})
        told = (
            not is_scored and bool(others & SURE_PLIES) if "score" in ours else is_scored or others & {*PLIES}
        )
        return "ply" not in ours and bool(told)
    return bool((ours | others) & {*IDS}) and bool((ours | others) & {*PARENTS})


def _ids(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[str] | None]:
    """The first field with a distinct id in every row, and these ids as text; no name if there is none."""
    for name in sorted(rows[0], key=lambda name: IDS.index(plain(name)) if plain(name) in IDS else len(IDS)):
        if plain(name) in IDS:
            ids = [str(row[name]) for row in rows if isinstance(row.get(name), str | int)]
            if len(set(ids)) == len(rows):
                return name, ids
    return "", None


def _named(rows: Sequence[Mapping[str, Any]], wanted: Sequence[str]) -> list[str]:
    """The fields of the first rows with these plain names."""
    names = dict.fromkeys(name for row in rows[:100] for name in row)
    return [name for name in names if plain(name) in wanted]


def _items(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """The items of the lists that rows have under a name."""
    return [item for row in rows if isinstance(items := row.get(name), list) for item in items]


def _by_parent(rows: Sequence[Mapping[str, Any]], ids: list[str] | None, *, is_cut: bool) -> Found | None:
    """The table of rows that name their parents by id, or by index where they have no ids."""
    for name in _named(rows, PARENTS):
        stated = [row.get(name) for row in rows]
        if ids is None:
            if not all(
                isinstance(parent, int) and -1 <= parent < place for place, parent in enumerate(stated)
            ):
                continue
            known = {str(place): place for place in range(len(rows))}
        else:
            known = {text: place for place, text in enumerate(ids)}
        parents = [_parent_of(value, known, place) for place, value in enumerate(stated)]
        are_there = is_cut or 2 * parents.count(None) <= len(rows)
        if are_there and any(parent != -1 for parent in parents):
            return Found(BY_PARENT, name, kind="parents")
    return None


def _parent_of(value: object, known: Mapping[str, int], place: int) -> int | None:
    """The index of the parent, -1 for none (a root may name itself), None where it is missing."""
    if value is None or isinstance(value, list | dict | bool):
        return -1
    text = str(value)
    if text in known:
        return -1 if known[text] == place else known[text]
    return -1 if text in NO_PARENT or (text == "0" and place == 0) else None


def _by_children(rows: Sequence[Mapping[str, Any]], ids: list[str] | None, *, is_cut: bool) -> Found | None:
    """The table of rows that list the ids or indices of their children, if it is a tree with one root."""
    if ids is None:
        ids = [str(place) for place in range(len(rows))]
        names = [name for name in _named(rows, NAMES) if _list_places(rows, name)]
    else:
        names = _named(rows, NAMES)
    known = set(ids)
    for name in names:
        items = _items(rows, name)
        n_known = sum(isinstance(item, str | int) and str(item) in known for item in items)
        if n_known and (is_cut or 2 * n_known >= len(items)):
            return Found(BY_CHILDREN, name, kind="listed")
    return None


def found_edges(document: object, *, is_cut: bool = False) -> Found | None:
    """The table of rows that list edges, objects with a field that names their target; None if it is none.

    Where the document `is_cut`, rows may be missing.

    >>> rows = [{"id": "s", "moves": [{"pos": 0, "to_board": "t"}]}, {"id": "t", "moves": []}]
    >>> found_edges(rows).ends, found_edges([{"id": 1, "moves": [{"pos": 1}]}, {"id": 2}])
    (('', 'to_board'), None)
    """
    is_map = isinstance(document, dict)
    rows = rows_of_map(document) if isinstance(document, dict) and _are_objects(document) else document
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    names = dict.fromkeys(
        name for row in rows[:100] for name, held in row.items() if isinstance(held, list) and held
    )
    if len(rows) < 2 or not names:
        return None
    name_of_id, ids = ("", list(document)) if isinstance(document, dict) else _ids(rows)
    known = set(ids or ())
    for name in names if known else ():
        edges = _items(rows, name)
        if not all(isinstance(edge, dict) for edge in edges):
            continue
        for field in edges[0]:
            values = [edge.get(field) for edge in edges]
            told = [str(value) for value in values if type(value) in (str, int)]
            n_known = sum(value in known for value in told)
            if len(told) < len(edges) or plain(field) in PARENTS or not n_known:
                continue
            if plain(field) in IDS:
                is_target = n_known == len(told) and len(set(told)) >= len(known) - 1
            else:
                is_target = plain(field).startswith(TARGETS) or all(type(each) is str for each in values)
            if is_target and (is_cut or 2 * n_known >= len(told)):
                return Found(BY_EDGES, name, kind="listed", ends=("", field), id=name_of_id, is_map=is_map)
    return None


def _are_objects(document: Mapping[str, Any]) -> bool:
    return all(isinstance(value, dict) for value in document.values())


def _list_places(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Whether rows name all rows but the first by index, each once and by an earlier row."""
    named = []
    for place, row in enumerate(rows):
        for item in items if isinstance(items := row.get(name), list) else ():
            if type(item) is not int or item <= place:
                return False
            named.append(item)
    return sorted(named) == list(range(1, len(rows)))


def _map(document: Mapping[str, Any], *, is_cut: bool) -> Found | None:
    if not _are_objects(document):
        return _adjacency_map(document)
    rows = rows_of_map(document)
    if (found := _map_of_maps(document)) is not None:
        return found
    found = _by_children(rows, list(document), is_cut=is_cut) or _by_parent(
        rows, list(document), is_cut=is_cut
    )
    return found and replace(found, is_map=True)


def rows_of_map(document: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows of a map from id to row, each with its id.

    >>> rows_of_map({"7": {"parent": None}, "8": {"parent": "7", "id": 8}})
    [{'id': '7', 'parent': None}, {'parent': '7', 'id': 8}]
    """
    return [value if "id" in value else {"id": key, **value} for key, value in document.items()]


def _map_of_maps(document: Mapping[str, Mapping[str, Any]]) -> Found | None:
    """`{"A": {"B": {}, "C": {}}, "B": {}, "C": {}}`, NetworkX's `to_dict_of_dicts`, where it is a tree."""
    n_nodes = len(document)
    pairs = [(key, other) for key, inner in document.items() for other in inner]
    told = [inner for inners in document.values() for inner in inners.values()]
    if n_nodes < 3 or not pairs or not all(other in document for _, other in pairs):
        return None
    if not all(
        isinstance(inner, dict) and not any(isinstance(x, dict) for x in inner.values()) for inner in told
    ):
        return None
    is_undirected = len(pairs) == 2 * n_nodes - 2 and all(key in document[other] for key, other in pairs)
    if not is_undirected and (len(pairs) != n_nodes - 1 or len({other for _, other in pairs}) != n_nodes - 1):
        return None
    return replace(ADJACENCY_MAP, is_directed=not is_undirected)


def _adjacency_map(document: Mapping[str, Any]) -> Found | None:
    """`{"A": ["B", "C"], "B": [], "C": 3}`: a list names children, a number is the score of a leaf."""
    lists = {key: value for key, value in document.items() if isinstance(value, list)}
    others = [value for value in document.values() if value is not None and not isinstance(value, list)]
    flat = [item for items in lists.values() for item in items]
    if not flat or not all(isinstance(item, str) for item in flat) or any(number(x) is None for x in others):
        return None
    if not any(item in document for item in flat):
        return None
    return ADJACENCY_MAP
