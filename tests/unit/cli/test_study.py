"""`plyscope study`: commands of installed packages, and the commands that left for one."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from plyscope.visualizer.cli import study
from plyscope.visualizer.cli.main import LEFT
from tests.unit.cli.conftest import Command

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


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package with two studies, of which one is broken, and one that is none."""
    (tmp_path / "others_study.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "others_study", raising=False)
    bring(monkeypatch, rank="others_study:rank")


def bring(monkeypatch: pytest.MonkeyPatch, **places: str) -> None:
    points = [EntryPoint(name, place, study.GROUP) for name, place in places.items()]

    def entry_points(group: str, name: str | None = None) -> list[EntryPoint]:
        assert group == study.GROUP
        return [point for point in points if name in (None, point.name)]

    monkeypatch.setattr(study, "entry_points", entry_points)


@pytest.mark.usefixtures("install")
def test_studies_are_listed_by_the_first_line_of_their_help_and_run_by_name(plyscope: Command) -> None:
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


def test_a_command_that_left_says_where_it_is(plyscope: Command) -> None:
    name = next(iter(LEFT))
    code, out, err = plyscope(name, "--seed", 1)
    assert (code, out) == (2, "")
    assert f"plyscope-studies: pip install ./studies, then run `plyscope study {name}`" in err
