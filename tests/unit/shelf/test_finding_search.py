"""Findings by a text: what is matched by column is what written paths hold, and what was not read is said."""

from __future__ import annotations

from itertools import product
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


def checked(document: bytes) -> tuple[Log, Report]:
    log = read_log(document)
    return log, check(log)


@pytest.fixture(scope="module")
def twice() -> tuple[Log, Report]:
    return checked(orjson.dumps(TWICE))


@pytest.fixture(scope="module")
def large() -> tuple[Log, Report]:
    return checked((BUGS / "bug-lost-alpha.json").read_bytes())


def paths_with(text: str, log: Log, report: Report) -> list[str]:
    """The paths of the findings that hold a text; no message is read."""
    mask = FindingSearch(log, report, seconds=0).holding(text).mask
    return [finding.path for finding, holds in zip(report.findings(), mask, strict=True) if holds]


IN_TWICE = (
    *("c6", "C6 > D6", "c6>d", "6 > ", "> e6", "c6#2", "c6#2 > e", "6#2", "?", "root"),
    *("c67", "67 > d6", "> > d6"),
)


IN_LARGE = ("left 4 > left 9", "t 7", "right 6 > left 5", "9 > l", "left 4")


@pytest.mark.parametrize(("of", "text"), [*product(["twice"], IN_TWICE), *product(["large"], IN_LARGE)])
def test_a_finding_is_found_by_what_its_path_holds(
    request: pytest.FixtureRequest, of: str, text: str
) -> None:
    log, report = request.getfixturevalue(of)
    spaced = " > ".join(step.strip() for step in text.lower().split(">"))
    expected = [finding.path for finding in report.findings() if spaced.strip() in finding.path.lower()]
    assert paths_with(text, log, report) == expected
    assert expected or of == "twice"


def test_a_number_sign_names_one_node_and_a_rules_name_all_that_it_found(twice: tuple[Log, Report]) -> None:
    found = FindingSearch(*twice, seconds=0)
    ids = [finding.id for finding in twice[1].findings()]
    assert found.holding(f"#{max(ids)}").mask.tolist() == [each == max(ids) for each in ids]
    rules = [finding.rule for finding in twice[1].findings()]
    assert found.holding(" NaN ").mask.tolist() == [rule == "nan" for rule in rules]


def test_messages_are_read_in_time_and_the_rest_is_said_and_read_when_more_is_asked_for(
    large: tuple[Log, Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, report = large
    clock = iter(range(1000))
    monkeypatch.setattr("plyscope.visualizer.shelf.jobs.finding_search.time.monotonic", lambda: next(clock))
    sought, text = FindingSearch(*large, seconds=2), "had the window"
    first = sought.holding(text)
    n_held = sum(text in finding.message for finding in report.findings(limit=200))
    assert (int(first.mask.sum()), first.n_unread) == (n_held, len(report) - 200)
    assert sought.holding(text) is first
    more = sought.holding(text, more=True)
    assert more.mask.sum() > n_held
    while more.n_unread:
        more = sought.holding(text, more=True)
    assert more.mask.sum() == sum(text in finding.message for finding in report.findings())


def test_pages_of_what_holds_a_text_have_the_places_of_the_whole_group(large: tuple[Log, Report]) -> None:
    one = CheckedLog(Tree(large[0]), large[1])
    every = one.findings("window", "wrong", offset=0, limit=200)["items"]
    answer = one.findings("window", "wrong", text="right 6", offset=1, limit=2)
    assert answer["items"] == [each for each in every if "right 6" in each["path"]][1:3]
    counts = {group["rule"]: group["count"] for group in answer["groups"]}
    assert (answer["unread"], {*counts}, answer["total"]) == (0, {"window", "claim"}, counts["window"])
