"""`plyscope.diff`: typed values, and what the command prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyscope
from plyscope.visualizer.cli.main import run

OLD = """{"plyscope": 1, "root": {"layer": "max", "score": 3, "bound": "exact", "children": [
  {"ply": "a", "score": 3, "bound": "exact"}, {"ply": "b", "score": 1, "bound": "upper"}]}}"""
NEW = """{"plyscope": 1, "root": {"layer": "max", "score": 5, "bound": "exact", "children": [
  {"ply": "a", "score": 3, "bound": "exact"}, {"ply": "b", "score": 5, "bound": "exact"},
  {"ply": "c", "score": 2, "bound": "upper"}]}}"""


def test_a_script_reads_what_changed() -> None:
    old, new = plyscope.open(OLD), plyscope.open(NEW)
    found = plyscope.diff(old, new)
    assert (found.choice_changed, found.old_choice, found.new_choice) == (True, "a", "b")
    assert [change.kind for change in found] == ["score", "bound", "only_new"]
    assert found[1].old == old.node("b")
    assert found[1].new == new.node("b")
    assert found[-1].old is None
    assert found[-1].nodes == 1
    assert found[0:2] == [found[0], found[1]]
    assert found.of_kind("score") == [found[0]]
    assert found.first is not None
    assert found.order is not None
    assert (found.first.path, found.first.field, found.first.old_value) == ("b", "score", 1)
    assert found.first == found.order
    assert found.counts["in_both"] == 3
    assert found.options == {}
    assert found.notes == ()
    assert repr(found) == "<Diff: another choice, 3 changes>"
    assert str(found) == "\n".join(found.lines())
    assert found.sentences[0] == "The choice changed, from a +3 to b +5."
    with pytest.raises(IndexError, match="change 9 of 3"):
        found[9]
    with pytest.raises(ValueError, match="`on` is one of choice, score, nodes, any"):
        found.differs("plies")


def test_a_root_is_named_by_its_node_or_its_iteration() -> None:
    log = plyscope.open(
        '{"plyscope": 1, "roots": [{"iteration": 1, "score": 1}, {"iteration": 2, "score": 2}]}'
    )
    assert [change.kind for change in plyscope.diff(log, log, 1, 2)] == ["score"]
    assert [change.kind for change in plyscope.diff(log, log, log.roots[1], log.roots[0])] == ["score"]
    assert not plyscope.diff(log, log)
    with pytest.raises(ValueError, match="no root of this log"):
        plyscope.diff(plyscope.open(OLD), NEW, plyscope.open(OLD).node("a"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("old", OLD), ("new", NEW)):
        (tmp_path / f"{name}.json").write_text(text)
    return str(tmp_path / "old.json"), str(tmp_path / "new.json")


def left_with(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        run(["diff", *arguments])
    assert isinstance(left.value.code, int)
    return left.value.code


def test_the_command_ends_with_1_where_it_is_asked_to(files: tuple[str, str]) -> None:
    old, new = files
    assert left_with(old, new) == 0
    for asked in (["choice"], ["score"], ["nodes"], ["any"], ["any", "--order"]):
        assert left_with(old, new, "--fail-on", *asked) == 1
        assert left_with(old, old, "--fail-on", *asked) == 0


def test_the_command_prints_what_a_script_does(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    left_with(*files, "--limit", "1")
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == " → ".join(files)
    assert printed[1:] == plyscope.diff(OLD, NEW).lines(1)[1:]
    left_with(*files, "--order")
    assert capsys.readouterr().out.splitlines() == plyscope.diff(OLD, NEW).order_lines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Compare with what?"),
        (("--iterations", "1", "2", "--order"), "--order compares whole runs"),
        (("--iterations", "1", "2"), "there is no iteration 1 in this log"),
        (("{new}", "--order", "--fail-on", "score"), "only `--fail-on any` has a meaning"),
        (("{new}", "--kind", "x"), "there is no kind of change 'x'"),
    ],
)
def test_what_cannot_be_answered_ends_with_2(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert left_with(files[0], *(each.format(new=files[1]) for each in arguments)) == 2
    assert said in capsys.readouterr().err
