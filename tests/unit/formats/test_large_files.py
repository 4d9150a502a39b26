"""Large files: mapped into memory or not, their unknown fields in a file, what reading costs."""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log, read_mapped
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.jobs.log_converter import mapped_file
from plyscope.visualizer.shelf.jobs.log_reader import SMALL_BYTES
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from tests.unit.logs import there
from tests.unit.same_logs import assert_same
from tests.unit.shelf.conftest import refuse

CHILDREN = [{"ply": f"m{n % 7}", "score": n % 5, "mine": {"at": n, "why": 0.1 + 0.2}} for n in range(1_000)]
OURS: dict[str, Any] = {"plyscope": 1, "root": {"score": 4, "children": CHILDREN}}
KIDS = [{"name": f"m{n % 7}", "data": {"value": n % 5, "why": 1.5 + n}, "kids": []} for n in range(1_000)]
THEIRS: dict[str, Any] = {"name": "start", "data": {"value": 4, "why": 1e-7}, "kids": KIDS}
SPLIT: dict[str, Any] = {
    "name": "start",
    "kids": [{"x": n, "kids": [{"x": -n, "name": "a"}], "y": n, "name": f"m{n}"} for n in range(1_000)],
}
"""A node's fields before its children and behind them."""


def read(document: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Log, Log]:
    """The log that is read with a folder for large texts, and the one that is read as values."""
    monkeypatch.setattr(detect, "LARGE_BYTES", 10)
    path = folder / "log.json"
    path.write_text(json.dumps(document))
    data = mapped_file(path, least=10)
    assert not isinstance(data, bytes)
    log = read_mapped(data, least=10, scratch=folder / "library")
    monkeypatch.setattr(detect, "LARGE_BYTES", 10**9)
    assert log is not None
    return log, read_log(path.read_bytes())


@pytest.mark.parametrize("document", [OURS, THEIRS, SPLIT])
def test_unknown_fields_in_a_file_are_those_in_memory(
    document: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, walked = read(document, tmp_path, monkeypatch)
    assert_same(log, walked)
    assert log.extras is not None
    assert log.extras.file is not None
    assert list((tmp_path / "library").iterdir()) == []
    disk.save(log, tmp_path / "library" / "kept")
    monkeypatch.setattr(os, "link", refuse(OSError("another disk")))  # to which they are copied
    disk.save(log, tmp_path / "kept")
    for place in (tmp_path / "library" / "kept", tmp_path / "kept"):
        assert_same(there(disk.load(place)), walked)


def test_where_no_file_can_be_made_they_stay_in_memory_and_a_full_disk_is_told_to_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "library").write_text("no folder")
    log, walked = read(OURS, tmp_path, monkeypatch)
    assert there(log.extras).file is None
    assert_same(log, walked)
    (tmp_path / "library").unlink()
    monkeypatch.setattr(os, "pwrite", refuse(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        read(OURS, tmp_path, monkeypatch)


def test_only_large_and_plain_files_are_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.json"
    for n_bytes, kind in ((SMALL_BYTES, bytes), (SMALL_BYTES + 1, mmap.mmap)):
        path.write_bytes(b" " * n_bytes)
        data = mapped_file(path, SMALL_BYTES)
        assert isinstance(data, kind)
        assert len(data) == n_bytes
    monkeypatch.setattr(detect, "LARGE_BYTES", 10)
    small = json.dumps(OURS)
    for odd in (b"\xef\xbb\xbf" + small.encode(), small.encode("utf-16"), b"[1, 2, 3, 4, 5, 6]"):
        path.write_bytes(odd)
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_of_it:
            assert read_mapped(bytes_of_it, least=10) is None


def document(children: Iterable[dict[str, Any]], **header: Any) -> str:
    """A native document whose root has these children."""
    return json.dumps({"plyscope": 1, **header, "root": {"children": list(children)}})


LOGS: dict[str, tuple[int, Callable[[int], str]]] = {
    "a wrong value at the end of a chain": (
        10_000,
        lambda n: '{"plyscope":1,"root":' + '{"children":[' * n + '{"score":true}' + "]}" * n + "}",
    ),
    "a player of its own on each node": (5_000, lambda n: document({"player": f"{i}"} for i in range(n))),
    "many players in the header": (5_000, lambda n: document([{}], players=[f"{i}" for i in range(n)])),
}


def seconds_of(text: str) -> float:
    """Processor time of reading; the better of two."""
    data, best = text.encode(), float("inf")
    for _ in range(2):
        began = process_time()
        with suppress(LogError):
            read_log(data)
        best = min(best, process_time() - began)
    return best


@pytest.mark.parametrize("name", LOGS)
def test_four_times_the_log_takes_no_ten_times_the_time(name: str) -> None:
    n, text_of = LOGS[name]
    assert seconds_of(text_of(4 * n)) < 10 * max(seconds_of(text_of(n)), 0.002)


READ = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.errors import LogError
texts = [text.encode() for text in json.load(sys.stdin)]
for large in (1 << 60, 0):
    detect.LARGE_BYTES = large
    for text in texts:
        try:
            print(json.dumps(detect.read_log(text).n_rows))
        except LogError as error:
            print(json.dumps(str(error)))
        except MemoryError:
            print(json.dumps("all the memory"))
"""
NUMBERS = range(30_000)


def refused() -> dict[str, str]:
    """Logs of some megabytes, made where they are asked for: not while tests are collected."""
    lines = (json.dumps({"id": n + 1, "parent": 0, "contributions": {f"n{n}": 1}}) for n in NUMBERS)
    theirs = [{"name": "a", "features": {f"n{n}": 1, f"m{n}": 2}} for n in NUMBERS]
    return {
        "a name of its own on each node": document({"contributions": {f"n{n}": 1}} for n in NUMBERS),
        "long factors before short ones": document([{"factors": [1] * 10**6}] + [{"factors": [1]}] * 10_000),
        "long factors behind short ones": document([{"factors": [1]}] * 10_000 + [{"factors": [1] * 10**5}]),
        "a long list of scores on one node": document([{"scores": [1] * 10**6}] + [{"scores": [1]}] * 10_000),
        "many factors in the header": document(
            [{"factors": [1] * 30_000}] + [{}] * 30_000, factors=[f"{n}" for n in NUMBERS]
        ),
        "lines with a name each": "\n".join(['{"plyscope":1}', '{"id":0}', *lines]),
        "a foreign tree with features and weights": json.dumps(
            {"weights": {"n0": 1}, "name": "r", "children": theirs}
        ),
    }


@pytest.mark.slow
def test_small_logs_that_ask_for_much_memory_are_refused_in_words() -> None:
    """In a process with 2 GB, as small and as large ones are read."""
    asked, wide_but_read = refused(), document([{"factors": [1] * 1000}] * 5 + [{}] * 9000)
    run = subprocess.run(
        [sys.executable, "-c", READ],
        input=json.dumps([*asked.values(), wide_but_read]),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    by_rows, by_columns = answers[: len(asked) + 1], answers[len(asked) + 1 :]
    for of_a_road in (by_rows, by_columns):
        assert of_a_road.pop() == 9006
        for name, answer in zip(asked, of_a_road, strict=True):
            assert "are a table of" in str(answer), (name, answer)
