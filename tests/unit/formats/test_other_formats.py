"""Texts of other formats are named as what they are; trees as programs print them are read."""

from __future__ import annotations

import gzip
import pickle
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.print_outs import printed_rows
from tests.unit.logs import plies, scores
from tests.unit.same_logs import assert_same

DOT = b'// a tree\ndigraph G {\n  a -> b [label="e4"];\n  a -> c;\n}\n'
PGN = b'[Event "F/S Return Match"]\n[Site "Belgrade"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n'
OTHERS = {
    "Graphviz DOT": [DOT, b"strict graph { a -- b }"],
    "PGN": [PGN, b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n"],
    "SGF": [b"(;GM[1]FF[4]SZ[9];B[ee];W[ec](;B[gc])(;B[gg]))", b"( ; FF[4]\nGM[1] )"],
    "Gambit's EFG": [b'EFG 2 R "poker" { "A" "B" }\n""\n\nc "" 1 "" { "R" 1/2 "B" 1/2 } 0\n'],
    "Newick": [
        *(b"((e5:0.3,c5:0.2)e4:0.1,(d5:0.4)d4:0.2)root;\n", b"(A,B,(C,D));"),
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
        *(b"---\n- name: c6\n", b"# a tree\nroot:\n- c6\n"),
    ],
    "a Python pickle": [pickle.dumps({"score": 3, "children": []}, protocol) for protocol in (2, 4, 5)],
    "a NumPy array": [b"\x93NUMPY\x01\x00v"],
    "a binary file": [bytes(range(256)), b"\x7fELF\x02\x01\x01\x00\x00\x00", b"\x01\x00\x00\x00\x02\x00"],
}
DOUBTFUL = [
    *(b"hi", b"a, b", b"foo(1, 2)\nbar(3, 4)\n", b'{"a": 1,\n"b": 2,\n"c": }'),
    *(b"[1, 2\n3, 4]", b"shopping: milk", b"caf\xe9"),
]


@pytest.mark.parametrize(("what", "data"), [(what, data) for what, all_ in OTHERS.items() for data in all_])
def test_another_format_is_named_with_what_to_do(what: str, data: bytes) -> None:
    for packed in (data, gzip.compress(data)):
        with pytest.raises(LogError, match=f"^this is {what}.*, expected JSON, .*; .{{10}}"):
            read_log(packed)


def test_a_database_boards_and_what_is_packed_twice_are_named_and_a_mistake_in_json_told_with_its_place(
    tmp_path: Path,
) -> None:
    with sqlite3.connect(path := tmp_path / "tree.db") as database:
        database.execute("create table nodes (id, parent)")
    twice = gzip.compress(gzip.compress(b'{"plyscope": 1, "root": {}}'))
    for data, said in (
        (path.read_bytes(), "this is an SQLite database"),
        (twice, r"^this is packed twice, expected JSON, .*; unpack it once$"),
        *((board.encode(), "^these are boards drawn in text, expected JSON, .*; .{10}") for board in BOARDS),
        *((text, r"^line \d+") for text in DOUBTFUL),
    ):
        with pytest.raises(LogError, match=said):
            read_log(data)
    for text in NO_TREES:
        with pytest.raises(LogError):
            read_log(text.encode())


BOARDS = [
    "♖♘▯▯♔♗▯♖\n♙▯▯▯♙▯♙♙ depth:1|eval:-200]\n",
    "X | O | X\n--+---+--\n  | X | O\n--+---+--\nO |   | X\n\nscore 3\n",
    ". . . x\n. o x x\no o . .\n",
    "🟡🔴⚪\n🔴🟡⚪\n",
    "rnbqkbnr\npppppppp\n........\n........\n....P...\n........\nPPPP.PPP\nRNBQKBNR\n",
]


NO_TREES = [
    "def f(a, b=2):\n    x = 3\n    y = 4\n    return x\n",
    "milk\n  bread\n  eggs\nbutter\n",
    "for (int i = 0; i < 3; i++) {\n  score = 3;\n}\n",
    "".join(f"{' ' * at}m{at} score={at}\n" for at in (0, 4, 2, 5, 3, 6, 1)),
    "Dear all,\n  the depth is 3.\n  the score is 5.\nBest\n",
]


PARENTS = [-1, 0, 1, 1, 0]
SCORES = [8, 8, 8, -1, 3]
NAMES = ["root", "a", "b", "c", "d"]
LEVELS = [0, 1, 2, 2, 1]


def lines(template: str, indent: str = "") -> str:
    """A line a node, indented by its level."""
    found = []
    for name, score, level in zip(NAMES, SCORES, LEVELS, strict=True):
        layer = ["MAX", "MIN"][level % 2]
        said = template.format(name=name, score=score, level=level, left=2 - level, layer=layer)
        found.append(f"{indent * level}{said}\n")
    return "".join(found)


@pytest.mark.parametrize(
    "text",
    [
        lines("depth={level} move={name} score={score}", "  "),
        lines("depth={level} move={name} score={score}"),
        lines("depth: {left}, move: {name}, score: {score}"),
        lines("[depth {level}] level={level} {name} score={score}", "\t"),
        lines("{name}: {score}", "    "),
        lines("{name} score={score}", "| "),
        lines("{name} (score: {score}, alpha: -inf)", "|   "),
        lines("- {name} score={score}", "  "),
        lines("{name} = {score}", "...."),
        "root (8.0)\n├── a (8.0)\n│   ├── b (8.0)\n│   └── c (-1.0)\n└── d (3.0)\n",
        "root: 8\n|-- a: 8\n|   |-- b: 8\n|   `-- c: -1\n`-- d: 3\n",
        "root: 8\n+-- a: 8\n|   +-- b: 8\n|   \\-- c: -1\n\\-- d: 3\n",
        lines("{layer} {score} {name}", "-"),
        lines("D{left}  {name}  {score}  <-  {layer}", "\t"),
        lines("Search depth {left}, move {name}, score {score}", "  "),
        lines("Node(move={name}, score={score})", "  "),
        "Node('/root', score=8)\n├── Node('/root/a', score=8)\n│   ├── Node('/root/a/b', score=8)\n"
        "│   └── Node('/root/a/c', score=-1)\n└── Node('/root/d', score=3)\n",
    ],
)
def test_a_printed_tree_is_read_whatever_words_stand_around_plies_and_scores(text: str) -> None:
    log = read_log(text.encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert scores(log) == SCORES
    assert [ply.removeprefix("/") for ply in plies(log) if ply] == ([] if text.startswith("[") else NAMES)
    assert log.notices[0].startswith("A print-out: 5 nodes read by ")


def test_children_may_be_printed_before_their_parent() -> None:
    for depth, indent in (("level", "  "), ("left", "")):
        template = f"depth={{{depth}}} move={{name}} score={{score}}"
        log = read_log("\n".join(reversed(lines(template, indent).splitlines())).encode())
        assert {*zip(plies(log), scores(log), strict=True)} == {*zip(NAMES, SCORES, strict=True)}
        assert log.columns["level"].tolist() == [0, 1, 1, 2, 2]


def test_what_a_call_returned_is_its_score() -> None:
    text = (
        "minimax(move=root, depth=2)\n| minimax(move=a, depth=1)\n"
        "| | minimax(move=b, depth=0)\n| | return 8\n"
        "| | minimax(move=c, depth=0)\n| | return -1\n| return 8\n"
        "| minimax(move=d, depth=1)\n| return 3\nreturn 8\n"
    )
    log = read_log(text.encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert scores(log) == SCORES
    assert plies(log) == NAMES
    inside = text.replace("return", "| return")
    assert scores(read_log(inside.encode())) == SCORES


def test_a_large_print_out_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{'  ' * (at % 7)}move=m{at} score={at % 5}\n" for at in range(3000)).encode()
    small = read_log(text)
    monkeypatch.setattr(detect, "LARGE_BYTES", 10_000)
    large: Any = read_log(text)
    assert_same(large, small)
    assert large.notices == small.notices


def test_prose_tables_lists_and_programs_are_no_print_outs() -> None:
    root = Path(__file__).parents[3]
    names = "README.md", "LICENSE", "Makefile", "engine/watch.py", "static/css/base.css"
    for path in (*map(root.joinpath, names), *(root / "docs").glob("*.md")):
        assert printed_rows(path.read_text(encoding="utf-8")) is None, path
