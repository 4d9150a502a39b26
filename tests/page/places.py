"""Where things stand in the window."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, Page


def place_of(target: Locator) -> FloatRect:
    """Where an element that is drawn stands in the window, in pixels."""
    box = target.bounding_box()
    assert box is not None
    return box


def middle_of(target: Locator) -> tuple[float, float]:
    box = place_of(target)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def inside(box: FloatRect, outer: FloatRect, by: float = 0) -> bool:
    """Whether a place lies in another one, from side to side and from top to bottom."""
    across = outer["x"] - by <= box["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"] + by
    high = outer["y"] - by <= box["y"] and box["y"] + box["height"] <= outer["y"] + outer["height"] + by
    return across and high


def width_of(page: Page) -> int:
    """The width of all that the page has; more than the window's where it scrolls sideways."""
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width
