"""The pages of a match's results and of a tuning, with the way to the logs."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import plyscope
from tests.outside_algorithm import installed
from tests.page.conftest import NewPage, Serve, Show, press, settled
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import EXAMPLES

NIM = EXAMPLES / "nim.py"
TERMS: dict[str, Any] = {"game": f"{NIM}:Nim", "workers": 1}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three players of Nim, the losers' searches logged."""
    output = tmp_path_factory.mktemp("cup") / "games.jsonl"
    players = {"deep": "depth=4", "<b>flat": "depth=1", "random": "random"}
    plyscope.tournament(players, output=output, games=4, opening=2, log="losses", **TERMS)
    return output


def results_of(page: Page, address: str, path: Path) -> Page:
    match = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
    page.goto(f"{address}match/{match}?testing=1")
    return settled(page)


def test_players_stand_by_strength_and_a_lost_game_leads_to_the_logs_of_its_loser(
    serve: Serve, new_page: NewPage, games: Path
) -> None:
    """A viewer of games alone begins with them."""
    page = new_page(1280, 720)
    page.goto(f"{serve(games)}?testing=1")
    page.wait_for_url("**/match/*")
    expect(settled(page).locator("#match-title")).to_have_text("games.jsonl")
    match = page.url.split("/match/")[1].split("?")[0]
    origin = page.url.split("match/")[0]
    answer = page.request.get(f"{origin}api/matches/{match}").json()
    rows = page.locator("[aria-label=Ratings] .match-table tbody tr")
    assert rows.locator("th").all_inner_texts() == answer["order"]
    best = next(agent for agent in answer["agents"] if agent["name"] == answer["order"][0])
    told = rows.first.inner_text().split("\t")
    figures = [str(best[key]) for key in ("won", "drawn", "lost")]
    assert told[2:6] == [*figures, f"{100 * best['share']:.1f} %"]
    assert told[7] == f"{best['elo']:.0f}"
    expect(page.locator(".match-says")).to_contain_text(answer["warnings"][0])
    expect(page.locator("#match-state")).to_have_text("all games are played")
    expect(page.locator(".match-chart svg.marks")).to_be_visible()
    listed = page.locator("#match-list tbody tr")
    expect(listed).to_have_count(12)
    assert serious(page) == []
    # Of two filters the last counts, whichever answer comes last.
    held: list[Route] = []
    page.route(
        "**/games?*",
        lambda route: route.continue_() if "outcome=" in route.request.url else held.append(route),
    )
    page.select_option("#match-player", "<b>flat")
    page.select_option("#match-outcome", "lost")
    expect(listed).to_have_count(2)
    with page.expect_response(lambda response: "player=" in response.url and "outcome=" not in response.url):
        held.pop().continue_()
    settled(page)
    expect(listed).to_have_count(2)
    assert all("<b>flat" in text for text in listed.all_inner_texts())
    page.unroute_all()
    # A game unfolds right below its row, and leads to the log of its loser, and back.
    press(page, listed.nth(1).locator("[data-key^=game-]"))
    expect(page.locator(".match-line > li.dim")).to_have_count(2)
    expect(listed.nth(2)).to_contain_text("the first 2 drawn at random")
    listed.first.locator("[data-key^=logs-]").click()
    page.wait_for_url("**/#log=*")
    run = settled(page).locator("#run")
    expect(run).to_contain_text("searched by")
    expect(run).to_contain_text("<b>flat")
    page.go_back()
    page.wait_for_url("**/match/*")
    expect(page.locator("#match-player")).to_have_value("<b>flat")
    expect(page.locator("#match-outcome")).to_have_value("lost")
    expect(listed).to_have_count(2)
    # The list of logs leads back.
    page.get_by_role("link", name="All logs").click()
    page.wait_for_url("**/?list")
    entry = settled(page).locator("a.log-button")
    expect(entry).to_contain_text("games of a match")
    entry.click()
    page.wait_for_url("**/match/*")


