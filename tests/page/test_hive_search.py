"""`plyscope search hive … --view` as a person runs it: found by what it prints, walked in a browser.

At every node that is walked, the board on the page is what the slow twin of the rules makes of the path.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.hive import oracle
from tests.page.boards import mark, standing
from tests.page.conftest import Server, keys, press, visit
from tests.page.panels import details
from tests.patience import PATIENCE

PERFT = Path(oracle.__file__).with_name("perft.json")


def middle(game_type: str, plies: int) -> str:
    """A position of the published counts after so many plies."""
    positions = [entry["position"] for entry in json.loads(PERFT.read_text("utf-8"))]
    return next(
        text for text in positions if text.startswith(f"{game_type};InProgress;White[{plies // 2 + 1}]")
    )


@contextmanager
def searched(folder: Path, *arguments: str) -> Iterator[tuple[Server, list[str]]]:
    """A viewer started by `plyscope search hive`, and the lines it printed before its address."""
    environment = {**os.environ, "BROWSER": "true", "PLYSCOPE_DATA": str(folder)}
    command = [
        sys.executable,
        "-c",
        "from plyscope.visualizer.cli.main import run; run()",
        "search",
        "hive",
        *arguments,
        "--view",
    ]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        printed: list[str] = []
        for line in process.stdout:
            found = re.fullmatch(
                r"plyscope: showing hive\.json at (http://\S+/) \(press Ctrl\+C to stop\)\n", line
            )
            if found:
                yield Server(found[1], folder), printed
                break
            printed.append(line.rstrip())
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        known = ("plyscope: compiling ", "plyscope: searching; watch it at ")
        errors = [line for line in said.splitlines() if not line.startswith(known)]
        assert (process.returncode, errors) == (0, [])
    finally:
        process.kill()
        process.wait()


def position_of(page: Page, root: oracle.Position) -> oracle.Position:
    """The position of the node in the details: the plies on its path, played by the rules."""
    way = (
        details(page)
        .get_by_role("navigation", name="Path of the node")
        .get_by_role("button")
        .all_inner_texts()
    )
    assert way[0] == "root"
    position = root
    for ply in way[1:]:
        position = position.play(position.read(ply))
    return position


def compare(page: Page, root: oracle.Position) -> None:
    """The board, the hands and what a screen reader hears of them, beside the rules' own position."""
    position = position_of(page, root)
    assert standing(page) == position.columns, position.game_string()
    hands = details(page).locator(".board-held:not(.board-stack-row)")
    held = {tile.get_attribute("data-held") for tile in hands.locator("[data-held]").all()}
    in_play = {piece for column in position.columns.values() for piece in column}
    assert held == set(position.pieces()) - in_play
    assert details(page).locator(".board-surrounded").count() == sum(
        map(position.is_surrounded, ("wQ", "bQ"))
    )
    assert details(page).locator(".board .board-last").count() == int(position.last_moved() is not None)


CASES = {
    "from the start": ("Base", "--depth 3 --limit 30"),
    "all expansions": ("Base+MLP", "--depth 3 --limit 8 --position Base+MLP"),
    "in the middle": (middle("Base+MLP", 40), "--depth 3 --limit 30 --algorithm pvs --table 64"),
    "deep": (middle("Base+MLP", 60), "--depth 5 --limit 4 --quiescence 2 --algorithm pvs"),
}


IN_SWEEP = ("from the start", "all expansions", "in the middle")
DIRECTIONS = ("Left", "Down", "Right", "Down", "Down", "Left")
"""From the leaf to its siblings, cousins and uncles."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.sweep if case in IN_SWEEP else ()) for case in CASES]
)
def test_a_recorded_search_is_walked_with_the_right_board_at_every_node(
    new_page: Callable[..., Page], tmp_path: Path, case: str
) -> None:
    """Down by the best mark on each board to a leaf, then here and there in the tree."""
    text, words = CASES[case]
    options = [*words.split(), *(("--position", text) if ";" in text else ())]
    root = oracle.read_game(text, trusted=True)
    with searched(tmp_path, *options) as (server, printed):
        page = visit(new_page(), server)
        chosen = re.match(r"(\S.*?)  [+-]?[\d.]+  \(", printed[0])
        assert chosen, printed
        assert re.match(r"(depth \d: )?[\d,]+ nodes \([\d,]+ leaves\) in ", printed[1]), printed
        expect(page.locator("#tree").get_by_text(chosen[1], exact=True).first).to_be_visible()
        compare(page, root)
        n_walked = 0
        while (best := mark(page, re.compile("best of"))).count():
            press(page, best)
            if (several := details(page).locator(".ply-button")).count():
                press(page, several.first)
            n_walked += 1
            compare(page, root)
        assert n_walked >= 2
        compared = set()
        for direction in DIRECTIONS:
            keys(page, f"Arrow{direction}")
            if details(page).locator("svg.board-hexes").count():
                compare(page, root)
                compared.add(page.locator("#tree .node-selected").get_attribute("data-id"))
        assert len(compared) >= 4
