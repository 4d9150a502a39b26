"""Pictures of the main views, for people to look at: `python -m tests.screenshots FOLDER`.

They are not compared with anything. `docs/images/tree.png` in the README is `light-wide-0-why.png`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from tests.benchmarks.in_browser import address_of, chromium, fresh_page, wait

FAULTY = "bug-wrong-sign.json"
SIZES = {"wide": (1440, 900), "laptop": (1280, 720), "tablet": (820, 1180), "phone": (390, 844)}
HOVER, DETAILS = "hover", "details"

WHY = (("0-why", ("y",)),)
DEFAULT = (
    ("1-opened", ()),
    ("2-details", ("p", "p", "Enter")),
    ("3-tooltip", (HOVER,)),
    ("4-help", ("Escape", "?")),
)
CHECK = (("5-check", ("c",)), ("6-finding", ("e",)), ("7-details", (DETAILS,)))
"""Pictures that follow one another, and what is pressed before each."""


def take(page: Page, link: str, name: str, pictures: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    """Open a link, and take some pictures."""
    page.goto("about:blank")  # an address that differs after its # alone would not load the page again
    page.goto(link)
    wait(page)
    for what, presses in pictures:
        for press in presses:
            if press == HOVER:
                page.get_by_role("treeitem", selected=True).hover()
            elif press == DETAILS:
                page.get_by_role("button", name="Details of this node").click()
            else:
                page.keyboard.press(press)
            wait(page)
        page.screenshot(path=f"{name}-{what}.png")


def main(folder: Path) -> None:
    """Start a viewer on the examples and take every picture, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, address_of(Path(kept)) as address, chromium() as started:
        for scheme in ("light", "dark"):
            for name, size in SIZES.items():
                with fresh_page(started, *size) as page:
                    page.emulate_media(color_scheme=scheme)
                    place, link = f"{folder}/{scheme}-{name}", f"{address}?testing=1"
                    if name != "phone":  # where nothing hovers, and details lie over the tree
                        take(page, link, place, WHY)
                        take(page, link, place, DEFAULT)
                    logs = page.request.get(f"{address}api/logs").json()["logs"]
                    faulty = next(log["id"] for log in logs if log["name"] == FAULTY)
                    take(page, f"{link}#log={faulty}", place, CHECK)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
