"""Games of somebody's own: known by what a process was given and never by what a log says."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyscope
from plyscope.engine import jit
from plyscope.engine.game import GameError
from plyscope.engine.games import find, find_as_written, find_logged, game_files, is_known, load_game, outside
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.match import Match, match_of, read_games
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.logged_game import game_notice
from plyscope.engine.run import search
from plyscope.log import Log, tree_of
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.app import create_app
from tests.own_game import write_strip
from tests.unit.cli.conftest import Command
from tests.unit.cli.conftest import plyscope as command
from tests.unit.engine.test_plain import Nim
from tests.unit.users_project import write_project

__all__ = ["command"]


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    game_files.leave()
    outside.installed.cache_clear()


@pytest.fixture
def strip(tmp_path: Path) -> str:
    return write_strip(tmp_path)


def searched(place: str, monkeypatch: pytest.MonkeyPatch, depth: int = 3, **options: Any) -> Log:
    """A log of a game whose process ended since: nothing is known of it here."""
    log = plyscope.search(place, depth=depth, progress=False, **options)
    monkeypatch.setattr(outside, "_brought", {})
    return log


def replayed(log: Log) -> list[str]:
    """The findings of the replay, which was asked."""
    report = plyscope.check(log)
    assert "replay" in report.checked
    return [finding.message for finding in report.everything() if finding.rule == "replay"]


# Known games -----------------------------------------------------------------------------------------------


def test_a_brought_plain_game_has_all_that_boards_and_replay_need(strip: str) -> None:
    given = outside.bring(strip)
    game: Any = find("strip")
    state = game.read_position("0 6 0")
    ply = game.read_ply(state, " c1 ")
    assert game.ply_cells(state, ply) == [(0, 0), (2, 0)]  # told by the boards: a disc moved there
    game.apply(state, ply)
    assert game.write_position(state) == "2 6 1"
    assert game.board(state).cells[2].pieces == ("white disc",)
    with pytest.raises(GameError, match="'b1' is no legal ply for black: expected one of f1, e1"):
        game.read_ply(state, "b1")
    assert find_as_written("strip") is load_game("strip") is given
    outside.know(Nim())  # which cannot read positions, so that its start alone is read
    nim: Any = find("Nim")
    assert nim.write_position(nim.read_position("(7, 0)")) == "(7, 0)"
    with pytest.raises(GameError, match="Nim cannot read positions"):
        nim.read_position("(6, 1)")


def test_a_game_that_a_script_searches_is_known_from_then_on_but_hides_none_of_ours(strip: str) -> None:
    log = plyscope.search(strip, depth=2, progress=False)
    assert Boards(tree_of(log).log).drawing(1)["kind"] == "squares"
    ours = Nim()
    ours.name = "reversi"  # type: ignore[attr-defined]
    plyscope.search(ours, depth=1, progress=False)
    assert find("reversi").players == ("black", "white")
    plyscope.bring(ours)
    assert find("reversi").players == ours.players


def test_a_game_expected_by_its_name_is_loaded_when_it_is_asked_for(strip: str, tmp_path: Path) -> None:
    outside.expect({"strip": strip, "other": f"{tmp_path}/gone.py:Game"})
    assert is_known("strip")
    assert "strip" not in sys.modules
    assert find("strip").players == ("white", "black")
    with pytest.raises(GameError, match=r"gone\.py"):
        find_logged("other")


def test_plies_keep_their_numbers_though_threads_share_a_game(strip: str) -> None:
    outside.bring(strip)
    kernels: Any = find("strip")

    def read(at: int) -> set[tuple[str, str]]:
        """For each first step the position after it."""
        found = set()
        for left in [*range(4)] * 50:
            state = kernels.read_position(f"{left} 6 0")
            text = "bcdefg"[left + at % 2] + "1"
            kernels.apply(state, kernels.read_ply(state, text))
            found.add((f"{left + at % 2 + 1} 6 1", kernels.write_position(state)))
        return found

    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(read, range(4)):
            assert all(expected == written for expected, written in found)


def test_two_games_whose_files_have_the_same_names_serve_boards_in_turn(tmp_path: Path) -> None:
    """Each imports its own `worth.left` inside `values`, and that anew in another thread."""
    games = []
    for name, most in (("a", 1), ("b", 2)):
        game = outside.load(f"{write_project(tmp_path / name, most)}:Game")
        game.name = name
        games.append(outside.know(game))

    def worth(name: str) -> float:
        kernels: Any = find(name)
        values = np.zeros(1)
        kernels.values(kernels.read_position(None), values)
        return float(values[0])

    with ThreadPoolExecutor(1) as thread:
        assert [*thread.map(worth, "aba")] == [5.0, 10.0, 5.0]


# Boards and replay -----------------------------------------------------------------------------------------


def test_every_node_of_a_log_of_a_brought_game_has_a_board(
    strip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = searched(strip, monkeypatch, algorithm="minimax")
    row = log.node("b1 > f1").row
    assert (
        "one of your own comes with --game FILE.py:Class" in Boards(tree_of(log).log).drawing(row)["reason"]
    )
    outside.bring(strip)
    boards = Boards(tree_of(log).log)
    assert boards.are_drawn
    drawn = boards.drawing(row)
    discs = {cell["name"]: cell["pieces"][0] for cell in drawn["cells"] if cell["pieces"]}
    assert discs == {"b1": "white disc", "f1": "black disc"}
    assert drawn["step"] == {"to": [5, 0], "from": [6, 0]}
    assert drawn["changed"] == [[5, 0], [6, 0]]
    assert boards.position(row) == "1 5 0"
    children = [child.row for child in log.node("b1 > f1").children]
    assert {step.to for step in boards.steps(row, children).values()} == {(2, 0), (3, 0)}


def test_a_game_without_a_board_is_drawn_as_its_text_and_gives_no_text_that_nobody_reads() -> None:
    log = plyscope.search(Nim(), depth=3, progress=False)
    boards = Boards(tree_of(log).log)
    assert (boards.drawing(1)["kind"], boards.drawing(1)["text"]) == ("text", "(6, 1)")
    assert (boards.position(0), boards.position(1)) == ("(7, 0)", None)


def test_check_replays_a_brought_game(strip: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log = searched(strip, monkeypatch, table=1)
    assert "replay" not in plyscope.check(log).checked
    plyscope.bring(strip)
    report = plyscope.check(log)
    assert "replay" in report.checked
    assert not report.counts["wrong"]
    path = tmp_path / "strip.json"
    log.write(path)
    path.write_text(path.read_text().replace('"f1"', '"a1"'))
    said = replayed(plyscope.open(path))
    assert said[0].startswith("This ply cannot be played here: 'a1' is no legal ply for black")


def test_a_position_of_more_plies_than_any_before_is_replayed_and_numbered_keys_are_not_compared() -> None:
    """A game without keys counts positions in the order in which a search met them."""

    class Wide(Nim):
        def plies(self, position: Any) -> list[str]:
            return ["one"] if position[0] == self.matches else [str(n) for n in range(100)]

        def apply(self, position: Any, ply: str) -> Any:
            return (1 if ply == "one" else 0, 1 - position[1])

    log = plyscope.search(Wide(), depth=2, progress=False, algorithm="minimax")
    outside.know(Wide())
    assert (len(log), replayed(log)) == (102, [])
    assert replayed(plyscope.search(Nim(9), depth=4, table=1, progress=False)) == []


def test_a_game_that_breaks_off_in_replay_is_said(
    strip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = searched(strip, monkeypatch)
    outside.bring(write_strip(tmp_path, ("return [right", "return [1 / (right - 4) and right")))
    (said,) = [each for each in plyscope.check(log).not_checked if each.startswith("replay")]
    assert "rows are played again; " in said
    assert "ZeroDivisionError" in said


KERNELS = """
from plyscope.engine.games import tictactoe


