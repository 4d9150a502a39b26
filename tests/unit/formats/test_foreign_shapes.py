"""Documents in the manner of what people post, each with the text of what it is read as.

`python -m tests.shapes.dump` writes the texts anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.reader import read_foreign
from tests.equality.forms import forms
from tests.property.test_foreign_bytes import check
from tests.shapes.dump import documents, dump, golden

TREES = {name: text for name, text in forms().items() if re.match(r"(other|shapes) .*\.json$", name)}
"""One tree as tools and students write it, and what people post."""
OF_VALUES = re.compile("nested lists|rows with text ids|(?<!toolkit), in a ring")
"""Read from values alone."""


def by_name(document: Path) -> str:
    return document.name


@pytest.mark.parametrize("document", documents(), ids=by_name)
def test_a_shape_reads_as_its_text_says(document: Path) -> None:
    assert dump(read_log(document.read_bytes())) == golden(document).read_text("utf-8")


@pytest.mark.parametrize("document", documents(), ids=by_name)
def test_the_mapping_that_was_guessed_reads_the_same_when_told(document: Path) -> None:
    guessed = read_log(document.read_bytes())
    told = read_log(document.read_bytes(), mapping=guessed.mapping)
    assert dump(told) == dump(guessed)
    assert told.shape == guessed.shape != ""


@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_the_same_from_its_bytes_and_from_values(name: str) -> None:
    assert (check(TREES[name]) is None) == bool(OF_VALUES.search(name))


@pytest.mark.parametrize("end", [{}, 3])
def test_plies_that_recur_on_the_way_down_are_no_field_of_children(end: object) -> None:
    """Maps from ply to reply: `b1`, played again two plies later, is not where a node keeps its children."""

    def node(levels: int) -> object:
        return {f"{'abc'[(levels + at) % 3]}1": node(levels - 1) for at in range(3)} if levels else end

    log = read_log(json.dumps(node(5)).encode())
    assert log.n_rows == sum(3**level for level in range(6))
    assert [log.texts[code] for code in log.columns["ply"][1:4]] == ["c1", "b1", "a1"]


@pytest.mark.parametrize("children", ["kinder", "folgen", "followers"])
def test_objects_that_say_all_that_the_one_around_them_says_are_its_children(children: str) -> None:
    root = {"zug": "start", "wert": 3, children: [{"zug": "a", "wert": 3}, {"zug": "b", "wert": 5}]}
    log = read_foreign(root)
    assert (log.n_rows, log.mapping["children"]) == (3, children)
    assert read_foreign({**root, children: [{"wert": 3, "why": "a"}]}).n_rows == 1 + (children == "kinder")
