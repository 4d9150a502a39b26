"""The check in the page: its badge, its panel, the marks in the tree; whatever a log says stays text.

Badge, panel and marks tell of one check and share its logs, so they stand together past 300 lines.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.shelf.jobs import check_job
from plyscope.visualizer.web.api import check
from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.panels import details, logs, node
from tests.page.places import inside, place_of, width_of
from tests.page.test_accessibility import serious
from tests.page.trees import EXAMPLES, WRONG_SIGN, selected
from tests.unit.web.test_check import FAULTY as PLAIN_FAULTY

FAULTY: dict[str, Any] = json.loads(json.dumps(PLAIN_FAULTY).replace('"d"', '"<img src=x>"'))


def badge(page: Page) -> Locator:
    return page.get_by_role("banner").get_by_role("button", name=re.compile("^Check: "))


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Check of the log")


def groups(page: Page) -> Locator:
    return panel(page).get_by_role("list", name="Findings by rule").get_by_role("button")


def finding(page: Page, rule: str) -> Locator:
    return panel(page).get_by_role("article", name=f"Finding {rule}")


def unfold(page: Page, rule: str) -> Locator:
    """The findings of a rule, in the panel that is open, or that the badge opens."""
    if panel(page).is_hidden():
        press(page, badge(page))
    press(page, groups(page).filter(has_text=re.compile(f"^{rule}")).first)
    return panel(page).get_by_role("list", name=f"Findings of {rule}").get_by_role("button")


def test_a_log_is_checked_by_itself_and_its_findings_are_gone_to_walked_and_filtered(
    show: Show,
) -> None:
    sample = show(FAULTY)
    link = linked(sample)
    # A log is checked by itself and the badge counts what was found.
    expect(badge(sample)).to_have_accessible_name(re.compile(r"^Check: [0-9]+ wrong"))
    expect(sample.get_by_role("banner").get_by_role("status").last).to_have_text(re.compile("wrong"))
    expect(panel(sample)).to_be_hidden()
    # Nodes with findings are marked and say so; a folded node says what was found below it.
    marked = sample.locator("#tree .node:has(> .finding-mark:not(.finding-below))")
    ids = "nodes => nodes.map(node => node.dataset.id)"
    assert "3" in marked.evaluate_all(ids)
    expect(node(sample, "<img src=x>")).to_have_accessible_name(re.compile("1 finding, wrong"))
    press(sample, node(sample, "root"))
    keys(sample, "ArrowLeft")
    expect(node(sample, "root")).to_have_accessible_name(re.compile("findings? below"))
    expect(sample.locator("#tree .finding-below")).to_have_count(1)
    # The badge opens the panel in the place of the details, and a press on a node shows those.
    again(sample, link)
    press(sample, badge(sample))
    expect(badge(sample)).to_have_attribute("aria-expanded", "true")
    expect(details(sample)).to_be_hidden()
    press(sample, panel(sample).get_by_role("button", name="Close the check"))
    expect(panel(sample)).to_be_hidden()
    expect(details(sample)).to_be_visible()
    press(sample, badge(sample))
    press(sample, node(sample, "a"))
    expect(details(sample).locator(".details-name")).to_have_text("a")
    # A finding is gone to and told with both figures; its node and the children involved are outlined.
    again(sample, link)
    press(sample, unfold(sample, "value"))
    assert selected(sample) == "a"
    told = finding(sample, "value")
    expect(told).to_contain_text("best of its children is 3")
    figures = told.locator("dl").inner_text().split()
    assert (figures[2], figures[-1]) == ("3", "4")
    expect(told).to_contain_text("What it means")
    expect(told.get_by_role("region", name="To reproduce")).to_contain_text("a")
    assert sample.locator("#tree .node:has(> .finding-outline)").evaluate_all(ids) == ["1", "3"]
    expect(sample.locator("#tree .finding-outline-involved")).to_have_count(1)
    assert serious(sample) == []
    press(sample, panel(sample).get_by_role("button", name="Close the check"))
    expect(sample.locator("#tree .finding-outline")).to_have_count(0)
    # The details of a node tell its findings and lead to them, and back.
    press(sample, node(sample, "<img src=x>"))
    part = details(sample).get_by_role("button", name=re.compile("^leaf"))
    expect(part).to_contain_text("3")
    press(sample, part)
    press(sample, finding(sample, "leaf").get_by_role("button", name="Details of this node"))
    expect(details(sample).get_by_role("heading", name="<img src=x>")).to_be_visible()
    # Findings are stepped through, from the last to the first.
    again(sample, link)
    place = panel(sample).get_by_role("status").first
    for key, said in (("e", "2 of 2"), ("e", "1 of 2"), ("E", "2 of 2")):
        keys(sample, key)
        expect(place).to_have_text(said)
    # The reproduce line is copied.
    sample.context.grant_permissions(["clipboard-read", "clipboard-write"])
    line = panel(sample).get_by_role("region", name="To reproduce").inner_text()
    panel(sample).get_by_role("button", name="Copy").click()
    expect(panel(sample).get_by_role("button", name="Copied")).to_be_visible()
    assert sample.evaluate("navigator.clipboard.readText()") == line
    # A link opens at the finding, a key closes the check.
    expect(sample).to_have_url(re.compile(r"check=\w+\."))
    sample.reload()
    expect(settled(sample).locator("#check-panel article")).to_be_visible()
    keys(sample, "c")
    expect(panel(sample)).to_be_hidden()
    # They are filtered by severity and words.
    press(sample, badge(sample))
    words = panel(sample).get_by_role("searchbox", name="Filter the findings by rule")
    n_groups = groups(sample).count()
    words.press_sequentially("leaf")
    settled(sample)
    expect(groups(sample)).to_have_count(1)
    expect(words).to_be_focused()
    press(sample, panel(sample).get_by_role("button", name=re.compile("wrong$")).first)
    expect(panel(sample)).to_contain_text("No finding that is shown matches “leaf”")
    press(sample, panel(sample).get_by_role("button", name="Clear the filter"))
    expect(words).to_have_value("")
    expect(groups(sample)).to_have_count(n_groups)
    # A check that fails says why, and can be tried again.
    sample.route("**/check?quick=1", lambda route: route.fulfill(status=500, json={"error": "it broke"}))
    sample.reload()
    settled(sample)
    expect(badge(sample)).to_have_accessible_name("Check: it failed")
    if panel(sample).is_hidden():
        keys(sample, "c")
    expect(panel(sample).get_by_role("alert")).to_contain_text("it broke")
    press(sample, panel(sample).get_by_role("button", name="Try again"))
    expect(badge(sample)).to_have_accessible_name(re.compile("wrong"))


def test_a_clean_log_says_so_and_what_was_and_was_not_checked(show: Show) -> None:
    shape = EXAMPLES.parent / "tests/shapes/org_chart.json"
    clean = json.dumps(FAULTY).replace('"score": 3', '"score": 7')
    page = show(clean, beside={"org chart.json": shape.read_text("utf-8")})
    expect(badge(page)).to_have_accessible_name("Check: nothing found")
    press(page, badge(page))
    for words in (
        "Nothing was found",
        re.compile(r"[0-9]+ rules asked of 4 rows; none is broken"),
        re.compile(r"[0-9]+ rules could not be asked"),
        "Not judged: who wins, since no ending; legality, since no game;",
    ):
        expect(panel(page)).to_contain_text(words)
    lacking = panel(page).get_by_text(re.compile("^needs key"))
    expect(lacking.first).to_be_hidden()
    press(page, panel(page).get_by_text(re.compile("^Not checked")))
    expect(lacking.first).to_be_visible()
    press(page, panel(page).get_by_text(re.compile("^Checked")))
    expect(panel(page).get_by_text("a finished node has a number as its score")).to_be_visible()
    assert page.locator("#tree .finding-mark").count() == 0
    assert serious(page) == []
    # A log without claims is not called clean.
    press(page, logs(page).get_by_role("button", name=re.compile("^org chart")))
    expect(badge(page)).to_have_accessible_name("Check: nothing to judge")
    expect(badge(page)).to_have_text("Nothing to judge")
    if panel(page).is_hidden():
        press(page, badge(page))
    expect(panel(page)).to_contain_text("No rule could be asked")
    expect(panel(page)).to_contain_text("needs score")
    expect(panel(page)).not_to_contain_text("Nothing was found")


def test_a_large_log_is_checked_on_request_with_progress_unless_it_is_cancelled(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is checked in a child process, as the faulty log is here."""
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    monkeypatch.setattr(check, "QUICK_ROWS", 0)
    slow = show(FAULTY)
    unchecked = "Check: this log is not checked yet"
    expect(badge(slow)).to_have_accessible_name(unchecked)
    press(slow, badge(slow))
    expect(panel(slow)).to_contain_text("It has 4 rows")
    begin = panel(slow).get_by_role("button", name="Check this log")
    begin.click()
    expect(panel(slow).get_by_role("progressbar", name="Check")).to_be_visible()
    press(slow, panel(slow).get_by_role("button", name="Cancel"))
    expect(begin).to_be_visible()
    expect(badge(slow)).to_have_accessible_name(unchecked)
    # It says what it is at, and what it has found so far.
    rows = {"state": "running", "rows": 4, "quick": False, "progress": 0.46}
    running = rows | {"phase": "preparing", "progress": 0, "compiling": True}
    slow.route(re.compile("/check([?]|$)"), lambda route: route.fulfill(status=202, json=running))
    begin.click()
    expect(panel(slow)).to_contain_text("Getting ready… Compiling the rules, once on a machine…")
    running |= {"phase": "checking", "progress": 0.46, "compiling": False}
    expect(panel(slow)).to_contain_text("Checking 4 rows, 46 %.")
    expect(panel(slow)).not_to_contain_text("ompiling")
    running |= {"compiling": True}
    expect(panel(slow)).to_contain_text("46 %. Compiling the rules, once on a machine…")
    expect(panel(slow).get_by_role("progressbar", name="Check")).to_have_class("progress progress-still")
    # What other rules found is shown while the game is played again.
    group = {"rule": "leaf", "severity": "wrong", "count": 1, "reason": "r", "meaning": "m", "first": 3}
    counts = {"wrong": 1, "waste": 0, "odd": 0}
    so_far = {"counts": counts, "groups": [group], "not_checked": [], "checked": []}
    running |= {"phase": "replaying", "compiling": False, **so_far}
    expect(panel(slow)).to_contain_text("Playing the game again, for the last rule, 46 %.")
    found = panel(slow).get_by_role("list", name="Findings so far")
    found.get_by_role("button", name=re.compile("^leaf")).click()
    expect(slow.locator('#tree .node[aria-selected="true"]')).to_have_attribute("data-id", "3")
    slow.unroute_all(behavior="wait")
    press(slow, begin)
    expect(badge(slow)).to_have_accessible_name(re.compile("[0-9]+ wrong"))


