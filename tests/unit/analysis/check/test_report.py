"""The report: order, groups, pages, what was not checked, its JSON; and figures that can be told apart."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.nodes.digits import LONGEST_KEY, apart, exact, shortened
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from tests.unit.analysis.check.checked import example
from tests.unit.logs import log_of


def a_log(**header: Any) -> Log:
    """Two wrong values, one below the other, and an odd depth before both."""
    inner = {
        "ply": "b", "layer": "min", "score": 1, "depth": 1,
        "children": [{"ply": "c", "layer": "max", "score": 2, "depth": 0, "outcome": "leaf"}],
    }  # fmt: skip
    first = {"ply": "a", "layer": "min", "score": 0, "depth": 2, "outcome": "leaf"}
    return log_of(
        {"layer": "max", "score": 7, "depth": 2, "alpha": 0, "beta": 9, "children": [first, inner]}, **header
    )


def test_findings_stand_by_severity_and_then_a_cause_before_its_consequences() -> None:
    report = check(a_log(game="mine", search={"algorithm": "alphabeta"}))
    findings = report.findings()
    assert [(finding.rule, finding.path) for finding in findings] == [
        ("value", "b"),
        ("value", "root"),
        ("depth-step", "a"),
    ]
    assert (findings[1].expected, findings[1].found) == (1.0, 7.0)
    assert findings[1].message == "The best of its children is 1, but the node returned 7."
    assert findings[1].reproduce == "game mine; at the root; depth 2; window (0, 9); alphabeta"
    assert [(each.rule, each.count, each.first) for each in report.groups] == [
        ("value", 2, findings[0].row),
        ("depth-step", 1, findings[2].row),
    ]
    assert len(report) == len(findings) == sum(report.counts.values())
    assert report.findings(offset=1, limit=1) == findings[1:2]
    assert report.findings(rule="depth-step") == report.findings(severity="odd") == findings[2:]
    without = check(a_log(), ignore=["value"])
    assert [each.rule for each in without.groups] == ["depth-step"]
    assert "value" not in without.checked
    missing = {each.rule: str(each) for each in report.not_checked}
    assert missing["moves"] == "moves: needs `moves`, 4 nodes"
    assert missing["window"] == "window: needs `alpha`, `beta`, 3 nodes"


def test_unknown_names_are_refused() -> None:
    report = check(a_log())
    for ask in (
        lambda: report.findings(rule="none"),
        lambda: report.findings(severity="bad"),
        lambda: check(a_log(), ignore=["none"]),
    ):
        with pytest.raises(KeyError):
            ask()


def test_a_rule_that_judged_no_row_is_listed_with_its_reason_and_not_as_asked() -> None:
    log = log_of({"score": 1, "purpose": "full", "alpha": None, "beta": None, "outcome": "leaf"})
    report = check(log, compiled=False)
    assert set(report.checked) == {"nan", "window"}
    why = {each.rule: each.why for each in report.not_checked}
    assert why["stopped-used"] == "no node was stopped"
    assert why["research-missing"] == "no scout states its window"
    assert why["value"] == "no node has a score beside those of all its plies"


def test_what_is_declared_of_the_search_stands_for_no_field_of_its_nodes() -> None:
    root = {"score": 1, "layer": "max", "children": [{"ply": "a", "score": 1, "layer": "min"}]}
    factors = [{"name": "mobility", "weight": 2}]
    report = check(log_of(root, search={"depth": 4}, factors=factors), compiled=False)
    said = {each.rule: str(each) for each in report.not_checked}
    assert said["depth-step"] == "depth-step: needs `depth`, 2 nodes"
    assert said["repropagate"] == "repropagate: needs `static|factors|contributions`, 2 nodes"


numbers = st.floats(allow_nan=False)


@given(numbers, numbers, numbers)
def test_different_numbers_have_different_texts(one: float, other: float, third: float) -> None:
    texts = apart(one, other, third)
    assert len(set(texts)) == len({one, other, third})


@given(numbers)
def test_an_exact_text_reads_back_as_the_number(number: float) -> None:
    assert float(exact(number)) == number


@given(st.text(max_size=200), st.text(max_size=200))
def test_shortened_keys_are_short_and_still_differ(one: str, other: str) -> None:
    texts = shortened(one, other), shortened(other, one)
    assert all(len(text) <= LONGEST_KEY for text in texts)
    assert (texts[0] == texts[1]) == (one == other)


@pytest.mark.parametrize("rule", ["path-key", "key-side", "key-moves", "key-static", "tt-source"])
def test_a_long_key_is_shortened(rule: str) -> None:
    text = json.dumps(example(rule))
    for key in "ABC":
        text = text.replace(f'"key": "{key}"', f'"key": "{"rnbqkbnr/pppppppp/" * 40}{key}"')
    finding = check(read_log(text.encode()), compiled=False).findings(limit=1)[0]
    assert len(finding.message) < 200
    assert len(str(finding.found)) < 100
