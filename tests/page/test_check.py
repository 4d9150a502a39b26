"""The check in the page: its badge, its panel, the marks in the tree; whatever a log says stays text.

Badge, panel and marks tell of one check and share its logs, so they stand together past 300 lines.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.shelf.jobs import check_job
from plyscope.visualizer.web.api import check
from tests.page.conftest import Show, again, keys, linked, place_of, press, settled
from tests.page.panels import details, node
from tests.page.test_accessibility import serious

LEAF: dict[str, Any] = {"layer": "max", "player": "white", "bound": "exact", "outcome": "leaf"}
FAULTY: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "search": {"algorithm": "alphabeta", "depth": 2, "fail": "soft"},
    "root": {
        "layer": "max",
        "player": "white",
        "score": 4,
        "bound": "exact",
        "outcome": "searched",
        "children": [
            {
                "ply": "a",
                "layer": "min",
                "player": "black",
                "score": 4,
                "bound": "exact",
                "outcome": "searched",
                "children": [
                    LEAF | {"ply": "c", "score": 4, "static": 4},
                    LEAF | {"ply": "<img src=x>", "score": 3, "static": 7},
                ],
            },
        ],
    },
}
"""The second leaf says 3 where its static is 7, and a says 4 where its children say 3."""


WRONG_SIGN = Path(__file__).resolve().parents[2] / "examples/bugs/bug-wrong-sign.json"


def faulty(folder: Path) -> Path:
    path = folder / "faulty.json"
    path.write_text(json.dumps(FAULTY), "utf-8")
    return path


def clean(folder: Path) -> Path:
    document = copy.deepcopy(FAULTY)
    document["root"]["children"][0]["children"][1] |= {"score": 7}
    path = folder / "clean.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


def badge(page: Page) -> Locator:
    return page.get_by_role("banner").get_by_role("button", name=re.compile("^Check: "))


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Check of the log")


@pytest.fixture
def sample(show: Show, tmp_path: Path) -> Page:
    """The page on the faulty log, which is checked by itself."""
    return show(faulty(tmp_path))


@pytest.fixture
def slow(show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The page on the faulty log as if it were large: checked on request, in a child process."""
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    monkeypatch.setattr(check, "QUICK_ROWS", 0)
    return show(faulty(tmp_path))


def test_a_log_is_checked_by_itself_and_its_findings_are_gone_to(sample: Page) -> None:
    link = linked(sample)
    # A log is checked by itself and the badge counts what was found.
    expect(badge(sample)).to_have_accessible_name(re.compile(r"^Check: [0-9]+ wrong"))
    expect(sample.get_by_role("banner").get_by_role("status").last).to_have_text(re.compile("wrong"))
    expect(panel(sample)).to_be_hidden()
    # Nodes with findings are marked and say so.
    marked = sample.locator("#tree .node:has(> .finding-mark:not(.finding-below))")
    assert "3" in marked.evaluate_all("nodes => nodes.map(node => node.dataset.id)")
    expect(node(sample, "<img src=x>")).to_have_accessible_name(re.compile("1 finding, wrong"))
    # A folded node says what was found below it.
    press(sample, node(sample, "root"))
    keys(sample, "ArrowLeft")
    expect(node(sample, "root")).to_have_accessible_name(re.compile("findings? below"))
    expect(sample.locator("#tree .finding-below")).to_have_count(1)
    # The badge opens the panel in the place of the details.
    again(sample, link)
    press(sample, badge(sample))
    expect(badge(sample)).to_have_attribute("aria-expanded", "true")
    expect(details(sample)).to_be_hidden()
    groups = panel(sample).get_by_role("list", name="Findings by rule")
    expect(groups.get_by_role("button", name=re.compile("^leaf.*wrong"))).to_be_visible()
    press(sample, panel(sample).get_by_role("button", name="Close the check"))
    expect(panel(sample)).to_be_hidden()
    expect(details(sample)).to_be_visible()
    # So does a press on a node, whose details are shown.
    press(sample, badge(sample))
    press(sample, node(sample, "a"))
    expect(details(sample).locator(".details-name")).to_have_text("a")
    again(sample, link)
    # A finding is gone to and told with both figures.
    press(sample, badge(sample))
    groups = panel(sample).get_by_role("list", name="Findings by rule")
    press(sample, groups.get_by_role("button", name=re.compile("^value")))
    press(sample, panel(sample).get_by_role("list", name="Findings of value").get_by_role("button"))
    expect(node(sample, "a")).to_have_attribute("aria-selected", "true")
    finding = panel(sample).get_by_role("article", name="Finding value")
    expect(finding).to_contain_text("best of its children is 3")
    figures = finding.locator("dl").inner_text().split()
    assert (figures[2], figures[-1]) == ("3", "4")
    expect(finding).to_contain_text("What it means")
    expect(finding.get_by_role("region", name="To reproduce")).to_contain_text("a")


