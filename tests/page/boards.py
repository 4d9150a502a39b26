"""Logs of one position with the plies searched there, and where they are found on the page's board."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

from tests.page.panels import details
from tests.page.trees import leaf


def over(ply: str, score: float) -> dict[str, object]:
    return leaf(ply, score, outcome="terminal", ending="win" if score > 0 else "loss")


def searched(game: str, *children: dict[str, object], position: str | None = None) -> dict[str, object]:
    """A log of one root, white or black to move, and what was searched there."""
    where = {} if position is None else {"position": position}
    root = {"layer": "max", "score": 9, "outcome": "searched", "children": list(children)}
    return {"plyscope": 1, "game": game, **where, "root": root}


def board(page: Page) -> Locator:
    return details(page).get_by_role("img")


def marks(page: Page) -> Locator:
    """The marks of the searched plies on the board in the details."""
    return details(page).locator(".ply-mark")


def mark(page: Page, name: str | re.Pattern[str]) -> Locator:
    return details(page).get_by_role("group", name="Searched plies").get_by_role("button", name=name)
