"""Games from outside: which places name one, and what the errors say of those that do not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from plyscope.engine import jit
from plyscope.engine.game import GameError
from plyscope.engine.games import find, game_files, load_game, outside
from plyscope.engine.games.outside import digest, folder_of, is_place, load
from plyscope.engine.options import SearchOptions
from plyscope.engine.perft import perft
from plyscope.engine.run import search
from tests.unit.engine.test_promises import NIM, ROOT, TWENTY_ONE
from tests.unit.users_project import write_project

NIM_TEXT = NIM.read_text("utf-8")


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    game_files.leave()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


MADE = NIM_TEXT + "\n\ndef small():\n    game = Nim()\n    game.name = 'small'\n    return game\n"


@pytest.mark.parametrize(
    ("file", "text", "place", "name"),
    [
        ("mine.py", NIM_TEXT, "mine.py:Nim", "nim"),
        ("mine.py", NIM_TEXT, "mine.py", "nim"),
        ("mine.py", MADE, "mine.py:small", "small"),
        ("mine.py", TWENTY_ONE, "mine.py:TwentyOne", "twenty_one"),
        ("mine.py", TWENTY_ONE, "mine.py:GAME", "twenty_one"),
        ("mine.py", TWENTY_ONE, "mine.py", "twenty_one"),
        ("mine/game.py", NIM_TEXT, "mine", "nim"),
        ("mine/game.py", NIM_TEXT, "mine:Nim", "nim"),
        ("mine/__init__.py", NIM_TEXT, "mine/", "nim"),
        ("mine/__init__.py", NIM_TEXT, "mine/:Nim", "nim"),
    ],
)
def test_a_place_names_a_class_an_object_or_a_function_of_a_file_or_folder(
    tmp_path: Path, file: str, text: str, place: str, name: str
) -> None:
    write(tmp_path / file, text)
    assert is_place(f"{tmp_path}/{place}")
    assert load(f"{tmp_path}/{place}").name == name


def test_a_package_imports_its_own_modules_and_may_not_have_the_name_of_a_loaded_one(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write(folder / "__init__.py", "")
    write(folder / "rules" / "heap.py", "MOST = 3")
    write(folder / "game.py", NIM_TEXT + "\n\nfrom .rules import heap\nfrom mine.rules.heap import MOST\n")
    game = load(f"{folder}/")
    assert game.name == "nim"
    assert type(game).__module__ == "mine.game"
    game_files.leave()
    assert "mine" not in sys.modules
    with pytest.raises(GameError, match="json has the name of a loaded module: rename it"):
        load(str(write(tmp_path / "json" / "__init__.py", NIM_TEXT).parent))


def test_classes_that_a_file_imports_are_its_games_only_where_it_has_none(tmp_path: Path) -> None:
    write(tmp_path / "base.py", NIM_TEXT)
    own = "from base import Nim\nfrom plyscope.engine.game import PlainGame\n"
    assert load(str(write(tmp_path / "one.py", own))).name == "nim"
    mine = f"{own}\n\nclass Mine(Nim):\n    name = 'mine'\n"
    assert load(str(write(tmp_path / "two.py", mine))).name == "mine"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "mine.txt:Mine", "names no game; expected file.py:Class, a folder, or an installed game"),
        ("", "nowhere:Mine", "names no game; expected file.py:Class, a folder"),
        ("", "missing.py:Mine", "there is no file missing.py"),
        ("", r"C:\games\missing.py", r"there is no file C:\\games\\missing.py"),
        ("", "./:Mine", r"there is no file .*__init__.py or .*game.py"),
        ("class Other: pass\n", "mine.py:Mine", "mine.py has no Mine; it has Other"),
        ("class Other: pass\n", "mine.py", "mine.py has no game, which is a class with start, plies"),
        (NIM_TEXT + "\n\nclass Two(Nim): pass\n", "mine.py", "several games; expected one of Nim, Two"),
        (NIM_TEXT.replace("def plies", "def their"), "mine.py", "mine.py has no game: Nim lacks plies$"),
    ],
)
def test_a_place_without_a_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, place: str, message: str
) -> None:
    write(tmp_path / "mine.py", text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GameError, match=message):
        load(place)


def test_a_bare_name_beside_its_file_is_pointed_there_and_at_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "mine.py", NIM_TEXT)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        GameError, match=r"no game 'mine'.*; installed are: .*openspiel.*; the file .* is mine.py"
    ):
        load_game("mine")


# Installed packages --------------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package on Python's path that names a game, and one by text, as if it were installed."""
    made = "\n\ndef by_text(text):\n    game = Nim()\n    game.name = text\n    return game\n"
    write(tmp_path / "their_games" / "__init__.py", "")
    write(tmp_path / "their_games" / "nim.py", NIM_TEXT + made)
    points = [("theirs", "Nim"), ("by-text", "by_text")]
    found = {name: EntryPoint(name, f"their_games.nim:{what}", outside.GROUP) for name, what in points}
    monkeypatch.setattr(outside, "installed", lambda: found)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "their_games"
    for name in [name for name in sys.modules if name.startswith("their_games")]:
        del sys.modules[name]


