"""The view of docs/adding-a-view.md is one: its code, put where the page says, shows what it says."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import expect

import plyscope
from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web import app as viewer
from tests.page.conftest import NewPage, Serve, settled, visit
from tests.page.trees import REVERSI, item, selected

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-view.md").read_text(encoding="utf-8")
QUOTED = [
    (name, textwrap.dedent(code))
    for name, code in re.findall(r"^   ```\w+ (\S+)\n(.*?)^   ```", PAGE, re.DOTALL | re.MULTILINE)
]
BLOCKS = dict(QUOTED)
EDITS = [(name, code) for name, code in QUOTED if re.search(r"^[+-]", code, re.MULTILINE)]


def edited(text: str, block: str) -> str:
    """`text` with the lines that `block` marks `+`, without those it marks `-`, where the others stand."""
    lines = block.splitlines()
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    after = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(before) == 1, f"not there once: {before}"
    return text.replace(before, after)


def module(name: str, code: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The code as the module of that name, as long as the test runs."""
    made = ModuleType(name)
    exec(compile(code, name, "exec"), made.__dict__)
    monkeypatch.setitem(sys.modules, name, made)
    return made


def test_the_view_of_the_page_shows_the_selected_subtree(
    serve: Serve, new_page: NewPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    static = tmp_path / "static"
    shutil.copytree(shipped_folder("static"), static)
    for name, code in EDITS:
        path = tmp_path / name
        path.write_text(edited(path.read_text("utf-8"), code), "utf-8")
    view = tmp_path / "static/views/outcomes/outcomes.js"
    view.parent.mkdir()
    view.write_text(BLOCKS["static/views/outcomes/outcomes.js"], "utf-8")
    module("plyscope.visualizer.analysis.outcomes", BLOCKS["analysis"], monkeypatch)
    web = module("plyscope.visualizer.web.api.outcomes", BLOCKS["web"], monkeypatch)

    make = viewer.create_app

    def create_app(config: Any) -> Any:
        app = make(config)
        app.register_blueprint(web.outcomes)
        return app

    monkeypatch.setattr(viewer, "shipped_folder", lambda of: static if of == "static" else shipped_folder(of))
    monkeypatch.setattr("tests.page.conftest.create_app", create_app)
    outcomes = visit(new_page(), serve(REVERSI))
    outcomes.get_by_role("button", name="What to ask, page settings and help").click()
    outcomes.get_by_role("button", name="How the nodes below this one ended").click()
    log = plyscope.open(REVERSI)
    for ply in ("f8", "root"):
        item(outcomes, ply).click()
        assert selected(settled(outcomes)) == ply
        expected = Counter(each.outcome for each in below(log.node(ply)))
        rows = outcomes.locator(".outcomes tr").all_inner_texts()
        assert dict(row.split("\t") for row in rows) == {word: f"{n:,}" for word, n in expected.items()}
    assert "drawer=outcomes" in outcomes.url
    outcomes.reload()
    expect(settled(outcomes).locator(".outcomes")).to_be_visible()


def below(parent: plyscope.Node) -> Iterator[plyscope.Node]:
    yield parent
    for child in parent.children:
        yield from below(child)
