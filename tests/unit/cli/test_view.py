"""`plyscope view` until it serves: what it says it shows, and what it leaves out."""

from __future__ import annotations

import json
import re
import stat
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest

from plyscope.visualizer.cli.look.view import leading_to
from plyscope.visualizer.web.sockets.server import Server
from tests.unit.cli.conftest import Command

Shown = Callable[..., tuple[str, str]]


@pytest.fixture
def shown(plyscope: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shown:
    """`shown(path, …)`: what `plyscope view` writes to standard output and error before it serves."""
    monkeypatch.setattr(Server, "run", Server._close)
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path / "kept"))

    def call(*arguments: Path | str) -> tuple[str, str]:
        code, out, err = plyscope("view", "--no-browser", *arguments)
        assert code == 0
        return out, err

    return call


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of three logs, a note and a folder with another log."""
    folder = tmp_path / "runs"
    (folder / "old").mkdir(parents=True)
    for name in ("a.json", "b.json", "c.jsonl", "old/d.json"):
        (folder / name).write_text(json.dumps({"plyscope": 1, "root": {}}))
    (folder / "notes.txt").write_text("nothing")
    return folder


def test_the_logs_of_a_folder_are_counted_and_files_named_beside_it(
    shown: Shown, runs: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert f"showing 3 logs of {runs} at http://" in shown(runs)[0]
    assert "showing 4 logs at http://" in shown(runs, other)[0]
    assert "showing 3 logs at http://" in shown(runs, runs / "a.json")[0]
    assert "showing other.json at http://" in shown(other)[0]


def test_a_folder_says_that_folders_inside_are_left_out(shown: Shown, runs: Path) -> None:
    assert shown(runs)[1] == f"plyscope: {runs}: 1 folder inside is not looked into; name it as well\n"
    (runs / "older").mkdir()
    (runs / ".git").mkdir()
    assert "2 folders inside are not looked into; name them as well" in shown(runs)[1]
    assert shown(runs / "old")[1] == ""


def test_an_empty_folder_says_that_there_are_no_logs_yet(shown: Shown, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    out, err = shown(empty)
    assert f"showing 0 logs of {empty} at http://" in out
    assert err == (
        "plyscope: there are no logs (.json, .jsonl, .plyb, .json.gz, .jsonl.gz, .plyb.gz, .json.zst, "
        ".jsonl.zst, .plyb.zst, .parquet, .js, .ndjson) yet; the page lists those that come\n"
    )


def test_a_viewer_that_only_this_machine_reaches_asks_for_no_token(shown: Shown) -> None:
    for host in ("127.0.0.1", "localhost", "127.0.0.2"):
        out, err = shown("--host", host)
        assert f" at http://{host}:" in out
        assert "token" not in out + err


@pytest.mark.parametrize("host", ["0.0.0.0", ""])
def test_a_viewer_that_others_reach_prints_its_token_and_says_what_it_binds(shown: Shown, host: str) -> None:
    out, err = shown("--host", host)
    own = re.search(r" at http://127\.0\.0\.1:(\d+)/\?token=(\S{32,}) ", out)
    assert own
    port, token = own.groups()
    assert f"listening on all addresses of this machine (0.0.0.0), port {port}: whoever has the token" in err
    assert re.search(rf"open http://\S+:{port}/\?token={re.escape(token)}\n", err)
    assert token not in "".join(shown("--host", host))


def test_a_browser_is_led_to_the_token_by_a_file_that_only_the_user_reads() -> None:
    address = "http://127.0.0.1:5014/?token=x&y"
    with leading_to(address) as path:
        assert urllib.parse.quote(address) not in path.as_uri()
        assert 'url=http://127.0.0.1:5014/?token=x&amp;y"' in path.read_text()
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.exists()


def test_what_is_odd_in_the_data_folder_is_told(shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "mappings.json").write_text("null")
    assert "mappings.json holds no mappings that can be read" in shown()[1]
