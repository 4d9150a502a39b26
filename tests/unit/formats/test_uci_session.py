"""The text of a session over UCI opens as a log of what the engine said."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.explain.answer import explain
from plyscope.visualizer.analysis.statistics.iterations import iterations
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.uci_session import NO_POSITION, START, searches_of
from plyscope.visualizer.shelf.initial_logs import add_paths
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.property.examples import examples
from tests.unit.same_logs import extras

SESSION = """id name Mine 3
setoption name MultiPV value 2
position startpos moves e2e4
go depth 3
info string NNUE enabled info depth 9 score cp 900 pv a7a6
info depth 1 currmove e7e5 currmovenumber 1
info depth 1 seldepth 2 multipv 1 score cp -18 wdl 100 700 200 nodes 20 nps 2000 hashfull 1 time 10 pv e7e5
info depth 1 seldepth 1 multipv 2 score cp -30 nodes 20 nps 2000 time 10 pv c7c5
info depth 2 multipv 1 score cp 5 lowerbound nodes 50 time 15 pv c7c5
info depth 2 multipv 1 score cp 12 nodes 90 time 30 pv c7c5 g1f3
info depth 1 multipv 2 score mate -2 nodes 90 time 30 pv g7g5 d2d4 f7f6 d1h5
bestmove c7c5 ponder g1f3
"""


def plies(log: Log) -> list[str | None]:
    """The ply of each row as the page shows it, None at a root and a stub."""
    return [Tree(log).ply(row) for row in range(log.n_rows)]


def test_depths_are_roots_lines_are_plies_and_a_variation_is_a_chain() -> None:
    log = read_log(SESSION.encode())
    stub = None
    assert plies(log) == [
        *(None, "e5", "c5", stub),
        *(None, "c5", stub),
        *(None, "c5", "Nf3", "g5", "d4", "f6", "Qh5#", stub),
    ]
    assert [root.iteration for root in log.roots] == [1, 2, 2]
    scored = log.columns["score"][[0, 1, 2, 4, 8, 9, 10]]
    assert scored.tolist() == [-0.18, -0.18, -0.3, 0.05, 0.12, 0.12, -99_996]
    depths = [(each.bound, each.nodes, each.seconds) for each in iterations(Tree(log))]
    assert depths == [("exact", 20, 0.01), ("lower", 30, 0.005), ("exact", 40, 0.015)]
    assert log.header["position"] == f"{START} moves e2e4"
    assert log.header["search"]["engine"] == "Mine 3"
    assert log.header["search"]["options"] == {"MultiPV": "2"}
    result = {"root": 2, "nodes": 90, "seconds": 0.03, "score": 0.12, "bound": "exact", "ply": "c7c5"}
    assert result.items() <= log.header["result"].items()
    assert extras(log, 0) == {"total_nodes": 20, "seldepth": 1, "nps": 2000, "hashfull": 1, "time": 10}
    assert extras(log, 1) == {"seldepth": 2, "wdl": [100, 700, 200]}
    # Whoever asks is told that it is what the engine said.
    assert "not the tree that it searched" in log.notices[0]
    assert "An engine said these lines over UCI" in str(explain(Tree(log)))
    report = check(log)
    assert not report.findings()
    said = {each.rule: each.reason for each in report.not_checked}
    why = "these are lines that an engine said over UCI, not the tree that it searched"
    assert said["value"] == said["result"] == why
    assert said.get("nan") != why


PREFIXES = {
    "cutechess": ("812 >Mine(0): ", "901 <Mine(0): ", "812 >Other(1): ", "901 <Other(1): "),
    "arena": ("12:00:00.123-->1:", "12:00:00.130<--1:", "12:00:00.123-->2:", "12:00:00.130<--2:"),
    "fastchess": ("[12:00:00] <140> Mine <--- ", "[12:00:01] <140> Mine ---> ", "Other <--- ", "Other ---> "),
    "times": ("[2026-01-01 12:00:00.123] ", "[2026-01-01 12:00:01.456] ", "", ""),
}


@pytest.mark.parametrize("program", PREFIXES)
def test_what_a_gui_writes_before_a_line_is_left_out(program: str) -> None:
    to, from_, other_to, other_from = PREFIXES[program]
    lines = []
    for line in SESSION.splitlines():
        lines.append((from_ if line.split()[0] in ("info", "bestmove", "id") else to) + line)
        if other_to and line.startswith("info depth 1"):  # another engine thinks at the same time
            lines += [f"{other_to}go infinite", f"{other_from}info depth 7 score cp 99 pv d7d5"]
    log = read_log("\r\n".join(lines).encode(), mapping={"go": "1"})
    found = next(each for each in searches_of("\n".join(lines).encode()) if each.engine == "Mine 3")
    assert found.go == "depth 3"
    assert str(found) == str(searches_of(SESSION.encode())[0])
    assert log.header["search"]["said_over"] == "UCI"


def test_a_session_without_a_position_asks_for_one() -> None:
    text = b"info depth 4 score cp 20 pv e7e5 g1f3\n"
    log = read_log(text)
    assert NO_POSITION in log.notices
    assert log.header.get("game") is None
    stated = read_log(text, mapping={"position": "startpos moves e2e4"})
    assert stated.header["position"] == f"{START} moves e2e4"
    assert NO_POSITION not in stated.notices
    assert stated.players[stated.columns["player"][0]] == "black"
    with pytest.raises(LogError, match="of a session over UCI score cannot be mapped"):
        read_log(text, mapping={"score": "cp"})
    # One that is cut in a ply keeps the plies before; a finished game has a score and no ply.
    assert plies(read_log(b"info depth 4 score cp 20 pv e2e4 e7e5 g1")) == [None, "e2e4", "e7e5", None]
    mated = b"position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3\n"
    log = read_log(mated + b"info depth 0 score mate 0\nbestmove (none)")
    assert (log.columns["score"][0], "ply" in log.header["result"]) == (-100_000, False)


def test_several_go_are_several_logs(tmp_path: Path) -> None:
    text = SESSION + SESSION.replace("e2e4", "d2d4").replace("g1f3", "g1h3")
    log = read_log(text.encode())
    assert log.header["position"].endswith("moves d2d4")
    assert log.notices[-1] == "Search 2 of 2 in this session is shown; `--map go=1` shows the first."
    assert read_log(text.encode(), mapping={"go": "1"}).header["position"].endswith("moves e2e4")
    for chosen in ("3", "9" * 5000):
        with pytest.raises(LogError, match="expected the number of a search, 1 to 2"):
            read_log(text.encode(), mapping={"go": chosen})
    path = tmp_path / "session.txt"
    path.write_text(text)
    shelf = Shelf(tmp_path / "data", tmp_path / "cache")
    add_paths(shelf, [path])
    names = {entry.name: shelf.open(entry.id).log.header["position"][-4:] for entry in shelf.entries()}
    assert names == {"session.txt": "d2d4", "session.txt go 1": "e2e4"}
    pasted = shelf.paste(text.encode(), "mine")
    assert pasted.name == "mine go 2"
    assert {"mine go 1", "mine go 2"} <= {entry.name for entry in shelf.entries()}
    shelf.close()


WORDS = (
    *("depth", "multipv", "score", "cp", "mate", "nodes", "time", "wdl", "pv", "upperbound", "oddbound"),
    *("e2e4", "e7e5", "0", "3", "-3", "+-5", "9" * 5000, "99999999999999999999", "string", "\u0663"),
)


@settings(max_examples=examples(200))
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=14), min_size=1, max_size=4))
@example([["depth", "3", "multipv", "0", "pv", "e2e4"], ["multipv", "3", "pv", "e7e5"]])
@example([["score", "cp", "+-5"], ["nodes", "9" * 5000]])
def test_whatever_an_engine_says_is_read_or_refused(said: list[list[str]]) -> None:
    lines = ["info depth 1 score cp 1 pv e2e4", *(f"info {' '.join(words)}" for words in said)]
    with suppress(LogError):
        assert read_log("\n".join(lines).encode()).n_rows
