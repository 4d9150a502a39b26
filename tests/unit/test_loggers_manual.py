"""The examples of docs/logging-from-your-engine.md: run, and their logs opened."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import CUTOFF, STOPPED
from tests.patience import PATIENCE
from tests.unit.loggers.running import LANGUAGES, LOGGERS, as_commonjs, command_for

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
    "c": """
enum { MAX_PLIES = 3 };
typedef struct { int n; } position;
static int is_over(const position *at) { return at->n > 9; }
static int generate(const position *at, const char **plies) {
    return plies[0] = "a", plies[1] = "b", plies[2] = "c", is_over(at) ? 0 : 3;
}
static position after(const position *at, const char *ply) { return (position){2 * at->n + ply[0] % 5}; }
static double evaluate(const position *at) { return at->n % 7 - 3; }
""",
}
"""A game for each of the manual's examples; scores are no sense, but the same nonsense in each."""


FENCES = {"py": "python", "mjs": "js", "cjs": "js", "cpp": "cpp", "c": "c"}


def examples(language: str) -> list[str]:
    """The manual's code blocks in a language."""
    parts = MANUAL.read_text("utf-8").split(f"```{FENCES[language]}\n")[1:]
    return [part.split("```")[0] for part in parts]


def manual_program(language: str) -> str:
    """The manual's example in a language, with a game to search."""
    example = examples(language)[0]
    position = POSITIONS.get(language, "")
    if language == "cpp":
        functions, calls = example.split("plyscope::SearchLog log(")
        body = f"Position start{{1}};\nplyscope::SearchLog log({calls}"
        return functions.replace("using plyscope", f"{position}using plyscope") + f"int main() {{\n{body}}}\n"
    if language == "c":
        functions, calls = example.split("static sl_log ")
        body = f"position start = {{1}};\nstatic sl_log {calls}"
        return f"{position}{functions}int main(void) {{\n{body}}}\n"
    if language == "py":
        return position + example
    imports, rest = example.split("\n\n", 1)
    module = f"{imports.replace('./search_log.mjs', f'{LOGGERS}/search_log.mjs')}\n{POSITIONS['mjs']}{rest}"
    return as_commonjs(module) if language == "cjs" else module


def run(text: str, language: str, folder: Path, name: str = "search.jsonl") -> Log:
    """The log `name` that a program of the manual writes."""
    folder.mkdir()
    source = folder / f"manual.{language}"
    source.write_text(text, "utf-8")
    subprocess.run(
        [*command_for(source, folder), "-", str(LOGGERS)], check=True, timeout=PATIENCE, cwd=folder
    )
    return read_log((folder / name).read_bytes())


@pytest.mark.slow
def test_the_examples_of_the_manual_run_and_log_the_same(tmp_path: Path) -> None:
    logs = [run(manual_program(language), language, tmp_path / language) for language in LANGUAGES]
    functions, calls = examples("c")[1].split("static bl_log ")
    body = f"position start = {{1}};\nstatic bl_log {calls}"
    program = f"{POSITIONS['c']}{functions}int main(void) {{\n{body}}}\n"
    logs.append(run(program, "c", tmp_path / "compact", "search.plyb"))
    for log in logs:
        assert log.header["result"]["score"] == log.columns["score"][0]
        for name in ("score", "outcome", "level", "bound", "count", "depth", "alpha", "beta"):
            column = logs[0].columns[name].tolist()
            assert log.columns[name].tolist() == pytest.approx(column, nan_ok=True), name
    assert CUTOFF in logs[0].columns["outcome"]


def test_the_way_to_deepen_until_time_runs_out_leaves_a_log_without_findings(tmp_path: Path) -> None:
    first, deepening, _ = examples("py")
    searching, _ = first.split("log.done(")
    searching = searching.replace("score = search(log, start", "# score = search(log, start")
    clock = """
class OutOfTime(Exception): pass
n_left = 200
def evaluate(position):
    global n_left
    n_left -= 1
    if n_left < 0: raise OutOfTime
    return position.n % 7 - 3
"""
    deepening = deepening.replace('ply="…", ', "")
    log = run(f"{POSITIONS['py']}{clock}{searching}{deepening}", "py", tmp_path / "deepening")
    stopped = [root.iteration for root in log.roots if log.columns["outcome"][root.row] == STOPPED]
    assert stopped == [len(log.roots)]
    assert len(stopped) < len(log.roots)
    report = check(log)
    assert report.findings() == []
    assert "stopped-used" in report.checked


