"""A game in several files: its imports find the files beside it, and never those of another game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.games import game_files
from plyscope.engine.games.outside import load
from plyscope.engine.options import SearchOptions
from plyscope.engine.perft import divide, perft
from plyscope.engine.run import search
from tests.unit.users_project import FILES, write_project


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    game_files.leave()
    before, modules = sys.path.copy(), set(sys.modules)
    yield
    game_files.leave()
    assert sys.path == before
    own = {path.partition("/")[0].removesuffix(".py") for path in FILES}
    assert not [name for name in set(sys.modules) - modules if name.partition(".")[0] in own]


def root_scores(game: Any) -> tuple[str | None, float | None]:
    recording = search(game, options=SearchOptions(depth=2, algorithm="minimax"))
    return recording.ply, recording.score


def test_a_game_imports_the_files_beside_it_at_once_and_while_it_is_searched(tmp_path: Path) -> None:
    """Taking one leaves four, of which the other takes one at a time as well: 3 are left, each worth 1."""
    path = write_project(tmp_path, 1)
    game = load(f"{path}:Game")
    assert sys.path[0] == str(tmp_path)
    assert root_scores(game) == ("1", 3.0)
    (tmp_path / "rules.py").write_text("MOST = 1 + 1\n")
    new = load(f"{path}:Game")  # anew, with what it imports
    assert len(new.plies(new.start())) == 2
    assert len(game.plies(game.start())) == 1
    assert root_scores(game) == ("1", 3.0)


def test_two_folders_with_files_of_the_same_names_do_not_meet(tmp_path: Path) -> None:
    one, two = (load(f"{write_project(tmp_path / name, most)}:Game") for name, most in (("a", 1), ("b", 2)))
    # Each has been asked for nothing yet: what they import while they are searched is told apart as well.
    for _ in range(2):
        assert root_scores(one) == ("1", 3.0)
        assert root_scores(two) == ("1", 4.0)
    assert perft(one, one.start(), 2) == 1
    assert perft(two, two.start(), 2) == 4
    assert divide(one, one.start(), 2) == {"1": 1}
    assert divide(two, two.start(), 2) == {"1": 2, "2": 2}
    assert type(one).__module__ == type(two).__module__ == "game"


def test_a_file_that_cannot_be_run_leaves_nothing_behind(tmp_path: Path) -> None:
    path = write_project(tmp_path, 1)
    (tmp_path / "rules.py").write_text("import nowhere_to_be_found\n")
    before = sys.path.copy()
    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        load(f"{path}:Game")
    assert sys.path == before
    assert "game" not in sys.modules
    assert "rules" not in sys.modules


def test_a_file_may_have_the_name_of_a_loaded_module_and_import_no_folder_of_a_checkout(
    tmp_path: Path,
) -> None:
    path = tmp_path / "json.py"
    path.write_text("class Game:\n    name = 'json'\n")
    assert load(f"{path}:Game").name == "json"
    assert sys.modules["json"] is json
    path = tmp_path / "game.py"
    path.write_text("import visualizer\n\n\nclass Game: pass\n")
    with pytest.raises(ImportError, match="import it as plyscope"):
        load(f"{path}:Game")


def test_numpy_below_the_folder_of_a_game_is_not_of_the_game(tmp_path: Path) -> None:
    """As in a project with its environment in it: two games share what is installed."""
    packages = tmp_path / "env" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "shared_library.py").write_text("")
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(
            "import shared_library as library\n\n\nclass Game:\n    of = library\n"
        )
    sys.path.append(str(packages))
    try:
        one, two = (load(f"{tmp_path / name}.py:Game") for name in ("a", "b"))
        assert one.of is two.of
    finally:
        sys.path.remove(str(packages))
        sys.modules.pop("shared_library", None)
