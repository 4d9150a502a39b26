"""Logs of games: the very searches that were played, of those whose they were asked for, and no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plyscope.engine import run as search_run
from plyscope.engine.match import game_logs
from plyscope.engine.match.agents import Agent, read_agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.game_logs import WantedLogs
from plyscope.engine.match.games import Played, Terms
from plyscope.engine.match.match import Match, read_games
from plyscope.engine.match.runner import run
from plyscope.engine.montecarlo import run as tree_run
from plyscope.opening import open as open_log
from plyscope.visualizer.analysis.results.match_logs import MatchLogs

RANDOM = read_agent("random")
DEEP = read_agent("deep: depth=3,limit=2,table=1,iterative")
TERMS = Terms(n_opening=1, most_plies=20, seed=5)


def tictactoe(*agents: Agent, n_games: int = 4) -> Match:
    return Match("tictactoe", agents, n_games, TERMS)


def connect_four(*agents: Agent, n_games: int = 4) -> Match:
    """For agents that search by seconds, so compiled: the run has the machine code of this game."""
    return Match("connect_four", agents, n_games, TERMS)


def wanted(match: Match, path: Path, of: str) -> WantedLogs:
    writer = MatchLogs.beside(path, None)
    writer.prepare(match.as_json())
    return WantedLogs(of, writer)


def play_logged(match: Match, path: Path, of: str, **more: Any) -> list[Played]:
    return run(match, path, logs=wanted(match, path, of), **more)


def logs_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.gz"))


NOT_COMPARED = {"seconds", "playouts_per_second", "pv", "counters", "root"}
"""Times, and what is read from the rows where there are some."""
AGENTS = {
    "table": DEEP,
    "nodes": read_agent("it: nodes=90,table=1"),
    "pvs": read_agent("it: depth=4,algorithm=pvs,killers,history"),
    "quotient": read_agent("it: depth=2,quotient=2"),
    "tree": read_agent("it: algorithm=mcts,playouts=40,reuse_tree"),
}


@pytest.mark.parametrize("agent", AGENTS.values(), ids=AGENTS.keys())
def test_a_log_is_the_search_that_was_played(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each log has the result of the unrecorded search that was played, in the order of the plies."""
    match = tictactoe(agent, RANDOM)
    found: list[dict[str, Any]] = []

    def noted(of: Callable[..., Any], *asked: Any, **more: Any) -> Any:
        assert not asked[2].record
        recording = of(*asked, **more)
        found.append(recording.header)
        return recording

    with monkeypatch.context() as watching:
        for module in (search_run, tree_run):
            watching.setattr(module, "search", partial(noted, module.search))
        plain = run(match)
    assert found
    games = play_logged(match, tmp_path / "games.jsonl", agent.name)
    assert [game.plies for game in games] == [game.plies for game in plain]
    headers = [open_log(tmp_path / path).header for game in games for path in game.logs[agent.name]]
    assert len(headers) == len(found)
    for logged, searched in zip(headers, found, strict=True):
        assert logged["position"] == searched["position"]
        assert logged["search"] == searched["search"]
        both = logged["result"].keys() & searched["result"].keys() - NOT_COMPARED
        assert {"ply", "score"} <= both
        assert all(logged["result"][name] == searched["result"][name] for name in both)


def test_the_header_says_which_ply_of_which_game_it_was(tmp_path: Path) -> None:
    match = tictactoe(DEEP, RANDOM)
    games = play_logged(match, tmp_path / "games.jsonl", "all")
    assert {game.first for game in games} == {0, 1}
    for game in games:
        names = [match.agents[number].name for number in (game.first, game.second)]
        for path in game.logs["deep"]:
            header = open_log(tmp_path / path).header
            about = header["match"]
            assert header["result"]["ply"] == game.plies[about["turn"] - 1]
            assert (about["game"], about["players"]) == (game.number, names)
            assert (about["searched"], about["plies"]) == ("deep", len(game.plies))
            assert about["why"] == game.why
            ended = "draw" if game.points == 0.5 else f"{names[0 if game.points == 1 else 1]} won"
            assert about["result"] == ended
        turns = [open_log(tmp_path / path).header["match"]["turn"] for path in game.logs["deep"]]
        side = names.index("deep")
        assert turns == [at + 1 for at in range(TERMS.n_opening, len(game.plies)) if at % 2 == side]


