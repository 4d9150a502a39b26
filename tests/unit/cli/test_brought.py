"""What others bring: games of a project, listed and held to what games promise, and studies of packages."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.visualizer.cli import study
from tests.unit.cli.conftest import Command
from tests.unit.engine.test_promises import listing
from tests.unit.users_project import use, write_project

NIM = Path(__file__).parents[3] / "examples" / "nim.py"


def test_no_line_is_longer_than_the_terminal(plyscope: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = plyscope("games", "hive")[1]
    assert max(len(line) for line in out.splitlines()) < 60


def test_what_a_game_gives_and_lacks_is_said(plyscope: Command, tmp_path: Path) -> None:
    out = plyscope("games", NIM)[1]
    assert out.startswith("nim  (Ann against Ben)\n    nim_sum  10\n    matches   1\n\n")
    assert "\n    lacks  noisy          no --quiescence\n" in out
    assert " undo " not in out
    (told,) = json.loads(plyscope("games", NIM, "--json")[1])["games"]
    assert (told["kind"], len(told["digest"])) == ("plain", 16)
    assert [name for name, is_given in told["gives"].items() if is_given] == ["board"]
    (ours,) = json.loads(plyscope("games", "hive", "--json")[1])["games"]
    assert (ours["kind"], ours["digest"], {*ours["gives"].values()}) == ("kernel", None, {True})


def test_a_game_is_held_to_what_every_game_promises(plyscope: Command, tmp_path: Path) -> None:
    code, out, _ = plyscope("games", NIM, "--check")
    assert code == 0
    assert re.search(r"\n  keeps what every game promises, asked at up to \d+ positions", out)
    path = tmp_path / "mine.py"
    path.write_text(NIM.read_text("utf-8").replace("[turn, ", "[").replace("{'ABC'[ply[0] - 1]}-", ""))
    code, out, _ = plyscope("games", path, "--check")
    assert code == 1
    assert "\n  breaks what every game promises, asked at" in out
    assert "\n  two plies have one text ((0, 3, 4, 5))\n" in out
    assert plyscope("games", "--check")[0] == 2


def test_games_of_packages_are_listed_without_importing_them(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EntryPoint, "load", lambda point: pytest.fail(f"{point.name} was imported"))
    assert "\nInstalled: openspiel, openspiel:… (of plyscope)\n" in plyscope("games")[1]
    assert json.loads(plyscope("games", "--json")[1])["installed"]["openspiel"] == "plyscope"


# As the installed command starts: the folder in which it is called is not on Python's path.
PYTHON = [sys.executable, "-P", "-c"]
PLYSCOPE = [*PYTHON, "from plyscope.visualizer.cli.main import run; run()"]


@pytest.mark.slow
def test_a_game_in_a_folder_of_its_own_imports_from_the_path(tmp_path: Path) -> None:
    write_project(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "game.py").rename(tmp_path / "games" / "game.py")
    use(PYTHON, PLYSCOPE, tmp_path, game="games/game.py")


def test_a_fault_in_a_file_beside_the_game_is_told_with_its_line(plyscope: Command, tmp_path: Path) -> None:
    path = write_project(tmp_path)
    (tmp_path / "worth" / "left.py").write_text("def of(heap):\n    return heap.count\n")
    code, _, err = plyscope("search", f"{path}:Game", "--depth", 2)
    assert code == 2
    assert f"no attribute 'count' (line 2 of {path.parent / 'worth' / 'left.py'}, in of)" in err
    path.write_text("class Game\n")
    said = f"plyscope: {path}: SyntaxError: expected ':' (line 1 of {path})\n"
    assert plyscope("search", path) == (2, "", said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("helper(n)", "helper is no kernel: mark the module-level function with @kernel\n"),
        ("x = [n]; x.append('')", "numba cannot compile it: Invalid use of BoundFunction(list.append"),
        ("x = WORDS[1]", "kernel generate reads WORDS: a dict, where numbers, arrays, tuples, kernels"),
    ],
)
def test_a_kernel_that_cannot_be_compiled_is_an_error_of_one_line(
    plyscope: Command, tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "mine.py"
    extra = "WORDS = {1: ''}\n\n\ndef helper(n): pass\n\n\n@kernel\ndef generate"
    text = listing("twenty_one").replace("@kernel\ndef generate", extra, 1)
    path.write_text(text.replace("    for i in range(n):", f"    {line}\n    for i in range(n):", 1))
    code, _, err = plyscope("perft", path, 3)
    assert code == 2
    said = err.splitlines(keepends=True)[-1]
    assert said.startswith(f"plyscope: {path}: {message}")
    assert "append" not in message or said.endswith(f"(line 21 of {path}, in generate)\n")


@pytest.mark.slow
def test_every_command_that_plays_takes_a_kernel_game_of_a_file(
    plyscope: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count is compiled; whatever else plays calls the same kernels, here as plain Python."""
    path = tmp_path / "twenty_one.py"
    path.write_text(listing("twenty_one"))

    def assert_says(said: str, *words: object) -> None:
        code, out, err = plyscope(*words)
        assert (code, said in out) == (0, True), (words, out, err)

    assert_says("81 leaves at depth 4", "perft", f"{path}:TwentyOne", 4)
    monkeypatch.setattr(jit, "compiled", lambda kernel: kernel)
    monkeypatch.setattr(jit, "bind", with_all_kernels)
    monkeypatch.setattr(jit, "needs_compiling", lambda *_: False)
    monkeypatch.setattr(jit, "load", lambda *_: None)
    assert_says("depth 6: ", "search", path, "--depth", 6)
    assert_says("50 play-outs", "search", f"{path}:GAME", "--algorithm", "mcts", "--playouts", 50)
    games = ("--games", 2, "--workers", 1)
    assert_says("2 games", "match", "depth=1", "depth=4", *games, "--game", path)
    assert_says("1 trial", "tune", path, "--trials", 1, *games, "-o", tmp_path / "tuned.json")


