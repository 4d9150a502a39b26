"""A large document that ends too early is read by kernels as the patient reader reads it, or left to that."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.detect import read_large_cut, read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.jsonlines import is_json_lines
from tests.property.examples import examples
from tests.property.test_large_trees import alike, assert_read_alike, graphs, tables


def ours(draw: random.Random, levels: int) -> dict[str, Any]:
    """A node of our format; some state what came of them."""
    fields: dict[str, Any] = {"ply": draw.choice("abc"), "score": draw.choice([1, 2.5, "inf", None])}
    if draw.random() < 0.1:
        fields["outcome"] = draw.choice(["cutoff", "stopped"])
    if draw.random() < 0.3:
        fields |= {"note": draw.choice(["é\n", "[{", 2**70]), "tt": {"depth": levels}}
    below = [ours(draw, levels - 1) for _ in range(draw.randrange(1, 4))] if levels else []
    return fields | {"children": below}


@settings(max_examples=examples(100), deadline=None)
@given(alike() | tables() | graphs() | st.integers(0, 99), st.sampled_from([None, 1]), st.data())
def test_a_document_that_was_cut_is_read_as_node_by_node(
    document: Any, indent: int | None, data: Any
) -> None:
    if isinstance(document, int):
        document = {"plyscope": 1, "root": ours(random.Random(document), 4)}
    text = json.dumps(document, ensure_ascii=False, indent=indent).encode()
    for _ in range(4):
        check(text[: data.draw(st.integers(1, len(text)))])


@pytest.mark.parametrize("is_ours", [True, False])
def test_most_documents_that_were_cut_are_read_by_kernels(is_ours: bool) -> None:
    draw = random.Random(4)
    root = ours(draw, 6)
    text = json.dumps({"plyscope": 1, "root": root} if is_ours else {"search": root, "by": "me"})
    text = text.replace('"outcome"', '"came to"').replace(str(2**70), "7")
    read = [check(text[: draw.randrange(len(text) // 3, len(text))].encode()) for _ in range(20)]
    assert sum(read) >= 17


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_cut_in_a_letter_is_said_alike(cut: int) -> None:
    text = (
        '[{"id":1,"parent":0},\n{"id":0,"parent":null},{"id":2,"parent":0,"note":"\u00fc\u00fc\u00fc\u00fc"}]'
    )
    assert check(text.encode()[:-cut])


def test_what_is_open_in_a_field_or_above_the_root_is_no_open_node() -> None:
    """In `c3`, which lies beside the replies and not among them, something has replies of its own."""
    leaf = '{"score":1,"replies":{}}'
    open_field = (
        '{"score":1,"replies":{"a":{"score":2,"replies":{"b":%s}},"c3":{"score":6,"replies":{"d":%s,"e":{"sc'
    )
    check((open_field % (leaf, leaf)).encode())
    check((open_field.replace('}},"c3"', '},"c3"') % (leaf, leaf)).encode())
    tree = '{"score":1,"replies":{"a":%s,"b":{"score":3,"replies":{"c":%s,"d":{"sc'
    check(b'{"replies":{"x":"no node","tree":' + (tree % (leaf, leaf)).encode())


def test_a_cut_document_with_a_name_that_is_no_text_is_left_to_the_patient_reader() -> None:
    assert read_large_cut(b'{"\xea":[{"score":1},{"sc', None, lambda part: None, compile_it=False) is None


def test_maps_in_maps_that_were_cut_are_left_to_the_patient_reader() -> None:
    text = b'{"game": "go", "tree": {"game": "go", "tree": {"data": {}, "moves": [{"data": {}}, {"data": {}},'
    assert read_large_cut(text, None, lambda part: None, compile_it=False) is None


def test_maps_of_nodes_that_were_cut_are_read_by_kernels() -> None:
    """Nothing but objects is open at the cut."""

    def node(levels: int) -> dict[str, Any]:
        below = {f"{'abc'[at]}{levels}": node(levels - 1) for at in range(3)} if levels else {}
        return {"score": levels, "replies": below, "more": {"depth": levels, "z": [{}]}}

    text = json.dumps({"search": node(4), "by": "me"}).encode()
    draw = random.Random(6)
    read = [check(text[: draw.randrange(len(text) // 4, len(text))]) for _ in range(30)]
    assert sum(read) >= 27


def check(text: bytes) -> bool:
    """Compare both readers; whether kernels read the text."""
    log = read_large_cut(text, None, lambda part: None, compile_it=False)
    if log is None or is_json_lines(text):
        return False
    with suppress(LogError):
        assert_read_alike(log, read_log(text))
        return True
    raise AssertionError(text)