def test_a_game_of_a_package_is_loaded_by_its_name_with_a_text_where_it_takes_one(package: Path) -> None:
    assert is_place("theirs")
    assert load("theirs").name == "nim"
    assert load("by-text:nim of mine").name == "nim of mine"
    with pytest.raises(GameError, match="'theirs:abc': theirs takes no text, expected 'theirs' alone"):
        load("theirs:abc")
    before = digest(load("theirs"))
    write(package / "rules.py", "MOST = 3")
    assert before != digest(load("theirs"))  # all its sources count


@pytest.mark.usefixtures("package")
def test_the_name_of_a_folder_with_a_game_is_that_of_a_package_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "theirs" / "game.py", NIM_TEXT.replace('"nim"', '"mine"'))
    monkeypatch.chdir(tmp_path)
    assert (load("theirs").name, load("theirs/").name) == ("nim", "mine")


def test_the_folder_of_a_game_is_found_without_importing_it(package: Path, tmp_path: Path) -> None:
    assert folder_of("theirs") == package
    assert "their_games" not in sys.modules
    path = write(tmp_path / "mine.py", NIM_TEXT)
    assert folder_of(f"{path}:Nim") == folder_of(str(path)) == tmp_path
    assert folder_of(f"{tmp_path}/") == tmp_path


# Digests, and games that were edited ---------------------------------------------------------------------


def digest_at(folder: Path) -> str | None:
    return digest(load(f"{folder / 'game.py'}:Game"))


def test_a_digest_is_of_the_texts_of_all_files_that_the_game_imports(tmp_path: Path) -> None:
    """Late imports too, whether they were made or not; not of where the files are, nor of white space."""
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        write_project(folder)
    first, again = map(digest_at, folders)
    assert first == again
    assert len(first or "") == 16
    assert digest(find("tictactoe")) is None  # ours have none
    game = load(f"{folders[0] / 'game.py'}:Game")
    search(game, options=SearchOptions(depth=2))
    assert digest(game) == first
    write(folders[1] / "rules.py", "MOST = 1  \r\n")
    write(folders[1] / "not_imported.py", "MOST = 3")
    assert digest_at(folders[1]) == first
    for name in ("rules.py", "worth/left.py", "visualizer/__init__.py", "game.py"):
        path = folders[1] / name
        write(path, path.read_text() + "\nMORE = 1\n")
        assert digest_at(folders[1]) not in (first, again)
        again = digest_at(folders[1])


def test_a_digest_does_not_know_what_the_game_s_file_or_folder_is_called(tmp_path: Path) -> None:
    files = [write(tmp_path / name, NIM_TEXT) for name in ("one.py", "two.py")]
    assert len({digest(load(str(file))) for file in files}) == 1
    for name in ("a", "b"):
        write(tmp_path / name / "__init__.py", "from .game import Nim")
        write(tmp_path / name / "game.py", NIM_TEXT)
    assert digest(load(f"{tmp_path}/a")) == digest(load(f"{tmp_path}/b"))


