"""Every rule: its own example breaks it first, and tells both figures."""

from __future__ import annotations

import pytest

from plyscope.visualizer.analysis.check.rule import SEVERITIES
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log


@pytest.mark.parametrize("name", RULES)
def test_the_first_finding_in_a_rules_example_is_that_rule(name: str) -> None:
    rule = RULES[name]
    log = read_log(rule.text.example.encode())
    first = check(log, compiled=False).findings()[0]
    assert first.rule == name
    assert first.severity in SEVERITIES
    assert first.expected != first.found
    assert first.message.endswith(".")


@pytest.mark.parametrize("name", RULES)
def test_an_ignored_rule_finds_nothing_in_its_example(name: str) -> None:
    log = read_log(RULES[name].text.example.encode())
    report = check(log, ignore=[name], compiled=False)
    assert name not in {finding.rule for finding in report.findings()}
    assert name not in report.checked
