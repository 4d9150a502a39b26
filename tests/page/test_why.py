"""Why X rather than Y: there on opening, follows selection and pin, and every figure leads to its node."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Server, settled, visit
from tests.page.panels import node, press, write_log

LEAF = {"outcome": "leaf", "bound": "exact"}
LOG: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "factors": [
        {"name": "mobility", "weight": 1},
        {"name": "discs", "weight": 1},
        {"name": "parity", "weight": 1},
    ],
    "result": {"ply": "alpha", "score": 7},
    "root": {
        "layer": "max",
        "score": 7,
        "bound": "exact",
        "outcome": "searched",
        "children": [
            {
                "ply": "alpha",
                "layer": "min",
                "score": 7,
                "bound": "exact",
                "outcome": "searched",
                "children": [
                    {"ply": "answer", "layer": "max", "score": 7, "factors": [5, 2, 0], **LEAF},
                    {"ply": "late", "layer": "max", "score": 9, **LEAF},
                ],
            },
            {"ply": "beta", "layer": "min", "score": 4, "factors": [1, 3, 0], **LEAF},
            {
                "ply": "gamma",
                "layer": "min",
                "score": 2,
                "bound": "upper",
                "outcome": "cutoff",
                "children": [
                    {"ply": "refuter", "layer": "max", "score": 2, "factors": [1, 1, 0], **LEAF},
                    {"outcome": "pruned", "count": 4},
                ],
            },
        ],
    },
}


@pytest.fixture
def page(new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path) -> Page:
    """The page on the small log: alpha is best, beta next, gamma refuted."""
    return visit(new_page(), serve(write_log(tmp_path, LOG)))


def why(page: Page) -> Locator:
    """The section at the top of the details."""
    return page.locator("#why")


def test_it_stands_there_before_anything_is_asked(page: Page) -> None:
    expect(why(page)).to_be_visible()
    expect(why(page).locator(".why-title")).to_contain_text("alpha")
    expect(why(page)).to_contain_text("alpha is worth +7, beta +4: 3 better.")
    rows = why(page).locator(".waterfall tr")
    expect(rows.locator("th")).to_have_text(["beta", "mobility", "discs", "1 other, equal", "alpha"])
    expect(rows.locator("td.number")).to_have_text(["+4", "+4", "−1", "0", "+7"])


def test_its_words_are_those_of_the_api(page: Page) -> None:
    origin = page.url.partition("?")[0]
    with urlopen(f"{origin}api/logs") as answer:
        name = json.load(answer)["logs"][0]["id"]
    with urlopen(f"{origin}api/logs/{name}/explain") as answer:
        sentences = json.load(answer)["sentences"]
    for sentence in sentences:
        expect(why(page)).to_contain_text(sentence)


def test_the_selected_ply_is_set_against_the_best_and_a_pinned_one_is_x(page: Page) -> None:
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text("alpha is worth +7, gamma at most +2: at least 5 better.")
    expect(why(page)).to_contain_text(
        "The reply refuter refutes gamma, and the 4 replies after it were not searched."
    )
    press(page, node(page, "beta"))
    page.keyboard.press("Enter")
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text("beta is worth +4, gamma at most +2: at least 2 better.")
    page.keyboard.press("Escape")
    settled(page)
    expect(why(page)).to_contain_text("alpha is worth +7, gamma at most +2")


def test_x_swaps_the_two_and_y_brings_the_section_the_focus(page: Page) -> None:
    page.keyboard.press("x")
    settled(page)
    expect(why(page)).to_contain_text("beta is worth +4, alpha +7: 3 worse.")
    page.keyboard.press("y")
    expect(why(page).locator(".why-title")).to_be_focused()


def test_figures_lead_to_their_nodes(page: Page) -> None:
    press(page, why(page).get_by_role("button", name="+4", exact=True))
    expect(node(page, "beta")).to_have_attribute("aria-selected", "true")


def test_both_lines_are_drawn_in_the_tree_x_solid_and_y_dashed(page: Page) -> None:
    expect(page.locator("#tree .link-x")).not_to_have_count(0)
    expect(page.locator("#tree .link-y")).to_have_count(1)
    dashes = page.locator("#tree .link-y").evaluate("link => getComputedStyle(link).strokeDasharray")
    assert dashes != "none"


def test_where_there_is_nothing_to_compare_the_reason_stands_there(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    root = {"layer": "max", "score": 1, "children": [{"ply": "only", "score": 1, **LEAF}]}
    page = visit(new_page(), serve(write_log(tmp_path, {"plyscope": 1, "root": root})))
    expect(why(page)).to_contain_text("only is the only ply that was searched here")
    expect(why(page).locator(".waterfall")).to_have_count(0)


def test_the_chart_is_saved_as_a_picture(page: Page) -> None:
    with page.expect_download() as download:
        why(page).get_by_role("button", name="Save picture").click()
    text = Path(download.value.path()).read_text()
    assert text.startswith("<svg")
    assert "mobility" in text
