"""The search as it ran, in the page: steps, stops, what is faint, the stack, the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import plyscope
from tests.page.conftest import Show, keys, place_of, press, settled
from tests.page.test_accessibility import serious
from tests.page.trees import selected

TEXTBOOK = Path(__file__).parents[2] / "examples" / "textbook-alpha-beta.json"
BEST_FIRST = """{"plyscope": 1, "search": {"order": "best_first"}, "root": {"layer": "max", "visits": 2,
  "children": [{"ply": "a", "visits": 1}]}}"""


@pytest.fixture
def page(show: Show) -> Page:
    """The page on the textbook's tree, its root selected."""
    return show(TEXTBOOK, 1280, 720)


def begin(page: Page) -> None:
    """End the replay and select the root, whose search is the first event."""
    page.locator("#tree [role=treeitem][tabindex='0']").focus()
    keys(page, "Escape", "Home")


def place(page: Page) -> str:
    return " ".join(page.locator(".replay-place").inner_text().split())


def faint(page: Page) -> list[str]:
    """The ids of cards that the replay has not come to."""
    cards = page.locator("#tree .node-later")
    return [card.get_attribute("data-id") or "" for card in cards.all()]


def test_the_address_holds_the_event_and_escape_ends_it(page: Page) -> None:
    keys(page, ".", "h")
    at = place(page)
    page.wait_for_function("location.hash.includes('t=14')")
    page.reload()
    settled(page)
    assert place(page) == at
    page.locator("#tree [role=treeitem][tabindex='0']").focus()
    keys(page, "Escape")
    expect(page.get_by_role("region", name="Replay")).to_be_hidden()
    assert faint(page) == []


