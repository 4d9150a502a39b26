"""Answers in a notebook: HTML and Markdown in which nothing of a log is markup."""

from __future__ import annotations

import json
import math
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.visualizer.analysis.nodes.notebook import Block, Displayed, Waterfall

EXAMPLES = Path(__file__).parents[3] / "examples"
NASTY = "<script>alert(1)</script> $x$ [a](javascript:b) `c` | d"
OURS = {"div", "p", "pre", "table", "tr", "th", "td"}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def nasty_log() -> plyscope.Log:
    leaf = {"layer": "min", "score": 1, "bound": "exact", "outcome": "leaf", "factors": [1]}
    children = [{**leaf, "ply": NASTY, NASTY: NASTY}, {**leaf, "ply": "b", "factors": [0]}]
    header = {"game": NASTY, "factors": [{"name": NASTY, "weight": 1}], "result": {"ply": NASTY, "score": 1}}
    root = {"layer": "max", "score": 2, "bound": "exact", "children": children}
    return plyscope.open(json.dumps({"plyscope": 1, **header, "root": root}))


def answers() -> dict[str, Any]:
    log, other = nasty_log(), plyscope.open(EXAMPLES / "reversi-midgame.json.gz")
    replay, report = plyscope.replay(log), plyscope.check(log)
    diff = plyscope.diff(log, plyscope.open('{"plyscope": 1, "root": {"children": [{"ply": "b"}]}}'))
    what_if = plyscope.what_if(other, {"mobility": 2})
    return {
        "Log": log,
        "Node": log[1],
        "Nodes": log.main_root.children,
        "Line": log.pv(),
        "Stats": log.stats,
        "Report": report,
        "Finding": report[0],
        "Explanation": plyscope.explain(log),
        "Explanation of a larger log": plyscope.explain(other),
        "Replay": replay,
        "Moment": replay[2],
        "Hits": plyscope.query(log, "score = 1"),
        "Diff": diff,
        "Change": diff[0],
        "WhatIf": what_if,
        "ReweightedPly": what_if.plies[0],
        "Statistics": plyscope.statistics(log),
    }


def test_every_answer_shows_itself_and_nothing_of_a_log_is_markup() -> None:
    for name, answer in answers().items():
        page = Tags()
        page.feed(answer._repr_html_())
        assert (set(page.names) <= OURS, page.open) == (True, []), name
        text = answer._repr_markdown_()
        if not text.startswith("```"):
            assert not set(re.sub(r"&#\d+;", "", text)) & set("<>[]$`\\*_"), name


def test_every_public_class_of_answers_is_displayed() -> None:
    not_answers = {"Logger", "Interrupted", "Picture", "RankChances", "SharedPage"}
    classes = {name: getattr(plyscope, name) for name in plyscope.__all__ if name[0].isupper()}
    answers = {name for name in classes if not name.endswith("Error")} - not_answers
    assert [name for name in sorted(answers) if not hasattr(classes[name], "_repr_html_")] == []


def test_a_log_is_a_small_tree_that_unfolds_its_line() -> None:
    log = plyscope.open(EXAMPLES / "textbook-alpha-beta.json")
    page = Tags()
    page.feed(log._repr_html_())
    assert page.texts[0] == "textbook-alpha-beta.json: 11 rows, game explicit_tree, depth 2, chose a (+3)"
    nodes = [text for text in page.texts if text == "root" or "├" in text]
    assert nodes[:3] == ["root", "├ a", "│ ├ a"]
    assert "├ b" in nodes  # not on the line, so that its children are not shown
    assert nodes.index("├ c") == nodes.index("├ b") + 1


@pytest.mark.parametrize(
    ("library", "method"), [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")]
)
def test_a_library_that_is_not_there_is_named(
    library: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    hits = plyscope.query(EXAMPLES / "textbook-alpha-beta.json", "score > 2")
    for answer in (hits, plyscope.open(EXAMPLES / "textbook-alpha-beta.json")):
        with pytest.raises(ImportError, match=rf"{method}\(\) needs {library}, .* `pip install {library}`"):
            getattr(answer, method)()


def test_a_margin_without_end_has_bars() -> None:
    """The bar of what is infinite is the longest, and all others have none."""
    waterfall = Waterfall([("end", "+∞", math.inf), ("mobility", "+3", 3.0), ("margin", "+∞", math.inf)])

    class Margin(Displayed):
        def _blocks(self) -> list[Block]:
            return [waterfall]

    assert "nan" not in Margin()._repr_html_()
    assert [row.count("▶") for row in Margin()._repr_markdown_().splitlines()[2:5]] == [24, 0, 24]