def test_the_node_of_a_finding_and_the_children_involved_are_outlined(sample: Page) -> None:
    press(sample, badge(sample))
    groups = panel(sample).get_by_role("list", name="Findings by rule")
    press(sample, groups.get_by_role("button", name=re.compile("^value")))
    press(sample, panel(sample).get_by_role("list", name="Findings of value").get_by_role("button"))
    outlined = sample.locator("#tree .node:has(> .finding-outline)")
    assert outlined.evaluate_all("nodes => nodes.map(node => node.dataset.id)") == ["1", "3"]
    expect(sample.locator("#tree .finding-outline-involved")).to_have_count(1)
    press(sample, panel(sample).get_by_role("button", name="Close the check"))
    expect(sample.locator("#tree .finding-outline")).to_have_count(0)


def test_keys_go_through_the_findings_and_the_help_lists_them(sample: Page) -> None:
    total = panel(sample).get_by_role("status")
    keys(sample, "e")
    expect(panel(sample)).to_be_visible()
    expect(total.first).to_have_text(re.compile("^1 of "))
    keys(sample, "e")
    expect(total.first).to_have_text(re.compile("^2 of "))
    keys(sample, "E", "E")
    last, of = str(total.first.inner_text()).split(" of ")
    assert last == of
    keys(sample, "c")
    expect(panel(sample)).to_be_hidden()
    keys(sample, "?")
    expect(sample.get_by_role("dialog")).to_contain_text("next finding of the check")


def test_the_details_of_a_node_tell_its_findings_and_lead_to_them(sample: Page) -> None:
    press(sample, node(sample, "<img src=x>"))
    part = details(sample).get_by_role("button", name=re.compile("^leaf"))
    expect(part).to_contain_text("3")
    press(sample, part)
    finding = panel(sample).get_by_role("article", name="Finding leaf")
    expect(finding).to_be_visible()
    press(sample, finding.get_by_role("button", name="Details of this node"))
    expect(details(sample).get_by_role("heading", name="<img src=x>")).to_be_visible()


def test_findings_are_filtered_by_severity_words_and_place(sample: Page) -> None:
    # Findings are filtered by severity and by words.
    press(sample, badge(sample))
    groups = panel(sample).get_by_role("list", name="Findings by rule").get_by_role("listitem")
    words = panel(sample).get_by_role("searchbox", name="Filter the findings by rule")
    words.press_sequentially("leaf")
    settled(sample)
    expect(groups).to_have_count(1)
    expect(words).to_be_focused()
    press(sample, panel(sample).get_by_role("button", name=re.compile("wrong$")).first)
    expect(panel(sample)).to_contain_text("No finding that is shown matches “leaf”")
    press(sample, panel(sample).get_by_role("button", name="Clear the filter"))
    expect(words).to_have_value("")
    assert groups.count() > 1
    # Findings are filtered by path id and message and gone through.
    press(sample, panel(sample).get_by_role("button", name="Close the check"))
    press(sample, badge(sample))
    words = panel(sample).get_by_role("searchbox", name="Filter the findings by rule")
    groups = panel(sample).get_by_role("list", name="Findings by rule").get_by_role("button")
    for text, rule in (("a > <img", "leaf"), ("#3", "leaf"), ("best of its children", "value")):
        words.fill(text)
        settled(sample)
        expect(groups).to_have_count(1)
        expect(groups).to_have_accessible_name(re.compile(f"^{rule}"))
    press(sample, panel(sample).get_by_role("button", name="Next"))
    expect(panel(sample).get_by_role("article", name="Finding value")).to_be_visible()
    expect(panel(sample).get_by_role("status").first).to_have_text("1 of 1")


