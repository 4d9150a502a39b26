"""Columns of unknown fields are made once for each converted log, kept in its folder, within the budget."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.analysis.query import extra_fields
from plyscope.visualizer.analysis.query.extra_fields import OwnFields
from plyscope.visualizer.shelf.library import BUDGET
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.store.log import Log
from tests.unit.logs import log_of, there

N_ROWS = 40
NAMES = ("cost", "flag", "note", "rare", "mixed")


@pytest.fixture(autouse=True)
def small_logs_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra_fields, "LARGE_ROWS", N_ROWS // 2)


@pytest.fixture
def place(cache: LogCache) -> str:
    def node(number: int) -> dict[str, Any]:
        own = {"cost": number / 4, "flag": number % 3 == 0, "note": f"ü{number % 7}", "mixed": number or "x"}
        return own | ({"rare": 1} if number == 5 else {}) | ({"note": None} if number == 6 else {})

    children = [node(number) for number in range(1, N_ROWS)]
    return cache.save(log_of(node(0) | {"children": children}), "content", None)


def answers(log: Log) -> dict[str, list[Any]]:
    """The type, the values and the notice of each field, by name."""
    fields = OwnFields(log)
    assert fields.names()[-1] == "rare"
    found: dict[str, list[Any]] = {}
    for name in NAMES:
        known = there(fields.known(name))
        values = known.column(slice(None)).tolist()
        if known.type == "text":
            values = [known.texts[code] if code >= 0 else None for code in values]
        found[name] = [known.type, [str(value) for value in values], known.notice]
    return found


def own_files(cache: LogCache, place: str) -> list[str]:
    return sorted(each.name for each in (cache.folder / place).glob("own.*"))


def never(*arguments: object) -> None:
    raise AssertionError("made again")


def test_a_column_is_made_once(cache: LogCache, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = there(cache.load(place))
    bytes_before = cache.library.logs()[0].n_bytes
    made = answers(before)
    assert made == answers(replace(before, kept=None))
    assert len(own_files(cache, place)) == 1 + 4 + 2  # kinds, four columns that most rows have, texts of one
    assert cache.library.logs()[0].n_bytes == bytes_before + sum(
        (cache.folder / place / name).stat().st_size for name in own_files(cache, place)
    )
    monkeypatch.setattr(OwnFields, "_found_kinds", never)
    log = there(cache.load(place))
    rare = there(OwnFields(log).known("rare"))  # too few rows have it: it is read from the objects each time
    monkeypatch.setattr(OwnFields, "_made", lambda self, name, *rest: (rare.column(slice(None)), ()))
    assert answers(log) == made


def test_nothing_is_kept_beyond_the_budget(
    cache: LogCache, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = answers(replace(there(cache.load(place)), kept=None))
    for budget in (str(cache.library.logs()[0].n_bytes), "much"):
        monkeypatch.setenv(BUDGET, budget)
        assert answers(there(cache.load(place))) == made
        assert own_files(cache, place) == []
    # Within it, a kept column makes another log go.
    monkeypatch.delenv(BUDGET)
    cache.save(log_of({"score": 2}), "other", None)
    monkeypatch.setenv(BUDGET, str(sum(each.n_bytes for each in cache.library.logs()) + 500))
    answers(there(cache.load(place)))
    assert own_files(cache, place) != []
    assert [each.id for each in cache.library.logs()] == [place]


@pytest.mark.parametrize("damage", ["short", "empty", "texts", "kinds"])
def test_what_is_damaged_is_made_again(cache: LogCache, place: str, damage: str) -> None:
    made = answers(there(cache.load(place)))
    for path in (cache.folder / place).glob("own.*"):
        if damage == "kinds" and path.suffix == ".json":
            path.write_text(json.dumps([1]))
        elif damage == "texts" and path.suffix == ".bin":
            path.write_bytes(b"x")
        elif damage == "empty" and path.suffix == ".npy":
            path.write_bytes(b"")
        elif damage == "short" and path.suffix == ".npy" and "texts" not in path.name:
            np.save(path, np.load(path)[:3])
    assert answers(there(cache.load(place))) == made
