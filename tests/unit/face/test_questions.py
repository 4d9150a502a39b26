"""`plyscope.check`, `diff` and `what_if`: typed values, the same as the commands print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plyscope
from plyscope.visualizer.analysis.check.rules import RULES
from tests.unit.cli.conftest import Command
from tests.unit.face.conftest import BUGS

WRONG = BUGS / "bug-wrong-sign.json"
CLEAN = '{"plyscope": 1, "root": {"layer": "max", "score": 3, "children": [{"ply": "a", "score": 3}]}}'


@pytest.mark.parametrize("file", sorted(BUGS.glob("*.json")), ids=lambda file: file.stem)
def test_the_report_prints_as_the_command_does(
    file: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(BUGS)
    report = plyscope.check(file.name)
    assert f"{report}\n" == command("check", file.name)[1]
    assert {"logs": [report.as_json()]} == json.loads(command("check", file.name, "--json")[1])


def test_a_report_is_a_sequence_of_findings_gravest_first() -> None:
    report = plyscope.check(WRONG)
    assert len(report) == sum(report.counts.values()) == len(list(report)) == 105
    assert report[-1] == report[104] == list(report)[-1]
    assert report[:2] == [report[0], report[1]]
    assert report[0] in report
    assert repr(report) == "<Report of bug-wrong-sign.json: 104 wrong, 1 odd>"
    assert report[0].reproduce.startswith("game tic-tac-toe; position ")
    assert (report[0].reason, report[0].fields) == (RULES["value"].text.reason, tuple(RULES["value"].needs))
    with pytest.raises(IndexError, match="finding 105 of 105"):
        report[105]


def test_a_report_is_true_where_it_found_something_and_ok_where_nothing_is_wrong() -> None:
    wrong, clean = plyscope.check(WRONG), plyscope.check(CLEAN)
    assert (bool(wrong), wrong.ok) == (True, False)
    assert (bool(clean), clean.ok, clean.counts) == (False, True, {"wrong": 0, "waste": 0, "odd": 0})
    assert repr(clean) == "<Report of log: clean>"
    assert "value" in clean.checked
    assert any(each.startswith("moves: needs `moves`") for each in clean.not_checked)
    foreign = '{"move": "", "replies": [{"move": "a", "worth": 3}, {"move": "b", "worth": 3}]}'
    assert plyscope.check(foreign, map={"children": "replies", "score": "worth"}).ok
    waste = plyscope.check(
        '{"plyscope": 1, "root": {"layer": "max", "score": 5, "alpha": 0, "beta": 4, "outcome": "searched", '
        '"bound": "lower", "children": [{"ply": "a", "layer": "min", "score": 5, "bound": "exact"}, '
        '{"ply": "b", "layer": "min", "score": 3, "bound": "exact"}]}}'
    )
    assert (bool(waste), waste.ok, waste.counts["waste"] > 0) == (True, True, True)


def test_rules_are_left_out_by_name_and_unknown_ones_refused() -> None:
    assert {finding.rule for finding in plyscope.check(WRONG)} > {"value"}
    assert "value" not in {finding.rule for finding in plyscope.check(WRONG, ignore="value")}
    assert not plyscope.check(WRONG, ignore={finding.rule for finding in plyscope.check(WRONG)})
    with pytest.raises(plyscope.OptionError, match="there is no rule 'valeu'; did you mean value"):
        plyscope.check(WRONG, ignore=["valeu"])


def test_two_searches_and_known_findings_are_compared(tmp_path: Path, command: Command) -> None:
    texts = [f'{{"plyscope": 1, "root": {{"score": {n}, "depth": 2, "bound": "exact"}}}}' for n in (3, 5)]
    (found,) = plyscope.check(texts[0], against=texts[1])
    assert (found.rule, found.expected, found.found) == ("against", 5.0, 3.0)
    assert found.fields == ("depth", "score", "bound")
    with pytest.raises(plyscope.LogError, match="nothing to compare"):
        plyscope.check(texts[0], against=plyscope.open(CLEAN))
    known = tmp_path / "known.json"
    command("check", WRONG, "--write-baseline", known)
    report = plyscope.check(WRONG, baseline=known)
    assert (len(report), report.ok, report.as_json()["known"]) == (0, True, 105)
    with pytest.raises(OSError, match="missing"):
        plyscope.check(WRONG, baseline=tmp_path / "missing.json")


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
    assert (found[1].old, found[1].new) == (old.node("b"), new.node("b"))
    assert (found[-1].old, found[-1].nodes) == (None, 1)
    assert found.of_kind("score") == [found[0]]
    assert found.first == found.order
    assert repr(found) == "<Diff: another choice, 3 changes>"
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


def test_the_command_ends_with_1_where_it_is_asked_to(files: tuple[str, str], command: Command) -> None:
    old, new = files
    assert command("diff", old, new)[0] == 0
    for asked in (["choice"], ["score"], ["nodes"], ["any"], ["any", "--order"]):
        assert command("diff", old, new, "--fail-on", *asked)[0] == 1
        assert command("diff", old, old, "--fail-on", *asked)[0] == 0


def test_the_command_prints_what_a_script_does(files: tuple[str, str], command: Command) -> None:
    printed = command("diff", *files, "--limit", "1")[1].splitlines()
    assert printed[0] == " → ".join(files)
    assert printed[1:] == plyscope.diff(OLD, NEW).lines(1)[1:]
    assert command("diff", *files, "--order")[1].splitlines() == plyscope.diff(OLD, NEW).order_lines()


TEXT = """{"plyscope": 1, "factors": [{"name": "f", "weight": 2}], "root": {"layer": "max", "children": [
  {"ply": "a", "layer": "min", "outcome": "leaf", "score": 6, "factors": [3]},
  {"ply": "b", "layer": "min", "outcome": "cutoff", "children": [
    {"ply": "c", "layer": "max", "outcome": "leaf", "score": 5, "factors": [1]},
    {"outcome": "pruned", "count": 29}]}]}}"""


def test_a_script_reads_what_becomes_of_every_root_ply() -> None:
    log = plyscope.open(TEXT)
    found = plyscope.what_if(log, {"f": 0})
    assert (found.weights, found.logged) == ({"f": 0.0}, {"f": 2.0})
    assert (found.first.ply, found.plies[0].low, found.certain, found.tie) == ("a", 0, False, False)
    assert (found.depends_on.plies, found.depends_on.at_least, found.depends_on.unknown) == (29, False, 0)
    assert (found.choice.node, found.choice.state) == (log.node("a"), "depends")
    assert found.interval(log.node("b")) == (float("-inf"), 3)
    assert found.interval(log.main_root) == (0, 3)
    with pytest.raises(ValueError, match="of another log"):
        found.interval(plyscope.open(TEXT).main_root)
    assert repr(found) == "<WhatIf log: a first, depends on 29 unsearched plies>"
    (ranged,) = found.ranges
    assert (ranged.name, ranged.weight, ranged.state, ranged.flips_at) == ("f", 2, "certain", 0.5)
    assert ranged.stands == (1.5, float("inf"))
    assert ranged.segments == ((float("-inf"), 1.5, "depends"), (1.5, float("inf"), "certain"))
