"""Findings by a text: what is matched by column is what written paths hold, and what was not read is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf.jobs.checked_log import CheckedLog
from plyscope.visualizer.shelf.jobs.finding_search import FindingSearch
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

BUGS = Path(__file__).parents[3] / "examples" / "bugs"

TWICE: dict[str, Any] = {
    "plyscope": 1,
    "root": {
        "score": "nan",
        "children": [
            {"ply": "C6", "score": 1, "children": [{"ply": "d6", "score": "nan"}]},
            {"ply": "C6", "score": 1, "children": [{"ply": "e6", "score": "nan"}, {"score": "nan"}]},
            {"ply": "c67", "score": "nan", "children": [{"outcome": "pruned", "plies": ["a"]}]},
        ],
    },
}


def checked(document: dict[str, Any]) -> tuple[Log, Report]:
    log = read_log(orjson.dumps(document))
    return log, check(log)


def paths_with(text: str, log: Log, report: Report) -> list[str]:
    """The paths of the findings that hold a text; no message is read."""
    mask = FindingSearch(log, report, seconds=0).holding(text).mask
    return [finding.path for finding, holds in zip(report.findings(), mask, strict=True) if holds]


@pytest.mark.parametrize(
    "text",
    [
        "c6",
        "C6 > D6",
        "c6>d",
        "6 > ",
        "> e6",
        "c6#2",
        "c6#2 > e",
        "6#2",
        "?",
        "root",
        "c67",
        "67 > d6",
        "> > d6",
    ],
)
def test_a_finding_is_found_by_what_its_path_holds(text: str) -> None:
    log, report = checked(TWICE)
    spaced = " > ".join(step.strip() for step in text.lower().split(">"))
    expected = [finding.path for finding in report.findings() if spaced.strip() in finding.path.lower()]
    assert paths_with(text, log, report) == expected


@pytest.mark.parametrize("text", ["left 4 > left 9", "t 7", "right 6 > left 5", "9 > l", "left 4"])
def test_what_is_matched_by_column_is_what_written_paths_hold(text: str) -> None:
    log = read_log((BUGS / "bug-lost-alpha.json").read_bytes())
    report = check(log)
    expected = [finding.path for finding in report.findings() if text in finding.path]
    assert expected
    assert paths_with(text, log, report) == expected


def test_a_number_sign_names_one_node() -> None:
    log, report = checked(TWICE)
    ids = [finding.id for finding in report.findings()]
    last = max(ids)
    mask = FindingSearch(log, report, seconds=0).holding(f"#{last}").mask
    assert mask.tolist() == [each == last for each in ids]


def test_a_rules_name_finds_all_that_it_found() -> None:
    log, report = checked(TWICE)
    mask = FindingSearch(log, report, seconds=0).holding(" NaN ").mask
    assert [finding.rule == "nan" for finding in report.findings()] == mask.tolist()


def test_messages_are_read_in_time_and_the_rest_is_said_and_read_when_more_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = read_log((BUGS / "bug-lost-alpha.json").read_bytes())
    report = check(log)
    clock = iter(range(1000))
    monkeypatch.setattr("plyscope.visualizer.shelf.jobs.finding_search.time.monotonic", lambda: next(clock))
    sought = FindingSearch(log, report, seconds=2)
    text = "had the window"
    first = sought.holding(text)
    n_held = sum(text in finding.message for finding in report.findings(limit=200))
    assert (int(first.mask.sum()), first.n_unread) == (n_held, len(report) - 200)
    assert sought.holding(text) is first
    more = sought.holding(text, more=True)
    assert more.mask.sum() > n_held
    while more.n_unread:
        more = sought.holding(text, more=True)
    assert more.mask.sum() == sum(text in finding.message for finding in report.findings())


def test_pages_of_what_holds_a_text_have_the_places_of_the_whole_group() -> None:
    log = read_log((BUGS / "bug-lost-alpha.json").read_bytes())
    one = CheckedLog(Tree(log), check(log))
    every = one.findings("window", "wrong", offset=0, limit=200)["items"]
    answer = one.findings("window", "wrong", text="right 6", offset=1, limit=2)
    held = [each for each in every if "right 6" in each["path"]]
    assert answer["items"] == held[1:3]
    assert answer["unread"] == 0
    assert {group["rule"] for group in answer["groups"]} == {"window", "claim"}
    assert answer["total"] == next(g["count"] for g in answer["groups"] if g["rule"] == "window")
