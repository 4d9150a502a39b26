"""The loggers of the compact form: what they write, killed or not, is what JSON Lines say."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plyscope import Logger
from plyscope.examples.loggers import binary_log
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.binary.chunk_reader import NO_END
from plyscope.visualizer.formats.binary.layout import SLICES, TYPES
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.patience import PATIENCE
from tests.unit.loggers.running import LOGGERS, command_for, logged, program
from tests.unit.same_logs import assert_same, plies

ENGINE = LOGGERS.parent / "c_engine" / "connect_four.c"
ODD = 'a"b\\c\n\t\x01é→'
Run = Callable[..., Log]


@pytest.fixture(scope="module")
def connect_four(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The log of the small engine, in the form asked for."""
    commands: dict[str, list[str]] = {}

    def run(form: str, *arguments: str) -> Log:
        folder = tmp_path_factory.mktemp(form)
        if form not in commands:
            trace = f'-DTRACE="{form}_trace.h"'
            commands[form] = command_for(ENGINE, folder, "-O2", f"-I{ENGINE.parent}", trace)
        target = folder / "search"
        answer = subprocess.run(
            [*commands[form], "--log", str(target), *arguments],
            check=True,
            timeout=PATIENCE,
            capture_output=True,
        )
        log = read_log(target.read_bytes())
        told = json.loads(answer.stdout)
        assert log.header["result"] == {name: told[name] for name in ("ply", "score", "nodes")}
        return log

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--depth", "7"],
        ["--depth", "7", "--position", "44", "--buffer", "500"],
        ["--depth", "8", "--buffer", "5000", "--max-level", "4"],
        ["--depth", "6", "--max-level", "0", "--fault"],
    ],
    ids=" ".join,
)
def test_both_forms_of_a_search_are_the_same_log(connect_four: Run, arguments: list[str]) -> None:
    compact, lines = connect_four("binary", *arguments), connect_four("json", *arguments)
    assert compact.n_rows > 7
    assert_same(compact, lines)
    assert compact.notices == lines.notices


def test_check_finds_nothing_wrong_in_the_small_engine_and_finds_its_fault(connect_four: Run) -> None:
    report = check(connect_four("binary", "--depth", "8", "--position", "4453"))
    assert report.findings() == []
    assert {"value", "claim", "window", "cut", "leaf", "static-sum", "tt-source", "replay"} <= set(
        report.checked
    )
    faulty = check(connect_four("binary", "--depth", "8", "--fault"))
    assert {finding.rule for finding in faulty.findings()} == {"tt-source"}


