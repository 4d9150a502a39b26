"""Compact logs: chunks, types and fields, files that were cut, and what is said of wrong bytes."""

from __future__ import annotations

import math
import re
import struct
import tracemalloc
from typing import Any

import numpy as np
import orjson
import pytest

from plyscope.visualizer.formats.binary.chunk_reader import NO_END
from plyscope.visualizer.formats.binary.writer import _Writing
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.compact_logs import (
    CORE,
    NOTHING,
    SMALL,
    START,
    UPDATED_START,
    chunk,
    done,
    header,
    json_lines,
    layout,
    nodes,
    numbers,
    refs,
    texts,
)
from tests.unit.logs import plies, there
from tests.unit.same_logs import assert_same, extras


def log_of(*parts: bytes) -> Log:
    return read_log(START + header() + b"".join(parts) + done())


def one_node(field: list[Any], value: Any, before: bytes = b"") -> Log:
    """The log of a root that states one field."""
    fields = [["parent", "u32"], field]
    return log_of(before, layout(fields), nodes(fields, [NOTHING, value]))


def test_a_machine_of_the_other_byte_order_writes_its_own() -> None:
    order, start = ">", START[:8] + struct.pack(">IHH", 0x01020304, 1, 0)
    fields = [["parent", "i16"], ["ply", "text"], ["score", "f32"], ["factors", "f64", 2]]
    records = [-1, NOTHING, 0.5, [1, 2]], [0, 0, NOTHING, [NOTHING, -3]]
    parts = [
        *(start, chunk("HEAD", b"{}", order), chunk("LAYO", orjson.dumps(fields), order)),
        *(texts("c6", order=order), nodes(fields, *records, order=order), chunk("DONE", b"null", order)),
    ]
    log = read_log(b"".join(parts))
    assert plies(log) == [None, "c6"]
    assert repr(log.columns["score"].tolist()) == "[0.5, nan]"
    assert repr(log.columns["factors"].tolist()) == "[[1.0, 2.0], [nan, -3.0]]"


