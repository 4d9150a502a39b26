"""Numbers that kernels read, and values that they copy, are those of the library."""

from __future__ import annotations

import json
import re

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, find_settled
from plyscope.visualizer.formats.large.slices import read_numbers
from tests.property.examples import examples

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
