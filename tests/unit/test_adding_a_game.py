"""The games of docs/adding-a-game.md are what the page says: searched, counted, keeping every promise."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.game import GameError
from plyscope.engine.games import promises
from plyscope.engine.games.outside import load
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.options import SearchOptions
from plyscope.engine.perft import divide
from plyscope.engine.run import search

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
NIM = ROOT / "examples" / "nim.py"


def listing(name: str) -> str:
    found = re.search(rf"^```python {name}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def twenty_one(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The page's kernel game, loaded from a file."""
    path = tmp_path_factory.mktemp("game") / "twenty_one.py"
    path.write_text(listing("twenty_one"), encoding="utf-8")
    return load(str(path))


def test_the_page_shows_nim_as_it_is_in_about_thirty_lines() -> None:
    text = NIM.read_text(encoding="utf-8")
    assert listing("nim") == text
    assert len([line for line in text.splitlines() if line.strip()]) <= 31


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.sweep)])
def test_the_kernel_game_takes_the_remainder(twenty_one: Any, compiled: bool) -> None:
    """Of 7 three are taken: every 4 is lost for whoever is to move."""
    assert search(twenty_one, "7 first", SearchOptions(depth=7), compiled=compiled).ply == "3"


@pytest.mark.slow
def test_machine_code_counts_the_lines_of_the_kernel_game_as_plain_python(twenty_one: Any) -> None:
    start = twenty_one.read_position("9 first")
    counts = divide(twenty_one, start, 4, compiled=True)
    assert counts == divide(twenty_one, start, 4, compiled=False)
    assert len(counts) == 3


@pytest.mark.slow
def test_what_the_command_asks_of_a_game_is_kept_by_both(twenty_one: Any) -> None:
    assert promises.faults(PlainKernels(load(f"{NIM}:Nim")))[1] == []
    n, faults = promises.faults(twenty_one)
    assert (n > 20, faults) == (True, [])


def test_the_kernel_game_refuses_what_is_no_position(twenty_one: Any) -> None:
    for text in ("", "21", "x first", "-1 first", "1000 first"):
        with pytest.raises(GameError, match="expected a number and a player"):
            twenty_one.read_position(text)
