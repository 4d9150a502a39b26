"""The details of a root whose ply was drawn: its ranks with bars and costs, the drawn one ringed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.statistics.figures import Quotient
from plyscope.visualizer.analysis.statistics.quotient import quotient_of
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.page.conftest import Show, place_of, press, settled

LOG: dict[str, Any] = {
    "plyscope": 1,
    "result": {"ply": "b", "score": 6, "rank": 1, "randomness_quotient": 2, "seed": 1},
    "root": {
        "layer": "max",
        "score": 6,
        "children": [
            {"ply": "a", "score": 8, "bound": "exact"},
            {"ply": "b", "score": 6, "bound": "exact"},
            {"ply": "c", "score": 3, "bound": "upper"},
        ],
    },
}


@pytest.fixture
def drawn(show: Show, tmp_path: Path) -> Page:
    path = tmp_path / "drawn.json"
    path.write_text(json.dumps(LOG), "utf-8")
    return show(path, 1280, 720)


def answer(q: int | None = None) -> dict[str, Any]:
    found = quotient_of(Tree(read_log(json.dumps(LOG).encode())), q)
    assert isinstance(found, Quotient)
    told: dict[str, Any] = as_json(found)
    return told


def test_the_expected_loss_is_that_of_each_rank() -> None:
    """1/2 of nothing, 1/4 of 2, and 1/4 of 5 at least."""
    found = answer()
    assert (found["loss_low"], found["loss_high"]) == (1.75, None)
    tree = Tree(read_log(json.dumps(LOG).encode()))
    ids = tree.log.columns["id"][tree.children(tree.main_root)].tolist()
    assert [(bar["ply"], bar["id"]) for bar in found["bars"]] == [("a", ids[0]), ("b", ids[1]), (None, None)]
    assert [(bar["score_low"], bar["score_high"]) for bar in found["bars"]] == [(8, 8), (6, 6), (None, 3)]


def test_the_ranks_stand_before_all_other_details_of_the_root(drawn: Page) -> None:
    part = drawn.locator("#quotient")
    expect(part).to_be_visible()
    others = drawn.locator("#details-panel details.section")
    expect(others.first).to_be_visible()
    tops = [box["y"] for each in others.all() if (box := each.bounding_box()) is not None]
    box = place_of(part)
    assert box["y"] < min(tops)


def test_the_root_shows_its_plies_by_rank_and_rings_the_drawn_one(drawn: Page) -> None:
    part = drawn.locator("#quotient")
    expect(part).to_be_visible()
    expect(part.locator("tbody tr")).to_have_count(3)
    rows = [row.inner_text().split() for row in part.locator("tbody tr").all()]
    assert rows[0] == ["0", "a", "50", "%", "8.00", "0.00"]
    assert rows[1] == ["1", "b", "25", "%", "6.00", "2.00"]
    assert rows[2][-2:] == ["≥", "5.00"]
    assert "≤" in rows[2]
    expect(part.locator(".figures-strong")).to_have_count(1)
    expect(part.locator(".figures-strong th")).to_have_text("1 b")
    assert (
        part.locator(".figures-strong .bar-track").evaluate("bar => getComputedStyle(bar).outlineStyle")
        == "solid"
    )
    expect(part.locator(".figure-caption").first).to_contain_text("Expected loss at least 1.75.")


def test_the_slider_puts_another_quotient_in_its_place(drawn: Page) -> None:
    part = drawn.locator("#quotient")
    slider = part.get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    settled(drawn)
    expect(part.locator("output")).to_have_text("3")
    assert answer(3)["bars"][0]["probability"] == pytest.approx(2 / 3)
    expect(part.locator("tbody tr").first).to_contain_text("67 %")
    expect(part).to_contain_text("The search drew with Q = 2.")


def test_other_nodes_show_no_ranks(drawn: Page) -> None:
    press(drawn, drawn.locator("#quotient").get_by_role("button", name="0 a"))
    expect(drawn.locator("#quotient")).to_be_hidden()