class Mine(type(tictactoe.GAME)):
    name = "mine"

    def board(self, state):
        return super().board(state) if state.any() else 1 / 0
"""


def test_a_kernel_game_of_a_file_is_known_like_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(KERNELS)
    place = f"{tmp_path / 'mine.py'}:Mine"
    game = outside.load(place)
    log = log_from_recording(search(game, options=SearchOptions(depth=2), compiled=False))
    outside.bring(place)
    assert Boards(log).drawing(2)["kind"] == "squares"
    assert "ZeroDivisionError" in Boards(log).drawing(0)["reason"]
    assert replayed(Log(Tree(log))) == []
    jit.bind(find("mine"))  # its kernels are handed out as they are, to be compiled


# Digests and notices ---------------------------------------------------------------------------------------


def test_a_log_keeps_a_digest_of_its_game_and_no_path(strip: str, tmp_path: Path) -> None:
    log = plyscope.search(strip, depth=2, progress=False)
    assert log.header["game"] == "strip"
    assert log.header["search"]["game_digest"] == outside.digest(find_as_written("strip"))
    assert str(tmp_path) not in json.dumps(log.header)
    assert "game_digest" not in plyscope.search("connect_four", depth=1, progress=False).header["search"]


def test_a_log_of_another_version_says_so(
    strip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = searched(strip, monkeypatch)
    outside.bring(strip)
    assert game_notice(log.header, "plyscope view a") is None
    outside.bring(write_strip(tmp_path, ("right - left - 1", "right - left")))
    said = game_notice(log.header, "plyscope view a")
    is_other = "Searched with another version of 'strip' than is loaded here"
    assert said == f"{is_other}, whose rules boards and replay follow."
    header: Any = {"game": "reversi", "search": {"engine": "plyscope", "game_digest": "0" * 16}}
    assert "is not ours, whose rules are taken" in str(game_notice(header, "plyscope view a"))
    for header in ({"game": "nim"}, {"search": {"engine": "plyscope"}}, {"game": ["nim"]}):
        assert game_notice(header, "plyscope view a") is None  # not ours, or of no game


@pytest.mark.parametrize("point", ["strip3 = somewhere:GAME", "other = games.strip:Strip"])
def test_the_notice_names_an_installed_game_of_another_name_and_imports_nothing(
    point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed, _, value = point.partition(" = ")
    monkeypatch.setattr(outside, "entry_points", lambda group: [EntryPoint(installed, value, group)])
    outside.installed.cache_clear()
    said = game_notice({"game": "strip", "search": {"engine": "plyscope"}}, "plyscope view a")
    hint = f"--game FILE.py:Class`; perhaps it is {installed}, which is installed"
    assert str(said).endswith(hint)


def test_a_game_that_left_for_a_package_is_said_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    header = {"game": "odd", "search": {"engine": "plyscope"}}
    monkeypatch.setattr(outside, "entry_points", lambda group: ())
    outside.installed.cache_clear()
    assert str(game_notice(header, "plyscope view a")).endswith("then `plyscope view a --game odd`")
    with pytest.raises(GameError, match=r"plyscope-studies: .* then add --game odd"):
        find_logged("odd")


def test_the_notice_has_the_command_to_repeat(
    strip: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: Command
) -> None:
    log, path = searched(strip, monkeypatch), tmp_path / "a b.json"
    log.write(path, progress=False)
    assert plyscope.open(path).notices[-1].endswith("Bring it: `plyscope.bring('FILE.py:Class')`")
    code, _, err = command("check", path)
    assert (code, f"plyscope check '{path}' --game FILE.py:Class" in err) == (0, True)
    again = f"`plyscope what-if '{path}' --weights gap=3 --search --game FILE.py:Class`"
    assert again in command("what-if", path, "--weights", "gap=3", "--search")[2]
    code, out, err = command("check", path, "--game", strip)
    assert (code, "not known here" in err, "replay" in out.partition("\n\n")[0]) == (0, False, True)
    monkeypatch.setattr(outside, "_brought", {})
    kinds: list[str] = []
    monkeypatch.setattr(
        plyscope.Viewer, "wait", lambda viewer: kinds.append(Boards(tree_of(log).log).drawing(1)["kind"])
    )
    assert command("view", path, "--no-browser", "--game", strip)[0] == 0
    assert kinds == ["squares"]


def test_hands_in_a_terminal_are_those_of_the_players_of_the_log(tmp_path: Path, command: Command) -> None:
    hands = 'for x in range(7)), hands=(("white disc",), ("black disc",)))'
    place = write_strip(tmp_path, ("for x in range(7)))", hands))
    path = tmp_path / "log.json"
    plyscope.search(place, depth=2, progress=False).write(path, progress=False)
    told = command("explain", path, "--board", "--game", place)[1]
    assert ("white in hand: w" in told, "black in hand: b" in told) == (True, True)


def test_whoever_plays_a_match_knows_its_game_for_the_logs(
    strip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"output": tmp_path / "games.jsonl", "log": "deep", "games": 2, "opening": 0, "workers": 1}
    played = plyscope.match("random", "deep: depth=2", game=strip, progress=False, **wanted)
    log = plyscope.open(played.games[0].logs["deep"][0])
    assert log.notices == ()
    assert Boards(tree_of(log).log).drawing(1)["kind"] == "squares"
    assert str(tmp_path) not in json.dumps(log.header)


def test_a_file_of_games_goes_on_with_the_version_of_the_game_that_played_them(
    strip: str, tmp_path: Path, command: Command
) -> None:
    games = tmp_path / "games.jsonl"
    terms = ("--games", 4, "--opening", 0, "--workers", 1, "-o", games)
    again = (games, "--game", strip, "--workers", 1, "--log", "deep")
    assert command("match", "random", "deep: depth=2", "--game", strip, *terms)[0] == 0
    lines = games.read_text().splitlines(keepends=True)
    games.write_text("".join(lines[:3]))
    write_strip(tmp_path, ("right - left - 1", "left - right"))
    code, _, err = command("match", *again)
    assert (code, "games.jsonl has games of another version of" in err) == (2, True)
    assert games.read_text() == "".join(lines[:3])
    assert not (tmp_path / "games-logs").exists()
    write_strip(tmp_path)
    assert command("match", *again)[0] == 0
    assert len(games.read_text().splitlines()) >= len(lines)


def test_a_file_of_games_that_states_no_version_is_gone_on_with(strip: str, tmp_path: Path) -> None:
    match = Match(strip, (read_agent("random"), read_agent("other: random")), 2)
    stated = match.as_json()
    assert stated.pop("game_digest") == outside.digest(load_game(strip))
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({"match": stated}) + "\n")
    assert read_games(path, match) == {}


# Searched again --------------------------------------------------------------------------------------------


def test_what_if_searches_a_brought_game_again_and_says_where_it_breaks_off(
    strip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = searched(strip, monkeypatch)
    with pytest.raises(plyscope.OptionError, match="the game of this log is 'strip', expected"):
        plyscope.what_if(log, {"gap": 3}).search()
    outside.bring(strip)
    again = plyscope.what_if(log, {"gap": 3}).search(progress=False)
    assert [factor["weight"] for factor in again.header["factors"]] == [3.0, 2.0]
    outside.bring(write_strip(tmp_path, ("return [right", "raise SystemExit or [right")))
    with pytest.raises(GameError, match="SystemExit"):
        plyscope.what_if(log, {"gap": 3}).search()
    assert "SystemExit" in str(plyscope.explain(log, exact=True))


# Nothing in a log makes code load --------------------------------------------------------------------------

HOSTILE: tuple[Callable[[Path], str], ...] = (
    lambda file: f"{file}:Strip",
    lambda file: f"../{file.name}:Strip",
    lambda file: f"{file.parent}",
    lambda file: "os:system",
    lambda file: "strip:Strip",
    lambda file: "listed",
    lambda file: "listed:text",
    lambda file: "x" * 2**20,
    lambda file: "\n\x1b[2J",
)


@pytest.fixture(params=range(len(HOSTILE)))
def hostile(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A log whose `game` would load a file, or a listed package's module, if it were followed."""
    mark = tmp_path / "was-run"
    write_strip(tmp_path, ("class Strip", f"open({str(mark)!r}, 'w').close()\nclass Strip"))
    (tmp_path / "game.py").write_text((tmp_path / "strip.py").read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    listed = tmp_path / "listed-1.0.dist-info"
    listed.mkdir()
    (listed / "entry_points.txt").write_text("[plyscope.games]\nlisted = strip:Strip\n")
    (listed / "METADATA").write_text("Metadata-Version: 2.1\nName: listed\nVersion: 1.0\n")
    outside.installed.cache_clear()
    assert "listed" in outside.installed()
    log = plyscope.search("connect_four", depth=2, progress=False)
    path = tmp_path / "log.json"
    log.write(path, progress=False)
    document = json.loads(path.read_text())
    document["game"] = HOSTILE[request.param](tmp_path / "strip.py")
    path.write_text(json.dumps(document))
    yield path
    assert not mark.exists()
    assert "strip" not in sys.modules


def test_nothing_that_a_log_or_a_file_of_games_says_is_loaded(
    hostile: Path, tmp_path: Path, command: Command
) -> None:
    name = json.loads(hostile.read_text())["game"]
    code, _, said = command("check", hostile)
    assert (code, len(said) < 1000, "\x1b" in said) == (0, True, False)
    is_listed = name.startswith("listed")
    assert (f"--game {name}" if is_listed else "--game FILE.py:Class") in said
    assert command("explain", hostile, "--exact")[0] == 0
    assert command("what-if", hostile, "--search")[0] == 2
    assert "drawing" in Boards(tree_of(plyscope.open(hostile)).log).drawing(1)
    with pytest.raises(GameError):
        find(name)
    games = tmp_path / "games.jsonl"
    agents = [{"name": each, "kind": "random", "options": {}} for each in "ab"]
    stated = {"game": name, "agents": agents, "games": 2, "position": None}
    games.write_text(json.dumps({"match": stated}) + "\n")
    if outside.is_place(name):
        with pytest.raises(MatchError):
            match_of(games)
    folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    client = create_app({"TESTING": True, "LOGS": (hostile,), **folders}).test_client()
    url = f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}"
    notice = client.get(url).get_json()["notices"][0]
    assert ("is not known here" in notice, len(notice) < 300) == (True, True)
    assert client.get(f"{url}/nodes/1/details").get_json()["board"]["reason"]
    assert client.post(f"{url}/check").status_code in (200, 202)
    assert client.get(f"{url}/explain").status_code == 200
    assert client.get(f"{url}/weights").status_code in (200, 202)
