"""Lines that come are read by the tape where they are plain JSON; a library reads the odd ones among them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following import growing_log
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.formats.following.line_batch import LineBatch, LineReader, LinesSoFar
from plyscope.visualizer.formats.following.node_numbers import NodeNumbers
from plyscope.visualizer.formats.read.few_lines import read_few_lines
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from tests.property.examples import examples
from tests.unit.same_logs import assert_same

VALUES = {
    "ply": st.one_of(st.none(), st.sampled_from(["a1", "b2", "\\S1", 'q"', "é", ""])),
    "score": st.one_of(
        st.none(), st.integers(-(10**17), 10**17), st.floats(), st.sampled_from([-0.0, 1.5, "inf"])
    ),
    "alpha": st.one_of(st.none(), st.floats(-9, 9).map(lambda value: round(value, 2))),
    "depth": st.integers(0, 40),
    "outcome": st.sampled_from(["searched", "cutoff", None]),
    "player": st.sampled_from(["w", "b", 3]),
    "key": st.sampled_from(["00000000000000ff", "ffffffffffffffff"]),
    "iteration": st.integers(1, 5),
    "factors": st.lists(st.integers(-3, 3), min_size=2, max_size=2),
    "note": st.sampled_from(["x", {"a": [1, 2]}]),
}
IDS = st.one_of(
    st.integers(-5, 9),
    st.sampled_from(["a", "é", "", 2**53, -(2**60), 2**62, 1e15]),
)


def in_plain_words(batch: LineBatch, numbers: NodeNumbers) -> dict[str, Any]:
    """All that a batch says, in values that can be compared."""
    n_records = len(batch.ids)
    fields = NodeFields.of(batch.buffers, n_records)
    key_form, texts, players = fields.settle_keys(), fields.listed_texts(), list(fields.players)
    columns: dict[str, Any] = {
        name: column.tolist() for name, column in fields.taken_columns(n_records).items()
    }
    records, starts, objects = fields.sealed_extras(np.arange(n_records))
    columns["ply"] = [None if code < 0 else texts[code] for code in columns.get("ply", [])]
    columns["player"] = [None if code < 0 else players[code] for code in columns.get("player", [])]
    return {
        "columns": str(sorted(columns.items())),  # NaN is NaN in words
        "ids": numbers.listed(batch.ids),
        "parents": dict(zip(batch.children.tolist(), numbers.listed(batch.parents), strict=True)),
        "lines": batch.places.tolist(),
        "iterations": fields.iterations,
        "key_form": key_form,
        "tables": [str(table.first(n_records).tolist()) for table in fields.tables.values()],
        "unknown": [
            (record, json.loads(bytes(objects[begin:end])))
            for record, begin, end in zip(
                records.tolist(), starts[:-1].tolist(), starts[1:].tolist(), strict=True
            )
        ],
    }


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.tuples(IDS, st.one_of(st.none(), IDS), st.fixed_dictionaries({}, optional=VALUES), st.booleans()),
        min_size=1,
        max_size=8,
    )
)
def test_the_tape_reads_what_a_library_does(lines: list[tuple[Any, Any, dict[str, Any], bool]]) -> None:
    data = b""
    for name, parent, fields, is_tight in lines:
        record = {"id": name, **fields, "parent": parent}
        separators = (",", ":") if is_tight else (" , ", " : ")
        data += json.dumps(record, separators=separators, ensure_ascii=is_tight).encode() + b"\n"
    numbers, so_far = NodeNumbers(), LinesSoFar(n_lines=6)
    reader = LineReader(numbers)
    expected = in_plain_words(reader.by_library(data, so_far), numbers)
    for _ in range(2):  # the names of the lines are known the second time
        batch = reader.by_tape(data, so_far, compiled)
        if batch is None:
            assert any(type(name) is int and abs(name) >= 2**53 for name, *_ in lines)
        else:
            assert in_plain_words(batch, numbers) == expected


@given(st.lists(st.lists(st.one_of(st.integers(-3, 12), st.sampled_from(["x", "y", 2**60])), max_size=9)))
@settings(max_examples=examples(100))
def test_nodes_are_numbered_as_a_dictionary_numbers_their_ids(pieces: list[list[Any]]) -> None:
    numbers, expected = NodeNumbers(), dict[Any, int]()
    for names in pieces:
        before = numbers.of(numbers.named(names)).tolist()
        assert before == [expected.get(name, -1) for name in names]
        taken = numbers.take(numbers.named(names)).tolist()
        assert taken == [expected.setdefault(name, len(expected)) for name in names]
        assert numbers.listed(numbers.ids()) == list(expected)
        assert [numbers.number_of(name) for name in names] == taken
    assert numbers.number_of("never") == -1


PLAIN = b'{"id": %d, "parent": 0, "ply": "a1", "score": 2.5}\n'


def plain(first: int, n: int) -> bytes:
    return b"".join(PLAIN % number for number in range(first, first + n))


@pytest.mark.parametrize(
    "odd",
    [
        b"{id: 2000, parent: 0, ply: 'b2'}\n",
        b'{"id": 2000, "parent": 0, "score": 1, "score": 3}\n',
        b'{"id": 2000, "parent": 0, "score": 1e999}\n',
        b'{"id": 1, "score": 1}\n\n \n',
        b'{"result": {"score": 3}}\n',
        b'{"result": null}\n{"id": 1, "outcome": "leaf"}\n',
        b'{"id": 9007199254740993, "parent": 0}\n',
    ],
)
def test_of_many_lines_only_those_around_an_odd_one_are_read_one_by_one(
    odd: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_library: list[bytes] = []
    read = LineReader.by_library

    def counted(reader: LineReader, data: bytes, so_far: LinesSoFar) -> LineBatch:
        by_library.append(data)
        return read(reader, data, so_far)

    monkeypatch.setattr(LineReader, "by_library", counted)
    data = b'{"id": 0}\n' + plain(1, 1000) + odd + plain(3000, 1000)
    log = GrowingLog()
    log.run = compiled
    log.take(data)
    assert log.n_lines == data.count(b"\n")
    # The first line, and those around the odd one, of which the tape reads some kinds itself.
    assert len(by_library) <= 2
    assert max(map(len, by_library)) <= growing_log.FEW_BYTES
    tree, expected = log.snapshot(is_final=True), read_few_lines(data)
    assert tree is not None
    assert tree.log.notices == expected.notices
    assert_same(tree.log, expected)


@pytest.mark.parametrize("compile_it", [False, True])
def test_what_came_before_a_wrong_line_of_the_same_piece_is_kept(compile_it: bool) -> None:
    log = GrowingLog()
    log.run = compiled if compile_it else None
    with pytest.raises(LogError, match=r"line 1003, \$.score: found true"):
        log.take(
            b'{"plyscope": 1}\n{"id": 0}\n' + plain(1, 1000) + b'{"id": 1, "score": true}\n' + plain(3000, 9)
        )
    assert (log.n_lines, log.n_nodes) == (1002, 1001)


@pytest.mark.parametrize("compile_it", [False, True])
def test_an_id_of_more_than_64_bits_is_refused_as_in_a_file(compile_it: bool) -> None:
    data = b'{"id": 0}\n{"id": 1, "parent": 0}\n{"id": 99999999999999999999, "parent": 0, "score": "x"}\n'
    with pytest.raises(LogError) as of_file:
        read_few_lines(data.replace(b', "score": "x"', b""))
    log = GrowingLog()
    log.run = compiled if compile_it else None
    with pytest.raises(LogError) as error:
        log.take(data.replace(b', "score": "x"', b""))
    assert str(error.value) == str(of_file.value)
    assert log.n_nodes == 2


def test_a_key_that_is_written_twice_is_told_once() -> None:
    log = GrowingLog()
    for number in range(3):
        log.take(b'{"id": %d, "parent": 0, "score": 1, "score": 2}\n' % number)
    tree = log.snapshot()
    assert tree is not None
    assert sum("written twice" in notice for notice in tree.log.notices) == 1


def test_a_parent_with_a_name_of_another_kind_that_never_comes_is_an_open_node() -> None:
    log = GrowingLog()
    log.take(b'{"id": 0}\n{"id": 1, "parent": "x"}\n{"id": 2, "parent": -7}\n')
    tree = log.snapshot()
    assert tree is not None
    assert log.n_waiting == 2
    assert sorted(tree.log.columns["id"].tolist())[:4] == [-7, 0, 1, 2]
