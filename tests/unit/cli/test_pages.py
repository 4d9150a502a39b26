"""Pages that quote the command: those of the rules, the guide and the README say what it prints."""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path

import pytest

from plyscope.visualizer.analysis.check.rule_pages import pages
from tests.unit.cli.conftest import Command

ROOT = Path(__file__).parents[3]
BUGS = ROOT / "examples" / "bugs"

QUOTED = re.compile(r"^    plyscope (check [^\n]*)\n\n```text\n(.*?)```", re.MULTILINE | re.DOTALL)


def uncounted(text: str) -> str:
    return re.sub(r"\d+ rules asked", "rules asked", text)


def test_the_pages_of_the_rules_are_those_that_the_rules_print() -> None:
    folder = ROOT / "docs" / "rules"
    written = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
    printed = pages()
    stale = sorted(name for name in written.keys() | printed.keys() if written.get(name) != printed.get(name))
    assert not stale, (
        "run `python -m plyscope.visualizer.analysis.check.rule_pages docs/rules` to print them again"
    )


@pytest.mark.parametrize("page", ["check.md", "find-the-bug.md"])
def test_what_a_page_quotes_is_what_the_command_prints(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Logs are named as they lie in `examples/bugs`; a quotation is a run of lines out of the output.

    How many rules there are to ask is left out of the comparison: a new rule changes it.
    """
    monkeypatch.chdir(BUGS)
    quotations = QUOTED.findall((ROOT / "docs" / page).read_text("utf-8"))
    assert quotations
    for command, text in quotations:
        out = plyscope(*command.split())[1]
        assert f"\n{uncounted(text)}" in f"\n{uncounted(out)}", command


def test_the_guide_quotes_the_faulty_lines_as_they_are() -> None:
    guide = (ROOT / "docs" / "find-the-bug.md").read_text("utf-8")
    for program in sorted(BUGS.glob("*.py")):
        faulty = [line for line in program.read_text("utf-8").splitlines() if "# the bug" in line]
        assert len(faulty) == 1
        assert faulty[0].strip() in guide


def test_the_first_page_quotes_what_the_command_prints(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "README.md").read_text("utf-8")
    command, quoted = re.findall(r"    \$ plyscope ([^\n]+)\n((?:    [^\n]*\n|\n)+)", text)[0]
    printed = plyscope(*command.split())[1]
    assert uncounted(printed).startswith(uncounted(textwrap.dedent(quoted).strip()))


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
