"""Tests of modules that must not be loaded: numba, where nothing is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE

OPEN_A_LOG = """
import sys
from plyscope.visualizer.web.app import create_app
import plyscope.visualizer.cli.look.view
app = create_app({"LOGS": [sys.argv[1]], "DATA_FOLDER": sys.argv[2], "CACHE_FOLDER": sys.argv[2]})
client = app.test_client()
log = client.get("/api/logs").get_json()["logs"][0]["id"]
details = client.get(f"/api/logs/{log}/nodes/1/details").get_json()
assert details["board"]["cells"], details
print("numba" in sys.modules)
"""


def test_viewing_a_log_with_its_boards_does_not_load_numba(tmp_path: Path) -> None:
    log = {"plyscope": 1, "game": "reversi", "root": {"children": [{"ply": "d3"}]}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    command = [sys.executable, "-c", OPEN_A_LOG, str(path), str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert answer.stdout.strip() == "False", answer.stdout + answer.stderr


def test_a_log_of_some_thousand_nodes_is_read_without_compiling(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    children = [{"ply": f"p{at}", "score": at, "mine": [at]} for at in range(30_000)]
    path.write_text(json.dumps({"plyscope": 1, "root": {"children": children}}))
    program = (
        "import sys, plyscope; plyscope.open(sys.argv[1]); "
        "print([name for name in ('numba', 'llvmlite') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env={**os.environ, "PLYSCOPE_CACHE": str(tmp_path)},
    )
    assert answer.stdout.strip() == "[]"


def test_the_command_lists_its_verbs_without_loading_flask_or_numpy() -> None:
    program = (
        "import sys; from plyscope.visualizer.cli.main import plyscope; "
        "plyscope.main(['--help'], standalone_mode=False); "
        "print([name for name in ('flask', 'numpy', 'numba') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert answer.stdout.rstrip().endswith("[]"), answer.stdout + answer.stderr


def test_opening_a_log_that_is_no_parquet_loads_no_database(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"plyscope": 1, "root": {}}')
    program = (
        "import sys, plyscope; plyscope.open(sys.argv[1]).write(sys.argv[1] + 'l'); "
        "print([name for name in ('duckdb', 'backports.zstd') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert answer.stdout.strip() == "[]", answer.stdout + answer.stderr


FIRST_TREE = """
import sys
from plyscope.visualizer.web.app import create_app
app = create_app({"LOGS": [sys.argv[1]], "DATA_FOLDER": sys.argv[2], "CACHE_FOLDER": sys.argv[2]})
client = app.test_client()
log = client.get("/api/logs").get_json()["logs"][0]["id"]
opened = client.get(f"/api/logs/{log}?wait=1").get_json()
assert opened["drawable"] is True, opened
answer = client.get(f"/api/logs/{log}/nodes?ids=0&limit=100")
assert answer.status_code == 200 and b"wS1" in answer.data, answer.data
print([name for name in sys.modules if name.startswith(("plyscope.engine.games.hive", "numpy.random"))])
"""


def test_the_first_tree_does_not_wait_for_the_rules_of_its_game(tmp_path: Path) -> None:
    log = {"plyscope": 1, "game": "hive", "root": {"children": [{"ply": "wS1"}]}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    command = [sys.executable, "-c", FIRST_TREE, str(path), str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert answer.stdout.strip() == "[]", answer.stdout + answer.stderr


def test_neither_the_product_nor_its_tests_import_the_studies() -> None:
    """They run where the folder is deleted, as where the package is not installed."""
    root, package = Path(__file__).parents[2], "plyscope" + "_studies"
    folders = ("plyscope", "engine", "visualizer", "tests", "examples")
    files = [path for folder in folders for path in (root / folder).rglob("*.py")]
    assert [path for path in files if package in path.read_text("utf-8")] == []
