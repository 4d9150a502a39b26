"""Tests of the camera: wheel, drag, fingers, fit, and motions that it never makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.page.conftest import NewPage, Serve, Show, again, keys, linked, place_of, press, settled
from tests.page.trees import item, middle, names, scale, selected, textbook, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_camera_zooms_pans_and_fits_and_touches_nothing_else(tree: Page) -> None:
    link = linked(tree)
    # The pv button goes to the next node of the line and keeps the scale.
    before = scale(tree)
    button = tree.get_by_role("button", name="Next node of the principal variation")
    walked = []
    for _ in range(4):
        press(tree, button)
        walked.append(selected(tree))
    assert walked == ["c6", "a1", "r1", "root"]
    assert scale(tree) == before
    assert "back to the root" in str(button.get_attribute("title"))
    # A drag pans and selects nothing.
    again(tree, link)
    x, y = middle(tree, "d6")
    tree.mouse.move(x, y)
    tree.mouse.down()
    tree.mouse.move(x + 40, y + 30, steps=4)
    tree.mouse.up()
    settled(tree)
    moved = middle(tree, "d6")
    assert abs(moved[0] - x - 40) < 2
    assert abs(moved[1] - y - 30) < 2
    assert selected(tree) == "root"
    # Panning touches nothing but the camera.
    again(tree, link)
    x, y = middle(tree, "root")
    tree.mouse.move(x, y + 200)
    settled(tree)
    tree.evaluate(
        """() => {
            window.changes = [];
            const note = list => window.changes.push(...list.map(one => one.target.getAttribute("class")));
            const all = {attributes: true, childList: true, subtree: true};
            new MutationObserver(note).observe(document.querySelector("#tree svg"), all);
        }"""
    )
    tree.mouse.down()
    tree.mouse.move(x + 90, y + 260, steps=6)
    tree.mouse.up()
    settled(tree)
    assert set(tree.evaluate("window.changes")) == {"world"}
    # The wheel zooms around the pointer.
    again(tree, link)
    before = middle(tree, "d6")
    tree.mouse.move(*before)
    tree.mouse.wheel(0, -400)
    settled(tree)
    after = middle(tree, "d6")
    assert scale(tree) > 1.2
    assert abs(after[0] - before[0]) < 2
    assert abs(after[1] - before[1]) < 2
    # Fit brings the whole tree into the window.
    again(tree, link)
    tree.mouse.move(*middle(tree, "d6"))
    tree.mouse.wheel(0, -2000)
    settled(tree)
    keys(tree, "f")
    outer = tree.locator("#tree").bounding_box()
    assert outer is not None
    for name in names(tree):
        x, y = middle(tree, name)
        assert outer["x"] < x < outer["x"] + outer["width"]
        assert outer["y"] < y < outer["y"] + outer["height"]
    # The tree cannot be dragged out of the window.
    again(tree, link)
    outer = tree.locator("#tree").bounding_box()
    assert outer is not None
    x, y = outer["x"] + outer["width"] / 2, outer["y"] + 20
    for dx, dy in ((9000, 0), (-9000, 0), (0, 9000), (0, -9000)):
        tree.mouse.move(x, y)
        tree.mouse.down()
        tree.mouse.move(x + dx, y + dy, steps=3)
        tree.mouse.up()
        settled(tree)
        world = place_of(tree.locator("#tree .nodes"))
        assert world["x"] < outer["x"] + outer["width"] - 40
        assert world["x"] + world["width"] > outer["x"] + 40
        assert world["y"] < outer["y"] + outer["height"] - 40
        assert world["y"] + world["height"] > outer["y"] + 40


def test_motion_ends_where_no_motion_ends(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    server = serve(write(tmp_path, textbook()))
    places = []
    for address in (f"{server.address}?testing=1", server.address):
        page = new_page()
        page.goto(address)
        settled(page)
        if address == server.address:  # where it is a first visit, too
            page.get_by_role("button", name="Do not show this again").click()
        press(page, item(page, "d6"))
        page.wait_for_selector('[role="treeitem"][aria-label^="b1,"]')
        settled(page)
        places.append([middle(page, name) for name in ("root", "c6", "d6", "b1")])
    still, moved = places
    for one, two in zip(still, moved, strict=True):
        assert one == pytest.approx(two, abs=1.5)


def test_two_fingers_zoom_and_one_pans(show: Show) -> None:
    page = show(textbook(), width=820, height=1180, has_touch=True)
    client = page.context.new_cdp_session(page)
    x, y = middle(page, "root")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", (x, y + 200))
    for step in range(1, 6):
        touch("touchMove", (x, y + 200 + 10 * step))
    touch("touchEnd")
    settled(page)
    moved = middle(page, "root")
    assert abs(moved[0] - x) < 2
    assert abs(moved[1] - y - 50) < 12
    before = scale(page)
    touch("touchStart", (x, y + 150), (x + 100, y + 150))
    for step in range(1, 6):
        touch("touchMove", (x - 10 * step, y + 150), (x + 100 + 10 * step, y + 150))
    touch("touchEnd")
    settled(page)
    assert scale(page) > 1.5 * before


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 720), pytest.param(1920, 1080, marks=pytest.mark.sweep), (2560, 1440)]
)
@pytest.mark.parametrize("example", ["hive-midgame.json.gz", "bug-lost-alpha.json"])
def test_the_first_view_is_whole(show: Show, example: str, width: int, height: int) -> None:
    """Notes and the key take their height from the tree after it was drawn; it fits what is left."""
    folder = EXAMPLES if (EXAMPLES / example).exists() else EXAMPLES / "bugs"
    page = show(folder / example, width, height)
    assert page.evaluate(OUTSIDE) == []
    page.set_viewport_size({"width": width, "height": height - 100})
    page.wait_for_function(
        f"size => {TREE}.clientHeight < size && ({OUTSIDE})().length === 0", arg=height - 150
    )


def test_a_tree_that_there_is_room_for_is_whole_again_after_a_step(tree: Page) -> None:
    keys(tree, "p", "p")
    x, y = middle(tree, "root")
    tree.mouse.move(x, y + 150)
    tree.mouse.down()
    tree.mouse.move(x - 150, y + 150, steps=4)
    tree.mouse.up()
    settled(tree)
    assert tree.evaluate(OUTSIDE) != []
    keys(tree, "ArrowDown")
    assert tree.evaluate(OUTSIDE) == []


def test_the_first_view_of_a_forest_is_whole(show: Show) -> None:
    """Its other roots come after its tree, and are wider."""
    page = show(EXAMPLES / "connect-four-deepening.jsonl.gz")
    assert page.evaluate(OUTSIDE) == []


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