def test_a_finding_is_copied_and_linked(sample: Page) -> None:
    # The reproduce line is copied.
    sample.context.grant_permissions(["clipboard-read", "clipboard-write"])
    keys(sample, "e")
    line = panel(sample).get_by_role("region", name="To reproduce").inner_text()
    panel(sample).get_by_role("button", name="Copy").click()
    expect(panel(sample).get_by_role("button", name="Copied")).to_be_visible()
    assert sample.evaluate("navigator.clipboard.readText()") == line
    # A link opens at the finding.
    keys(sample, "e")
    rule = panel(sample).get_by_role("article").get_by_role("heading").first.text_content() or ""
    expect(sample).to_have_url(re.compile(r"check=wrong\."))
    sample.reload()
    settled(sample)
    expect(panel(sample).get_by_role("article").get_by_role("heading").first).to_have_text(rule)


def test_what_a_log_says_is_never_markup_in_the_panel(sample: Page) -> None:
    press(sample, badge(sample))
    press(sample, panel(sample).get_by_role("button", name=re.compile("^leaf.*wrong")))
    expect(panel(sample).get_by_role("list", name="Findings of leaf")).to_contain_text("<img src=x>")
    assert sample.locator("img").count() == 0


def test_a_clean_log_says_so_and_what_was_and_was_not_checked(show: Show, tmp_path: Path) -> None:
    page = show(clean(tmp_path))
    expect(badge(page)).to_have_accessible_name("Check: nothing found")
    press(page, badge(page))
    expect(panel(page)).to_contain_text("Nothing was found")
    expect(panel(page)).to_contain_text(re.compile(r"[0-9]+ rules asked of 4 rows; none is broken"))
    expect(panel(page)).to_contain_text(re.compile(r"[0-9]+ rules could not be asked"))
    expect(panel(page)).to_contain_text("Not judged: who wins, since no ending; legality, since no game;")
    lacking = panel(page).get_by_text(re.compile("^needs key"))
    expect(lacking.first).to_be_hidden()
    press(page, panel(page).get_by_text(re.compile("^Not checked")))
    expect(lacking.first).to_be_visible()
    press(page, panel(page).get_by_text(re.compile("^Checked")))
    expect(panel(page).get_by_text("a finished node has a number as its score")).to_be_visible()
    assert page.locator("#tree .finding-mark").count() == 0


def test_a_log_without_claims_is_not_called_clean(show: Show) -> None:
    page = show(Path(__file__).parents[1] / "shapes" / "org_chart.json")
    expect(badge(page)).to_have_accessible_name("Check: nothing to judge")
    expect(badge(page)).to_have_text("Nothing to judge")
    press(page, badge(page))
    expect(panel(page)).to_contain_text("No rule could be asked")
    expect(panel(page)).to_contain_text("needs score")
    expect(panel(page)).not_to_contain_text("Nothing was found")


def test_a_large_log_is_checked_on_request(slow: Page) -> None:
    expect(badge(slow)).to_have_accessible_name("Check: this log is not checked yet")
    press(slow, badge(slow))
    expect(panel(slow)).to_contain_text("It has 4 rows")
    press(slow, panel(slow).get_by_role("button", name="Check this log"))
    expect(badge(slow)).to_have_accessible_name(re.compile("[0-9]+ wrong"))


def test_a_check_that_runs_shows_progress_and_is_cancelled(slow: Page) -> None:
    press(slow, badge(slow))
    panel(slow).get_by_role("button", name="Check this log").click()
    expect(panel(slow).get_by_role("progressbar", name="Check")).to_be_visible()
    press(slow, panel(slow).get_by_role("button", name="Cancel"))
    expect(panel(slow).get_by_role("button", name="Check this log")).to_be_visible()
    expect(badge(slow)).to_have_accessible_name("Check: this log is not checked yet")


