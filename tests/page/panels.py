"""Common parts of the panels' tests: a small log with every kind of row, and a person's ways to open one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from tests.page.conftest import settled


def _ply(name: str, layer: str, score: float, outcome: str, **fields: Any) -> dict[str, Any]:
    return {"ply": name, "layer": layer, "score": score, "bound": "exact", "outcome": outcome, **fields}


_SEARCHED = {"layer": "max", "player": "white", "score": 12.5, "bound": "exact", "outcome": "searched"}
_FIGURES = {"static": 3, "factors": [0, 6], "depth": 2, "moves": 2}
_WINDOW = {"bound": "upper", "alpha": 12.5, "beta": None, "moves": 28, "pre_score": -3.2}
_BEST = [_ply("bA2", "max", 12.5, "leaf", static=12.5, factors=[1.5, -5]), _ply("bG1", "max", 14, "leaf")]
_CUT = [_ply("bG2", "max", 4, "leaf"), {"outcome": "pruned", "count": 27, "plies": ["bS1", "bS2"]}]
_PLIES = [
    _ply("wA1", "min", 12.5, "searched", moves=2, children=_BEST),
    _ply("wB1", "min", 4, "cutoff", **_WINDOW, static=-20, factors=[-2, 0], children=_CUT),
]
_ODD = {"remark": "<img src=x onerror=alert(1)>", "clock": {"left": [61, 59]}}
_COUNTERS = {"table": {"tried": 12345, "succeeded": 4321}}
_LINE = {"ply": "wA1", "score": 12.5, "pv": ["wA1", "bA2"]}
SAMPLE: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "search": {"algorithm": "alphabeta", "depth": 2, "limit": 30},
    "factors": [{"name": "queen ring", "weight": 10}, {"name": "mobility", "weight": 0.5}],
    "result": {**_LINE, "rank": 0, "randomness_quotient": 8, "seconds": 0.41, "counters": _COUNTERS},
    "root": {**_SEARCHED, **_FIGURES, **_ODD, "children": _PLIES},
}


def write_log(folder: Path, document: object = None, name: str = "sample.json") -> Path:
    """The document (the sample) as a file in `folder`; a text is written as it is."""
    path = folder / name
    chosen = SAMPLE if document is None else document
    path.write_text(chosen if isinstance(chosen, str) else json.dumps(chosen), "utf-8")
    return path


def node(page: Page, name: str) -> Locator:
    return page.get_by_role("treeitem", name=re.compile(rf"^{re.escape(name)}(,|$)"))


def details(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the node")


def logs(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Logs and run")


def paste(page: Page, text: str) -> Page:
    """Paste `text` where the focus is."""
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
            (document.activeElement ?? document.body).dispatchEvent(event);
        }""",
        text,
    )
    return settled(page)


def drag(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Press at `start`, move by so many pixels to the right and down in steps, let go."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + by[0], start[1] + by[1], steps=4)
    page.mouse.up()
    settled(page)


def drag_files(page: Page, event: str, files: dict[str, str]) -> Page:
    """Send the drag event `event` with these files (name to content) to the middle of the page."""
    page.evaluate(
        """([event, files]) => {
            const dataTransfer = new DataTransfer();
            for (const [name, text] of Object.entries(files)) {
                dataTransfer.items.add(new File([text], name));
            }
            const how = { dataTransfer, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent(event, how));
        }""",
        [event, files],
    )
    return settled(page)
