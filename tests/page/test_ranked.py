"""A fan of 20,000 plays in the page: the table lists them by factor and sorts them; the board has heat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plyscope.engine.games.castle.data import read_kinds, read_plan
from plyscope.engine.games.castle.game import Rules, deal
from plyscope.engine.ranked.document import log_of
from plyscope.engine.ranked.ranking import FACTORS, Ranked, rank_plays
from tests.page.conftest import NewPage, Serve, settled, visit

PLAN = read_plan()
POSITION = deal(Rules(PLAN, read_kinds(PLAN)), 4, 3)


@pytest.fixture(scope="module")
def ranked() -> Ranked:
    return rank_plays(POSITION)


@pytest.fixture
def fan(serve: Serve, new_page: NewPage, tmp_path: Path, ranked: Ranked) -> Page:
    path = tmp_path / "turn.json"
    path.write_text(json.dumps(log_of(POSITION, ranked, "all", 0.1)), "utf-8")
    return visit(new_page(1600, 900), serve(path))


def test_the_table_of_a_fan_of_20000_plays_is_open_with_its_factors_and_sorts_by_one(
    fan: Page, ranked: Ranked
) -> None:
    assert len(ranked.ranks) > 20_000
    expect(fan.locator(".rows-title")).to_contain_text(f"{len(ranked.ranks):,} children of")
    headings = fan.locator(".rows-names")
    for name in FACTORS:
        expect(headings).to_contain_text(name.replace("_", " "))
    columns = fan.locator("#drawer .rows-list [role=option]").first.locator("> span")
    assert columns.first.evaluate("it => it.clientWidth") > 220  # room for most of a play's text
    right = fan.locator("#drawer .rows-list").evaluate("it => it.getBoundingClientRect().right")
    assert columns.last.evaluate("it => it.getBoundingClientRect().right") <= right, "columns lie outside"
    headings.get_by_role("button", name="heat").press("Enter")
    settled(fan)
    first = fan.locator("#drawer .rows-list [role=option]").first
    place = int(first.inner_text().split()[-1].lstrip("#")) - 1  # the root has id 0, the plays follow
    way = (
        "ascending" if headings.get_by_role("button", name="heat, sorted ascending").count() else "descending"
    )
    heat = ranked.values[:, -1]
    assert heat[place] == (heat.min() if way == "ascending" else heat.max())
    assert "sort=factors.heat" in fan.url


def test_the_board_shows_the_heat_map_and_the_play_that_is_selected(fan: Page, ranked: Ranked) -> None:
    board = fan.locator("#details-panel svg.board-squares")
    expect(board.locator(".board-value")).to_have_count(PLAN.n_cells)
    expect(fan.locator("#details-panel .board-key")).to_contain_text("Shaded: heat, ")
    expect(fan.locator("#details-panel .board-key")).to_contain_text(f"w {PLAN.zones['w']}")
    expect(fan.get_by_role("region", name="Board", exact=True)).to_have_count(0)
    expect(fan.locator("#details-panel .facts-extra")).to_contain_text("ranked")
    expect(fan.locator("#details-panel .facts-extra")).not_to_contain_text("cells")
    fan.locator("#drawer .rows-list [role=option]").first.click()
    settled(fan)
    n_tiles = len(ranked.play(0))
    expect(board.locator(".board-value")).to_have_count(PLAN.n_cells - n_tiles)
    expect(board.locator(".board-last")).to_have_count(1)
    expect(board.locator(".board-touched")).to_have_count(n_tiles - 1)
