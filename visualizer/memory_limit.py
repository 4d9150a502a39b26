"""The limit on the memory of a process that reads logs, and its error where that is not enough."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

MEMORY_PART: Final = 0.75
"""The share of the machine's memory that a process may take while it reads a log."""


def bound_memory() -> None:
    """Limit the memory of this process, where the system can."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        most = int(MEMORY_PART * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def want_of_memory(what: str) -> str:
    """The sentence for a MemoryError; `what` is the name of the work."""
    with suppress(ImportError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_DATA)
        if most != resource.RLIM_INFINITY:
            there_is = f"the {most / 2**30:,.1f} GB that reading may take on this machine"
            return f"{what} needs more memory than {there_is}; a larger machine lets it have more"
    return f"{what} needs more memory than this machine has free; close other programs"
