"""The logs on docs/logging-techniques.md: each is opened and checked, and what its sentence says is tried."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = (DOCS / "logging-techniques.md").read_text(encoding="utf-8")

LOG: Final = re.compile(r"(.*?)```jsonl\n(.*?)```", re.DOTALL)
WRONG: Final = re.compile(r"Wrong, and found by \[`([a-z-]+)`\]")
WITHOUT: Final = re.compile(r"without\s+`([a-z_.]+)`,\s+\[`([a-z-]+)`\]")
NO_RESULT: Final = "There is no result line: the search did not end, or its writer prints none."


class Example(NamedTuple):
    """A log of the page, and the words before it."""

    title: str
    words: str
    lines: list[dict[str, Any]]

    @property
    def faulty_by(self) -> str:
        """The rule that finds a fault in a log that is wrong on purpose, "" in the others."""
        found = WRONG.search(self.words)
        return found[1] if found else ""


def examples() -> list[Example]:
    """All logs of the page, in its order."""
    found = []
    for section in PAGE.split("\n### ")[1:]:
        title, _, body = section.partition("\n")
        for words, text in LOG.findall(body):
            found.append(Example(title, words, [json.loads(line) for line in text.splitlines()]))
    return found


EXAMPLES: Final = examples()
NAMES: Final = [f"{each.title}{' (wrong)' if each.faulty_by else ''}" for each in EXAMPLES]
SAID: Final = [
    pytest.param(each, *said, id=f"{each.title}: {said[0]}")
    for each in EXAMPLES
    for said in WITHOUT.findall(each.words)
]


def text_of(lines: list[dict[str, Any]]) -> bytes:
    return "\n".join(map(json.dumps, lines)).encode()


def rules_that_fire(lines: list[dict[str, Any]]) -> set[str]:
    return {finding.rule for finding in check(read_log(text_of(lines)), compiled=False).findings()}


def without(line: dict[str, Any], field: str) -> dict[str, Any]:
    """The line less a field; `search.threads` is a field of what `search` holds."""
    outer, _, inner = field.rpartition(".")
    if not outer:
        return {name: value for name, value in line.items() if name != inner}
    return {name: without(value, inner) if name == outer else value for name, value in line.items()}


def test_every_block_and_every_promise_of_the_page_is_tried() -> None:
    assert len(EXAMPLES) == PAGE.count("```jsonl")
    assert PAGE.count("```") == 2 * len(EXAMPLES)
    assert len(SAID) == len(re.findall(r"(?:: |and |; )without\s+`", PAGE))
    assert len([each for each in EXAMPLES if each.faulty_by]) == PAGE.count("Wrong, ")


@pytest.mark.parametrize("example", EXAMPLES, ids=NAMES)
def test_check_finds_in_an_example_what_the_page_says_and_nothing_else(example: Example) -> None:
    """It is three to eight lines of a whole log without unknown fields."""
    assert 3 <= len(example.lines) <= 8
    assert example.lines[0]["plyscope"] == 1
    log = read_log(text_of(example.lines))
    assert log.extras is None
    assert set(log.notices) <= {NO_RESULT}
    report = check(log, compiled=False)
    assert {finding.rule for finding in report.findings()} == {example.faulty_by} - {""}
    assert set(report.checked) - {"nan"}, "no rule judges this example"


@pytest.mark.parametrize(("example", "field", "rule"), SAID)
def test_without_a_field_an_example_seems_wrong_by_the_rule_that_the_page_names(
    example: Example, field: str, rule: str
) -> None:
    bare = [without(line, field) for line in example.lines]
    assert bare != example.lines
    assert rule in rules_that_fire(bare)


def test_what_the_page_links_to_exists() -> None:
    targets = re.findall(r"\]\(([^)#]+)", PAGE)
    assert targets
    assert [target for target in targets if not (DOCS / target).exists()] == []
