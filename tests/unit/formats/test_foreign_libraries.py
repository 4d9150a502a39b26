"""Trees as libraries and authors write them, each in its own shape, are read alike by both roads.

`python -m tests.shapes.dump` writes anew the texts of what people post.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

import plyscope
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.reader import read_foreign
from tests.equality.forms import forms
from tests.property.test_foreign_bytes import check
from tests.shapes.dump import documents, dump, golden
from tests.unit.logs import plies, scores, there

PLIES: Final = ["root", "a1", "b1", "b2", "a2", "c1", "c2"]
SCORES: Final = [3, 3, 3, 8, -2, -2, 5]
PARENTS: Final = [-1, 0, 1, 1, 0, 4, 4]
NODES: Final = [{"move": ply, "score": score} for ply, score in zip(PLIES, SCORES, strict=True)]
ROWS: Final = {str(at): {**node, "parent": PARENTS[at]} for at, node in enumerate(NODES)}
LINKS: Final = [{"source": above, "target": node} for node, above in enumerate(PARENTS) if node]
WITH_IDS: Final = [{**node, "id": f"n{at}"} for at, node in enumerate(NODES)]
LIBRARIES: Final[dict[str, Any]] = {
    "d3's links by place": {"nodes": NODES, "links": LINKS},
    "links by place beside ids": {"nodes": WITH_IDS, "links": LINKS},
    "a map with a parent of -1": {"tree": ROWS},
    "a map without the root's parent": {**ROWS, "0": NODES[0]},
}
"""Others are among the forms of tests/equality."""


@pytest.mark.parametrize("document", LIBRARIES.values(), ids=list(LIBRARIES))
def test_a_tree_is_read_as_its_library_means_it(document: Any) -> None:
    log = read_log(json.dumps(document).encode())
    assert (log.columns["parent"].tolist(), plies(log), scores(log)) == (PARENTS, PLIES, SCORES)
    check(json.dumps(document).encode())


@pytest.mark.parametrize("names", [("left", "right"), ("yes", "no"), ("leftChild", "rightChild")])
def test_inner_nodes_of_two_sides_need_no_score(names: tuple[str, str]) -> None:
    one, other = names
    below = {one: {"op": "max", one: {"value": 3}, other: {"value": 8}}, other: {"value": -2}}
    log = read_log(json.dumps({"op": "max", **below}).encode())
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0]
    assert plies(log)[1:] == [one, one, other, other]
    assert scores(log)[2:] == [3, 8, -2]


def test_maps_of_maps_that_name_one_another_are_a_graph() -> None:
    """`to_dict_of_dicts` of NetworkX, of a directed graph and of one without directions."""
    maps: dict[str, Any] = {ply: {} for ply in PLIES}
    links = [(PLIES[above], ply) for ply, above in zip(PLIES[1:], PARENTS[1:], strict=True)]
    for way in (links, [link[::-1] for link in links]):
        for one, other in way:
            maps[one][other] = {"weight": 2}
        log = read_log(json.dumps(maps).encode())
        assert (log.columns["parent"].tolist(), plies(log)) == (PARENTS, PLIES)


@pytest.mark.parametrize("names", [("numVisits", "totalReward"), ("visit_count", "value_sum"), ("N", "W")])
def test_a_sum_over_visits_gives_the_mean(names: tuple[str, str]) -> None:
    visits, total = names
    leaf = {"move": "b", visits: 0, total: 0.0, "children": []}
    inner = {"move": "a", visits: 3, total: -1.5, "children": [leaf, {**leaf, "move": "c"}]}
    document = {visits: 12, total: -6.0, "children": [inner, {**inner, "move": "d"}]}
    log = there(check(json.dumps(document).encode()))
    assert [mean for mean in log.columns["mean"].tolist() if mean == mean] == [-0.5] * 3
    assert log.mapping["total"] == total
    leaf[total] = 7  # of no visit
    log = read_log(json.dumps(document).encode())
    assert "total" not in log.mapping
    assert f'"{total}" is no sum over the visits by its values: no mean was read from it.' in log.notices


# Dumps of Monte Carlo trees ------------------------------------------------------------------------------

E4 = {"N": 500, "W": 80.0, "Q": 0.16, "P": 0.45, "children": {"e5": {"N": 300, "Q": -0.15, "P": 0.6}}}
ALPHA_ZERO = {"N": 800, "Q": 0.12, "children": {"e4": E4, "d4": {"N": 280, "W": 15.4, "Q": 0.055, "P": 0.4}}}
KATA_GO = {
    "id": "q1",
    "rootInfo": {"winrate": 0.47, "visits": 1000, "utility": -0.03},
    "moveInfos": [
        {"move": "Q16", "visits": 400, "winrate": 0.465, "prior": 0.28, "pv": ["Q16", "D4"]},
        {"move": "D4", "visits": 520, "winrate": 0.48, "prior": 0.3, "pv": ["D4", "Q16"]},
    ],
}
VALUES = {
    "visit_count": 100,
    "children": [
        {"action": 3, "visit_count": 39, "value": 0.2, "prior": 0.5},
        {"action": 4, "visit_count": 60, "value": -0.05, "prior": 0.5},
    ],
}


@pytest.mark.parametrize(
    ("dump", "first", "second"),
    [
        (ALPHA_ZERO, ("e4", 500, 0.16), ("d4", 280, 0.055)),
        (KATA_GO, ("D4", 520, 0.48), ("Q16", 400, 0.465)),
        (VALUES, ("4", 60, -0.05), ("3", 39, 0.2)),
    ],
)
def test_a_dump_of_play_outs_is_read_as_visits_and_means(
    dump: dict[str, Any], first: Any, second: Any
) -> None:
    log = plyscope.open(json.dumps(dump))
    found = plyscope.explain(log)
    assert [(each.ply, each.visits, each.mean) for each in found.means] == [first, second]
    assert found.to_overtake == first[1] - second[1] + 1
    assert "is not known: it needs" in found.sentences[1]
    assert list(plyscope.check(log)) == []
    assert (log.main_root.contributions, log.main_root.factors) == (None, None)


TREES = {name: text for name, text in forms().items() if re.match(r"(other|shapes) .*\.json$", name)}
"""One tree as tools and students write it, and what people post."""
OF_VALUES = re.compile("nested lists|rows with text ids|(?<!toolkit), in a ring")
"""Read from values alone."""


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.name)
def test_a_shape_reads_as_its_text_says_also_where_the_mapping_that_was_guessed_is_told(
    document: Path,
) -> None:
    guessed = read_log(document.read_bytes())
    assert dump(guessed) == golden(document).read_text("utf-8")
    told = read_log(document.read_bytes(), mapping=guessed.mapping)
    assert dump(told) == dump(guessed)
    assert told.shape == guessed.shape != ""


@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_the_same_from_its_bytes_and_from_values(name: str) -> None:
    assert (check(TREES[name]) is None) == bool(OF_VALUES.search(name))


@pytest.mark.parametrize("end", [{}, 3])
def test_plies_that_recur_on_the_way_down_are_no_field_of_children(end: object) -> None:
    """Maps from ply to reply: `b1`, played again two plies later, is not where a node keeps its children."""

    def node(levels: int) -> object:
        return {f"{'abc'[(levels + at) % 3]}1": node(levels - 1) for at in range(3)} if levels else end

    log = read_log(json.dumps(node(5)).encode())
    assert log.n_rows == sum(3**level for level in range(6))
    assert plies(log)[1:4] == ["c1", "b1", "a1"]
    assert log.mapping == {"children": "*"}
    leaf = {"score": 3, "visits": 2}  # numbers by their names are no replies
    log = read_log(json.dumps({"e4": {"e5": leaf, "c5": leaf}, "d4": {"d5": leaf, "score": 1}}).encode())
    assert plies(log) == [None, "e4", "e5", "c5", "d4", "d5"]
    assert scores(log)[2:] == [3, 3, 1, 3]


@pytest.mark.parametrize("children", ["kinder", "folgen", "followers"])
def test_objects_that_say_all_that_the_one_around_them_says_are_its_children(children: str) -> None:
    root = {"zug": "start", "wert": 3, children: [{"zug": "a", "wert": 3}, {"zug": "b", "wert": 5}]}
    log = read_foreign(root)
    assert (log.n_rows, log.mapping["children"]) == (3, children)
    assert read_foreign({**root, children: [{"wert": 3, "why": "a"}]}).n_rows == 1 + (children == "kinder")
