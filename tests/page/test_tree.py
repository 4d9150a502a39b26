"""The tree on the page: what is drawn, what opens and folds, and how the camera moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.page.conftest import Server, settled, visit
from tests.page.trees import (
    item,
    layered,
    leaf,
    names,
    node,
    opened_at,
    selected,
    textbook,
    wide,
    write,
    write_lines,
)

Serve = Callable[..., Server]
NewPage = Callable[..., Page]


@pytest.fixture
def tree(serve: Serve, new_page: NewPage, tmp_path: Path) -> Page:
    """The textbook tree: root, c6 and a1 are open, since the principal variation is."""
    return opened_at(new_page(), serve(write(tmp_path, textbook())))


def camera(page: Page) -> str:
    return str(page.locator("#tree .world").get_attribute("transform"))


def scale(page: Page) -> float:
    return float(camera(page).partition("scale(")[2].rstrip(")"))


def middle(page: Page, name: str) -> tuple[float, float]:
    box = item(page, name).locator(".node-card").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_principal_variation_is_open_and_its_line_the_heaviest(tree: Page) -> None:
    assert names(tree) == [
        "root",
        "c6",
        "a1",
        "r1",
        "r2",
        "a2",
        "d6",
        "e6",
        "f6",
        "6 siblings over the branching limit",
    ]
    assert tree.locator("#tree .link-pv").count() == 3
    widths = [
        float(
            tree.locator(f"#tree {kind}").first.evaluate(
                "line => parseFloat(getComputedStyle(line).strokeWidth)"
            )
        )
        for kind in (".link-pv", ".link:not(.link-pv)")
    ]
    assert widths[0] >= 1.8 * widths[1]


def test_a_tree_that_fits_the_window_is_open_from_the_start(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write(tmp_path, textbook())))
    assert page.locator('#tree [aria-expanded="false"], #tree .wedge, #tree .more').count() == 0
    assert len(names(page)) == 20
    assert scale(page) >= 0.9
    outer = page.locator("#tree").bounding_box()
    assert outer is not None
    for name in names(page):
        x, y = middle(page, name)
        assert outer["x"] < x < outer["x"] + outer["width"]
        assert outer["y"] < y < outer["y"] + outer["height"]


def test_scores_carry_their_bound_and_a_real_minus_sign(tree: Page) -> None:
    texts = {
        name: item(tree, name).locator(".node-score").text_content() for name in ("c6", "d6", "e6", "f6")
    }
    assert texts == {"c6": "+12.5", "d6": "≤\u00a0+4.0", "e6": "≥\u00a0+5.0", "f6": "−2.6"}


def test_layers_differ_by_shape_and_by_colour(tree: Page) -> None:
    root, ply = item(tree, "root"), item(tree, "c6")
    shapes = [one.locator(".node-mark").get_attribute("d") for one in (root, ply)]
    colours = [
        one.locator(".node-mark").evaluate("mark => getComputedStyle(mark).fill") for one in (root, ply)
    ]
    assert shapes[0] != shapes[1]
    assert colours[0] != colours[1]


def test_a_press_opens_a_folded_node_and_selects_it(tree: Page) -> None:
    item(tree, "d6").click()
    settled(tree)
    assert selected(tree) == "d6"
    assert "b1" in names(tree)
    assert item(tree, "d6").get_attribute("aria-expanded") == "true"


def test_a_second_press_folds_it_again(tree: Page) -> None:
    item(tree, "d6").click()
    settled(tree)
    item(tree, "d6").locator(".node-card").click()
    settled(tree)
    assert "b1" not in names(tree)


def test_several_branches_are_open_at_once(tree: Page) -> None:
    for name in ("d6", "e6"):
        item(tree, name).click()
        settled(tree)
    assert {"a1", "b1", "g1"} <= set(names(tree))


def test_a_stub_is_one_dashed_node_with_its_count(tree: Page) -> None:
    item(tree, "d6").click()
    settled(tree)
    stub = item(tree, "27 siblings cut off by alpha-beta")
    assert stub.locator(".node-name").text_content() == "27 pruned"
    assert stub.locator(".node-card").evaluate("card => getComputedStyle(card).strokeDasharray") != "none"


def test_a_folded_node_has_a_wedge_that_says_what_is_below(tree: Page) -> None:
    wedge = item(tree, "f6").locator(".wedge")
    assert wedge.locator(".wedge-text").text_content() == "3"
    title = wedge.locator("title").text_content()
    assert title == "3 nodes below, 2 levels deep; best −2.6, worst −2.6"


def test_a_wedge_of_more_nodes_is_longer(tree: Page) -> None:
    few, many = (
        item(tree, name).locator(".wedge path").evaluate("path => path.getBBox().width")
        for name in ("e6", "f6")
    )
    assert many > few


def best_plies(page: Page, n_plies: int) -> list[str]:
    """The drawn plies of a wide log, which are few and its last: those are the best."""
    plies = [name for name in names(page) if name.startswith("p")]
    assert plies == [f"p{i}" for i in range(n_plies - len(plies), n_plies)]
    assert len(plies) < 20
    return plies


def test_a_wide_node_shows_its_best_and_opens_the_rest_in_steps(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    assert best_plies(visit(new_page(), serve(write(tmp_path, wide(150)))), 150)
    page = opened_at(new_page(), serve(write(tmp_path, wide(90))), "0")
    plies = best_plies(page, 90)
    more = page.locator("#tree .more")
    assert more.text_content() == f"+ {90 - len(plies)} more"
    before = len(names(page))
    more.click()
    settled(page)
    assert len(names(page)) == before + 30
    page.keyboard.press("f")
    settled(page)
    more.click()
    settled(page)
    assert len(names(page)) == 91
    assert more.count() == 0


def test_a_hundred_thousand_children_are_no_burden(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "wide.jsonl", [None, *[0] * 100_000])
    page = visit(new_page(), serve(path))
    assert "99," in str(page.locator("#tree .more").text_content())
    for _ in range(9):
        page.keyboard.press("m")
        settled(page)
    assert page.locator("#tree .node").count() < 200
    page.keyboard.press("End")
    settled(page)
    assert selected(page) in names(page)
    page.get_by_role("searchbox").fill("n77777")
    page.get_by_role("searchbox").press("Enter")
    settled(page)
    assert selected(page) == "n77777"


def test_a_node_three_thousand_levels_down_is_reached(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "deep.jsonl", [None, *range(3000)])
    page = visit(new_page(), serve(path))
    page.get_by_role("searchbox").fill("#2900")
    page.get_by_role("searchbox").press("Enter")
    settled(page)
    assert selected(page) == "n2900"
    above = page.locator("#tree .above")
    assert "levels above" in str(above.text_content())
    top = names(page)[0]
    page.keyboard.press("Escape")
    page.locator("#tree").hover(position={"x": 5, "y": 5})
    above.dispatch_event("pointerdown", {"pointerId": 1, "button": 0, "pointerType": "mouse"})
    above.dispatch_event("pointerup", {"pointerId": 1, "button": 0, "pointerType": "mouse"})
    settled(page)
    assert selected(page) == f"n{int(top[1:]) - 1}"


def test_the_wheel_zooms_around_the_pointer(tree: Page) -> None:
    before = middle(tree, "d6")
    tree.mouse.move(*before)
    tree.mouse.wheel(0, -400)
    settled(tree)
    after = middle(tree, "d6")
    assert scale(tree) > 1.2
    assert abs(after[0] - before[0]) < 2
    assert abs(after[1] - before[1]) < 2


def test_a_drag_pans_and_selects_nothing(tree: Page) -> None:
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


def test_panning_touches_nothing_but_the_camera(tree: Page) -> None:
    tree.evaluate(
        """() => {
            window.changes = [];
            const note = list => window.changes.push(...list.map(one => one.target.getAttribute("class")));
            const all = {attributes: true, childList: true, subtree: true};
            new MutationObserver(note).observe(document.querySelector("#tree svg"), all);
        }"""
    )
    x, y = middle(tree, "root")
    tree.mouse.move(x, y + 200)
    tree.mouse.down()
    tree.mouse.move(x + 90, y + 260, steps=6)
    tree.mouse.up()
    settled(tree)
    assert set(tree.evaluate("window.changes")) == {"world"}


def test_fit_brings_the_whole_tree_into_the_window(tree: Page) -> None:
    tree.mouse.move(*middle(tree, "d6"))
    tree.mouse.wheel(0, -2000)
    settled(tree)
    tree.keyboard.press("f")
    settled(tree)
    outer = tree.locator("#tree").bounding_box()
    assert outer is not None
    for name in names(tree):
        x, y = middle(tree, name)
        assert outer["x"] < x < outer["x"] + outer["width"]
        assert outer["y"] < y < outer["y"] + outer["height"]


def test_branches_off_the_way_fold_when_the_window_is_full(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    plies = [node(f"p{i}", i, *(leaf(f"q{i}{j}", i) for j in range(6))) for i in range(5)]
    path = write(tmp_path, {"plyscope": 1, "root": layered({"score": 4, "children": plies})})
    page = opened_at(new_page(height=720), serve(path), "0")
    for name in ("p0", "p1", "p2"):
        item(page, name).click()
        settled(page)
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
        item(page, name).click()
        settled(page)
    assert "q00" in names(page)


def test_the_address_is_a_link_to_exactly_this_view(tree: Page, new_page: NewPage) -> None:
    item(tree, "d6").click()
    settled(tree)
    item(tree, "b1").click()
    settled(tree)
    tree.mouse.move(*middle(tree, "b1"))
    tree.mouse.wheel(0, 300)
    settled(tree)
    tree.wait_for_function("() => location.hash.includes('node=')")
    other = new_page()
    other.goto(tree.url)
    settled(other)
    assert names(other) == names(tree)
    assert selected(other) == "b1"
    assert round(scale(other), 2) == round(scale(tree), 2)
    for mine, theirs in zip(middle(tree, "b1"), middle(other, "b1"), strict=True):
        assert abs(mine - theirs) < 2


def test_a_damaged_link_shows_what_it_can_and_says_so_once(tree: Page) -> None:
    """Typed into the address of an open page, too: `new_page` fails its test on an uncaught error."""
    tree.wait_for_function("() => location.hash.includes('node=')")
    tree.evaluate("location.hash = location.hash.split('&')[0] + '&node=3&open=0.1.zzz.1&pin=999'")
    tree.wait_for_selector("#notices .notice")
    settled(tree)
    assert tree.locator("#notices .notice").count() == 1
    assert selected(tree) == "r1"


def test_back_and_forward_go_over_visited_nodes(tree: Page) -> None:
    for name in ("d6", "e6", "f6"):
        item(tree, name).click()
        settled(tree)
        tree.wait_for_function(
            "id => location.hash.includes(`node=${id}&`)", arg=item(tree, name).get_attribute("data-id")
        )
    tree.go_back()
    settled(tree)
    tree.wait_for_selector('[aria-selected="true"][aria-label^="e6,"]')
    tree.go_back()
    tree.wait_for_selector('[aria-selected="true"][aria-label^="d6,"]')
    tree.go_forward()
    tree.wait_for_selector('[aria-selected="true"][aria-label^="e6,"]')


@pytest.mark.parametrize("colour", ["score", "outcome"])
def test_cards_can_be_coloured_otherwise(tree: Page, colour: str) -> None:
    def fills() -> list[str]:
        cards = [item(tree, name).locator(".node-card") for name in ("c6", "d6", "f6")]
        return [str(card.evaluate("card => getComputedStyle(card).fill")) for card in cards]

    by_layer = fills()
    assert len(set(by_layer)) == 1
    tree.get_by_role("combobox").first.select_option(colour)
    settled(tree)
    assert len(set(fills())) > 1


def test_what_a_log_holds_is_text_and_never_markup(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    evil = '<img src=x onerror="document.title=1"></text><script>document.title=2</script>'
    page = visit(new_page(), serve(write(tmp_path, {"plyscope": 1, "root": {"children": [leaf(evil, 1)]}})))
    assert page.locator("#tree img, #tree script").count() == 0
    assert page.title() not in {"1", "2"}
    assert "<img" in str(page.locator("#tree .node-name").last.text_content())


def test_a_tree_without_scores_and_layers_is_still_a_tree(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    path = write(
        tmp_path,
        {"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b", "children": [{"ply": "c"}]}]}},
    )
    page = visit(new_page(), serve(path))
    item(page, "b").click()
    settled(page)
    assert {"a", "b", "c"} <= set(names(page))


def test_the_legend_tells_of_the_marks_that_the_log_has_and_of_no_others(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    bare = {"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b", "purpose": "scout"}]}}
    page = visit(new_page(), serve(write(tmp_path, bare, "bare.json")))
    legend = page.locator("#legend li")
    assert [str(text).partition(" ")[2] for text in legend.all_text_contents()] == ["scout"]
    assert item(page, "b").get_attribute("aria-label") == "b, scout"
    page = visit(new_page(width=820), serve(write(tmp_path, textbook())))
    page.get_by_role("combobox").first.select_option("score")
    settled(page)
    texts = " ".join(page.locator("#legend li").all_text_contents())
    for mark in (
        "root player moves",
        "opponent moves",
        "principal variation",
        "pruned",
        "over the limit",
        "+14",
    ):
        assert mark in texts
    cut = page.locator("#legend").evaluate(
        "line => [...line.querySelectorAll('li')].filter(li => {"
        "const [a, b] = [li.getBoundingClientRect(), line.getBoundingClientRect()];"
        "return a.right > b.right || a.bottom > b.bottom + 1 || li.scrollWidth > li.clientWidth; }).length"
    )
    assert cut == 0


def test_the_tree_cannot_be_dragged_out_of_the_window(tree: Page) -> None:
    outer = tree.locator("#tree").bounding_box()
    assert outer is not None
    x, y = outer["x"] + outer["width"] / 2, outer["y"] + 20
    for dx, dy in ((9000, 0), (-9000, 0), (0, 9000), (0, -9000)):
        tree.mouse.move(x, y)
        tree.mouse.down()
        tree.mouse.move(x + dx, y + dy, steps=3)
        tree.mouse.up()
        settled(tree)
        world = tree.locator("#tree .nodes").bounding_box()
        assert world is not None
        assert world["x"] < outer["x"] + outer["width"] - 40
        assert world["x"] + world["width"] > outer["x"] + 40
        assert world["y"] < outer["y"] + outer["height"] - 40
        assert world["y"] + world["height"] > outer["y"] + 40


def test_a_window_that_becomes_narrow_folds_its_panels_and_opens_one_at_a_time(tree: Page) -> None:
    panels = [tree.locator("#logs-panel"), tree.locator("#details-panel")]
    assert all(panel.is_visible() for panel in panels)
    tree.set_viewport_size({"width": 800, "height": 900})
    for panel in panels:
        panel.wait_for(state="hidden")
    tree.keyboard.press("[")
    settled(tree)
    assert [panel.is_visible() for panel in panels] == [True, False]
    tree.keyboard.press("]")
    settled(tree)
    assert [panel.is_visible() for panel in panels] == [False, True]


def test_the_title_names_the_node_and_the_log(tree: Page) -> None:
    assert tree.title() == "root \u00b7 log \u00b7 Plyscope"
    tree.keyboard.press("p")
    settled(tree)
    assert tree.title() == "c6 \u00b7 log \u00b7 Plyscope"


def test_the_pv_button_goes_to_the_next_node_of_the_line_and_keeps_the_scale(tree: Page) -> None:
    before = scale(tree)
    button = tree.get_by_role("button", name="Next node of the principal variation")
    walked = []
    for _ in range(4):
        button.click()
        settled(tree)
        walked.append(selected(tree))
    assert walked == ["c6", "a1", "r1", "root"]
    assert scale(tree) == before
    assert "back to the root" in str(button.get_attribute("title"))


@pytest.mark.parametrize("width", [1440, 1280, 820])
def test_the_way_to_a_node_deep_down_can_be_read(server: Server, new_page: NewPage, width: int) -> None:
    page = visit(new_page(width=width), server)
    for _ in range(6):
        page.keyboard.press("p")
        settled(page)
    crumbs = page.locator(".topbar .crumb-button")
    cut = crumbs.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length")
    assert cut == 0
    assert crumbs.all_text_contents()[-3:] == ["a7", "d6", "b4"]
    box, last = page.locator(".crumbs-box").bounding_box(), crumbs.last.bounding_box()
    assert box is not None
    assert last is not None
    assert last["x"] + last["width"] <= box["x"] + box["width"] + 1
    assert page.locator(".topbar .crumb-far button").get_attribute("title") == "f8 \u203a b5 \u203a c6"


def test_motion_ends_where_no_motion_ends(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    server = serve(write(tmp_path, textbook()))
    places = []
    for address in (f"{server.address}?testing=1", server.address):
        page = new_page()
        page.goto(address)
        settled(page)
        item(page, "d6").click()
        settled(page)
        page.wait_for_selector('[role="treeitem"][aria-label^="b1,"]')
        settled(page)
        places.append([middle(page, name) for name in ("root", "c6", "d6", "b1")])
    still, moved = places
    for one, two in zip(still, moved, strict=True):
        assert one == pytest.approx(two, abs=1.5)


def test_two_fingers_zoom_and_one_pans(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    page = visit(new_page(width=820, height=1180, has_touch=True), serve(write(tmp_path, textbook())))
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


def test_a_tap_opens_a_node(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    page = visit(new_page(width=820, height=1180, has_touch=True), serve(write(tmp_path, textbook())))
    x, y = middle(page, "d6")
    page.touchscreen.tap(x, y)
    settled(page)
    assert "b1" in names(page)


def test_axe_finds_nothing_serious(tree: Page) -> None:
    item(tree, "d6").click()
    settled(tree)
    violations = Axe().run(tree).response["violations"]
    serious = [one for one in violations if one["impact"] in {"serious", "critical"}]
    assert not serious, [(one["id"], one["nodes"][0]["html"][:200]) for one in serious]
