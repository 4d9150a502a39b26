"""How many examples a property is given: `make fast` asks for few of them, `make search-sweep` for many."""

from __future__ import annotations

import os

TIMES = float(os.environ.get("PLYSCOPE_EXAMPLES", "1"))


def examples(usual: int, *, least: int = 5) -> int:
    """The number of examples where `usual` is that of the whole suite."""
    return max(least, round(usual * TIMES))
