"""The search as it ran, in the page: steps, stops, what is faint, the stack, the address."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

import plyscope
from tests.page.conftest import Show, choose, keys, press, settled
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import EXAMPLES, selected

TEXTBOOK = EXAMPLES / "textbook-alpha-beta.json"


def tree(page: Page) -> Page:
    page.locator("#tree [role=treeitem][tabindex='0']").focus()
    return page


def begin(page: Page, *pressed: str) -> Page:
    """Begin a new replay at the root, whose search is the first event."""
    return keys(tree(page), "Escape", "Home", ".", *pressed)


def place(page: Page) -> str:
    return " ".join(page.locator(".replay-place").inner_text().split())


def faint(page: Page) -> set[str]:
    """The ids of cards that the replay has not come to."""
    return {card.get_attribute("data-id") or "" for card in page.locator("#tree .node-later").all()}


def ticks(page: Page, lane: str) -> int:
    return (page.locator(f".rail-{lane} .rail-ticks").get_attribute("d") or "").count("M")


def test_a_replay_says_what_is_known_at_its_event_and_stops_where_it_is_told(show: Show) -> None:
    page, replay = show(TEXTBOOK, 1280, 720), plyscope.replay(TEXTBOOK)
    log = plyscope.open(TEXTBOOK)
    # Hits are ticks of the rail without a replay too.
    search = page.get_by_role("searchbox").first
    search.fill("outcome = 'leaf'")
    search.press("Enter")
    leaves = [node.id for node in log if node.outcome == "leaf"]
    assert ticks(settled(page), "hits") == len(leaves)
    page.get_by_role("slider", name="hits of the query").focus()
    keys(page, "End")
    page.wait_for_function(f"location.hash.includes('node={leaves[-1]}')")
    search.fill("")
    search.press("Enter")
    expect(settled(page).locator("#rail")).to_be_hidden()
    # Steps go where the search went, and a card has no score before its node is left.
    assert page.locator("#tree .node-pv").count() > 0
    begin(page)
    assert page.locator("#tree .node-pv").count() == 0, "the principal variation is not known yet"
    for event in range(len(replay)):
        moment = replay[event]
        verb = "enters" if moment.enters else "leaves"
        name = "2 pruned" if moment.node.outcome == "pruned" else moment.node.path.split(" > ")[-1]
        assert place(page) == f"{verb} {name} \u00b7 row {moment.node.id} of 11"
        assert faint(page) <= {str(node.id) for node in log if replay.entering(node) > event}
        for frame in moment.stack[: None if moment.enters else -1]:
            if frame.best is not None:
                said = page.locator(f'#tree [data-id="{frame.node.id}"]')
                best = f"best so far {frame.best:+g}".replace("-", "−")
                expect(said).to_have_accessible_name(re.compile(f"being searched.*{re.escape(best)}"))
        keys(page, ".")
    assert faint(page) == set()
    assert page.locator("#tree .node-pv").count() > 0
    assert place(page).startswith("leaves root")
    keys(page, ",")
    assert not place(page).startswith("leaves root")
    # Tip and details of a node that is searched have the window not the score.
    begin(page, ".", ".", ".")
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
    over = place(begin(page, ".", ">"))
    assert over.startswith("leaves")
    assert f"row {replay[1].node.id} of" in over
    assert place(keys(page, "<")).startswith("leaves root")
    press(page, page.get_by_role("button", name="Step back"))
    assert not place(page).startswith("leaves root")
    # It plays to the end at the rate that is chosen, and pauses.
    begin(page)
    page.get_by_label("Events a second").select_option("1000")
    page.get_by_role("button", name="Play (k)").click()
    expect(page.locator(".replay-place")).to_contain_text("leaves root")
    expect(page.get_by_role("button", name="Play (k)")).to_be_visible()
    stop = page.get_by_label("What a run stops at")
    run = page.get_by_role("button", name="Run to the next stop")
    # A run stops at the next cut; the stack is a list at the right with the window of each.
    begin(page, "h")
    assert place(page).startswith("leaves b ")
    stack = page.locator("#details-panel").get_by_role("list", name="Nodes that the search is in")
    frames = stack.get_by_role("button")
    expect(frames).to_have_count(len(replay[14].stack))
    root = "root: best so far +3, window +3 … +∞, alpha has just moved"
    expect(frames.first).to_have_accessible_name(root)
    expect(stack.locator(".window-moved")).to_have_count(1)
    expect(page.get_by_role("button", name="b: best so far +2")).to_contain_text("closed: cut")
    assert serious(page) == []
    # And back at the last stop, of the kind that is chosen.
    for key, said in (("h", "leaves c "), ("Shift+H", "leaves b ")):
        assert place(keys(tree(page), key)).startswith(said)
    choose(page, "What a run stops at", "best")
    assert place(keys(tree(page), "Shift+H")).startswith("leaves a ")
    choose(page, "What a run stops at", "cut")
    # The bar of time is dragged and the stack is walked.
    begin(page)
    page.get_by_label("Time of the search").fill("10")
    settled(page)
    assert frames.count() == len(replay[10].stack)
    press(page, frames.first)
    assert selected(page) == "root"
    # Stops are ticks below the bar of time and a press goes there.
    begin(page)
    cuts: list[int] = []
    while (event := replay.next_stop(cuts[-1] if cuts else -1, "cut")) is not None:
        cuts.append(event)
    assert ticks(page, "stops") == len(cuts)
    lane, said = page.get_by_role("slider", name="stops of a run"), page.locator("[data-lens=time]")
    lane.click(position={"x": cuts[1] / len(replay) * place_of(lane)["width"] + 1, "y": 5})
    assert f"replay, event {cuts[1]} " in settled(page).locator("[data-lens=time]").inner_text()
    lane.focus()
    for key, event in (("Home", cuts[0]), ("ArrowRight", cuts[1])):
        keys(page, key)
        assert f"replay, event {event} " in said.inner_text()
    # A run stops where an expression is true.
    begin(page)
    stop.select_option("where")
    where = page.get_by_label("An expression that is true")
    expect(where).to_be_focused()
    where.fill("score < 3")
    assert place(keys(page, "Enter")).startswith("enters b ")
    assert place(press(page, run)).startswith("enters a ")
    where.fill("score < -100")
    keys(page, "Enter")
    expect(page.get_by_text("The replay has no node where score < -100 after this.")).to_be_visible()
    # A run stops where a score differs from that of the parent.
    begin(page)
    choose(page, "What a run stops at", "score != parent.score")
    press(page, run)
    found = replay.next_stop(0, "score != parent.score")
    assert found is not None
    assert place(page) == f"enters {replay[found].node.ply} · row {replay[found].node.id} of 11"
    # The address holds the event, and where a run stops.
    at = place(page)
    page.wait_for_function("location.hash.includes('stop=score')")
    page.reload()
    assert place(settled(page)) == at
    expect(stop).to_have_value("score != parent.score")
    # Escape ends it.
    keys(tree(settled(page)), "Escape")
    expect(page.get_by_role("region", name="Replay")).to_be_hidden()
    assert faint(page) == set()


def test_findings_are_ticks_of_the_rail_while_the_check_is_open(show: Show) -> None:
    log = TEXTBOOK.parent / "bugs" / "bug-lost-alpha.json"
    page = keys(show(log, 1280, 720), "c")
    report = plyscope.check(log)
    severity = next(iter(sorted({finding.severity for finding in report})))
    nodes = {finding.node.id for finding in report if finding.severity == severity}
    lane = page.locator(f".rail-{severity}")
    expect(lane.locator(".rail-ticks")).to_be_attached()
    assert f"{len(nodes):,} finding" in (lane.get_attribute("aria-label") or "")
    lane.focus()
    keys(page, "Home")
    page.wait_for_function(f"location.hash.includes('node={min(nodes)}')")
