"""A best-first tree: cards of means and visits, links as wide as their share, charts of why, words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, choose, keys, linked, press, settled
from tests.page.panels import node
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import selected

NEVER = re.compile(r"horizon|decided|\bcuts?\b|cut off|window|alpha|beta|limited", re.IGNORECASE)
"""Words that have no meaning in such a tree."""


def ply(name: str, visits: int, won: int, drawn: int = 0, **more: Any) -> dict[str, Any]:
    ended = {"wins": won, "draws": drawn, "losses": visits - won - drawn}
    return {"ply": name, "visits": visits, "mean": (won + drawn / 2) / visits, **ended, **more}


def snapshot(iteration: int, visits: int, won: int, drawn: int, *plies: dict[str, Any]) -> dict[str, Any]:
    root = ply("", visits, won, drawn, iteration=iteration, layer="max", outcome="searched", children=plies)
    del root["ply"]
    return root


def mcts() -> dict[str, Any]:
    """Three snapshots: c4 led, then d6, then f5, which lies within noise of d6; g6 is clearly worse."""
    ucb = {"exploit": 0.58, "explore": 0.04, "n": 10_411, "n_parent": 21_736}
    replies = [
        ply("e3", 900, 450, layer="max", outcome="leaf"),
        ply("f4", 6211, 3500, 96, layer="max", outcome="searched", expanded_at=2),
        {"outcome": "unlogged", "count": 9, "visits": 150, "mean": 0.4},
        {"outcome": "unlogged", "count": 4, "visits": 0},
    ]
    last = [
        ply("g6", 2604, 1040, layer="min", outcome="leaf"),
        ply("d6", 8721, 4790, 401, layer="min", outcome="leaf"),
        ply("f5", 10_412, 5841, 438, layer="min", ucb=ucb, outcome="searched", children=replies),
    ]
    roots = [
        snapshot(1, 217, 110, 0, ply("c4", 120, 65, layer="min")),
        snapshot(10, 2174, 1200, 0, ply("d6", 1200, 690, layer="min")),
        snapshot(100, 21_737, 11_671, 839, *last),
    ]
    run = {"playouts": 21_737, "playouts_per_second": 4347.4, "max_level": 7}
    return {
        "plyscope": 1,
        "players": ["black", "white"],
        "search": {"algorithm": "mcts", "order": "best_first", "range": [0, 1], "choose": "visits"},
        "result": {"ply": "f5", "score": 0.582, **run},
        "roots": roots,
    }


def cards(page: Page, level: int) -> list[str]:
    return page.locator(f"#tree .node[aria-level='{level}'] .node-name").all_text_contents()


def test_a_best_first_tree_is_drawn_by_visits_and_explained_without_a_word_of_alpha_beta(show: Show) -> None:
    page = show(mcts())
    link = linked(page)
    # A card says mean and visits and draws share and interval.
    card = node(page, "f5")
    expect(card.locator(".node-score")).to_have_text("58.2\u202f%")
    expect(card.locator(".node-visits")).to_have_text("10.4\u202fk")

    def width(ply: str, name: str) -> float:
        return float(node(page, ply).locator(f".{name}").get_attribute("width") or 0)

    share = width("f5", "share-bar") / width("f5", "share-track")
    assert share == pytest.approx(10_412 / 21_737, abs=1e-3)
    assert 0 < width("f5", "interval-bar") < width("e3", "interval-bar")
    # Links are as wide as their share of the visits; a stub says the visits of the others.
    widths = "all => all.map(one => parseFloat(one.style.strokeWidth))"
    links = page.locator("#tree .link").evaluate_all(widths)
    assert len(links) >= 6
    assert max(links) > 5 > 2 > min(links)
    stubs = page.locator("#tree .node-stub .node-name").all_text_contents()
    assert stubs == ["others: 150 visits", "4 not visited"]
    # The tip shows how games ended, the interval, and why it was chosen.
    card.locator(".node-card").hover(force=True)
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("58.2\u202f%")
    interval = "95 % interval of the mean: 57.3 … 59.1\u202f% (Wilson’s, from wins, draws and losses)"
    expect(tip).to_contain_text(interval)
    ended = "won 5,841 (56.1\u202f%), drawn 438 (4.2\u202f%), lost 4,133 (39.7\u202f%)"
    expect(tip.locator(".ending-bar")).to_have_attribute("aria-label", ended)
    expect(tip.locator(".ucb caption")).to_have_text("Chosen last by 0.62, at 10,411 of 21,736 visits")
    exploit, explore = (place_of(tip.locator(f".ucb-{name}")) for name in ("exploit", "explore"))
    assert exploit["width"] / explore["width"] == pytest.approx(0.58 / 0.04, rel=0.05)
    # The root says the whole run.
    again(page, link)
    page.locator("#tree .node[aria-level='1']").last.hover()
    facts = tip.locator(".tip-run")
    run = {"chosen": "f5", "mean": "58.2\u202f%", "play-outs": "21,737", "play-outs a second": "4,347"}
    for name, figure in (run | {"deepest level": "7"}).items():
        label = facts.locator("dt", has_text=re.compile(f"^{name}$"))
        expect(label.locator("xpath=following-sibling::dd[1]")).to_have_text(figure)
    # The tree is coloured by mean and by visits.
    again(page, link)
    offered = ["Colour: layer", "Colour: mean", "Colour: outcome", "Colour: visits", "Field or expression…"]
    options = page.get_by_label("Colour by", exact=True).locator("option:not([hidden])")
    expect(options).to_have_text(offered)
    choose(page, "Colour by", "score")
    expect(card).to_have_class(re.compile(r"\bscore-for\b"))
    expect(node(page, "g6")).to_have_class(re.compile(r"\bscore-against\b"))
    expect(page.locator(".legend-marks")).to_contain_text("mean 0")
    choose(page, "Colour by", "visits")
    expect(card).to_have_class(re.compile(r"\bpaint-ramp\b"))
    # Children stand by visits, by mean, or as logged.
    again(page, link)
    assert cards(page, 2)[-3:] == ["f5", "d6", "g6"]
    assert cards(page, 3) == ["f4", "e3", "others: 150 visits", "4 not visited"]
    order = page.get_by_label("Children shown first")
    expect(order.locator("option")).to_have_text(["most visits first", "best mean first", "as logged"])
    choose(page, "Children shown first", "mean")
    # The opponent moves after f5: 50.0 % is better for it than 57.1 %.
    assert cards(page, 3)[:2] == ["e3", "f4"]
    expect(page).to_have_url(re.compile("order=mean"))
    keys(page, "r")
    expect(order).to_have_value("searched")
    assert cards(page, 2)[-3:] == ["g6", "d6", "f5"]
    # Replay says why there is none.
    again(page, link)
    keys(page, ".")
    expect(page.locator("body")).to_contain_text("a best-first log is the final tree, not a run through it")
    expect(page.get_by_role("button", name="replay", exact=True)).to_be_hidden()
    again(page, link)
    why = page.locator("#why")
    # Means with intervals, the first two close up, and how games ended.
    expect(why).to_contain_text("lies within its noise")
    expect(why).to_contain_text("95 % intervals")
    rows = why.locator(".means").first.locator("tbody tr")
    expect(rows.locator("th")).to_have_text(["f5", "d6", "g6"])
    expect(rows.locator("td:last-child")).to_have_text(["10,412", "8,721", "2,604"])
    expect(why.locator(".means-close .means-shared")).to_have_count(2)
    expect(why.locator(".ending-row")).to_have_count(2)
    press(page, rows.nth(2).get_by_role("button"))
    assert selected(page) == "g6"
    expect(why.locator(".means-close th")).to_have_text(["f5", "g6"])
    expect(why.locator(".means-shared")).to_have_count(0)
    expect(why).to_contain_text("clearly worse")
    # No word of alpha-beta is said of such a tree.
    again(page, link)
    labels = "all => all.map(one => one.getAttribute('aria-label'))"
    said = [page.locator("body").inner_text(), *page.locator("#tree [aria-label]").evaluate_all(labels)]
    for card in (node(page, "f5"), node(page, "e3"), page.locator("#tree .node-stub").first):
        card.locator(".node-card").hover(force=True)
        said.append(settled(page).get_by_role("tooltip").inner_text())
    press(page, node(page, "e3"))
    said.append(page.locator("#details-panel").inner_text())
    assert any("not expanded yet" in text for text in said)
    # A bar under the overview says which ply led when.
    again(page, link)
    keys(page, "v")
    said.append(page.locator(".overview-bar").inner_text())
    leaders = page.get_by_role("group", name="Which ply led, by play-outs").get_by_role("button")
    expect(leaders).to_have_text(["c4 after 217", "d6 after 2,174", "f5 after 21,737"])
    expect(leaders.nth(2)).to_have_attribute("aria-current", "true")
    expect(leaders.nth(1)).to_have_class(re.compile("leader-new"))
    press(page, leaders.nth(0))
    expect(leaders.nth(0)).to_have_attribute("aria-current", "true")
    expect(page.locator("#tree .node[aria-selected='true'] .node-visits")).to_have_text("217")
    expect(page.locator(".overview-said")).to_contain_text("as wide as their visits")
    assert serious(page) == []
    # Statistics say visits and how the choice wandered.
    again(page, link)
    keys(page, "s")
    body = page.get_by_role("region", name="Figures of the search")
    expect(body).to_contain_text("21,737 play-outs; 6 visited nodes have a row, down to level 2.")
    expect(body).to_contain_text("of the visits of the root’s plies: as concentrated as")
    expect(body.locator(".iteration-words")).to_contain_text("most visited")
    expect(body.locator("[data-figure=order]")).to_have_count(0)
    expect(body.locator("[data-figure=levels] thead")).to_contain_text("visits")
    scrubber = body.get_by_label("Iteration", exact=True)
    scrubber.focus()
    keys(page, "Home")
    first = re.compile(r"iteration 1, mean 50\.7.%, most visited ply c4")
    expect(scrubber).to_have_attribute("aria-valuetext", first)
    note = "Windows, cuts, smaller limits and the order of plies have no meaning in a best-first tree."
    expect(body.locator(".figure-note")).to_have_text(note)
    said.append(body.inner_text().replace(note, ""))
    assert [text for text in said if NEVER.search(text)] == []


def test_visits_without_means_are_a_chart_of_visits(show: Show) -> None:
    visits = {"a": 7, "b": 20, "c": 5}
    plies = [{"ply": name, "visits": n, "layer": "min"} for name, n in visits.items()]
    root = {"layer": "max", "visits": 32, "children": plies}
    page = show({"plyscope": 1, "search": {"order": "best_first"}, "root": root})
    part = page.locator("#why .why-means")
    expect(part.locator(".why-chart-head .section-title")).to_have_text("Visits")
    expect(part.locator("tbody tr")).to_have_text(["b20", "a7", "c5"])
    expect(part.locator(".means-place, tfoot")).to_have_count(0)
    expect(page.locator(".legend-marks")).to_contain_text("share of visits")
    expect(page.locator(".legend-marks")).not_to_contain_text("interval of the mean")
