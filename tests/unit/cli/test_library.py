"""`plyscope library`: converted logs are listed and cleared, and what is open stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyscope.visualizer.formats.foreign.meaning.mapping import RememberedMappings
from plyscope.visualizer.shelf.library import BUDGET
from plyscope.visualizer.shelf.log_cache import LogCache
from tests.unit.cli.conftest import Command
from tests.unit.logs import log_of


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LogCache:
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(BUDGET, "2G")
    return LogCache(tmp_path / "cache", RememberedMappings(tmp_path / "data"))


def kept(cache: LogCache, name: str) -> str:
    return cache.save(log_of({"score": 1, "children": [{"score": 1}]}), name, None, Path("/logs") / name)


def test_an_empty_library_says_where_it_is_and_what_it_may_take(plyscope: Command, cache: LogCache) -> None:
    assert plyscope("library") == (0, f"0 converted logs, 0 bytes of 2.0 GB, in {cache.folder}\n", "")


def test_each_log_has_a_line_and_the_same_as_json(plyscope: Command, cache: LogCache) -> None:
    place = kept(cache, "a.json")
    first, last = plyscope("library")[1].splitlines()
    assert first.startswith(f"{place[:8]}  2 nodes  ")
    assert first.endswith("  used just now  /logs/a.json")
    assert last.startswith("1 converted log, ")
    told = json.loads(plyscope("library", "--json")[1])
    (log,) = told["logs"]
    said = {"id": place, "name": "a.json", "source": "/logs/a.json", "nodes": 2, "current": True}
    assert {name: log[name] for name in said} == said
    assert told["budget"] == 2 * 10**9
    assert told["n_bytes"] == log["n_bytes"] == cache.library.logs()[0].n_bytes


def test_logs_are_cleared_by_name_and_by_the_beginning_of_an_id(plyscope: Command, cache: LogCache) -> None:
    places = {name: kept(cache, name) for name in ("a.json", "b.json", "c.json")}
    code, out, error = plyscope("library", "clear", "a.json", places["b.json"][:12])
    assert (code, error) == (0, "")
    assert out.startswith("removed 2 converted logs, ")
    assert [log.name for log in cache.library.logs()] == ["c.json"]


def test_without_a_name_all_are_cleared_and_what_was_freed_is_said(
    plyscope: Command, cache: LogCache
) -> None:
    kept(cache, "a.json")
    kept(cache, "b.json")
    cache.knows(Path(__file__), "a.json")
    n_bytes = sum(log.n_bytes for log in cache.library.logs())
    told = json.loads(plyscope("library", "clear", "--json")[1])
    assert (told["freed"], len(told["removed"]), told["kept"]) == (n_bytes, 2, [])
    assert cache.library.logs() == []
    assert list((cache.folder / "index").iterdir()) == []


def test_a_log_that_is_open_stays_and_the_exit_code_says_so(plyscope: Command, cache: LogCache) -> None:
    log = cache.load(kept(cache, "a.json"))
    assert log is not None
    code, out, error = plyscope("library", "clear")
    assert (code, out) == (1, "removed 0 converted logs, 0 bytes were freed\n")
    assert error == "plyscope: a.json is open in a viewer and stays\n"
    assert [each.name for each in cache.library.logs()] == ["a.json"]


def test_a_name_of_nothing_is_an_error_and_clears_nothing(plyscope: Command, cache: LogCache) -> None:
    kept(cache, "a.json")
    said = "plyscope: no converted log is called 'z.json'; `plyscope library` lists those there are\n"
    assert plyscope("library", "clear", "a.json", "z.json") == (2, "", said)
    assert len(cache.library.logs()) == 1
