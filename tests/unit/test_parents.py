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
