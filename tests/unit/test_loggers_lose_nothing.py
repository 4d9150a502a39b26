"""Texts that are no UTF-8, odd names, two threads: each logger writes a log that opens, or refuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from tests.patience import PATIENCE
from tests.unit.loggers.running import LOGGERS, as_commonjs, command_for

C = """
#include <pthread.h>
#include "search_log.h"
static sl_log log_;
static void *other(void *none) { sl_enter(&log_, "b", NULL); return none; }
int main(int n, char **given) {
    pthread_t thread;
    if (n < 3 || !sl_open(&log_, given[1], NULL, 0, -1)) return 1;
    sl_enter(&log_, "a\\xff\\xc3", SL_FIELDS(sl_text("n\\"\\\\", "\\xed\\xa0\\x80 \\xf0\\x9f\\x98\\x80")));
    if (*given[2] == 't') pthread_create(&thread, NULL, other, NULL), pthread_join(thread, NULL);
    sl_score(&log_, 1, NULL);
    sl_done(&log_, NULL);
    return !sl_close(&log_);
}
"""
COMPACT = """
#include <pthread.h>
#include "binary_log.h"
typedef struct { uint32_t parent, ply, name; float score; uint8_t outcome; } row;
static const bl_field FIELDS[] = {
    BL_FIELD(row, parent, BL_U32), BL_FIELD(row, ply, BL_TEXT), BL_NAMED("n\\"\\\\", row, name, BL_TEXT),
    BL_FIELD(row, score, BL_F32), BL_FIELD(row, outcome, BL_WORD), BL_END};
static bl_log log_;
static void *other(void *none) { bl_enter(&log_); return none; }
int main(int n, char **given) {
    pthread_t thread;
    if (n < 3 || !bl_open(&log_, given[1], NULL, FIELDS, sizeof(row), 1 << 16, -1)) return 1;
    uint32_t ply = bl_text(&log_, "a\\xff\\xc3");
    uint32_t name = bl_text(&log_, "\\xed\\xa0\\x80 \\xf0\\x9f\\x98\\x80");
    row *node = bl_enter(&log_);
    node->ply = ply, node->name = name;
    if (*given[2] == 't') pthread_create(&thread, NULL, other, NULL), pthread_join(thread, NULL);
    node = bl_leave(&log_);
    node->score = 1;
    if (*given[2] == 'm') bl_leave(&log_);
    bl_done(&log_, NULL);
    return !bl_close(&log_);
}
"""
CPP = """
#include <thread>
#include "search_log.hpp"
int main(int, char **given) {
    plyscope::SearchLog log(given[1]);
    log.enter("a\\xff\\xc3", plyscope::Fields().set("n\\"\\\\", "\\xed\\xa0\\x80 \\xf0\\x9f\\x98\\x80"));
    if (*given[2] == 't') std::thread([&] { log.enter("b"); }).join();
    log.score(1);
    log.done();
}
"""
JS = f"""
import fs from "node:fs";
import {{ SearchLog }} from "{LOGGERS}/search_log.mjs";
const file = fs.openSync(process.argv[2], "w");
const log = new SearchLog((text) => fs.writeSync(file, text));
log.enter("a\\ud800\\udc00\\ud801", {{ 'n"\\\\': "\\udfff \\u{{1F600}}" }});
log.score(1);
log.done();
"""
PYTHON = f"""
import sys, threading
sys.path.insert(0, {str(LOGGERS)!r})
from search_log import SearchLog
log = SearchLog(sys.argv[1])
log.enter("a\\udcff\\udcc3", **{{'n"\\\\': "\\ud800 \\U0001F600"}})
def other():
    try:
        log.enter("b")
    except RuntimeError as error:
        print(error, file=sys.stderr)
if sys.argv[2] == "threads":
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
log.score(1)
log.done()
"""
PROGRAMS = {
    "c": ("c", C, "log.jsonl"),
    "compact c": ("c", COMPACT, "log.plyb"),
    "cpp": ("cpp", CPP, "log.jsonl"),
    "mjs": ("mjs", JS, "log.jsonl"),
    "cjs": ("cjs", as_commonjs(JS), "log.jsonl"),
    "py": ("py", PYTHON, "log.jsonl"),
    "compact py": ("py", PYTHON, "log.plyb"),
}


def run(name: str, folder: Path, how: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run a program, compiled as for a release."""
    language, text, log = PROGRAMS[name]
    source = folder / f"program.{language}"
    source.write_text(text, "utf-8")
    command = command_for(source, folder, "-DNDEBUG", "-pthread", "-std=gnu99" if language == "c" else "-O1")
    answer = subprocess.run(
        [*command, str(folder / log), how], timeout=PATIENCE, capture_output=True, text=True, check=False
    )
    return answer, folder / log


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_no_utf_8_is_replaced_and_counted_and_names_are_escaped(name: str, tmp_path: Path) -> None:
    answer, path = run(name, tmp_path, "alone")
    assert answer.returncode == 0, answer.stderr
    log = read_log(path.read_bytes())
    ply = log.text(int(log.columns["ply"][0]))
    assert ply is not None
    assert (ply[0], set(ply[1:]) <= {"\ufffd", "\U00010000"}) == ("a", True)
    assert "\ufffd" in ply
    ((name, value),) = json.loads(log.extras.of(0)).items()
    assert name == 'n"\\'
    assert (value.endswith("\ufffd \U0001f600"), log.columns["score"][0]) == (True, 1)
    assert "U+FFFD stands for each" in answer.stderr


@pytest.mark.parametrize("name", [each for each in PROGRAMS if not each.endswith("js")])
def test_a_second_thread_is_refused(name: str, tmp_path: Path) -> None:
    answer, _ = run(name, tmp_path, "threads")
    assert "a search log belongs to one thread: open one for each" in answer.stderr


def test_a_node_that_is_left_twice_in_the_compact_form_is_refused(tmp_path: Path) -> None:
    answer, _ = run("compact c", tmp_path, "misuse")
    assert "bl_leave without bl_enter: each node is entered once and left once" in answer.stderr
    assert answer.returncode != 0
