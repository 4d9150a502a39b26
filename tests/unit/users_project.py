"""A user's project: a game in several files, in folders of the names that Plyscope's own have."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.patience import PATIENCE

GAME = """
from __future__ import annotations
from dataclasses import dataclass
import rules
from engine import board
from visualizer.draw import drawn


@dataclass(frozen=True)
class Heap:
    n: int
    turn: int


class Game:
    players = ("Ann", "Ben")
    factors = {"left": 1.0}

    def start(self):
        return Heap(board.SIZE, 0)

    def plies(self, heap):
        return [n for n in range(1, rules.MOST + 1) if n <= heap.n]

    def apply(self, heap, ply):
        return Heap(heap.n - ply, 1 - heap.turn)

    def player(self, heap):
        return heap.turn

    def winner(self, heap):
        from ending import winner
        return winner(heap)

    def values(self, heap):
        import worth.left
        return [worth.left.of(heap)]

    def write_position(self, heap):
        return drawn(heap)
"""
ENDING = """
import game


def winner(heap):
    assert isinstance(heap, game.Heap)
    return None if heap.n else 2 - heap.turn
"""
FILES = {
    "game.py": GAME,
    "rules.py": "MOST = {most}\n",
    "engine/board.py": "SIZE = 5\n",
    "visualizer/__init__.py": "",
    "visualizer/draw.py": "def drawn(heap):\n    return f'{{heap.n}} left'\n",
    "ending.py": ENDING,
    "worth/left.py": "def of(heap):\n    return heap.n * {most}\n",
}
"""A game that imports at once and while it is searched; `engine` and `worth` are packages without a file."""


def write_project(folder: Path, most: int = 1) -> Path:
    """Write the files into the folder and return the game's; up to `most` may be taken from the heap."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(most=most) if name != "game.py" else text)
    return folder / "game.py"


OPEN_A_LOG = """
import json, sys
from plyscope.visualizer.web.app import create_app
app = create_app({"LOGS": [sys.argv[1]], "DATA_FOLDER": sys.argv[2], "CACHE_FOLDER": sys.argv[2]})
client = app.test_client()
log = client.get("/api/logs").get_json()["logs"][0]["id"]
print(json.dumps(client.get(f"/api/logs/{log}/nodes/1/details").get_json()["board"]))
"""
"""A program: the board of the second row of a log, as the page asks for it."""

OF_REVERSI = {
    "plyscope": 1,
    "game": "reversi",
    "root": {"layer": "max", "score": 1, "children": [{"ply": "d3", "score": 1}]},
}


def use(python: list[str], command: list[str], folder: Path, *, game: str = "game.py") -> None:
    """Search the game of the project in `folder`, check its log, and ask for boards as the page does.

    `python` runs a program's text, `command` is `plyscope`; the folder is their PYTHONPATH.
    """
    environment = {**os.environ, "PYTHONPATH": "."}

    def asked(*words: str) -> str:
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    minimax = ("--depth", "2", "--algorithm", "minimax")
    found = asked(*command, "search", f"{game}:Game", *minimax, "-o", "log.json")
    assert found.startswith("1  +3  (1 > 1)"), found
    assert "5 left" in (folder / "log.json").read_text("utf-8")
    assert ": clean" in asked(*command, "check", "log.json")
    assert "no game 'Game'" in asked(*python, OPEN_A_LOG, "log.json", "data")
    (folder / "reversi.json").write_text(json.dumps(OF_REVERSI))
    assert "replay" in asked(*command, "check", "reversi.json").partition("\n\n")[0]
    assert json.loads(asked(*python, OPEN_A_LOG, "reversi.json", "data"))["cells"]
