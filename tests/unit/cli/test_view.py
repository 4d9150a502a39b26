"""`plyscope view` and `library`: what is said to be shown, followed and kept."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from plyscope.visualizer.cli.look.view import leading_to
from plyscope.visualizer.shelf.library import BUDGET
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.web.sockets.server import Server
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command
from tests.unit.logs import log_of

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


def test_the_logs_of_a_folder_are_counted_and_what_is_left_out_is_said(shown: Shown, tmp_path: Path) -> None:
    runs, other = tmp_path / "runs", tmp_path / "other.json"
    (runs / "old").mkdir(parents=True)
    for path in (
        other,
        *(runs / name for name in ("a.json", "b.json", "c.jsonl", "notes.txt", "old/d.json")),
    ):
        path.write_text("{}")
    out, err = shown(runs)
    assert f"showing 3 logs of {runs} at http://" in out
    assert err == f"plyscope: {runs}: 1 folder inside is not looked into; name it as well\n"
    assert "showing 4 logs at http://" in shown(runs, other)[0]
    assert "showing 3 logs at http://" in shown(runs, runs / "a.json")[0]
    assert "showing other.json at http://" in shown(other)[0]
    (runs / "older").mkdir()
    (runs / ".git").mkdir()
    assert "2 folders inside are not looked into; name them as well" in shown(runs)[1]
    assert shown(runs / "old")[1] == ""
    out, err = shown(runs / "older")
    assert f"showing 0 logs of {runs / 'older'} at http://" in out
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


PROGRAM = "from plyscope.visualizer.cli.main import run; run()"


def test_standard_input_is_shown_until_ctrl_c_while_more_could_come(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "view", "-", "--follow", "--no-browser"]
    environment = {**os.environ, "PLYSCOPE_DATA": str(tmp_path), "PLYSCOPE_CACHE": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as viewer:
        assert viewer.stdin is not None
        assert viewer.stdout is not None
        viewer.stdin.write(b'{"id": 0}\n{"id": 1, "parent": 0, "ply": "a1"}\n')
        viewer.stdin.flush()
        said = viewer.stdout.readline().decode()
        found = re.fullmatch(r"plyscope: showing standard input at (\S+/) \(press Ctrl\+C to stop\)\n", said)
        assert found is not None, said
        with urllib.request.urlopen(f"{found[1]}api/logs", timeout=PATIENCE) as answer:
            (log,) = json.load(answer)["logs"]
        assert log["live"] == {"state": "written", "from": "stdin"}
        with urllib.request.urlopen(f"{found[1]}api/logs/{log['id']}", timeout=PATIENCE) as answer:
            assert json.load(answer)["totals"]["nodes"] == 2
        viewer.send_signal(signal.SIGINT)
        assert viewer.wait(PATIENCE) == 0
        assert viewer.stderr is not None
        assert viewer.stderr.read() == b""
    (kept,) = (tmp_path / "pasted").glob("*.log")
    assert kept.read_bytes().endswith(b'"a1"}\n')


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LogCache:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(BUDGET, "2G")
    return LogCache(tmp_path / "cache", RememberedMappings(tmp_path / "data"))


def kept(cache: LogCache, name: str) -> str:
    return cache.save(log_of({"score": 1, "children": [{"score": 1}]}), name, None, Path("/logs") / name)


def test_a_library_is_listed_and_cleared_by_names_and_ids_and_what_is_open_stays(
    plyscope: Command, cache: LogCache
) -> None:
    assert plyscope("library") == (0, f"0 converted logs, 0 bytes of 2.0 GB, in {cache.folder}\n", "")
    places = {"a.json": kept(cache, "a.json")}
    first, last = plyscope("library")[1].splitlines()
    assert first.startswith(f"{places['a.json'][:8]}  2 nodes  ")
    assert first.endswith("  used just now  /logs/a.json")
    assert last.startswith("1 converted log, ")
    told = json.loads(plyscope("library", "--json")[1])
    (log,) = told["logs"]
    said = {"id": places["a.json"], "name": "a.json", "source": "/logs/a.json", "nodes": 2, "current": True}
    assert {name: log[name] for name in said} == said
    assert told["budget"] == 2 * 10**9
    assert told["n_bytes"] == log["n_bytes"] == cache.library.logs()[0].n_bytes
    # A name of nothing clears nothing; a name and the beginning of an id clear two.
    places |= {name: kept(cache, name) for name in ("b.json", "c.json")}
    nothing = "plyscope: no converted log is called 'z.json'; `plyscope library` lists those there are\n"
    assert plyscope("library", "clear", "a.json", "z.json") == (2, "", nothing)
    code, out, error = plyscope("library", "clear", "a.json", places["b.json"][:12])
    assert (code, error) == (0, "")
    assert out.startswith("removed 2 converted logs, ")
    assert [log.name for log in cache.library.logs()] == ["c.json"]
    # What is open stays.
    opened = cache.load(places["c.json"])
    code, out, error = plyscope("library", "clear")
    assert (code, out) == (1, "removed 0 converted logs, 0 bytes were freed\n")
    assert error == "plyscope: c.json is open in a viewer and stays\n"
    assert [log.name for log in cache.library.logs()] == ["c.json"]
    del opened
    # Without a name all are cleared, and it is said what was freed.
    kept(cache, "a.json")
    cache.knows(Path(__file__), "a.json")
    n_bytes = sum(log.n_bytes for log in cache.library.logs())
    told = json.loads(plyscope("library", "clear", "--json")[1])
    assert (told["freed"], len(told["removed"]), told["kept"]) == (n_bytes, 2, [])
    assert cache.library.logs() == []
    assert list((cache.folder / "index").iterdir()) == []
