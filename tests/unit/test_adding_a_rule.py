"""The rule of docs/adding-a-rule.md is one: it is asked, and finds what the page says that it finds."""

from __future__ import annotations

import importlib.util
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.facts.judged import has_row
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.formats.detect import read_log

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rule(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("rule") / "static_mate.py"
    fenced = re.findall(
        r"^   (`+)(python|markdown) static_mate\n(.*?)^   \1$", PAGE, re.DOTALL | re.MULTILINE
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
def test_the_rule_of_the_page_finds_its_example(
    rule: Any, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, rule.name, rule)
    report = check(read_log(rule.text.example.encode()), compiled=compiled)
    [finding] = report.findings(rule.name)
    assert finding.path == "a"
    assert (finding.expected, finding.found) == ([-900.0, 900.0], 950.0)
    assert finding.message == "The evaluation 950 counts as a win, expected less than 900 either way."


def test_the_rule_of_the_page_says_where_it_has_nothing_to_judge(rule: Any) -> None:
    log = read_log(rule.text.example.replace('"static"', '"pre_score"').encode())
    assert has_row(sight_of(read_log(rule.text.example.encode())), rule.judged)
    assert not has_row(sight_of(log), rule.judged)


def test_the_files_that_the_page_names_are_there() -> None:
    named = re.findall(r"`((?:visualizer|tests|docs)/[\w/.]+?)/?`", PAGE)
    assert len(named) >= 3
    assert [name for name in named if "*" not in name and not (ROOT / name).exists()] == []
