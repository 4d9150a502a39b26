"""Pages for those who change the code or log a search: what they name is there, what they show is true."""

from __future__ import annotations

import importlib.util
import json
import re
import textwrap
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

from plyscope.visualizer.analysis.check.facts.judged import has_row
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").glob("adding-a-*.md"), ROOT / "docs" / "architecture.md"])
ROOMS = ("docs", "engine", "examples", "plyscope", "static", "studies", "templates", "tests", "visualizer")
MADE = {
    "adding-a-game.md": {"mygame", "twenty_one.py"},
    "adding-a-rule.md": {"static-mate.md"},
    "adding-a-view.md": {
        "static/views/outcomes/outcomes.js",
        "visualizer/analysis/outcomes.py",
        "visualizer/web/api/outcomes.py",
    },
}
"""What a page has its reader make."""


@pytest.fixture(scope="module")
def by_ending() -> dict[str, list[Path]]:
    """Every file and folder by the ends of its path: `a/b/c`, `b/c` and `c`."""
    found: dict[str, list[Path]] = {}
    for path in (path for room in ROOMS for path in [ROOT / room, *(ROOT / room).rglob("*")]):
        parts = path.relative_to(ROOT).parts
        for first in range(len(parts)):
            found.setdefault("/".join(parts[first:]), []).append(path)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page: Path, by_ending: dict[str, list[Path]]) -> None:
    """A path by its end; a name alone in a folder whose path, or that of a file in it, the page names."""
    prose = re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text("utf-8"))
    named = re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:py|js|css|md))`", prose)
    names = {name.rstrip("/") for name in named} - MADE.get(page.name, set())
    alone = {name for name in names if "/" not in name and "." in name}
    paths = names - alone
    folders = [path if path.is_dir() else path.parent for name in paths for path in by_ending.get(name, [])]
    assert paths
    assert {name for name in paths if name not in by_ending} == set()
    assert {name for name in alone if not any((folder / name).exists() for folder in folders)} == set()


def test_the_search_and_its_best_plies_are_what_the_readme_says() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    story = " ".join(text.split("## What to look at first")[1].split("##")[0].split())
    log = read_log_file(ROOT / "examples" / "hive-midgame.json.gz")
    told = re.search(r"best ply is `(.+?)` at (\S+), .+ worth (\S+)\. .+ chose `(.+?)` instead", story)
    assert told is not None
    tempting, looks, is_worth, chosen = told.groups()
    plies = searched_from_the_root(log)
    by_pre_score = sorted(plies, key=lambda ply: -plies[ply][0])
    assert by_pre_score[0] == tempting
    assert [f"{each:+.1f}" for each in plies[tempting]] == [looks, is_worth]
    assert log.header["result"]["ply"] == chosen
    figures = re.search(r"only fifteenth by pre-score at (\S+), and worth (\S+):", story)
    assert figures is not None
    assert by_pre_score.index(chosen) + 1 == 15
    assert tuple(f"{each:+.1f}" for each in plies[chosen]) == figures.groups()
    search = log.header["search"]
    assert f"depth {search['depth']}, the best {search['limit']} plies" in story


def searched_from_the_root(log: Log) -> dict[str, tuple[float, float]]:
    """Pre-score and score of every ply searched from the root."""
    columns = log.columns
    rows = np.flatnonzero((columns["parent"] == 0) & (columns["outcome"] < words.FIRST_STUB))
    found = {}
    for row in rows.tolist():
        ply = log.text(int(columns["ply"][row]))
        assert ply is not None
        found[ply] = float(columns["pre_score"][row]), float(columns["score"][row])
    return found


RULE_PAGE = (ROOT / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rule(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("rule") / "static_mate.py"
    fenced = re.findall(
        r"^   (`+)(python|markdown) static_mate\n(.*?)^   \1$", RULE_PAGE, re.DOTALL | re.MULTILINE
    )
    texts = {language: textwrap.dedent(text) for _, language, text in fenced}
    path.write_text(texts["python"], encoding="utf-8")
    path.with_name("static-mate.md").write_text(texts["markdown"], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("static_mate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.RULE


@pytest.mark.parametrize("compiled", [pytest.param(True, marks=pytest.mark.slow), False])
def test_the_rule_of_the_page_finds_its_example_and_judges_no_log_without_its_field(
    rule: Any, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, rule.name, rule)
    log = read_log(rule.text.example.encode())
    report = check(log, compiled=compiled)
    [finding] = report.findings(rule.name)
    assert finding.path == "a"
    assert (finding.expected, finding.found) == ([-900.0, 900.0], 950.0)
    assert finding.message == "The evaluation 950 counts as a win, expected less than 900 either way."
    assert has_row(sight_of(log), rule.judged)
    unjudged = read_log(rule.text.example.replace('"static"', '"pre_score"').encode())
    assert not has_row(sight_of(unjudged), rule.judged)


DOCS: Final = ROOT / "docs"
PAGE: Final = (DOCS / "logging-techniques.md").read_text(encoding="utf-8")

LOG: Final = re.compile(r"(.*?)```jsonl\n(.*?)```", re.DOTALL)
WRONG: Final = re.compile(r"Wrong, and found by \[`([a-z-]+)`\]")
WITHOUT: Final = re.compile(r"without\s+`([a-z_.]+)`,\s+\[`([a-z-]+)`\]")
TARGET: Final = re.compile(r"\]\((?!https?:)([^)#\s]+)")
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
        for before, text in LOG.findall(body):
            found.append(Example(title, before, [json.loads(line) for line in text.splitlines()]))
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


def test_what_pages_link_to_exists() -> None:
    links = [(page.name, to) for page in DOCS.glob("*.md") for to in TARGET.findall(page.read_text("utf-8"))]
    assert len(links) > 100
    assert [(name, to) for name, to in links if not (DOCS / to).exists()] == []