def test_results_grow_with_the_file_and_say_what_is_broken_and_how_a_sequential_test_ended(
    serve: Serve, new_page: NewPage, games: Path, tmp_path: Path
) -> None:
    tested = tmp_path / "two.jsonl"
    agents = [{"name": name, "kind": "random", "options": {}} for name in ("a", "b")]

    def game(number: int, why: str, points: float = 1.0, **more: Any) -> dict[str, Any]:
        turn = {"number": number, "opening": number // 2, "first": 0, "second": 1, "points": points}
        return turn | {"plies": ["x"], "seconds": [0.1, 0.1], "why": why} | more

    lines: list[dict[str, Any]] = [
        {"match": {"game": "nim", "agents": agents, "games": 400}},
        {"test": {"better": 50}},
        *(game(n, "over", 1.0 - n % 2, first=n % 2, second=1 - n % 2, fault=None) for n in range(60)),
        game(60, "fault", fault="gave no ply in 2 s"),
        game(61, "adjudicated"),
        *(game(n, "length", 0.5) for n in (62, 63)),
    ]
    tested.write_text("".join(json.dumps(line) + "\n" for line in lines))
    played = games.read_bytes().splitlines(keepends=True)
    growing, broken = tmp_path / "growing.jsonl", tmp_path / "broken.jsonl"
    growing.write_bytes(b"")
    broken.write_bytes(played[0] + b'{"number": "x"}\n')
    server = serve(growing, broken, tested)
    page = results_of(new_page(1280, 720), server, growing)
    waits = page.locator(".match-waits")
    expect(waits).to_have_text("No game is over yet: this page shows them as they end.")
    growing.write_bytes(played[0])
    expect(page.locator(".match-says")).to_have_text("No game is over yet.")
    expect(page.locator("#match-list")).to_have_text("No game is like that.")
    growing.write_bytes(b"".join(played[:4]) + played[4][:9])
    expect(page.locator("#match-list tbody tr")).to_have_count(3)
    state = page.locator("#match-state")
    expect(state).to_have_text("9 games to go; a line is being written, or was cut short by a kill")
    growing.write_bytes(b"".join(played))
    expect(state).to_have_text("all games are played")
    expect(results_of(page, server, broken).locator(".match-waits")).to_contain_text("line 2 is no game")
    # A sequential test, and faults.
    results_of(page, server, tested)
    says = page.locator(".match-says")
    expect(says.locator("p").nth(1)).to_have_text("b lost 1 game by a fault: it gave no ply in 2 s.")
    expect(says).to_contain_text("a is better than b: 50 points of Elo are likelier than none")
    expect(page.locator("#match-state")).to_have_text("ended by its test")
    expect(page.locator("[aria-label='Points of each against each'] table")).to_have_count(0)
    press(page, page.get_by_role("button", name="Next"))
    rows = page.locator("#match-list tbody tr")
    expect(rows).to_have_count(14)
    expect(rows.nth(9).locator("th, td").nth(5)).to_have_text("29")  # its opening
    expect(rows.nth(10)).to_contain_text("by a fault: it gave no ply in 2 s")


def test_a_game_is_walked_search_by_search_with_what_each_cost(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    output = tmp_path / "games.jsonl"
    players = {"deep": "depth=3", "flat": "algorithm=growing,n=3"}
    with installed():
        plyscope.tournament(players, output=output, games=2, opening=1, log="all", **TERMS)
    page = results_of(new_page(1600, 900), serve(output), output)
    # The plies that lost the most lead to their searches, from the list of games and from the tab.
    page.locator("[data-key=game-0]").click()
    worst = page.locator("ol[aria-label='Worst plies'] button")
    listed = [found for found in plyscope.worst_plies(output) if found.game == 0]
    expect(worst).to_have_text([f"{found.turn} {found.ply} {found.in_words}" for found in listed])
    worst.first.click()
    page.wait_for_url("**/#log=*")
    chosen = settled(page).locator('#tree [aria-selected="true"] .node-name')
    expect(chosen).to_have_text(str(listed[0].ply))
    press(page, page.get_by_role("button", name="The game, turn by turn"))
    turns = page.locator(".game-turn[data-key^=turn-]")
    expect(turns.nth(listed[0].turn - 2)).to_have_attribute("aria-current", "true")
    expect(worst).to_have_count(len(listed))
    worst.last.click()
    expect(turns.nth(listed[-1].turn - 2)).to_have_attribute("aria-current", "true")
    settled(page)
    expect(chosen).to_have_text(str(listed[-1].ply))
    press(page, turns.first)
    captions = page.locator(".game .chart-words").all_inner_texts()
    assert captions == [
        "N, the play-outs of each ply, turn by turn: flat",
        "Nodes, turn by turn: deep",
        "Milliseconds of the search, turn by turn",
        "The mean of the ply played, as its player saw it: flat",
        "The score of the ply played, as its player saw it, without wins and losses: deep",
    ]
    expect(page.locator(".game .chart-place svg.marks")).to_have_count(len(captions))
    expect(turns.first).to_have_attribute("aria-current", "true")
    following = page.get_by_role("button", name="The next search")
    for at in (1, 2):  # the focus stays on the button, so that it can be pressed on
        following.press("Enter")
        expect(turns.nth(at)).to_have_attribute("aria-current", "true")
        expect(following).to_be_focused()
        expect(page.locator(".game-steps > span")).to_contain_text(f"turn {at + 2}")
        settled(page)
    page.locator(".game-chart").nth(2).locator("path[aria-roledescription=point]").last.click()
    expect(turns.last).to_have_attribute("aria-current", "true")
    settled(page)
    expect(following).to_be_disabled()
    assert serious(page) == []


RANDOM = {"kind": "random", "options": {}}
GAMES = {"game": "mine", "agents": [{"name": "a", **RANDOM}, {"name": "b", **RANDOM}], "games": 2}
PLIES = [{"ply": "a", "score": 4, "factors": [3, 2]}, {"ply": "b", "score": 1, "factors": [1, 1]}]
LOG = {
    "plyscope": 1,
    "game": "mine",
    "factors": [{"name": "corners", "weight": 2}, {"name": "edges", "weight": -1}],
    "root": {"layer": "max", "score": 4, "children": PLIES},
}


def trial(number: int) -> dict[str, Any]:
    won = number % 5
    games = {"value": won / 4, "won": won, "drawn": 0, "lost": 4 - won, "games_file": f"kept/{number}.jsonl"}
    return {"trial": number, "params": {"corners": number / 2, "edges": -number / 4}, **games}


TUNING = {
    "tuning": {"game": "mine", "search": {}, "against": {"name": "<b>deep"}, "games": 4},
    "trials": [trial(number) for number in range(12)],
    "best": trial(4),
    "best_in_fresh_games": {"won": 4, "drawn": 0, "lost": 4, "value": 0.5},
    "importances": {"corners": 0.75, "edges": 0.25},
}


def test_a_slider_points_at_a_trial_that_leads_to_its_games(show: Show, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "7.jsonl").write_text(json.dumps({"match": GAMES}) + "\n", "utf-8")
    page = show(TUNING, 1280, 900, named="first.json", beside={"log.json": LOG})
    page.wait_for_url("**/tuning/*")
    expect(settled(page).locator("#match-terms")).to_have_text("mine · 12 trials of 4 games against <b>deep")
    expect(page.locator(".match-says")).to_contain_text("the best of 12 trials is partly luck")
    said = page.locator(".tuning-slider output")
    expect(said).to_have_text("4: 100.0 % of 4 games: 4 won, 0 drawn, 0 lost")
    lines = page.locator("[aria-label='The trial that is looked at']")
    expect(lines).to_have_count(2)
    places = "all => all.map(each => each.getAttribute('transform'))"
    before = lines.evaluate_all(places)
    page.locator("#tuning-trial").press("ArrowRight")
    settled(page)
    expect(said).to_have_text("5: 0.0 % of 4 games: 0 won, 0 drawn, 4 lost")
    assert page.url.endswith("#trial=5")
    for one, other in zip(before, lines.evaluate_all(places), strict=True):
        assert one != other
    row = page.locator("[aria-label='The trial'] tbody tr").first
    assert row.inner_text().split("\t") == ["corners", "+2.500", "+2.000", "75 %"]
    page.locator("#tuning-order").select_option("share")
    settled(page)
    expect(page.locator("#tuning-list tbody tr").first).to_contain_text("100.0 %")
    assert serious(page) == []
    # A press on a chart chooses the trial below it.
    box = place_of(page.locator(".match-chart svg.marks").first)
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 40)
    expect(said).to_contain_text("11: ")
    # A trial sets the weights of a log in another window, which follows.
    with page.expect_popup() as opened:
        page.locator("[data-key=what-if]").click()
    log = settled(opened.value)
    page.locator("[data-key=trial-10]").click()
    log.wait_for_url("**weights=corners%3A5%2Cedges%3A-2.5*")
    expect(settled(log).locator("body")).to_contain_text("corners 2 → 5")
    expect(page.locator(".tuning-ways")).to_contain_text("The other window follows the slider.")
    # It leads to its games, or says that they are gone.
    page.locator("[data-key=games-10]").click()
    expect(page.get_by_role("alert")).to_contain_text("are not there any more")
    page.locator("[data-key=trial-7]").click()
    page.locator("[data-key=games-7]").click()
    page.wait_for_url("**/match/*")
    expect(settled(page).locator("#match-title")).to_have_text("7.jsonl")
