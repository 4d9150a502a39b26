"""The command in a user's project whose folders are called as ours are: `engine/`, `visualizer/`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command
from tests.unit.test_adding_a_game import listing
from tests.unit.users_project import use, write_project

# As the installed command starts: the folder in which it is called is not on Python's path.
PYTHON = [sys.executable, "-P", "-c"]
PLYSCOPE = [*PYTHON, "from plyscope.visualizer.cli.main import run; run()"]


@pytest.mark.slow
def test_a_game_of_a_project_is_searched_checked_and_opened(tmp_path: Path) -> None:
    write_project(tmp_path)
    use(PYTHON, PLYSCOPE, tmp_path, path=None)


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
        (
            "x = {}; x[0] = n; x['a'] = n",
            "numba cannot compile it: No implementation of function Function(<intrinsic _cast>) "
            "found for signature _cast(Literal[str](a), class(int64)) (line 21 of ",
        ),
        (
            "x = WORDS[1]",
            "kernel generate reads WORDS: a dict, where numbers, arrays, tuples, kernels may be\n",
        ),
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


def test_our_folders_are_no_packages_of_their_own() -> None:
    done = subprocess.run([*PYTHON, "import engine.search"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert "ImportError: this folder `engine` is Plyscope's own: import it as plyscope.engine" in done.stderr


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
