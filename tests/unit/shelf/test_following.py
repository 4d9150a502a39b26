"""Logs that are followed while they are written: files, lines without a file, engines on a socket."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.following import whole_parts
from plyscope.visualizer.shelf.catalogue import Catalogue
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.follow import followed_log, growing_file, line_sources
from plyscope.visualizer.shelf.follow.growing_file import has_writer
from plyscope.visualizer.shelf.follow.line_sources import EngineListener, follow_stream
from plyscope.visualizer.shelf.initial_logs import follow_paths
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from tests.patience import PATIENCE, wait_for
from tests.unit.logs import there
from tests.unit.same_logs import assert_same
from tests.unit.shelf.conftest import Here, rows, status

HEADER = {"plyscope": 1, "search": {"engine": "mine 1.2"}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_bytes(lines(HEADER, {"id": 0}, {"id": 1, "parent": 0, "ply": "a1"}))
    return path


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_a_file_grows_node_by_node_and_is_an_ordinary_log_after_its_result(
    shelf: Shelf, path: Path, entry: Entry
) -> None:
    assert entry.summary()["live"] == {"state": "written", "from": "file"}
    live = entry.live
    assert isinstance(live, followed_log.FollowedLog)
    live._published.n_bytes = (
        0  # as if lines were sealed before their bytes were counted: they are sealed again
    )
    wait_for(lambda: status(entry) and live._published.n_bytes == live._intake.n_taken)
    append(path, lines({"id": 2, "parent": 0, "ply": "b2", "score": 1}))
    wait_for(lambda: rows(shelf, entry) == 3)
    append(path, lines({"id": 0, "score": 1}, {"result": {"ply": "b2"}}))
    wait_for(lambda: entry.live is None)
    assert entry.state == "ready"
    assert "live" not in entry.summary()
    assert "changed" not in entry.summary()
    assert_same(shelf.open(entry.id).log, read_log(path.read_bytes()))


def test_a_file_that_no_program_has_open_any_more_is_left_until_it_grows(
    shelf: Shelf, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child begins a line and dies in it, as an engine does that is killed."""
    monkeypatch.setattr(followed_log, "SECONDS_OF_SILENCE", 0.05)
    writes = "import sys; file = open(sys.argv[1], 'ab', 0); file.write(b'{\"id\": 2, '); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", writes, path], stdin=subprocess.PIPE) as engine:
        wait_for(lambda: has_writer(path))
        entry = shelf.follow(shelf.add_file(path))
        wait_for(lambda: rows(shelf, entry) == 2)
        assert "left" not in status(entry)
        engine.kill()
    wait_for(lambda: status(entry).get("left"))
    assert (status(entry)["state"], status(entry)["cut_bytes"]) == ("written", 10)
    append(path, b'"parent": 0}\n')
    wait_for(lambda: rows(shelf, entry) == 3)
    assert "cut_bytes" not in status(entry)
    # Only who writes it is a writer; where no process can be looked at, nothing is claimed.
    with path.open("rb"):
        assert has_writer(path) is False
    assert has_writer(path.with_name("none")) is None
    for processes in (path.parent, path.parent / "none"):
        monkeypatch.setattr(growing_file, "PROCESSES", processes)
        assert has_writer(path) is None


def test_a_file_that_is_written_anew_is_read_anew(shelf: Shelf, path: Path, entry: Entry) -> None:
    before = status(entry)["generation"]
    path.write_bytes(lines({"id": 7}))
    wait_for(lambda: rows(shelf, entry) == 1)
    assert status(entry)["generation"] == before + 1
    other = path.with_name("other")
    other.write_bytes(lines(HEADER, *({"id": n, **({"parent": 0} if n else {})} for n in range(20))))
    os.replace(other, path)
    wait_for(lambda: rows(shelf, entry) == 20)
    assert status(entry)["generation"] == before + 2
    with path.open("r+b") as file:  # neither cut nor another file, and longer already
        file.write(lines(HEADER, {"id": 0}, *({"id": n, "parent": 0, "ply": "z9"} for n in range(1, 41))))
    wait_for(lambda: rows(shelf, entry) == 41)
    assert shelf.open(entry.id).log.text(int(shelf.open(entry.id).log.columns["ply"][1])) == "z9"


