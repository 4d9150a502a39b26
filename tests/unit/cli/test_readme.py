"""Every command of the README runs as it stands; what opens a browser or takes long has its options read."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Command

ROOT = Path(__file__).parents[3]
LINES = [
    line.strip()
    for line in (ROOT / "README.md").read_text("utf-8").splitlines()
    if line.startswith("    plyscope ")
]
COMMANDS = [re.split(r"\s+# |\s+\| ", line)[0] for line in LINES]
NOT_RUN = ("view", "play", "tune", "bench")
"""They serve until Ctrl+C, or take minutes."""


def is_run(command: str) -> bool:
    return shlex.split(command)[1] not in NOT_RUN and "--view" not in command


@pytest.mark.slow
def test_every_command_that_ends_soon_runs_as_it_stands(
    plyscope: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    ran = [command for command in COMMANDS if is_run(command)]
    assert len(ran) > 15
    for command in ran:
        code, out, err = plyscope(*shlex.split(command)[1:])
        assert code == 0, (command, out, err)


@pytest.mark.parametrize("command", [each for each in COMMANDS if not is_run(each)])
def test_the_options_of_the_others_are_known(command: str, plyscope: Command) -> None:
    verb, *arguments = shlex.split(command)[1:]
    _, told, _ = plyscope(verb, "--help")
    options = [each for each in arguments if each.startswith("--")]
    assert [each for each in options if each not in told] == []


def test_commands_are_within_100_columns() -> None:
    assert [line for line in LINES if len(line) > 100 - len("    ")] == []
