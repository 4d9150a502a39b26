"""Whole numbers of more than 64 bits, such as hash keys, keep every digit on each way through a log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

import plyscope
from plyscope.engine.jit import compiled
from plyscope.visualizer.analysis.nodes.field_values import extras_of
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.formats.json_text import json_values, strict_value
from plyscope.visualizer.formats.literal.reader import read_literal
from plyscope.visualizer.formats.read.problems import Problems
from plyscope.visualizer.store.log import Log
from tests.unit.logs import there

HASH = 2**127 + 1
OURS = '{"plyscope":1,"about":[§],"root":{"hash":§,"children":[{"ply":"a","in":[-§]}]}}'
LINES = '{"plyscope":1}\n{"id":1,"hash":§}\n{"id":2,"parent":1,"ply":"a","in":[-§]}\n'
TEXTS = {
    "ours": OURS,
    "lines": LINES,
    "nested": '{"score": 1, "hash": §, "children": [{"score": 2, "in": [-§]}]}',
    "nested, in lines": '{"score": 1,\n"hash": §,\n"children": [{"score": 2, "in":\n[-§]}]}',
    "cut short": '{"score": 1, "hash": §, "children": [{"score": 2, "in": [-§]}, {"score": 3',
    "a name twice": '{"score": 1, "score": 2, "hash": §, "children": [{"score": 2, "in": [-§]}]}',
    "a literal": "tree = {score: 1, hash: §, children: [{score: 2, in: [-§]}]}",
    "rows": '[{"id": 1, "score": 1, "hash": §}, {"id": 2, "parent": 1, "in": [-§]}]',
    "rows in lines": '{"id": 1, "eval": 1, "hash": §}\n{"id": 2, "parent": 1, "in": [-§]}\n',
}


def with_hash(text: str) -> bytes:
    return text.replace("§", str(HASH)).encode()


def assert_kept(log: Log) -> None:
    assert (extras_of(log, 0)["hash"], extras_of(log, 1)["in"]) == (HASH, [-HASH])


@pytest.mark.parametrize("compiles", [False, True])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_unknown_field_keeps_all_digits_whichever_reader_reads_it(text: str, compiles: bool) -> None:
    assert_kept(read_log(with_hash(text), compiles=compiles))


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".plyb", ".parquet"])
def test_an_unknown_field_keeps_all_digits_in_every_format(tmp_path: Path, ending: str) -> None:
    (tmp_path / "log.json").write_bytes(with_hash(OURS))
    plyscope.convert(tmp_path / "log.json", tmp_path / f"again{ending}")
    log = read_log_file(tmp_path / f"again{ending}")
    assert_kept(log)
    assert log.header["about"] == [HASH]


def test_a_column_of_128_bits_beside_unknown_fields_keeps_all_digits(tmp_path: Path) -> None:
    path, wide = tmp_path / "rows.parquet", 10**37 + 1
    root = f"""1 AS id, NULL::INT AS parent, NULL AS ply, '{{"hash": {HASH}}}' AS extra"""
    child = f"2, 1, 'a', '{{\"in\": [-{HASH}]}}', {wide}::DECIMAL(38, 0)"
    rows = f"SELECT {root}, NULL AS wide UNION ALL SELECT {child}"
    duckdb.sql(f"COPY (SELECT * FROM ({rows}) ORDER BY id) TO '{path}' (FORMAT PARQUET)")
    log = read_log_file(path)
    assert_kept(log)
    assert extras_of(log, 1)["wide"] == wide


def test_zeros_before_a_number_count_for_nothing() -> None:
    zeros = "0" * 5_000
    assert read_literal(f"[{zeros}7, -{zeros}]").value == [7, 0]
    assert read_literal(f"[{'٠' * 5_000}٧]").value == [7]  # the digits of another script
    log = read_log(f"root score={zeros}1\n  e4 score={zeros}3\n  d4 score=1\n".encode())
    assert log.columns["score"].tolist() == [1.0, 3.0, 1.0]


def test_a_text_that_has_a_long_number_stays_a_text() -> None:
    text = f"[{HASH}, 1]"
    assert strict_value(json.dumps(text).encode()) == text
    assert json_values(json.dumps([text]).encode()[1:-1], [0, len(text) + 2]) == [text]


@pytest.mark.parametrize("run", [None, compiled])
def test_an_unknown_field_keeps_all_digits_while_a_log_grows(run: object) -> None:
    log = GrowingLog()
    log.run = run  # type: ignore[assignment]
    for line in with_hash(LINES).splitlines(keepends=True):
        log.take(line)
    log.take(b'{"id":1,"late":1}\n{"id":2,"late":1}\n')  # their unknown fields are put together
    assert_kept(there(log.snapshot(is_final=True)).log)


@pytest.mark.parametrize("compiles", [False, True])
def test_two_ids_that_differ_beyond_64_bits_are_two(compiles: bool) -> None:
    rows = [{"id": HASH, "score": 1}, {"id": HASH + 1, "parent": HASH, "score": 2}]
    rows += [{"id": HASH + 2, "parent": HASH + 1, "score": 3}]
    log = read_log(json.dumps(rows).encode(), compiles=compiles)
    assert log.columns["parent"].tolist() == [-1, 0, 1]


@pytest.mark.parametrize("compiles", [False, True])
def test_a_print_out_may_have_numbers_of_any_length(compiles: bool) -> None:
    long = "9" * 5_000
    text = f"root score={HASH} hash={HASH}\n  e4 score=3 in={long}\n  d4 score={long}\n"
    log = read_log(text.encode(), compiles=compiles)
    assert extras_of(log, 0)["hash"] == HASH
    assert log.columns["score"].tolist() == [float(HASH), 3.0, float("inf")]


@pytest.mark.parametrize("compiles", [False, True])
def test_a_key_of_more_than_64_bits_is_refused(compiles: bool) -> None:
    with pytest.raises(LogError, match=f"found {HASH}, expected a position key"):
        read_log(f'{{"plyscope":1,"root":{{"key":{HASH}}}}}'.encode(), compiles=compiles)


@pytest.mark.parametrize("compiles", [False, True])
def test_of_ids_of_more_than_64_bits_the_first_of_a_batch_is_noticed(
    compiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log may have millions of them, each with a sentence of its own."""
    noticed, add_first = [], Problems.add_first

    def add_and_note(problems: Problems, node: int, *about: Any) -> None:
        noticed.append(node)
        add_first(problems, node, *about)

    monkeypatch.setattr(Problems, "add_first", add_and_note)
    lines = "".join(f'{{"id":{HASH + at}}}\n' for at in range(-9, 9))
    with pytest.raises(LogError, match=f"line 2, .*found {HASH - 9}, expected a whole number of 64 bits"):
        read_log(f'{{"plyscope":1}}\n{lines}'.encode(), compiles=compiles)
    assert set(noticed) == {0}  # by the tape, and by the library that finds the line
    assert len(noticed) <= 2
