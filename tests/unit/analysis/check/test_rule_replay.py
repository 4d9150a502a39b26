"""replay: a log is played again in its game, position by position."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from plyscope.engine.game import GameError
from plyscope.engine.games import GAMES, find, reversi, tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.rules.game import start
from plyscope.visualizer.analysis.check.rules.game import walk as replaying
from plyscope.visualizer.analysis.check.rules.game.play import ILLEGAL
from plyscope.visualizer.analysis.check.rules.game.walk import Replay
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log
from tests.unit.analysis.check.checked import (
    Cases,
    changed,
    child,
    found,
    held,
    leaf,
    log,
    node,
    report_of,
    told,
)
from tests.unit.logs import log_of


def mended(**header: Any) -> Any:
    """The example, its won position said to be one."""
    return changed("replay", {"1": {"outcome": "terminal", "ending": "win"}}, **header)


def recorded(name: str, depth: int = 2) -> Log:
    return log_from_recording(search(find(name), options=SearchOptions(depth=depth), compiled=False))


def won(score: float) -> Any:
    """The example's won position, which states no ending, in a log that declares what a win is worth."""
    search = {"fail": "soft", "mate": {"score": 100, "step": 1}}
    return changed("replay", {"1": {"outcome": "terminal", "score": score}}, search=search)


def from_positions(header: str | None, *positions: str) -> Any:
    """The mended example as iterations that state their positions."""
    document = mended() | {"position": header}
    root = document.pop("root")
    roots = [{**root, "position": each, "iteration": i} for i, each in enumerate(positions)]
    return document | {"roots": roots}


def otherwise(place: int, **fields: Any) -> Any:
    document = mended(players=["X", "O"])
    child(document, place).update(fields)
    return document


TWO_OF_FOUR = mended()
TWO_OF_FOUR["root"]["moves"] = 4
TWO_OF_FOUR["root"]["children"][2] = {"outcome": "limited", "count": 2}
BELOW_ILLEGAL = otherwise(0, ply="a3", children=[{"ply": "z9", "layer": "max", "score": 0}])
WON_BY_X = {"game": "tictactoe", "position": "XX. OO. X.. O"}
STARTED, FULLER = "... ... ...", "XX. OO. ... X"

CASES: Cases = {
    "replay: a wrong number of plies is found": [(TWO_OF_FOUR, "wrong replay root")],
    "replay: what the game says otherwise is found": [
        (otherwise(0), ""),
        (otherwise(0, ply="a3"), "wrong replay a3"),
        (otherwise(0, player="X"), "wrong replay b1"),
        (otherwise(0, outcome="terminal", ending="draw"), "wrong replay b1"),
        (otherwise(1, outcome="terminal", ending="loss"), "wrong replay c3"),
    ],
    "replay: nothing is said of what stands below a ply that cannot be played, or of a game not known": [
        (BELOW_ILLEGAL, "wrong replay a3"),
        (changed("replay", game="nim"), ""),
    ],
    "replay: a win is worth what is declared though the log states no ending": [
        (won(99), ""),
        (won(100), "wrong replay c3"),
    ],
    "replay: the position that the root states is the one played from": [
        (from_positions(STARTED, FULLER), ""),
        (from_positions(None, FULLER), ""),
        (from_positions(FULLER, STARTED), "wrong replay c3, wrong replay root"),
        (from_positions(FULLER, FULLER, STARTED), ""),
        (from_positions(FULLER, "no position"), "odd replay root"),
    ],
}

test_replay = held(CASES)


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_search_of_each_game_is_what_the_game_says(name: str) -> None:
    report = check(recorded(name), compiled=False)
    assert "replay" in report.checked
    assert report.counts["wrong"] == 0


def with_figure(log: Log, column: str, row: int, value: Any) -> Log:
    """The log with one figure replaced; of `factors` the first one."""
    array = np.array(log.columns[column])
    array[(row, 0) if array.ndim == 2 else row] = value
    return Log(**{**vars(log), "columns": {**log.columns, column: array}})


@pytest.mark.parametrize("column", ["key", "static", "factors", "pre_score", "moves"])
def test_what_our_engine_says_of_a_position_otherwise_than_the_game_is_found(column: str) -> None:
    log = with_figure(recorded("reversi"), column, 1, 77)
    (finding,) = check(log, compiled=False).findings("replay")
    assert (finding.row, finding.expected != finding.found) == (1, True)
    assert {"key": "key", "moves": "legal plies", "factors": "discs"}.get(
        column, "of this"
    ) in finding.message


