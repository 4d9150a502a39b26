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
    "SGF": [b"(;GM[1]FF[4]SZ[9];B[ee];W[ec](;B[gc])(;B[gg]))", b"( ; FF[4]\nGM[1] )"],
    "Gambit's EFG": [b'EFG 2 R "poker" { "A" "B" }\n""\n\nc "" 1 "" { "R" 1/2 "B" 1/2 } 0\n'],
    "Newick": [
        b"((e5:0.3,c5:0.2)e4:0.1,(d5:0.4)d4:0.2)root;\n",
        b"(A,B,(C,D));",
        b"('my e4':3,(c5,d5)'d 4':2);\n(a,b);\n",
    ],
    "NEXUS": [b"#NEXUS\nbegin trees;\n tree t = (a,b);\nend;\n"],
    "EPD": [b'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "x";\n'],
    "FEN": [
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        b"8/8/8/4k3/8/8/4K3/8 b - - 12 60\n8/8/8/4k3/8/4K3/8/8 w - - 13 61\n",
    ],
    "Lc0's move statistics": [
        b"info string c7c5  (322 ) N:     120 (+ 0) (P: 14.52%) (Q:  0.02130) (U: 0.1) (V:  0.0312)\n"
        b"info string node  (  20) N:     800 (+ 0) (P: 0.00%) (Q:  0.03)\n",
        b"e2e4  (322 ) N:      10 (+ 0) (P: 14.52%) (Q:  0.02130)\n",
    ],
    "what an engine printed over UCI": [
        b"info depth 1 currmove e2e4 currmovenumber 1\nbestmove e2e4\n",
        b"position startpos\ngo depth 5\ninfo string NNUE\n",
        b"id name Engine 3\nuciok\n",
    ],
    "a print-out of a search": [
        b"depth 3 score 5\nalpha 2 move e4\nbest value 7 at depth 1\n",
        b"Evaluating move 3\nscore: 5\nEvaluating move 4\nscore: 3\n",
    ],
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


@pytest.mark.parametrize(
    "board",
    [
        "♖♘▯▯♔♗▯♖\n♙▯▯▯♙▯♙♙ depth:1|eval:-200]\n",
        "X | O | X\n--+---+--\n  | X | O\n--+---+--\nO |   | X\n\nscore 3\n",
        ". . . x\n. o x x\no o . .\n",
        "🟡🔴⚪\n🔴🟡⚪\n",
        "rnbqkbnr\npppppppp\n........\n........\n....P...\n........\nPPPP.PPP\nRNBQKBNR\n",
    ],
)
def test_boards_drawn_in_text_are_named(board: str) -> None:
    with pytest.raises(LogError, match=r"^these are boards drawn in text, expected JSON, .*; .{10}"):
        read_log(board.encode())


def test_what_katago_analyses_is_read_with_its_moves() -> None:
    log = read_log(
        b'{"id":"q","turnNumber":0,"moveInfos":[{"move":"Q4","visits":30,"winrate":0.51,"prior":0.2,"order":0},'
        b'{"move":"D4","visits":12,"winrate":0.49,"prior":0.1,"order":1}],"rootInfo":{"visits":43,"winrate":0.5}}'
    )
    assert log.columns["visits"].tolist()[1:] == [30, 12]
    assert [log.text(int(ply)) for ply in log.columns["ply"]][1:] == ["Q4", "D4"]
