"""Files of other formats are named as what they are, with what to do."""

from __future__ import annotations

import gzip
import pickle
import sqlite3
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError

DOT = b'// a tree\ndigraph G {\n  a -> b [label="e4"];\n  a -> c;\n}\n'
PGN = b'[Event "F/S Return Match"]\n[Site "Belgrade"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n'
OTHERS = {
    "Graphviz DOT": [DOT, b"strict graph { a -- b }"],
    "PGN": [PGN, b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n"],
    "CSV": [b"id,parent,score\n0,,3\n1,0,3\n", b"1,2,3\n4,5,6\n", b'"a";"b"\n1;2\n', b"a,b\r\n1,2\r\n"],
    "TSV": [b"id\tparent\tscore\n0\t\t3\n1\t0\t3\n"],
    "XML": [b'<?xml version="1.0"?>\n<tree><node/></tree>', b"<tree>\n<node score='3'/></tree>"],
    "an HTML page": [b"<!DOCTYPE html>\n<html></html>"],
    "YAML": [
        b"name: root\nchildren:\n  - name: c6\n    score: 3\n",
        b"---\n- name: c6\n",
        b"# a tree\nroot:\n- c6\n",
    ],
    "a Python pickle": [pickle.dumps({"score": 3, "children": []}, protocol) for protocol in (2, 4, 5)],
    "a NumPy array": [b"\x93NUMPY\x01\x00v"],
    "a binary file": [bytes(range(256)), b"\x7fELF\x02\x01\x01\x00\x00\x00", b"\x01\x00\x00\x00\x02\x00"],
}
DOUBTFUL = [
    b"hi",
    b"a, b",
    b"foo(1, 2)\nbar(3, 4)\n",
    b'{"a": 1,\n"b": 2,\n"c": }',
    b"[1, 2\n3, 4]",
    b"shopping: milk",
    b"caf\xe9",
]


@pytest.mark.parametrize(("what", "data"), [(what, data) for what, all_ in OTHERS.items() for data in all_])
def test_another_format_is_named_with_what_to_do(what: str, data: bytes) -> None:
    for packed in (data, gzip.compress(data)):
        with pytest.raises(LogError, match=f"^this is {what}.*, expected JSON, .*; .{{10}}"):
            read_log(packed)


def test_what_is_packed_twice_is_named() -> None:
    twice = gzip.compress(gzip.compress(b'{"plyscope": 1, "root": {}}'))
    with pytest.raises(LogError, match=r"^this is packed twice, expected JSON, .*; unpack it once$"):
        read_log(twice)


def test_a_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tree.db"
    with sqlite3.connect(path) as database:
        database.execute("create table nodes (id, parent)")
    with pytest.raises(LogError, match="this is an SQLite database"):
        read_log(path.read_bytes())


@pytest.mark.parametrize("data", DOUBTFUL)
def test_what_may_be_a_mistake_in_json_is_told_with_its_place(data: bytes) -> None:
    with pytest.raises(LogError, match=r"^line \d+"):
        read_log(data)


def test_what_graphviz_makes_of_dot_is_read() -> None:
    log = read_log(
        b'{"name": "G", "directed": true, "strict": false, "_subgraph_cnt": 0,'
        b'"objects": [{"_gvid": 0, "name": "a"}, {"_gvid": 1, "name": "b", "label": "3"}],'
        b'"edges": [{"_gvid": 0, "tail": 0, "head": 1, "label": "e4"}]}'
    )
    assert log.columns["parent"].tolist() == [-1, 0]
    assert log.texts[log.columns["ply"][1]] == "e4"
