"""Have the kernels that read, seal and draw a log ready before it is large.

A process of its own compiles them and keeps the machine code on disk, where the one that follows finds it.
Loading it takes half a second, which a thread beside spends; until then lines are read one by one.
"""

from __future__ import annotations

import threading

import numpy as np

from plyscope.visualizer.analysis.warm_up import compile_elsewhere, follow_lines

_begun = threading.Lock()
_is_ready = threading.Event()


def begin() -> None:
    """Begin, unless that was done before in this process."""
    if _begun.acquire(blocking=False):
        threading.Thread(target=_make_ready, name="plyscope-warm-up", daemon=True).start()


def is_ready() -> bool:
    """Whether the kernels are loaded."""
    return _is_ready.is_set()


def _make_ready() -> None:
    """Compile the kernels in another process, or in this one if that fails, and load them."""
    if not _are_compiled():
        compile_elsewhere("follow")
    follow_lines()
    _is_ready.set()


def _are_compiled() -> bool:
    """Whether the machine code is on disk, by that of the kernel that is compiled last."""
    from plyscope.engine.jit import compiled, needs_compiling
    from plyscope.visualizer.formats.read.node_numbers import find_ids

    ids, numbers = np.zeros(1, np.int64), np.zeros(1, np.int32)
    return not needs_compiling(compiled(find_ids), ids, ids, numbers, 1, numbers)
