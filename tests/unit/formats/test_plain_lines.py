"""Lines of plain fields that one kernel reads say what they say to the patient reader."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.following.line_batch import LineBatch, read_batch
from plyscope.visualizer.formats.following.plain_lines import MOST_DISTINCT, PlainLines
from tests.property.examples import examples

PLAIN = PlainLines()
VALUES = {
    "ply": st.one_of(st.none(), st.sampled_from(["a1", "b2", "\\S1", 'q"', "é", ""])),
    "score": st.one_of(
        st.none(), st.integers(-(10**17), 10**17), st.floats(), st.sampled_from([-0.0, 1.5, "inf"])
    ),
    "alpha": st.one_of(st.none(), st.floats(-9, 9).map(lambda value: round(value, 2))),
    "depth": st.integers(-3, 40),
    "outcome": st.sampled_from(["searched", "cutoff", None]),
    "player": st.sampled_from(["w", "b", 3]),
    "key": st.sampled_from(["00000000000000ff", "ffffffffffffffff"]),
    "iteration": st.integers(1, 5),
}


def in_plain_words(batch: LineBatch) -> dict[str, Any]:
    """All that a batch says, in values that can be compared."""
    n_records = len(batch.ids)
    keys: dict[int, Any] = {}
    for nodes, _, values in batch.buffers.keys:
        keys |= zip(nodes.tolist(), list(values), strict=True)
    texts, players = batch.buffers.texts, list(batch.buffers.players)
    columns: dict[str, Any] = {
        name: column.tolist() for name, column in batch.buffers.columns(n_records).items()
    }
    columns["ply"] = (
        [None if code < 0 else texts[code] for code in columns["ply"]] if "ply" in columns else []
    )
    columns["player"] = [None if code < 0 else players[code] for code in columns.get("player", [])]
    parents = zip(np.asarray(batch.children).tolist(), np.asarray(batch.parents).tolist(), strict=True)
    return {
        "columns": str(sorted(columns.items())),  # NaN is NaN in words
        "ids": np.asarray(batch.ids).tolist(),
        "parents": dict(parents),
        "lines": batch.places.tolist(),
        "iterations": batch.buffers.iterations,
        "keys": keys,
    }


def read(data: bytes, *, is_plain: bool) -> LineBatch:
    """A batch, by the kernel or line by line."""
    run = compiled if is_plain else None
    return read_batch(data, 7, run=run, plain=PLAIN, twice=set())


@settings(max_examples=examples(60))
@given(
    st.lists(
        st.tuples(
            st.integers(-5, 10**12),
            st.one_of(st.none(), st.integers(0, 10**12)),
            st.fixed_dictionaries({}, optional=VALUES),
            st.booleans(),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_the_kernel_reads_what_the_patient_reader_does(
    lines: list[tuple[int, int | None, dict[str, Any], bool]],
) -> None:
    data = b""
    for number, parent, fields, is_tight in lines:
        record = {"id": number, **fields, "parent": parent}
        separators = (",", ":") if is_tight else (" , ", " : ")
        data += json.dumps(record, separators=separators, ensure_ascii=is_tight).encode() + b"\n"
    assert in_plain_words(read(data, is_plain=True)) == in_plain_words(read(data, is_plain=False))


LINE = b'{"id": 1, "parent": 0, "ply": "a1", "score": 2.5, "depth": 3, "alpha": "-inf", "player": "w"}\n'


def test_plain_lines_are_read_by_the_kernel() -> None:
    taken = PLAIN.read(LINE * 3, 3, compiled)
    assert taken is not None
    assert taken[1].tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 1, "factors": [1, 2]}\n',
        b'{"id": 1, "tt": {"use": "cut"}}\n',
        b'{"id": 1, "mine": 2}\n',
        b'{"id": 1, "score": 2, "score": 3}\n',
        b'{"id": 1, "score": 2,}\n',
        b'{"id": 1, "score": 2} {"id": 3}\n',
        b'{"id": 1.5}\n',
        b'{"id": "a"}\n',
        b'{"id": 1, "parent": nil}\n',
        b'{"id": 1, "parent": nuxl}\n',
        b'{"id": 1, "key": "ff"}\n',
        b'{"score": 1}\n',
        b'{"id": 1, "ply": "a\n',
        b'{"id": 1\n',
        b'{"id"\n',
        b"{}\n",
        b"\n",
    ],
)
def test_lines_that_are_not_plain_are_left_to_others(line: bytes) -> None:
    for data in (line, LINE + line):
        assert PLAIN.read(data, data.count(b"\n"), compiled) is None


def test_too_many_distinct_texts_are_left_to_others() -> None:
    lines = [b'{"id": %d, "ply": "%d"}\n' % (number, number) for number in range(MOST_DISTINCT + 1)]
    assert PLAIN.read(b"".join(lines[:-1]), len(lines) - 1, compiled) is not None
    assert PLAIN.read(b"".join(lines), len(lines), compiled) is None
