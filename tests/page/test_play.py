"""The page of a game: it is played to its end, whatever dies in between, and says why the agent played so."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import plyscope
from tests.page.conftest import NewPage, Show, keys, press, settled
from tests.page.places import width_of
from tests.page.test_accessibility import serious

AGENT = '''
import os, time
from pathlib import Path
import numpy as np

class Agent:
    """Plays the first legal ply; where a file says so it waits, kills itself once, or answers nonsense."""
    def choose(self, game, state, log):
        while Path(__file__).with_name("wait").exists():
            time.sleep(0.01)
        for name in ("die", "nonsense"):
            if (file := Path(__file__).with_name(name)).exists():
                file.unlink()
                if name == "die":
                    os.kill(os.getpid(), 9)
                return "nonsense"
        plies = np.zeros(game.max_plies, np.int32)
        game.generate(state, plies)
        return int(plies[0])
'''

PLAY = """
from plyscope.engine import step
step.PATIENCE = float("inf")  # as in tests/conftest.py
from plyscope.visualizer.cli.main import run
run()
"""

Started = tuple[subprocess.Popen[str], str]
Begin = Callable[..., Started]
At = Callable[..., Page]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """`begin(game, agent, …)`: `plyscope play` at a port of its own; the process, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running: list[subprocess.Popen[str]] = []

    def start(game: str, *asked: str) -> Started:
        terms = ("-o", str(tmp_path / "game"), "--no-browser", "--port", str(port))
        process = subprocess.Popen(
            (sys.executable, "-c", PLAY, "play", game, *asked, *terms),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PLYSCOPE_DATA": str(tmp_path / "data")},
        )
        running.append(process)
        assert process.stdout is not None
        found = re.search(r"play at (\S+)", process.stdout.readline())
        assert found is not None
        return process, found[1]

    yield start
    for process in running:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


@pytest.fixture
def at_game(begin: Begin, new_page: NewPage) -> At:
    """`at_game(game, agent, …)`: the page of a game that begins; what else is named is of `new_page`."""

    def make(game: str, *asked: str, **options: object) -> Page:
        page = new_page(own=True, **options)
        page.goto(f"{begin(game, *asked)[1]}?testing=1")
        return settled(page)

    return make


def played(page: Page) -> int:
    return page.locator(".play-part .match-line li").count()


def play_any(page: Page) -> None:
    """Press the first legal ply, and wait until it is answered."""
    n_plies = played(page)
    page.get_by_role("group", name="Legal plies").get_by_role("button").first.click()
    answered(page, n_plies)


def answered(page: Page, n_plies: int) -> None:
    """Wait until a ply follows the first so many, and the person is to move again or the game is over."""
    expect(page.locator(".play-part .match-line li").nth(n_plies)).to_be_attached()
    expect(page.locator("#match-state")).to_have_text(re.compile("^(your turn|over)"))
    settled(page)


def open_tree(page: Page, of: str = "its search") -> Page:
    """Go to the tree of what the agent, or a hint, searched."""
    page.get_by_role("link", name=f"Open the tree of {of}").click()
    expect(page.locator(".tree")).to_be_visible()
    return settled(page)


