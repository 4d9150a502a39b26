"""A log that a kernel reads by columns is the log that the patient readers read, or it is left to them."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.jsonlines import is_json_lines
from plyscope.visualizer.formats.large import scan
from plyscope.visualizer.formats.large.large_logs import read_large
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, find_settled
from plyscope.visualizer.formats.large.slices import read_numbers
from plyscope.visualizer.formats.write_json import write_json
from plyscope.visualizer.formats.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.property.documents import documents
from tests.property.examples import examples
from tests.unit.same_logs import assert_same


@given(documents())
@settings(deadline=None, max_examples=examples(40))
@pytest.mark.parametrize("write", [write_json, write_jsonl])
@pytest.mark.parametrize("compile_it", [False, True])
def test_what_we_write_is_read_by_columns(
    compile_it: bool, write: Callable[[Log, io.BytesIO], None], document: dict[str, Any]
) -> None:
    log = read_log(orjson.dumps(document))
    write(log, out := io.BytesIO())
    scanned = read_large(out.getvalue(), lines=write is write_jsonl, compile_it=compile_it)
    assert scanned is not None
    assert_same(scanned, log)
    assert scanned.notices == read_log(out.getvalue()).notices


@given(documents(), st.randoms(), st.sampled_from([None, 2, "\t"]), st.sampled_from([1, 3, scan.NODES]))
@settings(deadline=None, max_examples=examples(60))
def test_fields_in_any_order_are_read_by_columns(
    document: dict[str, Any], draw: random.Random, indent: Any, nodes_at_once: int
) -> None:
    text = json.dumps(shuffled(document, draw), indent=indent).encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scan, "NODES", nodes_at_once)
        scanned = read_large(text, lines=False, compile_it=False)
    assert scanned is not None
    assert_same(scanned, read_log(text))


@given(documents(), st.randoms())
@settings(deadline=None, max_examples=examples(60))
def test_lines_in_any_order_are_read_by_columns(document: dict[str, Any], draw: random.Random) -> None:
    write_jsonl(read_log(orjson.dumps(document)), out := io.BytesIO())
    header, *lines = out.getvalue().splitlines()
    draw.shuffle(lines)
    text = b"\r\n".join([header, *lines, b"", b""])
    scanned = read_large(text, lines=True, compile_it=False)
    assert scanned is not None
    assert_same(scanned, read_log(text))


@given(documents(), st.sampled_from([write_json, write_jsonl]), st.data())
@settings(deadline=None, max_examples=examples(200))
def test_what_is_irregular_or_wrong_is_left_to_the_patient_readers(
    document: dict[str, Any], write: Callable[[Log, io.BytesIO], None], data: st.DataObject
) -> None:
    write(read_log(orjson.dumps(document)), out := io.BytesIO())
    text = bytearray(out.getvalue())
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(text) - 1))
        n_gone = data.draw(st.integers(0, 2))
        text[at : at + n_gone] = data.draw(
            st.sampled_from([b"", *(b"%c" % each for each in b'{}[]:,"\\\n0n \xff')])
        )
    with suppress(LogError):
        lines = is_json_lines(bytes(text))
        scanned = read_large(bytes(text), lines=lines, compile_it=False)
        if scanned is not None:
            patient = read_log(bytes(text))
            assert_same(scanned, patient)
            assert scanned.notices == patient.notices
            return
    assert scanned is None


PLAIN = re.compile(r"(?=\D*(\d\D*){1,15}$)-?(0|[1-9]\d*)(\.\d+)?")
"""Numbers as most logs write them: no exponent, at most 15 digits."""

digits = st.text("0123456789", min_size=1, max_size=18)
written_numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**17), 10**17).map(str),
    st.tuples(st.sampled_from(["", "-"]), digits, st.sampled_from(["", "."]), digits).map("".join),
    st.sampled_from(["0", "-0", "-0.0", "0.5", "1.", ".5", "01", "-", "1e3", "null", '"inf"']),
)


@given(st.lists(written_numbers, min_size=1, max_size=20))
@settings(deadline=None, max_examples=examples(100))
@pytest.mark.parametrize("compile_it", [False, True])
def test_a_number_that_is_read_here_is_the_library_s_to_the_last_bit(
    compile_it: bool, texts: list[str]
) -> None:
    data = np.frombuffer("".join(texts).encode(), dtype=np.uint8)
    sizes = np.array([len(text) for text in texts])
    values, is_read = np.empty(len(texts)), np.zeros(len(texts), dtype=np.bool_)
    kernel = compiled(read_numbers) if compile_it else read_numbers
    assert kernel(data, np.cumsum(sizes) - sizes, sizes, values, is_read) == is_read.sum()
    for text, value, known in zip(texts, values.tolist(), is_read.tolist(), strict=True):
        if known:
            assert repr(value) == repr(float(orjson.loads(text)))
        else:
            assert not PLAIN.fullmatch(text) or float(text) == 0


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=6),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
written_values = st.one_of(
    written_numbers,
    st.tuples(json_values, st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")])).map(
        lambda drawn: json.dumps(drawn[0], ensure_ascii=drawn[1], separators=drawn[2])
    ),
    st.sampled_from(
        ['{"a":1,"a":2}', '{"a":{"b":[]},"b":{}}', "[1,]", '["a" ]', "tru", "[[1],{}]", "{}", '{"a"}']
    ),
)

SETTLED = re.compile(
    rb'"[ !#-\[\]-~]*"|-?[1-9]\d{0,14}|-?[1-9]\.\d[1-9]|true|false|null|\[\]|\[1\]|\{"a":1\}'
)
"""Some of the values that must be copied as they stand, for the sake of speed."""


@given(st.lists(written_values, min_size=1, max_size=20))
@settings(deadline=None, max_examples=examples(200))
@pytest.mark.parametrize("compile_it", [False, True])
def test_a_settled_value_is_one_that_the_library_writes_as_it_stands(
    compile_it: bool, texts: list[str]
) -> None:
    slices = [text.encode(errors="replace") for text in texts]
    data = np.frombuffer(b"".join(slices), dtype=np.uint8)
    sizes = np.array([len(text) for text in slices])
    settled = np.zeros(len(slices), dtype=np.bool_)
    kernel = compiled(find_settled) if compile_it else find_settled
    kernel(data, np.cumsum(sizes) - sizes, sizes, np.zeros(MOST_LEVELS, dtype=np.int64), settled)
    for text, is_so in zip(slices, settled.tolist(), strict=True):
        if is_so:
            assert json_bytes(orjson.loads(text)) == text
        else:
            assert not SETTLED.fullmatch(text)


def shuffled(node: Any, draw: random.Random) -> Any:
    """The same with the fields of every object in another order."""
    if isinstance(node, list):
        return [shuffled(each, draw) for each in node]
    if not isinstance(node, dict):
        return node
    names = list(node)
    draw.shuffle(names)
    return {name: shuffled(node[name], draw) for name in names}
