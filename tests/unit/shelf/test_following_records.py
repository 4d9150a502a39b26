"""Compact logs that are followed while they are written: files, standard input, engines on a socket."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats.binary.chunks import HEADER_BYTES
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.follow.line_sources import EngineListener, follow_stream
from plyscope.visualizer.shelf.shelf import Shelf
from tests.compact_logs import NOTHING, UPDATED_START, chunk, done, header, json_lines, layout, nodes, texts
from tests.patience import PATIENCE, wait_for
from tests.unit.same_logs import assert_same
from tests.unit.shelf.test_following import append, rows, status

FIELDS = [["parent", "u32"], ["ply", "text8"], ["score", "i16"], ["outcome", "word"]]
LATER = [["id", "u32"], ["score", "i16"], ["outcome", "word"]]
BEGIN = (
    UPDATED_START
    + header(search={"engine": "mine 1.2"})
    + layout(FIELDS)
    + layout(LATER)
    + texts("a1", "b2")
    + nodes(FIELDS, [NOTHING, NOTHING, NOTHING, NOTHING], [0, 0, 4, 3])
)
"""A root that is open, and its first ply."""
MORE = nodes(FIELDS, [0, 1, -1, 3])
END = nodes(LATER, [0, 4, 1], number=1, kind="LATE") + done({"ply": "a1"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.plyb"
    path.write_bytes(BEGIN)
    return path


def test_a_file_grows_chunk_by_chunk_and_is_an_ordinary_log_after_its_end(shelf: Shelf, path: Path) -> None:
    entry = shelf.follow(shelf.add_file(path))
    wait_for(lambda: rows(shelf, entry) == 2)
    assert shelf.open(entry.id).log.notices == ()
    append(path, MORE)
    wait_for(lambda: rows(shelf, entry) == 3)
    append(path, END)
    wait_for(lambda: entry.live is None)
    assert entry.state == "ready"
    assert "changed" not in entry.summary()
    assert_same(shelf.open(entry.id).log, read_log(path.read_bytes()))


def test_a_file_that_grows_by_a_few_bytes_is_followed_from_its_first_byte(shelf: Shelf, path: Path) -> None:
    path.write_bytes(b"")
    entry = shelf.follow(shelf.add_file(path))
    live = entry.live
    assert live is not None
    whole = BEGIN + MORE + END
    for at in range(0, len(whole), 7):
        append(path, whole[at : at + 7])
        live.grew()
        wait_for(lambda at=at: live._intake.file.offset == min(at + 7, len(whole)))  # type: ignore[misc]
    wait_for(lambda: entry.live is None)
    assert_same(shelf.open(entry.id).log, read_log(whole))


def test_a_chunk_that_states_to_be_large_is_reported_while_it_is_awaited(shelf: Shelf, path: Path) -> None:
    entry = shelf.follow(shelf.add_file(path))
    wait_for(lambda: rows(shelf, entry) == 2)
    assert "chunk_bytes" not in status(entry)
    append(path, b"NODE" + (200_000_000).to_bytes(4, "little") + bytes(100))
    wait_for(lambda: "chunk_bytes" in status(entry))
    assert (status(entry)["chunk_bytes"], status(entry)["chunk_came"]) == (200_000_008, 108)


def test_a_chunk_that_states_to_be_too_large_is_refused(shelf: Shelf, path: Path) -> None:
    entry = shelf.follow(shelf.add_file(path))
    wait_for(lambda: rows(shelf, entry) == 2)
    append(path, b"NODE" + (3_000_000_000).to_bytes(4, "little") + bytes(100))
    wait_for(lambda: status(entry)["state"] == "failed")
    assert status(entry)["error"] == "a chunk has 3,000,000,000 bytes, expected at most 268,435,456"


def test_a_wrong_record_stops_it_and_says_where_and_what_came_before_stays(shelf: Shelf, path: Path) -> None:
    entry = shelf.follow(shelf.add_file(path))
    wait_for(lambda: rows(shelf, entry) == 2)
    append(path, MORE + nodes(FIELDS, [0, 7, -1, 3]) + MORE)
    wait_for(lambda: status(entry)["state"] == "failed")
    byte = len(BEGIN + MORE) + 12 + 4
    assert status(entry)["error"].startswith(f"byte {byte}, $.ply of node 3: found 7, expected the number")
    wait_for(lambda: rows(shelf, entry) == 3)


def test_a_search_that_is_killed_and_begun_again_over_the_same_file_is_shown(
    shelf: Shelf, path: Path
) -> None:
    entry = shelf.follow(shelf.add_file(path))
    append(path, MORE[:9])  # killed in the middle of a chunk
    wait_for(lambda: rows(shelf, entry) == 2)
    generation = status(entry)["generation"]
    path.write_bytes(BEGIN.replace(b"a1", b"z9") + MORE)
    wait_for(lambda: rows(shelf, entry) == 3)
    assert status(entry)["generation"] == generation + 1
    assert shelf.open(entry.id).log.texts[0] == "z9"
    path.write_bytes(json.dumps({"id": 7}).encode() + b"\n")  # and then by an engine that writes lines
    wait_for(lambda: rows(shelf, entry) == 1)


def test_roots_whose_iterations_follow_are_shown_before_these(shelf: Shelf, path: Path) -> None:
    append(path, nodes(FIELDS, [NOTHING, NOTHING, NOTHING, NOTHING]))
    entry = shelf.follow(shelf.add_file(path))
    wait_for(lambda: rows(shelf, entry) == 3)
    append(path, json_lines({"id": 0, "iteration": 1}, {"id": 2, "iteration": 2}) + done())
    wait_for(lambda: entry.live is None)
    assert [root.iteration for root in shelf.open(entry.id).log.roots] == [1, 2]


@pytest.mark.parametrize("end", [END, MORE[:-3], b""], ids=["whole", "cut in a record", "between chunks"])
def test_a_stream_is_a_paste_in_the_end_however_it_ends(shelf: Shelf, end: bytes) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as engine:
        entry = follow_stream(shelf, stream, "standard input")
        engine.write(BEGIN)
        wait_for(lambda: rows(shelf, entry) == 2)
        engine.write(end)
        engine.close()
        wait_for(lambda: entry.live is None)
    wait_for(lambda: rows(shelf, entry) == 2)
    kept, expected = shelf.open(entry.id).log, read_log(BEGIN + end)
    assert_same(kept, expected)
    assert kept.notices == expected.notices
    assert entry.path.read_bytes() == BEGIN + end


def test_an_engine_on_a_socket_is_held_by_a_chunk_that_is_no_part_of_its_log(shelf: Shelf) -> None:
    listener = EngineListener(shelf, socket.create_server(("127.0.0.1", 0)))
    listener.start()
    entry = shelf.first()
    assert entry is not None
    with socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE) as connected:
        asked = held(connected, entry, BEGIN + ask(hold="score fell") + MORE)
        assert asked == {"why": "score fell", "node": 1}
        assert entry.name == "mine 1.2"
        wait_for(lambda: rows(shelf, entry) == 3)
        assert held(connected, entry, ask(hold="", node=0))["node"] == 0
        connected.sendall(END)
    wait_for(lambda: entry.live is None)
    assert entry.path.read_bytes() == BEGIN + MORE + END
    listener.close()


def test_an_engine_names_its_log_though_its_first_bytes_come_before_the_header(shelf: Shelf) -> None:
    listener = EngineListener(shelf, socket.create_server(("127.0.0.1", 0)))
    listener.start()
    entry = shelf.first()
    assert entry is not None
    with socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE) as connected:
        connected.sendall(BEGIN[:HEADER_BYTES])
        wait_for(lambda: entry.path.read_bytes() == BEGIN[:HEADER_BYTES])
        connected.sendall(BEGIN[HEADER_BYTES:])
        wait_for(lambda: rows(shelf, entry) == 2)
        assert entry.name == "mine 1.2"
    listener.close()


def ask(**fields: Any) -> bytes:
    return chunk("hold", json.dumps(fields).encode())


def held(connected: socket.socket, entry: Entry, data: bytes) -> dict[str, Any]:
    """Why and where the engine is held after it sent this; then it goes on."""
    connected.sendall(data)
    asked: dict[str, Any] = wait_for(lambda: status(entry).get("hold"))
    assert entry.live is not None
    assert entry.live.release()
    assert connected.recv(10) == b"go\n"
    return asked
