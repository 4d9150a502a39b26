"""docs/query.md: its table of fields is made from the fields, its examples are expressions that are read."""

from __future__ import annotations

import re

from plyscope.visualizer.analysis.query import fields_page
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import FUNCTIONS, parse
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree


def test_the_table_of_fields_is_as_the_fields_are_now() -> None:
    text = fields_page.PAGE.read_text("utf-8")
    assert fields_page.page(text) == text, "run python -m plyscope.visualizer.analysis.query.fields_page"


def test_every_field_of_the_table_can_be_asked_for() -> None:
    log = read_log(
        b'{"plyscope": 1, "players": ["NAME", "b"], "factors": [{"name": "NAME", "weight": 1}],'
        b' "root": {"scores": [1, 2], "factors": [1]}}'
    )
    fields = Fields(Tree(log))
    shown = re.findall(r"^\| `([^`]+)` \| ([a-z ]+) \|", fields_page.fields_table(), re.MULTILINE)
    assert [(name, fields.find(name).type) for name, _ in shown] == shown
    assert {name for name, _ in shown} >= {name for name in fields.names() if not name.startswith("scores.")}


def test_the_examples_of_commands_are_read() -> None:
    examples = re.findall(r'plyscope query a\.json "([^"]+)"', fields_page.PAGE.read_text("utf-8"))
    assert len(examples) == 3
    for example in examples:
        parse(example)


def test_every_function_is_explained() -> None:
    text = fields_page.PAGE.read_text("utf-8")
    assert [name for name in FUNCTIONS if f"`{name}( )`" not in text and f"`{name}(" not in text] == []
