"""Documents in the manner of what people post, each with the text of what it is read as.

`python -m tests.shapes.dump` writes the texts anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from tests.shapes.dump import documents, dump, golden

MAPPINGS = {
    "adjacency_map.json": {"ply": "id", "score": "score"},
    "children_by_move.json": {
        "children": "nextMove",
        "score": "eval",
        "player": "turn",
        "position": "fen",
    },
    "cytoscape.json": {"children": "edges", "score": "score"},
    "d3_collapsed.json": {"children": "children", "ply": "name"},
    "d3_flare.json": {"children": "children", "ply": "name", "score": "value"},
    "depth_is_level.json": {"children": "children", "ply": "name", "score": "value.score"},
    "echarts.js": {"children": "children", "ply": "name", "score": "value"},
    "jit_graph.js": {"children": "adjacencies", "ply": "name", "score": "data.score"},
    "leaf_scores.js": {"children": "children", "ply": "name", "score": "score"},
    "left_right.json": {"children": "*", "score": "val"},
    "maps_in_maps.js": {"children": "*"},
    "mcts.json": {"children": "children", "visits": "N", "mean": "Q", "prior": "P"},
    "names_with_numbers.json": {"children": "nodes", "ply": "text", "score": "text"},
    "null_pairs.json": {"children": "children", "score": "value"},
    "one_node.json": {"score": "score"},
    "org_chart.json": {"children": "parentId", "ply": "name"},
    "pairs.json": {"children": "branches", "score": "best", "alpha": "window.0", "beta": "window.1"},
    "several_roots.json": {"children": "moves", "ply": "move", "score": "score"},
    "sunburst_size.json": {"children": "children", "ply": "name"},
    "treelib.json": {"children": "children"},
    "who_moved.json": {"children": "kids", "ply": "lastMove", "score": "utility", "layer": "player"},
}
"""What is taken for what, for the shapes in which somebody could take it otherwise."""


def by_name(document: Path) -> str:
    return document.name


def test_there_are_at_least_fifteen_shapes() -> None:
    assert len(documents()) >= 15
    assert set(MAPPINGS) <= {document.name for document in documents()}


@pytest.mark.parametrize("document", documents(), ids=by_name)
def test_a_shape_reads_as_its_text_says(document: Path) -> None:
    assert dump(read_log(document.read_bytes())) == golden(document).read_text("utf-8")


@pytest.mark.parametrize("document", documents(), ids=by_name)
def test_the_mapping_that_was_guessed_reads_the_same_when_told(document: Path) -> None:
    guessed = read_log(document.read_bytes())
    told = read_log(document.read_bytes(), mapping=guessed.mapping)
    assert dump(told) == dump(guessed)
    assert told.shape == guessed.shape != ""


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_shape_maps_as_a_person_would_map_it(name: str) -> None:
    document = next(document for document in documents() if document.name == name)
    assert dict(read_log(document.read_bytes()).mapping) == MAPPINGS[name]


@pytest.mark.parametrize("document", documents(), ids=by_name)
def test_one_line_says_what_was_taken_for_what(document: Path) -> None:
    log = read_log(document.read_bytes())
    lines = [notice for notice in log.notices if notice.startswith("Read as ")]
    assert len(lines) == 1
    for role, field in log.mapping.items():
        assert f'{role} from "{field}"' in lines[0]


@pytest.mark.parametrize("end", [{}, 3])
def test_plies_that_recur_on_the_way_down_are_no_field_of_children(end: object) -> None:
    """Maps from ply to reply: `b1`, played again two plies later, is not where a node keeps its children."""

    def node(levels: int) -> object:
        return {f"{'abc'[(levels + at) % 3]}1": node(levels - 1) for at in range(3)} if levels else end

    log = read_log(json.dumps(node(5)).encode())
    assert log.n_rows == sum(3**level for level in range(6))
    assert [log.texts[code] for code in log.columns["ply"][1:4]] == ["c1", "b1", "a1"]
