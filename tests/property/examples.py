"""The number of examples of a property: few for `make fast`, many for `make properties`."""

from __future__ import annotations

import os

TIMES = float(os.environ.get("PLYSCOPE_EXAMPLES", "1"))


def examples(usual: int, *, least: int = 5) -> int:
    """The number of examples where `usual` is that of a run by hand."""
    return max(least, round(usual * TIMES))
