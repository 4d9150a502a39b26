"""Values kept as long as their log: what a rule found in it, whose figures are told when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Generic, Protocol, TypeVar
from weakref import ref

from plyscope.visualizer.store.log import Log

Value = TypeVar("Value")


class PerLog(Generic[Value]):
    """A value a log, forgotten with the log; the values must not hold their logs."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[ref[Log], Value]] = {}

    def put(self, log: Log, value: Value) -> None:
        """Keep `value` for `log`, in place of what was kept before."""
        number = id(log)
        self._values[number] = ref(log, lambda gone: self._forget(number, gone)), value

    def get(self, log: Log) -> Value | None:
        """Return the value kept for `log`, or None."""
        kept = self._values.get(id(log))
        return kept[1] if kept is not None and kept[0]() is log else None

    def __getitem__(self, log: Log) -> Value:
        """Return the value kept for `log`, of which one was."""
        value = self.get(log)
        assert value is not None
        return value

    def _forget(self, number: int, gone: ref[Log]) -> None:
        if number in self._values and self._values[number][0] is gone:
            del self._values[number]


class OfLog(Protocol):
    """Something that a log is seen by, such as a sight."""

    @property
    def log(self) -> Log:
        """The log itself."""


Seen = TypeVar("Seen", bound=Log | OfLog)


def once_a_log(make: Callable[[Seen], Value]) -> Callable[[Seen], Value]:
    """Have a function of a log, or of a sight of one, make its value once, and keep it as long as the log."""
    values: PerLog[tuple[Value]] = PerLog()

    @wraps(make)
    def kept(seen: Seen) -> Value:
        log = seen if isinstance(seen, Log) else seen.log
        found = values.get(log)
        if found is None:
            found = (make(seen),)
            values.put(log, found)
        return found[0]

    return kept
