"""A best-first tree: cards of means and visits, links as wide as their share, charts of why, words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import plyscope
from tests.page.conftest import Show, again, keys, linked, place_of, press, settled
from tests.page.panels import node, write_log
from tests.page.test_accessibility import serious

NEVER = re.compile(r"horizon|decided|\bcuts?\b|cut off|window|alpha|beta|limited", re.IGNORECASE)
"""Words that have no meaning in such a tree."""


def ply(name: str, visits: int, won: int, drawn: int = 0, **more: Any) -> dict[str, Any]:
    ended = {"wins": won, "draws": drawn, "losses": visits - won - drawn}
    return {"ply": name, "visits": visits, "mean": (won + drawn / 2) / visits, **ended, **more}


def mcts() -> dict[str, Any]:
    """Three snapshots: c4 led, then d6, then f5, which lies within noise of d6; g6 is clearly worse."""
    ucb = {"exploit": 0.58, "explore": 0.04, "n": 10_411, "n_parent": 21_736}
    replies = [
        ply("e3", 900, 450, layer="max", outcome="leaf"),
        ply("f4", 6211, 3500, 96, layer="max", outcome="searched", expanded_at=2),
        {"outcome": "unlogged", "count": 9, "visits": 150, "mean": 0.4},
        {"outcome": "unlogged", "count": 4, "visits": 0},
    ]
    plies = [
        ply("g6", 2604, 1040, layer="min", outcome="leaf"),
        ply("d6", 8721, 4790, 401, layer="min", outcome="leaf"),
        ply("f5", 10_412, 5841, 438, layer="min", ucb=ucb, outcome="searched", children=replies),
    ]
    roots = [
        {"iteration": 1, **ply("", 217, 110), "layer": "max", "children": [ply("c4", 120, 65, layer="min")]},
        {
            "iteration": 10,
            **ply("", 2174, 1200),
            "layer": "max",
            "children": [ply("d6", 1200, 690, layer="min")],
        },
        {
            "iteration": 100,
            **ply("", 21_737, 11_671, 839),
            "layer": "max",
            "outcome": "searched",
            "children": plies,
        },
    ]
    for root in roots:
        del root["ply"]
    return {
        "plyscope": 1,
        "players": ["black", "white"],
        "search": {"algorithm": "mcts", "order": "best_first", "range": [0, 1], "choose": "visits"},
        "result": {
            "ply": "f5",
            "score": 0.582,
            "playouts": 21_737,
            "playouts_per_second": 4347.4,
            "max_level": 7,
        },
        "roots": roots,
    }


@pytest.fixture
def page(show: Show, tmp_path: Path) -> Page:
    return show(write_log(tmp_path, mcts()))


def cards(page: Page, level: int) -> list[str]:
    return page.locator(f"#tree .node[aria-level='{level}'] .node-name").all_text_contents()


def order(page: Page) -> Locator:
    return page.get_by_label("Children shown first")


def test_a_best_first_tree_is_drawn_by_visits_and_means(page: Page) -> None:
    link = linked(page)
    # A card says mean and visits and draws share and interval.
    card = node(page, "f5")
    expect(card.locator(".node-score")).to_have_text("58.2\u202f%")
    expect(card.locator(".node-visits")).to_have_text("10.4\u202fk")
    expect(node(page, "d6").last.locator(".node-visits")).to_have_text("8,721")
    track, bar, interval = (
        float(card.locator(f".{name}").get_attribute("width") or 0)
        for name in ("share-track", "share-bar", "interval-bar")
    )
    assert bar / track == pytest.approx(10_412 / 21_737, abs=1e-3)
    assert interval > 0
    narrow = node(page, "f5").locator(".interval-bar").get_attribute("width")
    wide = node(page, "e3").locator(".interval-bar").get_attribute("width")
    assert float(narrow or 0) < float(wide or 0)
    # Links are as wide as their share of the visits.
    widths = page.locator("#tree .link").evaluate_all(
        "all => all.map(one => parseFloat(one.style.strokeWidth))"
    )
    assert len(widths) >= 6
    assert max(widths) > 5 > 2 > min(widths)
    # A stub says the visits of the others.
    stubs = page.locator("#tree .node-stub .node-name").all_text_contents()
    assert stubs == ["others: 150 visits", "4 not visited"]
    # The tip shows how games ended the interval and why it was chosen.
    again(page, link)
    node(page, "f5").locator(".node-card").hover(force=True)
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("58.2\u202f%")
    expect(tip).to_contain_text(
        "95 % interval of the mean: 57.3 … 59.1\u202f% (Wilson’s, from wins, draws and losses)"
    )
    expect(tip.locator(".ending-bar")).to_have_attribute(
        "aria-label", "won 5,841 (56.1\u202f%), drawn 438 (4.2\u202f%), lost 4,133 (39.7\u202f%)"
    )
    expect(tip.locator(".ucb caption")).to_have_text("Chosen last by 0.62, at 10,411 of 21,736 visits")
    exploit, explore = (tip.locator(f".ucb-{name}").bounding_box() for name in ("exploit", "explore"))
    assert exploit
    assert explore
    assert exploit["width"] / explore["width"] == pytest.approx(0.58 / 0.04, rel=0.05)
    assert explore["x"] == pytest.approx(exploit["x"] + exploit["width"], abs=1)
    # The root says the whole run.
    again(page, link)
    page.locator("#tree .node[aria-level='1']").last.hover()
    facts = page.get_by_role("tooltip").locator(".tip-run")
    for name, figure in (
        ("chosen", "f5"),
        ("mean", "58.2\u202f%"),
        ("play-outs", "21,737"),
        ("play-outs a second", "4,347"),
        ("deepest level", "7"),
    ):
        label = facts.locator("dt", has_text=re.compile(f"^{name}$"))
        expect(label.locator("xpath=following-sibling::dd[1]")).to_have_text(figure)
    # The tree is coloured by mean and by visits.
    again(page, link)
    colour = page.get_by_label("Colour by", exact=True)
    expect(colour.locator("option:not([hidden])")).to_have_text(
        ["Colour: layer", "Colour: mean", "Colour: outcome", "Colour: visits", "Field or expression…"]
    )
    colour.select_option("score")
    settled(page)
    expect(node(page, "f5")).to_have_class(re.compile(r"\bscore-for\b"))
    expect(node(page, "g6")).to_have_class(re.compile(r"\bscore-against\b"))
    expect(page.locator(".legend-marks")).to_contain_text("mean 0")
    colour.select_option("visits")
    settled(page)
    expect(node(page, "f5")).to_have_class(re.compile(r"\bpaint-ramp\b"))
    expect(page).to_have_url(re.compile("colour=visits"))
    # Children stand by visits or by mean or as logged.
    again(page, link)
    assert cards(page, 2)[-3:] == ["f5", "d6", "g6"]
    assert cards(page, 3) == ["f4", "e3", "others: 150 visits", "4 not visited"]
    expect(order(page).locator("option")).to_have_text(["most visits first", "best mean first", "as logged"])
    order(page).select_option("mean")
    settled(page)
    # The opponent moves after f5: 50.0 % is better for it than 57.1 %.
    assert cards(page, 3)[:2] == ["e3", "f4"]
    expect(page).to_have_url(re.compile("order=mean"))
    keys(page, "r")
    expect(order(page)).to_have_value("searched")
    assert cards(page, 2)[-3:] == ["g6", "d6", "f5"]
    # Replay says why there is none.
    again(page, link)
    keys(page, ".")
    expect(page.locator("body")).to_contain_text("a best-first log is the final tree, not a run through it")


def test_visits_without_means_are_a_chart_of_visits(show: Show) -> None:
    plies = [
        {"ply": name, "visits": visits, "layer": "min"} for name, visits in (("a", 7), ("b", 20), ("c", 5))
    ]
    root = {"layer": "max", "visits": 32, "children": plies}
    page = show({"plyscope": 1, "search": {"order": "best_first"}, "root": root})
    part = page.locator("#why .why-means")
    expect(part.locator(".why-chart-head .section-title")).to_have_text("Visits")
    expect(part.locator("tbody tr")).to_have_text(["b20", "a7", "c5"])
    expect(part.locator(".means-place, tfoot")).to_have_count(0)
    expect(page.locator(".legend-marks")).to_contain_text("share of visits")
    expect(page.locator(".legend-marks")).not_to_contain_text("interval of the mean")


def test_the_choice_of_a_best_first_search_is_explained(page: Page, tmp_path: Path) -> None:
    link = linked(page)
    # The chart says the figures of the command.
    found = plyscope.explain(tmp_path / "log.json") if (tmp_path / "log.json").exists() else None
    found = found or plyscope.explain(json.dumps(mcts()))
    close = page.locator(".means-close td.number").all_inner_texts()
    for text, each in zip(close, found.means, strict=False):
        ends = [f"{100 * end:.1f}" for end in each.interval]
        assert text.replace("\u202f", " ") == f"{ends[0]} … {ends[1]} %"
    said = page.locator("#why .why-words").inner_text()
    assert " ".join(found.sentences[:-1]) == said
    # Why shows means with intervals the first two close up and how games ended.
    again(page, link)
    why = page.locator("#why")
    expect(why).to_contain_text("f5 was chosen by visits: 10,412 of 21,737 visits, with a mean of 58.2 %.")
    expect(why).to_contain_text("lies within its noise")
    expect(why).to_contain_text("95 % intervals")
    rows = why.locator(".means").first.locator("tbody tr")
    expect(rows.locator("th")).to_have_text(["f5", "d6", "g6"])
    expect(rows.locator("td:last-child")).to_have_text(["10,412", "8,721", "2,604"])
    expect(rows.nth(1)).to_have_class("means-y")
    expect(why.locator(".means-close .means-shared")).to_have_count(2)
    expect(why.locator(".ending-row")).to_have_count(2)
    press(page, rows.nth(2).get_by_role("button"))
    expect(node(page, "g6")).to_have_attribute("aria-selected", "true")
    expect(why.locator(".means-close th")).to_have_text(["f5", "g6"])
    expect(why.locator(".means-shared")).to_have_count(0)
    expect(why).to_contain_text("clearly worse")
    # A bar under the overview says which ply led when.
    again(page, link)
    keys(page, "v")
    leaders = page.get_by_role("group", name="Which ply led, by play-outs").get_by_role("button")
    expect(leaders).to_have_text(["c4 after 217", "d6 after 2,174", "f5 after 21,737"])
    expect(leaders.nth(2)).to_have_attribute("aria-current", "true")
    expect(leaders.nth(1)).to_have_class(re.compile("leader-new"))
    press(page, leaders.nth(0))
    expect(leaders.nth(0)).to_have_attribute("aria-current", "true")
    expect(page.locator("#tree .node[aria-selected='true'] .node-visits")).to_have_text("217")
    expect(page.locator(".overview-said")).to_contain_text("as wide as their visits")
    # Statistics say visits and how the choice wandered.
    again(page, link)
    keys(page, "s")
    body = page.get_by_role("region", name="Figures of the search")
    expect(body).to_contain_text("21,737 play-outs; 6 visited nodes have a row, down to level 2.")
    expect(body).to_contain_text("of the visits of the root’s plies: as concentrated as")
    expect(body.locator(".iteration-words")).to_contain_text("most visited")
    scrubber = body.get_by_label("Iteration", exact=True)
    scrubber.focus()
    keys(page, "Home")
    expect(scrubber).to_have_attribute(
        "aria-valuetext", re.compile(r"iteration 1, mean 50\.7.%, most visited ply c4")
    )
    said = body.inner_text().replace(body.locator(".figure-note").inner_text(), "")
    assert NEVER.search(said) is None


def test_no_word_of_alpha_beta_is_said_of_such_a_tree(page: Page) -> None:
    said = [page.locator("body").inner_text()]
    said += page.locator("#tree [aria-label]").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    for card in (node(page, "f5"), node(page, "e3"), page.locator("#tree .node-stub").first):
        card.locator(".node-card").hover(force=True)
        settled(page)
        said.append(page.get_by_role("tooltip").inner_text())
    press(page, node(page, "e3"))
    said.append(page.locator("#details-panel").inner_text())
    keys(page, "v")
    said.append(page.locator(".overview-bar").inner_text())
    for text in said:
        assert NEVER.search(text) is None, text
    assert any("not expanded yet" in text for text in said)


def test_axe_finds_nothing_serious(show: Show, tmp_path: Path) -> None:
    page = show(write_log(tmp_path, mcts()), 1280, 720)
    keys(page, "v")
    assert serious(page) == []


def test_a_phone_shows_the_chart_without_scrolling_sideways(show: Show, tmp_path: Path) -> None:
    page = show(write_log(tmp_path, mcts()), 390, 844)
    keys(page, "Enter")
    chart = page.locator("#why .means").first
    expect(chart).to_be_visible()
    box = place_of(chart)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
