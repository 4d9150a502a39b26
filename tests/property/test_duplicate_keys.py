"""Keys that an object writes twice, and lists put twice on one node: each against a plain second way."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.duplicate_keys import may_have_duplicate_keys
from plyscope.visualizer.formats.seal.ragged import Ragged
from tests.property.examples import examples

texts = st.one_of(st.sampled_from(["a", "b", 'a"', '":', '"a": 1', "\\", '\\":', " :"]), st.text(max_size=4))
scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), texts)


class Pairs(tuple[tuple[str, Any], ...]):
    """An object as its pairs, which may name a key twice."""


values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.lists(st.tuples(texts, inner), max_size=4).map(Pairs)
    ),
    max_leaves=12,
)


def written(value: Any, space: str) -> str:
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json.dumps(k)}{space}:{space}{written(v, space)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(each, space) for each in value) + "]"
    return json.dumps(value)


def has_twice(value: Any) -> bool:
    """Whether an object that is kept names a key twice: what a key holds that is written again is not."""
    if isinstance(value, Pairs):
        return len(dict(value)) < len(value) or any(has_twice(each) for _, each in value)
    return isinstance(value, list) and any(has_twice(each) for each in value)


@given(values, st.sampled_from(["", " ", "\t", "\n"]))
@settings(max_examples=examples(200), deadline=None)
def test_no_key_that_is_written_twice_is_overlooked(value: Any, space: str) -> None:
    text = written(value, space)
    if has_twice(value):
        assert may_have_duplicate_keys(text.encode(), json.loads(text))


@given(values)
@settings(max_examples=examples(200), deadline=None)
def test_json_as_programs_print_it_is_not_read_twice_for_nothing(value: Any) -> None:
    """Whatever its texts hold: quotes, colons and backslashes are no keys. A text may begin with no colon."""
    text = written(value, "")
    unclear = re.search(r'(^|[\[{,:])":', text) or any(each in text for each in ('\\\\"', " :", "\t:", "\n:"))
    if not has_twice(value) and not unclear:
        assert not may_have_duplicate_keys(text.encode(), json.loads(text))


own_names = st.lists(st.sampled_from(["mine", "yours", "score", "ply"]), min_size=1, max_size=5)


@given(own_names)
@settings(max_examples=examples(60), deadline=None)
def test_a_reader_says_which_key_of_a_node_is_written_twice_and_takes_the_last(names: list[str]) -> None:
    pairs = [(name, str(at) if name == "ply" else at) for at, name in enumerate(names)]
    log = read_log(('{"plyscope": 1, "root": ' + written(Pairs(pairs), "") + "}").encode())
    twice = {name for name in names if names.count(name) > 1}
    said = {notice.split("`")[1] for notice in log.notices if "written twice" in notice}
    assert said == twice
    last = dict(pairs)
    if "score" in last:
        assert log.columns["score"].tolist() == [last["score"]]
    assert log.text(int(log.columns["ply"][0])) == last.get("ply")


@pytest.mark.parametrize("key", ["children", "root"])
def test_a_key_that_hides_a_part_of_the_tree_is_refused_with_its_place(key: str) -> None:
    texts_by_key = {
        "children": '{"plyscope": 1, "root":\n {"children": [{"ply": "a"}], "children": []}}',
        "root": '{"plyscope": 1, "root": {}, "root": {"ply": "a"}}',
    }
    with pytest.raises(LogError, match=f"found `{key}` twice") as refused:
        read_log(texts_by_key[key].encode())
    assert refused.value.line == (2 if key == "children" else 1)


pieces = st.lists(st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 99), max_size=3)), max_size=4)


@given(pieces, st.permutations(range(10)))
@settings(max_examples=examples(100), deadline=None)
def test_of_lists_put_on_a_node_in_pieces_the_last_counts_in_the_order_of_rows(
    pieces: list[dict[int, list[int]]], row_of: list[int]
) -> None:
    ragged = Ragged(np.int32)
    last: dict[int, list[int]] = {}
    for piece in pieces:
        lengths = np.array([len(numbers) for numbers in piece.values()], np.int64)
        flat = np.array([number for numbers in piece.values() for number in numbers], np.int32)
        ragged.put(np.array(list(piece), np.int64), lengths, flat)
        last |= {row_of[node]: numbers for node, numbers in piece.items()}
    rows, starts, flat = ragged.sealed(np.array(row_of))
    assert rows.tolist() == sorted(last)
    assert [flat[a:b].tolist() for a, b in itertools.pairwise(starts)] == [last[row] for row in sorted(last)]
