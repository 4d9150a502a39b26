"""Trees as programs print them, a node a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.print_outs import printed_rows
from tests.unit.formats.test_foreign import plies, scores
from tests.unit.same_logs import assert_same

PARENTS = [-1, 0, 1, 1, 0]
SCORES = [8, 8, 8, -1, 3]
NAMES = ["root", "a", "b", "c", "d"]
LEVELS = [0, 1, 2, 2, 1]


def lines(template: str, indent: str = "") -> str:
    rows = zip(NAMES, SCORES, LEVELS, strict=True)
    return "".join(
        indent * level + template.format(name=name, score=score, level=level, left=2 - level) + "\n"
        for name, score, level in rows
    )


def marked(template: str, mark: str) -> str:
    rows = zip(NAMES, SCORES, LEVELS, strict=True)
    return "".join(
        template.format(
            mark=mark * level, layer=["MAX", "MIN"][level % 2], name=name, score=score, left=2 - level
        )
        for name, score, level in rows
    )


def reverse(text: str) -> str:
    return "".join(line + "\n" for line in reversed(text.splitlines()))


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
    ],
)
def test_a_printed_tree_is_read(text: str) -> None:
    log = read_log(text.encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert scores(log) == SCORES
    assert log.notices[0].startswith("A print-out: 5 nodes read by ")


@pytest.mark.parametrize(
    "text",
    [
        marked("{mark}{layer} {score} {name}\n", "-"),
        marked("{mark}D{left}  {name}  {score}  <-  {layer}\n", "\t"),
        marked("{mark}Search depth {left}, move {name}, score {score}\n", "  "),
        marked("{mark}Node(move={name}, score={score})\n", "  "),
        "Node('/root', score=8)\n├── Node('/root/a', score=8)\n│   ├── Node('/root/a/b', score=8)\n"
        "│   └── Node('/root/a/c', score=-1)\n└── Node('/root/d', score=3)\n",
    ],
)
def test_plies_and_scores_are_found_whatever_words_stand_around(text: str) -> None:
    log = read_log(text.encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert scores(log) == SCORES
    assert [ply.removeprefix("/") for ply in plies(log) if ply] == NAMES


def test_children_may_be_printed_before_their_parent() -> None:
    for text in (
        reverse(lines("depth={level} move={name} score={score}", "  ")),
        reverse(lines("depth={left} move={name} score={score}")),
    ):
        log = read_log(text.encode())
        assert sorted(zip(plies(log), scores(log), strict=True), key=str) == sorted(
            zip(NAMES, SCORES, strict=True), key=str
        )
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


def test_ids_of_its_own_are_kept() -> None:
    log = read_log(lines("id={level} move={name} score={score}", "  ").encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert json.loads(log.extras.of(1) or b"")["own id"] == 1 if log.extras else False


@pytest.mark.parametrize(
    "text",
    [
        "def f(a, b=2):\n    x = 3\n    y = 4\n    return x\n",
        "milk\n  bread\n  eggs\nbutter\n",
        "for (int i = 0; i < 3; i++) {\n  score = 3;\n}\n",
        "Dear all,\n  the depth is 3.\n  the score is 5.\nBest\n",
    ],
)
def test_what_is_no_print_out_of_a_tree_stays_an_error(text: str) -> None:
    with pytest.raises(LogError):
        read_log(text.encode())


def test_a_large_print_out_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{'  ' * (at % 7)}move=m{at} score={at % 5}\n" for at in range(3000)).encode()
    small = read_log(text)
    monkeypatch.setattr(detect, "LARGE_BYTES", 10_000)
    large: Any = read_log(text)
    assert_same(large, small)
    assert large.notices == small.notices


ROOT = Path(__file__).parents[3]
TEXTS = [
    "README.md",
    "LICENSE",
    "Makefile",
    *sorted(f"docs/{each.name}" for each in (ROOT / "docs").glob("*.md")),
]


@pytest.mark.parametrize("name", [*TEXTS, "engine/watch.py", "static/css/base.css"])
def test_prose_tables_lists_and_programs_are_no_print_outs(name: str) -> None:
    assert printed_rows((ROOT / name).read_text(encoding="utf-8")) is None
