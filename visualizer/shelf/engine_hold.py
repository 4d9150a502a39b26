"""An engine that waits at its breakpoint until a page says go on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

SECONDS_BETWEEN_LOOKS: Final = 0.5
LONGEST_WHY: Final = 500


@dataclass
class Hold:
    """The engine waits: why, as it says, and at which node."""

    why: str
    node: int | str | None
    """The id that it wrote, None for the node that came last."""
    at: int
    """Bytes that it wrote before."""
    since: float


class EngineHold:
    """The hold of one log's engine, while it waits. All that follow the log share one condition.

    Once it was waited in vain, the engine is not held again until a page asks.
    """

    def __init__(self, changed: threading.Condition, tell: Callable[[], None]) -> None:
        """`tell` says that something changed."""
        self.current: Hold | None = None
        self._changed, self._tell = changed, tell
        self._is_alone = False

    def page_asked(self) -> None:
        """Note that a page is there."""
        self._is_alone = False

    def wait(
        self,
        why: str,
        node: int | str | None,
        at: int,
        *,
        goes_on: Callable[[], bool],
        is_asked_since: Callable[[float], bool],
    ) -> None:
        """Hold the engine while it `goes_on`, until it is released, or nobody asks any more.

        `at` is how many bytes came before. `is_asked_since` says whether a page asked lately, for an engine
        that has been waiting since a time.
        """
        if self._is_alone:
            return
        with self._changed:
            hold = self.current = Hold(why[:LONGEST_WHY], node, at, time.monotonic())
            self._tell()
            while self.current is hold and goes_on():
                self._is_alone = not is_asked_since(hold.since)
                if self._is_alone:
                    break
                self._changed.wait(SECONDS_BETWEEN_LOOKS)
            self.current = None
            self._tell()

    def release(self) -> bool:
        """Let the engine go on; False where it does not wait."""
        with self._changed:
            was_held, self.current = self.current is not None, None
            self._changed.notify_all()
        return was_held