OTHERS = {
    "java": (
        "Main.java",
        """
class Main {
    static void tree(SearchLog log, String ply, int level) {
        log.enter(ply, "\\"depth\\": " + (2 - level));
        for (String reply : level < 2 ? new String[] {"a", "b"} : new String[0]) tree(log, reply, level + 1);
        log.cut(2 - level);
        log.score(1.5, "");
    }
    public static void main(String[] arguments) throws Exception {
        try (SearchLog log = new SearchLog("search.jsonl", "\\"note\\": 1")) {
            log.search(2);
            tree(log, null, 0);
            log.done("\\"ply\\": \\"a\\"");
        }
    }
}
""",
        ("java", "Main.java"),
    ),
    "rust": (
        "main.rs",
        """
fn tree(log: &mut SearchLog, ply: Option<&str>, level: usize) -> Result<()> {
    log.enter(ply, &format!(r#""depth": {}"#, 2 - level))?;
    for reply in ["a", "b"].iter().filter(|_| level < 2) { tree(log, Some(reply), level + 1)?; }
    log.cut(2 - level)?;
    log.score(1.5, "")
}
fn main() -> Result<()> {
    let mut log = SearchLog::new("search.jsonl", r#""note": 1"#)?;
    log.search(2);
    tree(&mut log, None, 0)?;
    log.done(r#""ply": "a""#)
}
""",
        ("rustc", "-o", "main", "main.rs"),
    ),
}
"""A program for a logger that stands in the manual alone, its file, and what compiles it."""


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_a_logger_to_copy_compiles_and_its_log_opens(language: str, tmp_path: Path) -> None:
    name, program, command = OTHERS[language]
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    text = MANUAL.read_text("utf-8").split(f"```{language}\n")[1].split("```")[0]
    # Java runs the first class of a file.
    imports, body = text.split("\n\n", 1)
    (tmp_path / name).write_text(f"{imports}\n{program}\n{body}" if language == "java" else text + program)
    subprocess.run(command, check=True, timeout=300, cwd=tmp_path)
    if language == "rust":
        subprocess.run([str(tmp_path / "main")], check=True, timeout=PATIENCE, cwd=tmp_path)
    log = read_log((tmp_path / "search.jsonl").read_bytes())
    assert [root.iteration for root in log.roots] == [2]
    assert log.columns["depth"].tolist()[:4] == [2, 1, 0, 0]
    assert log.columns["count"].max() == 2
    assert (log.header["note"], log.header["result"]) == (1, {"ply": "a"})


MONTE_CARLO = """
import random, sys
sys.path.insert(0, sys.argv[2])
from search_log import SearchLog
class Node:
    def __init__(self, ply, position, player):
        self.ply, self.position, self.player = ply, position, player
        self.visits, self.total, self.children = 0, 0.0, []
    @property
    def mean(self): return self.total / self.visits
    def urgency(self): return (-self.visits, self.total)
def simulate(node, chance):
    if not node.position.is_over() and node.visits > 0:
        if not node.children:
            below = [(ply, node.position.after(ply)) for ply in node.position.plies()]
            node.children = [Node(ply, position, 1 - node.player) for ply, position in below]
        result = simulate(max(node.children, key=Node.urgency), chance)
    else:
        result = chance.choice([-1, 0, 1])  # as the first player sees it
    node.visits += 1
    node.total += result if node.ply is None or node.player == 1 else -result
    return result
root, chance = Node(None, Position(1), 0), random.Random(1)
for _ in range(100): simulate(root, chance)
best = max(root.children, key=lambda child: child.visits)
"""


def test_the_walk_over_a_tree_of_monte_carlo_leaves_a_log_without_findings(tmp_path: Path) -> None:
    walk = examples("py")[2].replace('ply="…"', "ply=best.ply")
    log = run(f"{POSITIONS['py']}{MONTE_CARLO}{walk}", "py", tmp_path / "walk")
    report = check(log)
    assert report.findings() == []
    assert {"visits", "mean", "choice", "result"} <= set(report.checked)
    assert log.columns["visits"][0] == 100
