"""Tables of rows, and children behind what tells of an edge: an action, a link, the row that it leads to."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument, ValueDocument
from plyscope.visualizer.formats.foreign.find.trees import find_tree
from plyscope.visualizer.formats.foreign.reader import Reader, read_foreign
from tests.property.test_foreign_bytes import check
from tests.unit.logs import layers, plies, scores, there
from tests.unit.same_logs import assert_same, extras


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


MOVES = [{"move": "a", "score": 1}, {"move": "b", "score": 2}]


@pytest.mark.parametrize(
    "data",
    [
        *map(lines, [[{"a": 1, "b": 2}, {"a": 3, "b": 4}], MOVES]),
        lines({"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}}),
        lines({"x": {"score": 1, "b": 2}, "y": {"score": 2, "b": 3}}),
        lines(*MOVES),
        lines({"id": 1, "score": 2}, {"id": 2, "score": 3}),
        lines({"a": 1, "b": 2}, {"a": 2, "b": 3}),
    ],
)
def test_a_table_is_refused_as_one(data: bytes) -> None:
    with pytest.raises(LogError, match="this looks like a table of 2 "):
        read_log(data)


def test_one_line_with_an_id_and_a_parent_may_hold_a_tree_of_others() -> None:
    root = {"id": 1, "parent": None, "moves": [{"moves": [{}], "score": 3}]}
    assert read_log(json.dumps(root).encode()).columns["level"].tolist() == [0, 1, 2]
    one = read_log(lines({"id": 1, "parent": None, "mine": [{"a": 1}]}))
    assert (one.n_rows, one.shape) == (1, "")


def test_rows_that_name_their_parents_are_a_tree() -> None:
    rows = [{"node": 0, "parent": -1}, {"node": 1, "parent": 0}, {"node": 2, "parent": 1}]
    assert read_foreign(rows).columns["level"].tolist() == [0, 1, 2]
    by_place = [{"move": "r", "parent": -1}, {"move": "a", "parent": 0}, {"move": "b", "parent": 0}]
    assert read_foreign(by_place).columns["level"].tolist() == [0, 1, 1]
    with pytest.raises(LogError, match=r"^\$\[0\]\.children\[1\]: the child 7 is no row of this table$"):
        read_foreign([{"id": 0, "children": [1, 7]}, {"id": 1, "children": []}])


ROWS = [
    {"id": 7, "parent": None, "move": None, "eval": 3, "mine": "x"},
    {"id": 8, "parent": 7, "move": "c6", "eval": 3.5, "mine": [1, {"a": None}]},
    {"id": 9, "parent": 7, "move": "d6", "eval": -2, "mine": True},
    {"id": 4, "parent": 9, "move": "e6", "eval": "nan", "mine": None},
]
"""A table whose plies and scores have names of their own."""


NAMES = [{}, {"parent": "parentId"}, {"id": "node", "parent": "pid"}, {"eval": "score"}]
NAMES += [{"move": "ply", "parent": "parent_id"}]


@pytest.mark.parametrize("names", NAMES)
def test_rows_one_a_line_in_words_of_their_own_are_read_as_the_list_of_them(names: dict[str, str]) -> None:
    rows = [{names.get(name, name): value for name, value in row.items()} for row in ROWS]
    read, listed = read_log(lines(*rows)), read_log(json.dumps(rows).encode())
    assert_same(read, listed)
    assert read.columns["score"].tolist()[:3] == [3, 3.5, -2]
    assert (read.mapping, read.shape, read.notices) == (listed.mapping, listed.shape, listed.notices)
    others = lines(*({**row, "other": 3 * at} for at, row in enumerate(rows)))
    assert read_log(others, mapping={"score": "other"}).columns["score"].tolist() == [0, 3, 6, 9]


def test_lines_of_ours_without_a_header_stay_ours() -> None:
    """By a field of ours, or an update of a node."""
    for added in ({"id": 3, "parent": 7, "score": 5}, {"id": 9, "parent": 7, "outcome": "leaf"}):
        read = read_log(lines(*ROWS[:3], added))
        assert read.mapping == {}
        assert extras(read, 1)["eval"] == 3.5


def test_replies_of_the_same_names_are_read_with_a_notice() -> None:
    log = read_log(b'{"A": {"x": 3, "y": 5}, "B": {"x": 2, "y": 9}}')
    assert log.columns["score"].tolist()[2:4] == [3, 5]
    assert any("If this is a table" in notice for notice in log.notices)
    log = read_log(b'{"l": {"l": 3, "r": 5}, "r": {"l": 2, "r": 9}}')
    assert not any("If this is a table" in notice for notice in log.notices)


RECORDS = [{"name": "s", "children": [1, "2"]}, {"name": "x", "children": []}, {"name": "y", "children": []}]


@pytest.mark.parametrize(
    "document",
    [
        [{"id": i if i % 2 else str(i), **row} for i, row in enumerate(RECORDS)],
        {str(i): row for i, row in enumerate(RECORDS)},
        {"nodes": {str(i): {"id": i, **row} for i, row in enumerate(RECORDS)}, "ms": 3},
    ],
)
def test_ids_in_children_are_links_however_they_are_written(document: Any) -> None:
    log = read_log(json.dumps(document).encode())
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    assert plies(log) == ["s", "x", "y"]
    assert not any(score == score for score in log.columns.get("score", ()))


PARENTS = {"parent": [None, 1, 1, 2], "move": ["", "a", "b", "c"], "visits": [20, 12, 7, 5], "seed": 4}
CHILDREN = {"children": [[2, 3], [4], [], []], "text": ["", "a", "b", "c"], "visits": [20, 12, 7, 5]}
WRAPPED = {"children": [[1, 2], [3], [], []], "move": ["", "a", "b", "c"], "n": [20, 12, 7, 5]}
COLUMNS: list[Any] = [
    {"parents": [-1, 0, 0, 1], "action": ["", "a", "b", "c"], "visits": [20, 12, 7, 5]},
    *(PARENTS, {**CHILDREN, "title": "t"}, {"tree": WRAPPED, "seed": 3}),
]


@pytest.mark.parametrize("document", COLUMNS)
def test_a_table_by_columns_is_read_by_its_parents_or_children(document: dict[str, Any]) -> None:
    log = read_log(json.dumps(document).encode())
    assert [ply or None for ply in plies(log)] == [None, "a", "c", "b"]
    assert log.columns["parent"].tolist() == [-1, 0, 1, 0]
    assert log.columns["visits"].tolist() == [20, 12, 5, 7]
    assert log.notices[0] == "A table by columns: 4 rows of it were read as nodes."


def test_columns_that_name_no_rows_and_edges_to_what_does_not_look_searched_are_no_tree() -> None:
    for document in (
        {"x": [1, 2, 3], "y": [3, 4, 5]},
        *({"parents": parents, "age": [3, 4]} for parents in (["Ann", "Bob"], [1, 0], [-1, 7])),
        {"data": [{"id": 1, "links": {"author": {"data": [{"id": 9}]}}}]},
    ):
        with pytest.raises(LogError, match="expected a tree"):
            read_log(json.dumps(document).encode())


def decision(visits: int, actions: list[Any]) -> dict[str, Any]:
    return {"type": "Decision", "visits": visits, "win_rate": visits / 100, "actions": actions}


def chance(name: str, visits: int, **outcomes: Any) -> dict[str, Any]:
    children = [{"prob": prob, "child": decision(n, [])} for n, prob in outcomes.values()]
    inner = {"type": "Chance", "visits": visits, "win_rate": 0.1, "outcomes": children}
    return {"action": 7, "action_name": name, "N_sa": visits, "chance": inner}


EXPECTIMAX = decision(15, [chance("left", 6, two=(2, 0.25), four=(4, 0.75)), chance("down", 9, one=(9, 1.0))])


def test_chance_nodes_between_decisions_are_a_layer() -> None:
    log = read_foreign(EXPECTIMAX)
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4]
    assert layers(log) == ["max", "chance", "max", "max", "chance", "max"]
    assert log.columns["visits"].tolist() == [15, 6, 2, 4, 9, 9]
    assert log.columns["prior"].tolist()[2:4] == [0.25, 0.75]
    assert plies(log) == [None, "left", None, None, "down", None]


def of_edges(key: str, n_levels: int) -> dict[str, Any]:
    """Children under a key, each behind two objects of an edge."""
    below = [
        {"move": ply, "prior": 0.5, "edge": {"since": 3, "target": {"node": of_edges(key, n_levels - 1)}}}
        for ply in ("ab" if n_levels else "")
    ]
    return {"visits": 4 ** (n_levels + 1), "score": n_levels, key: below}


def by_name(n_levels: int) -> dict[str, Any]:
    below = {ply: {"prior": 0.5, "node": by_name(n_levels - 1)} for ply in ("ab" if n_levels else "")}
    return {"visits": 4 ** (n_levels + 1), "score": n_levels, "branches": below}


@pytest.mark.parametrize("tree", [of_edges("moves", 2), of_edges("zuege", 2), by_name(2)])
def test_nodes_behind_objects_of_an_edge_are_found_in_lists_and_in_maps_by_ply(tree: Any) -> None:
    log = read_foreign(tree)
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4, 4]
    assert plies(log) == [None, "a", "a", "b", "b", "a", "b"]
    assert log.columns["visits"].tolist() == [64, 16, 4, 4, 16, 4, 4]
    assert log.columns["prior"].tolist()[1:] == [0.5] * 6
    assert scores(log) == [2, 1, 0, 0, 1, 0, 0]


BOARDS: dict[str, list[tuple[int, str, int]]] = {
    "000": [(0, "100", 1), (1, "010", -1)],
    "100": [(1, "120", 1)],
    "010": [(0, "210", -1)],
    "120": [],
    "210": [],
}


def board_map() -> dict[str, Any]:
    return {
        board: {"turn": 1, "next_moves": [{"pos": pos, "to_board": to, "v": v} for pos, to, v in edges]}
        for board, edges in BOARDS.items()
    }


@pytest.mark.parametrize(
    ("target", "ply"), [("to", "move"), ("childId", "mv"), ("nextState", "action"), ("id", "zug")]
)
def test_edges_in_rows_are_followed_whatever_names_their_target(target: str, ply: str) -> None:
    numbers = {board: at for at, board in enumerate(BOARDS)}
    edges = [[{target: numbers[to], ply: f"m{at}", "v": v} for at, to, v in each] for each in BOARDS.values()]
    log = read_foreign([{"id": at, "children": each} for at, each in enumerate(edges)])
    assert log.columns["parent"].tolist() == [-1, 0, 1, 0, 3]
    assert plies(log) == [None, "m0", "m1", "m1", "m0"]
    assert scores(log) == [None, 1, 1, -1, -1]
    boards = board_map()
    del boards["210"]  # an edge to what is not there makes an empty node
    log = read_foreign(boards)
    assert (log.n_rows, any('lead to "210"' in notice for notice in log.notices)) == (5, True)
    # Children that name their parent are nodes and no edges.
    trees = [{"id": at, "score": 3, "children": [{"id": at + 10, "parent": at, "score": 3}]} for at in (1, 2)]
    assert read_foreign(trees).columns["parent"].tolist() == [-1, 0, -1, 2]


LARGE = {
    f"b{at}": {
        "best": at % 7,
        "next": [{"pos": n, "to": f"b{2 * at + n}"} for n in (1, 2) if 2 * at + n < 3000],
    }
    for at in range(3000)
}


DOCUMENTS: list[tuple[Any, str | None]] = [
    *((EXPECTIMAX, "action_name"), (of_edges("moves", 7), "move"), (by_name(8), None)),
    ({"a": 1, "tree": of_edges("zuege", 6)}, "move"),
    *((board_map(), "edge.pos"), (LARGE, "edge.pos"), ({"x": 1, "states": LARGE}, "edge.pos")),
]


@pytest.mark.parametrize(("document", "ply"), DOCUMENTS)
def test_they_are_the_same_from_bytes_and_from_values(document: Any, ply: str | None) -> None:
    log = there(check(json.dumps(document).encode(), head=2**12))
    assert log.mapping.get("ply") == ply


@pytest.mark.parametrize("is_map", [False, True])
def test_rows_in_any_order_are_sampled_with_all_their_fields(is_map: bool) -> None:
    """Some of them begin in one piece of the tape and end in the next."""
    places = list(range(4_000))
    random.Random(2).shuffle(places)
    ids: list[Any] = [f"n{at}" for at in places] if is_map else places
    parents = [f"n{at // 3}" if is_map else at // 3 for at in places]
    rows = [
        {"id": name, "parent": parent if at else None, "told": [*range(40), "]}"], "last": at}
        for name, parent, at in zip(ids, parents, places, strict=True)
    ]
    document = {row.pop("id"): row for row in rows} if is_map else rows
    by_tape = TapeDocument(text := json.dumps(document).encode(), head=len(text))
    by_tape.read_head()
    trees = [
        Reader(each).first_tree(there(find_tree(each.head))) for each in (by_tape, ValueDocument(document))
    ]
    assert list(trees[0].samples) == list(range(4_000))
    assert trees[0].samples == trees[1].samples


def test_a_name_in_a_map_is_not_the_text_that_is_written_as_it() -> None:
    r"""The name `a\nb` with a line break is spelled as the text of four characters that a parent names."""
    rows: dict[str, Any] = {"r": {"parent": None}, "x": {"parent": "a\\nb"}}
    rows |= {"a\nb": {"parent": "r"}, "a\\nb": {"parent": "a\nb"}, 'q"': {"parent": "x"}}
    rows |= {f"n{at}": {"parent": 'q"' if at % 2 else "a\nb", "score": at} for at in range(3000)}
    log = there(check(json.dumps(rows).encode(), head=2**12))
    levels = log.columns["level"].tolist()
    assert [levels.count(level) for level in range(6)] == [1, 1, 1501, 1, 1, 1500]
