"""The pass of the rule about paths: what the same plies lead to has one key."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.facts.sight import Array, Sight
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.same_key_kernels import n_slots
from plyscope.visualizer.analysis.check.passes.same_path_kernels import Places, meet_paths

CHUNK: Final = 1 << 18
"""Rows compared between two looks at whether to stop."""
MOST_STEPS: Final = 64
"""Children of one node that are read one after the other."""


def flags_by_path(sight: Sight, work: Work) -> Array:
    """Return one byte a row: OTHER_KEY, MET_KEY. Raises `StoppedError` if the work is to stop."""
    n_rows, n_texts = sight.n_rows, len(sight.log.texts)
    flags = np.zeros(n_rows, np.uint8)
    if len(sight.key) == 0 or len(sight.ply) == 0:
        return flags
    of_rows = work.scratch.take(*[(n_rows, np.int32)] * 3)
    for each in of_rows[1:]:
        each[:] = 0
    # What is not written costs no memory: nearly all of `keyed` and `table`.
    places = Places(
        first=of_rows[0],
        added=of_rows[1],
        next=of_rows[2],
        keyed=np.zeros(n_rows, np.int32),
        slot=np.zeros(n_texts, np.int32),
        stamp=np.zeros(n_texts, np.int32),
        of_roots=np.zeros(n_texts + 1, np.int32),
        table=np.zeros(n_slots(n_rows), np.int32),
    )
    meet = work.run(meet_paths)
    for first in range(0, n_rows, CHUNK):
        work.go_on(first / n_rows)
        meet(sight, places, first, min(first + CHUNK, n_rows), MOST_STEPS, flags)
    work.go_on(1.0)
    return flags
