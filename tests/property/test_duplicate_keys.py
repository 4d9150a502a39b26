"""Keys that an object writes twice, against a plain second way."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.literal.duplicate_keys import may_have_duplicate_keys
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
def test_a_key_that_an_object_writes_twice_is_seen_whatever_its_texts_hold(value: Any, space: str) -> None:
    assert may_have_duplicate_keys(written(value, space).encode()) == has_twice(value)


own_names = st.lists(st.sampled_from(["mine", "yours", "score", "ply"]), min_size=1, max_size=5)


@given(own_names)
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
