"""A large log that is read while it arrives is the log that it is once all of it is there."""

from __future__ import annotations

import io
import json
import mmap
import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.formats.read import lines as lines_reader
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.formats.tape import reading
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.property.documents import documents
from tests.property.examples import examples
from tests.unit.logs import there
from tests.unit.same_logs import assert_same

Write = Callable[[Log, io.BytesIO], None]
READ: Final[dict[Any, Callable[..., Log | None]]] = {
    write_json: read_own,
    write_jsonl: partial(read_lines, run=compiled),
}
"""The reader of what each function writes."""


class Arriving:
    """Bytes of which no more are there than were waited for, and some by chance; the rest reads as zeros."""

    def __init__(self, data: bytes, chance: random.Random) -> None:
        self._data, self._chance = data, chance
        self.mapped = mmap.mmap(-1, len(data))
        self.n_arrived = 0
        self.n_waits = 0

    def wait_for(self, n_bytes: int) -> int:
        """Have so many bytes arrive, and some more."""
        wanted = min(n_bytes, len(self._data))
        if self.n_arrived < wanted:
            more = min(len(self._data), wanted + self._chance.randrange(60))
            self.mapped[self.n_arrived : more] = self._data[self.n_arrived : more]
            self.n_arrived = more
            self.n_waits += 1
        return self.n_arrived


@pytest.fixture(autouse=True)
def in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few bytes are waited for at once."""
    monkeypatch.setattr(reading, "AT_ONCE", 100)
    monkeypatch.setattr(lines_reader, "AT_ONCE", 100)


@given(documents(), st.sampled_from([write_json, write_jsonl]), st.randoms())
@settings(deadline=None, max_examples=examples(150))
def test_what_is_read_while_it_arrives_is_what_was_sent(
    document: dict[str, Any], write: Write, chance: random.Random
) -> None:
    write(read_log(orjson.dumps(document)), out := io.BytesIO())
    text = out.getvalue()
    coming = Arriving(text, chance)
    read = READ[write]
    assert_same(there(read(coming.mapped, arrived=coming.wait_for)), read_log(text))


@pytest.mark.parametrize("write", [write_json, write_jsonl])
def test_a_log_is_read_before_its_end_is_there(write: Write) -> None:
    children = [{"ply": f"p{i}", "score": i / 4, "children": [{"ply": "x", "score": i}]} for i in range(300)]
    write(read_log(orjson.dumps({"plyscope": 1, "root": {"children": children}})), out := io.BytesIO())
    coming = Arriving(out.getvalue(), random.Random(1))
    told: list[tuple[float, int]] = []
    scanned = READ[write](
        coming.mapped,
        arrived=coming.wait_for,
        on_progress=lambda part: told.append((part, coming.n_arrived)),
    )
    assert scanned is not None
    assert_same(scanned, read_log(out.getvalue()))
    assert coming.n_waits > 20
    assert told[0][1] < len(out.getvalue()) / 2
    assert told == sorted(told)
    # A foreign tree is scanned so too.
    text = json.dumps({"kids": children, "score": 1}).replace("children", "kids").encode()
    coming = Arriving(text, random.Random(1))
    document = TapeDocument(coming.mapped, arrived=coming.wait_for, head=300)
    assert_same(there(read_bytes(document)), read_log(text))
    assert coming.n_waits > 20


def test_a_value_that_is_cut_by_what_has_arrived_is_not_taken_for_whole() -> None:
    for size in range(120, 200):
        root = {"ply": "x" * size, "score": 12345678, "depth": 5}
        text = json.dumps({"plyscope": 1, "root": root}).encode()
        coming = Arriving(text, random.Random(size))
        assert_same(there(read_own(coming.mapped, arrived=coming.wait_for)), read_log(text))


@pytest.mark.parametrize("edge", [{}, {"w": 2}])
def test_maps_that_may_name_one_another_are_parsed_once_all_is_there(edge: dict[str, int]) -> None:
    graph = {f"n{at}": {f"n{at + 1}": edge} if at < 99 else {} for at in range(100)}
    coming = Arriving(text := json.dumps(graph).encode(), random.Random(1))
    document = TapeDocument(coming.mapped, arrived=coming.wait_for, head=300)
    assert_same(there(read_bytes(document)), read_log(text))