def test_a_log_in_another_notation_is_one_odd_finding() -> None:
    """Chess programs call their files by letters too, and others number the cells."""
    document = changed("replay", {"0": {"ply": "cell 4"}, "1": {"ply": "cell 7"}})
    (finding,) = report_of(document).findings()
    assert (finding.rule, finding.severity, finding.path) == ("replay", "odd", "root")
    assert "another notation" in finding.message
    beside_a_ply = changed("replay", {"1": {"ply": "cell 7"}})
    assert {each.severity for each in report_of(beside_a_ply).findings("replay")} == {"wrong"}
    of_ours = document | {"search": {"engine": "plyscope"}}
    assert {each.severity for each in report_of(of_ours).findings("replay")} <= {"wrong"}


def test_a_log_without_a_position_may_have_begun_elsewhere() -> None:
    """One ply that is legal at the start of the game does not make the others wrong."""
    document = log({"children": [{"ply": "d3", "score": 1}, {"ply": "a7", "score": 1}]}, game="reversi")
    (finding,) = report_of(document).findings("replay")
    assert (finding.severity, finding.found) == ("odd", "a7")
    assert "write `position` in the header" in finding.message
    assert told(document | {"position": reversi.GAME.start}, "replay") == "wrong replay a7"


def test_a_position_with_an_illegal_ply_is_odd_and_not_clean() -> None:
    document = log({"children": [{"ply": "bS1 wS1-", "score": 1}]}, game="hive")
    stated = "Base;InProgress;White[2];wS1;wS2 wS1-"
    (finding,) = report_of(document | {"position": stated}).findings("replay")
    assert (finding.severity, finding.path, finding.found) == ("odd", "root", stated)
    assert "ply 2" in finding.message
    report = report_of(document | {"position": "Base;InProgress;Black[1];wS1"})
    assert (len(report), "replay" in report.checked) == (0, True)


def faults_of(log: Log, *, compiled: bool) -> dict[int, int]:
    replay = Replay(derive(sight_of(log), Work()), Work(compiled))
    replay.play()
    assert replay.n_played == log.n_rows
    return replay.faults


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["tictactoe", *(pytest.param(each, marks=pytest.mark.sweep) for each in ("reversi", "explicit_tree"))],
)
def test_compiled_and_plain_find_the_same(name: str) -> None:
    log = recorded(name, depth=3)
    assert faults_of(log, compiled=True) == faults_of(log, compiled=False) == {}
    for place, column in enumerate(("key", "static", "factors", "pre_score", "player", "outcome", "ply")):
        for row in range(1 + place, log.n_rows, 9):
            before = log.columns[column][row - 1]
            value = {"player": 1 - log.columns["player"][row], "factors": 0.125}.get(column, before)
            log = with_figure(log, column, row, value)
    plain = faults_of(log, compiled=False)
    assert len(set(plain.values())) > 3
    assert faults_of(log, compiled=True) == plain


def test_a_small_log_is_played_by_machine_code_only_where_that_is_at_hand_or_worth_compiling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_compiled(log: Log) -> bool:
        return Replay(derive(sight_of(log), Work()), Work(None)).compiled

    log, other = recorded("tictactoe"), recorded("reversi", depth=1)
    monkeypatch.setattr(replaying, "_n_plain", Counter())
    monkeypatch.setattr(replaying, "PLAIN_ROWS", 3 * log.n_rows)
    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: False)
    assert [is_compiled(log) for _ in range(4)] == [False, False, False, True]
    assert not is_compiled(other)  # another game would be compiled by itself
    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: True)
    assert is_compiled(other)


class ByPlace:
    """Tic-tac-toe whose plies are called by their place among the legal ones: `0` is the first free cell."""

    plies_need_position = True

    def __getattr__(self, name: str) -> Any:
        return getattr(tictactoe.GAME, name)

    def write_ply(self, state: Any, ply: int) -> str:
        return str(self._legal(state).index(ply))

    def read_ply(self, state: Any, text: str) -> int:
        legal = self._legal(state)
        if not text.strip("+").isdigit() or int(text) >= len(legal):
            raise GameError(f"no ply {text}")
        return legal[int(text)]

    def _legal(self, state: Any) -> list[int]:
        plies = np.zeros(9, np.int32)
        return [int(ply) for ply in plies[: tictactoe.GAME.generate(state, plies)]]


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Any:
    """That game, which every log is replayed in."""
    game = ByPlace()
    monkeypatch.setattr(start, "find_game", lambda name: game)
    return game


def searched(game: Any) -> Log:
    return log_from_recording(search(game, options=SearchOptions(depth=3, limit=3), compiled=False))