def test_a_game_is_played_to_its_end_though_agent_and_server_die(
    begin: Begin, new_page: NewPage, tmp_path: Path
) -> None:
    agent = tmp_path / "mine.py"
    agent.write_text(AGENT, "utf-8")
    server, address = begin("tictactoe", f"mine: {agent}:Agent")
    page = new_page(own=True)
    page.goto(f"{address}?testing=1")
    state = settled(page).locator("#match-state")
    expect(state).to_have_text("your turn, as X")
    # By pressing a cell; a second press before the answer is none.
    (tmp_path / "wait").touch()
    page.get_by_role("button", name="b2: play b2").dblclick()
    (tmp_path / "wait").unlink()
    expect(page.locator(".match-line li")).to_have_count(2)
    expect(page.locator("[role=alert]")).to_be_empty()
    expect(page.get_by_role("region", name="Why")).to_contain_text("There is no log of its search")
    # The agent dies, and answers nonsense: both are said, and the position stays.
    for name, said in (("die", "its process was killed"), ("nonsense", "which is no legal ply")):
        (tmp_path / name).touch()
        press(page, page.get_by_role("button", name="Take back"))
        page.get_by_label("Ply", exact=True).fill("b2")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.get_by_role("status").nth(1)).to_contain_text(said)
        expect(state).to_have_text("mine is to move")
        page.get_by_role("button", name="Ask again").click()
        expect(state).to_have_text("your turn, as X")
    # The server is killed; another one goes on where the game was.
    plies = page.locator(".match-line li").all_inner_texts()
    server.kill()
    server.wait()
    page.get_by_role("button", name="Hint").click()
    goes_on = re.compile(rf"-o {tmp_path / 'game'} --port \d+ goes on with it")
    expect(page.get_by_role("alert")).to_have_text(goes_on)
    begin("tictactoe", f"mine: {agent}:Agent")
    expect(page.locator("[role=alert]")).to_be_empty()
    assert page.locator(".match-line li").all_inner_texts() == plies
    # Another agent, which leaves logs; what is refused stays in its field, and is said beside it.
    page.get_by_text("The agent").click()
    line, change = page.get_by_label("Agent"), page.locator("form", has_text="Agent").get_by_role("button")
    line.fill(wrong := "depth=3,weights=corners:8;mobility:no-number")
    change.click()
    expect(page.locator(".play-agent + [role=alert]")).to_contain_text("no-number")
    settled(page)
    expect(line).to_have_value(wrong)
    assert line.evaluate("field => field.scrollWidth <= field.clientWidth")
    expect(line).to_have_attribute("placeholder", re.compile("weights="))
    line.fill("depth=3")
    change.click()
    expect(page.get_by_text("depth=3 plays from now on.")).to_be_visible()
    expect(page.locator("#match-title")).to_have_text("tictactoe against depth=3")
    play_any(page)
    expect(page.get_by_role("region", name="Why")).to_contain_text(" is worth ")
    assert serious(page) == []
    # To the end.
    while state.inner_text() != "over":
        play_any(page)
    expect(page.locator(".play-over")).to_contain_text("The game is over: ")
    assert serious(page) == []
    open_tree(page)


def test_a_piece_and_its_target_are_pressed_with_why_in_sight(at_game: At) -> None:
    page = at_game("chess", "depth=1", width=1280, height=800)
    why = page.get_by_role("region", name="Why")
    expect(why).to_contain_text("is said here once it has")
    line = page.locator(".match-line li")
    page.get_by_role("button", name="e2: a piece with 2 plies").click()
    page.get_by_role("button", name="e4: play e4").click()
    expect(line.nth(1)).to_be_visible()
    assert line.first.inner_text() == "e4"
    for each in (page.locator(".play-board > .board-layers"), why, why.get_by_role("link")):
        expect(each).to_be_in_viewport(ratio=1)
    # What is refused is said where one looks, and changes nothing.
    page.get_by_label("Ply", exact=True).fill("e2e9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'e2e9' is no legal ply here")
    expect(line).to_have_count(2)
    page.get_by_label("Ply", exact=True).fill("a3")
    page.keyboard.press("Enter")
    expect(line.nth(3)).to_be_visible()
    expect(page.locator(":focus")).to_have_id("play-ply")
    assert serious(page) == []


