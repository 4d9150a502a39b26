"""A fan of 20,000 plays in the page: the table lists them by factor and sorts them; the board has heat."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Show, press, settled

CELLS: Final = tuple(f"{column}{row}" for row in range(8, 0, -1) for column in "abcdefghij")
ZONES: Final = {"w": "inside wall", "g": "ground"}
WEIGHTS: Final = {"tile_score": 100.0, "double_bonus": 30.0, "next_1": -100.0, "heat": 160.0}
PLAYS: Final = tuple(
    f"{kind} {one} + blank wall {other}"
    for kind in ("garden", "round table", "goblet", "great-hall corner")
    for one, other in permutations(CELLS, 2)
)
VALUES: Final = np.random.default_rng(1).integers(0, 30, (len(PLAYS), len(WEIGHTS))).astype(float)


def fan_log() -> dict[str, Any]:
    """A leaf for each play, the best rank first, below a board whose cells have heat."""
    ranks = VALUES @ [*WEIGHTS.values()]
    cells = [
        {"x": at % 10, "y": at // 10, "name": name, "label": "wg"[at % 2], "value": at / 10}
        for at, name in enumerate(CELLS)
    ]
    return {
        "plyscope": 1,
        "game": "castle",
        "players": ["player 1", "player 2"],
        "board": {"kind": "squares", "cells": cells, "value": "heat", "labels": ZONES},
        "search": {"algorithm": "ranked", "depth": 1, "options": {"scope": "all"}},
        "factors": [{"name": name, "weight": weight} for name, weight in WEIGHTS.items()],
        "root": {
            "layer": "max",
            "score": ranks.max(),
            "children": [
                {"ply": PLAYS[at], "layer": "min", "score": ranks[at], "static": ranks[at], "outcome": "leaf"}
                | {"factors": VALUES[at].tolist()}
                for at in np.argsort(-ranks, kind="stable").tolist()
            ],
        },
    }


@pytest.fixture
def fan(show: Show, tmp_path: Path) -> Page:
    path = tmp_path / "turn.json"
    path.write_text(json.dumps(fan_log()), "utf-8")
    return show(path, 1600, 900)


def test_the_table_of_a_fan_of_20000_plays_is_open_with_its_factors_and_sorts_by_one(fan: Page) -> None:
    assert len(PLAYS) > 20_000
    expect(fan.locator(".rows-title")).to_contain_text(f"{len(PLAYS):,} children of")
    headings = fan.locator(".rows-names")
    for name in WEIGHTS:
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
    heat = np.array([child["factors"][-1] for child in fan_log()["root"]["children"]])
    assert heat[place] == (heat.min() if way == "ascending" else heat.max())
    assert "sort=factors.heat" in fan.url


def test_the_board_shows_the_heat_map_and_the_play_that_is_selected(fan: Page) -> None:
    board = fan.locator("#details-panel svg.board-squares")
    expect(board.locator(".board-value")).to_have_count(len(CELLS))
    expect(fan.locator("#details-panel .board-key")).to_contain_text("Shaded: heat, ")
    expect(fan.locator("#details-panel .board-key")).to_contain_text(f"w {ZONES['w']}")
    expect(fan.get_by_role("region", name="Board", exact=True)).to_have_count(0)
    expect(fan.locator("#details-panel .facts-extra")).to_contain_text("ranked")
    expect(fan.locator("#details-panel .facts-extra")).not_to_contain_text("cells")
    press(fan, fan.locator("#drawer .rows-list [role=option]").first)
    expect(board.locator(".board-value")).to_have_count(len(CELLS) - 2)
    expect(board.locator(".board-last")).to_have_count(1)
    expect(board.locator(".board-touched")).to_have_count(1)
