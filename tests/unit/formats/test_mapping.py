"""Mappings as a person writes them, and as they are remembered."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import RememberedMappings, parse_mapping


def test_a_mapping_is_read_as_it_is_written_on_the_command_line() -> None:
    assert parse_mapping(" children = nextMove,score=data.value, layer=,") == {
        "children": "nextMove",
        "score": "data.value",
        "layer": "",
    }
    assert parse_mapping("") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("score", "expected pairs such as score=value"),
        ("score=a,score=b", '"score" is given twice'),
        ("points=a", '"points" is nothing to map, expected one of children'),
        ("perspective=white", 'perspective "white", expected root, mover'),
    ],
)
def test_a_mapping_that_cannot_be_meant_is_refused(text: str, words: str) -> None:
    with pytest.raises(LogError, match=words):
        parse_mapping(text)


def test_a_mapping_is_remembered_until_it_is_forgotten(tmp_path: Path) -> None:
    RememberedMappings(tmp_path / "new").set("s1", {"score": "value"})
    RememberedMappings(tmp_path / "new").set("s2", {"children": "kids"})
    remembered = RememberedMappings(tmp_path / "new")
    assert remembered.get("s1") == {"score": "value"}
    remembered.forget("s1")
    remembered.forget("s1")
    assert remembered.get("s1") is None
    assert remembered.get("s2") == {"children": "kids"}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["mappings.json"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"s1": {"points": "x"}}', '{"s1": 3}', "\x00"])
def test_a_spoilt_file_is_as_good_as_none_and_mended_by_the_next_choice(tmp_path: Path, text: str) -> None:
    (tmp_path / "mappings.json").write_text(text)
    remembered = RememberedMappings(tmp_path)
    assert remembered.get("s1") is None
    remembered.set("s1", {"score": "value"})
    assert remembered.get("s1") == {"score": "value"}


def test_a_write_that_fails_leaves_what_was_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered = RememberedMappings(tmp_path)
    remembered.set("s1", {"score": "value"})

    def refuse(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        remembered.set("s1", {"score": "cost"})
    assert remembered.get("s1") == {"score": "value"}
    assert [path.name for path in tmp_path.iterdir()] == ["mappings.json"]


def test_what_is_not_to_be_mapped_is_not_remembered(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="expected a text"):
        RememberedMappings(tmp_path).set("s1", {"score": 3})  # type: ignore[dict-item]
