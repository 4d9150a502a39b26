"""The page of a match's results: the figures of the API, growing with the file, with the way to the logs."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

import plyscope
from tests.outside_algorithm import installed
from tests.page.conftest import NewPage, Serve, Server, press, settled

NIM = Path(__file__).parents[2] / "examples" / "nim.py"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three players of Nim, the losers' searches logged."""
    output = tmp_path_factory.mktemp("cup") / "games.jsonl"
    players = {"deep": "depth=4", "<b>flat": "depth=1", "random": "random"}
    terms: dict[str, Any] = {"game": f"{NIM}:Nim", "games": 4, "opening": 2, "workers": 1, "log": "losses"}
    plyscope.tournament(players, output=output, **terms)
    return output


def results_of(page: Page, server: Server, path: Path) -> Page:
    match = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
    page.goto(f"{server.address}match/{match}?testing=1")
    return settled(page)


def test_players_stand_by_strength_with_their_figures(serve: Serve, new_page: NewPage, games: Path) -> None:
    server = serve(games)
    page = results_of(new_page(1280, 720), server, games)
    match = page.url.split("/match/")[1].split("?")[0]
    answer = page.request.get(f"{server.address}api/matches/{match}").json()
    rows = page.locator("[aria-label=Ratings] .match-table tbody tr")
    assert rows.locator("th").all_inner_texts() == answer["order"]
    by_name = {agent["name"]: agent for agent in answer["agents"]}
    for name, text in zip(answer["order"], rows.all_inner_texts(), strict=True):
        cells = text.split("\t")
        agent = by_name[name]
        assert cells[2:5] == [str(agent[key]) for key in ("won", "drawn", "lost")]
        assert cells[5] == f"{100 * agent['share']:.1f} %"
        assert cells[7] == f"{agent['elo']:.0f}"
    expect(page.locator(".match-says")).to_contain_text(answer["warnings"][0])
    expect(page.locator("#match-state")).to_have_text("all games are played")
    expect(page.locator(".match-chart svg.marks")).to_be_visible()
    expect(page.locator("#match-list tbody tr")).to_have_count(12)
    found = Axe().run(page)
    assert [rule["id"] for rule in found.response["violations"]] == []


def test_a_lost_game_leads_to_the_logs_of_its_loser(serve: Serve, new_page: NewPage, games: Path) -> None:
    page = results_of(new_page(1280, 720), serve(games), games)
    page.select_option("#match-player", "<b>flat")
    page.select_option("#match-outcome", "lost")
    settled(page)
    lost = page.locator("#match-list tbody tr")
    assert lost.count() > 0
    assert all("<b>flat" in text for text in lost.all_inner_texts())
    n_lost = lost.count()
    press(page, lost.nth(1).locator("[data-key^=game-]"))
    expect(page.locator(".match-line > li.dim")).to_have_count(2)
    expect(lost.nth(2)).to_contain_text("the first 2 drawn at random")  # right below its row
    lost.first.locator("[data-key^=logs-]").click()
    page.wait_for_url("**/#log=*")
    settled(page)
    expect(page.locator("#run")).to_contain_text("searched by")
    expect(page.locator("#run")).to_contain_text("<b>flat")
    page.go_back()
    page.wait_for_url("**/match/*")
    expect(page.locator("#match-player")).to_have_value("<b>flat")
    expect(page.locator("#match-outcome")).to_have_value("lost")
    expect(lost).to_have_count(n_lost)


def test_a_viewer_of_games_alone_begins_with_them_and_the_list_leads_back(
    serve: Serve, new_page: NewPage, games: Path
) -> None:
    page = new_page(1280, 720)
    page.goto(f"{serve(games).address}?testing=1")
    page.wait_for_url("**/match/*")
    settled(page)
    expect(page.locator("#match-title")).to_have_text("games.jsonl")
    page.get_by_role("link", name="All logs").click()
    page.wait_for_url("**/?list")
    settled(page)
    entry = page.locator("a.log-button")
    expect(entry).to_contain_text("games of a match")
    entry.click()
    page.wait_for_url("**/match/*")


def test_the_results_grow_with_the_file(serve: Serve, new_page: NewPage, games: Path, tmp_path: Path) -> None:
    lines = games.read_bytes().splitlines(keepends=True)
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"")
    page = results_of(new_page(1280, 720), serve(path), path)
    expect(page.locator(".match-waits")).to_have_text(
        "No game is over yet: this page shows them as they end."
    )
    path.write_bytes(lines[0])
    expect(page.locator(".match-says")).to_have_text("No game is over yet.")
    expect(page.locator("#match-list")).to_have_text("No game is like that.")
    path.write_bytes(b"".join(lines[:4]) + lines[4][:9])
    expect(page.locator("#match-list tbody tr")).to_have_count(3)
    expect(page.locator("#match-state")).to_have_text(
        "9 games to go; a line is being written, or was cut short by a kill"
    )
    path.write_bytes(b"".join(lines))
    expect(page.locator("#match-state")).to_have_text("all games are played")


