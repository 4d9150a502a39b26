"""Pictures of the main views, for people to look at: `python -m tests.screenshots FOLDER`.

They are not compared with anything. `docs/images/tree.png` in the README is `light-wide-0-why.png`.
"""

from __future__ import annotations

import socket
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.browser import ARGUMENTS, browser

FAULTY = "bug-wrong-sign.json"
SIZES = {"wide": (1440, 900), "laptop": (1280, 720), "tablet": (820, 1180), "phone": (390, 844)}


def settled(page: Page) -> None:
    page.wait_for_selector('html[data-idle="true"]', state="attached")


def take(page: Page, address: str, folder: Path, name: str) -> None:
    """The default log, the chosen ply with its details, the tooltip, and the dialogs."""
    page.goto(f"{address}?testing=1")
    settled(page)
    page.screenshot(path=folder / f"{name}-1-opened.png")
    page.keyboard.press("p")
    settled(page)
    page.keyboard.press("p")
    settled(page)
    page.keyboard.press("Enter")
    settled(page)
    page.screenshot(path=folder / f"{name}-2-details.png")
    page.get_by_role("treeitem", selected=True).hover()
    settled(page)
    page.screenshot(path=folder / f"{name}-3-tooltip.png")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    settled(page)
    page.screenshot(path=folder / f"{name}-4-help.png")
    page.keyboard.press("Escape")


def take_why(page: Page, address: str, folder: Path, name: str) -> None:
    """Why the chosen ply and not the best other, on the default log as it opens."""
    page.goto(f"{address}?testing=1")
    settled(page)
    page.keyboard.press("y")
    settled(page)
    page.screenshot(path=folder / f"{name}-0-why.png")


def take_check(page: Page, address: str, folder: Path, name: str) -> None:
    """A log with a bug: the findings by rule, the first one, and the details of its node."""
    listed = page.request.get(f"{address}api/logs").json()["logs"]
    log = next(log["id"] for log in listed if log["name"] == FAULTY)
    page.goto("about:blank")  # an address that differs after its # alone would not load the page again
    page.goto(f"{address}?testing=1#log={log}")
    settled(page)
    page.keyboard.press("c")
    settled(page)
    page.screenshot(path=folder / f"{name}-5-check.png")
    page.keyboard.press("e")
    settled(page)
    page.screenshot(path=folder / f"{name}-6-finding.png")
    page.get_by_role("button", name="Details of this node").click()
    settled(page)
    page.screenshot(path=folder / f"{name}-7-details.png")


def main(folder: Path) -> None:
    """Start a viewer on the examples and take every picture, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        listener = socket.create_server(("127.0.0.1", 0))
        app = create_app({"DATA_FOLDER": Path(kept) / "data", "CACHE_FOLDER": Path(kept) / "cache"})
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        with serving(app, listener), sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser(), args=ARGUMENTS)
            for scheme in ("light", "dark"):
                for name, (width, height) in SIZES.items():
                    context = chromium.new_context(
                        viewport={"width": width, "height": height}, color_scheme=scheme
                    )
                    page = context.new_page()
                    if name != "phone":  # where nothing hovers, and details lie over the tree
                        take_why(page, address, folder, f"{scheme}-{name}")
                        take(page, address, folder, f"{scheme}-{name}")
                    take_check(page, address, folder, f"{scheme}-{name}")
                    context.close()
            chromium.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
