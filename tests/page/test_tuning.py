"""The page of a tuning: charts under one slider, its trials, their games, and weights set elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, place_of, settled
from tests.page.trees import write

N_TRIALS = 12
RANDOM = {"kind": "random", "options": {}}
GAMES = {"game": "mine", "agents": [{"name": "a", **RANDOM}, {"name": "b", **RANDOM}], "games": 2}
LOG = {
    "plyscope": 1,
    "game": "mine",
    "factors": [{"name": "corners", "weight": 2}, {"name": "edges", "weight": -1}],
    "root": {
        "layer": "max",
        "score": 4,
        "children": [
            {"ply": "a", "score": 4, "factors": [3, 2]},
            {"ply": "b", "score": 1, "factors": [1, 1]},
        ],
    },
}


def trial(number: int) -> dict[str, Any]:
    won = number % 5
    return {
        "trial": number,
        "params": {"corners": number / 2, "edges": -number / 4},
        "value": won / 4,
        "won": won,
        "drawn": 0,
        "lost": 4 - won,
        "games_file": f"kept/{number}.jsonl",
    }


@pytest.fixture
def tuning(serve: Serve, new_page: NewPage, tmp_path: Path) -> Page:
    trials = [trial(number) for number in range(N_TRIALS)]
    fresh = {"won": 4, "drawn": 0, "lost": 4, "value": 0.5}
    document = {
        "tuning": {"game": "mine", "search": {}, "against": {"name": "<b>deep"}, "games": 4},
        "trials": trials,
        "best": trials[4],
        "best_in_fresh_games": fresh,
        "importances": {"corners": 0.75, "edges": 0.25},
    }
    path = tmp_path / "first.json"
    path.write_text(json.dumps(document), "utf-8")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "7.jsonl").write_text(json.dumps({"match": GAMES}) + "\n", "utf-8")
    page = new_page(1280, 900)
    page.goto(f"{serve(path, write(tmp_path, LOG)).address}?testing=1")
    page.wait_for_url("**/tuning/*")
    return settled(page)


def test_one_slider_points_at_a_trial_in_both_charts_and_in_words(tuning: Page) -> None:
    expect(tuning.locator("#match-terms")).to_have_text("mine · 12 trials of 4 games against <b>deep")
    expect(tuning.locator(".match-says")).to_contain_text("the best of 12 trials is partly luck")
    said = tuning.locator(".tuning-slider output")
    expect(said).to_have_text("4: 100.0 % of 4 games: 4 won, 0 drawn, 0 lost")
    lines = tuning.locator("[aria-label='The trial that is looked at']")
    expect(lines).to_have_count(2)
    before = [each.get_attribute("transform") for each in lines.all()]
    tuning.locator("#tuning-trial").press("ArrowRight")
    settled(tuning)
    expect(said).to_have_text("5: 0.0 % of 4 games: 0 won, 0 drawn, 4 lost")
    assert tuning.url.endswith("#trial=5")
    after = [each.get_attribute("transform") for each in lines.all()]
    assert all(one != other for one, other in zip(before, after, strict=True))
    row = tuning.locator("[aria-label='The trial'] tbody tr").first
    assert row.inner_text().split("\t") == ["corners", "+2.500", "+2.000", "75 %"]
    tuning.locator("#tuning-order").select_option("share")
    settled(tuning)
    expect(tuning.locator("#tuning-list tbody tr").first).to_contain_text("100.0 %")
    assert [rule["id"] for rule in Axe().run(tuning).response["violations"]] == []


def test_a_press_on_a_chart_chooses_the_trial_below_it(tuning: Page) -> None:
    box = place_of(tuning.locator(".match-chart svg.marks").first)
    tuning.mouse.click(box["x"] + box["width"] - 12, box["y"] + 40)
    expect(tuning.locator(".tuning-slider output")).to_contain_text("11: ")


def test_a_trial_leads_to_its_games_and_says_where_they_are_gone(tuning: Page) -> None:
    tuning.locator("[data-key=games-4]").click()
    expect(tuning.get_by_role("alert")).to_contain_text("are not there any more")
    tuning.locator("[data-key=trial-7]").click()
    tuning.locator("[data-key=games-7]").click()
    tuning.wait_for_url("**/match/*")
    settled(tuning)
    expect(tuning.locator("#match-title")).to_have_text("7.jsonl")


def test_a_trial_sets_the_weights_of_a_log_in_another_window_which_follows(tuning: Page) -> None:
    with tuning.expect_popup() as opened:
        tuning.locator("[data-key=what-if]").click()
    log = opened.value
    settled(log)
    tuning.locator("[data-key=trial-10]").click()
    log.wait_for_url("**weights=corners%3A5%2Cedges%3A-2.5*")
    settled(log)
    expect(log.locator("body")).to_contain_text("corners 2 → 5")
    expect(tuning.locator(".tuning-ways")).to_contain_text("The other window follows the slider.")
