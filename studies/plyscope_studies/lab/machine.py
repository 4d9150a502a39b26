"""The machine on which figures were measured, in one line that stands beside them."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from plyscope.version import __version__


def machine() -> str:
    """The processor, how busy it is, and what runs on it."""
    n_cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{processor()}, {n_cores} cores{busy}; Plyscope {__version__}, "
        f"Python {platform.python_version()}, numba {version('numba')}"
    )


def processor() -> str:
    """The name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
