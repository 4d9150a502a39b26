"""The page about the log format, its schema, and the reader say the same; so does the beginning of a log."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from plyscope.engine.games import GAMES, find
from plyscope.visualizer.formats.beginning import LOOKED_AT, header_at_start, what_is_searched
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.shelf.entry import known_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.header_fields import SEARCH as DECLARED
from plyscope.visualizer.store.header_fields import Declared
from plyscope.visualizer.store.log import Factor
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import documents
from tests.property.examples import examples

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "log-format.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "log-format.schema.json").read_text(encoding="utf-8"))
NODE = SCHEMA["$defs"]["node"]["properties"]
SEARCH = SCHEMA["$defs"]["search"]["properties"]
FACTOR = SCHEMA["$defs"]["factor"]["anyOf"][1]["properties"]


def validate(document: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", blocks("json"), ids=range(len(blocks("json"))))
def test_examples_of_documents_are_valid_and_load_without_a_word(text: str) -> None:
    validate(json.loads(text))
    log = read_log(text.encode())
    assert log.extras is None
    assert all("root player sees them" in notice for notice in log.notices)
    if "mover" in text:  # what the sentence beside it says
        assert log.columns["score"].tolist() == [4, 4, 1]
        assert log.columns["bound"].tolist() == [0, words.EXACT, words.UPPER]
        assert log.columns["alpha"][2] == 4
    (lines,) = blocks("jsonl")
    log = read_log(lines.encode())
    assert (log.columns["score"].tolist(), log.notices) == ([4, 4, 4], ())


def test_errors_on_the_page_are_those_that_are_raised() -> None:
    (text,) = blocks("text")
    for document, sentence in zip(
        (
            '{"plyscope":1,"root":{"children":[{},{},{},{"score":true}]}}',
            '{"plyscope":1,"root":{"children":[{"outcome":"cut"}]}}',
            "\n" * 4709 + '{"id":0}\n{"id":1,"parent":0,"depth":"4"}',
            '{"id":0}\n' + "\n" * 15 + '{"id":1,"parent":9}\n{"id":2}',
            '{"plyscope":1,\n"root":{"score":1 "ply":2}}',
            '{"plyscope":1,"roots":[{"iteration":1},{}]}',
        ),
        text.splitlines(),
        strict=True,
    ):
        with pytest.raises(LogError) as caught:
            read_log(document.encode())
        assert str(caught.value) == sentence


def rows_of_games() -> list[list[str]]:
    """The quoted words of each cell, a row a game."""
    table = PAGE.split("## Games that Plyscope knows")[1].split("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    return [[re.findall("`([^`]+)`", cell) for cell in line.split(" | ")] for line in lines[1:]]


@pytest.mark.parametrize("row", rows_of_games(), ids=lambda row: row[0][0])
def test_positions_and_plies_of_the_page_are_read_by_their_game(row: list[list[str]]) -> None:
    (name,), players, (position,), _, plies, _ = row
    game = find(name)
    assert players == list(game.players)
    state = game.read_position(position)
    assert game.read_position(game.write_position(state)).tolist() == state.tolist()
    assert plies
    assert [game.write_ply(state, game.read_ply(state, ply)) for ply in plies] == plies


def test_the_page_names_every_field_and_game_and_its_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert set(FACTOR) == {field.name for field in dataclasses.fields(Factor)}
    assert sorted(name for (name,), *_ in rows_of_games()) == sorted(GAMES)
    for name in [*NODE, *SEARCH, *FACTOR]:
        assert f"`{name}`" in PAGE, name


@given(documents())
@settings(deadline=None, max_examples=examples(30))
def test_what_the_reader_takes_is_valid(document: dict[str, Any]) -> None:
    read_log(json.dumps(document).encode())
    validate(document)


INVALID: list[dict[str, Any]] = [
    *({"plyscope": 2, "root": {}}, {}, {"root": {}, "roots": [{}]}),
    *({"root": {"score": True}}, {"root": {"score": "high"}}, {"root": {"children": [{"outcome": "cut"}]}}),
    *({"root": {"tt": {"bound": "at least"}}}, {"root": {"moves": 1.5}}),
    {"factors": [{"name": "a", "meaning": 3}], "root": {}},
]


def is_valid(document: dict[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(document))


@pytest.mark.parametrize("document", [{"root": {}}, *({"plyscope": 1, **each} for each in INVALID)])
def test_what_the_reader_refuses_is_invalid(document: dict[str, Any]) -> None:
    assert not is_valid(document)


VALUES: tuple[Any, ...] = (
    *("soft", "root", "alternate", "equal", "visits", "depth_first", "black", "", "nobody", None),
    *(0, 1, 7, -1, 2.5, "inf", "-inf", "nan", True, False),
    *([0, 1], [-1.5, "inf"], [0], [0, 1, 2], [None, 1], [1, "x"], [], {}, {"score": 1}),
)


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.name)
def test_a_header_declares_what_the_schema_says_and_nothing_else(declared: Declared) -> None:
    for value in VALUES:
        header = {"plyscope": 1, "players": ["black", "white"], "search": {declared.name: value}}
        is_player = declared.name != "root_player" or value in ("black", 0, 1, None)
        if is_valid({**header, "root": {}}) and is_player:
            read = read_header(header)
            assert read.fields["search"][declared.name] == value
            assert value or (read.view, read.static_view) == ("root", "root")
            continue
        with pytest.raises(LogError) as refused:
            read_header(header)
        assert refused.value.path == f"$.search.{declared.name}", value
        assert "expected" in str(refused.value), value


EXAMPLES = Path(__file__).parents[3] / "examples"
LOGS = sorted((*EXAMPLES.glob("*.gz"), *EXAMPLES.glob("*.json"), *(EXAMPLES / "bugs").glob("*.json")))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_the_beginning_says_what_the_whole_log_does(path: Path) -> None:
    stated = what_is_searched(header_at_start(path.read_bytes()[:LOOKED_AT]))
    known = known_of(Tree(read_log_file(path))).facts
    assert stated
    assert stated == {name: known[name] for name in ("game", "start") if name in known}


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"[3, 4",
        b'{"game": "go", "children": []}',
        b'{"plyscope": 1, "root": {"children": [',
        b'{"plyscope": 1, "game": "go", "factors": [1, 2, ',
        b"PAR1\0\0",
        gzip.compress(b" " * 2**21),
        json.dumps({"plyscope": 1, "game": 3, "position": [3]}).encode(),
    ],
)
def test_nothing_is_said_of_others(start: bytes) -> None:
    assert what_is_searched(header_at_start(start)) == {}
