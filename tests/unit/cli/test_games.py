"""`plyscope games`: what can be searched, for people and for machines."""

from __future__ import annotations

import json
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Command

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
