"""Notes on nodes: put, found, carried to another run by their plies, and written into a copy."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from plyscope.visualizer.cli.main import plyscope
from plyscope.visualizer.formats.detect import read_log, read_log_file


def put(client: FlaskClient, url: str, **note: Any) -> list[dict[str, Any]]:
    answer = client.put(f"{url}/notes", json=note)
    assert answer.status_code == 200, answer.get_json()
    notes: list[dict[str, Any]] = answer.get_json()["notes"]
    return notes


def test_a_note_is_kept_for_the_log_and_the_file_stays_as_it_was(
    client: FlaskClient, url: str, tmp_path: Path, viewer: Callable[..., FlaskClient]
) -> None:
    path = tmp_path / "small.json"
    before = path.read_bytes()
    assert client.get(f"{url}/notes").get_json() == {"notes": []}
    put(client, url, id=5, text=" loses a piece ", colour="red")
    notes = put(client, url, id=2)
    assert notes == [
        {"id": 2, "path": "a > c", "text": "", "colour": "blue"},
        {"id": 5, "path": "b > e", "text": "loses a piece", "colour": "red"},
    ]
    assert path.read_bytes() == before
    copy = tmp_path / "elsewhere.json"  # the same content is the same log, wherever it lies
    copy.write_bytes(before)
    again = viewer(copy)
    other = f"/api/logs/{again.get('/api/logs').get_json()['default']}"
    assert again.get(f"{other}/notes").get_json()["notes"] == notes


def test_the_search_finds_the_text_of_a_note(client: FlaskClient, url: str) -> None:
    put(client, url, id=5, text="Loses a piece")
    found = client.get(f"{url}/search?q=loses").get_json()
    assert [item["id"] for item in found["items"]] == [5]
    assert [item["id"] for item in client.get(f"{url}/search?q=e").get_json()["items"]] == [5]


def test_a_new_run_in_the_same_place_takes_the_notes_by_their_plies(
    client: FlaskClient, url: str, small: dict[str, Any], tmp_path: Path
) -> None:
    for node_id, text in ((1, "stays"), (5, "moves"), (3, "has no place")):
        put(client, url, id=node_id, text=text)
    small["root"]["children"].reverse()  # b comes first now: all ids below it are others
    del small["root"]["children"][1]["children"][1]  # d is not searched
    (tmp_path / "small.json").write_text(json.dumps(small))
    assert (
        client.put(f"{url}/notes", json={"id": 1}).status_code == 409
    )  # what is open is not what lies there
    client.post(f"{url}/reading?wait=10")
    notes = client.get(f"{url}/notes").get_json()["notes"]
    assert [(note.get("id"), note["path"], note["text"]) for note in notes] == [
        (2, "b > e", "moves"),
        (4, "a", "stays"),
        (None, "a > d", "has no place"),
    ]
    left = put(client, url, path="a > d", text=None)  # one without a node is named by its plies
    assert [note["path"] for note in left] == ["b > e", "a"]
    assert len(put(client, url, path="a > d", text="back")) == 3


@pytest.mark.parametrize(
    ("note", "status", "says"),
    [
        ({"id": 99}, 404, "no node 99"),
        ({"id": 1, "colour": "amber"}, 400, "a note is blue"),
        ({"id": 1, "text": 7}, 400, "body must be"),
        ({"text": "of no node"}, 400, "body must be"),
    ],
)
def test_a_note_that_is_none_is_refused(
    client: FlaskClient, url: str, note: dict[str, Any], status: int, says: str
) -> None:
    answer = client.put(f"{url}/notes", json=note)
    assert answer.status_code == status
    assert says in answer.get_json()["error"]


def test_where_nothing_can_be_written_a_copy_is_refused_in_one_sentence(
    client: FlaskClient, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not there"))
    answer = client.get(f"{url}/copy")
    assert answer.status_code == 507
    assert answer.get_json()["error"].startswith("the copy could not be written: No such file or directory;")


def test_a_copy_has_the_notes_in_its_header_and_shows_them_where_it_is_opened(
    client: FlaskClient, url: str, tmp_path: Path, viewer: Callable[..., FlaskClient]
) -> None:
    put(client, url, id=5, text="loses", colour="red")
    saved = client.get(f"{url}/copy")
    assert 'filename="small with notes.json"' in saved.headers["Content-Disposition"]
    log = read_log(saved.data)
    assert log.header["notes"] == [{"id": 5, "path": "b > e", "text": "loses", "colour": "red"}]
    (tmp_path / "copy.json").write_bytes(saved.data)
    other = viewer(tmp_path / "copy.json", DATA_FOLDER=tmp_path / "another's")
    at = f"/api/logs/{other.get('/api/logs').get_json()['default']}"
    assert [note["text"] for note in other.get(f"{at}/notes").get_json()["notes"]] == ["loses"]
    assert "notes" not in other.get(at).get_json()["header"]
    assert put(other, at, id=5, text=None) == []  # deleted there, though its header has it still
    assert other.get(f"{at}/notes").get_json()["notes"] == []


def test_convert_writes_the_notes_that_are_kept(
    client: FlaskClient, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(client, url, id=5, text="loses")
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path / "data"))
    target = tmp_path / "out.plyb"
    done = CliRunner().invoke(plyscope, ["convert", str(tmp_path / "small.json"), str(target)])
    assert done.exit_code == 0, done.output
    assert [note["text"] for note in read_log_file(target).header["notes"]] == ["loses"]
