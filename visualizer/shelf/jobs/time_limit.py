"""A time limit for readers in plain Python, within a request.

A request should be answered within a second, and no file may take a thread for long: half a million keys,
lists nested a million deep. It is only known afterwards which one takes long. Only the time of readers is
counted, and only readers are ended: neither imports, nor compiling, nor kernels.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from plyscope import visualizer
from plyscope.visualizer.store.log import Log

SECONDS_AT_ONCE: Final = 0.5
"""How long a log is read within the request that asks for it; then a process of its own begins anew."""
SECONDS_BETWEEN_LOOKS: Final = 0.05
OURS: Final = (str(Path(visualizer.__file__).parent), "<string>")
"""Where the steps of readers stand, and those of their named tuples."""


class TakesLong(BaseException):
    """The work was ended, since it takes longer; no `except Exception` on the way takes it for a fault."""


def at_once(read: Callable[[], Log]) -> Log:
    """Return the log of `read`; raises TakesLong once readers have worked at it for `SECONDS_AT_ONCE`."""
    thread, done, lock = threading.get_ident(), threading.Event(), threading.Lock()
    of_thread = getattr(time, "pthread_getcpuclockid", None)
    clock = time.CLOCK_MONOTONIC if of_thread is None else of_thread(thread)

    def end() -> None:
        raised = ctypes.py_object(TakesLong)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)

    def watch(before: float) -> None:
        spent = 0.0
        while not done.wait(SECONDS_BETWEEN_LOOKS):
            try:
                now = time.clock_gettime(clock)
            except OSError:  # the thread ended after the wait
                return
            is_reading = is_in_readers(sys._current_frames().get(thread))
            spent, before = spent + (now - before) * is_reading, now
            if is_reading and spent >= SECONDS_AT_ONCE:
                with lock:
                    return None if done.is_set() else end()

    threading.Thread(target=watch, args=[time.clock_gettime(clock)], daemon=True).start()
    try:
        return read()
    finally:
        with lock:
            done.set()  # a call, at which what was raised before arrives: nothing is left for later


def is_in_readers(frame: FrameType | None) -> bool:
    """Return whether all that a thread is in, below `at_once`, are steps of ours."""
    while frame is not None and frame.f_code is not at_once.__code__:
        if not frame.f_code.co_filename.startswith(OURS):
            return False
        frame = frame.f_back
    return frame is not None
