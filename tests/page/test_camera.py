"""Tests of the camera: wheel, drag, fingers, fit, and motions that it never makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.page.conftest import NewPage, Serve, Show, again, keys, linked, press, settled
from tests.page.places import inside, place_of
from tests.page.trees import item, middle, names, scale, selected, textbook, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def drag(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + by[0], start[1] + by[1], steps=4)
    page.mouse.up()
    settled(page)


def test_the_camera_zooms_pans_and_fits_and_touches_nothing_else(tree: Page) -> None:
    link = linked(tree)
    # The pv button goes to the next node of the line and keeps the scale.
    before = scale(tree)
    button = tree.get_by_role("button", name="Next node of the principal variation")
    walked = [selected(press(tree, button)) for _ in range(4)]
    assert walked == ["c6", "a1", "r1", "root"]
    assert scale(tree) == before
    assert "back to the root" in str(button.get_attribute("title"))
    # A drag pans, selects nothing, and touches nothing but the camera.
    again(tree, link)
    x, y = middle(tree, "d6")
    drag(tree, (x, y), (40, 30))
    assert middle(tree, "d6") == pytest.approx((x + 40, y + 30), abs=2)
    assert selected(tree) == "root"
    x, y = middle(tree, "root")
    tree.mouse.move(x, y + 200)
    settled(tree).evaluate(
        """() => {
            window.changes = [];
            const note = list => window.changes.push(...list.map(one => one.target.getAttribute("class")));
            const all = {attributes: true, childList: true, subtree: true};
            new MutationObserver(note).observe(document.querySelector("#tree svg"), all);
        }"""
    )
    drag(tree, (x, y + 200), (90, 60))
    assert set(tree.evaluate("window.changes")) == {"world"}
    # The wheel zooms around the pointer.
    again(tree, link)
    before = middle(tree, "d6")
    tree.mouse.move(*before)
    tree.mouse.wheel(0, -400)
    assert middle(settled(tree), "d6") == pytest.approx(before, abs=2)
    assert scale(tree) > 1.2
    # Fit brings the whole tree into the window.
    tree.mouse.wheel(0, -2000)
    keys(settled(tree), "f")
    outer = place_of(tree.locator("#tree"))
    for name in names(tree):
        x, y = middle(tree, name)
        assert inside({"x": x, "y": y, "width": 0, "height": 0}, outer)
    # The tree cannot be dragged out of the window.
    again(tree, link)
    start = outer["x"] + outer["width"] / 2, outer["y"] + 20
    for by in ((9000, 0), (0, -9000)):
        drag(tree, start, by)
        world = place_of(tree.locator("#tree .nodes"))
        assert world["x"] < outer["x"] + outer["width"] - 40
        assert world["y"] + world["height"] > outer["y"] + 40
    # One that there is room for is whole again after a step.
    again(tree, link)
    keys(tree, "p", "p")
    x, y = middle(tree, "root")
    drag(tree, (x, y + 150), (-150, 0))
    assert tree.evaluate(OUTSIDE) != []
    keys(tree, "ArrowDown")
    assert tree.evaluate(OUTSIDE) == []


def test_motion_ends_where_no_motion_ends(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    server = serve(write(tmp_path, textbook()))
    places = []
    page = new_page()
    for address in (f"{server.address}?testing=1", server.address):
        page.goto(address)
        settled(page)
        if address == server.address:  # where it is a first visit, too
            page.get_by_role("button", name="Do not show this again").click()
        press(page, item(page, "d6"))
        item(page, "b1").wait_for()
        settled(page)
        places += [middle(page, name) for name in ("root", "c6", "d6", "b1")]
    for still, moved in zip(places[:4], places[4:], strict=True):
        assert moved == pytest.approx(still, abs=1.5)


def test_two_fingers_zoom_one_pans_and_a_tap_opens(show: Show) -> None:
    page = show(textbook(), width=820, height=1180, has_touch=True, only="0.1.1")
    client = page.context.new_cdp_session(page)
    x, y = middle(page, "root")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", (x, y + 200))
    for step in range(1, 6):
        touch("touchMove", (x, y + 200 + 10 * step))
    touch("touchEnd")
    moved = middle(settled(page), "root")
    assert abs(moved[0] - x) < 2
    assert abs(moved[1] - y - 50) < 12
    before = scale(page)
    touch("touchStart", (x, y + 150), (x + 100, y + 150))
    for step in range(1, 6):
        touch("touchMove", (x - 10 * step, y + 150), (x + 100 + 10 * step, y + 150))
    touch("touchEnd")
    assert scale(settled(page)) > 1.5 * before
    keys(page, "f")
    page.touchscreen.tap(*middle(page, "d6"))
    assert "b1" in names(settled(page))


@pytest.mark.parametrize(
    ("example", "widths"),
    [
        ("hive-midgame.json.gz", (1280, 2560)),
        ("bugs/bug-lost-alpha.json", (1280, 2560)),
        ("connect-four-deepening.jsonl.gz", (1440,)),  # the other roots of a forest come later, and are wider
    ],
)
def test_the_first_view_is_whole(show: Show, example: str, widths: tuple[int, ...]) -> None:
    """Notes and the key take their height from the tree after it was drawn; it fits what is left."""
    page = show(EXAMPLES / example, widths[0], 9 * widths[0] // 16)
    for width in widths:
        height = 9 * width // 16
        address = page.url.partition("#")[0]
        page.goto("about:blank")  # an address of a view is another one
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        assert settled(page).evaluate(OUTSIDE) == []
        page.set_viewport_size({"width": width, "height": height - 100})
        whole = f"size => {TREE}.clientHeight < size && ({OUTSIDE})().length === 0"
        page.wait_for_function(whole, arg=height - 150)


TREE = 'document.querySelector("#tree")'
OUTSIDE = f"""() => {{
    const tree = {TREE}.getBoundingClientRect();
    const isOutside = (item) => {{
        const card = (item.querySelector(".node-card") ?? item).getBoundingClientRect();
        const across = card.left < tree.left || card.right > tree.right;
        return across || card.top < tree.top || card.bottom > tree.bottom;
    }};
    const items = [...document.querySelectorAll("#tree [role=treeitem]")];
    return items.filter(isOutside).map((item) => item.getAttribute("aria-label"));
}}"""
"""What is drawn of the tree and does not lie within its part of the window."""