def test_the_next_search_that_is_written_over_an_ended_log_is_followed(shelf: Shelf, path: Path) -> None:
    entry = shelf.follow(shelf.add_file(path))
    append(path, lines({"result": None}))
    wait_for(lambda: entry.live is None)
    assert entry.summary()["followed"] is True
    assert entry.ended is not None
    ended = entry.ended.status()
    assert (ended["state"], ended["log"]) == ("ended", entry.id)
    path.write_bytes(lines(HEADER, {"id": 0}, {"id": 1, "parent": 0, "ply": "z9"}, {"id": 2, "parent": 0}))
    wait_for(lambda: rows(shelf, entry) == 3)
    assert entry.live is not None
    assert status(entry)["generation"] == ended["generation"] + 1
    append(path, lines({"id": 3, "parent": 0}, {"result": None}))
    wait_for(lambda: entry.live is None)
    assert_same(shelf.open(entry.id).log, read_log(path.read_bytes()))
    append(path, lines({"id": 4, "parent": 0}))  # any change after the end is read
    wait_for(lambda: entry.live is None and shelf.open(entry.id).log.n_rows == 5)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lines({"id": 2, "parent": 0, "score": True}), "line 4, $.score: found true"),
        (lines({"id": 2}), "line 2: one of 2 roots has no"),  # it is read, and cannot be sealed
    ],
    ids=["line", "tree"],
)
def test_a_log_that_failed_says_where_and_is_followed_again_once_it_is_written_anew(
    shelf: Shelf, path: Path, entry: Entry, wrong: bytes, said: str
) -> None:
    append(path, wrong)
    wait_for(lambda: status(entry)["state"] == "failed")
    assert (status(entry)["error"][: len(said)], rows(shelf, entry)) == (said, 2)
    live = there(entry.live)
    error, generation = live.error, live.generation
    append(path, lines({"id": 3, "parent": 0}))  # the engine writes on
    wait_for(lambda: (seen := live._intake.file.seen) is not None and seen.size == path.stat().st_size)
    assert (live.state, live.error, live.generation) == ("failed", error, generation)
    path.write_bytes(lines(HEADER, {"id": 0}))
    wait_for(lambda: rows(shelf, entry) == 1)
    assert status(entry)["state"] == "written"
    assert "error" not in status(entry)


