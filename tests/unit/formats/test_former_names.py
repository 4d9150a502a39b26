"""Logs, commands and scripts with the former names of options and counters say what the present ones say.

`former-names.json` is a log as our engine wrote it before: it has `internal_deepening`, `reductions` and
`futility`, as options and as counters.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

import plyscope
from plyscope.engine.former import RENAMED, header_by_present_names
from plyscope.engine.games import find
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recorded_search import recorded_search
from plyscope.engine.run import search
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.store.log import Log

OLD: Final = Path(__file__).parent / "former-names.json"
OPTIONS: Final[dict[str, Any]] = {"iid": 1, "lmr": 1, "reverse_futility": 2.0}
COUNTERS: Final = {"iid": (4, 4), "lmr": (4, 2), "reverse_futility": (31, 4)}
ASKED: Final[dict[str, Any]] = {"depth": 4, "limit": 3, "algorithm": "pvs", "killers": True}


@pytest.fixture
def old() -> Log:
    return read_log_file(OLD)


def new() -> Log:
    options = SearchOptions(**ASKED, **OPTIONS)
    return log_from_recording(search(find("tictactoe"), "... ... ... X", options, compiled=False))


def counted(header: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    counters = header["result"]["counters"]
    return {name: (pair["tried"], pair["succeeded"]) for name, pair in counters.items() if name in COUNTERS}


def test_an_old_log_is_read_under_the_present_names(old: Log) -> None:
    options = old.header["search"]["options"]
    assert {name: options[name] for name in OPTIONS} == OPTIONS
    assert counted(old.header) == COUNTERS
    assert not options.keys() & RENAMED.keys()
    assert not old.header["result"]["counters"].keys() & RENAMED.keys()


def test_a_new_search_counts_what_the_old_one_counted(old: Log) -> None:
    fresh = new()
    assert counted(fresh.header) == COUNTERS
    assert dict(old.header) | {"result": None} == dict(fresh.header) | {"result": None}


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".json.gz"])
def test_an_old_log_is_written_with_the_present_names(old: Log, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"a{ending}"
    write_log_file(old, target)
    data = target.read_bytes()
    text = (gzip.decompress(data) if ending.endswith(".gz") else data).decode()
    assert not [name for name in RENAMED if f'"{name}"' in text]
    assert read_log_file(target).header == old.header


def test_the_result_line_of_a_stream_has_counters_under_the_present_names(old: Log) -> None:
    document = json.loads(OLD.read_bytes())
    del document["root"]
    result = document.pop("result")
    lines = (document, {"id": 0, "layer": "max", "player": "X"}, {"result": result})
    log = read_log("\n".join(map(json.dumps, lines)).encode())
    assert dict(log.header) == dict(old.header)


def test_the_search_of_an_old_log_is_asked_for_again(old: Log) -> None:
    asked = recorded_search(old.header).options
    assert {name: getattr(asked, name) for name in OPTIONS} == OPTIONS


def test_what_another_engine_calls_futility_keeps_its_name() -> None:
    document = json.loads(OLD.read_bytes())
    document["search"]["engine"] = "another"
    header = read_log(json.dumps(document).encode()).header
    assert header["search"]["options"]["futility"] == 2.0
    assert header["result"]["counters"]["reductions"] == {"tried": 4, "succeeded": 2}


def test_a_former_name_beside_the_present_one_is_left() -> None:
    header = {"search": {"engine": "plyscope", "options": {"reductions": 3, "lmr": 2, "futility": 1.0}}}
    named = header_by_present_names(header)["search"]["options"]
    assert named == {"reductions": 3, "lmr": 2, "reverse_futility": 1.0}


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"search": None, "result": None},
        {"search": {"engine": "plyscope"}, "result": {"counters": 3}},
        {"search": {"engine": "plyscope", "options": [1]}},
    ],
)
def test_headers_without_such_names_are_taken_as_they_are(header: dict[str, Any]) -> None:
    assert header_by_present_names(header) == header


def test_a_search_takes_the_former_keywords() -> None:
    former: dict[str, Any] = {was: OPTIONS[name] for was, name in RENAMED.items()}
    log = plyscope.search("connect_four", progress=False, **ASKED, **former)
    assert counted(log.header).keys() == COUNTERS.keys()
    assert {name: log.header["search"]["options"][name] for name in OPTIONS} == OPTIONS


def test_both_names_of_an_option_are_refused() -> None:
    both: dict[str, Any] = {"futility": 2.0, "reverse_futility": 3.0}
    with pytest.raises(OptionError, match=r"^futility: this is the former name of reverse_futility=3\.0"):
        plyscope.search("tictactoe", progress=False, **both)
