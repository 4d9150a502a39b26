"""A sealed tree and its texts: rows in pre-order, texts found by their bytes, plies of chess in SAN."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.explain.answer import explain
from plyscope.visualizer.analysis.nodes.node_json import node_json, others_json
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import mapped
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.mapped import Texts, codes_holding, codes_of
from plyscope.visualizer.store.positions import respelled, respells, shown_ply
from plyscope.visualizer.store.seal import Cycle, seal
from plyscope.visualizer.store.tree import Tree


@st.composite
def forests(draw: st.DrawFn) -> list[int]:
    """Parents in pre-order or any other order; -1 for a root."""
    n_nodes = draw(st.integers(1, 30))
    parents = [-1] + [draw(st.integers(-1, number - 1)) for number in range(1, n_nodes)]
    names = draw(st.permutations(range(n_nodes)))
    shuffled = [0] * n_nodes
    for number, parent in enumerate(parents):
        shuffled[names[number]] = -1 if parent < 0 else names[parent]
    return shuffled


def walked(parents: list[int], node: int = -1) -> list[int]:
    """The obvious recursion, to compare with."""
    below = [number for number, parent in enumerate(parents) if parent == node]
    return [row for number in below for row in (number, *walked(parents, number))]


@pytest.mark.parametrize("run", [None, lambda kernel: kernel])
@given(parents=forests())
def test_sealing_equals_the_obvious_recursion(run: Callable[[Any], Any] | None, parents: list[int]) -> None:
    sealed = seal(np.array(parents), run)
    assert sealed.order.tolist() == walked(parents)
    rows = {number: row for row, number in enumerate(sealed.order.tolist())}
    for row, number in enumerate(sealed.order.tolist()):
        parent = parents[number]
        assert sealed.parent[row] == (-1 if parent < 0 else rows[parent])
        assert sealed.level[row] == (0 if parent < 0 else sealed.level[rows[parent]] + 1)
        assert sealed.end[row] - row == 1 + len(walked(parents, number))


@pytest.mark.parametrize(
    ("parents", "number"), [([0], 0), ([-1, 2, 1], 1), ([-1, 3, 1, 2, 1], 1), ([2, 4, 3, 4, 3], 3)]
)
def test_a_cycle_is_refused_by_its_earliest_node(parents: list[int], number: int) -> None:
    with pytest.raises(Cycle) as caught:
        seal(np.array(parents))
    assert caught.value.number == number


@pytest.mark.parametrize("parent", [-2, 2, 9])
def test_a_parent_that_is_no_node_is_refused(parent: int) -> None:
    with pytest.raises(ValueError, match=f"node 1 has parent {parent}, of 2 nodes"):
        seal(np.array([-1, parent]))


def test_no_nodes_seal_to_an_empty_table() -> None:
    assert len(seal(np.zeros(0, dtype=np.int64)).order) == 0


texts_of = st.lists(st.text(alphabet="aAb1 ßé", max_size=6), unique=True, min_size=1, max_size=30)
sought = st.text(alphabet="aAb1 ßé", min_size=1, max_size=3)


def on_disk(texts: list[str]) -> Texts:
    encoded = [text.encode() for text in texts]
    starts = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return Texts(b"".join(encoded), starts)


@given(texts_of, sought, st.data())
def test_texts_are_found_by_their_bytes_as_they_are_one_by_one(
    texts: list[str], wanted: str, data: st.DataObject
) -> None:
    codes = data.draw(st.lists(st.sampled_from(range(len(texts))), unique=True, min_size=1).map(sorted))
    folded = wanted.casefold()
    with patch.multiple(mapped, FEW_TEXTS=1, MANY_TEXTS=2, PIECE_OF_SEARCH=5):
        same = codes_of(on_disk(texts), np.array(codes), wanted)
        held = codes_holding(on_disk(texts), np.array(codes), folded)
    assert same == [code for code in codes if texts[code] == wanted]
    assert held == [code for code in codes if folded in texts[code].casefold()]


MATE = "7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"


def chess_log(root: dict[str, Any], **header: Any) -> Log:
    return read_log(
        json.dumps({"plyscope": 1, "game": "chess", "position": MATE, **header, "root": root}).encode()
    )


def node(*children: Any, **fields: Any) -> dict[str, Any]:
    return {**fields, "children": list(children)} if children else fields


UCI = node(
    node(node(ply="h8g8"), ply="e1g1", tt={"use": "order", "ply": "h8g8"}),
    node(ply="a1a8"),
    node(ply="a1a9"),
    {"outcome": "pruned", "plies": ["e1c1", "h1h7"], "count": 2},
)


def test_plies_are_shown_in_san_and_those_that_cannot_be_played_as_they_were_written() -> None:
    """Those of stubs and table entries too; the text of the log stays among all fields."""
    log = chess_log(UCI)
    assert [shown_ply(log, row) for row in range(6)] == [None, "O-O", "Kg8", "Ra8#", "a1a9", None]
    assert node_json(Tree(log), 5)["plies"] == ["O-O-O", "Rxh7+"]
    assert node_json(Tree(log), 1)["tt"]["ply"] == "Kg8"
    assert others_json(log, 3, 10, 100) == {"others": {"ply as written": "a1a8"}}
    assert others_json(log, 4, 10, 100) == {}
    foreign = read_log(json.dumps({"fen": MATE, "tree": {"children": [{"move": "a1a8"}]}}).encode())
    assert others_json(foreign, 1, 10, 100)["others"]["move"] == "a1a8"


def test_the_ply_before_a_root_is_shown_where_its_position_tells_it() -> None:
    log = chess_log(node(node(ply="e7e5"), ply="e2e4"), position="startpos moves e2e4")
    assert [shown_ply(log, row) for row in range(2)] == ["e4", "e5"]


def test_a_log_in_san_or_of_ours_or_of_another_game_is_shown_as_it_is() -> None:
    assert not respells(chess_log(node(node(ply="O-O"), node(ply="Ra8#"))))
    assert not respells(chess_log(UCI, search={"engine": "plyscope"}))
    assert not respells(
        read_log(b'{"plyscope": 1, "game": "reversi", "root": {"children": [{"ply": "d3"}]}}')
    )
    assert respelled(chess_log(UCI, game="reversi"), 0, "e1g1") == "e1g1"


def test_a_ply_is_found_in_both_spellings() -> None:
    tree = Tree(chess_log(UCI))
    found = {"O-O": [1], "Ra8": [3], "Ra8#": [3], "a1a8": [3], "O-O > Kg8": [2], "e1g1 > Kg8": [2], "e4": []}
    assert {query: tree.find(query).tolist() for query in found} == found


def test_a_result_in_the_notation_of_the_log_is_found_among_its_plies() -> None:
    root = node(
        node(ply="a1a8", score=9, outcome="terminal"), node(ply="e1g1", score=0), score=9, layer="max"
    )
    log = chess_log(root, result={"ply": "a1a8", "score": 9, "pv": ["a1a8"], "rank": 0})
    assert check(log, compiled=False).findings("result") == []
    explained = explain(Tree(log)).as_json()
    assert explained["chosen"]["ply"] == "Ra8#"
