"""Mappings as a person writes them, layers of a foreign tree, and drawings whose labels tell scores."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.formats.foreign.reader import read_foreign
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.store.log import Log
from tests.unit.logs import layers, outcomes, plies, scores
from tests.unit.same_logs import extras
from tests.unit.shelf.conftest import refuse


def minimax(depth: int, level: int = 0, seed: int = 1, *, passes: bool = False) -> dict[str, Any]:
    """A tree of three replies a node whose scores are backed up, largest at even levels.

    With `passes` the player of the first reply's subtree moves twice running.
    """
    if depth == 0:
        return {"val": seed * 7919 % 101}
    after = [level + 1 + (passes and level == 0 and i == 0) for i in range(3)]
    below = [minimax(depth - 1, after[i], 3 * seed + i + 1) for i in range(3)]
    best = max if level % 2 == 0 else min
    return {"val": best(child["val"] for child in below), "replies": below}


def read(tree: Any, **mapping: str) -> Log:
    return read_log(json.dumps(tree).encode(), mapping=mapping or None)


def found(log: Log) -> list[tuple[str, str, int]]:
    return [(finding.severity, finding.rule, finding.id) for finding in check(log).findings()]


def test_one_wrong_score_takes_no_layers_away_and_is_found() -> None:
    tree = minimax(3)
    tree["replies"][1]["replies"][0]["val"] += 1000
    log = read(tree)
    assert layers(log)[:3] == ["max", "min", "max"]
    assert any("1 score of 13 above children" in notice for notice in log.notices)
    row = log.columns["score"].tolist().index(tree["replies"][1]["replies"][0]["val"])
    assert ("wrong", "value", row) in found(log)
    # The smallest in the place of the largest is odd where layers are a guess.
    tree = minimax(3)
    assert len({child["val"] for child in tree["replies"]}) > 1
    tree["val"] = min(child["val"] for child in tree["replies"])
    log = read(tree)
    assert layers(log)[:2] == ["max", "min"]
    assert found(log) == [("odd", "value", 0)]
    assert found(read(tree, layer="max first")) == [("wrong", "value", 0)]


def test_one_wrong_score_of_negamax_takes_no_view_away() -> None:
    def turned(tree: dict[str, Any], sign: int) -> dict[str, Any]:
        below = [turned(child, -sign) for child in tree.get("replies", ())]
        return {"val": sign * tree["val"], **({"replies": below} if below else {})}

    tree = turned(minimax(3), 1)
    tree["replies"][2]["val"] = 5000
    log = read(tree)
    assert any("Most scores are the largest of their children's, negated" in notice for notice in log.notices)
    assert layers(log)[:2] == ["max", "min"]
    assert log.header.get("search") in (None, {})


@pytest.mark.parametrize(("first", "second"), [("max", "min"), ("min", "max")])
def test_layers_can_be_said(first: str, second: str) -> None:
    assert set(layers(read(minimax(4, passes=True)))) == {""}  # not guessed where a player moves twice
    tree = {"layer": second, "val": 1, "replies": [{"val": 1, "replies": [{"val": 1}]}, {"val": 1}]}
    assert layers(read(tree))[0] == second
    del tree["layer"]
    assert set(layers(read(tree))) == {""}
    assert layers(read({"layer": second, **tree}, layer=f"{first} first"))[0] == first
    log = read(tree, **parse_mapping(f"layer={first} first"))
    assert layers(log) == [first, second, first, second]
    assert log.mapping["layer"] == f"{first} first"
    assert any(f"layer in turn, {first} first" in notice for notice in log.notices)


NONE_FITS = "No reading of the layers fits the scores: "
WHOLE = json.dumps(minimax(4))
FIGURES = "of 1 above children 0 fit max first, 0 min first and 0 negamax."


@pytest.mark.parametrize(
    ("scores", "is_said"),
    [([0.77, 0.75, -0.2], True), ([4, 3, 6], True), ([3, 3, 6], False), ([-3, 3, 6], False), ([3], False)],
)
def test_scores_that_fit_no_reading_of_the_layers_are_said(scores: list[float], is_said: bool) -> None:
    replies = [{"move": at, "val": score} for at, score in enumerate(scores[1:])]
    notices = read({"val": scores[0], "replies": replies}).notices
    found = [notice for notice in notices if notice.startswith(NONE_FITS)]
    assert [NONE_FITS + FIGURES in notice for notice in found] == [True] * is_said
    for cut in (0.5, 0.7, 0.9):  # nodes that a cut left open count for no misfit
        log = read_log(WHOLE[: int(cut * len(WHOLE))].encode())
        assert "open" in outcomes(log)
        assert any(notice.endswith("and nothing else.") for notice in log.notices)


def test_a_mapping_is_read_as_it_is_written_on_the_command_line_or_refused() -> None:
    found = {"children": "nextMove", "score": "data.value", "layer": ""}
    assert parse_mapping(" children = nextMove,score=data.value, layer=,") == found
    assert parse_mapping("") == {}
    for text, words in (
        ("score", "expected pairs such as score=value"),
        ("score=a,score=b", '"score" is given twice'),
        ("points=a", '"points" is nothing to map, expected one of children'),
        ("perspective=white", 'perspective "white", expected root, mover'),
    ):
        with pytest.raises(LogError, match=words):
            parse_mapping(text)


def test_a_mapping_is_remembered_until_it_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RememberedMappings(tmp_path / "new").set("s1", {"score": "value"})
    RememberedMappings(tmp_path / "new").set("s2", {"children": "kids"})
    remembered = RememberedMappings(tmp_path / "new")
    assert remembered.get("s1") == {"score": "value"}
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            remembered.set("s1", {"score": "cost"})
    with pytest.raises(LogError, match="expected a text"):
        remembered.set("s1", {"score": 3})  # type: ignore[dict-item]
    assert remembered.get("s1") == {"score": "value"}
    remembered.forget("s1")
    remembered.forget("s1")
    assert remembered.get("s1") is None
    assert remembered.get("s2") == {"children": "kids"}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["mappings.json"]
    # A spoilt file is as good as none, and mended by the next choice.
    for text in ("", "[]", "{", '{"s1": {"points": "x"}}', '{"s1": 3}', "\x00"):
        (tmp_path / "new" / "mappings.json").write_text(text)
        remembered = RememberedMappings(tmp_path / "new")
        assert remembered.get("s1") is None
        remembered.set("s1", {"score": "value"})
        assert remembered.get("s1") == {"score": "value"}


Edge = tuple[int, int] | tuple[int, int, str]


def dot(labels: list[str], edges: list[Edge], n_subgraphs: int = 0) -> dict[str, Any]:
    """What `dot -Tjson0` writes of a drawing, its subgraphs first."""
    groups = [{"_gvid": at, "name": f"cluster{at}", "nodes": [n_subgraphs]} for at in range(n_subgraphs)]
    nodes = [{"_gvid": n_subgraphs + at, "name": f"n{at}", "label": label} for at, label in enumerate(labels)]
    links = []
    for place, (at, to, *label) in enumerate(edges):
        ends = {"_gvid": place, "tail": n_subgraphs + at, "head": n_subgraphs + to}
        links.append(ends | ({"label": label[0]} if label else {}))
    head = {"name": "G", "directed": True, "strict": False, "_subgraph_cnt": n_subgraphs}
    return {**head, "objects": [*groups, *nodes], "edges": links}


FORK: list[Edge] = [(0, 1), (0, 2)]


@pytest.mark.parametrize(
    ("labels", "read"),
    [
        (["12", "12", "7"], [12, 12, 7]),
        (["-1", "1", "2"], [-1, 1, 2]),
        (["A", "3", "8"], [None, 3, 8]),
        ([r"MAX\n3", r"MIN\n3", r"MIN\n2"], [3, 3, 2]),
        (["{3|max}", "{3|min}", "{2|min}"], [3, 3, 2]),
        (["<f0> 3|<f1> a", "<f0> 3|<f1> b", "<f0> 2|<f1> c"], [3, 3, 2]),
        (["{v=3|{α: -inf|β: inf}}", "{v=3|{α: 1|β: inf}}", "{v=2|{α: 3|β: inf}}"], [3, 3, 2]),
        (["0", "1", "2"], [None, None, None]),
        (["4", "1", "2"], [None, None, None]),
    ],
)
def test_labels_of_drawings_tell_scores_where_these_are_no_names(
    labels: list[str], read: list[float | None]
) -> None:
    for n_subgraphs in (0, 1, 3):  # which are no roots
        log = read_foreign(dot(labels, FORK, n_subgraphs))
        assert (log.columns["parent"].tolist(), scores(log)) == ([-1, 0, 0], read)
        left_out = f"{n_subgraphs} subgraph{'s' * (n_subgraphs > 1)} left out, which only group nodes."
        assert (left_out in log.notices) == (n_subgraphs > 0)
    plies_told = [(0, 1, "c6"), (0, 2, "d6")]  # numbers are scores where edges tell the plies
    assert scores(read_foreign(dot(["9", "4", "7"], plies_told))) == [9, 4, 7]
    assert scores(read_foreign(dot(["n0", "n1", "n2"], plies_told))) == [None] * 3


@pytest.mark.parametrize(
    "label", ["N={} Q={} P={}", r"visits: {}\nmean: {}\nprior: {}", "{{n = {}|q = {}|p = {}}}"]
)
def test_labels_tell_visits_means_and_priors(label: str) -> None:
    figures = [(50, -0.008, 1), (9, -0.76, 0.25), (40, 0.161, 0.75)]
    log = read_foreign(dot([label.format(*each) for each in figures], [(0, 1, "a=1"), (0, 2, "a=8")]))
    assert log.columns["visits"].tolist() == [50, 9, 40]
    assert log.columns["mean"].tolist() == [-0.008, -0.76, 0.161]
    assert log.columns["prior"].tolist() == [1, 0.25, 0.75]
    no_share = read_foreign(dot([label.format(*each, -1) for each in ((50, 0), (9, 1), (40, 0))], FORK))
    assert ("visits" in no_share.columns, "prior" in no_share.columns) == (True, False)


@pytest.mark.parametrize("broken", [r"x\ncut: 3 ≤ 4", "x\ncut", r"x\lcut\l", "{x|cut}"])
def test_only_the_first_line_of_a_label_is_the_ply(broken: str) -> None:
    log = read_foreign(dot(["3", "3", "2"], [(0, 1, broken), (0, 2, "y")]))
    assert plies(log) == [None, "x", "y"]
    assert extras(log, 1)["edge"]["label"] == broken


def refuted(label: str, *, window: bool, last: str = "") -> Any:
    """Behind `b x`, which is worse than `a`, no further reply matters."""
    values = [*[(3, "-inf", "inf")] * 3, (5, "-inf", "3"), *[(1, "3", "inf")] * 2]
    labels = [rf"v={v}\nα={a} β={b}" if window else f"v={v}" for v, a, b in values]
    edges: list[Edge] = [(0, 1, "a"), (1, 2, "x"), (1, 3, "y"), (0, 4, "b"), (4, 5, "x"), (4, 6, "y")]
    edges.append((4, 7, "z"))
    return dot([*labels, label, last or label], edges)


@pytest.mark.parametrize("label", ["", "✂", "pruned", "?"])
@pytest.mark.parametrize("window", [True, False])
def test_nodes_without_a_score_behind_a_cut_are_pruned(label: str, *, window: bool) -> None:
    log = read_foreign(refuted(label, window=window))
    assert outcomes(log)[-2:] == ["pruned", "pruned"]
    assert "2 nodes without a score behind a cut: read as pruned." in log.notices
    assert not [each for each in check(log).findings() if each.rule == "cut-missed"]
    assert "pruned" not in outcomes(read_foreign(refuted(label, window=window, last="v=4")))


def family(sign: int, last: list[dict[str, Any]]) -> dict[str, Any]:
    """A root whose second ply has these replies; `sign` is -1 where scores are negated at each level."""
    best = {"move": "a", "score": 3 * sign, "kids": [{"move": "x", "score": 3}, {"move": "y", "score": 5}]}
    return {"score": 3, "kids": [best, {"move": "b", "score": sign, "kids": last}]}


@pytest.mark.parametrize("sign", [1, -1])
def test_nodes_in_one_another_are_pruned_behind_a_cut_too(sign: int) -> None:
    log = read_foreign(family(sign, [{"move": "x", "score": 1}, {"move": "y", "score": None}, {"move": "z"}]))
    assert outcomes(log)[-3:] == ["", "pruned", "pruned"]
    text = json.dumps(family(sign, [{"move": "x", "score": 1}, {"move": "y", "score": 2}]))
    cut = read_log(text[: text.rindex('"score": 2')].encode())  # there a node is open
    assert (plies(cut)[-1], outcomes(cut)[-1]) == ("y", "open")
