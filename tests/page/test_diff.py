"""Another log beside the open one: button, key, chip, cards, sentences, the list of changes, links."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, settled, visit


def node(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "bound": "exact", "depth": 3, **fields}


OLD: dict[str, Any] = {
    "plyscope": 1,
    "root": {
        "layer": "max",
        "score": 28,
        "bound": "exact",
        "children": [
            node("d4", 28, children=[node("d5", 28, layer="max"), node("<b>e6</b>", 40, layer="max")]),
            node("e4", 20),
            node("a3", 5),
            node("h3", 4),
        ],
    },
}
NEW: dict[str, Any] = {
    "plyscope": 1,
    "root": {
        "layer": "max",
        "score": 31,
        "bound": "exact",
        "children": [
            node("d4", 25, children=[node("d5", 25, layer="max", depth=1)]),
            node("e4", 20),
            node("Nf3", 31),
            {"outcome": "pruned", "count": 1, "plies": ["h3"]},
        ],
    },
}


@pytest.fixture
def new(new_page: NewPage, serve: Serve, tmp_path: Path) -> Page:
    """The new log, with the old one in the list."""
    for name, document in (("new", NEW), ("old", OLD)):
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    return visit(new_page(), serve(tmp_path / "new.json", tmp_path / "old.json"))


@pytest.fixture
def compared(new: Page) -> Page:
    new.get_by_role("button", name="Compare with old.json").click()
    return settled(new)


def score(page: Page, ply: str) -> str:
    return card(page, ply).locator(".node-score").text_content() or ""


def card(page: Page, ply: str) -> Any:
    return page.locator(f'[role=treeitem]:has(.node-name:text-is("{ply}"))')


def selected(page: Page) -> str:
    return page.locator("[role=treeitem][aria-selected=true] .node-name").text_content() or ""


def test_the_comparison_says_itself_and_goes_to_where_the_runs_part(compared: Page) -> None:
    page = compared
    expect(page.locator('[data-lens="against"]')).to_have_text("against old.json")
    said = page.locator(".diff-part")
    expect(said).to_contain_text("The choice changed, from d4 +28 to Nf3 +31.")
    expect(said).to_contain_text("The two runs part at row 3: d4 > d5 is searched 2 plies shallower now.")
    assert selected(page) == "d5"
    said.get_by_role("button", name="Nf3 +31").click()
    settled(page)
    assert selected(page) == "Nf3"


def test_cards_show_what_changed(compared: Page) -> None:
    page = compared
    assert score(page, "d4") == "+28 → +25"
    assert score(page, "e4") == "+20"
    expect(card(page, "e4")).to_have_class(re.compile(r"\bnode-unchanged\b"))
    expect(card(page, "Nf3").locator(".diff-mark")).to_have_text("+")
    expect(card(page, "d4").locator(".diff-mark")).to_have_text("−1")
    expect(card(page, "d5").locator(".diff-flag")).to_have_count(1)
    assert "only in the new tree" in (card(page, "Nf3").get_attribute("aria-label") or "")
    assert "here the runs part" in (card(page, "d5").get_attribute("aria-label") or "")


def test_changes_are_listed_and_lead_to_their_nodes(compared: Page) -> None:
    page = compared
    rows = page.locator(".changes tbody tr")
    expect(page.locator(".drawer .rows-title")).to_have_text("8 changes")
    kinds = [row.get_attribute("data-kind") for row in rows.all()]
    assert kinds == [
        *("score", "score", "score"),
        *("only_old", "only_old", "newly_pruned"),
        *("only_new", "stub"),
    ]
    expect(rows.nth(1)).to_contain_text("−3")
    expect(rows.nth(3)).to_contain_text("<b>e6</b>")
    rows.nth(6).get_by_role("button").click()
    settled(page)
    assert selected(page) == "Nf3"
    page.get_by_label("Kind of change").select_option("newly_pruned")
    settled(page)
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("h3")


def test_keys_step_from_change_to_change_and_escape_ends(compared: Page) -> None:
    page = compared
    page.keyboard.press("n")
    settled(page)
    assert selected(page) == "Nf3"
    page.keyboard.press("N")
    settled(page)
    assert selected(page) == "d5"
    page.keyboard.press("Escape")
    settled(page)
    expect(page.locator('[data-lens="against"]')).to_have_count(0)
    expect(page.locator(".diff-part")).to_have_count(0)
    expect(page.locator("#drawer")).to_be_hidden()
    assert score(page, "d4") == "+25"


def test_the_key_leads_to_the_choice_of_a_log(new: Page) -> None:
    new.keyboard.press("d")
    settled(new)
    expect(new.get_by_role("button", name="Compare with old.json")).to_be_focused()
    new.keyboard.press("Enter")
    settled(new)
    expect(new.locator('[data-lens="against"]')).to_be_visible()


def test_a_link_holds_the_comparison(compared: Page) -> None:
    page = compared
    expect(page).to_have_url(re.compile(r"against="))
    page.reload()
    settled(page)
    expect(page.locator('[data-lens="against"]')).to_have_text("against old.json")
    assert score(page, "d4") == "+28 → +25"


def test_what_only_the_old_log_has_is_a_link_into_it(compared: Page) -> None:
    page = compared
    page.locator('.changes tr[data-kind="newly_pruned"] a').click()
    settled(page)
    expect(page.locator(".log-open")).to_contain_text("old.json")
    expect(page.locator('[data-lens="against"]')).to_have_text("against new.json")
    assert selected(page) == "h3"


def test_logs_of_two_games_are_refused_in_words(new_page: NewPage, serve: Serve, tmp_path: Path) -> None:
    for name, game in (("new", "chess"), ("old", "go")):
        (tmp_path / f"{name}.json").write_text(json.dumps({**OLD, "game": game}))
    page = visit(new_page(), serve(tmp_path / "new.json", tmp_path / "old.json"))
    page.get_by_role("button", name="Compare with old.json").click()
    settled(page)
    expect(page.locator("#notices")).to_contain_text("different games, 'go' and 'chess'")
    expect(page.locator('[data-lens="against"]')).to_have_count(0)