def test_a_text_that_means_another_ply_in_every_position_is_read_in_its_own(game: Any) -> None:
    log = searched(game)
    assert len({log.text(int(text)) for text in log.columns["ply"][1:]} - {None}) > 3
    assert faults_of(log, compiled=False) == {}
    below = {"ply": "+0", "layer": "min", "children": [{"ply": "8"}, {"ply": "7"}]}
    other = log_of({"layer": "max", "children": [below]}, game="tictactoe")
    assert faults_of(other, compiled=False) == {2: ILLEGAL}


def test_a_log_deeper_than_any_game_is_not_played() -> None:
    lines = ['{"plyscope": 1, "game": "tictactoe"}', '{"id": 0}']
    lines += [f'{{"id": {i}, "parent": {i - 1}, "ply": "a1"}}' for i in range(1, 503)]
    report = check(read_log("\n".join(lines).encode()), compiled=False)
    assert "replay: the log is 502 levels deep, and no game is played beyond 500" in map(
        str, report.not_checked
    )


def test_what_is_not_played_of_a_long_log_is_said(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "MOST_POSITIONS", 3)
    log = searched(game)
    report = check(log, compiled=False)
    (left_out,) = [each for each in report.not_checked if each.rule == "replay"]
    assert 0 < left_out.n_nodes < log.n_rows
    assert f"only the first {log.n_rows - left_out.n_nodes:,} rows" in left_out.why


def test_the_position_of_a_log_is_read_no_more_often_for_many_findings(game: Any) -> None:
    read: list[str] = []
    game.read_position = lambda text: read.append(text) or tictactoe.GAME.read_position(text)
    root = node(None, "max", 0, *(leaf(ply, 0) for ply in ("0", "90", "91", "92", "93", "94")))
    report = report_of(log(root, game="tictactoe", position=tictactoe.GAME.start))
    before = len(read)
    assert len(report.findings("replay")) == 5
    assert len(read) == before > 0


def test_of_a_game_with_codes_every_position_is_played_though_few_are_written_out(
    game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.ply_code = lambda state, ply: int(game.write_ply(state, ply))
    monkeypatch.setattr(replaying, "MOST_POSITIONS", 1)
    log = searched(game)
    assert faults_of(log, compiled=False) == {}
    row = log.n_rows // 2
    third = next(text for text in range(len(log.texts)) if log.text(text) == "2")
    assert log.columns["ply"][row] != third
    plain = faults_of(with_figure(log, "ply", row, third), compiled=False)
    assert row in plain
    monkeypatch.setattr(replaying, "MOST_CODES", 0)
    monkeypatch.setattr(replaying, "MOST_POSITIONS", 300_000)
    assert faults_of(with_figure(log, "ply", row, third), compiled=False) == plain


def won_by_x(score: float, *, search: dict[str, Any] | None = None, **more: Any) -> list[tuple[str, str]]:
    """O is at the root; X has won after its reply. No ending is stated."""
    won = {"ply": "c3", "layer": "max", "score": score, "outcome": "terminal", **more}
    reply = {"ply": "b1", "layer": "min", "score": score, "outcome": "searched", "children": [won]}
    root = {"layer": "max", "score": score, "outcome": "searched", "children": [reply]}
    findings = report_of(log(root, **WON_BY_X, search=search or {})).findings("replay")
    return [(each.severity, each.message) for each in findings]


def test_the_game_knows_who_has_won_where_no_ending_is_stated() -> None:
    message = "X has won here, but the search returned 1, which is good for O."
    assert won_by_x(1) == [("wrong", message)]
    assert won_by_x(-1) == []
    assert [severity for severity, _ in won_by_x(0.9, search={"range": [0, 1]})] == ["wrong"]
    assert won_by_x(0.1, search={"range": [0, 1]}) == []


def test_the_mean_of_a_game_that_was_won_is_held_to_its_winner_too() -> None:
    best_first = {"order": "best_first", "range": [-1, 1]}
    assert len(won_by_x(1, search=best_first, visits=3, mean=1)) == 1
    lost = node("c3", "max", visits=3, mean=1, outcome="terminal")
    root = node(None, "max", None, node("b1", "min", None, lost, visits=4), visits=4)
    assert found(log(root, **WON_BY_X, search=best_first), "replay") == [("replay", "b1 > c3")]


def test_a_fail_hard_search_may_return_the_edge_of_its_window_at_a_lost_game() -> None:
    assert won_by_x(3, alpha=3, beta=9) == []
    assert len(won_by_x(4, alpha=3, beta=9)) == 1
    assert len(won_by_x(3, alpha=3, beta=9, search={"fail": "soft"})) == 1
