"""The loggers for other engines: whole searches, and searches whose program ends in the middle."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.words import CUTOFF, OPEN, PRUNED, TERMINAL
from tests.patience import PATIENCE
from tests.unit.loggers.running import (
    LANGUAGES,
    LOGGERS,
    as_commonjs,
    command_for,
    compiler,
    logged,
    program,
)
from tests.unit.logs import there
from tests.unit.same_logs import extras

ODD_PLY = 'a"b\\c\n\t\x01é→'


Died = Callable[..., tuple[bytes, str]]


@pytest.fixture(scope="module")
def died(tmp_path_factory: pytest.TempPathFactory) -> Died:
    """The file that a program in a language leaves when it ends in the middle, and its last words."""
    commands: dict[str, list[str]] = {}

    def run(
        language: str, buffer: int = 0, end: str = "crash", ply: str = ODD_PLY, form: str = "jsonl"
    ) -> tuple[bytes, str]:
        folder = tmp_path_factory.mktemp(language)
        if language not in commands:
            commands[language] = program("dying", language, folder, "-DNDEBUG", "-pthread")
        log, ply = folder / f"died.{form}", json.dumps(ply) if language.endswith("js") else ply
        command = [*commands[language], str(log), str(LOGGERS), str(buffer), end, ply]
        answer = subprocess.run(command, timeout=PATIENCE, capture_output=True, check=False)
        assert (answer.returncode == 0) == (end == "done")
        return log.read_bytes(), answer.stderr.decode("utf-8", "replace")

    return run


def test_the_form_for_require_is_the_module_but_for_its_last_line() -> None:
    module = (LOGGERS / "search_log.mjs").read_text("utf-8").splitlines()
    required = (LOGGERS / "search_log.cjs").read_text("utf-8").splitlines()
    assert required == [*module[:-1], "module.exports = { SearchLog };"]
    example = (LOGGERS / "nim.mjs").read_text("utf-8")
    assert (LOGGERS / "nim.cjs").read_text("utf-8") == as_commonjs(example)


@pytest.mark.slow
def test_the_log_of_a_search_opens_clean_and_is_the_same_in_all_languages(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    logs = []
    for language in LANGUAGES:
        folder = tmp_path_factory.mktemp(language)
        command = command_for(LOGGERS / f"nim.{language}", folder)
        logs.append(logged(command, folder / "nim.jsonl"))
    log, columns = logs[0], logs[0].columns
    for other in logs[1:]:
        assert (other.texts, other.notices, other.header) == (log.texts, log.notices, log.header)
        for name, column in columns.items():
            assert column.tolist() == pytest.approx(other.columns[name].tolist(), nan_ok=True), name
    assert log.notices == (
        "Numbers were written from the view `mover` and are shown as the root player sees them.",
    )
    assert log.header["result"] == {"ply": "take 3", "score": 97}
    assert {CUTOFF, PRUNED, TERMINAL} <= set(columns["outcome"].tolist())
    assert not (columns["outcome"] == OPEN).any()
    report = check(log)
    assert report.findings() == []
    assert {"value", "claim", "window", "cut", "layer", "result", "depth-step"} <= set(report.checked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_log_whose_engine_died_is_strict_json_and_opens_with_what_was_searched(
    died: Died, language: str
) -> None:
    def refuse(token: str) -> None:
        raise AssertionError(token)

    written = died(language)[0]
    lines = [json.loads(line, parse_constant=refuse) for line in written.splitlines()]
    assert lines[1]["nested"] == {"list": ["nan", 1.5]}
    assert [line["factors"] for line in lines if "factors" in line] == [[2, "nan", -0.5]]
    left = {line["id"]: line.get("score") for line in lines[1:]}
    assert (left[2], left[7], left[8]) == ("nan", None, None)  # no score is not a score that is no number
    log = read_log(written)
    columns = log.columns
    plies = [log.text(int(ply)) for ply in columns["ply"]]
    assert plies == [None, ODD_PLY, "b", None, "c", None, None, "n", "o", "d"]
    assert columns["score"][1] == math.inf
    assert math.isnan(columns["score"][2])
    assert columns["alpha"][0] == -math.inf
    assert columns["depth"][4] == 0.1
    assert columns["quiescence"][2] == 1
    assert columns["count"].tolist() == [-1, -1, -1, 2, -1, 12, -1, -1, -1, -1]
    assert np.isnan(columns["score"][7:9]).all()
    assert columns["outcome"][7:9].tolist() == [OPEN, 0]  # said to be open; left, but without a word why
    assert log.stub_plies is not None
    assert [log.texts[text] for text in log.stub_plies.of(3)[0]] == ["x", ODD_PLY]
    assert columns["tt_from"][4] == 2
    assert columns["tt_score"][4] == 1
    assert log.header["note"] == "dies"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_buffer_is_lost_in_a_crash_and_written_at_the_end_of_a_program(died: Died, language: str) -> None:
    whole = died(language)[0]
    assert died(language, 65536, "crash")[0] == b""
    assert died(language, 65536, "exit")[0] == whole
    part = died(language, 200, "crash")[0]
    assert whole.startswith(part)
    assert len(whole) - 400 < len(part) < len(whole)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_only_an_entered_node_or_one_thread_has_is_refused_elsewhere(died: Died, language: str) -> None:
    for what in ("score", "cut"):
        written, said = died(language, 0, what)
        assert f"{what}() without enter" in said or f"sl_{what} without sl_enter" in said
        assert read_log(written).n_rows == 10
    if not language.endswith("js"):
        assert "a search log belongs to one thread: open one for each" in died(language, 0, "threads")[1]


NO_UTF_8 = b"a\xff\xc3 \xed\xa0\x80 \xf0\x9f\x98\x80".decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(("language", "form"), [*((each, "jsonl") for each in LANGUAGES), ("py", "plyb")])
def test_what_is_no_utf_8_is_replaced_and_counted(died: Died, language: str, form: str) -> None:
    written, said = died(language, 0, "done", f"a\ud801 {NO_UTF_8}" if language == "mjs" else NO_UTF_8, form)
    log = read_log(written)
    ply = there(log.text(int(log.columns["ply"][1])))
    assert re.fullmatch("a[\ufffd a]+ \U0001f600", ply)
    assert "\ufffd" in ply
    assert extras(log, 0)['n"\\'] == ply  # the name of a field is escaped
    assert "U+FFFD stands for each" in said


def test_a_program_without_exceptions_is_logged_and_ends_with_the_same_words(
    died: Died, tmp_path: Path
) -> None:
    program_and_log = [
        *program("dying", "cpp", tmp_path, "-fno-exceptions", "-fno-rtti", "-pthread"),
        str(tmp_path / "a"),
    ]
    refused = "score() without enter(): each node is entered once and scored once\n"
    for end, code, words in (("score", -signal.SIGABRT, refused), ("exit", 3, "")):
        command = [*program_and_log, str(LOGGERS), "0", end, ODD_PLY]
        answer = subprocess.run(command, timeout=PATIENCE, capture_output=True, check=False)
        written, said = died("cpp", 0, end)
        assert (answer.returncode, answer.stderr.decode()) == (code, words)
        assert (tmp_path / "a").read_bytes() == written
        assert words.strip() in said


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the file that is always full, of Linux")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_log_that_cannot_be_written_does_not_fail_silently(tmp_path: Path, language: str) -> None:
    command = command_for(LOGGERS / f"nim.{language}", tmp_path)
    for name in ("/dev/full", str(tmp_path / "no-folder" / "nim.jsonl")):
        answer = subprocess.run([*command, name], timeout=PATIENCE, capture_output=True, check=False)
        assert answer.returncode != 0


STANDARD = ("stdio", "signal", "unistd")


@pytest.mark.parametrize(
    ("header", "language", "options"),
    [
        ("search_log.h", "c", ["-std=gnu89"]),
        ("binary_log.h", "c", ["-std=gnu89"]),
        ("binary_log.h", "cpp", ["-std=c++17", "-pedantic"]),
        # Which cuts the pointer that an undeclared `fdopen` returns, after the standard library.
        ("live_log.h", "c", ["-std=c99", "-pedantic", *(f"-include{name}.h" for name in STANDARD)]),
    ],
)
def test_a_header_compiles_without_a_warning(
    tmp_path: Path, header: str, language: str, options: list[str]
) -> None:
    source = tmp_path / f"engine.{language}"
    source.write_text(f'#include "{header}"\nint main(void) {{ return 0; }}\n', "utf-8")
    command = [*compiler(language), *options, "-Wall", "-Wextra", "-Werror", f"-I{LOGGERS}"]
    subprocess.run([*command, str(source), "-o", str(tmp_path / "engine")], check=True, timeout=300)
