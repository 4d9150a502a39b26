"""The tape of any document: pieces of any size give what values give, and refuse what orjson refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import orjson
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.form import DOCUMENT, ITEM, OTHER, TOP, WITHIN, Form
from plyscope.visualizer.formats.tape.kinds import ABSENT, ESCAPED, FALSE, LIST, OBJECT, TEXT
from plyscope.visualizer.formats.tape.placing import Placer
from plyscope.visualizer.formats.tape.tape import ONE, Piece, Tape, TapeError
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.formats.tape.walk import Walk
from plyscope.visualizer.formats.tape.writing import Writer
from tests.property.examples import examples

PLAIN_UP_TO = 60
"""Bytes of documents that kernels read as plain Python here."""
NAMES = ["score", "children", "data", "a", "ä", 'q"\\', ""]
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-9, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.1, 0.30000000000000004, 1e22, 1e-22, 5e-324, 1.7976931348623157e308, -0.0]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
names = st.one_of(st.sampled_from(NAMES), st.text(st.characters(exclude_categories=["Cs"]), max_size=4))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
    max_leaves=30,
)
nodes = st.deferred(
    lambda: st.fixed_dictionaries(
        {},
        optional={"score": scalars, "children": st.lists(nodes | scalars, max_size=3), "data": values}
        | {"a": scalars},
    )
)


class Read(NamedTuple):
    """All that a form tells of documents, in plain values."""

    parents: list[int]
    scores: list[Any]
    extras: list[tuple[int, str, Any]]


def a_form() -> Form:
    """Nodes in lists of children, their scores, all else as it is."""
    form = Form()
    node, children = form.role("node", makes_node=True), form.role("children")
    score = form.role("score", is_wanted=True, makes_node=False)
    extra, within = form.role("extra", extra=TOP), form.role("within", extra=WITHIN)
    form.step(DOCUMENT, ITEM, node)
    form.step(node, OTHER, extra)
    pair, second = form.role("pair", is_wanted=True), form.role("second", is_wanted=True)
    form.step(node, "a", pair, [LIST])
    form.then(pair, second)
    form.step(pair, ITEM, score)
    flagged = form.role("what begins with a flag", is_wanted=True, extra=TOP)
    form.peek(children, (FALSE, ABSENT), flagged)
    form.step(flagged, OTHER, within)
    form.step(node, "score", score)
    form.step(node, "children", children, [LIST])
    form.step(children, ITEM, node, [OBJECT])
    for role in (extra, within, score):
        form.step(role, OTHER, within if role != score else 1)
    return form


def pieces(tape: Tape, data: bytes, size: int) -> Iterator[Piece]:
    """The pieces of a document that arrives by so many bytes at a time."""
    array = np.frombuffer(data, np.uint8)
    for there in range(size, len(data), size):
        yield from tape.over(array[:there], is_last=False)
    yield from tape.over(array, is_last=True)


def read_bytes(data: bytes, size: int, rows: int, mode: int = ONE) -> Read:
    run = compiled if len(data) > PLAIN_UP_TO else lambda kernel: kernel
    tape = Tape(mode, rows=rows, run=run)
    form = a_form()
    placer, writer, texts = Placer(tape, form), Writer(tape), Texts(tape.run)
    extra = np.array(form.extra, np.uint8)
    parents: list[int] = []
    scores: dict[int, list[tuple[int, int, float, int]]] = {}

    def take(piece: Piece) -> None:
        batch = placer.place(piece)
        parents.extend(batch.parents.tolist())
        for role, of in batch.values.items():
            scores.setdefault(role, []).extend(told_of(of, texts))
        writer.write(piece, extra[batch.role], batch.node, piece.key)

    for piece in pieces(tape, data, size):
        take(piece)
    if tape.is_cut:
        raise TapeError(0, tape.place)
    extras = []
    writer.finish()
    if taken := writer.taken():
        (of_node, of_key), begins, text = taken
        held = text.tobytes()
        extras = [
            (node, tape.name(key) if key >= 0 else "", json_value(held[begin:end]))
            for node, key, (begin, end) in zip(
                of_node.tolist(), of_key.tolist(), pairwise(begins.tolist()), strict=True
            )
        ]
    return Read(parents, told(scores, texts), extras)


def told_of(values: Values, texts: Texts) -> list[tuple[int, int, float, int]]:
    codes = values.codes(texts)
    kinds = np.where(values.kinds == ESCAPED, TEXT, values.kinds)
    return list(
        zip(values.nodes.tolist(), kinds.tolist(), values.numbers.tolist(), codes.tolist(), strict=True)
    )


def told(scores: dict[int, list[tuple[int, int, float, int]]], texts: Texts) -> list[Any]:
    said = texts.all()
    return [
        (role, node, kind, number, None if code < 0 else said[code])
        for role, values in sorted(scores.items())
        for node, kind, number, code in values
    ]


def read_values(documents: list[Any]) -> Read:
    form, kept = a_form(), []
    walk, texts = Walk(form), Texts()
    batch = walk.batch(documents, kept)
    scores = {role: told_of(of, texts) for role, of in batch.values.items()}
    names = list(walk.names)
    extras = [(node, names[key] if key >= 0 else "", value) for node, _, key, value in kept]
    return Read(batch.parents.tolist(), told(scores, texts), extras)


@settings(max_examples=examples(150))
@given(nodes | values, st.integers(1, 64), st.integers(2, 64), st.sampled_from([None, 1]), st.booleans())
def test_pieces_of_any_size_give_what_values_give(
    document: Any, size: int, rows: int, indent: int | None, is_ascii: bool
) -> None:
    data = json.dumps(document, indent=indent, ensure_ascii=is_ascii).encode()
    assert repr(read_bytes(data, size, rows)) == repr(read_values([json_value(data)]))


@settings(max_examples=examples(150))
@given(
    values,
    st.integers(0, 200),
    st.sampled_from([b"", b"}", b"]", b",", b":", b'"', b"0", b"\\", b"\xff", b"e", b"-"]),
)
def test_what_orjson_refuses_is_refused(document: Any, at: int, put: bytes) -> None:
    data = json.dumps(document, ensure_ascii=False).encode()
    at %= len(data)
    broken = data[:at] + put + data[at + len(put[:1]) :]
    try:
        orjson.loads(broken)
    except orjson.JSONDecodeError as error:
        assume("infinity" not in str(error))  # a number that is too large is read as infinite here
        with pytest.raises(TapeError):
            read_bytes(broken, 7, 5)
    else:
        read_bytes(broken, 7, 5)


@settings(max_examples=examples(60))
@given(nodes, st.integers(0, 10_000))
def test_a_cut_document_gives_the_nodes_that_begin_before_the_cut(document: Any, at: int) -> None:
    data = json.dumps(document).encode()
    cut = data[: at % (len(data) + 1)]
    tape = Tape(rows=8, run=lambda kernel: kernel)
    placer = Placer(tape, a_form())
    parents: list[int] = []
    for piece in pieces(tape, cut, 5):
        parents += placer.place(piece).parents.tolist()
    whole = read_values([json_value(data)])
    assert parents == whole.parents[: len(parents)]
    assert tape.is_cut or not tape.place or parents == whole.parents


DIGITS = st.text("0123456789", min_size=1, max_size=19)
NUMBERS_AS_WRITTEN = st.one_of(
    st.tuples(
        st.sampled_from(["", "-"]),
        DIGITS.map(lambda digits: digits.lstrip("0") or "0"),
        st.one_of(st.just(""), DIGITS.map(".{}".format)),
        st.one_of(st.just(""), st.integers(-330, 300).map("e{}".format)),
    ).map("".join),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)


@given(st.lists(NUMBERS_AS_WRITTEN, min_size=1, max_size=40))
def test_a_number_is_the_float_of_its_digits_to_the_last_bit(texts: list[str]) -> None:
    nodes = ",".join(f'{{"score":{text}}}' for text in texts)
    read = read_bytes(f'{{"children":[{nodes}]}}'.encode(), 4096, 500)
    assert [repr(score[3]) for score in read.scores] == [repr(float(json.loads(text))) for text in texts]
    for word in (b"NaN", b"Infinity", b"-Infinity"):  # which JSON lacks
        assert repr(read_bytes(b'{"score":' + word + b"}", 2, 9).scores[0][3]) == repr(float(word))
