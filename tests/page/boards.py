"""Logs of one position with the plies searched there, and where they are found on the page's board."""

from __future__ import annotations

import re

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


def over(ply: str, score: float) -> dict[str, object]:
    """A ply that ends the game, won or lost."""
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


def standing(page: Page) -> dict[tuple[int, int], list[str]]:
    """The columns of a board of Hive in the details, read from what is drawn: by cell, the top piece last.

    Of a stack the board shows the top; the others are read from its row, which names the same top first.
    """
    found = (
        details(page)
        .locator("svg.board-hexes")
        .first.evaluate(
            """board => [...board.querySelectorAll("text.board-piece")].map(text => {
            const y = Math.round(text.getAttribute("y") / 0.866);
            const x = Math.round(text.getAttribute("x") - y / 2);
            return [x, y, text.getAttribute("class").includes("white") ? "w" : "b", text.textContent];
        })"""
        )
    )
    rows = (
        details(page)
        .locator(".board-stack-row svg")
        .evaluate_all(
            """rows => rows.map(row => [...row.querySelectorAll("text")].map(
            text => (text.getAttribute("class").includes("white") ? "w" : "b") + text.textContent))"""
        )
    )
    columns = {row[0]: row[::-1] for row in rows}
    return {(x, y): columns.get(side + name, [side + name]) for x, y, side, name in found}