def test_a_file_edited_within_a_second_to_the_same_length_is_loaded_anew(tmp_path: Path) -> None:
    write_project(tmp_path)
    for most in (1, 2, 3):
        write(tmp_path / "rules.py", f"MOST = {most}\n")
        game = load(f"{tmp_path / 'game.py'}:Game")
        assert len(game.plies(game.start())) == most
    assert not list(tmp_path.rglob("*.pyc"))


KERNELS = (
    TWENTY_ONE.replace("n = min(3, int(state[LEFT]))", "n = most_of(state) - LEAST")
    .replace("import numpy", "from rules.taking import most_of\nimport numpy", 1)
    .replace("LEFT, SIDE = 0, 1", "LEAST = 0\nLEFT, SIDE = 0, 1")
)
HELPERS = {
    "rules/__init__.py": "",
    "rules/taking.py": """
from enum import IntEnum
import rules.limits.numbers
from plyscope.engine.jit import kernel

class Few(IntEnum):
    NONE = 0

@kernel
def most_of(state):
    return max(Few.NONE.value, min(rules.limits.numbers.MOST, int(state[0])))
""",
    "rules/limits/__init__.py": "",
    "rules/limits/numbers.py": "MOST = 3\n",
}
EDITS = {
    "a kernel of a module beside it": ("rules/taking.py", "min(", "min(2, "),
    "a constant": ("game.py", "LEAST = 0", "LEAST = 1"),
    "a constant of a module of a module": ("rules/limits/numbers.py", "3", "2"),
    "a member of an enumeration": ("rules/taking.py", "NONE = 0", "NONE = 3"),
}
"""By what is edited: the file, the text, what replaces it. By the first, two plies have 4 lines and not 9."""


def named(folder: Path) -> str:
    """The name that the game's machine code goes by."""
    return str(jit.bind(load(f"{folder}/"))._numba_type_)


def count_two(folder: Path) -> int:
    game = load(f"{folder}/")
    return perft(game, game.read_position("7 first"), 2)


COUNT = """
import sys
from pathlib import Path
from tests.unit.engine.test_outside import count_two
print(count_two(Path(sys.argv[1])))
"""


@pytest.mark.slow
def test_an_edited_kernel_game_runs_no_old_machine_code_and_one_that_is_as_before_is_not_compiled(
    tmp_path: Path,
) -> None:
    """Loaded again in this process, and by new ones, which share the machine code on disk."""
    folder, cache = tmp_path / "mine", tmp_path / "cache"
    files = {"game.py": KERNELS, **HELPERS}

    def restore() -> None:
        for name, text in files.items():
            write(folder / name, text)

    def counted_by_another() -> tuple[int, int]:
        """The count of a new process, and how many pieces of machine code there are then."""
        environment = {**os.environ, "PLYSCOPE_CACHE": str(cache)}
        command = [sys.executable, "-c", COUNT, str(folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
        return int(done.stdout), len([*cache.rglob("*.bin")])

    restore()
    whole, n_lines = named(folder), count_two(folder)
    for what, (name, old, new) in reversed(EDITS.items()):
        restore()
        write(folder / name, files[name].replace(old, new))
        assert named(folder) != whole, what
    assert (count_two(folder), n_lines) == (4, 9)
    restore()
    assert (count_two(folder), named(folder)) == (9, whole)
    count, n_pieces = counted_by_another()
    assert (count, n_pieces > 0) == (9, True)
    # A comment, a docstring and other line numbers are no edit.
    comment = files["rules/taking.py"].replace("    return max", '    "How many."\n    # why\n    return max')
    write(folder / "rules/taking.py", comment)
    assert counted_by_another() == (9, n_pieces)
    write(folder / name, files[name].replace(old, new))
    assert counted_by_another() == (4, 2 * n_pieces)


def test_openspiel_is_installed_with_us_and_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GameError, match=r"^openspiel: expected a name such as"):
        load("openspiel")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert "openspiel" in outside.installed()
    with pytest.raises(GameError, match=r"hex: install plyscope with its extra `openspiel`, as in pip"):
        load("openspiel:hex")
