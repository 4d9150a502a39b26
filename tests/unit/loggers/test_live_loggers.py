"""Loggers that write to a socket of the viewer, which can hold their search."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyscope import Logger
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf.line_sources import EngineListener
from plyscope.visualizer.shelf.shelf import Shelf
from tests.unit.loggers.running import LOGGERS, compiler
from tests.unit.shelf.test_following import rows, status, wait_for

ENGINE = r"""
#include "live_log.h"
int main(int count, char **arguments) {
    static sl_log log;
    const char *header = "\"search\": {\"engine\": \"in C\"}";
    int port = count > 1 ? atoi(arguments[1]) : 0;
    if (port ? !sl_connect(&log, port, header, -1) : !sl_open(&log, arguments[2], header, 0, -1)) return 3;
    sl_search(&log, 1);
    sl_enter(&log, NULL, NULL);
    sl_enter(&log, "a1", NULL);
    sl_breakpoint(&log, "at \"a1\"");
    sl_score(&log, 2, NULL);
    sl_score(&log, 2, NULL);
    sl_done(&log, NULL);
    return !sl_close(&log);
}
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "data", tmp_path / "cache")
    yield shelf
    shelf.close()


@pytest.fixture
def listener(shelf: Shelf) -> Iterator[EngineListener]:
    listener = EngineListener(shelf, socket.create_server(("127.0.0.1", 0)))
    listener.start()
    yield listener
    listener.close()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small engine in C that has a breakpoint at its only ply."""
    folder = tmp_path_factory.mktemp("live")
    (folder / "engine.c").write_text(ENGINE)
    program = folder / "engine"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", f"-I{LOGGERS}"]
    subprocess.run(
        [*compiler("c"), *flags, str(folder / "engine.c"), "-o", str(program)], check=True, timeout=60
    )
    return program


def test_an_engine_in_c_is_held_at_its_breakpoint(
    shelf: Shelf, listener: EngineListener, engine: Path
) -> None:
    entry = shelf.first()
    assert entry is not None
    with subprocess.Popen([engine, str(listener.port)]) as running:
        assert wait_for(lambda: status(entry).get("hold")) == {"why": 'at "a1"', "node": 1}
        assert rows(shelf, entry) == 2
        assert running.poll() is None
        assert entry.live is not None
        entry.live.release()
        assert running.wait(20) == 0
    wait_for(lambda: entry.live is None)
    assert shelf.open(entry.id).log.columns["score"].tolist() == [2.0, 2.0]
    assert entry.name == "in C"


def test_an_engine_in_c_that_writes_a_file_never_waits(engine: Path, tmp_path: Path) -> None:
    path = tmp_path / "search.jsonl"
    subprocess.run([engine, "0", path], check=True, timeout=20)
    assert read_log(path.read_bytes()).n_rows == 2
    assert b"hold" not in path.read_bytes()


def test_an_engine_in_c_says_that_nobody_listens(engine: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert subprocess.run([engine, str(port)], check=False, timeout=20).returncode == 3


def test_the_logger_in_c_may_be_included_after_the_standard_library(tmp_path: Path) -> None:
    """Strict C99 cuts the pointer that an undeclared `fdopen` returns."""
    before = "#include <stdio.h>\n#include <signal.h>\n#include <unistd.h>"
    (tmp_path / "engine.c").write_text(before + ENGINE)
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{LOGGERS}", "-fsyntax-only"]
    subprocess.run([*compiler("c"), *flags, str(tmp_path / "engine.c")], check=True, timeout=60)


def test_an_engine_in_python_says_that_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ConnectionRefusedError, match=f"start `plyscope view --listen {port}` first"):
        Logger(f"tcp:{port}")


def test_an_engine_in_python_that_is_refused_says_so_and_goes_on(
    shelf: Shelf, listener: EngineListener, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", listener.port), timeout=20):
        wait_for(lambda: listener._engine is not None)
        log = Logger(f"tcp:{listener.port}", buffer=0)
        log.enter()

        def is_lost() -> bool:
            log.enter("a1")
            log.score(2)
            return log._file.closed

        wait_for(is_lost)
        log.score(2)
        log.done(ply="a1")
    assert capsys.readouterr().err == (
        f"the viewer on port {listener.port} takes no more of this log: it was closed, "
        "or shows another engine; what is logged from here on is dropped\n"
    )


def test_an_engine_in_python_that_is_refused_is_not_held(
    listener: EngineListener, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", listener.port), timeout=20):
        wait_for(lambda: listener._engine is not None)
        log = Logger(f"tcp:{listener.port}", buffer=65536)
        log.enter()
        log.breakpoint("never seen")
        assert "takes no more of this log" in capsys.readouterr().err


def search(log: Logger) -> None:
    with log.search(iteration=1):
        log.enter()
        log.enter("a1")
        log.breakpoint("why")
        log.score(2)
        log.score(2)
    log.done(ply="a1")


@pytest.mark.parametrize("buffer", [0, 65536])
def test_an_engine_in_python_is_held_at_its_breakpoint(
    shelf: Shelf, listener: EngineListener, buffer: int
) -> None:
    entry = shelf.first()
    assert entry is not None
    log = Logger(f"tcp:{listener.port}", buffer=buffer, search={"engine": "in Python"})
    engine = threading.Thread(target=search, args=(log,))
    engine.start()
    assert wait_for(lambda: status(entry).get("hold")) == {"why": "why", "node": 1}
    assert entry.live is not None
    entry.live.release()
    engine.join(20)
    assert not engine.is_alive()
    wait_for(lambda: entry.live is None)
    assert shelf.open(entry.id).log.columns["score"].tolist() == [2.0, 2.0]


def test_an_engine_goes_on_when_the_viewer_is_closed(shelf: Shelf, listener: EngineListener) -> None:
    entry = shelf.first()
    assert entry is not None
    log = Logger(f"tcp:{listener.port}")
    engine = threading.Thread(target=search, args=(log,))
    engine.start()
    wait_for(lambda: status(entry).get("hold"))
    listener.close()
    shelf.close()
    engine.join(20)
    assert not engine.is_alive()


def test_a_breakpoint_of_a_file_never_waits(tmp_path: Path) -> None:
    search(Logger(tmp_path / "search.jsonl"))
    assert read_log((tmp_path / "search.jsonl").read_bytes()).n_rows == 2