@pytest.fixture(scope="module")
def compact(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the program that states fields in every way."""
    return program("compact", "c", tmp_path_factory.mktemp("compact"), "-pthread")


@pytest.mark.parametrize("buffer", ["0", "1", "100", "1048576"])
def test_fields_are_stated_in_every_way_whatever_waits(
    compact: list[str], tmp_path: Path, buffer: str
) -> None:
    log = logged(compact, tmp_path / "log.plyb", buffer, ODD)
    columns = log.columns
    assert [log.text(int(ply)) for ply in columns["ply"]] == [None, ODD, *[None] * 4, "a", "b", "c", None]
    assert columns["level"].tolist() == [0, 1, 1, 1, 1, 0, 1, 2, 3, 4][: log.n_rows]
    outcomes = "cutoff terminal pruned skipped limited stopped stopped stopped searched unlogged"
    assert [words.OUTCOMES[code] for code in columns["outcome"]] == outcomes.split()
    assert repr(columns["score"].tolist()) == "[3.5, nan, nan, nan, nan, nan, nan, nan, 2.0, nan]"
    assert (columns["given"] & 1).tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    assert [columns[name][0] for name in ("alpha", "beta", "key")] == [-math.inf, 100, 0xABC]
    assert columns["depth"][1] == -2
    assert columns["quiescence"].tolist() == [-1, 1, *[-1] * 8]
    assert log.text(int(columns["why"][1])) == "no more plies"
    assert columns["count"].tolist() == [-1, -1, 2, 12, -1, -1, -1, -1, -1, 2]
    assert columns["nodes"].tolist() == [-1] * 9 + [8]
    assert [name for name, _ in plies(log, 2)] == ["x", ODD]
    assert log.extras is not None
    assert json.loads(log.extras.of(0)) == {"nested": {"list": [1, None]}}
    assert json.loads(log.extras.of(1)) == {"mine": [None, -1], 'n"\\': ODD}
    assert [root.iteration for root in log.roots] == [1, 2]
    assert log.header["note"] == "all ways"
    assert log.header["result"] == {"ply": "a", "score": 2}
    assert log.notices == ()


def test_a_killed_program_loses_only_what_waited_and_what_cannot_be_written_is_a_failure(
    compact: list[str], tmp_path: Path
) -> None:
    for name in (
        *(["/dev/full"] if Path("/dev/full").exists() else []),
        str(tmp_path / "no-folder" / "log.plyb"),
    ):
        assert subprocess.run([*compact, name, "0", ODD], timeout=PATIENCE, check=False).returncode == 1
    target = tmp_path / "killed.plyb"
    whole = logged(compact, target, "0", ODD)
    for buffer in ("0", "200"):
        killed = subprocess.run([*compact, str(target), buffer, ODD, "killed"], timeout=PATIENCE, check=False)
        assert killed.returncode == -signal.SIGKILL
        log = read_log(target.read_bytes())
        assert log.notices == (NO_END,)
        assert whole.n_rows - 4 <= log.n_rows <= whole.n_rows
        assert log.columns["score"][0] == 3.5
        if buffer == "0":
            assert [words.OUTCOMES[code] for code in log.columns["outcome"][5:8]] == ["", "", ""]


def test_what_is_no_utf_8_is_replaced_and_a_second_thread_and_a_second_leave_are_refused(
    compact: list[str], tmp_path: Path
) -> None:
    target = tmp_path / "odd.plyb"
    for end, said in (
        ((), "5 bytes were no UTF-8: U+FFFD stands for each"),
        (("threads",), "a search log belongs to one thread: open one for each"),
        (("misuse",), "bl_leave without bl_enter: each node is entered once and left once"),
    ):
        odd = b"a\xff\xc3 \xed\xa0\x80 \xf0\x9f\x98\x80"
        command = [*compact, target, "100", odd, *end]
        answer = subprocess.run(command, timeout=PATIENCE, capture_output=True, check=False)
        assert (answer.returncode == 0, said in answer.stderr.decode()) == (not end, True), answer.stderr
    read = read_log(target.read_bytes())
    assert any(re.fullmatch("a[\ufffd ]+ \U0001f600", text) for text in read.texts)


SLOW = """
#include "binary_log.h"
typedef struct { uint32_t parent; int16_t score; } row;
static const bl_field FIELDS[] = {BL_FIELD(row, parent, BL_U32), BL_FIELD(row, score, BL_I16), BL_END};
int main(int count, char **arguments) {
    static bl_log log;
    long i, begin;
    if (count < 2 || !bl_open(&log, arguments[1], NULL, FIELDS, sizeof(row), 1 << 28, -1)) return 2;
    bl_enter(&log), begin = ftell(log.file);
    for (i = 0; i < 30000000 && ftell(log.file) == begin; ++i) bl_enter(&log), bl_leave(&log);
    return ftell(log.file) == begin;
}
"""


def test_nodes_are_written_after_a_time_though_the_buffer_is_not_full(tmp_path: Path) -> None:
    """The engine ends, without a word, as soon as it sees that something was written."""
    (tmp_path / "slow.c").write_text(SLOW)
    command = command_for(tmp_path / "slow.c", tmp_path, "-O2")
    target = tmp_path / "slow.plyb"
    assert subprocess.run([*command, str(target)], timeout=PATIENCE, check=False).returncode == 0
    log = read_log(target.read_bytes())
    assert log.n_rows > 1
    assert log.columns["level"].tolist() == [0, *[1] * (log.n_rows - 1)]


def test_nodes_in_python_are_written_after_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(binary_log.time, "monotonic", lambda: now)
    target = tmp_path / "slow.plyb"
    log = Logger(target)
    log.enter()
    now = 2.1 * binary_log.SECONDS
    log.enter("a1")
    assert read_log(target.read_bytes()).n_rows == 2
    log.score(1)
    assert log._file._updates, "the clock began anew"
    log.done()


def test_types_and_words_of_the_header_are_those_of_the_reader() -> None:
    text = (LOGGERS / "binary_log.h").read_text("utf-8")
    code = " ".join(re.sub("//.*", "", text).split())
    sizes = dict(re.findall(r'\{"(\w+)", (\d)\}', text))
    assert set(sizes) == set(TYPES) - {"pad", "numbers"}
    for name, size in sizes.items():
        assert int(size) == np.dtype(TYPES[name]).itemsize * (2 if name in SLICES else 1), name
    for vocabulary in (
        words.LAYERS, words.BOUNDS, words.OUTCOMES, words.PURPOSES, words.CUT_BY, words.ENDINGS, words.TT_USES
    ):  # fmt: skip
        prefix = "BL_BY_" if vocabulary is words.CUT_BY else "BL_"
        names = [f"{prefix}{word.upper()}" for word in vocabulary[1:]]
        listed = f"{names[0]} = 1, " + ", ".join(names[1:])
        assert listed in code, listed


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the search in C++ that logs the compact form."""
    return program("compact", "cpp", tmp_path_factory.mktemp("nim"))


@pytest.mark.slow
@pytest.mark.parametrize("buffer", ["0", "500", "1048576"])
def test_the_logger_for_cpp_logs_what_that_of_lines_does(nim: list[str], tmp_path: Path, buffer: str) -> None:
    log = logged(nim, tmp_path / "nim.plyb", buffer)
    lines = logged(command_for(LOGGERS / "nim.cpp", tmp_path), tmp_path / "nim.jsonl")
    assert [root.iteration for root in (*log.roots, *lines.roots)] == [6, None]
    assert_same(log, replace(lines, roots=log.roots))
    assert log.notices == lines.notices
    assert check(log).findings() == []


def test_an_exception_in_cpp_leaves_stopped_nodes_and_the_log_goes_on(nim: list[str], tmp_path: Path) -> None:
    log = logged(nim, tmp_path / "nim.plyb", "100", "throws")
    first, second = (root.row for root in log.roots)
    assert [root.iteration for root in log.roots] == [6, 7]
    assert (first, second) == (0, log.n_rows - 2)
    assert log.columns["outcome"][second:].tolist() == [words.STOPPED, words.STOPPED]
    assert [log.columns[name][second] for name in ("key", "in_check", "tt_depth")] == [7, 1, 3]
    assert log.text(int(log.columns["why"][second])) == "thrown"
    assert log.extras is not None
    assert json.loads(log.extras.of(second)) == {"mine": [1, -2], "note": [1]}


def test_the_logger_for_cpp_compiles_without_exceptions_and_tells_what_it_cannot_write(
    nim: list[str], tmp_path: Path
) -> None:
    source = tmp_path / "engine.cpp"
    source.write_text(
        '#include "binary_log.hpp"\nstruct Row { uint32_t parent; };\n'
        'int main() { plyscope::BinaryLog<Row> log("no-folder/x", "", {}); }\n',
        "utf-8",
    )
    command = command_for(source, tmp_path, "-fno-exceptions", "-fno-rtti")
    for each in (command, [*nim, "no-folder/x", "0"]):
        answer = subprocess.run(each, timeout=PATIENCE, capture_output=True, check=False, cwd=tmp_path)
        assert answer.returncode != 0
        assert answer.stderr.decode() == "no-folder/x cannot be written\n"
