"""The files of the page: their versioned addresses, what is announced, what an edit changes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web.page.page_files import PageFiles, media_type
from tests.unit.logs import there
from tests.unit.web.conftest import Viewer

FOR_GOOD = "max-age=31536000, immutable"
MAIN = 'import { a } from "./views/a.js";\nimport "./b.js";\n/** @type {import("./types.js").T} */\n'
LATE = 'const late = () => import("./late.js");\nexport { b } from "../b.js";\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page of four modules, one of them loaded late, and two sheets."""
    folder = tmp_path / "page"
    (folder / "views").mkdir(parents=True)
    for name, text in {
        "main.js": MAIN,
        "views/a.js": LATE,
        "b.js": "export const b = 1;\n",
        "views/late.js": "export const late = 1;\n",
        "main.css": '@import "one.css";\n@import "views/two.css";\n',
        "one.css": "p { color: red }\n",
        "views/two.css": "p { color: blue }\n",
    }.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def client(folder: Path, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    places = {"static": folder}
    monkeypatch.setattr(
        "plyscope.visualizer.web.app.shipped_folder", lambda name: places.get(name, shipped_folder(name))
    )
    return viewer()


def base(client: FlaskClient) -> str:
    found = there(re.search(r'src="(/static/[0-9a-f]{16}/)main\.js"', client.get("/").text))
    return found[1]


def test_the_modules_that_the_page_begins_with_are_one_script(folder: Path) -> None:
    files = PageFiles(folder).now()
    assert files.first_modules == ("main.js",)
    assert files.content["b.js"].decode() == (
        'import { b_js as held } from "./main.js";\nexport const { b } = held;\n'
    )
    assert 'import("./views/late.js")' in files.content["main.js"].decode()
    assert files.content["views/late.js"] == b"export const late = 1;\n"


def test_the_map_of_the_script_leads_each_line_to_its_module(folder: Path) -> None:
    files = PageFiles(folder).now()
    found = there(PageFiles(folder).find(f"{files.version}/main.js.map"))
    whole = json.loads(found[0])
    script = files.content["main.js"].decode().split("\n")
    reached = mapped(whole)
    assert {whole["sources"][source] for source, _ in reached.values()} == {"main.js", "views/a.js", "b.js"}
    for at, (source, line) in reached.items():
        before = whole["sourcesContent"][source].split("\n")[line]
        if "import" not in before and not before.startswith("export"):
            assert script[at] == before


def mapped(whole: dict[str, Any]) -> dict[int, tuple[int, int]]:
    """Of each line of a script that a source map tells of, the source and the line there."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    reached, source, line = {}, 0, 0
    for at, text in enumerate(whole["mappings"].split(";")):
        numbers, low = [], []
        for digit in map(digits.index, text):
            low.append(digit & 31)
            if digit < 32:  # the last of a number: five bits each, the lowest first, of which one is the sign
                number = sum(part << 5 * place for place, part in enumerate(low))
                numbers.append(-(number >> 1) if number & 1 else number >> 1)
                low = []
        if numbers:
            source, line = source + numbers[1], line + numbers[2]
            reached[at] = (source, line)
    return reached


@pytest.mark.parametrize(
    "text",
    [
        *("export default 1;", "export { a as c };", "const u = import.meta.url;", 'import a from "./b.js";'),
        'import { late } from "./views/a.js";',  # in a circle
    ],
)
def test_modules_that_are_not_understood_stay_files(folder: Path, text: str) -> None:
    (folder / "b.js").write_text(f"export const b = 1;\n{text}\n", "utf-8")
    files = PageFiles(folder).now()
    assert {*files.first_modules} == {"main.js", "views/a.js", "b.js"}
    assert files.content["main.js"].decode() == MAIN


def test_all_that_ships_is_one_script_and_one_sheet() -> None:
    whole = PageFiles(shipped_folder("static")).now()
    assert (whole.first_modules, len(whole.in_script) > 90) == (("main.js",), True)
    sheets = [content for name, content in whole.content.items() if name.startswith("css/")]
    assert sheets
    assert b"@import" not in whole.content["main.css"]
    assert all(sheet in whole.content["main.css"] for sheet in sheets)


def test_a_file_under_its_version_is_kept_for_good_until_an_edit_changes_that(
    client: FlaskClient, folder: Path
) -> None:
    before = base(client)
    answer = client.get(before + "views/late.js")
    assert (answer.text, answer.headers["Cache-Control"]) == ("export const late = 1;\n", FOR_GOOD)
    assert answer.content_type == "text/javascript; charset=utf-8"
    for name in ("views", "views/", "../main.js", "/main.js", "views//a.js", "nowhere.js", ""):
        assert client.get(before + name).status_code == 404
    # An edit shows at the next reload, which is asked for anew.
    (folder / "b.js").write_text("export const b = 2;\n", "utf-8")
    (folder / "views" / "late.js").write_text("export const late = 2;\n", "utf-8")
    assert client.get("/").headers["Cache-Control"] == "no-cache"
    after = base(client)
    assert after != before
    assert "const b = 2;" in client.get(after + "main.js").text
    # A page that was open before finds the late module, and keeps it not.
    answer = client.get(before + "views/late.js")
    assert (answer.text, answer.headers["Cache-Control"]) == ("export const late = 2;\n", "no-cache")
    # A new file and a deleted one change the version.
    (folder / "views" / "c.js").write_text("export const c = 3;\n", "utf-8")
    between = base(client)
    (folder / "views" / "c.js").unlink()
    assert between != after
    assert base(client) == after
    # Without a version a file is there, and asked for anew.
    answer = client.get("/static/b.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get("/static/b.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    names = ("main.js", "css/a.css", "icon.svg", "tsconfig.json")
    types = ["text/javascript", "text/css", "image/svg+xml", "application/octet-stream"]
    assert [media_type(name) for name in names] == types