def test_a_best_first_tree_is_not_offered(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    path.write_text(BEST_FIRST)
    page = show(path, 1280, 720)
    expect(page.get_by_role("button", name="replay", exact=True)).to_be_hidden()


def card(page: Page, node: int) -> str:
    """The label of a card, as a screen reader speaks it."""
    return page.locator(f"#tree .node[data-id='{node}']").get_attribute("aria-label") or ""


def test_a_run_stops_where_it_is_told_and_its_stack_and_stops_are_shown(page: Page) -> None:
    # The stack is a list at the right with the window of each.
    replay = plyscope.replay(TEXTBOOK)
    keys(page, ".", "h")
    stack = page.locator("#details-panel").get_by_role("list", name="Nodes that the search is in")
    expect(stack.get_by_role("button")).to_have_count(len(replay[14].stack))
    expect(stack).to_contain_text("closed: cut")
    expect(stack.get_by_role("button").first).to_have_accessible_name(
        "root: best so far +3, window +3 … +∞, alpha has just moved"
    )
    expect(stack.locator(".window-moved")).to_have_count(1)
    # Axe finds nothing serious.
    begin(page)
    keys(page, ".", "h")
    assert serious(page) == []
    # The bar of time is dragged and the stack is walked.
    begin(page)
    keys(page, ".")
    page.get_by_label("Time of the search").fill("10")
    settled(page)
    moment = plyscope.replay(TEXTBOOK)[10]
    frames = page.get_by_role("list", name="Nodes that the search is in").get_by_role("button")
    assert frames.count() == len(moment.stack)
    press(page, frames.first)
    assert selected(page) == "root"
    # Stops are ticks below the bar of time and a press goes there.
    begin(page)
    replay = plyscope.replay(TEXTBOOK)
    cuts: list[int] = []
    while (at := replay.next_stop(cuts[-1] if cuts else -1, "cut")) is not None:
        cuts.append(at)
    keys(page, ".")
    assert ticks(page, "stops") == len(cuts)
    lane = page.get_by_role("slider", name="stops of a run")
    box = place_of(lane)
    lane.click(position={"x": cuts[1] / len(replay) * box["width"] + 1, "y": 5})
    settled(page)
    assert f"replay, event {cuts[1]} " in page.locator("[data-lens=time]").inner_text()
    lane.focus()
    keys(page, "Home")
    assert f"replay, event {cuts[0]} " in page.locator("[data-lens=time]").inner_text()
    keys(page, "ArrowRight")
    assert f"replay, event {cuts[1]} " in page.locator("[data-lens=time]").inner_text()
    # A run stops at the next cut and back at the last.
    begin(page)
    keys(page, ".", "h")
    assert place(page).startswith("leaves b ")
    expect(page.get_by_role("button", name="b: best so far +2")).to_contain_text("closed: cut")
    keys(page, "h")
    assert place(page).startswith("leaves c ")
    keys(page, "Shift+H")
    assert place(page).startswith("leaves b ")
    page.get_by_label("What a run stops at").select_option("best")
    settled(page)
    page.locator("#tree [role=treeitem][tabindex='0']").focus()
    keys(page, "Shift+H")
    assert place(page).startswith("leaves a ")
    # A run stops where an expression is true.
    begin(page)
    keys(page, ".")
    page.get_by_label("What a run stops at").select_option("where")
    where = page.get_by_label("An expression that is true")
    expect(where).to_be_focused()
    where.fill("score < 3")
    keys(page, "Enter")
    assert place(page).startswith("enters b ")
    press(page, page.get_by_role("button", name="Run to the next stop"))
    assert place(page).startswith("enters a ")
    where.fill("score < -100")
    keys(page, "Enter")
    expect(page.get_by_text("The replay has no node where score < -100 after this.")).to_be_visible()
    # A run stops where a score differs from that of the parent.
    begin(page)
    replay = plyscope.replay(TEXTBOOK)
    keys(page, ".")
    page.get_by_label("What a run stops at").select_option("score != parent.score")
    settled(page)
    press(page, page.get_by_role("button", name="Run to the next stop"))
    stop = replay.next_stop(0, "score != parent.score")
    assert stop is not None
    assert place(page) == f"enters {replay[stop].node.ply} · row {replay[stop].node.id} of 11"
    page.wait_for_function("location.hash.includes('stop=score')")
    page.reload()
    settled(page)
    expect(page.get_by_label("What a run stops at")).to_have_value("score != parent.score")


def ticks(page: Page, lane: str) -> int:
    """The number of ticks in a lane of the rail."""
    return (page.locator(f".rail-{lane} .rail-ticks").get_attribute("d") or "").count("M")


def test_a_replay_steps_and_says_what_is_known_at_its_event(page: Page) -> None:
    # Hits are ticks of the rail without a replay too.
    search = page.get_by_role("searchbox").first
    search.fill("outcome = 'leaf'")
    search.press("Enter")
    settled(page)
    leaves = [node.id for node in plyscope.open(TEXTBOOK) if node.outcome == "leaf"]
    assert ticks(page, "hits") == len(leaves)
    lane = page.get_by_role("slider", name="hits of the query")
    lane.focus()
    keys(page, "End")
    page.wait_for_function(f"location.hash.includes('node={leaves[-1]}')")
    keys(page, "ArrowLeft")
    page.wait_for_function(f"location.hash.includes('node={leaves[-2]}')")
    search.fill("")
    search.press("Enter")
    settled(page)
    expect(page.locator("#rail")).to_be_hidden()
    # The principal variation is not drawn before it is known.
    begin(page)
    assert page.locator("#tree .node-pv").count() > 0
    keys(page, ".")
    assert page.locator("#tree .node-pv").count() == 0
    page.get_by_label("Time of the search").focus()
    keys(page, "End")
    assert page.locator("#tree .node-pv").count() > 0
    # Steps go where the search went.
    begin(page)
    replay = plyscope.replay(TEXTBOOK)
    keys(page, ".")
    assert place(page) == "enters root \u00b7 row 0 of 11"
    for event in range(1, len(replay)):
        keys(page, ".")
        moment = replay[event]
        verb = "enters" if moment.enters else "leaves"
        name = "2 pruned" if moment.node.outcome == "pruned" else moment.node.path.split(" > ")[-1]
        assert place(page) == f"{verb} {name} \u00b7 row {moment.node.id} of 11"
        later = [str(node.id) for node in plyscope.open(TEXTBOOK) if replay.entering(node) > event]
        assert set(faint(page)) <= set(later)
    assert faint(page) == []
    keys(page, ".")
    assert place(page).startswith("leaves root")
    keys(page, ",")
    assert not place(page).startswith("leaves root")
    # A card has no score before its node is left.
    begin(page)
    replay = plyscope.replay(TEXTBOOK)
    nodes = [node for node in plyscope.open(TEXTBOOK) if node.outcome not in ("pruned", "limited")]
    keys(page, ".")
    for event in range(len(replay)):
        labels = page.locator("#tree .node").evaluate_all(
            "all => Object.fromEntries(all.map((one) => [one.dataset.id, one.ariaLabel]))"
        )
        for node in nodes:
            said = labels.get(str(node.id))
            if said is None:
                continue
            assert (", score" in said) == (replay.leaving(node) <= event), (event, said)
            assert ("not searched yet" in said) == (replay.entering(node) > event)
            assert ("being searched" in said) == (replay.entering(node) <= event < replay.leaving(node))
        for frame in replay[event].stack[: None if replay[event].enters else -1]:
            if frame.best is not None:
                assert f"best so far {frame.best:+g}".replace("-", "−") in card(page, frame.node.id)
        keys(page, ".")
    # Tip and details of a node that is searched have the window not the score.
    begin(page)
    keys(page, ".", ".", ".", ".")
    root = page.locator("#tree .node[data-id='0']")
    press(page, root)
    panel = page.locator("#details-panel")
    expect(panel).to_contain_text("Being searched: its score comes at event")
    expect(panel.locator(".details-score")).to_have_text("")
    expect(panel.locator("#why")).to_be_hidden()
    page.mouse.move(400, 500)
    root.hover()
    settled(page)
    expect(page.locator("#tooltip")).to_contain_text("being searched")
    expect(page.locator("#tooltip .tip-score")).to_have_text("")
    press(page, panel.get_by_role("button", name="event", exact=False).last)
    assert place(page).startswith("leaves root")
    expect(panel.locator(".details-score")).not_to_have_text("")
    # Steps over and out go by keys as by buttons.
    begin(page)
    replay = plyscope.replay(TEXTBOOK)
    node = replay[1].node
    keys(page, ".", ".", ">")
    over = place(page)
    assert f"row {node.id} of" in over
    assert over.startswith("leaves")
    keys(page, "<")
    assert place(page).startswith("leaves root")
    press(page, page.get_by_role("button", name="Step back"))
    assert not place(page).startswith("leaves root")
    # It plays to the end and pauses.
    begin(page)
    keys(page, ".")
    page.get_by_label("Time of the search").fill("20")
    settled(page)
    page.get_by_role("button", name="Play (k)").click()
    expect(page.locator(".replay-place")).to_contain_text("leaves root")
    expect(page.get_by_role("button", name="Play (k)")).to_be_visible()
    # It plays at the rate that is chosen.
    begin(page)
    keys(page, ".")
    page.get_by_label("Events a second").select_option("1000")
    page.get_by_role("button", name="Play (k)").click()
    expect(page.locator(".replay-place")).to_contain_text("leaves root")
    expect(page.get_by_role("button", name="Play (k)")).to_be_visible()


def test_findings_are_ticks_of_the_rail_while_the_check_is_open(show: Show) -> None:
    log = TEXTBOOK.parent / "bugs" / "bug-lost-alpha.json"
    page = show(log, 1280, 720)
    keys(page, "c")
    report = plyscope.check(log)
    lane = next(iter(sorted({finding.severity for finding in report})))
    expect(page.locator(f".rail-{lane} .rail-ticks")).to_be_attached()
    nodes = {finding.node.id for finding in report if finding.severity == lane}
    said = page.locator(f".rail-{lane}").get_attribute("aria-label") or ""
    assert f"{len(nodes):,} finding" in said
    page.locator(f".rail-{lane}").focus()
    keys(page, "Home")
    page.wait_for_function(f"location.hash.includes('node={min(nodes)}')")
