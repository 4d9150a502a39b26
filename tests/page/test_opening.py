"""Tests of opening and folding in the tree: presses, wide and deep nodes, and what makes room for what."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.page.conftest import NewPage, Serve, Show, again, keys, linked, opened_at, place_of, press, settled
from tests.page.trees import (
    item,
    layered,
    leaf,
    middle,
    names,
    node,
    selected,
    textbook,
    wide,
    write,
    write_lines,
)


def test_a_press_opens_a_folded_node_and_folds_it_again_beside_others(tree: Page) -> None:
    link = linked(tree)
    # A press opens a folded node and selects it.
    press(tree, item(tree, "d6"))
    assert selected(tree) == "d6"
    assert "b1" in names(tree)
    assert item(tree, "d6").get_attribute("aria-expanded") == "true"
    # A second press folds it again.
    again(tree, link)
    press(tree, item(tree, "d6"))
    press(tree, item(tree, "d6").locator(".node-card"))
    assert "b1" not in names(tree)
    # Several branches are open at once.
    again(tree, link)
    for name in ("d6", "e6"):
        press(tree, item(tree, name))
    assert {"a1", "b1", "g1"} <= set(names(tree))


def best_plies(page: Page, n_plies: int) -> list[str]:
    """The drawn plies of a wide log, which are few and its last: those are the best, best first."""
    plies = [name for name in names(page) if name.startswith("p")]
    assert plies == [f"p{i}" for i in reversed(range(n_plies - len(plies), n_plies))]
    assert 12 < len(plies) < 30
    return plies


def test_a_wide_node_shows_its_best_and_opens_the_rest_in_steps(
    show: Show, serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    assert best_plies(show(wide(150)), 150)
    page = opened_at(new_page(), serve(write(tmp_path, wide(90))), "0")
    plies = best_plies(page, 90)
    more = page.locator("#tree .more")
    assert more.text_content() == f"+ {90 - len(plies)} more"
    before = len(names(page))
    press(page, more)
    assert len(names(page)) == before + 30
    keys(page, "f")
    press(page, more)
    assert len(names(page)) == 91
    assert more.count() == 0


def test_the_order_of_showing_is_chosen_below_the_tree_or_with_a_key_and_is_part_of_the_link(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    page = opened_at(new_page(), serve(write(tmp_path, wide(150))), "0")
    order = page.get_by_role("combobox", name="Children shown first")
    order.select_option("searched")
    settled(page)
    plies = [name for name in names(page) if name.startswith("p")]
    assert plies == [*(f"p{i}" for i in range(len(plies) - 1)), "p149"]  # the last is the variation's
    page.locator("#tree").focus()
    keys(page, "m")
    more = [name for name in names(page) if name.startswith("p")]
    assert more == [*(f"p{i}" for i in range(len(plies) + 29)), "p149"]
    page.reload()
    settled(page)
    assert [name for name in names(page) if name.startswith("p")] == more
    item(page, "root").focus()
    keys(page, "r")
    best = [name for name in names(page) if name.startswith("p")]
    assert best == [f"p{i}" for i in reversed(range(150 - len(best), 150))]
    assert order.input_value() == "best"


def test_the_next_children_are_there_before_the_key(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    """Asked for where the root is selected, not shown before the key, and not asked for again."""
    page = new_page()
    with page.expect_response(lambda answer: "offset=" in answer.url) as early:
        page.goto(f"{serve(write(tmp_path, wide(300))).address}?testing=ahead")
    early.value.finished()
    shown = len(names(settled(page)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    keys(page, "m")
    assert len(names(page)) == shown + 30
    assert early.value.url not in asked


def test_cards_made_before_the_key_are_those_made_at_it(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    """The same tree drawn, where what a press would show was made ready and where it was not."""
    address = serve(write(tmp_path, wide(300))).address
    drawn = []
    for testing in ("1", "ahead"):
        page = new_page()
        page.goto(f"{address}?testing={testing}")
        settled(page)
        shown = len(names(page))
        keys(page, "m")
        assert len(names(page)) == shown + 30
        links = page.locator("#tree .link").evaluate_all("links => links.map(link => link.outerHTML).sort()")
        drawn.append((page.locator("#tree .nodes").inner_html(), links))
    assert drawn[0] == drawn[1]


def test_a_hundred_thousand_children_are_no_burden(show: Show, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "wide.jsonl", [None, *[0] * 100_000])
    page = show(path)
    assert "99," in str(page.locator("#tree .more").text_content())
    for _ in range(9):
        keys(page, "m")
    assert page.locator("#tree .node").count() < 200
    keys(page, "End")
    assert selected(page) in names(page)
    page.get_by_role("searchbox").fill("n77777")
    page.get_by_role("searchbox").press("Enter")
    settled(page)
    assert selected(page) == "n77777"


def test_a_node_three_thousand_levels_down_is_reached(show: Show, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "deep.jsonl", [None, *range(3000)])
    page = show(path)
    page.get_by_role("searchbox").fill("#2900")
    page.get_by_role("searchbox").press("Enter")
    settled(page)
    assert selected(page) == "n2900"
    above = page.locator("#tree .above")
    assert "levels above" in str(above.text_content())
    press(page, page.get_by_role("button", name="End the search, stay here"))
    top = names(page)[0]
    page.locator("#tree").hover(position={"x": 5, "y": 5})
    above.dispatch_event("pointerdown", {"pointerId": 1, "button": 0, "pointerType": "mouse"})
    above.dispatch_event("pointerup", {"pointerId": 1, "button": 0, "pointerType": "mouse"})
    settled(page)
    assert selected(page) == f"n{int(top[1:]) - 1}"


def test_branches_off_the_way_fold_when_the_window_is_full(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    plies = [node(f"p{i}", i, *(leaf(f"q{i}{j}", i) for j in range(6))) for i in range(5)]
    path = write(tmp_path, {"plyscope": 1, "root": layered({"score": 4, "children": plies})})
    page = opened_at(new_page(height=720), serve(path), "0")
    for name in ("p0", "p1", "p2"):
        press(page, item(page, name))
    shown = names(page)
    assert "q00" not in shown
    assert {"q10", "q20"} <= set(shown)
    assert item(page, "p0").locator(".wedge-text").text_content() == "6"


def test_a_branch_opened_with_shift_is_held_open(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    plies = [node(f"p{i}", i, *(leaf(f"q{i}{j}", i) for j in range(6))) for i in range(5)]
    path = write(tmp_path, {"plyscope": 1, "root": layered({"score": 4, "children": plies})})
    page = opened_at(new_page(height=720), serve(path), "0")
    item(page, "p0").click(modifiers=["Shift"])
    settled(page)
    for name in ("p1", "p2"):
        press(page, item(page, name))
    assert "q00" in names(page)


def test_for_fingers_every_card_is_44_pixels_high_and_all_that_is_open_fits(show: Show) -> None:
    page = show(wide(90), width=390, height=844, has_touch=True)
    heights = page.locator("#tree .node-card, #tree .more .wedge-reach").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 6
    assert min(heights) >= 44
    tree = place_of(page.locator("#tree"))
    world = place_of(page.locator("#tree .world"))
    assert tree["y"] <= world["y"]
    assert world["y"] + world["height"] <= tree["y"] + tree["height"]


def test_a_tap_opens_a_node(show: Show) -> None:
    page = show(textbook(), width=820, height=1180, has_touch=True)
    x, y = middle(page, "d6")
    page.touchscreen.tap(x, y)
    settled(page)
    assert "b1" in names(page)
