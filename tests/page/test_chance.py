"""Where chance moves nothing is chosen: no pair is marked, and the large board stops at the outcomes."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.page.conftest import Show, keys, press
from tests.page.panels import node

LEAF = {"outcome": "leaf", "bound": "exact", "layer": "min"}


def at_dice() -> dict[str, Any]:
    """A ply c3 in Reversi, after which a die decides (made up), and another one."""
    rolls = [
        {"ply": "roll 1", "score": -5, "prior": 0.5, **LEAF},
        {"ply": "roll 6", "score": 9, "prior": 0.5, **LEAF},
    ]
    dice = {
        "ply": "d3",
        "layer": "chance",
        "score": 2,
        "bound": "exact",
        "outcome": "searched",
        "children": rolls,
    }
    other = {"ply": "c4", "score": 1, **LEAF}
    root = {"layer": "max", "score": 2, "bound": "exact", "outcome": "searched", "children": [dice, other]}
    return {"plyscope": 1, "game": "reversi", "result": {"ply": "d3", "score": 2}, "root": root}


def test_at_a_roll_nothing_is_chosen_and_the_large_board_stops(show: Show) -> None:
    page = show(at_dice())
    why = page.locator("#why")
    expect(why.locator(".why-badge")).to_have_count(2)
    press(page, node(page, "d3"))
    page.keyboard.press("b")
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Chance moves here: roll 1 50.0\u202f% roll 6 50.0\u202f%")
    keys(page, "ArrowRight")
    expect(dialog.locator("#board-title")).to_contain_text("d3")
    press(page, dialog.get_by_role("button", name=re.compile("^roll 6")))
    page.keyboard.press("Escape")
    expect(why.locator("h2")).to_have_text("Chance moves here")
    expect(why).to_contain_text("the mean of 2 outcomes is +2. Each comes with a probability of 50 %.")
    expect(why.locator(".why-badge")).to_have_count(0)
