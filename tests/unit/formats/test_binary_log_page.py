"""The page about the compact log: its bytes, its tables and its program are what the reader reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyscope.visualizer.formats.binary import chunk_reader, layout
from plyscope.visualizer.formats.binary.chunks import KINDS
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS
from tests.compact_logs import FORMATS, START, header
from tests.unit.same_logs import assert_same

PAGE = (Path(__file__).parents[3] / "docs" / "binary-log.md").read_text("utf-8")
ROWS = [
    (int(at), bytes.fromhex(digits), said)
    for at, digits, said in re.findall(r"^\| (\d+) \| `([0-9a-f ]+)` \| (.*) \|$", PAGE, re.MULTILINE)
]
EXAMPLE = b"".join(data for _, data, _ in ROWS)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_bytes_of_the_example_stand_where_it_says_and_are_its_lines() -> None:
    at = 0
    for byte, data, said in ROWS:
        assert byte == at
        if quoted := re.search(r"`([\[{].*[\]}])`", said):
            assert data.decode() == quoted[1]
        if length := re.search(r"chunk `(\w{4})` of (\d+) bytes", said):
            assert data == length[1].encode() + int(length[2]).to_bytes(4, "little")
        at += len(data)
    (lines,) = blocks("jsonl")
    log = read_log(EXAMPLE)
    assert_same(log, read_log(lines.encode()))
    assert log.notices == ()
    assert [log.text(int(ply)) for ply in log.columns["ply"]] == [None, "c6", "d3"]
    assert log.columns["score"].tolist() == [4, 4, -1]


def test_the_program_of_the_page_writes_a_log_that_opens_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program,) = blocks("python")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "docs/binary-log.md", "exec"), {})
    log = read_log((tmp_path / "nim.plyb").read_bytes())
    assert log.columns["score"][0] == 1
    assert log.columns["id"].tolist() == list(range(log.n_rows))
    assert {words.SEARCHED, words.TERMINAL} == set(log.columns["outcome"].tolist())
    assert all("root player sees them" in notice for notice in log.notices)


def test_the_errors_of_the_page_are_those_that_are_raised() -> None:
    ply = next(at for at, _, said in ROWS if said.startswith("node 1")) + 4
    broken = (
        EXAMPLE[:ply] + b"\x07" + EXAMPLE[ply + 1 :],
        START + header(search={"fail": "no"}),
        EXAMPLE.replace(b"\r\n", b"\n", 1),
    )
    said = blocks("text")[0].splitlines()
    for data, expected in zip(broken, said, strict=True):
        with pytest.raises(LogError) as raised:
            read_log(data)
        assert str(raised.value) == expected


def test_the_page_names_every_kind_type_word_and_limit() -> None:
    kinds = ["| kind | bytes |", "|---|---|"]
    kinds += [f"| `{kind.decode()}` | {what} |" for kind, what in KINDS.items()]
    tables = dict(re.findall(r"<!-- (\w+): made from .*? -->\n(.*?)\n<!-- end of \1 -->", PAGE, re.DOTALL))
    assert tables["chunks"].splitlines() == kinds
    table = PAGE.split("## Layouts")[1]
    for kind in FORMATS:
        assert f"`{kind}`" in table
    listed = ["| field | words |", "|---|---|"]
    for field in FIELDS.values():
        if field.vocabulary is not None:
            numbered = [f"{code} `{word}`" for code, word in enumerate(field.vocabulary.words) if word]
            listed.append(f"| `{field.name}` | {', '.join(numbered)} |")
    assert tables["words"].splitlines() == listed
    limits = PAGE.split("## Limits")[1]
    for number in (chunk_reader.MOST_NODES, layout.MOST_FIELDS, layout.MOST_BYTES, 2**32 - 1):
        assert f"{number:,}" in limits