@pytest.mark.parametrize("of", ["losses", "all", "one"])
def test_whose_searches_are_logged(of: str, tmp_path: Path) -> None:
    match = tictactoe(read_agent("one: depth=1"), read_agent("other: depth=6"), n_games=8)
    games = play_logged(match, tmp_path / "games.jsonl", of)
    assert {game.loser for game in games} >= {None, 0}
    for game in games:
        lost = set() if game.loser is None else {match.agents[game.loser].name}
        assert set(game.logs) == {"losses": lost, "all": {"one", "other"}, "one": {"one"}}[of]
    named = sorted(Path(path).name for game in games for paths in game.logs.values() for path in paths)
    assert named == logs_in(tmp_path / "games-logs")
    plies = [(int(name[4:8]), int(name[12:16])) for name in named]
    assert plies == sorted(plies)
    assert list(read_games(tmp_path / "games.jsonl", match).values()) == games


def test_games_that_were_played_before_get_logs_and_a_log_that_is_gone_is_made_again(tmp_path: Path) -> None:
    match, path = tictactoe(DEEP, RANDOM), tmp_path / "games.jsonl"
    plain = run(match, path)
    told: list[int] = []
    games = play_logged(match, path, "all", on_games=lambda games: told.append(len(games)))
    assert [replace(game, logs={}) for game in games] == plain
    assert told == [4, 4, 4, 4]
    assert len(path.read_bytes().splitlines()) == 9
    before = path.read_bytes()
    assert play_logged(match, path, "all", on_games=lambda games: told.append(len(games))) == games
    assert (path.read_bytes(), told) == (before, [4, 4, 4, 4])
    gone = tmp_path / games[2].logs["deep"][1]
    whole = open_log(gone).header
    gone.unlink()
    assert play_logged(match, path, "all") == games
    assert open_log(gone).header["result"]["nodes"] == whole["result"]["nodes"]


def test_a_run_that_ends_in_the_middle_of_a_game_s_logs_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = tictactoe(DEEP, RANDOM)
    whole = play_logged(match, tmp_path / "whole.jsonl", "all")
    path = tmp_path / "games.jsonl"
    really, left = MatchLogs.write, [*range(5)]

    def write(self: MatchLogs, *asked: Any) -> None:
        left.pop()  # the sixth time there is none
        really(self, *asked)

    monkeypatch.setattr(MatchLogs, "write", write)
    with pytest.raises(IndexError):
        play_logged(match, path, "all")
    named = [log for game in read_games(path, match).values() for log in game.logs["deep"]]
    assert 0 < len(named) < 6
    assert sorted(Path(log).name for log in named) == logs_in(tmp_path / "games-logs")
    monkeypatch.undo()
    games = play_logged(match, path, "all")
    assert [game.plies for game in games] == [game.plies for game in whole]
    assert logs_in(tmp_path / "games-logs") == logs_in(tmp_path / "whole-logs")


def test_a_game_that_is_not_played_the_same_again_gets_no_logs(tmp_path: Path) -> None:
    match, path = tictactoe(DEEP, RANDOM), tmp_path / "games.jsonl"
    plain = run(match, path)[0].plies

    def first_game(plies: list[str]) -> list[Played]:
        """The logged games of a file whose first game has these plies."""
        head, first, *lines = path.read_text().splitlines()[:5]
        path.write_text("\n".join([head, json.dumps(json.loads(first) | {"plies": plies}), *lines]) + "\n")
        return play_logged(match, path, "all")

    at = 3 if json.loads(path.read_text().splitlines()[1])["first"] == 1 else 4  # a choice of `deep`
    other = next(f"{file}{rank}" for file in "abc" for rank in "123" if f"{file}{rank}" not in plain)
    games = first_game([*plain[:at], other])
    assert games[0].logs == {}
    assert games[0].no_logs == {"deep": f"played again it chose {plain[at]} at ply {at + 1}, not {other}"}
    assert not [name for name in logs_in(tmp_path / "games-logs") if name.startswith("game0000")]
    assert all(game.logs["deep"] for game in games[1:])
    before = path.read_bytes()
    play_logged(match, path, "all")
    assert path.read_bytes() == before
    said = first_game([*plain[:3], plain[0]])[0].no_logs["deep"]
    assert said == f"ply 4 of its record, {plain[0]!r}, is not legal"


def test_searches_by_seconds_are_recorded_as_they_are_played(tmp_path: Path) -> None:
    timed = read_agent("timed: seconds=0.01,depth=3")
    match, path = connect_four(timed, read_agent("one: depth=1"), n_games=6), tmp_path / "games.jsonl"
    games = play_logged(match, path, "losses")
    for game in games:
        assert set(game.logs) == (set() if game.loser is None else {match.agents[game.loser].name})
        for log in game.logs.get("timed", ()):
            header = open_log(tmp_path / log).header
            assert header["search"]["options"]["seconds"] == 0.01
            assert header["result"]["ply"] == game.plies[header["match"]["turn"] - 1]
    named = sorted(Path(log).name for game in games for logs in game.logs.values() for log in logs)
    assert named == logs_in(tmp_path / "games-logs")
    assert [each.name for each in (tmp_path / "games-logs" / ".logs-of-match-unfinished").iterdir()] == []


