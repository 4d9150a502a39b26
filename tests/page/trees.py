"""Logs for the tests of the tree, written by hand, and ways to find their nodes on the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from tests.page.places import middle_of

EXAMPLES = Path(__file__).parents[2] / "examples"
REVERSI = EXAMPLES / "reversi-midgame.json.gz"
DEEPENING = EXAMPLES / "connect-four-deepening.jsonl.gz"
WRONG_SIGN = EXAMPLES / "bugs" / "bug-wrong-sign.json"


def node(ply: str, score: float, *children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "bound": "exact", **fields, "children": list(children)}


def leaf(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "bound": "exact", "outcome": "leaf", **fields}


def chain(*plies: str) -> dict[str, Any]:
    """A root whose only line goes over these plies."""
    below: list[dict[str, Any]] = []
    for ply in reversed(plies):
        below = [{"ply": ply, "score": 1, "outcome": "searched" if below else "leaf", "children": below}]
    return {"score": 1, "outcome": "searched", "children": below}


def replies(*scores: float) -> list[dict[str, Any]]:
    return [leaf(f"r{i + 1}", score) for i, score in enumerate(scores)]


def layered(branch: dict[str, Any], layer: str = "max") -> dict[str, Any]:
    """The same branch with layers written on it, alternating."""
    below = "min" if layer == "max" else "max"
    children = [layered(child, below) for child in branch.get("children", [])]
    return {"layer": layer, **branch, **({"children": children} if children else {})}


def textbook() -> dict[str, Any]:
    """A root of four plies: c6 is chosen, d6 refuted at once, e6 bounded from below, f6 worth little."""
    answers = [node("a1", 12.5, *replies(12.5, 3)), node("a2", 14, *replies(14, 2))]
    pruned = {"outcome": "pruned", "count": 27, "plies": ["b2"]}
    plies = [
        node("c6", 12.5, *answers, outcome="searched"),
        node("d6", 4, node("b1", 4, *replies(4)), pruned, bound="upper", outcome="cutoff"),
        node("e6", 5, node("g1", 5, *replies(5)), bound="lower", outcome="cutoff"),
        node("f6", -2.6, node("h1", -2.6, *replies(-2.6, -9))),
        {"outcome": "limited", "count": 6},
    ]
    root = {"score": 12.5, "bound": "exact", "outcome": "searched", "children": plies}
    line = {"ply": "c6", "score": 12.5, "pv": ["c6", "a1", "r1"]}
    return {"plyscope": 1, "result": line, "root": layered(root)}


def wide(n_plies: int) -> dict[str, Any]:
    """A root of many plies, the later the better."""
    plies = [node(f"p{i}", i, leaf("x", i)) for i in range(n_plies)]
    return {"plyscope": 1, "root": layered({"score": n_plies - 1, "children": plies})}


def write_lines(path: Path, parents: list[int | None]) -> Path:
    """A log as JSON Lines: node `i` below node `parents[i]`."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"plyscope": 1}\n')
        for i, parent in enumerate(parents):
            place = {} if parent is None else {"parent": parent, "ply": f"n{i}"}
            file.write(json.dumps({"id": i, **place, "score": i % 1000}) + "\n")
    return path


def item(page: Page, name: str) -> Locator:
    """The drawn node whose label begins with this name."""
    return page.locator(
        f'[role="treeitem"][aria-label^="{name},"], [role="treeitem"][aria-label="{name}"]'
    ).first


def card(page: Page, node_id: int) -> Locator:
    return page.locator(f'#tree [data-id="{node_id}"]')


def names(page: Page) -> list[str]:
    """The names of the drawn nodes in reading order: each label up to its first comma."""
    labels = page.locator('#tree [role="treeitem"][data-id]').evaluate_all(
        "items => items.map(item => item.getAttribute('aria-label'))"
    )
    return [str(label).partition(",")[0] for label in labels]


def selected(page: Page) -> str:
    return str(page.locator('#tree [aria-selected="true"]').get_attribute("aria-label")).partition(",")[0]


def camera(page: Page) -> str:
    return str(page.locator("#tree .world").get_attribute("transform"))


def scale(page: Page) -> float:
    return float(camera(page).partition("scale(")[2].rstrip(")"))


def middle(page: Page, name: str) -> tuple[float, float]:
    return middle_of(item(page, name).locator(".node-card"))
