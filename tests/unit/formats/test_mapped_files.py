"""Files that are mapped into memory are the logs that their bytes are, or are left to those."""

from __future__ import annotations

import json
import mmap
from pathlib import Path

import pytest

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_mapped
from plyscope.visualizer.shelf.jobs.log_converter import mapped_file
from plyscope.visualizer.shelf.jobs.log_reader import SMALL_BYTES
from plyscope.visualizer.store.log import Log

OURS = json.dumps(
    {"plyscope": 1, "root": {"score": 3, "mine": "\u00fc", "children": [{"ply": "a1", "score": 3}]}}
)


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + OURS.encode(), OURS.encode("utf-16"), b"[1, 2, 3, 4, 5, 6]"]
)
def test_what_is_not_plain_is_left_to_its_bytes(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 10)
    assert mapped(tmp_path, data) is None


def test_only_large_files_are_mapped(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(b" " * SMALL_BYTES)
    assert isinstance(mapped_file(path), bytes)
    path.write_bytes(b" " * (SMALL_BYTES + 1))
    data = mapped_file(path)
    assert isinstance(data, mmap.mmap)
    assert len(data) == SMALL_BYTES + 1


def mapped(folder: Path, data: bytes) -> Log | None:
    """The log in a mapped file with these bytes; None where it is not read from the map."""
    path = folder / "log"
    path.write_bytes(data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_of_it:
        return read_mapped(bytes_of_it, least=detect.LARGE_BYTES)
