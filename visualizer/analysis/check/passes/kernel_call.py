"""Call kernels of `check`, plain or compiled, in one way; and report the progress of passes over the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from plyscope.engine import jit
from plyscope.visualizer.analysis.check.passes.scratch import Scratch


class StoppedError(Exception):
    """The check was stopped before it was done."""


def _say_nothing(fraction: float) -> None:
    return None


@dataclass(frozen=True)
class Work:
    """Settings of passes over the rows: compiled or plain, with callbacks for progress and for stopping.

    Passes that may run at the same time need works with a `scratch` each.
    """

    compiled: bool = False
    on_progress: Callable[[float], None] = _say_nothing
    should_stop: Callable[[], bool] | None = None
    scratch: Scratch = field(default_factory=Scratch, repr=False, compare=False)

    def run(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the callable of the kernel `function`."""
        return run(function, self.compiled, self.on_progress)

    def go_on(self, fraction: float) -> None:
        """Report the share of a pass that is done; raises `StoppedError` if the check is to stop."""
        if self.should_stop is not None and self.should_stop():
            raise StoppedError("the check was stopped")
        self.on_progress(fraction)

    def part(self, begin: float, end: float) -> Work:
        """Return the work for one of several passes, whose progress goes from `begin` to `end` of the whole.

        >>> said: list[float] = []
        >>> Work(on_progress=said.append).part(0.5, 1.0).go_on(0.5)
        >>> said
        [0.75]
        """
        return replace(self, on_progress=lambda part: self.on_progress(begin + (end - begin) * part))


def run(
    function: Callable[..., Any], compiled: bool, on_progress: Callable[[float], None]
) -> Callable[..., Any]:
    """Return the callable of the kernel `function`: itself, or its machine code.

    Arguments that are NamedTuples are passed to machine code as bundles, each made once. The first call says
    0 to `on_progress` if the kernel has yet to be compiled for its arguments.
    """
    if not compiled:
        return function
    from plyscope.engine.compile.bundle import Bundle

    machine_code = jit.compiled(function)
    bundles: dict[int, tuple[Any, Bundle]] = {}  # with the tuple that each is of, which so keeps its id

    def passed(argument: Any) -> Any:
        if not hasattr(argument, "_fields"):
            return argument
        if id(argument) not in bundles:
            bundles[id(argument)] = argument, Bundle(argument)
        return bundles[id(argument)][1]

    is_ready = False

    def call(*arguments: Any) -> Any:
        nonlocal is_ready
        taken = tuple(map(passed, arguments))
        if not is_ready and jit.needs_compiling(machine_code, *taken):
            on_progress(0.0)
        is_ready = True
        return machine_code(*taken)

    return call
