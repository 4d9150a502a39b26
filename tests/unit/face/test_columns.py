"""Fields of all rows as arrays, and as a table of pandas."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import plyscope
from plyscope.visualizer.store.fields import FIELDS


def test_numbers_are_floats_with_nan_and_words_are_objects_with_none(log: plyscope.Log) -> None:
    columns = log.columns("score", "alpha", "moves", "in_check", "outcome", "ply", "count")
    nan = np.nan
    expected: dict[str, list[Any]] = {
        "score": [4, 3, 4, 4, 14, 0, nan],
        "alpha": [-np.inf, nan, nan, nan, nan, nan, nan],
        "moves": [nan, nan, nan, nan, nan, 9, nan],
        "in_check": [nan, nan, nan, nan, nan, 0, nan],
        "count": [nan, nan, nan, nan, nan, nan, 3],
    }
    for name, values in expected.items():
        assert columns[name].dtype == np.float64
        np.testing.assert_array_equal(columns[name], values)
    assert columns["outcome"].tolist() == [None, None, None, "leaf", "leaf", None, "pruned"]
    assert columns["ply"].tolist() == [None, "c6", "c6", "d6", "e6", "d3", None]
    assert list(columns) == ["score", "alpha", "moves", "in_check", "outcome", "ply", "count"]


def test_rows_are_in_pre_order_and_know_their_place(log: plyscope.Log) -> None:
    columns = log.columns("id", "parent", "end", "level")
    assert columns["id"].tolist() == list(range(7))
    assert columns["parent"].tolist() == [-1, 0, 0, 2, 2, 0, 0]
    assert columns["end"].tolist() == [7, 2, 5, 4, 5, 6, 7]
    assert columns["level"].tolist() == [0, 1, 1, 2, 2, 1, 1]


def test_a_field_of_several_values_is_several_columns(log: plyscope.Log) -> None:
    columns = log.columns("factors")
    assert list(columns) == ["factors.material", "factors.mobility"]
    np.testing.assert_array_equal(columns["factors.mobility"][3:5], [np.nan, 20])
    np.testing.assert_array_equal(log.columns("factors.material")["factors.material"][3:5], [2, 2])
    assert log.columns("contributions", "scores", "tt") == {}


def test_entries_keys_players_scores_and_iterations_are_columns() -> None:
    entry = '{"use": "cut", "ply": "x", "from": 70}'
    log = plyscope.open(
        '{"plyscope": 1, "players": ["w", "b", "r"]}\n'
        '{"id": 70, "iteration": 3, "player": "w", "key": "start", "scores": [1, 2, 3]}\n'
        f'{{"id": 9, "parent": 70, "player": 1, "tt": {entry}, "contributions": {{"x": 2}}}}\n'
    )
    columns = {name: column.tolist() for name, column in log.columns().items()}
    assert columns["player"] == ["w", "b"]
    assert columns["key"] == ["start", None]
    assert columns["tt.from"][1] == 70
    assert (log.node(9).row, log.node(9).parent) == (1, log.node(70))
    assert columns["tt.use"] == [None, "cut"]
    assert columns["contributions.x"][1] == 2
    assert columns["scores.r"][0] == 3
    assert columns["iteration"][0] == 3
    assert np.isnan(columns["iteration"][1])
    hexadecimal = plyscope.open('{"plyscope": 1, "root": {"key": "00000000000000ff", "children": [{}]}}')
    assert hexadecimal.columns("key")["key"].tolist() == [255, 0]


def test_without_names_all_that_a_row_states_is_given(log: plyscope.Log) -> None:
    stated = {"ply", "layer", "score", "bound", "outcome", "purpose", "depth", "moves", "alpha", "beta"}
    stated |= {"in_check", "count", "factors.material", "factors.mobility"}
    assert set(log.columns()) == stated | {"id", "parent", "end", "level"}
    for column in log.columns().values():
        with pytest.raises(ValueError, match="read-only"):
            column[0] = column[1]
    assert log.columns("ply")["ply"][1] is log.columns("ply")["ply"][2]  # which comes often


def test_every_field_of_the_format_is_a_column_or_says_why_not(log: plyscope.Log) -> None:
    for name in FIELDS:
        if name in ("plies", "pre_scores"):
            with pytest.raises(LookupError, match=rf"a list on a few stubs, and no column.*node\.{name}"):
                log.columns(name)
        else:
            assert all(len(column) == len(log) for column in log.columns(name).values())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("scor", r"^scor: no field of the log format; did you mean score\?$"),
        ("mine", "^mine: no field of the log format"),
        ("factors.speed", "^factors.speed: expected factors of material, mobility$"),
        ("scores.red", "^scores.red: expected scores of none$"),
    ],
)
def test_what_is_no_field_is_refused_with_near_names(log: plyscope.Log, name: str, says: str) -> None:
    with pytest.raises(LookupError, match=says):
        log.columns(name)


def test_pandas_is_given_columns_with_words_as_categories_and_ids_as_index(
    log: plyscope.Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        log.to_pandas()
    stub: Any = ModuleType("pandas")
    stub.Index = lambda values, name: (name, values.tolist())
    stub.Categorical = lambda values, categories: (values.tolist(), categories)
    stub.DataFrame = lambda columns, index: (columns, index)
    monkeypatch.setitem(sys.modules, "pandas", stub)
    columns, index = log.to_pandas("id", "score", "bound")
    assert list(columns) == ["score", "bound"]
    assert columns["bound"][0][1:3] == ["lower", "exact"]
    assert set(columns["bound"][1]) == {"exact", "lower", "upper"}
    assert index == ("id", list(range(7)))
