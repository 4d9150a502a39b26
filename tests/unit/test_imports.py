"""Imports: no circle of files, and nothing is loaded that is not needed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

from tests.patience import PATIENCE

ROOT: Final = Path(__file__).parents[2]
EXCEPTED: Final = {
    ("plyscope.visualizer.analysis.statistics.figures", "plyscope.visualizer.analysis.statistics.text")
}
"""Arrows that may close a circle: a value whose text is imported when `str()` asks for it."""


def modules() -> dict[str, Path]:
    """The files of the three folders by the names that they are imported by."""
    files = [
        path for folder in ("engine", "visualizer", "plyscope") for path in (ROOT / folder).rglob("*.py")
    ]
    return {_name_of(path): path for path in files}


def _name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] == "plyscope" else ("plyscope", *parts))


def imported(text: str, known: dict[str, Path]) -> set[str]:
    """The modules among those known that a file imports, wherever it does."""
    found = set()
    tree = ast.parse(text)
    told = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == "__str__"]
    words = {node for each in told for node in ast.walk(each)}
    for node in set(ast.walk(tree)) - words:
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            whole = {f"{node.module}.{each.name}" for each in node.names}
            found |= {each if each in known else node.module for each in whole}
    return found & known.keys()


def test_no_file_imports_itself_by_way_of_others() -> None:
    known = modules()
    graph = {name: imported(path.read_text("utf-8"), known) - {name} for name, path in known.items()}
    for one, other in EXCEPTED:
        graph[one].discard(other)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" <- ".join(error.args[1])) from None


CLIENT = """
from plyscope.visualizer.web.app import create_app
app = create_app({"LOGS": ["log.json"], "DATA_FOLDER": "data", "CACHE_FOLDER": "cache"})
client = app.test_client()
log = client.get("/api/logs").get_json()["logs"][0]["id"]
"""
BOARD = """
details = client.get(f"/api/logs/{log}/nodes/1/details").get_json()
assert details["board"]["cells"], details
"""
FIRST_TREE = """
opened = client.get(f"/api/logs/{log}?wait=1").get_json()
assert opened["drawable"] is True, opened
assert b"wS1" in client.get(f"/api/logs/{log}/nodes?ids=0&limit=100").data
"""
HELP = "from plyscope.visualizer.cli.main import plyscope; plyscope.main(['--help'], standalone_mode=False)"
KERNELS = """
import plyscope.engine.run
from plyscope.engine.games.tictactoe import GAME
GAME.apply(GAME.read_position(GAME.start), 4)
"""
CHECKED = "import plyscope; plyscope.check(plyscope.open('log.json'))"
WRITTEN = "import plyscope; plyscope.open('log.json').write('log.jsonl')"


def tree(game: str, ply: str, n: int = 1) -> dict[str, object]:
    children = [{"ply": ply, "score": at, "mine": [at]} for at in range(n)]
    return {"plyscope": 1, "game": game, "root": {"children": children}}


@pytest.mark.parametrize(
    ("log", "program", "not_loaded"),
    [
        (tree("reversi", "d3"), f"import plyscope.visualizer.cli.look.view{CLIENT}{BOARD}", ["numba"]),
        (tree("hive", "wS1"), CLIENT + FIRST_TREE, ["plyscope.engine.games.hive", "numpy.random"]),
        (tree("x", "a", 30_000), WRITTEN, ["numba", "llvmlite", "duckdb", "backports.zstd"]),
        (tree("x", "a"), CHECKED, ["numba", "flask", "waitress", "click"]),
        ({}, KERNELS, ["numba"]),
        ({}, HELP, ["flask", "numpy", "numba"]),
    ],
    ids=[
        "boards",
        "the first tree",
        "reading and writing",
        "checking",
        "calling kernels",
        "the list of commands",
    ],
)
def test_what_is_not_needed_is_not_loaded(
    log: dict[str, object], program: str, not_loaded: list[str], tmp_path: Path
) -> None:
    (tmp_path / "log.json").write_text(json.dumps(log))
    said = f"import sys; print([name for name in sys.modules if name.startswith({tuple(not_loaded)})])"
    answer = subprocess.run(
        [sys.executable, "-c", f"{program}\n{said}"],
        cwd=tmp_path,
        env={**os.environ, "PLYSCOPE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert answer.stdout.splitlines()[-1:] == ["[]"], answer.stdout + answer.stderr


def test_neither_the_product_nor_its_tests_import_the_studies() -> None:
    """They run where the folder is deleted, as where the package is not installed."""
    root, package = Path(__file__).parents[2], "plyscope" + "_studies"
    folders = ("plyscope", "engine", "visualizer", "tests", "examples")
    files = [path for folder in folders for path in (root / folder).rglob("*.py")]
    assert [path for path in files if package in path.read_text("utf-8")] == []
