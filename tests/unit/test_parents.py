"""Nothing outlives its parent: a match, a tuning, a game that is played, however that is ended."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import pytest

from plyscope.engine.match.engine_process import EngineProcess
from plyscope.engine.match.errors import PlayerError
from tests.parents import PARENTS, WAYS, outliving
from tests.patience import PATIENCE


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
