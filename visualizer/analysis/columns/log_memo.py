"""Values kept as long as their log, which they must not hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Protocol, TypeVar
from weakref import WeakKeyDictionary

from plyscope.visualizer.store.log import Log

Value = TypeVar("Value")


class OfLog(Protocol):
    """Something that a log is seen by, such as a sight."""

    @property
    def log(self) -> Log:
        """The log itself."""


Seen = TypeVar("Seen", bound=Log | OfLog)


def once_a_log(make: Callable[[Seen], Value]) -> Callable[[Seen], Value]:
    """Have a function of a log, or of a sight of one, make its value once, and keep it as long as the log."""
    values: WeakKeyDictionary[Log, Value] = WeakKeyDictionary()

    @wraps(make)
    def kept(seen: Seen) -> Value:
        log = seen if isinstance(seen, Log) else seen.log
        if log not in values:
            values[log] = make(seen)
        return values[log]

    return kept
