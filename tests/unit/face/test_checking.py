"""`plyscope.check`: findings as values, the same as the command's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plyscope
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.cli.main import run
from tests.unit.face.conftest import BUGS

WRONG = BUGS / "bug-wrong-sign.json"
CLEAN = '{"plyscope": 1, "root": {"layer": "max", "score": 3, "children": [{"ply": "a", "score": 3}]}}'


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit):
        run(["check", *map(str, arguments)])
    return capsys.readouterr().out


def test_a_script_finds_the_wrong_node_of_a_bundled_bug() -> None:
    log = plyscope.open(WRONG)
    first = plyscope.check(log)[0]
    assert (first.rule, first.severity, first.path) == ("value", "wrong", "b2 > c3 > a1 > b1")
    assert first.node == log.node(first.path) == log.node(first.id)
    assert first.found == first.node.score == -95
    assert first.expected == max(child.score for child in first.node.children if not child.is_stub) == 95
    assert first.message == "The best of its children is 95, but the node returned −95."
    assert first.reproduce.startswith("game tic-tac-toe; position ")
    assert first.reason == RULES["value"].text.reason
    assert first.fields == tuple(RULES["value"].needs)
    assert str(first) == f"wrong  value  #5  {first.path}: {first.message}"


@pytest.mark.parametrize("file", sorted(BUGS.glob("*.json")), ids=lambda file: file.stem)
def test_the_report_prints_as_the_command_does(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(BUGS)
    report = plyscope.check(file.name)
    assert f"{report}\n" == printed(capsys, file.name)
    assert {"logs": [report.as_json()]} == json.loads(printed(capsys, file.name, "--json"))


def test_a_report_is_a_sequence_of_findings_gravest_first() -> None:
    report = plyscope.check(WRONG)
    assert len(report) == sum(report.counts.values()) == len(list(report)) == 105
    assert report[-1] == report[104] == list(report)[-1]
    assert report[:2] == [report[0], report[1]]
    assert report[0] in report
    assert repr(report) == "<Report of bug-wrong-sign.json: 104 wrong, 1 odd>"
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


def test_two_searches_and_known_findings_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [f'{{"plyscope": 1, "root": {{"score": {n}, "depth": 2, "bound": "exact"}}}}' for n in (3, 5)]
    (found,) = plyscope.check(texts[0], against=texts[1])
    assert (found.rule, found.expected, found.found) == ("against", 5.0, 3.0)
    assert found.fields == ("depth", "score", "bound")
    with pytest.raises(plyscope.LogError, match="nothing to compare"):
        plyscope.check(texts[0], against=plyscope.open(CLEAN))
    known = tmp_path / "known.json"
    printed(capsys, WRONG, "--write-baseline", known)
    report = plyscope.check(WRONG, baseline=known)
    assert (len(report), report.ok, report.as_json()["known"]) == (0, True, 105)
    with pytest.raises(OSError, match="missing"):
        plyscope.check(WRONG, baseline=tmp_path / "missing.json")


def test_a_path_of_control_characters_moves_no_cursor() -> None:
    text = json.dumps({"plyscope": 1, "root": {"children": [{"ply": "\x1b[2J", "score": "nan"}]}})
    report = plyscope.check(text)
    assert "\x1b" not in f"{report}{report[0]}{report[0].node!r}"
    assert report[0].path == "\x1b[2J"
