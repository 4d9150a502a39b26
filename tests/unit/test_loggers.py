"""The loggers for other engines, in C++, JavaScript and Python: run, and their logs opened."""

from __future__ import annotations

import importlib.util
import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import CUTOFF, LAYERS, OPEN, PRUNED, TERMINAL

LOGGERS = Path(__file__).parents[2] / "examples" / "loggers"
LANGUAGES = ("cpp", "mjs", "py")

ODD_PLY = 'a"b\\c\n\t\x01é→'

# Each logs a root and three children: an odd ply with an infinite score, a score that is no number, and one
# during whose search the engine dies.
DYING = {
    "py": """
import math, os, sys
sys.path.insert(0, sys.argv[2])
from search_log import SearchLog
log = SearchLog(sys.argv[1], note="dies")
log.enter(alpha=-math.inf, nested={"list": [math.nan, 1.5]})
log.enter(PLY)
log.score(math.inf)
log.enter("b", quiescence=True)
log.score(math.nan)
log.cut([])
log.cut(["x", PLY], outcome="limited")
log.enter("c", depth=0.1)
os._exit(3)
""",
    "mjs": """
import fs from "node:fs";
const { SearchLog } = await import(`file://${process.argv[3]}/search_log.mjs`);
const file = fs.openSync(process.argv[2], "w");
const log = new SearchLog((line) => fs.writeSync(file, line), { note: "dies" });
log.enter(null, { alpha: -Infinity, nested: { list: [NaN, 1.5] } });
log.enter(PLY);
log.score(Infinity);
log.enter("b", { quiescence: true });
log.score(NaN);
log.cut([]);
log.cut(["x", PLY], "limited");
log.enter("c", { depth: 0.1 });
process.abort();
""",
    "cpp": """
#include <cstdlib>
#include <limits>
#include "search_log.hpp"
int main(int, char** arguments) {
    const double inf = std::numeric_limits<double>::infinity();
    plyscope::SearchLog log(arguments[1], R"("note": "dies")");
    log.enter("", plyscope::Fields().set("alpha", -inf));
    log.enter(PLY);
    log.score(inf);
    log.enter("b", plyscope::Fields().set("quiescence", true));
    log.score(std::numeric_limits<double>::quiet_NaN());
    log.cut({});
    log.cut({"x", PLY}, "limited");
    log.enter("c", plyscope::Fields().set("depth", 0.1));
    std::_Exit(3);
}
""",
}


def cpp_compiler() -> list[str]:
    """The command of a C++ compiler: one of the machine, else the one in the package `ziglang`."""
    for name in ("g++", "c++", "clang++"):
        if found := shutil.which(name):
            return [found]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "c++"]
    pytest.fail("no C++ compiler: install g++ or clang++, or `pip install -e '.[cxx]'`")


def compiled(source: Path, folder: Path) -> Path:
    program = folder / source.stem
    warnings = ("-Wall", "-Wextra", "-pedantic", "-Werror")
    command = [*cpp_compiler(), "-std=c++17", *warnings, f"-I{LOGGERS}", str(source), "-o", str(program)]
    subprocess.run(command, check=True, timeout=300)
    return program


def command_for(source: Path, folder: Path) -> list[str]:
    """What runs a program: an interpreter and the source, or what the source is compiled to."""
    if source.suffix == ".cpp":
        return [str(compiled(source, folder))]
    if source.suffix == ".mjs":
        return [str(compute_driver_executable()[0]), str(source)]
    return [sys.executable, "-B", str(source)]


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Log]:
    """The log of the Nim program in a language, run once."""
    logs: dict[str, Log] = {}

    def run(language: str) -> Log:
        if language not in logs:
            folder = tmp_path_factory.mktemp(language)
            log = folder / "nim.jsonl"
            command = command_for(LOGGERS / f"nim.{language}", folder)
            subprocess.run([*command, str(log)], check=True, timeout=60)
            logs[language] = read_log(log.read_bytes())
        return logs[language]

    return run


