"""The page's modules in node: their own unit tests, and the floors on which they stand."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
FLOORS = ("data", "layout", "draw", "views", "match", "tuning", "play")
IMPORT = re.compile(r"""(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+["']([^"']+)["']""")


def test_the_modules_pass_their_unit_tests() -> None:
    node = compute_driver_executable()[0]
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.js"))
    assert files
    answer = subprocess.run(
        [node, "--test", *files], capture_output=True, text=True, timeout=300, check=False, cwd=ROOT
    )
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-2000:]


def modules() -> list[Path]:
    return sorted(STATIC.rglob("*.js"))


def floor_of(module: Path) -> str:
    """The folder that a module lies in; actions are data, though they lie beside the lens that they serve."""
    return "data" if module.name.endswith("actions.js") else module.relative_to(STATIC).parts[0]


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_module_imports_only_from_its_floor_and_those_below(module: Path) -> None:
    floor = floor_of(module)
    allowed = FLOORS[: FLOORS.index(floor) + 1] if floor in FLOORS else FLOORS
    for name in IMPORT.findall(module.read_text("utf-8")):
        assert name.startswith("."), f"{name} is not one of our own modules"
        target = (module.parent / name).resolve()
        assert target.is_file(), f"{name} is no file"
        assert floor_of(target) in allowed


def test_no_folder_is_a_crowd() -> None:
    assert {folder for folder in STATIC.rglob("*/") if len([*folder.glob("*.*")]) > 20} == set()
