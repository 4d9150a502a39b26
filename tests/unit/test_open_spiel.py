"""The Monte Carlo bot of OpenSpiel, logged with our logger: its tree reads well, and nothing is accused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import plyscope

NEEDS = (
    "OpenSpiel comes with the extra `bench`: with SciPy its wheels take 300 MB, too much for every test run"
)
pyspiel = pytest.importorskip("pyspiel", reason=NEEDS)


def logged(path: Path, *, solve: bool, game: str = "tic_tac_toe", played: tuple[int, ...] = (4, 0)) -> Any:
    """The root of the bot's search after some plies; its tree is logged at `path`."""
    import numpy as np
    from open_spiel.python.algorithms import mcts

    draw = np.random.RandomState(7)
    evaluator = mcts.RandomRolloutEvaluator(1, draw)
    state = pyspiel.load_game(game).new_initial_state()
    for action in played:
        state.apply_action(action)
    bot = mcts.MCTSBot(pyspiel.load_game(game), 1.4, 800, evaluator, solve=solve, random_state=draw)
    root = bot.mcts_search(state)
    search: dict[str, Any] = {"algorithm": "mcts", "order": "best_first", "range": [-1, 1]}
    if not solve:  # else a proven child comes before one of more visits
        search["choose"] = "visits"
    log = plyscope.Logger(path, players=["x", "o"], search=search)
    with log.search():
        write(log, root, state, state.current_player(), None)
    log.done(ply=state.action_to_string(root.best_child().action))
    log.close()
    return root


def write(log: Any, node: Any, state: Any, root_player: int, ply: str | None) -> None:
    """Write a node and all below it: rewards are of whoever chose the node, means of the root player."""
    sign = 1 if node.player == root_player else -1
    fields = {"visits": node.explore_count, "prior": node.prior}
    if node.explore_count:
        fields["mean"] = sign * node.total_reward / node.explore_count
    mover = "max" if state.is_terminal() or state.current_player() == root_player else "min"
    log.enter(ply, **fields, **({} if state.is_terminal() else {"layer": mover}))
    for child in node.children:
        after = state.child(child.action)
        write(log, child, after, root_player, state.action_to_string(child.player, child.action))
    outcome = "terminal" if state.is_terminal() else "searched" if node.children else "leaf"
    log.score(None, outcome=outcome)


@pytest.mark.parametrize("solve", [False, True])
def test_a_tree_of_its_bot_is_accused_of_nothing(tmp_path: Path, solve: bool) -> None:
    logged(tmp_path / "bot.jsonl", solve=solve)
    report = plyscope.check(tmp_path / "bot.jsonl")
    assert list(report) == []
    assert {"visits", "mean"} <= set(report.checked)


def test_its_visits_means_and_choice_are_those_of_the_bot(tmp_path: Path) -> None:
    root = logged(tmp_path / "bot.jsonl", solve=False)
    found = plyscope.explain(tmp_path / "bot.jsonl")
    expected = sorted(root.children, key=lambda child: (-child.explore_count, -child.total_reward))
    assert [each.visits for each in found.means] == [child.explore_count for child in expected]
    for each, child in zip(found.means, expected, strict=True):
        assert each.mean == pytest.approx(child.total_reward / child.explore_count)
        assert each.interval_by == "range"
        assert each.interval[0] < each.mean < each.interval[1]
    assert found.sentences[0].startswith(
        f"{found.means[0].ply} was chosen by visits: {expected[0].explore_count}"
    )
    counted = plyscope.statistics(tmp_path / "bot.jsonl").visited
    assert counted is not None
    assert counted.playouts == 800
    shares = [child.explore_count / 799 for child in root.children]
    assert math.isclose(
        counted.effective_plies or 0, 1 / sum(share * share for share in shares), rel_tol=0.01
    )