def test_a_game_of_moves_aslant_is_played_by_the_keyboard_alone(at_game: At) -> None:
    page = at_game("examples/games/draughts.py", "depth=1")
    page.locator(".play-spot[tabindex='0']").focus()
    state, focus = page.locator("#match-state"), page.locator(":focus")
    while state.inner_text() != "over":
        n_plies = played(page)
        page.keyboard.press("Enter")  # a piece; then the nearest of its targets, whichever way that is
        expect(focus).to_have_attribute("aria-pressed", "true")
        for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
            if "play-to" in (focus.get_attribute("class") or ""):
                break
        expect(focus).to_have_class(re.compile("play-to"))
        page.keyboard.press("Enter")
        answered(page, n_plies)
    # Escape lets a piece go.
    page.get_by_role("button", name="Take back").click()
    settled(page).locator(".play-spot[tabindex='0']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".play-chosen")).to_have_count(0)


def test_pieces_in_hand_are_placed_by_keyboard_and_finger(at_game: At) -> None:
    phone = at_game("hive", "depth=1,limit=4", width=390, height=844, has_touch=True)
    # By the keyboard alone: where a piece is placed, then which.
    phone.locator(".play-spot[tabindex='0']").focus()
    for n_plies in (2, 4):
        phone.keyboard.press("Enter")
        expect(phone.locator(".play-choice button").first).to_be_focused()
        phone.keyboard.press("Enter")
        expect(phone.locator(".match-line li")).to_have_count(n_plies)
        expect(phone.locator(":focus")).to_have_class(re.compile("play-spot"))
    assert width_of(phone) <= 390
    # A piece in hand, and where it goes.
    legal = settled(phone).get_by_role("group", name="Legal plies").get_by_role("button")
    piece = legal.first.inner_text().split(" ")[0]
    phone.locator(f'[data-held="{piece}"]').last.click(force=True)
    n_plies = phone.locator(".match-line li").count()
    phone.get_by_role("button", name=re.compile(f"play {piece}")).first.click()
    expect(phone.locator(".match-line li").nth(n_plies + 1)).to_be_visible()


def test_trees_of_the_game_and_of_a_hint_are_one_press_away_and_lead_back_to_it(at_game: At) -> None:
    page = at_game("tictactoe", "depth=2")
    # The tree of a hint belongs to the position: another ply takes it away.
    of_hint = page.get_by_role("link", name="Open the tree of the hint")
    expect(of_hint).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text(re.compile("^Hint: "))).to_be_visible()
    play_any(page)
    expect(of_hint).to_have_count(0)
    press(page, page.get_by_role("button", name="Take back"))
    page.get_by_role("button", name="Hint").click()
    open_tree(page, "the hint")
    expect(page).to_have_title(re.compile("hint"))
    # The way back leads to the game as it stands, by history, link and key.
    page.go_back()
    play_any(settled(page))
    open_tree(page)
    page.go_back()
    expect(page.locator(".match-line li")).to_have_count(2)
    expect(open_tree(page).get_by_role("link", name="Back to the game")).to_be_visible()
    page.keyboard.press("Shift+G")
    page.wait_for_url("**/play/*")


def test_a_node_of_a_search_of_ours_is_searched_on_and_played_on(show: Show, tmp_path: Path) -> None:
    plyscope.search("tictactoe", depth=2).write(tmp_path / "ours.json")
    page = show(tmp_path / "ours.json")
    address = page.url.partition("#")[0]
    keys(page, "Shift+D")
    line = page.get_by_label("Search with")
    expect(line).to_have_value("depth=3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This search, depth 3: best b2, ")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Compare with its log").click()
    expect(page.get_by_text("Cancel the search")).to_have_count(0)
    settled(page)
    expect(page.get_by_role("button", name=re.compile("ours with depth=3")).first).to_be_visible()
    # From a node below the root its log is opened; what is no search is refused where one looks.
    page.goto("about:blank")
    page.goto(address)
    press(settled(page), page.locator("#logs .log-button", has_text="ours.json"))
    page.locator("#tree [aria-selected=true]").focus()
    keys(page, "Home", "ArrowRight")
    press(page, page.get_by_role("button", name="Search on from here"))
    line.fill("random")
    keys(page, "Enter")
    expect(page.get_by_role("alert").first).to_contain_text("only a search of ours")
    line.fill("algorithm=mcts,playouts=30")
    keys(page, "Enter")
    expect(page.get_by_text("Logs are compared from their roots on")).to_be_visible()
    settled(page).get_by_role("button", name="Open its log").click()
    expect(page).to_have_title(re.compile("algorithm=mcts,playouts=30"))
    settled(page)
    expect(page.get_by_text("cannot be compared")).to_have_count(0)
    # On a phone the key opens the details at the line of the search.
    page.set_viewport_size({"width": 390, "height": 844})
    keys(settled(page), "Shift+D")
    expect(line).to_be_focused()
    expect(line).to_be_in_viewport()
    # Play goes on from a node by a key, which the menu shows; the way back is in the log of a game alone.
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("about:blank")
    page.goto(address)
    press(settled(page), page.locator("#logs .log-button", has_text="ours.json"))
    keys(page, "Shift+G")
    expect(page.locator(".notice-note")).to_contain_text("of no game or match that was played here")
    keys(page, "q")
    menu = page.locator("#page-menu")
    expect(menu.get_by_role("button", name="Play on from here").locator("kbd")).to_have_text(["Shift", "O"])
    expect(menu.get_by_role("button", name="Back to its game")).to_be_hidden()
    page.keyboard.press("Shift+O")
    page.wait_for_url("**/play/*")
    expect(page.locator("#match-state")).to_have_text("your turn, as X")
    play_any(page)
    expect(page.locator(".match-line li")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".play-over")).to_contain_text("won by resignation.")
