"""The search as it ran, in the page: steps, stops, what is faint, the stack, the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import plyscope
from tests.page.conftest import NewPage, Serve, settled, visit
from tests.page.trees import selected

TEXTBOOK = Path(__file__).parents[2] / "examples" / "textbook-alpha-beta.json"
BEST_FIRST = """{"plyscope": 1, "search": {"order": "best_first"}, "root": {"layer": "max", "visits": 2,
  "children": [{"ply": "a", "visits": 1}]}}"""


@pytest.fixture
def page(serve: Serve, new_page: NewPage) -> Page:
    """The page on the textbook's tree, its root selected."""
    return visit(new_page(1280, 720), serve(TEXTBOOK))


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        settled(page)


def place(page: Page) -> str:
    return " ".join(page.locator(".replay-place").inner_text().split())


def faint(page: Page) -> list[str]:
    """The ids of cards that the replay has not come to."""
    cards = page.locator("#tree .node-later")
    return [card.get_attribute("data-id") or "" for card in cards.all()]


def test_steps_go_where_the_search_went(page: Page) -> None:
    replay = plyscope.replay(TEXTBOOK)
    press(page, ".")
    assert place(page) == "enters root \u00b7 row 0 of 11"
    for event in range(1, len(replay)):
        press(page, ".")
        moment = replay[event]
        verb = "enters" if moment.enters else "leaves"
        name = "2 pruned" if moment.node.outcome == "pruned" else moment.node.path.split(" > ")[-1]
        assert place(page) == f"{verb} {name} \u00b7 row {moment.node.id} of 11"
        later = [str(node.id) for node in plyscope.open(TEXTBOOK) if replay.entering(node) > event]
        assert set(faint(page)) <= set(later)
    assert faint(page) == []
    press(page, ".")
    assert place(page).startswith("leaves root")
    press(page, ",")
    assert not place(page).startswith("leaves root")


def test_a_run_stops_at_the_next_cut_and_back_at_the_last(page: Page) -> None:
    press(page, ".", "h")
    assert place(page).startswith("leaves b ")
    expect(page.get_by_role("button", name="b: best +2")).to_contain_text("closed: cut")
    press(page, "h")
    assert place(page).startswith("leaves c ")
    press(page, "Shift+H")
    assert place(page).startswith("leaves b ")
    page.get_by_label("What a run stops at").select_option("best")
    settled(page)
    page.locator("#tree [role=treeitem][tabindex='0']").focus()
    press(page, "Shift+H")
    assert place(page).startswith("leaves a ")


def test_a_run_stops_where_an_expression_is_true(page: Page) -> None:
    press(page, ".")
    page.get_by_label("What a run stops at").select_option("where")
    where = page.get_by_label("An expression that is true")
    expect(where).to_be_focused()
    where.fill("score < 3")
    press(page, "Enter")
    assert place(page).startswith("enters b ")
    page.get_by_role("button", name="Run to the next stop").click()
    settled(page)
    assert place(page).startswith("enters a ")
    where.fill("score < -100")
    press(page, "Enter")
    expect(page.get_by_text("The replay has no node where score < -100 after this.")).to_be_visible()


def test_the_bar_of_time_is_dragged_and_the_stack_is_walked(page: Page) -> None:
    press(page, ".")
    page.get_by_label("Time of the search").fill("10")
    settled(page)
    moment = plyscope.replay(TEXTBOOK)[10]
    frames = page.get_by_role("list", name="Nodes that the search is in").get_by_role("button")
    assert frames.count() == len(moment.stack)
    frames.first.click()
    settled(page)
    assert selected(page) == "root"


def test_it_plays_to_the_end_and_pauses(page: Page) -> None:
    press(page, ".")
    page.get_by_label("Time of the search").fill("20")
    settled(page)
    page.get_by_role("button", name="Play (k)").click()
    expect(page.locator(".replay-place")).to_contain_text("leaves root")
    expect(page.get_by_role("button", name="Play (k)")).to_be_visible()


def test_the_address_holds_the_event_and_escape_ends_it(page: Page) -> None:
    press(page, ".", "h")
    at = place(page)
    page.wait_for_function("location.hash.includes('t=14')")
    page.reload()
    settled(page)
    assert place(page) == at
    page.locator("#tree [role=treeitem][tabindex='0']").focus()
    press(page, "Escape")
    expect(page.get_by_role("region", name="Replay")).to_be_hidden()
    assert faint(page) == []


def test_a_best_first_tree_is_not_offered(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    path.write_text(BEST_FIRST)
    page = visit(new_page(1280, 720), serve(path))
    expect(page.get_by_role("button", name="replay", exact=True)).to_be_hidden()


def test_axe_finds_nothing_serious(page: Page) -> None:
    press(page, ".", "h")
    violations = Axe().run(page).response["violations"]
    serious = [one for one in violations if one["impact"] in {"serious", "critical"}]
    assert not serious, [(one["id"], one["nodes"][0]["html"][:200]) for one in serious]
