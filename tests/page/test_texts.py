"""Texts of a log on the page: whatever they hold, they stay what they are."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from plyscope.visualizer.shelf.folders import shipped_folder
from tests.page.conftest import Show, keys, press
from tests.page.panels import details, node

OVERRIDE = "\u202eevil"
SHOWN = "\u2039U+202E\u203aevil"


def test_an_override_in_a_ply_is_a_sign_wherever_the_ply_stands(show: Show) -> None:
    stub = {"outcome": "pruned", "count": 1, "plies": [OVERRIDE]}
    children = [{"ply": OVERRIDE, "score": 1, "why": OVERRIDE, "remark": OVERRIDE}, stub]
    document = {"plyscope": 1, "result": {"ply": OVERRIDE}, "root": {"score": 1, "children": children}}
    page = show(document)
    drawn = node(page, SHOWN)
    expect(drawn.locator(".node-name")).to_have_text(SHOWN)
    press(page, drawn)
    expect(details(page).get_by_role("heading", name=SHOWN)).to_be_visible()
    press(page, page.get_by_role("treeitem", name="1 sibling cut off by alpha-beta"))
    expect(details(page).locator(".plies")).to_have_text(SHOWN)
    assert OVERRIDE[0] not in page.locator("body").inner_text()


def long(letter: str) -> dict[str, Any]:
    """A log whose plies and factor have names of 5,000 letters."""

    def ply(letter: str, score: int, **more: Any) -> dict[str, Any]:
        name = letter * 5000
        return {
            "ply": name,
            "layer": "min",
            "score": score,
            "pre_score": 9 - score,
            "static": score,
            "factors": [score],
            "bound": "exact",
            **more,
        }

    stub = {"outcome": "pruned", "count": 3}
    cut = {"outcome": "cutoff", "bound": "upper"}
    children = [
        ply(letter, 3, outcome="leaf"),
        ply("b", 2, children=[{**ply("d", 2, outcome="leaf"), "layer": "max"}, stub], **cut),
    ]
    return {
        "plyscope": 1,
        "factors": [{"name": "f" * 5000, "weight": 1}],
        "result": {"ply": letter * 5000, "score": 3},
        "root": {"layer": "max", "score": 3, "bound": "exact", "outcome": "searched", "children": children},
    }


OVERFLOWING = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.scrollWidth > element.clientWidth + 1 || element.textContent.length > 1000)
    .map(element => element.className)"""


def test_names_of_five_thousand_letters_leave_the_sentences_readable(show: Show) -> None:
    page = show(long("a"), 1280, 800)
    for key, sentences in (("s", ".figure-says"), ("y", ".why-words"), ("g", ".weights-words")):
        keys(page, key)
        expect(page.locator(sentences).first).to_contain_text("\u2026")
        assert page.evaluate(OVERFLOWING, sentences) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 1280


def test_what_stands_between_backticks_is_set_as_code(show: Show) -> None:
    """Of a faulty log, whose check, explanation and statistics name fields and commands."""
    page = show(shipped_folder("examples") / "bugs" / "bug-wrong-sign.json")
    expect(page.locator("#why code").first).to_have_text("check")
    # Its game is called as none that is known, so nothing is offered that needs its rules.
    expect(page.get_by_role("button", name=" on from here")).to_have_count(0)
    for key in "sc":
        keys(page, key)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert "`" not in page.locator("body").inner_text()
    expect(page.locator("#check-panel").get_by_text("add up to").locator("code")).to_have_text("moves")