@pytest.fixture(scope="module")
def died(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file that a program in a language leaves when it dies in the middle, run once."""
    files: dict[str, Path] = {}

    def run(language: str) -> Path:
        if language not in files:
            folder = tmp_path_factory.mktemp(language)
            source = folder / f"dying.{language}"
            ply = json.dumps(ODD_PLY, ensure_ascii=False)
            source.write_text(DYING[language].replace("PLY", ply.replace("\\u0001", "\\001")), "utf-8")
            if language == "mjs":
                source.write_text(DYING[language].replace("PLY", ply), "utf-8")
            files[language] = folder / "died.jsonl"
            command = [*command_for(source, folder), str(files[language]), str(LOGGERS)]
            assert subprocess.run(command, timeout=60, stderr=subprocess.DEVNULL).returncode != 0
        return files[language]

    return run


@pytest.mark.parametrize("name", ["search_log.hpp", "search_log.mjs", "search_log.py"])
def test_a_logger_has_less_than_60_lines(name: str) -> None:
    assert len((LOGGERS / name).read_text("utf-8").splitlines()) < 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_of_a_search_opens_clean(nim: Callable[[str], Log], language: str) -> None:
    """Of seven, the first player takes three: whatever the other takes of four, the first takes the rest."""
    log = nim(language)
    assert log.notices == (
        "Numbers were written from the view `mover` and are shown as the root player sees them.",
    )
    assert log.header["result"] == {"ply": "take 3", "score": 97}
    columns = log.columns
    assert columns["score"][0] == 97
    replies = [row for row in range(log.n_rows) if columns["parent"][row] == 0]
    assert [log.text(int(columns["ply"][row])) for row in replies] == ["take 1", "take 2", "take 3"]
    assert [LAYERS[columns["layer"][row]] for row in replies] == ["min", "min", "min"]
    assert columns["score"][replies[2]] == 97
    assert {CUTOFF, PRUNED, TERMINAL} <= set(columns["outcome"].tolist())
    assert not (columns["outcome"] == OPEN).any()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_log_of_a_search_is_checked_as_far_as_its_fields_go(
    nim: Callable[[str], Log], language: str
) -> None:
    report = check(nim(language))
    assert report.findings() == []
    assert {"value", "claim", "window", "cut", "layer", "result", "depth-step"} <= set(report.checked)
    lacking = {each.rule: each.needs for each in report.not_checked}
    assert lacking["moves"] == ("moves",)
    assert lacking["path-key"] == ("key",)
    assert lacking["leaf"] == ("static",)
    assert lacking["limit-order"] == ("pre_score",)


def test_the_three_languages_log_the_same(nim: Callable[[str], Log]) -> None:
    first = nim(LANGUAGES[0])
    for language in LANGUAGES[1:]:
        log = nim(language)
        assert log.texts == first.texts
        for name, column in first.columns.items():
            assert column.tolist() == pytest.approx(log.columns[name].tolist(), nan_ok=True), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_log_whose_engine_died_opens_with_what_was_searched(
    died: Callable[[str], Path], language: str
) -> None:
    log = read_log(died(language).read_bytes())
    columns = log.columns
    assert [log.text(int(ply)) for ply in columns["ply"]] == [None, ODD_PLY, "b", None, "c"]
    assert columns["score"][1] == math.inf
    assert math.isnan(columns["score"][2])
    assert columns["alpha"][0] == -math.inf
    assert columns["depth"][4] == 0.1
    assert columns["quiescence"][2] == 1
    assert columns["count"][3] == 2
    assert log.stub_plies is not None
    assert [log.texts[text] for text in log.stub_plies.of(3)[0]] == ["x", ODD_PLY]
    assert log.header["note"] == "dies"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_is_strict_json(died: Callable[[str], Path], language: str) -> None:
    def refuse(token: str) -> None:
        raise AssertionError(token)

    for line in died(language).read_text("utf-8").splitlines():
        json.loads(line, parse_constant=refuse)


def test_a_missing_compiler_fails_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(pytest.fail.Exception, match=r"pip install -e '\.\[cxx\]'"):
        cpp_compiler()


def test_a_compiler_from_the_package_index_stands_in_for_one_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    assert cpp_compiler()[1:] == ["-m", "ziglang", "c++"]


MANUAL = Path(__file__).parents[2] / "docs" / "logging-from-your-engine.md"

POSITIONS = {
    "py": """
import math, sys
sys.path.insert(0, sys.argv[2])
class Position:
    def __init__(self, n): self.n = n
    def is_over(self): return self.n > 9
    def plies(self): return ["a", "b", "c"]
    def after(self, ply): return Position(2 * self.n + ord(ply) % 5)
def evaluate(position): return position.n % 7 - 3
start = Position(1)
""",
    "mjs": """
class Position {
  constructor(n) { this.n = n; }
  isOver() { return this.n > 9; }
  plies() { return ["a", "b", "c"]; }
  after(ply) { return new Position(2 * this.n + (ply.charCodeAt(0) % 5)); }
}
const evaluate = (position) => (position.n % 7) - 3;
const start = new Position(1);
""",
    "cpp": """
#include <algorithm>
#include <cmath>
struct Position {
    int n;
    bool is_over() const { return n > 9; }
    std::vector<std::string> plies() const { return {"a", "b", "c"}; }
    Position after(const std::string& ply) const { return {2 * n + ply[0] % 5}; }
};
double evaluate(const Position& position) { return position.n % 7 - 3; }
""",
}
"""A game for each of the manual's examples; scores are no sense, but the same nonsense in each."""


def manual_program(language: str) -> str:
    """The manual's example in a language, with a game to search."""
    fence = {"py": "python", "mjs": "js", "cpp": "cpp"}[language]
    example = MANUAL.read_text("utf-8").split(f"```{fence}\n")[1].split("```")[0]
    position = POSITIONS[language]
    if language == "cpp":
        functions, calls = example.split("plyscope::SearchLog log(")
        body = f"Position start{{1}};\nplyscope::SearchLog log({calls}"
        return functions.replace("using plyscope", f"{position}using plyscope") + f"int main() {{\n{body}}}\n"
    if language == "mjs":
        imports, rest = example.replace("./search_log.mjs", f"file://{LOGGERS}/search_log.mjs").split(
            "\n\n", 1
        )
        return f"{imports}\n{position}{rest}"
    return position + example


def test_the_examples_of_the_manual_run_and_log_the_same(tmp_path: Path) -> None:
    rows = []
    for language in LANGUAGES:
        folder = tmp_path / language
        folder.mkdir()
        source = folder / f"manual.{language}"
        source.write_text(manual_program(language), "utf-8")
        subprocess.run([*command_for(source, folder), "-", str(LOGGERS)], check=True, timeout=60, cwd=folder)
        log = read_log((folder / "search.jsonl").read_bytes())
        rows.append([log.columns[name].tolist() for name in ("score", "outcome", "level", "bound", "count")])
        assert log.header["result"]["score"] == log.columns["score"][0]
    for other in rows[1:]:
        for column, same in zip(rows[0], other, strict=True):
            assert column == pytest.approx(same, nan_ok=True)
    assert CUTOFF in rows[0][1]
