"""The camera and the overview: wheel, drag, fingers, fit; the whole tree as a picture, walked and zoomed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import plyscope
from tests.page.conftest import NewPage, Serve, Show, again, choose, keys, linked, press, search, settled
from tests.page.panels import drag, write_log
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import EXAMPLES, REVERSI, item, middle, names, scale, selected, textbook


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
    assert tree.evaluate(OUTSIDE) == []
    # One that there is room for is whole again after a step.
    again(tree, link)
    keys(tree, "p", "p")
    x, y = middle(tree, "root")
    drag(tree, (x, y + 150), (-150, 0))
    assert tree.evaluate(OUTSIDE) != []
    keys(tree, "ArrowDown")
    assert tree.evaluate(OUTSIDE) == []
    # The tree cannot be dragged out of the window.
    outer = place_of(tree.locator("#tree"))
    for _ in range(3):
        drag(tree, (outer["x"] + 20, y + 200), (outer["width"] - 40, 0))
    assert place_of(tree.locator("#tree .nodes"))["x"] < outer["x"] + outer["width"] - 40


def test_motion_ends_where_no_motion_ends(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    server = serve(write_log(tmp_path, textbook()))
    places = []
    page = new_page()
    for address in (f"{server}?testing=1", server):
        page.goto(address)
        settled(page)
        if address == server:  # where it is a first visit, too
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
def test_the_first_view_is_whole(
    serve: Serve, new_page: NewPage, example: str, widths: tuple[int, ...]
) -> None:
    """Notes and the key take their height from the tree after it was drawn; it fits what is left."""
    page, address = new_page(), serve(EXAMPLES / example)
    for width in widths:
        height = 9 * width // 16
        page.goto("about:blank")  # an address of a view is another one
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{address}?testing=1")
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


def place(page: Page) -> Locator:
    return page.locator(".overview-place")


def said(page: Page) -> str:
    return page.locator(".overview-said").inner_text()


def tip(page: Page) -> str:
    return page.locator(".overview-tip").inner_text()


def point(page: Page, share: float, band: int, n_bands: int = 8) -> tuple[float, float]:
    """A point of the window: so far from the left of the picture, in the middle of a band."""
    box = place_of(page.locator(".overview-drawing"))
    return box["x"] + share * box["width"], box["y"] + (band + 0.5) * box["height"] / n_bands


def test_the_overview_is_walked_zoomed_linked_and_coloured(show: Show) -> None:
    page = show(REVERSI, 1440, 900)
    link = linked(keys(page, "v"))
    log = plyscope.open(REVERSI)
    n_nodes = sum(1 for node in log if not node.is_stub)
    words = page.locator(".overview-said")
    assert serious(page, "#overview") == []
    # A key shows all nodes and hides them again.
    assert said(page) == f"All {n_nodes:,} nodes, each as wide as its subtree"
    classes = {str(path.get_attribute("class")) for path in page.locator(".icicle").all()}
    assert classes == {"icicle icicle-max", "icicle icicle-min"}
    expect(page.locator(".icicle-pv")).to_have_count(8)
    keys(page, "v")
    expect(page.locator("#overview")).to_be_hidden()
    page.get_by_role("button", name=re.compile("What to ask")).click()
    page.get_by_role("button", name=re.compile("^Overview: the whole")).click()
    expect(place(settled(page))).to_be_visible()
    # Keys walk the cells and enter goes there.
    place(page).focus()
    page.keyboard.press("ArrowDown")
    first = tip(page)
    assert ", level 1, min" in first
    page.keyboard.press("ArrowRight")
    assert tip(page) != first
    page.keyboard.press("ArrowLeft")
    keys(page, "Enter")
    assert selected(page) == first.split(" #")[0]
    expect(place(page)).to_be_focused()
    page.keyboard.press("+")
    expect(words).to_contain_text("in the order searched")
    page.keyboard.press("0")
    expect(words).to_contain_text("All ")
    # A press goes to the node under it.
    page.mouse.move(*point(page, 0.02, 1))
    ply, number = tip(page).split(",")[0].split(" #")
    node = log.node(int(number))
    assert (node.ply, node.level) == (ply, 1)
    page.mouse.click(*point(page, 0.02, 1))
    assert selected(settled(page)) == ply
    assert float(str(page.locator(".icicle-selected").get_attribute("x"))) <= 0.02 * 1440
    # The wheel shows a part that a link brings back.
    page.mouse.move(*point(page, 0.5, 3))
    page.mouse.wheel(0, -100)
    expect(words).to_contain_text("in the order searched")
    first, last = map(int, re.findall(r"overview=(\d+)-(\d+)", settled(page).url)[0])
    assert last - first == round(0.6 * n_nodes)
    shown = said(page)
    assert shown.startswith(f"Nodes {first + 1:,} to {last:,} of {n_nodes:,} in")
    page.reload()
    assert said(settled(page)) == shown
    page.get_by_role("button", name="The part to the right").click()
    assert said(settled(page)) != shown
    page.get_by_role("button", name="All of it").click()
    assert said(settled(page)).startswith("All ")
    # The levels give each node of a level the same width.
    again(page, link)
    forms = page.get_by_role("group", name="Form of the overview")
    forms.get_by_role("button", name="Levels").click()
    assert said(settled(page)) == f"All {n_nodes:,} nodes: those of each level are equally wide"
    assert "overview=levels.all" in page.url
    below_root = [node.ply for node in log.roots[0].children if not node.is_stub]
    page.mouse.click(*point(page, 1.5 / len(below_root), 1))
    assert selected(settled(page)) == below_root[1]
    picture = float(str(page.locator(".overview-drawing").get_attribute("viewBox")).split()[2])
    width = float(str(page.locator(".icicle-selected").get_attribute("width")))
    assert width == pytest.approx(picture / len(below_root))
    # Hits are marked in either form.
    hits = page.locator(".icicle-ticks-hits")
    search(page, f"ply = '{below_root[2]}' and level = 1")
    marks = str(hits.get_attribute("d"))
    assert float(marks[1:].split(" ")[0]) == pytest.approx(2 * picture / len(below_root), abs=1)
    # The wheel shows a share of every level.
    page.mouse.move(*point(page, 0.5, 3))
    page.mouse.wheel(0, -100)
    expect(words).to_have_text("From 20 % to 80 % of each level")
    assert re.search(r"overview=levels\.\d+-\d+", settled(page).url)
    page.locator("#tree [aria-selected=true]").focus()
    keys(page, "V")
    expect(words).to_contain_text("each as wide as its subtree")
    assert "overview=all" in page.url
    assert str(hits.get_attribute("d")).count("M") == 1
    # Its colours are those of the tree.
    choose(page, "Colour by", "outcome")
    names = {str(path.get_attribute("class")).split()[-1] for path in page.locator(".icicle").all()}
    assert names == {f"icicle-outcome-{outcome}" for outcome in ("searched", "cutoff", "leaf")}
