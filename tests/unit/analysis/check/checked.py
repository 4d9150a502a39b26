"""The findings of a check in a document, in short: for the tests of its rules."""

from __future__ import annotations

import json
from typing import Any

from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log


def found(document: Any, rule: str | None = None) -> list[tuple[str, str]]:
    """Rule and path of each finding, of one rule where asked, by the plain kernels."""
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [(finding.rule, finding.path) for finding in report.findings(rule)]


def example(rule: str) -> Any:
    """A copy of the log that breaks the rule, to be mended or broken otherwise."""
    return json.loads(RULES[rule].text.example)


def child(document: Any, place: int) -> Any:
    """A child of the root."""
    return document["root"]["children"][place]