def test_a_check_that_fails_says_why_and_can_be_tried_again(
    sample: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.route("**/check?quick=1", lambda route: route.fulfill(status=500, json={"error": "it broke"}))
    sample.reload()
    settled(sample)
    expect(badge(sample)).to_have_accessible_name("Check: it failed")
    keys(sample, "c")
    expect(panel(sample).get_by_role("alert")).to_contain_text("it broke")
    press(sample, panel(sample).get_by_role("button", name="Try again"))
    expect(badge(sample)).to_have_accessible_name(re.compile("wrong"))


def test_on_a_narrow_window_the_panel_folds_the_others(show: Show, tmp_path: Path) -> None:
    page = show(faulty(tmp_path), width=720, height=900)
    keys(page, "[", "c")
    expect(panel(page)).to_be_visible()
    expect(page.get_by_role("complementary", name="Logs and run")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 720


def test_axe_finds_nothing_serious_in_the_panel(show: Show, tmp_path: Path) -> None:
    for log in (faulty(tmp_path), clean(tmp_path)):
        page = show(log)
        keys(page, "c", "e")
        assert serious(page) == []


def test_on_a_tablet_the_commands_take_two_rows_beside_a_badge_that_counts(show: Show) -> None:
    page = keys(show(WRONG_SIGN, width=820, height=1180, has_touch=True), "e")
    expect(page.locator(".badge-count").first).to_be_visible()
    controls = page.locator(".topbar .button").all()
    rows = {round(box["y"] + box["height"] / 2) for one in controls if (box := one.bounding_box())}
    assert len(rows) == 2


def test_on_a_phone_the_marked_node_and_the_finding_are_seen_at_once(show: Show, tmp_path: Path) -> None:
    page = keys(show(faulty(tmp_path), width=390, height=844, has_touch=True), "e")
    sheet = place_of(panel(page))
    assert sheet["width"] == 390
    assert sheet["height"] <= 0.4 * 844
    assert sheet["y"] + sheet["height"] == 844
    marked = place_of(page.get_by_role("treeitem", selected=True))
    assert marked["x"] >= 0
    assert marked["x"] + marked["width"] <= 390
    assert marked["y"] + marked["height"] <= sheet["y"]
    expect(panel(page).locator(".check-message")).to_be_in_viewport(ratio=1)
    for name in ("Next", "Previous"):
        expect(panel(page).get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_sheet_shows_a_finding_or_the_list_of_all(show: Show, tmp_path: Path) -> None:
    page = keys(show(faulty(tmp_path), width=390, height=844, has_touch=True), "e")
    groups = panel(page).get_by_role("list", name="Findings by rule")
    finding = panel(page).get_by_role("article")
    expect(groups).to_be_hidden()
    press(page, panel(page).get_by_role("button", name="All findings"))
    expect(groups).to_be_visible()
    expect(finding).to_be_hidden()
    press(page, panel(page).get_by_role("button", name="Next"))
    expect(finding).to_be_visible()
    expect(groups).to_be_hidden()


def test_the_selected_node_stays_in_view_when_the_sheet_takes_room(show: Show, tmp_path: Path) -> None:
    page = show(faulty(tmp_path), width=390, height=600)
    chosen = page.get_by_role("treeitem", selected=True)
    page.mouse.move(40, 250)
    page.mouse.down()
    page.mouse.move(40, 400)
    page.mouse.up()
    settled(page)
    before = place_of(chosen)
    keys(page, "c")
    after, sheet = place_of(chosen), place_of(panel(page))
    assert before["y"] + before["height"] > sheet["y"]
    assert after["y"] + after["height"] <= sheet["y"]


def test_an_involved_node_elsewhere_is_named_by_the_way_to_it(show: Show) -> None:
    """In this example the entry of one node is used wrongly in another branch."""
    page = show(shipped_folder("examples") / "bugs" / "bug-bounds-as-exact.json")
    press(page, badge(page))
    groups = panel(page).get_by_role("list", name="Findings by rule")
    press(page, groups.get_by_role("button", name=re.compile("^tt-bound")))
    press(page, panel(page).get_by_role("list", name="Findings of tt-bound").get_by_role("button").first)
    involved = panel(page).locator(".check-where").nth(1)
    expect(involved).to_contain_text(re.compile(r"\w > \w"))


def test_a_check_whose_rules_are_compiled_says_so_and_only_then(slow: Page) -> None:
    press(slow, badge(slow))
    running = {
        "state": "running",
        "phase": "preparing",
        "progress": 0,
        "rows": 4,
        "quick": False,
        "compiling": True,
    }
    slow.route(re.compile("/check([?]|$)"), lambda route: route.fulfill(status=202, json=running))
    panel(slow).get_by_role("button", name="Check this log").click()
    expect(panel(slow)).to_contain_text("Getting ready… Compiling the rules, once on a machine…")
    running |= {"phase": "checking", "progress": 0.46, "compiling": False}
    expect(panel(slow)).to_contain_text("Checking 4 rows, 46 %.")
    expect(panel(slow)).not_to_contain_text("ompiling")
    running |= {"compiling": True}
    expect(panel(slow)).to_contain_text("46 %. Compiling the rules, once on a machine…")
    expect(panel(slow).get_by_role("progressbar", name="Check")).to_have_class("progress progress-still")
    slow.unroute_all(behavior="wait")


def test_what_other_rules_found_is_shown_while_the_game_is_played_again(slow: Page) -> None:
    press(slow, badge(slow))
    group = {"rule": "leaf", "severity": "wrong", "count": 1, "reason": "r", "meaning": "m", "first": 3}
    running = {
        "state": "running",
        "phase": "replaying",
        "progress": 0.46,
        "rows": 4,
        "quick": False,
        "compiling": False,
        "counts": {"wrong": 1, "waste": 0, "odd": 0},
        "groups": [group],
        "not_checked": [],
        "checked": [],
    }
    slow.route(re.compile("/check([?]|$)"), lambda route: route.fulfill(status=202, json=running))
    panel(slow).get_by_role("button", name="Check this log").click()
    expect(panel(slow)).to_contain_text("Playing the game again, for the last rule, 46 %.")
    panel(slow).get_by_role("list", name="Findings so far").get_by_role(
        "button", name=re.compile("^leaf")
    ).click()
    expect(slow.locator('#tree .node[aria-selected="true"]')).to_have_attribute("data-id", "3")
    slow.unroute_all(behavior="wait")


def test_what_stands_between_backticks_is_set_as_code(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "views.json"
    search = {"perspective": "mover"}
    child = {"ply": "a", "score": 1, "children": [{"ply": "b", "score": 2}]}
    path.write_text(json.dumps({"plyscope": 1, "search": search, "root": {"score": 1, "children": [child]}}))
    page = show(path)
    notes = page.get_by_role("region", name="Notes on this log")
    expect(notes.locator("code").first).to_have_text("mover")
    expect(notes).not_to_contain_text("`")


def test_code_in_a_finding_is_set_as_code_wherever_the_finding_stands(show: Show, tmp_path: Path) -> None:
    """In the list of a rule's findings, beside the rule's name, and in the details of the node."""
    path = tmp_path / "fail.json"
    path.write_text(RULES["declared-fail"].text.example, "utf-8")
    page = show(path)
    press(page, badge(page))
    group = panel(page).get_by_role("button", name=re.compile("^declared-fail"))
    expect(group.locator("code")).to_have_text("search.fail")
    press(page, group)
    item = panel(page).get_by_role("list", name="Findings of declared-fail").get_by_role("button")
    expect(item.locator("code")).to_have_text("fail: soft")
    press(page, item)
    press(page, panel(page).get_by_role("button", name="Close the check"))
    found = details(page).get_by_role("button", name=re.compile("^declared-fail"))
    expect(found.locator("code")).to_have_text("fail: soft")
