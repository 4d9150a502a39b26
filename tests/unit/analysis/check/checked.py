"""Logs of a few nodes for the tests of rules, and what a check says of each in one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log

Node = dict[str, Any]
Cases = Mapping[str, Iterable[tuple[Any, str]]]
"""Sentences, each with the documents that show it and what is told of these: see `held`."""


def report_of(document: Any) -> Report:
    """The report on a document, by the plain kernels."""
    return check(read_log(json.dumps(document).encode()), compiled=False)


def found(document: Any, rule: str | None = None) -> list[tuple[str, str]]:
    """Rule and path of each finding, of one rule where asked."""
    return [(finding.rule, finding.path) for finding in report_of(document).findings(rule)]


def told(document: Any, rule: str | None = None) -> str:
    """Severity, rule and path of each finding, of one rule where asked; empty where there is none."""
    findings = report_of(document).findings(rule)
    return ", ".join(f"{each.severity} {each.rule} {each.path}" for each in findings)


def held(cases: Cases) -> Any:
    """The test that each document of a sentence is told as it says.

    A sentence that begins with a rule and a colon is about this rule alone, any other about all of them.
    """

    @pytest.mark.parametrize("sentence", cases)
    def test(sentence: str) -> None:
        rule, colon, _ = sentence.partition(": ")
        documents, expected = zip(*cases[sentence], strict=True)
        assert [told(document, rule if colon else None) for document in documents] == [*expected]

    return test


def messages(document: Any, rule: str) -> list[str]:
    """The sentences of a rule's findings."""
    return [finding.message for finding in report_of(document).findings(rule)]


def example(rule: str) -> Any:
    """A copy of the log that breaks the rule, to be mended or broken otherwise."""
    return json.loads(RULES[rule].text.example)


def child(document: Any, *places: int) -> Any:
    """A node by the places of children from the root."""
    node = document["root"]
    for place in places:
        node = node["children"][place]
    return node


def changed(rule: str, nodes: Mapping[str, Node] | None = None, **header: Any) -> Any:
    """The rule's example with other fields: of nodes, as `"1.0"` for the first child of the root's second.

    What is None goes; of an object of the header only the fields that are named change.
    """
    document = example(rule)
    for path, fields in (nodes or {}).items():
        put(child(document, *map(int, path.split(".") if path else ())), fields)
    for name, value in header.items():
        both = isinstance(value, dict) and isinstance(document.get(name), dict)
        put(document, {name: document[name] | value if both else value})
    return document


def put(node: Node, fields: Node) -> None:
    """Give a node these fields, and take from it those that are None."""
    node.update(fields)
    for name in [name for name, value in fields.items() if value is None]:
        del node[name]


def log(root: Node, **header: Any) -> Any:
    """A document of one tree."""
    return {"plyscope": 1, **header, "root": root}


def node(
    ply: str | None, layer: str | None = None, score: float | None = None, /, *children: Node, **fields: Any
) -> Node:
    """A node; what is None is not stated."""
    stated = {"ply": ply, "layer": layer, "score": score, **fields}
    below = {"children": list(children)} if children else {}
    return {name: value for name, value in stated.items() if value is not None} | below


def leaf(ply: str, score: float, /, **fields: Any) -> Node:
    """A leaf at which the opponent would move."""
    return node(ply, "min", score, **{"outcome": "leaf", **fields})
