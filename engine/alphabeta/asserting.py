"""Assertions of the plain build, of windows and of nodes that are left; compiled searches have none."""

from __future__ import annotations

from typing import Any

from plyscope.engine.alphabeta.sides import cutting_edge, is_better
from plyscope.engine.alphabeta.stack import PLAYING
from plyscope.engine.jit import kernel
from plyscope.engine.record.rows import EXACT, FULL, LOWER, NULL, PROBE, RESEARCH, SCOUT, UPPER


@kernel
def check_window(option: Any, frame: Any, purpose: int, alpha: float, beta: float) -> None:
    """Assert, in the plain build, that a child's window fits its purpose."""
    if purpose == NULL:
        # At the edge that cuts, of the node's own window, whatever the table made of it.
        if frame["maximizes"]:
            assert beta == frame["entry_beta"]
        else:
            assert alpha == frame["entry_alpha"]
        return
    assert frame["alpha"] <= alpha
    assert beta <= frame["beta"]
    if not option["prunes"]:
        assert purpose in (FULL, PROBE)
        assert alpha == frame["alpha"]
        assert beta == frame["beta"]
    if purpose == SCOUT:
        # One edge is the mover's, the other a null width beyond it; no score lies between them.
        assert alpha + option["null_width"] >= beta or beta - option["null_width"] <= alpha
        assert frame["next"] > 0
    if purpose == RESEARCH:
        assert frame["retries"] != 0


@kernel
def check_leaving(option: Any, frame: Any, score: float, bound: int) -> None:
    """Assert, in the plain build, that the score and the bound of a node that is left fit its window."""
    assert 0 <= frame["next"] <= frame["n_kept"] <= frame["n_moves"]
    assert frame["retries"] == 0
    if frame["is_cut"]:
        # A cutoff beats an edge, which only a table entry may have moved inwards.
        assert option["prunes"]
        assert frame["cut_by"] != 0
        assert not is_better(frame["maximizes"], cutting_edge(frame), frame["best"])
    else:
        assert frame["phase"] == PLAYING
        assert frame["next"] == frame["n_kept"]
        assert frame["cut_by"] == 0
    if option["fails_hard"]:
        assert not score < frame["entry_alpha"]
        assert not score > frame["entry_beta"]
    # A score inside the window is exact, whatever was left out; one outside bounds it from that side.
    assert (bound == LOWER) == (frame["best"] >= frame["entry_beta"])
    assert bound in (UPPER, LOWER, EXACT)
