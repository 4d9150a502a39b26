"""A search of ours that is watched while it runs; compact logs that are followed while they are written."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import pytest

from plyscope.engine import watch
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.jit import compiled
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import SearchOptions, search
from plyscope.visualizer.analysis.overview.measure import FEW_ROWS
from plyscope.visualizer.analysis.overview.picture import draw_above, draw_part, overview
from plyscope.visualizer.formats.binary.chunks import HEADER_BYTES
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.follow import growing, warm_up
from plyscope.visualizer.shelf.follow.growing import SECONDS, NodeRate, RunSoFar
from plyscope.visualizer.shelf.follow.line_sources import EngineListener, follow_stream
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.store.seal import seal
from plyscope.visualizer.store.words import OPEN
from tests.compact_logs import NOTHING, UPDATED_START, chunk, done, header, json_lines, layout, nodes, texts
from tests.patience import PATIENCE, wait_for
from tests.unit.logs import there
from tests.unit.same_logs import assert_same
from tests.unit.shelf.conftest import rows, status
from tests.unit.shelf.test_following import append

OPTIONS = [
    SearchOptions(depth=4),
    SearchOptions(depth=4, iterative=True, table=1),
    SearchOptions(depth=4, algorithm="pvs", iterative=True, limit=4),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_every_copy_of_a_running_search_is_a_part_of_its_log(
    options: SearchOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SLICE_SECONDS", 0.0)  # slices are as short as can be
    monkeypatch.setattr(watch, "FIRST_SLICE", 1)
    copies: list[Recording] = []
    whole = log_from_recording(
        search(GAME, options=options, compiled=False, on_rows=lambda _, copy: copies.append(copy()))
    )
    assert len(copies) > 1
    for copy in copies:
        log = log_from_recording(copy)
        assert "result" not in log.header
        sealed = seal(log.columns["parent"])
        assert sealed.order.tolist() == list(range(log.n_rows))
        assert sealed.end.tolist() == log.columns["end"].tolist()
        is_open = log.columns["outcome"] == OPEN
        assert is_open.any()
        left = ~is_open
        for name in ("score", "outcome", "bound", "ply", "end", "static"):
            ours, all_rows = log.columns[name], whole.columns[name][: log.n_rows]
            if name == "ply":
                words = [log.text(int(ply)) for ply in ours]
                assert words == [whole.text(int(ply)) for ply in all_rows]
            else:
                np.testing.assert_array_equal(ours[left], all_rows[left], err_msg=name)


def test_a_watched_search_is_an_ordinary_log_in_the_end(shelf: Shelf, tmp_path: Path) -> None:
    run, path = RunSoFar(), tmp_path / "tictactoe.json"
    run.offer(10, lambda: pytest.fail("it is copied only where somebody waits for it"))
    assert run.n_searched == 10
    followed = shelf.follow_run(path, path.name, run)
    entry = there(shelf.first())
    assert entry.summary()["live"] == {"state": "written", "from": "search"}
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(followed.first_tree, PATIENCE)

        def offer(n_nodes: int, copy: Callable[[], Recording]) -> None:
            run.offer(n_nodes, copy)
            followed.counted()
            if not first.done():
                wait([first], 0.01)

        recording = search(GAME, options=SearchOptions(depth=6), compiled=False, on_rows=offer)
        assert 0 < there(first.result(PATIENCE)).log.n_rows < len(recording.rows)
    write_log_file(log_from_recording(recording), path)
    run.end()
    followed.finish()
    assert entry.live is None
    assert shelf.open(entry.id).log.n_rows == len(recording.rows)
    assert run.snapshot() is None


def test_the_rate_is_that_of_the_last_seconds_and_none_once_nothing_came_in_these(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(growing.time, "monotonic", lambda: now)
    rate = NodeRate()
    for second in range(1, 11):
        now = 100.0 + second
        rate.note(50 * second)
    assert rate.a_second(500) == 50
    now += SECONDS
    assert 0 < rate.a_second(500) < 50
    now += 0.1
    assert rate.a_second(500) == 0
    now += 20  # compiling, or another search
    rate.note(800)
    now += 1
    assert rate.a_second(800) == 150


def test_kernels_that_are_not_on_disk_are_compiled_by_another_process_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    warm_up.follow_lines()
    monkeypatch.setattr(warm_up, "compile_elsewhere", done.append)
    monkeypatch.setattr(warm_up._is_ready, "set", lambda: done.append("ready"))
    assert warm_up._are_compiled()
    warm_up._make_ready()
    monkeypatch.setattr(warm_up, "follow_lines", lambda: done.append("loaded"))
    monkeypatch.setattr(warm_up, "_are_compiled", lambda: False)
    warm_up._make_ready()
    assert done == ["ready", "follow", "loaded", "ready"]


def test_the_overview_of_a_log_that_has_become_large_needs_no_other_machine_code() -> None:
    warm_up.follow_lines()
    kernels = [compiled(draw_above), compiled(draw_part)]
    before = [len(kernel.signatures) for kernel in kernels]
    log = GrowingLog()
    log.run = compiled
    nodes = [{"id": n, "parent": (n - 1) // 3, "ply": f"p{n % 9}"} for n in range(1, FEW_ROWS + 2)]
    log.take(b"".join(json.dumps(node).encode() + b"\n" for node in [{"plyscope": 1}, {"id": 0}, *nodes]))
    sealed = there(log.snapshot())
    assert sealed.log.n_rows > FEW_ROWS
    overview(sealed, width=80, n_bands=4)
    assert [len(kernel.signatures) for kernel in kernels] == before
    assert min(before) > 0


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


def test_a_chunk_that_states_to_be_large_is_reported_while_it_is_awaited_or_refused(
    path: Path, entry: Entry
) -> None:
    assert "chunk_bytes" not in status(entry)
    append(path, b"NODE" + (200_000_000).to_bytes(4, "little") + bytes(100))
    wait_for(lambda: "chunk_bytes" in status(entry))
    assert (status(entry)["chunk_bytes"], status(entry)["chunk_came"]) == (200_000_008, 108)
    path.write_bytes(BEGIN + b"NODE" + (3_000_000_000).to_bytes(4, "little") + bytes(100))
    wait_for(lambda: status(entry)["state"] == "failed")
    assert status(entry)["error"] == "a chunk has 3,000,000,000 bytes, expected at most 268,435,456"


def test_a_search_that_is_killed_and_begun_again_over_the_same_file_is_shown(
    shelf: Shelf, path: Path
) -> None:
    entry = shelf.follow(shelf.add_file(path))
    append(path, MORE[:9])  # killed in the middle of a chunk
    wait_for(lambda: rows(shelf, entry) == 2)
    assert shelf.open(entry.id).log.notices == ()
    generation = status(entry)["generation"]
    path.write_bytes(BEGIN.replace(b"a1", b"z9") + MORE)
    wait_for(lambda: rows(shelf, entry) == 3)
    assert status(entry)["generation"] == generation + 1
    assert shelf.open(entry.id).log.texts[0] == "z9"
    roots = nodes(FIELDS, [NOTHING, NOTHING, NOTHING, NOTHING])  # whose iterations follow
    append(path, roots)
    wait_for(lambda: rows(shelf, entry) == 4)
    append(path, json_lines({"id": 0, "iteration": 1}, {"id": 3, "iteration": 2}) + done())
    wait_for(lambda: entry.live is None)
    assert (entry.state, "changed" in entry.summary()) == ("ready", False)
    assert_same(shelf.open(entry.id).log, read_log(path.read_bytes()))
    assert [root.iteration for root in shelf.open(entry.id).log.roots] == [1, 2]
    path.write_bytes(json.dumps({"id": 7}).encode() + b"\n")  # and then by an engine that writes lines
    wait_for(lambda: rows(shelf, entry) == 1)


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


def test_an_engine_on_a_socket_is_held_by_a_chunk_that_is_no_part_of_its_log(
    shelf: Shelf, awaited: Entry, listener: EngineListener
) -> None:
    """And names its log, though its first bytes come before the header."""
    with socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE) as connected:
        connected.sendall(BEGIN[:HEADER_BYTES])
        wait_for(lambda: awaited.path.read_bytes() == BEGIN[:HEADER_BYTES])
        connected.sendall(BEGIN[HEADER_BYTES:] + chunk("hold", b'{"hold": "score fell"}') + MORE)
        assert wait_for(lambda: status(awaited).get("hold")) == {"why": "score fell", "node": 1}
        assert there(awaited.live).release()
        assert connected.recv(10) == b"go\n"
        assert awaited.name == "mine 1.2"
        wait_for(lambda: rows(shelf, awaited) == 3)
        connected.sendall(END)
    wait_for(lambda: awaited.live is None)
    assert awaited.path.read_bytes() == BEGIN + MORE + END
