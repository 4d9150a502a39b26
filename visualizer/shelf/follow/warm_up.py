"""Have the kernels that read, seal and draw a log ready before it is large.

A process of its own compiles them and keeps the machine code on disk, where the one that follows finds it.
Loading it takes half a second, which a thread beside spends; until then lines are read one by one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from plyscope.visualizer.child_process import ChildError, ChildProcess, Message, Tell, serve_parent

_LINES = b"""{"plyscope": 1}
{"id": 0, "key": "00000000000000ff", "score": 1, "factors": [1, 2], "x": 1}
{"id": 1, "parent": 0, "ply": "a", "key": "00000000000000fe", "score": 2.5, "factors": [1, 2], "x": "y"}
{"id": 9, "parent": 8}
"""

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
        with suppress(ChildError), ChildProcess(__name__) as child:
            child.result()
    run_kernels()
    _is_ready.set()


def _are_compiled() -> bool:
    """Whether the machine code is on disk; that of the kernel which is needed last stands for all."""
    from plyscope.engine.jit import compiled, needs_compiling
    from plyscope.visualizer.store.seal import order_nodes

    rows, numbers = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    return not needs_compiling(compiled(order_nodes), numbers, rows, *[numbers] * 6)


def run_kernels() -> None:
    """Follow a few lines with each kernel, and draw the overview of them."""
    from plyscope.engine.jit import compiled
    from plyscope.visualizer.analysis.overview.picture import overview
    from plyscope.visualizer.formats.following.growing_log import GrowingLog

    log = GrowingLog()
    log.run = compiled
    for line in _LINES.splitlines(keepends=True):
        log.take(line)
        sealed = log.snapshot()
        if sealed is not None:
            overview(sealed, width=8, n_bands=4, few_rows=0)
    log.snapshot(is_final=True)


def serve(_: Iterator[Message], tell: Tell) -> None:
    """Compile."""
    run_kernels()
    tell({"result": None})


if __name__ == "__main__":
    serve_parent(serve)
