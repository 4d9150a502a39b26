"""Drawings of search trees: graphs whose labels tell what the nodes say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.reader import read_foreign
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import OUTCOMES
from tests.unit.formats.test_foreign import extras, plies, scores

Edge = tuple[int, int] | tuple[int, int, str]


def dot(labels: list[str], edges: list[Edge], n_subgraphs: int = 0, **around: Any) -> dict[str, Any]:
    """What `dot -Tjson0` writes of a drawing, its subgraphs first."""
    groups = [{"_gvid": at, "name": f"cluster{at}", "nodes": [n_subgraphs]} for at in range(n_subgraphs)]
    nodes = [{"_gvid": n_subgraphs + at, "name": f"n{at}", "label": label} for at, label in enumerate(labels)]
    links = [
        {
            "_gvid": place,
            "tail": n_subgraphs + at,
            "head": n_subgraphs + to,
            **({"label": each[0]} if each else {}),
        }
        for place, (at, to, *each) in enumerate(edges)
    ]
    head = {"name": "G", "directed": True, "strict": False, "_subgraph_cnt": n_subgraphs, **around}
    return {**head, "objects": [*groups, *nodes], "edges": links}


FORK: list[Edge] = [(0, 1), (0, 2)]


@pytest.mark.parametrize("n_subgraphs", [1, 3])
def test_subgraphs_are_no_roots(n_subgraphs: int) -> None:
    log = read_foreign(dot(["12", "12", "7"], FORK, n_subgraphs))
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    assert plies(log) == ["n0", "n1", "n2"]
    left_out = f"{n_subgraphs} subgraph{'s' * (n_subgraphs > 1)} left out, which only group nodes."
    assert left_out in log.notices


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
    assert scores(read_foreign(dot(labels, FORK))) == read


def test_numbers_as_labels_are_scores_where_edges_tell_the_plies() -> None:
    log = read_foreign(dot(["9", "4", "7"], [(0, 1, "c6"), (0, 2, "d6")]))
    assert scores(log) == [9, 4, 7]
    named = read_foreign(dot(["n0", "n1", "n2"], [(0, 1, "c6"), (0, 2, "d6")]))
    assert scores(named) == [None] * 3


@pytest.mark.parametrize(
    "label", ["N={} Q={} P={}", r"visits: {}\nmean: {}\nprior: {}", "{{n = {}|q = {}|p = {}}}"]
)
def test_labels_tell_visits_means_and_priors(label: str) -> None:
    figures = [(50, -0.008, 1), (9, -0.76, 0.25), (40, 0.161, 0.75)]
    log = read_foreign(dot([label.format(*each) for each in figures], [(0, 1, "a=1"), (0, 2, "a=8")]))
    assert log.columns["visits"].tolist() == [50, 9, 40]
    assert log.columns["mean"].tolist() == [-0.008, -0.76, 0.161]
    assert log.columns["prior"].tolist() == [1, 0.25, 0.75]


def test_a_number_that_is_no_share_is_no_prior() -> None:
    log = read_foreign(dot(["N=50 Q=0 P=1", "N=9 Q=1 P=-1", "N=40 Q=0 P=-1"], FORK))
    assert "visits" in log.columns
    assert "prior" not in log.columns


@pytest.mark.parametrize("broken", [r"x\ncut: 3 ≤ 4", "x\ncut", r"x\lcut\l", "{x|cut}"])
def test_only_the_first_line_of_a_label_is_the_ply(broken: str) -> None:
    log = read_foreign(dot(["3", "3", "2"], [(0, 1, broken), (0, 2, "y")]))
    assert plies(log) == [None, "x", "y"]
    assert extras(log, 1)["edge"]["label"] == broken


def outcomes(log: Log) -> list[str]:
    return [OUTCOMES[outcome] for outcome in log.columns["outcome"]]


def refuted(label: str, *, window: bool, last: str = "") -> Any:
    """Behind `b x`, which is worse than `a`, no further reply matters."""
    values = [
        (3, "-inf", "inf"),
        (3, "-inf", "inf"),
        (3, "-inf", "inf"),
        (5, "-inf", "3"),
        (1, "3", "inf"),
        (1, "3", "inf"),
    ]
    labels = [rf"v={v}\nα={a} β={b}" if window else f"v={v}" for v, a, b in values]
    plies_ = ["a", "x", "y", "b", "x", "y", "z"]
    ends = [(0, 1), (1, 2), (1, 3), (0, 4), (4, 5), (4, 6), (4, 7)]
    edges = [(*each, ply) for each, ply in zip(ends, plies_, strict=True)]
    return dot([*labels, label, last or label], edges)


@pytest.mark.parametrize("label", ["", "✂", "pruned", "?"])
@pytest.mark.parametrize("window", [True, False])
def test_nodes_without_a_score_behind_a_cut_are_pruned(label: str, *, window: bool) -> None:
    log = read_foreign(refuted(label, window=window))
    assert outcomes(log)[-2:] == ["pruned", "pruned"]
    assert "2 nodes without a score behind a cut: read as pruned." in log.notices
    assert not [each for each in check(log).findings() if each.rule == "cut-missed"]


def test_a_node_without_a_score_before_one_that_has_one_is_not_pruned() -> None:
    log = read_foreign(refuted("", window=True, last="v=4"))
    assert "pruned" not in outcomes(log)


def test_nodes_in_one_another_are_pruned_behind_a_cut_too() -> None:
    replies = [{"move": "x", "score": 1}, {"move": "y", "score": None}, {"move": "z"}]
    tree = {
        "score": 3,
        "kids": [
            {"move": "a", "score": 3, "kids": [{"move": "x", "score": 3}, {"move": "y", "score": 5}]},
            {"move": "b", "score": 1, "kids": replies},
        ],
    }
    log = read_foreign(tree)
    assert outcomes(log)[-3:] == ["", "pruned", "pruned"]
    negated = {
        "score": 3,
        "kids": [
            {"move": "a", "score": -3, "kids": [{"move": "x", "score": 3}, {"move": "y", "score": 5}]},
            {"move": "b", "score": -1, "kids": replies},
        ],
    }
    assert outcomes(read_foreign(negated))[-3:] == ["", "pruned", "pruned"]


def test_a_node_at_which_the_file_was_cut_is_open_and_not_pruned() -> None:
    replies = [{"move": "x", "score": 1}, {"move": "y", "score": 2}]
    first = {"move": "a", "score": 3, "kids": [{"move": "x", "score": 3}, {"move": "y", "score": 5}]}
    text = json.dumps({"score": 3, "kids": [first, {"move": "b", "score": 1, "kids": replies}]})
    log = read_log(text[: text.rindex('"score": 2')].encode())
    assert plies(log)[-1] == "y"
    assert outcomes(log)[-1] == "open"