def test_a_file_that_is_broken_is_said_to_be(
    serve: Serve, new_page: NewPage, games: Path, tmp_path: Path
) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(games.read_bytes().splitlines(keepends=True)[0] + b'{"number": "x"}\n')
    page = results_of(new_page(1280, 720), serve(path), path)
    expect(page.locator(".match-waits")).to_contain_text("line 2 is no game")


def test_a_sequential_test_and_faults_are_said(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    agents = [{"name": name, "kind": "random", "options": {}} for name in ("a", "b")]
    game = {"opening": 0, "first": 0, "second": 1, "points": 1.0, "plies": ["x"], "seconds": [0.1, 0.1]}
    lines: list[dict[str, Any]] = [
        {"match": {"game": "nim", "agents": agents, "games": 400}},
        {"test": {"better": 50}},
        *(
            {
                **game,
                "number": n,
                "opening": n // 2,
                "why": "over",
                "first": n % 2,
                "second": 1 - n % 2,
                "points": 1.0 - n % 2,
                "fault": None,
            }
            for n in range(60)
        ),
        {**game, "number": 60, "opening": 30, "why": "fault", "fault": "gave no ply in 2 s"},
        {**game, "number": 61, "opening": 30, "why": "adjudicated"},
        *({**game, "number": n, "opening": 31, "points": 0.5, "why": "length"} for n in (62, 63)),
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = results_of(new_page(1280, 720), serve(path), path)
    says = page.locator(".match-says")
    expect(says).to_contain_text("a is better than b: 50 points of Elo are likelier than none")
    faults = "1 of 64 games ended by a fault, which all figures count as a loss."
    expect(says.locator("p").nth(0)).to_have_text(faults)
    expect(says.locator("p").nth(1)).to_have_text("b lost 1 game by a fault: it gave no ply in 2 s.")
    expect(says).to_contain_text("1 game was adjudicated.")
    expect(says).to_contain_text("2 games reached the most plies and count as drawn.")
    expect(page.locator("#match-state")).to_have_text("ended by its test")
    expect(page.locator("[aria-label='Points of each against each'] table")).to_have_count(0)
    press(page, page.get_by_role("button", name="Next"))
    expect(page.locator("#match-list tbody tr")).to_have_count(14)
    rows = page.locator("#match-list tbody tr")
    expect(rows.nth(9).locator("th, td").nth(5)).to_have_text("29")  # its opening
    expect(rows.nth(10)).to_contain_text("by a fault: it gave no ply in 2 s")


def test_a_game_is_walked_search_by_search_with_what_each_cost(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    output = tmp_path / "games.jsonl"
    players = {"deep": "depth=3", "flat": "algorithm=growing,n=3"}
    with installed():
        plyscope.tournament(
            players, game=f"{NIM}:Nim", games=2, opening=1, workers=1, output=output, log="all"
        )
    page = results_of(new_page(1600, 900), serve(output), output)
    # The plies that lost the most lead to their searches, from the list of games and from the tab.
    page.locator("[data-key=game-0]").click()
    worst = page.locator("ol[aria-label='Worst plies'] button")
    listed = [found for found in plyscope.worst_plies(output) if found.game == 0]
    expect(worst).to_have_text([f"{found.turn} {found.ply} {found.in_words}" for found in listed])
    worst.first.click()
    page.wait_for_url("**/#log=*")
    settled(page)
    chosen = page.locator('#tree [aria-selected="true"] .node-name')
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
    turn_of = page.locator(".game-steps > span")
    for at in (1, 2):  # the focus stays on the button, so that it can be pressed on
        page.get_by_role("button", name="The next search").press("Enter")
        expect(turns.nth(at)).to_have_attribute("aria-current", "true")
        expect(page.get_by_role("button", name="The next search")).to_be_focused()
        expect(turn_of).to_contain_text(f"turn {at + 2}")
        settled(page)
    point = page.locator(".game-chart").nth(2).locator("path[aria-roledescription=point]").last
    point.click()
    expect(turns.last).to_have_attribute("aria-current", "true")
    settled(page)
    expect(page.get_by_role("button", name="The next search")).to_be_disabled()
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_of_two_filters_the_last_counts_whichever_answer_comes_last(
    serve: Serve, new_page: NewPage, games: Path
) -> None:
    page = results_of(new_page(1280, 720), serve(games), games)
    held: list[Route] = []
    page.route(
        "**/games?*",
        lambda route: route.continue_() if "outcome=" in route.request.url else held.append(route),
    )
    page.select_option("#match-player", "<b>flat")
    page.select_option("#match-outcome", "lost")
    lost = page.locator("#match-list tbody tr")
    expect(lost).to_have_count(2)
    with page.expect_response(lambda response: "player=" in response.url and "outcome=" not in response.url):
        held.pop().continue_()
    settled(page)
    expect(lost).to_have_count(2)
