"""The file of games: read as it grows, the last line of a game counts, and what is no game is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games_file import GamesFile
from plyscope.visualizer.formats.marks import is_games_file

MATCH = {"game": "nim", "agents": [{"name": "a"}, {"name": "b"}], "games": 4}
GAME: dict[str, Any] = {
    "number": 0,
    "opening": 0,
    "first": 0,
    "second": 1,
    "points": 1.0,
    "why": "over",
    "plies": ["x", "y"],
    "seconds": [0.1, 0.2],
}


def write(path: Path, *lines: object, end: str = "\n") -> None:
    path.write_text("\n".join(json.dumps(line) for line in lines) + end)


def test_a_file_is_read_as_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, {"match": MATCH}, GAME, end='\n{"number": 1, ')
    file = GamesFile(path)
    assert file.read()
    assert (list(file.games), file.n_games, file.names) == ([0], 4, ("a", "b"))
    assert not file.read()
    whole = GAME | {"logs": {"a": ["logs/one.json.gz"]}}
    write(path, {"match": MATCH}, GAME, GAME | {"number": 1}, {"test": {"better": 20}}, whole)
    assert file.read()
    assert (list(file.games), file.better) == ([0, 1], 20)
    assert file.games[0].logs == {"a": ("logs/one.json.gz",)}
    assert file.end == path.stat().st_size


@pytest.mark.parametrize("games", [4, 40])
def test_a_file_that_was_begun_anew_is_read_anew(tmp_path: Path, games: int) -> None:
    path = tmp_path / "games.jsonl"
    write(path, {"match": MATCH}, GAME, GAME | {"number": 1})
    file = GamesFile(path)
    file.read()
    n_lines = 1 if games == 4 else 9  # shorter than it was, or of another match
    write(path, {"match": MATCH | {"games": games}}, *[GAME | {"number": 3}] * n_lines)
    assert file.read()
    assert (list(file.games), file.n_games) == ([3], games)


@pytest.mark.parametrize(
    "wrong",
    [
        3,
        "nested",
        {"number": 0},
        GAME | {"points": 2},
        GAME | {"points": True},
        GAME | {"first": 1},
        GAME | {"second": 7},
        GAME | {"number": -1},
        GAME | {"number": 1.5},
        GAME | {"why": "<b>"},
        GAME | {"plies": [3]},
        GAME | {"seconds": [1]},
        GAME | {"fault": 3},
        GAME | {"logs": {"a": [3]}},
        GAME | {"logs": ["a"]},
        GAME | {"no_logs": {"a": 3}},
        GAME | {"other": 3},
    ],
)
def test_what_is_no_game_is_said_with_its_line(tmp_path: Path, wrong: object) -> None:
    path = tmp_path / "games.jsonl"
    write(path, {"match": MATCH}, GAME, wrong)
    path.write_text(path.read_text().replace('"nested"', "[" * 100_000))
    with pytest.raises(MatchError, match=r"games\.jsonl: line 3 is no game: "):
        GamesFile(path).read()


@pytest.mark.parametrize(
    "head",
    [
        {"plyscope": 1},
        {"match": 3},
        *({"match": {**MATCH, "agents": [{"name": "a"}, *others]}} for others in ([], [{"name": 3}])),
        *({"match": {**MATCH, **wrong}} for wrong in ({"games": "4"}, {"game": None})),
        [],
    ],
)
def test_what_states_no_match_is_refused(tmp_path: Path, head: object) -> None:
    path = tmp_path / "games.jsonl"
    write(path, head, GAME)
    with pytest.raises(MatchError, match="has no games of a match"):
        GamesFile(path).read()


def test_a_file_is_known_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, {"match": MATCH})
    assert is_games_file(path.read_bytes())
    assert not is_games_file(path.read_bytes()[:20])
    assert not is_games_file(b'{"match": 3}\n')
