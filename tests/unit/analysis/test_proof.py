"""Which wins and losses are proven, and the words for them."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes import proof
from plyscope.visualizer.analysis.nodes.mate import Proof, mate_of, mate_text
from plyscope.visualizer.analysis.nodes.node_json import node_json
from plyscope.visualizer.analysis.nodes.proof import bound_of, proof_of
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

MATE = {"score": 1000, "step": 1, "threshold": 900}


def score_words(found: Log, row: int) -> str:
    """The win or loss that a row claims, in words that say whether it is proven; empty where it is none."""
    score = float(found.columns["score"][row])
    return mate_text(mate_of(found), score, bound_of(found, row), proof_of(found, row))


def log(root: dict[str, Any] | None = None, **header: Any) -> Log:
    search = {"fail": "soft", "mate": MATE, **header.pop("search", {})}
    return log_of(root, search=search, **header)


def over(ply: str, score: float, **more: Any) -> dict[str, Any]:
    ending = "win" if score > 0 else "loss"
    return {"ply": ply, "score": score, "outcome": "terminal", "ending": ending, **more}


def least(ply: str, score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A node of the opponent."""
    return {"ply": ply, "layer": "min", "score": score, "children": list(children), **more}


def most(ply: str, score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A node of the root player."""
    return {"ply": ply, "layer": "max", "score": score, "children": list(children), **more}


def root(score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    return most("r", score, *children, **more)


def through(*replies: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A ply of the root whose replies are these."""
    return root(997, least("a", 997, *replies, **more))


def rolled(side: int, *outcomes: dict[str, Any], score: float = 996.5, **more: Any) -> dict[str, Any]:
    roll = {"ply": "roll", "layer": "chance", "score": side * score, "children": list(outcomes), **more}
    return root(side * 996, roll, moves=1)


def falls(side: int) -> list[dict[str, Any]]:
    """Half the outcomes win a ply later: the mean is between, and the later one is what is proven."""
    return [over("1", side * 997), most("2", side * 996, over("w", side * 996), moves=1)]


X, Y = most("x", 997, over("w", 997)), most("y", 997, over("w", 997))
REPLIES = [X, Y]
NULL = most("z", 997, over("w", 997), purpose="null")
PROBE = {name: value for name, value in NULL.items() if name != "ply"} | {"purpose": "probe"}
TABLEBASE = {"ply": "a", "score": 997, "outcome": "leaf", "why": "tablebase"}
LOST = least("a", -998, over("w", -998)), least("b", -996, over("w", -996))
SLOW = least("a", 993, most("x", 993, over("w", 993)), moves=1)
QUICK = least("b", 997, most("x", 997, over("w", 997)), moves=2)
AMONG = "win in 3 among the plies searched"


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (through(X, Y, moves=2), "win in 3"),
        (through(X, Y), AMONG),
        (through(X, Y, moves=3), AMONG),
        (through(most("x", 5), X, X, moves=2), AMONG),  # visits of a reply are one ply
        (through(most("x", 5), X, X, moves=1), "win in 3"),
        (through(X, NULL, moves=2), AMONG),
        (through(X, PROBE, moves=2), AMONG),
        (through(X, Y, moves=2, quiescence=True), AMONG),  # not all there are
        (through(X, Y, moves=2, estimate=999), AMONG),  # a guess stood in for plies
        (through(X, Y, {"outcome": "skipped", "count": 1}, moves=2), AMONG),
        *((rolled(side, *falls(side), moves=2), f"{word} in 4") for side, word in ((1, "win"), (-1, "loss"))),
        (rolled(1, *falls(1), moves=3), "win in 4 among the plies searched"),
        (rolled(1, *falls(1)), "win in 4 among the plies searched"),
        (rolled(1, over("1", 997), over("2", -997), moves=2, score=950), "win in 4 among the plies searched"),
        (root(997, SLOW, QUICK), "win in 3 among the plies searched, proven only in 7"),
        (root(-996, *LOST, moves=2), "loss in 4"),
        (root(-996, *LOST, moves=3), "loss in 4 among the plies searched"),
        (root(997, TABLEBASE | {"bound": "lower"}), "win in 3"),
        (root(997, TABLEBASE | {"bound": "upper"}), AMONG),
        (root(997, TABLEBASE | {"why": "a guess"}), AMONG),
        (root(997, X, Y, bound="upper"), "at best a win in 3"),
        (root(12), ""),
    ],
)
def test_a_win_is_proven_through_all_that_the_opponent_or_chance_may_do(
    tree: dict[str, Any], words: str
) -> None:
    assert score_words(log(tree), 0) == words


