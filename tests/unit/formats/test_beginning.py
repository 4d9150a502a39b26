"""What a log states at its beginning is what is known of it once it is read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from plyscope.visualizer.formats.beginning import LOOKED_AT, stated_at_start
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.shelf.entry import known_of
from plyscope.visualizer.store.tree import Tree

EXAMPLES = Path(__file__).parents[3] / "examples"
LOGS = sorted((*EXAMPLES.glob("*.gz"), *EXAMPLES.glob("*.json"), *(EXAMPLES / "bugs").glob("*.json")))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_the_beginning_says_what_the_whole_log_does(path: Path) -> None:
    stated = stated_at_start(path.read_bytes()[:LOOKED_AT])
    known = known_of(Tree(read_log_file(path))).facts
    assert stated
    assert stated == {name: known[name] for name in ("game", "start") if name in known}


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"[3, 4",
        b'{"game": "go", "children": []}',
        b'{"plyscope": 1, "root": {"children": [',
        b'{"plyscope": 1, "game": "go", "factors": [1, 2, ',
        b"PAR1\0\0",
        gzip.compress(b" " * 2**21),
        json.dumps({"plyscope": 1, "game": 3, "position": [3]}).encode(),
    ],
)
def test_nothing_is_said_of_others(start: bytes) -> None:
    assert stated_at_start(start) == {}
