"""docs/query.md: its table of fields has all, its examples are expressions that are read."""

from __future__ import annotations

import re

from plyscope.visualizer.analysis.answer_files import QUERIES, ROOT
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import FUNCTIONS, parse
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree

PAGE = (ROOT / QUERIES).read_text("utf-8")


def test_every_field_of_the_table_can_be_asked_for() -> None:
    log = read_log(
        b'{"plyscope": 1, "players": ["NAME", "b"], "factors": [{"name": "NAME", "weight": 1}],'
        b' "root": {"scores": [1, 2], "factors": [1]}}'
    )
    fields = Fields(Tree(log))
    shown = re.findall(r"^\| `([^`]+)` \| ([a-z ]+) \|", PAGE.partition("<!-- fields:")[2], re.MULTILINE)
    assert [(name, fields.find(name).type) for name, _ in shown] == shown
    assert {name for name, _ in shown} >= {name for name in fields.names() if not name.startswith("scores.")}


def test_the_examples_of_commands_are_read() -> None:
    examples = re.findall(r'plyscope query a\.json "([^"]+)"', PAGE)
    assert len(examples) == 3
    for example in examples:
        parse(example)


def test_every_function_is_explained() -> None:
    assert [name for name in FUNCTIONS if f"`{name}( )`" not in PAGE and f"`{name}(" not in PAGE] == []
