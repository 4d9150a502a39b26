"""`plyscope.open` and `plyscope.convert`: whatever names or holds a log, and what is neither."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plyscope
from tests.unit.face.conftest import TREE


def test_a_path_a_str_of_it_and_an_open_file_of_either_kind_are_the_same_log(path: Path) -> None:
    opened = [plyscope.open(path), plyscope.open(str(path))]
    with path.open() as text, path.open("rb") as binary:
        opened += [plyscope.open(text), plyscope.open(binary)]
        assert not text.closed
    assert [(len(log), log.name, log.header["game"]) for log in opened] == [(7, "mine.json", "mine")] * 4


@pytest.mark.parametrize("kind", [str, str.encode, lambda text: bytearray(text, "utf-8"), io.StringIO])
def test_text_and_bytes_are_logs(text: str, kind: Callable[[str], Any]) -> None:
    log = plyscope.open(kind(text))
    assert (len(log), log.name) == (7, "log")


@pytest.mark.parametrize("before", ["", "\n  ", "\ufeff", "\t"])
def test_a_str_that_begins_with_a_brace_or_bracket_is_text(before: str) -> None:
    assert len(plyscope.open(before + '{"plyscope": 1, "root": {}}')) == 1
    assert len(plyscope.open(before + '[{"children": [{"score": 1}, {"score": 2}]}]')) == 3


def test_a_path_may_begin_with_a_brace(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("{a}.json").write_text(text)
    assert len(plyscope.open(Path("{a}.json"))) == 7
    assert len(plyscope.open("./{a}.json")) == 7


def test_an_open_file_is_read_from_where_it_stands(text: str) -> None:
    file = io.BytesIO(b"noise" + text.encode())
    file.seek(5)
    assert len(plyscope.open(file)) == 7


def test_packed_bytes_and_packed_files_are_unpacked(text: str, tmp_path: Path) -> None:
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert len(plyscope.open(packed)) == len(plyscope.open(packed.read_bytes())) == 7
    with gzip.open(packed) as file:
        assert len(plyscope.open(file)) == 7


def test_a_missing_file_is_named_with_what_a_str_may_be(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    with pytest.raises(plyscope.LogError) as failed:
        plyscope.open(str(missing))
    assert str(failed.value).startswith(f"{missing}: the file cannot be read: No such file")
    assert "does not begin with { or [" in str(failed.value)
    with pytest.raises(plyscope.LogError, match=r"No such file or directory$"):
        plyscope.open(missing)


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(plyscope.LogError, match="this is a folder, open one of the logs in it"):
        plyscope.open(tmp_path)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "^an empty text is no log"),
        (" \n", "^an empty text is no log"),
        ("var tree =\n{}", "the text 'var tree =.n{}' is no log and names no file"),
        ("x" * 5000, "names no file"),
        ("a\0b", "names no file"),
        (Path("a\0b"), "names no file"),
        (b"", "^line 1, column 1: the text is empty, expected a log"),
        ("{", "^line 1, column 2: the text ends"),
        ('{"plyscope": 1}', "^the log has no node"),
        ("[1, 2]", r"^\$: this looks like a list of 2 numbers"),
        ('{"plyscope": 1, "root": {"score": true}}', r"^\$.root.score: found true"),
        ('{"a": "\ud800"}', "not UTF-8|UTF-8|surrogate"),
        (b"PK\x03\x04", "this is a Zip archive"),
    ],
    ids=repr,
)
def test_what_is_no_log_is_refused_in_words(source: Any, says: str) -> None:
    with pytest.raises(plyscope.LogError, match=says):
        plyscope.open(source)


def test_a_broken_file_is_named_before_the_place(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"plyscope": 1, "root": {"score": true}}')
    with pytest.raises(plyscope.LogError) as failed:
        plyscope.open(broken)
    assert str(failed.value).startswith(f"{broken}: $.root.score: found true")
    assert (failed.value.file, failed.value.path) == (str(broken), "$.root.score")
    with broken.open() as file, pytest.raises(plyscope.LogError, match=r"^broken\.json: \$\.root"):
        plyscope.open(file)


def test_a_closed_file_and_one_that_is_only_written_are_refused(path: Path) -> None:
    with path.open() as file:
        pass
    with pytest.raises(plyscope.LogError, match=r"mine\.json: the open file cannot be read: .*closed"):
        plyscope.open(file)
    with (
        (path.parent / "b.json").open("w") as written,
        pytest.raises(plyscope.LogError, match="not readable"),
    ):
        plyscope.open(written)


def test_a_text_file_of_another_encoding_is_refused(path: Path) -> None:
    path.write_bytes(b'{"plyscope": 1, "game": "\xe4", "root": {}}')
    with (
        path.open(encoding="utf-8") as file,
        pytest.raises(plyscope.LogError, match="cannot be read: 'utf-8'"),
    ):
        plyscope.open(file)


@pytest.mark.parametrize("source", [3, None, 1.5, {"root": {}}, [1], object()])
def test_other_objects_are_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError, match="a log is read from a path, text, bytes or an open file, not from"):
        plyscope.open(source)


def test_a_file_that_gives_no_text_is_a_type_error() -> None:
    class Odd:
        def read(self) -> int:
            return 3

    with pytest.raises(TypeError, match="gave int"):
        plyscope.open(Odd())  # type: ignore[arg-type]


FOREIGN = """{"move": "", "replies": [
    {"move": "c6", "worth": 3, "other": 7}, {"move": "d6", "worth": 5, "other": 1}]}"""


def test_a_foreign_tree_is_guessed_and_a_map_corrects_it_in_either_form() -> None:
    guessed = plyscope.open(FOREIGN)
    assert guessed.notices
    for given in ({"children": "replies", "score": "other"}, "children=replies,score=other"):
        log = plyscope.open(FOREIGN, map=given)
        assert [node.score for node in log.main_root.children] == [7.0, 1.0]


@pytest.mark.parametrize("given", ["score", "scores=value", {"scores": "value"}, {"children": "nothing"}])
def test_a_map_that_fits_nothing_is_refused(given: Any) -> None:
    with pytest.raises(plyscope.LogError, match="mapping"):
        plyscope.open(FOREIGN, map=given)


def test_a_map_that_is_not_used_is_told(text: str) -> None:
    assert plyscope.open(text, map="score=value").notices == (
        "The mapping was not used: the log names its fields as we do.",
    )


def test_convert_takes_text_and_an_open_log_and_a_map(text: str, tmp_path: Path) -> None:
    plyscope.convert(plyscope.open(text), tmp_path / "a.json")
    plyscope.convert(FOREIGN, str(tmp_path / "b.json"), map="children=replies,score=other")
    assert json.loads((tmp_path / "a.json").read_text())["game"] == TREE["game"]
    assert plyscope.open(tmp_path / "b.json").node("c6").score == 7


def test_a_target_that_cannot_be_is_refused_before_the_source_is_read(tmp_path: Path) -> None:
    with pytest.raises(
        plyscope.LogError, match=r"expected \.json, \.jsonl, \.plyb, \.gz or \.zst of them, or \.parquet"
    ):
        plyscope.convert("missing.json", tmp_path / "a.csv")
    with pytest.raises(plyscope.LogError, match="cannot be written"):
        plyscope.convert("missing.json", tmp_path / "none" / "a.json")


def test_the_command_and_the_script_fail_in_the_same_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.visualizer.cli.main import run

    broken = tmp_path / "broken.json"
    broken.write_text("[3, 5]")
    with pytest.raises(plyscope.LogError) as failed:
        plyscope.open(broken)
    with pytest.raises(SystemExit):
        run(["stats", str(broken)])
    assert capsys.readouterr().err == f"plyscope: {failed.value}\n"


def test_progress_is_shown_where_asked_and_gone_afterwards(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.status.PATIENCE", 0.0)
    plyscope.open(path)
    plyscope.open(path, progress=False)
    assert capsys.readouterr().err == ""
    plyscope.open(path, progress=True)
    shown = capsys.readouterr().err
    assert shown.startswith("\rreading mine.json …")
    assert shown.endswith(" \r")