def test_a_file_that_is_not_there_yet_is_awaited_and_not_made(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "typo.jsonl"
    follow_paths(shelf, [path])
    (entry,) = shelf.entries()
    wait_for(lambda: entry.summary()["live"].get("awaited"))
    assert "gone" not in status(entry)
    assert not path.exists()
    path.write_bytes(lines({"id": 0}, {"id": 1, "parent": 0}))
    wait_for(lambda: rows(shelf, entry) == 2)
    assert "awaited" not in entry.summary()["live"]
    moved = path.rename(path.with_name("elsewhere"))
    wait_for(lambda: status(entry).get("gone"))
    assert "awaited" not in entry.summary()["live"]
    moved.rename(path)  # and comes back
    wait_for(lambda: not status(entry).get("gone"))
    append(path, lines({"id": 2, "parent": 0}))
    wait_for(lambda: rows(shelf, entry) == 3)
    with pytest.raises(FileNotFoundError):  # where its folder is not there either, it cannot come
        follow_paths(shelf, [tmp_path / "nowhere" / "run.jsonl"])
    assert shelf.entries() == [entry]


THEIRS = [{"id": 0, "parent": None, "eval": 1}, {"id": 1, "parent": 0, "move": "a1", "eval": 1}]
NOT_FOLLOWED = {
    "log.json": (b'{"plyscope": 1, "root": {}}\n', "does not begin as JSON Lines or a compact log does"),
    "a.jsonl.gz": (gzip.compress(lines({"id": 0})) + b"\n", "a.jsonl.gz is compressed"),
    "a.jsonl.zst": (b"\x28\xb5\x2f\xfd\n", "a.jsonl.zst is compressed"),
    "rows.jsonl": (lines(*THEIRS), "names its plies, scores or parents otherwise than the log format does"),
}


@pytest.mark.parametrize("name", NOT_FOLLOWED)
def test_what_cannot_be_followed_is_called_what_it_is(shelf: Shelf, tmp_path: Path, name: str) -> None:
    content, said = NOT_FOLLOWED[name]
    (tmp_path / name).write_bytes(content)
    entry = shelf.follow(shelf.add_file(tmp_path / name))
    wait_for(lambda: status(entry)["state"] == "failed")
    error = status(entry)["error"]
    assert said in error
    assert "open it without --follow" in error
    with pytest.raises(NotReadyError, match=re.escape(said)):
        shelf.open(entry.id)


def test_nothing_is_sealed_while_nobody_asks(
    shelf: Shelf, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed_log, "SECONDS_ASKED", 0.0)
    entry = shelf.follow(shelf.add_file(path))
    assert entry.live is not None
    wait_for(lambda: entry.live is not None and entry.live._intake.log.n_lines == 3)
    assert entry.live.status(snapshots=False)["snapshot"] == 0


def test_lines_of_a_stream_are_a_paste_in_the_end(shelf: Shelf) -> None:
    """But for a last one that belongs nowhere."""
    reading, writing = os.pipe()
    sent = lines({"id": 0}, {"id": 1, "parent": 0}, {"id": 5, "parent": 4})
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as engine:
        entry = follow_stream(shelf, stream, "standard input")
        first = entry.id
        engine.write(sent)
        wait_for(lambda: status(entry).get("waiting") == 1)
        engine.close()
        wait_for(lambda: entry.live is None)
    assert entry.id != first
    assert shelf.entry(first) is entry
    assert [each.id for each in shelf.entries()] == [entry.id]
    assert entry.path.read_bytes() == sent
    log = shelf.open(entry.id).log
    assert log.n_rows == 2
    assert "Line 3, the last, names the parent 4, which never came: it is left out." in log.notices


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"", "standard input ended without a line"),
        (b"x" * 5_000, "a line has more than 1,000 bytes, expected a line a node"),
        (
            b'{"plyscope": 1, "root": {}}\n',
            "standard input does not begin as JSON Lines or a compact log does",
        ),
    ],
    ids=["nothing", "a line without an end", "a document"],
)
def test_a_stream_that_cannot_be_followed_says_why_and_what_is_no_log_leaves_no_file(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes, error: str
) -> None:
    monkeypatch.setattr(whole_parts, "LONGEST_LINE", 1_000)
    entry = follow_stream(shelf, io.BufferedReader(io.BytesIO(sent)), "standard input")
    wait_for(lambda: status(entry)["state"] == "failed")
    said = status(entry)["error"]
    assert said.startswith(error)
    assert (said != error) is said.endswith("write it to a file, and open that once it is whole")
    assert entry.settled.wait(PATIENCE), "a page that waits for the first node is told"
    assert (entry.summary()["state"], entry.summary()["error"]) == ("failed", said)
    with pytest.raises(NotReadyError):
        shelf.open(entry.id)
    if said == error:
        wait_for(lambda: [each for each in (tmp_path / "data").rglob("*") if each.is_file()] == [])


def connection(listener: EngineListener) -> socket.socket:
    return socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE)


@pytest.fixture
def connected(listener: EngineListener) -> Iterator[socket.socket]:
    with connection(listener) as connected:
        yield connected


def test_a_held_engine_goes_on_where_no_page_looks(
    awaited: Entry, connected: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed_log, "SECONDS_ASKED", 0.1)
    connected.sendall(lines({"id": 0}, {"hold": "nobody there"}))
    assert connected.recv(10) == b"go\n"
    monkeypatch.setattr(followed_log, "SECONDS_ASKED", 3600.0)
    connected.sendall(lines({"hold": "and nobody came"}))
    assert connected.recv(10) == b"go\n", "it is not held anew each time"
    status(awaited)
    connected.sendall(lines({"hold": "somebody came", "node": 0}))
    assert wait_for(lambda: status(awaited).get("hold")) == {"why": "somebody came", "node": 0}
    live = there(awaited.live)
    assert (live.release(), live.release()) == (True, False), "it does not wait any more"