def test_a_proof_through_the_table_holds_but_for_repetition_where_positions_may_repeat() -> None:
    stored = least("a", 997, *REPLIES, moves=2, depth=2)
    hit = {"ply": "x", "layer": "min", "score": 995, "outcome": "tt", "tt": {"use": "cut", "from": 1}}
    below = most("c", 995, hit)
    tree = root(995, stored, least("b", 995, below, moves=1))
    assert score_words(log(tree), 6) == "win in 5, but for repetition"
    assert score_words(log(tree, game="tictactoe"), 6) == "win in 5"
    assert score_words(log(tree, game="hive"), 6) == "win in 5, but for repetition"
    assert score_words(log(tree, game="chomp", search={"positions_repeat": False}), 6) == "win in 5"
    assert score_words(log(tree), 1) == "win in 3"


@pytest.mark.parametrize("source", [0, 2, 6])
def test_an_entry_that_was_stored_by_no_node_before_proves_nothing(source: int) -> None:
    stored = least("a", 997, over("w", 998), moves=2)
    hit = {"ply": "x", "layer": "min", "score": 997, "outcome": "tt", "tt": {"use": "cut", "from": source}}
    tree = root(997, stored, hit, least("b", 997, over("w", 998), over("v", 998), moves=2))
    if source == 2:
        tree["children"][0]["key"], tree["children"][0]["children"][0]["key"], hit["key"] = "1", "2", "3"
    assert proof_of(log(tree), 3) == Proof("none")


def test_an_end_that_a_window_clamped_proves_no_earlier_one() -> None:
    """A fail-hard search returns alpha, a win in 1, for a game that is won in 2."""
    clamped = over("a", 999, alpha=999, beta=1000)
    tree = root(999, least("b", 999, {**clamped, "ply": "w"}, moves=1))
    assert proof_of(log(tree, search={"fail": "hard"}), 0) == Proof("weaker", 998.0)
    assert proof_of(log(tree), 0) == Proof("proven")


def test_half_declared_scores_of_wins_declare_none() -> None:
    for part in ({"score": 1000}, {"score": 1000, "step": 1, "threshold": True}, {**MATE, "threshold": 0}, 7):
        assert mate_of(log_of({}, search={"mate": part})) is None


def test_the_pass_runs_once_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(proof, "_proved", lambda log, mate: calls.append(log) or proof._NOTHING)
    found = log(root(997, *REPLIES))
    assert [proof_of(found, row) for row in (0, 1, 3)] == [Proof("none")] * 3
    assert len(calls) == 1


def test_a_node_says_of_its_win_whether_it_is_proven() -> None:
    quick = least("b", 997, most("x", 5), moves=2)
    nodes = [node_json(Tree(log(root(997, SLOW, quick))), row) for row in range(6)]
    proofs = [node.get("proof") for node in nodes]
    assert proofs[:3] == [{"is": "weaker", "score": 993.0}, {"is": "proven"}, {"is": "proven"}]
    assert proofs[4:] == [{"is": "none"}, None]


@pytest.mark.parametrize("said", [{}, {"alpha": 998, "beta": 1000}])
def test_a_root_that_failed_low_is_at_best_a_win_as_its_result_says(said: dict[str, Any]) -> None:
    """max [998, 1000] -> a, b: both below the window, and only `result.bound` says that they are bounds."""
    tree = root(996, {"ply": "a", "score": 996}, {"ply": "b", "score": 995}, **said)
    found = log(tree, result={"score": 996, "bound": "upper", "ply": "a"})
    assert score_words(found, 0) == "at best a win in 4"
    assert proof_of(found, 0) is None
    assert node_json(Tree(found), 0)["bound"] == "upper"
    other = log(tree, result={"score": 995, "bound": "upper", "ply": "b"})
    assert score_words(other, 0) == "win in 4 among the plies searched"
    listed = log(tree, result={"score": [996, 4], "bound": "upper", "ply": "a"})
    assert bound_of(listed, 0) == 0
