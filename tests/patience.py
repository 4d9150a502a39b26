"""How tests wait: for a state, with a limit so generous that only what hangs reaches it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE: Final = 240.0
"""Seconds: a loaded machine takes minutes for what takes a moment on one at rest."""


def wait_for(condition: Callable[[], Any]) -> Any:
    """Return the value of the condition once it is true; fail the test if it never is."""
    deadline = time.monotonic() + PATIENCE
    while not (said := condition()):
        assert time.monotonic() < deadline, "it never came to that"
        threading.Event().wait(0.01)
    return said
