"""Other weights on the page: sliders, re-weighted cards, the chip, the evidence below the tree, links."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

import plyscope
from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.panels import drag
from tests.page.places import middle_of, place_of
from tests.page.test_accessibility import serious
from tests.page.trees import DEEPENING


def leaf(ply: str, score: float, value: float, **more: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "outcome": "leaf", "score": score, "factors": [value, 1], **more}


BELOW_B = [leaf("c", 5, 1, layer="max"), {"outcome": "pruned", "count": 29}]
B = {"ply": "b", "layer": "min", "score": 5, "bound": "upper", "outcome": "cutoff", "children": BELOW_B}
LOG: dict[str, Any] = {
    "plyscope": 1,
    "factors": [{"name": "mobility", "weight": 2}, {"name": "<b>x</b>", "weight": 1}],
    "result": {"ply": "a", "score": 6},
    "root": {"layer": "max", "score": 6, "outcome": "searched", "children": [leaf("a", 6, 3), B]},
}
"""a moves by 3 times the weight, b by 1 at most: below 1.5 b could overtake a."""


def score(page: Page, ply: str) -> str:
    return page.locator(f'[role=treeitem]:has(.node-name:text-is("{ply}")) .node-score').text_content() or ""


def change(page: Page, name: str, weight: str) -> None:
    field = page.get_by_label(f"Weight of {name}, a number")
    field.fill(weight)
    field.press("Enter")
    settled(page)


def test_other_weights_are_shown_wherever_a_score_stands(show: Show) -> None:
    page = keys(show(LOG), "g")
    link = linked(page)
    logged = ["+6", "\u2264\u00a0+5", "+5"]
    chip = page.locator("[data-lens=weights]")
    words = chip.locator(".lens-words")
    mobility = page.get_by_label("Weight of mobility, a number")
    # The track shows where the choice stands.
    row = page.locator('[data-factor="mobility"]')
    pieces = row.locator(".track-piece").evaluate_all("all => all.map(({style}) => style.width)")
    assert pieces == ["37.5%", "62.5%"]
    assert row.get_by_role("slider").get_attribute("aria-valuetext") == "2, certain from 1.5"
    # The panel says what the weights make of the choice, cards show re-weighted intervals and say them.
    panel = page.get_by_role("complementary", name="With other weights")
    expect(panel.get_by_role("status")).to_have_text(
        "With the weights of the log, a is first of what was searched, worth +6. That is certain."
    )
    assert [score(page, ply) for ply in "abc"] == logged
    assert chip.count() == 0
    change(page, "mobility", "0")
    expect(words).to_have_text("mobility 2 \u2192 0")
    expect(panel.get_by_role("status")).to_have_text(
        "With mobility 0 instead of 2, a is still first of what was searched, worth 0. "
        "It depends on 29 unsearched plies; 1 rival could overtake: b could reach +3."
    )
    figures = ["+6 \u2192 0", "\u2264\u00a0+5 \u2192 \u2264\u00a0+3", "+5 \u2192 +3"]
    assert [score(page, ply) for ply in "abc"] == figures
    rival = page.locator('[role=treeitem]:has(.node-name:text-is("b"))')
    assert rival.locator(".rival-hatch").count() == 1
    said = "re-weighted score at most +3, logged score at most +5, could overtake"
    assert said in (rival.get_attribute("aria-label") or "")
    # The evidence below the tree lists intervals and draws the chart.
    drawer = page.locator("#drawer")
    cells = "all => all.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
    assert drawer.locator(".intervals tbody tr").evaluate_all(cells) == [
        ["a", "+6", "", "0", "first"],
        ["b", "\u2264\u00a0+5", "", "\u2264\u00a0+3", "could overtake"],
    ]
    assert drawer.locator(".mark-line path").count() >= 3
    page.get_by_label("Weight that the chart is about").select_option("<b>x</b>")
    settled(page)
    expect(drawer.locator(".chart-place")).to_contain_text("<b>x</b>")
    press(page, panel.get_by_role("button", name="b", exact=True))
    assert page.locator("[role=treeitem][aria-selected=true] .node-name").text_content() == "b"
    press(page, page.get_by_role("button", name="Reset"))
    assert [score(page, ply) for ply in "abc"] == logged
    # Dragging a slider re-weighs, and escape ends it.
    again(page, link)
    slider = page.get_by_role("slider", name="Weight of mobility")
    drag(page, middle_of(slider), (-place_of(slider)["width"] / 2, 0))
    assert mobility.input_value() == "0"
    assert score(page, "a") == "+6 \u2192 0"
    page.locator("#tree [tabindex='0']").first.focus()
    keys(page, "Escape")
    assert chip.count() == 0
    assert score(page, "a") == "+6"
    # A link holds the weights.
    again(page, link)
    change(page, "mobility", "0")
    change(page, "<b>x</b>", "-1")
    both = linked(page)
    again(page, link)
    again(page, both)
    assert score(page, "a") == "+6 \u2192 \u22122"
    expect(words).to_have_text("mobility 2 \u2192 0, <b>x</b> 1 \u2192 \u22121")
    # One weight is undone and the others stay.
    page.get_by_role("button", name="mobility as logged").focus()
    keys(page, "Enter")
    expect(words).to_have_text("<b>x</b> 1 \u2192 \u22121")
    expect(page.get_by_role("slider", name="Weight of mobility")).to_be_focused()
    assert mobility.input_value() == "2"
    press(page, page.get_by_role("button", name="Reset"))
    assert chip.count() == 0
    # A log that is not ours says why it cannot be searched again.
    beside = page.locator("#weights-panel .again")
    expect(beside).to_have_text(
        "This search cannot be repeated with other weights: the engine of this log is one "
        "that it does not name; only Plyscope's own can search again here."
    )
    assert beside.get_by_role("button").count() == 0
    # Details and tips show the new score beside the logged one.
    change(page, "mobility", "0")
    page.get_by_role("button", name="Close the weights", exact=True).click()
    press(page, page.locator('.node-name:text-is("b")'))
    details = page.locator("#details-panel")
    expect(details.locator(".details-score")).to_have_text("\u2264\u00a0+5 \u2192 \u2264\u00a0+3")
    expect(details.locator(".reweighed-note")).to_contain_text("are as logged")
    page.locator('.node-name:text-is("a")').hover()
    tip = page.locator("#tooltip")
    expect(tip).to_contain_text("+6 \u2192 0")
    expect(tip).to_contain_text("All below is as logged.")
    press(page, chip.get_by_role("button"))
    expect(details.locator(".reweighed-note")).to_have_count(0)
    # Whatever is typed is a weight or is said.
    keys(page, "g")
    for typed, now, noticed in TYPED:
        change(page, "mobility", "1")
        mobility.fill("")
        mobility.press_sequentially(typed)
        mobility.press("Enter")
        settled(page)
        expect(mobility).to_have_value(now)
        expect(page.locator("#notices")).to_contain_text(noticed)
        assert score(page, "a") == {"2": "+6", "1": "+6 \u2192 +3"}.get(now, "+6 \u2192 \u22123e9")
        for notice in page.locator("#notices").get_by_role("button", name="Close this message").all():
            notice.click()


TYPED = (
    ("", "2", ""),
    ("1e", "1", "The weight of mobility must be a number, such as 2.5 or -1; it stays 1."),
    ("1e400", "1", "The weight of mobility must be a number"),
    ("-1e300", "1", "the weight of 'mobility' is -1e+300, expected at most 1e+100 in size"),
    ("-1e9", "-1000000000", ""),
)


def test_weights_of_a_link_and_of_the_root_lead_to_the_panel_also_where_there_are_none(show: Show) -> None:
    plain = {"plyscope": 1, "root": {"layer": "max", "score": 3, "children": [{"ply": "a", "score": 3}]}}
    unstated = {**LOG, "factors": [{"name": "f"}, {"name": "g"}]}
    page = show(LOG, beside={"plain.json": plain, "unstated.json": unstated})
    # On opening a log the closest weights stand with the root.
    part = page.locator("#details-panel details", has_text="It certainly stands while")
    expect(part).to_contain_text("mobility")
    expect(part).to_contain_text("from 1.5")
    press(page, part.get_by_role("button", name="Other weights"))
    panel = page.get_by_role("complementary", name="With other weights")
    expect(panel).to_be_visible()
    keys(page, "g")
    assert page.get_by_role("complementary", name="Details of the node").is_visible()
    # Weights that the log has not are said.
    page.evaluate("location.hash += '&weights=nothing:3'")
    expect(page.locator("#notices")).to_contain_text("no factor 'nothing' in this log")
    assert page.locator("[data-lens=weights]").count() == 0
    assert score(page, "a") == "+6"
    assert serious(keys(page, "g")) == []
    # A log without factors, or without their weights, says what to log.
    for name, said in (
        ("plain", "This log has no factors; log their values"),
        ("unstated", "This log does not state the weight of any factor; write them in the header."),
    ):
        press(page, page.locator("#logs .log-button", has_text=f"{name}.json"))
        expect(panel).to_contain_text(said)
        expect(panel.locator(".weight").filter(visible=True)).to_have_count(0)


def test_each_weight_has_its_chart_uncut_and_searching_again_opens_the_new_log_beside_the_old_one(
    show: Show,
) -> None:
    """Those that unsettle the choice first stand first."""
    page = keys(show(DEEPENING), "g")
    page.set_viewport_size({"width": 1280, "height": 720})
    settled(page)
    ranges = plyscope.what_if(DEEPENING).ranges
    # The evidence is not cut, and what depends is hatched.
    texts = page.locator("#drawer :is(.drawer-head *, .evidence-title, .intervals :is(th, td), .chart-words)")
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText)"
    assert texts.evaluate_all(cut) == []
    chart = page.locator("#drawer .chart-place")
    name = page.get_by_label("Weight that the chart is about")
    states = {state for *_, state in next(r for r in ranges if r.name == name.input_value()).segments}
    strokes = chart.locator(".mark-rule").last.locator("line")
    assert ("depends" in states) == (strokes.count() > 0)
    said = chart.get_attribute("aria-label") or ""
    assert ("depends on unsearched plies" in said) == ("depends" in states)
    assert ("certainly stands" in said) == ("certain" in states)
    # By keyboard and by mouse.
    rows = page.locator("#weights-panel .flips-table tbody tr")
    buttons = rows.get_by_role("button")
    assert rows.locator("th").all_inner_texts() == [each.name for each in ranges]
    buttons.last.focus()
    keys(page, "Enter")
    assert name.input_value() == ranges[-1].name
    expect(buttons.last).to_be_focused()
    assert buttons.last.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Fold what lies below the tree").click()
    press(page, buttons.first)
    assert name.input_value() == ranges[0].name
    # The new log is compared with the old one, which leads to it.
    page.set_viewport_size({"width": 1440, "height": 900})
    begin = page.get_by_role("button", name="Search again with these")
    expect(begin).to_be_disabled()
    change(page, "twos", "0.5")
    begin.focus()
    page.keyboard.press("Enter")
    against = page.locator("[data-lens=against] .lens-words")
    expect(against).to_contain_text(f"against {DEEPENING.name}")
    settled(page)
    expect(page.locator(".diff-part")).to_contain_text("part at #")
    assert page.locator("[data-lens=weights]").count() == 0
    opened = page.locator("#logs-panel .log-button[aria-current=true]")
    expect(opened).to_contain_text("connect-four-deepening with twos=0.5")
    press(page, page.locator("#logs-panel .log-button", has_text=DEEPENING.name))
    keys(page, "g")
    beside = page.locator("#weights-panel .again")
    expect(beside).to_contain_text("Searched again with twos 0.5: what changed")
    press(page, beside.get_by_role("button", name="what changed"))
    expect(against).to_contain_text(f"against {DEEPENING.name}")


def test_a_running_search_says_how_far_it_is_and_is_cancelled(show: Show) -> None:
    header = plyscope.open(DEEPENING).header
    header["search"]["depth"], header["search"]["options"] = 40, {}
    ply = {"ply": "4", "layer": "min", "score": 1, "outcome": "leaf", "factors": [1, 1, 1, 1, 1, 1]}
    page = keys(show({**header, "root": {"layer": "max", "children": [ply]}}), "g")
    change(page, "twos", "-1")
    page.get_by_role("button", name="Search again with these").click()
    said = page.locator("#weights-panel .again")
    expect(said).to_contain_text(re.compile(r"Searching with twos \u22121\. Depth 40 of 40: [\d,]+ nodes in"))
    expect(said.get_by_role("progressbar", name="Search with other weights")).to_be_visible()
    said.get_by_role("button", name="Cancel the search").click()
    expect(said.get_by_role("button", name="Search again with these")).to_be_enabled()
    settled(page)
    assert page.locator("#logs-panel .log").count() == 1