def test_on_a_phone_the_marked_node_and_a_finding_or_the_list_of_all_are_seen_at_once(show: Show) -> None:
    page = keys(show(WRONG_SIGN, width=390, height=844, has_touch=True), "e")
    marked = place_of(page.get_by_role("treeitem", selected=True))
    assert inside(marked, {"x": 0, "y": 0, "width": 390, "height": place_of(panel(page))["y"]})
    expect(panel(page).locator(".check-message")).to_be_in_viewport(ratio=1)
    for name in ("Next", "Previous"):
        expect(panel(page).get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    # The sheet shows a finding or the list of all.
    one, all_of_them = panel(page).get_by_role("article"), groups(page).first
    expect(all_of_them).to_be_hidden()
    press(page, panel(page).get_by_role("button", name="All findings"))
    expect(all_of_them).to_be_visible()
    expect(one).to_be_hidden()
    press(page, panel(page).get_by_role("button", name="Next"))
    expect(one).to_be_visible()
    expect(all_of_them).to_be_hidden()
    # On a tablet the commands take two rows, beside a badge that counts; the panel folds the others.
    page.set_viewport_size({"width": 820, "height": 1180})
    keys(page, "[", "e")
    expect(page.locator(".badge-count").first).to_be_visible()
    expect(panel(page)).to_be_visible()
    expect(logs(page)).to_be_hidden()
    assert width_of(page) <= 820
    controls = page.locator(".topbar .button").all()
    rows = {round(box["y"] + box["height"] / 2) for one in controls if (box := one.bounding_box())}
    assert len(rows) == 2


def test_an_involved_node_elsewhere_is_named_by_the_way_to_it(show: Show) -> None:
    """In this example the entry of one node is used wrongly in another branch."""
    page = show(EXAMPLES / "bugs" / "bug-bounds-as-exact.json")
    # A line through the table names no ply twice.
    steps = details(page).locator(".step[data-key^='line-']")
    expect(steps).to_have_text(["d", "b", "c", "(table)", "b", "c"])
    press(page, unfold(page, "tt-bound").first)
    involved = panel(page).locator(".check-where").nth(1)
    expect(involved).to_contain_text(re.compile(r"\w > \w"))


def test_what_stands_between_backticks_is_set_as_code(show: Show) -> None:
    """In the notes, in the list of a rule's findings, beside the rule's name, in the details of the node."""
    child = {"ply": "a", "score": 1, "children": [{"ply": "b", "score": 2}]}
    views = {"plyscope": 1, "search": {"perspective": "mover"}, "root": {"score": 1, "children": [child]}}
    example = json.loads(RULES["declared-fail"].text.example)
    wrong = WRONG_SIGN.read_text("utf-8")
    page = show(example, beside={"views.json": views, "bug-wrong-sign.json": wrong})
    item = unfold(page, "declared-fail")
    expect(groups(page).filter(has_text="declared-fail").locator("code")).to_have_text("search.fail")
    expect(item.locator("code")).to_have_text("fail: soft")
    press(page, item)
    press(page, panel(page).get_by_role("button", name="Close the check"))
    found = details(page).get_by_role("button", name=re.compile("^declared-fail"))
    expect(found.locator("code")).to_have_text("fail: soft")
    press(page, logs(page).get_by_role("button", name=re.compile("^views")))
    notes = page.get_by_role("region", name="Notes on this log")
    expect(notes.locator("code").first).to_have_text("mover")
    # In why, the statistics, and what the check did not ask.
    press(page, logs(page).get_by_role("button", name=re.compile("^bug-wrong-sign")))
    expect(page.locator("#why code").first).to_have_text("check")
    for key in "sc":
        keys(page, key)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert "`" not in page.locator("body").inner_text()
    expect(panel(page).get_by_text("add up to").locator("code")).to_have_text("moves")
    # Its game is called as none that is known, so nothing is offered that needs its rules.
    expect(page.get_by_role("button", name=" on from here")).to_have_count(0)
