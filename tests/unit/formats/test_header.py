"""Tests of the header's `search`: each row of its table is held to the values that its kind takes."""

from __future__ import annotations

import json
import math
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.store.header_fields import SEARCH, Declared
from tests.property.examples import examples

VALUES: tuple[Any, ...] = (
    *("soft", "root", "alternate", "equal", "visits", "depth_first", "black", "", "nobody"),
    *(0, 1, 7, -1, 2.5, 0.0, "inf", "-inf", "nan", True, False),
    *([0, 1], [-1.5, "inf"], [0], [0, 1, 2], [None, 1], [1, "x"], [], {}, {"score": 1}),
)

WORDS = {
    "perspective": {"root", "mover", "parent", "first"},
    "static_perspective": {"root", "mover", "parent", "first"},
    "fail": {"soft", "hard"},
    "order": {"depth_first", "best_first"},
    "choose": {"visits", "mean"},
    "turns": {"alternate"},
    "table": {"equal", "at_least"},
}
"""The words of the log format, as its page lists them."""
NUMBERS = {"chance_depth", "null_width", "draw", "tolerance"}
FLAGS = {"positions_repeat", "static_pure", "table_carried", "verify"}
TEXTS = {"algorithm", "engine", "game_digest", "said_over", "unit"}


def is_number(value: Any) -> bool:
    return value in ("inf", "-inf", "nan") if isinstance(value, str) else type(value) in (int, float)


def is_taken(name: str, value: Any) -> bool:
    """Whether the format takes this value, kind by kind."""
    if name in WORDS:
        return isinstance(value, str) and value in WORDS[name]
    if name in NUMBERS:
        return is_number(value)
    if name in FLAGS:
        return value is True or value is False
    if name in TEXTS:
        return isinstance(value, str)
    if name == "threads":
        return type(value) is int and value > 0
    if name == "range":
        return isinstance(value, list) and len(value) == 2 and all(is_number(each) for each in value)
    if name == "root_player":
        return value == "black" or (type(value) is int and value in (0, 1))
    assert name == "mate"
    return True


@pytest.mark.parametrize("declared", SEARCH, ids=lambda declared: declared.name)
def test_a_header_declares_what_its_kind_takes_and_nothing_else(declared: Declared) -> None:
    for value in VALUES:
        header = {"plyscope": 1, "players": ["black", "white"], "search": {declared.name: value}}
        if is_taken(declared.name, value):
            assert read_header(header).fields["search"][declared.name] == value
            continue
        with pytest.raises(LogError) as refused:
            read_header(header)
        assert refused.value.path == f"$.search.{declared.name}", value
        assert "expected" in str(refused.value), value


@pytest.mark.parametrize("declared", SEARCH, ids=lambda declared: declared.name)
def test_a_declaration_of_null_is_none(declared: Declared) -> None:
    header = read_header({"plyscope": 1, "players": ["black"], "search": {declared.name: None}})
    assert (header.view, header.static_view, header.root_player) == ("root", "root", None)


names = st.lists(st.text(max_size=4), unique=True, max_size=4)
weights = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))
factors = st.lists(
    st.one_of(
        st.text(max_size=4),
        st.fixed_dictionaries(
            {"name": st.text(max_size=4)}, optional={"weight": weights, "meaning": st.text(max_size=4)}
        ),
    ),
    max_size=4,
)


@given(names, factors, st.dictionaries(st.text(max_size=4), st.integers(-(2**63), 2**63 - 1), max_size=3))
@settings(max_examples=examples(60), deadline=None)
def test_a_log_keeps_the_players_the_factors_and_whatever_else_its_header_says(
    players: list[str], factors: list[Any], more: dict[str, int]
) -> None:
    said = {f"my {name}": value for name, value in more.items()}
    document = {"plyscope": 1, "players": players, "factors": factors, "search": said, **said, "root": {}}
    log = read_log(json.dumps(document).encode())
    assert log.players == tuple(players)
    objects = [{"name": factor} if isinstance(factor, str) else factor for factor in factors]
    assert [(factor.name, factor.weight, factor.meaning) for factor in log.factors] == [
        (factor["name"], factor.get("weight"), factor.get("meaning")) for factor in objects
    ]
    assert {name: log.header[name] for name in said} == said
    assert log.header["search"] == said


def test_infinite_numbers_are_declared_as_they_are_written() -> None:
    log = read_log(b'{"plyscope": 1, "search": {"range": ["-inf", "inf"]}, "root": {"alpha": null}}')
    assert log.header["search"]["range"] == ["-inf", "inf"]
    assert log.columns["alpha"].tolist() == [-math.inf]