@pytest.mark.parametrize("kind", ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"])
def test_any_type_of_number_is_a_score_and_its_own_value_means_not_stated(kind: str) -> None:
    assert one_node(["score", kind], 7).columns["score"].tolist() == [7]
    log = one_node(["score", kind], NOTHING)
    assert math.isnan(log.columns["score"][0])
    assert not log.columns["given"].any()
    if kind[0] == "f":  # a NaN that an engine computes is a finding, of whatever bits
        assert one_node(["score", kind], math.nan).columns["given"].any()
    if kind == "f32":
        signalling = nodes([["parent", "u32"], ["score", "u32"]], [NOTHING, 0x7F800001])
        log = log_of(layout([["parent", "u32"], ["score", "f32"]]), signalling)
        assert (math.isnan(log.columns["score"][0]), log.columns["given"][0] & 1) == (True, 1)


@pytest.mark.parametrize(
    ("field", "value", "column", "expected"),
    [
        (["depth", "i8"], -2, "depth", [-2]),
        *((["moves", "u8"], 20, "moves", [20]), (["moves", "f64"], 20, "moves", [20])),
        *((["quiescence", "flag"], 1, "quiescence", [1]), (["in_check", "u8"], 0, "in_check", [0])),
        (["alpha", "f32"], -math.inf, "alpha", [-math.inf]),
        (["key", "key"], 2**64 - 2, "key", [2**64 - 2]),
        (["key", "u64"], 5, "key", [5]),
        (["tt.depth", "u8"], 3, "tt_depth", [3]),
        (["ucb.n_parent", "u32"], 100, "ucb_n_parent", [100]),
        (["factors", "i16", 2], [-3, 4], "factors", [[-3, 4]]),
        (["contributions.mobility", "f32"], 2.5, "contributions", [[2.5]]),
        (["scores", "f32", 3], [1, 2, 3], "scores", [[1, 2, 3]]),
        (["nodes", "u64"], 10**12, "nodes", [10**12]),
    ],
)
def test_fields_of_each_kind_go_to_their_columns(field: Any, value: Any, column: str, expected: Any) -> None:
    assert one_node(field, value).columns[column].tolist() == expected


def test_texts_have_numbers_of_any_size_and_keys_are_of_the_form_that_their_type_says() -> None:
    for kind in ("text8", "text16", "text"):
        assert plies(one_node(["ply", kind], 1, texts("a", "b"))) == ["b"]
        assert plies(one_node(["ply", kind], NOTHING, texts("a", "b"))) == [None]
    for kind, value, form in (("key", 255, "hex"), ("u64", 255, "number"), ("text", 0, "text")):
        assert one_node(["key", kind], value, texts("P-1")).key_form == form


def test_fields_of_ones_own_are_kept_in_any_type() -> None:
    kinds = {
        "cost": ("i16", -3, -3),
        "ratio": ("f64", math.nan, "nan"),
        "note": ("text", 0, "why"),
        "is_odd": ("flag", 1, True),
        "tags": ("texts", [1, 2], ["x", "why"]),
        "samples": ("numbers", [0, 2], [0.5, "inf"]),
        "hash": ("key", 10, "000000000000000a"),
    }
    fields: list[Any] = [["parent", "u32"], *([name, kind] for name, (kind, *_) in kinds.items())]
    fields += [["pair", "u8", 2], ["", "pad", 3], ["unknown", "u8"]]
    record = [NOTHING, *(value for _, value, _ in kinds.values()), [4, NOTHING], [0, 0, 0], NOTHING]
    before = layout(fields), texts("why", "x"), refs(0, 1, 0), numbers(0.5, math.inf)
    own = extras(log_of(*before, nodes(fields, record)), 0)
    assert own == {"pair": [4, None], **{name: read for name, (_, _, read) in kinds.items()}}


def test_several_roots_state_their_iteration_or_that_it_is_unknown() -> None:
    fields = [["parent", "u32"], ["iteration", "u8"]]
    log = log_of(layout(fields), nodes(fields, [NOTHING, 1], [0, NOTHING], [NOTHING, NOTHING]))
    assert [(root.row, root.iteration) for root in log.roots] == [(0, 1), (2, None)]
    with pytest.raises(LogError, match="one of 2 roots has no `iteration`"):
        log_of(layout(CORE), nodes(CORE, [NOTHING, NOTHING, 1], [NOTHING, NOTHING, 1]))


def test_chunks_of_ones_own_are_passed_over_with_a_notice_and_zeros_at_the_end_are_a_cut() -> None:
    log = read_log(START + chunk("myT1", b"...") + SMALL[len(START) :])
    assert (log.n_rows, log.notices) == (3, ("Chunks myT1, a kind of the writer's own, are not read.",))
    for n_zeros in (3, 8, 4096):
        log = read_log(SMALL[: SMALL.index(b"DONE")] + bytes(n_zeros))
        assert (log.n_rows, any("cut short at byte" in notice for notice in log.notices)) == (3, True)
    # Where records are completed later, a cut claims nothing of finished nodes.
    fields = [["parent", "u32"], ["outcome", "word"]]
    start = UPDATED_START + header() + layout(fields) + layout([["id", "u32"], ["outcome", "word"]])
    log = read_log(start + nodes(fields, [NOTHING, 0], [0, words.SEARCHED], [1, words.LEAF]))
    assert log.columns["outcome"].tolist() == [0, words.SEARCHED, words.LEAF]
    assert log.notices == (NO_END,)
    # Parents beyond a cut are open nodes.
    fields = [["id", "u8"], ["parent", "u8"], ["score", "i8"]]
    written = START + header() + layout(fields) + nodes(fields, [3, 2, 1], [4, 2, 2], [6, 5, 1])
    log = read_log(written)
    lines = b'{"plyscope": 1}\n{"id":3,"parent":2,"score":1}\n{"id":4,"parent":2,"score":2}\n'
    assert_same(log, read_log(lines + b'{"id":6,"parent":5,"score":1}\n'))
    assert log.columns["outcome"].tolist() == [words.OPEN, words.OPEN, 0, 0, words.OPEN, 0]
    assert any("ends before the records of 2 parents (ids 2, 5)" in notice for notice in log.notices)
    with pytest.raises(LogError, match=r"byte \d+: the parent 2 never comes"):
        read_log(written + done())


HEADED = START + header()
IDS = [["id", "u8"], ["parent", "u8"]]
NAMES = [["id", "text8"], ["parent", "text8"]]
STUBS = [["parent", "u32"], ["plies", "texts"]]
ROOT = [NOTHING, NOTHING, 1]
UNENDED = SMALL[: SMALL.index(b"DONE")]


def laid(fields: list[Any], *records: Any, kind: str = "NODE") -> bytes:
    """A log whose one layout has these fields."""
    return HEADED + layout(fields) + nodes(fields, *records, kind=kind)


BROKEN = {
    "changed on the way": (
        b"\x89PLY\n\x1a\n" + SMALL[8:],
        'byte 0: found the bytes 89 50 .* open the file with "wb"',
    ),
    "ends in its start": (SMALL[:10], "byte 10: the file ends after 10 bytes"),
    "an order that is none": (SMALL[:8] + bytes(4) + SMALL[12:], "byte 8: found the bytes 00 00 00 00"),
    "another version": (SMALL[:12] + b"\x02" + SMALL[13:], "byte 12: this is a compact log of version 2"),
    "flags": (SMALL[:14] + b"\x82" + SMALL[15:], "byte 14: found the flags 130"),
    "no header": (START + layout(CORE), "byte 16: found the chunk LAYO, expected HEAD before it"),
    "two headers": (HEADED + header(), "found a second header"),
    "a header that is a list": (START + chunk("HEAD", b"[]"), "byte 24: found a list, expected an object"),
    "a header with a tree": (START + header(root={}), "byte 24: found a tree in the header"),
    "a wrong header": (START + header(search={"fail": "no"}), r'byte 24, \$.search.fail: found "no"'),
    "no JSON": (START + chunk("HEAD", b"{"), "byte 24: the JSON that begins here cannot be read"),
    "a kind that is none": (HEADED + b"\x01\x02\x03\x04" + bytes(8), "byte 39: found the bytes 01 02 03 04"),
    "an unknown kind": (HEADED + chunk("WHAT", b""), 'found "WHAT", expected the kind of a chunk: HEAD'),
    "odd bytes at the end": (HEADED + b"\xfe\xff", "found the bytes fe ff"),
    "no layout": (HEADED + nodes(CORE, [0, 0, 0]), "found the layout 0, expected one of the 0"),
    "a layout that is none": (HEADED + chunk("LAYO", b"{}"), "expected a list of fields such as"),
    "a field that is none": (HEADED + layout(["score"]), r"field \[0\] of the layout: found \"score\""),
    "a field without a name": (HEADED + layout([[3, "u8"]]), "found 3, expected its name"),
    "a field of no type": (HEADED + layout([["score", "double"]]), 'found "double", expected one of u8'),
    "a field of a wrong type": (HEADED + layout([["score", "text"]]), "found the type text, expected u8 or"),
    "a count of a plain field": (HEADED + layout([["score", "f64", 2]]), "found a count"),
    "a count of nothing": (HEADED + layout([["factors", "f64", 0]]), "expected a count from 1"),
    "a table without a count": (HEADED + layout([["factors", "f64"]]), r'as in \["factors", "f32", 3\]'),
    "an entry": (HEADED + layout([["tt", "u8"]]), r'such as \["tt.use", "f64"\]'),
    "an object": (HEADED + layout([["contributions", "f64"]]), r"contributions.mobility"),
    "children": (HEADED + layout([["children", "u32"]]), "expected records that name their `parent`"),
    "a word of ones own": (HEADED + layout([["mine", "word"]]), 'expected the type "text"'),
    "texts of a fixed number": (HEADED + layout([["mine", "text", 3]]), "found a list of text"),
    "a field twice": (HEADED + layout([CORE[0], CORE[0]]), 'found the field "parent" twice'),
    "a huge record": (HEADED + layout([["factors", "f64", 65_536]]), "more than 65,536 bytes"),
    "many fields": (HEADED + layout([[str(n), "u8"] for n in range(1001)]), "a layout of 1,001 fields"),
    "records of half a size": (
        HEADED + layout(CORE) + chunk("NODE", bytes(4 + 20)),
        "found 20 bytes of records of 16 bytes each: 4 bytes are left over",
    ),
    "records without a layout": (HEADED + chunk("NODE", b"\0"), "without the number of their layout"),
    "no parent": (laid(CORE[1:], [NOTHING, 1]), "this layout has no `parent`"),
    "a parent that never comes": (laid(CORE, ROOT, [7, NOTHING, 1]) + done(), "the parent 7 never comes"),
    "its own parent": (laid(CORE, ROOT, [1, NOTHING, 1]) + done(), "node 1: this node is its own ancestor"),
    "an id twice": (laid(IDS, [3, NOTHING], [3, 3]) + done(), "the id 3 was seen before"),
    "a text as id twice": (
        HEADED + texts("a", "a") + layout(NAMES) + nodes(NAMES, [0, NOTHING], [1, NOTHING]) + done(),
        r'byte \d+, \$.id of node 1: the id "a" was seen before',
    ),
    "no id": (laid(IDS, [NOTHING, NOTHING]), "a record without an id"),
    "ids on some": (
        laid(IDS, [3, NOTHING]) + layout(CORE) + nodes(CORE, [3, NOTHING, 1], number=1),
        "others of new nodes has an `id`, this layout none|of new nodes",
    ),
    "a text that is none": (
        HEADED + layout(CORE) + texts("a") + nodes(CORE, ROOT, [0, 1, 1]),
        r"byte \d+, \$.ply of node 1: found 1, expected the number of one of the 1 texts",
    ),
    "a text beyond its chunk": (HEADED + chunk("TEXT", b"\x09\0\0\0a"), "this text is longer than its chunk"),
    "a text of odd bytes": (HEADED + chunk("TEXT", b"\x01\0\0\0\xff"), "found the byte ff, expected UTF-8"),
    "a reference to no text": (HEADED + refs(0), "found 0, expected the number of one of the 0 texts"),
    "half a number": (HEADED + chunk("NUMS", bytes(9)), "a chunk NUMS of 9 bytes, expected a multiple of 8"),
    "a list of nothing": (
        laid(STUBS, [NOTHING, [0, 1]]),
        r"byte \d+, \$.plies of node 0: found a list of 1 from 0 on, expected entries among the 0",
    ),
    "lists without end": (
        HEADED + texts("a") + refs(0, 0) + layout(STUBS) + nodes(STUBS, *[[NOTHING, [0, 2]]] * 9),
        "found lists of more entries than the file has",
    ),
    "an update of nobody": (
        laid(IDS[:1], [4], kind="LATE"),
        "found the id 4, expected that of a node before this chunk",
    ),
    "an update with a parent": (laid(IDS, [4, 4], kind="LATE"), "found a `parent` in this layout"),
    "an update without an id": (laid(CORE[1:], [NOTHING, 1], kind="LATE"), "found no `id` in this layout"),
    "JSON of nobody": (UNENDED + json_lines({"id": 3}), "found the id 3"),
    "JSON without an id": (UNENDED + json_lines({"score": 3}), "with the `id` of a node"),
    "JSON of a parent": (UNENDED + json_lines({"id": 1, "parent": 0}), "found `parent`"),
    "JSON of a wrong field": (
        UNENDED + json_lines({"id": 1, "mine": 1}, {"id": 1, "tt": {"depth": "x"}}),
        r'byte \d+, \$.tt.depth: found "x", expected a number',
    ),
    "a wrong result": (UNENDED + done([1]), "found a list, expected an object or null"),
    "a wrong bound": (UNENDED + done({"bound": "up"}), r"\$.result.bound: found \"up\""),
    "more after the end": (SMALL + b"more", "4 bytes follow the chunk DONE"),
    "no node": (HEADED + done(), "the log has no node, expected a chunk NODE"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_wrong_bytes_are_refused_with_the_place(what: str) -> None:
    data, said = BROKEN[what]
    with pytest.raises(LogError, match=said):
        read_log(data)


WRONG = [
    (["outcome", "word"], 200, r"\$.outcome of node 0: found 200, expected a number from 1 to 11"),
    (["outcome", "text"], 0, r'found "cut", expected one of "searched"'),
    (["moves", "i8"], -3, "found -3, expected a whole number from 0 to 2147483647"),
    (["moves", "f32"], 1.5, "found 1.5, expected a whole number"),
    (["count", "u64"], 2**63, "expected a whole number from 0 to 9223372036854775807"),
    (["quiescence", "flag"], 2, "found 2, expected 0 or 1"),
    (["tt.from", "u64"], 2**63, "expected a whole number of 64 bits or a text"),
    (["player", "u8"], 7, "found 7, expected one of the players: a, b"),
    (["iteration", "i32"], -1, "found -1, expected a whole number from 0"),
    (["mine", "text"], 9, "found 9, expected the number of one of the 1 texts"),
    (["mine", "flag"], 9, "found 9, expected 0 or 1"),
    (["factors", "f32", 3], [1, 2, 3], "found a list of 3 numbers, expected 2"),
]


@pytest.mark.parametrize(("field", "value", "said"), WRONG)
def test_wrong_values_are_refused_with_field_and_byte(field: Any, value: Any, said: str) -> None:
    fields = [["parent", "u32"], field]
    start = START + header(players=["a", "b"], factors=["x", "y"]) + texts("cut") + layout(fields)
    with pytest.raises(LogError, match=said) as raised:
        read_log(start + nodes(fields, [NOTHING, value]) + done())
    (byte,) = re.findall(r"^byte (\d+)[,:]", str(raised.value))
    assert len(start) + 12 <= int(byte) <= len(start) + 12 + 4


def test_a_piece_takes_the_memory_of_its_rows_and_not_of_the_log() -> None:
    """Lists of the whole log were copied for every piece: it took minutes a million."""
    stub = {"outcome": "unlogged", "plies": ["a", "b"], "count": 2}
    children = [{"ply": f"p{at}", **stub} for at in range(20_000)]
    log = read_log(orjson.dumps({"plyscope": 1, "root": {"score": 1, "children": children}}))
    writing = _Writing(log)
    list(writing.pieces(np.arange(100)))
    tracemalloc.start()
    try:
        pieces = dict(writing.pieces(np.arange(100, 200)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert set(pieces) == {b"REFS", b"NUMS", b"NODE"}
    assert peak < there(log.stub_plies).texts.nbytes
