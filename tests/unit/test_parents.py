"""Nothing outlives its parent: a match, a tuning, a game that is played, however that is ended."""

from __future__ import annotations

import signal
import sys

import pytest

from tests.parents import PARENTS, WAYS, outliving


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parent", PARENTS)
def test_no_process_outlives_its_parent(parent: str, way: signal.Signals) -> None:
    if "cluster" in parent:
        pytest.importorskip("distributed")
    assert outliving(parent, way)[1] == 0
