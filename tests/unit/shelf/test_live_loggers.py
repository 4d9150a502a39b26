"""Loggers that write to a socket of the viewer, which can hold their search."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from plyscope import Logger
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.follow.line_sources import EngineListener
from plyscope.visualizer.shelf.shelf import Shelf
from tests.patience import PATIENCE, wait_for
from tests.unit.loggers.running import LOGGERS, command_for, program
from tests.unit.logs import there
from tests.unit.shelf.conftest import rows, status

Engine = tuple[str, "subprocess.Popen[str]"]
"""Its language, and its process."""
Start = Callable[..., Engine]
REFUSED = (
    "the viewer on port {port} takes no more of this log: "
    "it was closed, or shows another engine; what is logged from here on is dropped\n"
)
IMPORTS = {
    "mjs": """
import { SearchLog } from "file://LOGGERS/search_log.mjs";
import { connect } from "file://LOGGERS/live_log.cjs";
""",
    "cjs": """
const { SearchLog } = require("LOGGERS/search_log.cjs");
const { connect } = require("LOGGERS/live_log.cjs");
""",
}
LONG_SEARCH = """
const log = new SearchLog(connect(PORT), {}, { buffer: 1000 });
log.enter();
for (let i = 0; i < 100000; i++) {
  log.enter("a1");
  log.score(2);
}
throw new Error("the search broke");
"""


@pytest.fixture
def unheard() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def nobody_on(port: int) -> str:
    return f"nobody listens on port {port}: start `plyscope view --listen {port}` first\n"


@pytest.fixture(scope="module", params=("c", "cpp", "mjs", "cjs", "py", "compact c", "compact cpp"))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Starts a small engine that has a breakpoint at its only ply, with a port or a file to write to."""
    language: str = request.param
    *form, ending = language.split()
    command = program("_".join(["live", *form]), ending, tmp_path_factory.mktemp(ending))

    def start(port: int, path: Path | str = "") -> Engine:
        arguments = [*command, str(port), str(path), str(LOGGERS)]
        return language, subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)

    return start


def errors_of(running: subprocess.Popen[str]) -> tuple[int, str]:
    with running:
        return running.wait(PATIENCE), there(running.stderr).read()


def test_an_engine_is_held_at_its_breakpoint(
    shelf: Shelf, awaited: Entry, listener: EngineListener, engine: Start
) -> None:
    language, running = engine(listener.port)
    assert wait_for(lambda: status(awaited).get("hold")) == {"why": 'at "a1"', "node": 1}
    assert rows(shelf, awaited) == 2
    assert running.poll() is None
    there(awaited.live).release()
    assert errors_of(running) == (0, "")
    wait_for(lambda: awaited.live is None)
    assert shelf.open(awaited.id).log.columns["score"].tolist() == [2.0, 2.0]
    assert awaited.name == f"in {language}"


def test_an_engine_goes_on_where_no_viewer_holds_it(
    shelf: Shelf, awaited: Entry, listener: EngineListener, engine: Start, tmp_path: Path, unheard: int
) -> None:
    # The log is a file.
    path = tmp_path / "search.jsonl"
    assert errors_of(engine(0, path)[1])[0] == 0
    assert read_log(path.read_bytes()).n_rows == 2
    assert b"hold" not in path.read_bytes()
    # Nobody listens on the port.
    assert errors_of(engine(unheard)[1]) == (3, nobody_on(unheard))
    # Another engine is connected.
    _, held = engine(listener.port)
    wait_for(lambda: status(awaited).get("hold"))
    assert errors_of(engine(listener.port)[1]) == (0, REFUSED.format(port=listener.port))
    # The viewer is closed.
    listener.close()
    shelf.close()
    assert errors_of(held)[0] == 0


UNASKED = """
#include "live_log.h"
int main(int count, char **arguments) {
    static sl_log log;
    if (count > 2) sl_connect(&log, atoi(arguments[1]), NULL, -1);
    else sl_open(&log, arguments[1], NULL, 65536, -1);
    sl_search(&log, 1);
    sl_enter(&log, NULL, NULL);
    sl_enter(&log, "a1", SL_FIELDS(sl_number("depth", 1)));
    sl_breakpoint(&log, "nobody sees it");
    sl_score(&log, 2, NULL);
    sl_cut(&log, NULL, 3, "pruned");
    sl_stop(&log);
    sl_abandon(&log);
    sl_done(&log, NULL);
    return sl_close(&log) ? 4 : 5;
}
"""


def test_an_engine_in_c_that_does_not_look_whether_its_log_opened_searches_on(
    tmp_path: Path, unheard: int
) -> None:
    (tmp_path / "engine.c").write_text(UNASKED)
    command = command_for(tmp_path / "engine.c", tmp_path)
    nowhere = tmp_path / "nowhere" / "search.jsonl"
    for arguments, said in (
        ([str(nowhere)], f"search log: {nowhere}: No such file or directory; nothing is logged\n"),
        ([str(unheard), "-"], nobody_on(unheard)),
    ):
        running = subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True)
        assert errors_of(running) == (5, said)


def test_the_result_of_a_search_arrives_over_a_socket(
    shelf: Shelf, awaited: Entry, listener: EngineListener
) -> None:
    """It ends the log, though the engine is still connected."""
    log = Logger(f"tcp:{listener.port}", buffer=65536)
    log.enter()
    log.enter("a1")
    log.score(2)
    log.score(2)
    log.done(ply="a1", score=2)
    wait_for(lambda: awaited.live is None)
    read = shelf.open(awaited.id).log
    assert read.header["result"] == {"ply": "a1", "score": 2}
    assert not any("result" in str(notice) for notice in read.notices)
    log.close()


@pytest.mark.parametrize("language", ["mjs", "cjs"])
def test_a_viewer_in_javascript_gets_all_before_the_program_ends(
    shelf: Shelf, awaited: Entry, listener: EngineListener, language: str, tmp_path: Path
) -> None:
    """Nothing of 100,001 nodes is lost, though the search never waits, and ends with an exception."""
    source = (IMPORTS[language] + LONG_SEARCH).replace("LOGGERS", str(LOGGERS))
    (tmp_path / f"engine.{language}").write_text(source.replace("PORT", str(listener.port)))
    command = command_for(tmp_path / f"engine.{language}", tmp_path)
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert "the search broke" in errors_of(running)[1]
    wait_for(lambda: awaited.live is None)
    assert shelf.open(awaited.id).log.n_rows == 100_001
