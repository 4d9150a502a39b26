"""Child processes: what they are asked and tell, how they end, and that nothing outlives its parent."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.match.engine_process import EngineProcess
from plyscope.engine.match.errors import PlayerError
from plyscope.visualizer.child_process import ChildEndedError, ChildError, ChildProcess, tell_result
from tests.parents import PARENTS, WAYS, outliving
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
MODULE = "tests.unit.child_processes"


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChildProcess]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with ChildProcess(MODULE) as child:
        yield child


def test_a_result_comes_after_the_progress_before_it(child: ChildProcess) -> None:
    seen: list[int] = []
    child.send({"do": "count", "n": 5})
    assert child.result(seen.append) == 5
    assert seen == [0, 1, 2, 3, 4]
    assert child.is_compiling


def test_results_wait_for_what_is_prepared_before_them(child: ChildProcess) -> None:
    child.prepare({"do": "prepare", "n": 500})
    child.send({"do": "double", "n": 4})
    assert (child.result(), child.is_prepared) == (8, True)


def test_an_error_is_the_childs_sentence_and_the_child_goes_on(child: ChildProcess) -> None:
    with pytest.raises(ChildError, match=r"^not this one$") as caught:
        child.ask({"do": "refuse"})
    assert not isinstance(caught.value, ChildEndedError)
    long = "é" * 1_000_000  # more than a pipe holds
    assert child.ask({"do": "double", "n": long}) == 2 * long


def test_questions_of_many_threads_each_get_their_own_answer(child: ChildProcess) -> None:
    answers: dict[int, int] = {}

    def ask(first: int) -> None:
        for n in range(first, first + 50):
            answers[n] = child.ask({"do": "double", "n": n})

    threads = [threading.Thread(target=ask, args=(100 * k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert answers == {100 * k + n: 2 * (100 * k + n) for k in range(6) for n in range(50)}


@pytest.mark.parametrize(
    ("task", "how"),
    [
        ("half a word", r"^its process was killed \(signal 9\), perhaps for want of memory$"),
        ("exit", r"^its process broke off \(exit code 3\); the terminal may say why$"),
    ],
)
def test_a_child_that_ends_without_a_word_says_how(child: ChildProcess, task: str, how: str) -> None:
    child.send({"do": task})
    for _ in range(2):  # asking again does not wait either
        with pytest.raises(ChildEndedError, match=how):
            child.result()
    assert not child.is_running
    child.send({"do": "double", "n": 1})  # is no error of its own
    with pytest.raises(ChildEndedError, match=how):
        child.ask({"do": "double", "n": 1})


def test_a_child_is_killed_once_and_one_that_cannot_begin_says_so(child: ChildProcess) -> None:
    for _ in range(2):  # again is no error
        child.kill()
        with pytest.raises(ChildEndedError, match=r"killed \(signal 9\)"):
            child.result()
    with (
        ChildProcess("plyscope.no_such_module", stderr=subprocess.DEVNULL) as other,
        pytest.raises(ChildEndedError, match="exit code 1"),
    ):
        other.result()


def test_a_child_whose_input_is_closed_ends(child: ChildProcess) -> None:
    child.send({"do": "hang"})
    child.receive()
    child.close_input()
    with pytest.raises(ChildEndedError):
        child.result()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (LookupError("no such thing"), "no such thing"),
        (MemoryError(), "the work needs more memory than this machine has free; close other programs"),
        (TypeError("x"), "Plyscope has a fault here (TypeError: x); please report it"),
    ],
)
def test_work_that_fails_says_why(error: Exception, sentence: str) -> None:
    def fail() -> None:
        raise error

    told: list[Any] = []
    tell_result(fail, told.append, what="the work", refusals=(LookupError,))
    assert told == [{"error": sentence}]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parent", PARENTS)
def test_no_process_outlives_its_parent(parent: str, way: signal.Signals) -> None:
    if "cluster" in parent:
        pytest.importorskip("distributed")
    assert outliving(parent, way)[1] == 0


def test_an_engine_whose_guard_cannot_be_started_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    class Begun(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            if begun:
                raise OSError(11, "Resource temporarily unavailable")
            super().__init__(*args, **options)
            begun.append(self)

    monkeypatch.setattr(subprocess, "Popen", Begun)
    with pytest.raises(PlayerError, match="could not be started: Resource temporarily unavailable"):
        EngineProcess([sys.executable, "-c", "import time; time.sleep(1e6)"])
    assert begun[0].returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_a_pipe_of_any_number_ends_its_reader() -> None:
    """A server with many connections gives its children numbers beyond 1,024, which `select` refuses."""
    waits = """if True:
        import fcntl, os, resource, time
        from plyscope.engine.parent import end_with_writers
        resource.setrlimit(resource.RLIMIT_NOFILE, (2000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        reading, writing = os.pipe()
        end_with_writers(fcntl.fcntl(reading, fcntl.F_DUPFD, 1500))
        print("waits", flush=True)
        os.close(writing)
        time.sleep(1e6)
    """
    ended = subprocess.run([sys.executable, "-c", waits], capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("waits\n", "", -signal.SIGIO)