@pytest.mark.parametrize(
    ("play", "line"), [(tictactoe, "deep: depth=3"), (connect_four, "deep: seconds=0.01")]
)
def test_a_search_that_memory_cut_short_is_no_log(
    play: Callable[..., Match], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without rows it would have gone on: the recording is not what was played."""
    monkeypatch.setattr(
        game_logs, "not_whole", lambda recording, n_plies: "too large" if n_plies > 3 else None
    )
    match = play(read_agent(line), RANDOM)
    games = play_logged(match, tmp_path / "games.jsonl", "all")
    assert [(game.logs, game.no_logs) for game in games] == [({}, {"deep": "too large"})] * 4
    assert logs_in(tmp_path / "games-logs") == []
    monkeypatch.undo()
    cut: Any = SimpleNamespace(header={"result": {"stopped": "memory"}})
    said = "the search of ply 5 has more nodes than this machine has memory to record"
    assert game_logs.not_whole(cut, 4) == said
    cut.header = {"result": {"stopped": "nodes"}}
    assert game_logs.not_whole(cut, 4) is None


def test_a_match_that_is_decided_still_gets_its_logs(tmp_path: Path) -> None:
    match, path = tictactoe(read_agent("deep: depth=6"), RANDOM, n_games=200), tmp_path / "games.jsonl"
    played = run(match, path, better=300)
    assert 16 <= len(played) < 200
    games = play_logged(match, path, "all", better=300)
    assert [game.plies for game in games] == [game.plies for game in played]
    assert all(game.logs for game in games)
    assert sum(b'"test"' in line for line in path.read_bytes().splitlines()) == 1


@pytest.mark.slow
def test_processes_make_the_same_logs(tmp_path: Path) -> None:
    match = connect_four(read_agent("it: depth=2"), RANDOM)
    one = play_logged(match, tmp_path / "one.jsonl", "all")
    path = tmp_path / "two.jsonl"
    two = run(match, path, logs=wanted(match, path, "all"), n_workers=2)
    assert [game.plies for game in one] == [game.plies for game in two]
    assert logs_in(tmp_path / "one-logs") == logs_in(tmp_path / "two-logs")


# What is asked ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "agents", "said"),
    [
        ("loses", (DEEP, RANDOM), "log: 'loses', expected losses, all or one of deep, random"),
        ("random", (DEEP, RANDOM), "random does not search and has no logs"),
        ("all", (RANDOM, read_agent("r: random")), "random does not search and has no logs. r does not"),
        ("all", (DEEP, read_agent("all: depth=1")), "'all' is a way to log and the name of an agent"),
    ],
)
def test_logs_that_nobody_can_have_are_refused(of: str, agents: tuple[Agent, ...], said: str) -> None:
    logs = WantedLogs(of, MatchLogs(Path(), ""))
    with pytest.raises(MatchError, match=said):
        logs.check(agents)


def test_who_has_no_logs_is_said_once_each() -> None:
    engine = Agent("nokamute", "uhp", {"uhp": ["nokamute"], "depth": 1})
    logs = WantedLogs("losses", MatchLogs(Path(), ""))
    assert logs.without((DEEP, RANDOM, engine)) == [
        "random does not search and has no logs.",
        "nokamute is a program of its own and has no logs.",
    ]
    assert WantedLogs("deep", logs.writer).without((DEEP, RANDOM, engine)) == []


def test_logs_lie_beside_the_results_or_in_a_folder_of_their_own_match(tmp_path: Path) -> None:
    folder, results = tmp_path / "logs", tmp_path / "cup" / "games.jsonl"
    for _ in range(2):
        MatchLogs.beside(None, folder).prepare(tictactoe(DEEP, RANDOM).as_json())
    with pytest.raises(MatchError, match="has the logs of another match; name another folder"):
        MatchLogs.beside(None, folder).prepare(tictactoe(DEEP, RANDOM, n_games=6).as_json())
    (tmp_path / "file").write_text("")
    with pytest.raises(MatchError, match="file: no logs can be written: "):
        MatchLogs.beside(None, tmp_path / "file").prepare({})
    with pytest.raises(MatchError, match="nowhere to write them"):
        MatchLogs.beside(None, None)
    assert MatchLogs.beside(results, None).shown == "games-logs"
    assert MatchLogs.beside(results, tmp_path / "cup" / "a" / "b").shown == "a/b"
    assert MatchLogs.beside(results, folder).shown == str(folder.resolve())
