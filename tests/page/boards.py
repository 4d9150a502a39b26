"""Logs of one position with the plies searched there, and where they are found on the page's board."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.page.panels import details


def opened(game: str, *plies: str) -> dict[str, object]:
    """A log of one line of plies from the start of `game`."""
    root: dict[str, object] = {"children": []}
    at = root
    for ply in plies:
        child: dict[str, object] = {"ply": ply, "children": []}
        at["children"] = [child]
        at = child
    return {"plyscope": 1, "game": game, "root": root}


def leaf(ply: str, score: float, **fields: object) -> dict[str, object]:
    return {"ply": ply, "score": score, "bound": "exact", "outcome": "leaf", **fields}


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


def mark(page: Page, name: str) -> Locator:
    return details(page).get_by_role("group", name="Searched plies").get_by_role("button", name=name)
