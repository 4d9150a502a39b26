"""The pages for those who change the code name files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").glob("adding-a-*.md"), ROOT / "docs" / "architecture.md"])
ROOMS = ("docs", "engine", "examples", "plyscope", "static", "studies", "templates", "tests", "visualizer")
MADE = {
    "adding-a-game.md": {"mygame", "twenty_one.py"},
    "adding-a-rule.md": {"static-mate.md"},
    "adding-a-view.md": {
        "static/views/outcomes/outcomes.js",
        "visualizer/analysis/outcomes.py",
        "visualizer/web/api/outcomes.py",
    },
}
"""What a page has its reader make."""


@pytest.fixture(scope="module")
def by_ending() -> dict[str, list[Path]]:
    """Every file and folder by the ends of its path: `a/b/c`, `b/c` and `c`."""
    found: dict[str, list[Path]] = {}
    for path in (path for room in ROOMS for path in [ROOT / room, *(ROOT / room).rglob("*")]):
        parts = path.relative_to(ROOT).parts
        for first in range(len(parts)):
            found.setdefault("/".join(parts[first:]), []).append(path)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page: Path, by_ending: dict[str, list[Path]]) -> None:
    """A path by its end; a name alone in a folder whose path, or that of a file in it, the page names."""
    prose = re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text("utf-8"))
    named = re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:py|js|css|md))`", prose)
    names = {name.rstrip("/") for name in named} - MADE.get(page.name, set())
    alone = {name for name in names if "/" not in name and "." in name}
    paths = names - alone
    folders = [path if path.is_dir() else path.parent for name in paths for path in by_ending.get(name, [])]
    assert paths
    assert {name for name in paths if name not in by_ending} == set()
    assert {name for name in alone if not any((folder / name).exists() for folder in folders)} == set()
