"""Kernels of `check`, plain or compiled: one call for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import jit


def run(
    function: Callable[..., Any], compiled: bool, on_progress: Callable[[float], None]
) -> Callable[..., Any]:
    """What to call for the kernel `function`: itself, or its machine code.

    Arguments that are NamedTuples are passed to machine code as bundles. `on_progress` hears 0 before it is
    compiled.
    """
    if not compiled:
        return function
    machine_code = jit.compiled(function)

    def call(*arguments: Any) -> Any:
        passed = tuple(Bundle(each) if hasattr(each, "_fields") else each for each in arguments)
        if jit.needs_compiling(machine_code, *passed):
            on_progress(0.0)
        return machine_code(*passed)

    from engine.bundle import Bundle

    return call
