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
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import plyscope
from tests.page.conftest import NewPage, Serve, keys, press, settled, visit
from tests.page.test_accessibility import serious

AGENT = '''
import os
from pathlib import Path
import numpy as np

class Agent:
    """Plays the first legal ply; where a file says so it kills itself once, or answers nonsense."""
    def choose(self, game, state, log):
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


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """`begin(game, agent, …)`: `plyscope play` at a port of its own; the process, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running: list[subprocess.Popen[str]] = []

    def start(game: str, *asked: str, at: int = port) -> Started:
        command = (sys.executable, "-c", PLAY, "play", game, *asked, "--no-browser", "--port", str(at))
        process = subprocess.Popen(
            command,
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


def at_game(page: Page, address: str) -> Page:
    page.goto(f"{address}?testing=1")
    return settled(page)


def play_any(page: Page) -> None:
    """Press the first legal ply, and wait until it is answered."""
    n_plies = page.locator(".play-part .match-line li").count()
    page.get_by_role("group", name="Legal plies").get_by_role("button").first.click()
    answered(page, n_plies)


def answered(page: Page, n_plies: int) -> None:
    """Wait until a ply follows the first so many, and the person is to move again or the game is over."""
    expect(page.locator(".play-part .match-line li").nth(n_plies)).to_be_attached()
    expect(page.locator("#match-state")).to_have_text(re.compile("^(your turn|over)"))
    settled(page)


def test_a_game_is_played_to_its_end_though_agent_and_server_die(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    folder, agent = tmp_path / "game", tmp_path / "mine.py"
    agent.write_text(AGENT, "utf-8")
    server, address = begin("tictactoe", f"mine: {agent}:Agent", "-o", str(folder))
    page = at_game(new_page(own=True), address)
    state = page.locator("#match-state")
    expect(state).to_have_text("your turn, as X")
    # By pressing a cell.
    page.get_by_role("button", name="b2: play b2").click()
    expect(page.locator(".match-line li").nth(1)).to_be_visible()
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
    expect(page.get_by_role("alert")).to_have_text(re.compile(rf"-o {folder} --port \d+ goes on with it"))
    begin("tictactoe", f"mine: {agent}:Agent", "-o", str(folder))
    expect(page.locator("[role=alert]")).to_be_empty()
    assert page.locator(".match-line li").all_inner_texts() == plies
    # Another agent, which leaves logs; then to the end.
    page.get_by_text("The agent").click()
    line, change = page.get_by_label("Agent"), page.locator("form", has_text="Agent").get_by_role("button")
    # What is refused stays in its field, which is wide enough for it, and is said beside it.
    line.fill(wrong := "depth=3,weights=corners:8;mobility:no-number")
    change.click()
    expect(page.locator(".play-agent + [role=alert]")).to_contain_text("no-number")
    settled(page)
    expect(line).to_have_value(wrong)
    assert line.evaluate("field => field.scrollWidth <= field.clientWidth")
    expect(line).to_have_attribute("placeholder", re.compile("weights="))
    line.fill("depth=3")
    change.click()
    expect(page.locator("#match-title")).to_have_text("tictactoe against depth=3")
    play_any(page)
    expect(page.get_by_role("region", name="Why")).to_contain_text(" is worth ")
    assert serious(page) == []
    while state.inner_text() != "over":
        play_any(page)
    expect(page.locator(".play-over")).to_contain_text("The game is over: ")
    assert serious(page) == []
    page.get_by_role("link", name="Open the tree of its search").click()
    expect(page.locator(".tree")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("chess", ("depth=3", "--position", "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1")),
        ("hive", ("depth=2,limit=6",)),
        ("reversi", ("depth=1",)),
        ("examples/games/draughts.py", ("depth=2",)),
        ("examples/games/einstein.py", ("algorithm=expectimax,depth=1",)),
        ("examples/games/hexagons.py", ("depth=2",)),
    ],
)
def test_games_are_played_to_their_ends(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path, game: str, asked: tuple[str, ...]
) -> None:
    _, address = begin(game, *asked, "-o", str(tmp_path / "game"))
    page = at_game(new_page(own=True), address)
    while page.locator("#match-state").inner_text() != "over":
        play_any(page)
    expect(page.locator(".play-over")).to_contain_text("The game is over: ")


def test_a_piece_and_its_target_are_pressed_or_walked_to(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, address = begin("chess", "depth=1", "-o", str(tmp_path / "one"))
    page = at_game(new_page(own=True), address)
    line = page.locator(".match-line li")
    page.get_by_role("button", name="e2: a piece with 2 plies").click()
    page.get_by_role("button", name="e4: play e4").click()
    expect(line.nth(1)).to_be_visible()
    assert line.first.inner_text() == "e4"
    # With the keyboard: the focus walks from piece to piece, and stays on the board.
    page.get_by_role("button", name="d2: a piece with").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name=re.compile(r"^c\d: play")).first.press("Enter")
    expect(line.nth(3)).to_be_visible()
    settled(page)
    expect(page.locator(":focus")).to_have_class(re.compile("play-spot"))
    # What is refused is said where one looks, and changes nothing.
    page.get_by_label("Ply", exact=True).fill("e2e9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'e2e9' is no legal ply here")
    expect(line).to_have_count(4)
    page.get_by_label("Ply", exact=True).fill("a3")
    page.keyboard.press("Enter")
    expect(line.nth(5)).to_be_visible()
    expect(page.locator(":focus")).to_have_id("play-ply")
    found = Axe().run(page)
    assert [rule["id"] for rule in found.response["violations"]] == []


def test_pieces_in_hand_are_placed_by_the_keyboard_alone(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, address = begin("hive", "depth=1,limit=4", "-o", str(tmp_path / "one"))
    page = at_game(new_page(own=True), address)
    page.locator(".play-spot[tabindex='0']").focus()
    for n_plies in (2, 4):
        page.keyboard.press("Enter")  # where it is placed; then which piece
        expect(page.locator(".play-choice button").first).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".match-line li")).to_have_count(n_plies)
        expect(page.locator(":focus")).to_have_class(re.compile("play-spot"))


def test_a_game_of_moves_aslant_is_played_by_the_keyboard_alone(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, address = begin("examples/games/draughts.py", "depth=1", "-o", str(tmp_path / "one"))
    page = at_game(new_page(own=True), address)
    page.locator(".play-spot[tabindex='0']").focus()
    state, focus = page.locator("#match-state"), page.locator(":focus")
    while state.inner_text() != "over":
        n_plies = page.locator(".match-line li").count()
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
    settled(page)
    page.locator(".play-spot[tabindex='0']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".play-chosen")).to_have_count(0)


def test_a_game_is_played_on_a_phone_and_two_tabs_play_two(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, one = begin("hive", "depth=1,limit=4", "-o", str(tmp_path / "one"))
    _, two = begin("reversi", "depth=1", "-o", str(tmp_path / "two"), at=0)
    phone = at_game(new_page(390, 844, own=True, has_touch=True), one)
    other = at_game(new_page(own=True), two)
    for page in (phone, other, phone, other):
        play_any(page)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    # A piece in hand, and where it goes.
    legal = phone.get_by_role("group", name="Legal plies").get_by_role("button")
    piece = legal.first.inner_text().split(" ")[0]
    phone.locator(f'[data-held="{piece}"]').last.click(force=True)
    n_plies = phone.locator(".match-line li").count()
    phone.get_by_role("button", name=re.compile(f"play {piece}")).first.click()
    expect(phone.locator(".match-line li").nth(n_plies + 1)).to_be_visible()
    other.get_by_role("button", name="Resign").click()
    expect(other.locator(".play-over")).to_have_text("The game is over: depth=1 won by resignation.")


def test_board_and_why_are_seen_together(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, address = begin("chess", "depth=2", "-o", str(tmp_path / "one"))
    page = at_game(new_page(1280, 800, own=True), address)
    why = page.get_by_role("region", name="Why")
    expect(why).to_contain_text("is said here once it has")
    play_any(page)
    for each in (page.locator(".play-board > .board-layers"), why, why.get_by_role("link")):
        expect(each).to_be_in_viewport(ratio=1)


def test_the_way_back_from_a_tree_leads_to_the_game_as_it_stands(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, address = begin("tictactoe", "depth=2", "-o", str(tmp_path / "one"))
    page = at_game(new_page(own=True), address)
    play_any(page)
    page.get_by_role("link", name="Open the tree of its search").click()
    expect(page.locator(".tree")).to_be_visible()
    page.go_back()
    expect(page.locator(".match-line li")).to_have_count(2)
    # So does a link on the page of the tree; another weight, and the agent is asked for its ply again.
    page.get_by_role("link", name="Open the tree of its search").click()
    expect(settled(page).get_by_role("link", name="Back to the game")).to_be_visible()
    page.keyboard.press("Shift+G")
    page.wait_for_url("**/play/*")
    page.get_by_text("The agent").click()
    page.get_by_label("Agent").fill("depth=1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("depth=1 plays from now on.")).to_be_visible()
    page.get_by_role("button", name="Ask again").click()
    settled(page)
    page.get_by_role("link", name="Open the tree of its search").click()
    expect(page).to_have_title(re.compile("depth=1"))


def test_a_second_press_is_none(begin: Callable[..., Started], new_page: NewPage, tmp_path: Path) -> None:
    told = tmp_path / "go"
    waits = f"while not os.path.exists({str(told)!r}): time.sleep(0.01)\n        plies ="
    held = AGENT.replace("import os", "import os, time").replace("plies =", waits)
    (tmp_path / "held.py").write_text(held, "utf-8")
    _, address = begin("tictactoe", f"{tmp_path / 'held.py'}:Agent", "-o", str(tmp_path / "one"))
    page = at_game(new_page(own=True), address)
    page.get_by_role("button", name="b2: play b2").dblclick()
    told.touch()
    expect(page.locator(".match-line li")).to_have_count(2)
    expect(page.locator("[role=alert]")).to_be_empty()


def test_the_tree_of_a_hint_is_one_press_away(
    begin: Callable[..., Started], new_page: NewPage, tmp_path: Path
) -> None:
    _, address = begin("tictactoe", "depth=2", "-o", str(tmp_path / "one"))
    page = at_game(new_page(own=True), address)
    link = page.get_by_role("link", name="Open the tree of the hint")
    expect(link).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text(re.compile("^Hint: "))).to_be_visible()
    # It belongs to the position: another ply takes it away.
    play_any(page)
    expect(link).to_have_count(0)
    press(page, page.get_by_role("button", name="Take back"))
    page.get_by_role("button", name="Hint").click()
    link.click()
    expect(page.locator(".tree")).to_be_visible()
    expect(page).to_have_title(re.compile("hint"))


def test_play_goes_on_from_a_node(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    plyscope.search("tictactoe", depth=2).write(tmp_path / "ours.json")
    server = serve(tmp_path / "ours.json")
    page = visit(new_page(), server)
    # A key does it, which the menu shows; the way back is there only in the log of a game.
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
    expect(page.locator(".play-over")).to_be_visible()


def test_on_a_phone_the_key_opens_the_details_at_the_line_of_the_search(
    serve: Serve, new_page: NewPage
) -> None:
    page = visit(new_page(390, 844), serve())
    keys(page, "Shift+D")
    line = page.get_by_label("Search with")
    expect(line).to_be_focused()
    expect(line).to_be_in_viewport()


def test_a_node_is_searched_on_and_its_log_is_one_press_away(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    plyscope.search("tictactoe", depth=2).write(tmp_path / "ours.json")
    page = visit(new_page(), serve(tmp_path / "ours.json"))
    page.keyboard.press("Shift+D")
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
    page = visit(new_page(), serve(tmp_path / "ours.json"))
    keys(page, "ArrowRight")
    page.get_by_role("button", name="Search on from here").click()
    line = page.get_by_label("Search with")
    line.fill("random")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("only a search of ours")
    line.fill("algorithm=mcts,playouts=30")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Logs are compared from their roots on")).to_be_visible()
    page.get_by_role("button", name="Open its log").click()
    expect(page).to_have_title(re.compile("algorithm=mcts,playouts=30"))


def test_a_search_on_by_another_algorithm_is_opened_and_not_compared(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    plyscope.search("tictactoe", depth=2).write(tmp_path / "ours.json")
    page = visit(new_page(), serve(tmp_path / "ours.json"))
    page.get_by_role("button", name="Search on from here").click()
    page.get_by_label("Search with").fill("algorithm=mcts,playouts=30")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Open its log").click()
    expect(page).to_have_title(re.compile("algorithm=mcts,playouts=30"))
    settled(page)
    expect(page.get_by_text("cannot be compared")).to_have_count(0)