def test_a_second_engine_is_refused_and_another_one_later_has_its_own_log(
    shelf: Shelf, awaited: Entry, connected: socket.socket, listener: EngineListener
) -> None:
    connected.sendall(lines({"id": 0}))
    wait_for(lambda: rows(shelf, awaited) == 1)
    with connection(listener) as second:
        assert b"another engine is connected" in second.recv(1000)
    connected.close()
    wait_for(lambda: awaited.live is None)
    wait_for(lambda: listener._engine is None or not listener._engine.is_alive())
    ended = there(awaited.ended)
    assert "next" not in ended.status()
    with connection(listener) as third:
        third.sendall(lines({"id": 0}, {"id": 1, "parent": 0}))
        other = wait_for(lambda: next((each for each in shelf.entries() if each.live), None))
        assert other is not awaited
        assert wait_for(lambda: ended.status().get("next")) == other.id
        wait_for(lambda: rows(shelf, other) == 2)


@pytest.mark.parametrize(
    "sent", [b"", b'POST / HTTP/1.1\r\nHost: a\r\n\r\n{"id": 0}\n{"hold": ""}\n', b"\x16\x03\x01"]
)
def test_who_sends_no_log_and_goes_neither_holds_nor_feeds_the_port(
    shelf: Shelf, awaited: Entry, listener: EngineListener, sent: bytes
) -> None:
    with connection(listener) as first:
        first.sendall(sent)
        assert not sent or b"expected a log" in first.recv(1000)  # to a browser
    with connection(listener) as other:
        other.sendall(lines({"id": 0}))
        wait_for(lambda: rows(shelf, awaited) == 1)


@pytest.mark.parametrize("sent", [b"", b'{"half a line'])
def test_an_engine_that_says_nothing_gives_way_to_the_next(
    shelf: Shelf,
    awaited: Entry,
    connected: socket.socket,
    listener: EngineListener,
    monkeypatch: pytest.MonkeyPatch,
    sent: bytes,
) -> None:
    monkeypatch.setattr(line_sources, "SECONDS_OF_SILENCE", (0.0, 3600.0))
    connected.sendall(sent)
    wait_for(lambda: listener._engine is not None and time.monotonic() > listener._silent_from)

    def gets_in() -> bool:
        with connection(listener) as second:
            second.sendall(lines({"id": 0}, {"id": 1, "parent": 0}))
            second.settimeout(0.5)
            with suppress(TimeoutError):
                return not second.recv(1000)
            return bool(wait_for(lambda: rows(shelf, awaited) == 2))

    wait_for(gets_in)
    assert connected.recv(10) == b""


def test_an_engine_that_connects_as_the_last_one_ends_is_not_refused(
    shelf: Shelf, listener: EngineListener
) -> None:
    for number in range(30):
        with connection(listener) as connected:
            connected.sendall(lines({"id": number}))
    wait_for(lambda: len(shelf.entries()) == 30 and not any(entry.live for entry in shelf.entries()))


def test_what_came_without_a_file_is_listed_whenever_somebody_looks_and_kept_when_the_viewer_ends(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, put = here(), Catalogue.put

    def put_and_look(self: Catalogue, entry: Entry) -> Entry | None:
        before = put(self, entry)
        self.look()
        return before

    with monkeypatch.context() as patch:
        patch.setattr(Catalogue, "put", put_and_look)
        entry, spool = shelf.follow_lines("mine", "post")
    assert shelf.entry(entry.id) is entry
    spool.append(lines({"id": 0}))
    wait_for(lambda: rows(shelf, entry) == 1)
    shelf.close()
    assert [each.name for each in here().entries()] == ["mine"]
