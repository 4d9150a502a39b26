"""`plyscope.view`: a page in the background, and nothing of it left behind."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plyscope
from tests.patience import PATIENCE
from tests.unit.face.conftest import Nim


@pytest.fixture(autouse=True)
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder of temporary files, from which every viewer takes what it put there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path / "cache"))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def get(viewer: plyscope.Viewer, place: str = "") -> Any:
    with urllib.request.urlopen(viewer.address + place, timeout=PATIENCE) as answer:
        body = answer.read()
    return json.loads(body) if place else body


def listed(viewer: plyscope.Viewer) -> list[str]:
    return [log["name"] for log in get(viewer, "api/logs")["logs"]]


def test_a_path_is_served_on_this_machine_until_it_is_closed(path: Path) -> None:
    viewer = plyscope.view(path)
    assert viewer.address.startswith("http://127.0.0.1:")
    assert b"<html" in get(viewer)
    assert listed(viewer) == ["mine.json"]
    assert repr(viewer) == f"<Viewer of mine.json at {viewer.address}>"
    threading.Timer(0.01, viewer.close).start()
    viewer.wait()
    viewer.close()
    assert repr(viewer) == "<closed Viewer of mine.json>"
    with pytest.raises(urllib.error.URLError):
        get(viewer)


def test_a_log_is_shown_from_its_file_as_long_as_that_is_unchanged(
    path: Path, text: str, temporary: Path
) -> None:
    log = plyscope.open(path)
    with plyscope.view(log):
        assert [each.is_dir() and list(each.iterdir()) for each in temporary.iterdir()] == [[]]
    path.write_text(text.replace("d3", "another"))
    with plyscope.view(log) as viewer:
        assert listed(viewer) == ["mine.json"]
        log_id = get(viewer, "api/logs")["default"]
        assert get(viewer, f"api/logs/{log_id}/nodes/5")["node"]["ply"] == "d3"


def test_a_log_that_was_read_with_a_map_is_shown_as_it_was_read(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.json"
    foreign.write_text('{"move": "", "replies": [{"move": "a", "worth": 3, "other": 7}]}')
    log = plyscope.open(foreign, map="children=replies,score=other")
    for shown, given in ((log, None), (foreign, "children=replies,score=other")):
        with plyscope.view(shown, map=given) as viewer:
            log_id = get(viewer, "api/logs")["default"]
            assert get(viewer, f"api/logs/{log_id}/nodes/1")["node"]["score"] == 7


def test_logs_text_and_a_folder_are_shown_by_names_that_are_no_paths(text: str, path: Path) -> None:
    searched, log = plyscope.search(Nim(), depth=3), plyscope.open(text)
    log.name = "../../etc/passwd"
    with plyscope.view([searched, log, log, str(path)]) as viewer:
        assert {"Nim.json", "mine.json"} < {*listed(viewer)}
        assert len(listed(viewer)) == 4
        assert all("/" not in name for name in listed(viewer))
        logs = {each["name"]: each["id"] for each in get(viewer, "api/logs")["logs"]}
        assert get(viewer, f"api/logs/{logs['Nim.json']}")["totals"]["nodes"] == searched.stats.nodes
    with plyscope.view(text) as viewer, plyscope.view(path.parent) as folder, plyscope.view() as examples:
        assert (listed(viewer), listed(folder)) == (["log.json"], ["mine.json"])
        assert "reversi-midgame.json.gz" in listed(examples)


def test_a_port_that_is_taken_is_an_error_in_words(path: Path) -> None:
    with plyscope.view(path) as viewer:
        port = int(viewer.address.rstrip("/").rpartition(":")[2])
        with pytest.raises(OSError, match=rf"cannot listen on 127\.0\.0\.1 port {port}: .*; choose another"):
            plyscope.view(path, port=port)
    with plyscope.view(path, port=port) as again:
        assert again.address == viewer.address


def test_what_cannot_be_shown_is_refused(path: Path) -> None:
    for logs in ("missing.json", ["missing.json"], Path("missing"), "", [""], "a\0b"):
        with pytest.raises(plyscope.LogError, match="there is no such file or folder"):
            plyscope.view(logs)
    with pytest.raises(TypeError, match="a log or a path is shown, not int"):
        plyscope.view([3])  # type: ignore[list-item]
    for port in (-1, 65_536, "80", True):
        with pytest.raises(plyscope.OptionError, match=r"^port: .*expected a whole number"):
            plyscope.view(path, port=port)  # type: ignore[arg-type]


def test_no_browser_opens_unless_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    has_come = threading.Event()

    def open_(address: str) -> None:
        opened.append(address)
        has_come.set()

    monkeypatch.setattr("webbrowser.open", open_)
    with plyscope.view(path):
        pass
    with plyscope.view(path, browser=True) as viewer:
        assert has_come.wait(PATIENCE)
    assert opened == [viewer.address]
    with pytest.raises(ZeroDivisionError), plyscope.view(path) as viewer:
        raise ZeroDivisionError  # closes it too
    assert repr(viewer).startswith("<closed")


@pytest.mark.slow
def test_waiting_ends_quietly_at_an_interrupt_and_a_script_that_ends_leaves_nothing(
    path: Path, temporary: Path
) -> None:
    waits = "import os, signal, threading; print(len(plyscope.open(log)), flush=True); "
    waits += "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start(); viewer.wait()"
    for rest in (waits, "pass"):
        script = (
            f"import plyscope, tempfile; tempfile.tempdir = {str(temporary)!r}; log = {str(path)!r}\n"
            f"viewer = plyscope.view(plyscope.open(open(log)))\n{rest}\nprint('ended')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert done.stdout.endswith("ended\n")