MODULE = '''
import click

@click.command()
@click.option("--n", default=1)
def rank(n):
    """Rank all plays of a turn by a formula that takes a line of its own.

    The rest is for whoever asks.
    """
    click.echo(n + 1)
'''


def bring(monkeypatch: pytest.MonkeyPatch, **places: str) -> None:
    points = [EntryPoint(name, place, study.GROUP) for name, place in places.items()]

    def entry_points(group: str, name: str | None = None) -> list[EntryPoint]:
        assert group == study.GROUP
        return [point for point in points if name in (None, point.name)]

    monkeypatch.setattr(study, "entry_points", entry_points)


def test_studies_are_listed_by_the_first_line_of_their_help_and_run_by_name(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "others_study.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "others_study", raising=False)
    bring(monkeypatch, rank="others_study:rank")
    plyscope("--help")
    assert "others_study" not in sys.modules
    code, out, err = plyscope("study")
    assert (code, err) == (0, "")
    listed = " ".join(out.partition("Commands:")[2].split())
    assert listed == "rank Rank all plays of a turn by a formula that takes a line of its own."
    assert "The rest is" not in out
    assert plyscope("study", "rank", "--n", 4) == (0, "5\n", "")


def test_without_a_study_a_sentence_says_how_to_get_them(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(monkeypatch)
    assert plyscope("study") == (0, f"{study.NONE}\n", "")
    assert "pip install ./studies" in study.NONE


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("absent_module:rank", "ModuleNotFoundError: No module named 'absent_module'"),
        ("pathlib:Path", "pathlib:Path is no command of click"),
    ],
)
def test_a_study_that_cannot_be_run_is_named(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch, place: str, says: str
) -> None:
    bring(monkeypatch, broken=place)
    code, _, err = plyscope("study", "broken")
    assert code == 2
    assert err.startswith("plyscope: study broken: ")
    assert says in err
