"""The files of the page: their versioned addresses, what is announced, what an edit changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web.page.page_files import PageFiles, media_type

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
def client(folder: Path, viewer: Callable[..., FlaskClient], monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    places = {"static": folder}
    monkeypatch.setattr(
        "plyscope.visualizer.web.app.shipped_folder", lambda name: places.get(name, shipped_folder(name))
    )
    return viewer()


def base(client: FlaskClient) -> str:
    """The address of the files that the page names now."""
    found = re.search(r'src="(/static/[0-9a-f]{16}/)main\.js"', client.get("/").text)
    assert found is not None
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
    found = PageFiles(folder).find(f"{files.version}/main.js.map")
    assert found is not None
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
        numbers, shift, number = [], 0, 0
        for digit in map(digits.index, text):
            number |= (digit & 31) << shift
            shift += 5
            if digit < 32:
                numbers.append(-(number >> 1) if number & 1 else number >> 1)
                shift, number = 0, 0
        if numbers:
            source, line = source + numbers[1], line + numbers[2]
            reached[at] = (source, line)
    return reached


@pytest.mark.parametrize(
    "text",
    ["export default 1;", "export { a as c };", "const u = import.meta.url;", 'import a from "./b.js";'],
)
def test_modules_that_are_not_understood_stay_files(folder: Path, text: str) -> None:
    (folder / "b.js").write_text(f"export const b = 1;\n{text}\n", "utf-8")
    files = PageFiles(folder).now()
    assert files.first_modules == ("main.js", "views/a.js", "b.js")
    assert files.content["main.js"].decode() == MAIN


def test_modules_in_a_circle_stay_files(folder: Path) -> None:
    (folder / "b.js").write_text('import { late } from "./views/a.js";\nexport const b = 1;\n', "utf-8")
    assert len(PageFiles(folder).now().first_modules) == 3


def test_all_that_ships_is_one_script() -> None:
    whole = PageFiles(shipped_folder("static")).now()
    assert whole.first_modules == ("main.js",)
    assert len(whole.in_script) > 90


def test_every_sheet_that_ships_is_in_the_one_file() -> None:
    whole = PageFiles(shipped_folder("static")).now().content
    sheets = [name for name in whole if name.startswith("css/")]
    assert sheets
    assert b"@import" not in whole["main.css"]
    assert [name for name in sheets if whole[name] not in whole["main.css"]] == []


def test_a_file_under_its_version_is_kept_for_good(client: FlaskClient) -> None:
    answer = client.get(base(client) + "views/late.js")
    assert answer.text == "export const late = 1;\n"
    assert answer.headers["Cache-Control"] == FOR_GOOD
    assert answer.content_type == "text/javascript; charset=utf-8"


def test_the_page_itself_is_asked_for_anew(client: FlaskClient) -> None:
    assert client.get("/").headers["Cache-Control"] == "no-cache"


def test_an_edit_shows_at_the_next_reload(client: FlaskClient, folder: Path) -> None:
    before = base(client)
    (folder / "b.js").write_text("export const b = 2;\n", "utf-8")
    after = base(client)
    assert after != before
    assert "const b = 2;" in client.get(after + "main.js").text


def test_a_new_file_and_a_deleted_one_change_the_version(client: FlaskClient, folder: Path) -> None:
    before = base(client)
    (folder / "views" / "c.js").write_text("export const c = 3;\n", "utf-8")
    between = base(client)
    (folder / "views" / "c.js").unlink()
    assert between != before
    assert base(client) == before


def test_an_open_page_finds_a_late_module_after_an_edit_and_keeps_it_not(
    client: FlaskClient, folder: Path
) -> None:
    before = base(client)
    (folder / "views" / "late.js").write_text("export const late = 2;\n", "utf-8")
    base(client)
    answer = client.get(before + "views/late.js")
    assert answer.text == "export const late = 2;\n"
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_file_without_a_version_is_there_and_asked_for_anew(client: FlaskClient) -> None:
    answer = client.get("/static/b.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get("/static/b.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "name", ["views", "views/", "../main.js", "/main.js", "views//a.js", "nowhere.js", ""]
)
def test_only_files_are_there_under_a_version(client: FlaskClient, name: str) -> None:
    assert client.get(base(client) + name).status_code == 404


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("main.js", "text/javascript"),
        ("css/a.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
        ("tsconfig.json", "application/octet-stream"),
    ],
)
def test_the_media_type_is_by_the_ending(name: str, kind: str) -> None:
    assert media_type(name) == kind
