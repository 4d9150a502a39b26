"""The loggers of Python write the same log in both forms, whatever is logged and however little may wait."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyscope
from plyscope.examples.loggers.binary_log import OURS
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.fields import FIELDS
from tests.property.documents import (
    anything,
    beyond_json,
    finite,
    odd_fields,
    searched_fields,
    some_of,
    stub_fields,
    texts,
)
from tests.property.examples import examples
from tests.unit.same_logs import assert_same

fields = some_of({**searched_fields, "score": st.one_of(finite, beyond_json)})
LEAVE_A_TRACE = ("key", "player", "factors", "scores", "contributions")
"""Lines tell of these though they are replaced: the widest list, the order of names, the forms of keys."""
updates = fields.map(
    lambda known: {name: value for name, value in known.items() if name not in LEAVE_A_TRACE}
)
odd = some_of(odd_fields)
own = st.dictionaries(
    st.sampled_from(["mine", "tt.depth", "contributions.x", "data.score", "a.b", "", "cost"]),
    anything,
    max_size=2,
)
plies = st.one_of(st.none(), st.integers(0, 5), st.lists(texts, max_size=3))
calls = st.one_of(
    st.tuples(st.just("enter"), st.one_of(st.none(), texts), fields, own),
    st.tuples(st.just("enter"), st.one_of(st.none(), texts), odd, own),
    st.tuples(st.just("score"), st.one_of(st.none(), finite, beyond_json), updates, own),
    st.tuples(st.just("cut"), plies, st.sampled_from(["pruned", "limited", "skipped"])),
    st.tuples(st.just("abandon")),
    st.tuples(st.just("search"), st.one_of(st.none(), st.integers(0, 9))),
)


def written(path: Path, made: list[Any], **options: Any) -> bytes:
    """The bytes that a logger writes by these calls; a score or a cut without a node is left out."""
    log = plyscope.Logger(path, players=["black", "white"], factors=["a", "b"], **options)
    with contextlib.ExitStack() as stack:
        for name, *given in made:
            if name == "enter":
                log.enter(given[0], **{**given[1], **given[2]})
            elif name == "abandon":
                log.abandon()
            elif name == "search":
                stack.enter_context(log.search(given[0]))
            else:
                with contextlib.suppress(ValueError):
                    if name == "score":
                        log.score(given[0], **{**given[1], **given[2]})
                    else:
                        log.cut(given[0], outcome=given[1])
    log.done(ply="a")
    return path.read_bytes()


@given(st.lists(calls, max_size=12), st.sampled_from([0, 1, 100, 2**20]), st.sampled_from([0, 1, 99]))
@settings(deadline=None, max_examples=examples(300))
def test_both_forms_of_a_python_log_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, made: list[Any], buffer: int, max_level: int
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    lines = written(folder / "log.jsonl", made, max_level=max_level)
    compact = written(folder / "log.plyb", made, max_level=max_level, buffer=buffer)
    try:
        expected = read_log(lines)
    except LogError:  # in a compact log a value may have been replaced before it was written
        with contextlib.suppress(LogError):
            read_log(compact)
        return
    assert_same(read_log(compact), expected)


def test_the_logger_knows_every_field_of_the_format() -> None:
    entries = {name for name, field in FIELDS.items() if field.kind in ("entry", "named numbers", "id")}
    assert entries - {"tt.from"} == {"id", "tt", "ucb", "contributions"}
    assert set(OURS) == set(FIELDS) - entries | {"tt.from"}
    assert set(stub_fields) <= set(OURS)
