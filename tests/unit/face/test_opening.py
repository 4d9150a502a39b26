"""`plyscope.open` and `plyscope.convert`: whatever names or holds a log, and what is neither."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
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


def test_a_str_that_begins_with_a_brace_or_bracket_is_text_and_a_path_may(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for before in ("", "\n  ", "\ufeff", "\t"):
        assert len(plyscope.open(before + '{"plyscope": 1, "root": {}}')) == 1
        assert len(plyscope.open(before + '[{"children": [{"score": 1}, {"score": 2}]}]')) == 3
    monkeypatch.chdir(tmp_path)
    Path("{a}.json").write_text(text)
    assert len(plyscope.open(Path("{a}.json"))) == len(plyscope.open("./{a}.json")) == 7


def test_packed_and_open_files_are_read_from_where_they_stand(text: str, tmp_path: Path) -> None:
    packed = tmp_path / "a.json.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert len(plyscope.open(packed)) == len(plyscope.open(packed.read_bytes())) == 7
    with gzip.open(packed) as file:
        assert len(plyscope.open(file)) == 7
    noisy = io.BytesIO(b"noise" + text.encode())
    noisy.seek(5)
    assert len(plyscope.open(noisy)) == 7


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    with pytest.raises(
        plyscope.LogError, match=r"the file cannot be read: No such file.*not begin with \{ or \["
    ):
        plyscope.open(str(missing))
    with pytest.raises(plyscope.LogError, match=rf"^{missing}: .*No such file or directory$"):
        plyscope.open(missing)
    with pytest.raises(plyscope.LogError, match="this is a folder, open one of the logs in it"):
        plyscope.open(tmp_path)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "^an empty text is no log"),
        (" \n", "^an empty text is no log"),
        ("var tree =\n{}", "the text 'var tree =.n{}' is no log and names no file"),
        ("x" * 5000, "names no file"),
        (Path("a\0b"), "names no file"),
        ("[1, 2]", r"^\$: this looks like a list of 2 numbers"),
        ('{"a": "\ud800"}', "not UTF-8|UTF-8|surrogate"),
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


def test_a_file_that_is_closed_written_or_in_another_encoding_is_refused(path: Path) -> None:
    with path.open() as file:
        pass
    with pytest.raises(plyscope.LogError, match=r"mine\.json: the open file cannot be read: .*closed"):
        plyscope.open(file)
    with (path.parent / "b.json").open("w") as file, pytest.raises(plyscope.LogError, match="not readable"):
        plyscope.open(file)
    path.write_bytes(b'{"plyscope": 1, "game": "\xe4", "root": {}}')
    with (
        path.open(encoding="utf-8") as file,
        pytest.raises(plyscope.LogError, match="cannot be read: 'utf-8'"),
    ):
        plyscope.open(file)


def test_other_objects_are_a_type_error() -> None:
    for source in (3, None, {"root": {}}, [1]):
        with pytest.raises(
            TypeError, match="a log is read from a path, text, bytes or an open file, not from"
        ):
            plyscope.open(source)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="gave int"):
        plyscope.open(SimpleNamespace(read=lambda: 3))  # type: ignore[arg-type]


FOREIGN = """{"move": "", "replies": [
    {"move": "c6", "worth": 3, "other": 7}, {"move": "d6", "worth": 5, "other": 1}]}"""


def test_a_foreign_tree_is_guessed_and_a_map_corrects_it_in_either_form(text: str) -> None:
    guessed = plyscope.open(FOREIGN)
    assert guessed.notices
    for given in ({"children": "replies", "score": "other"}, "children=replies,score=other"):
        log = plyscope.open(FOREIGN, map=given)
        assert [node.score for node in log.main_root.children] == [7.0, 1.0]
    for given in ("score", "scores=value", {"children": "nothing"}):
        with pytest.raises(plyscope.LogError, match="mapping"):
            plyscope.open(FOREIGN, map=given)
    unused = plyscope.open(text, map="score=value").notices
    assert unused == ("The mapping was not used: the log names its fields as we do.",)


def test_convert_takes_text_and_an_open_log_and_a_map(text: str, tmp_path: Path) -> None:
    plyscope.convert(plyscope.open(text), tmp_path / "a.json")
    plyscope.convert(FOREIGN, str(tmp_path / "b.json"), map="children=replies,score=other")
    assert json.loads((tmp_path / "a.json").read_text())["game"] == TREE["game"]
    assert plyscope.open(tmp_path / "b.json").node("c6").score == 7


def test_a_target_that_cannot_be_is_refused_before_the_source_is_read(tmp_path: Path) -> None:
    for target, said in (
        ("a.csv", r"expected \.json, \.jsonl, \.plyb, \.gz or \.zst of them, or \.parquet"),
        ("none/a.json", "cannot be written"),
    ):
        with pytest.raises(plyscope.LogError, match=said):
            plyscope.convert("missing.json", tmp_path / target)
    assert list(tmp_path.iterdir()) == []


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
    plyscope.convert(path, path.with_name("b.jsonl"), progress=True)
    assert "writing 7 rows to b.jsonl" in capsys.readouterr().err
    plyscope.search("tictactoe", depth=1, progress=True)
    assert "making columns of 10 rows …" in capsys.readouterr().err
