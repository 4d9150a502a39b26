"""Whose layer each node of a foreign tree is where nothing says so, by how scores follow from others.

Three readings are held against every parent whose score and children's scores are known: the largest at even
levels and the smallest at odd ones, the reverse, and the largest of the negated (negamax). The reading that
most of them fit is taken, so that a few wrong scores take no layers away; `check` finds those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from plyscope.visualizer.formats.foreign.layers import Layers, close
from plyscope.visualizer.formats.foreign.links import count

MAX_FIRST: Final = 1
MIN_FIRST: Final = 2
NEGAMAX: Final = 4
READINGS: Final = (MAX_FIRST, MIN_FIRST, NEGAMAX)

FEWEST: Final = 2
"""Parents that must tell a reading from its rivals."""

BY_LEVEL: Final = {MAX_FIRST: ("max", "min"), MIN_FIRST: ("min", "max"), NEGAMAX: ("max", "min")}


class Parent(NamedTuple):
    """What the score of one parent says: the readings that it fits, as bits, and those that it tells."""

    node: int
    is_odd: bool
    """Whether its level is odd."""
    fits: int
    tells: int
    """The readings that it fits while their nearest rivals fail; equal scores below tell none."""


def layers_of_scores(
    levels: Sequence[int],
    scores: Sequence[float | None],
    children: Sequence[Sequence[int]],
    parents: Sequence[int],
) -> Layers:
    """Layers guessed from how scores follow from those below; none unless most parents fit one reading only.

    >>> below = [[1, 4], [2, 3], [], [], [5, 6], [], []]
    >>> above = [-1, 0, 1, 1, 0, 4, 4]
    >>> layers_of_scores([0, 1, 2, 2, 1, 2, 2], [3, 3, 3, 5, 1, 1, 9], below, above).by_level
    ('max', 'min')
    >>> layers_of_scores([0, 1, 1], [4, 1, 3], [[1, 2], [], []], [-1, 0, 0]).by_level is None
    True
    """
    told = list(_parents(levels, scores, children))
    reading = _reading(told, parents)
    if reading is None:
        return Layers()
    misfits = sum(not parent.fits & reading for parent in told)
    but = f" {count(misfits, 'score')} of {len(told):,} above children do not fit; `check` lists them." * (
        misfits > 0
    )
    if reading == NEGAMAX:
        every = "Most scores are the largest of their" if misfits else "Every score is the largest of its"
        note = f"{every} children's, negated: taken as the mover's view (negamax).{but}"
        return Layers(by_level=BY_LEVEL[reading], negamax=True, notes=(note,))
    even, odd = BY_LEVEL[reading]
    end = "." if misfits else ", and nothing else."
    note = f"Layers are a guess: scores fit {even} at the root and {odd} below it, in turn{end}{but}"
    return Layers(by_level=(even, odd), notes=(note,))


def _parents(
    levels: Sequence[int], scores: Sequence[float | None], children: Sequence[Sequence[int]]
) -> Iterable[Parent]:
    """The parents whose score can be held against scores below."""
    for node, (level, score, below) in enumerate(zip(levels, scores, children, strict=True)):
        known = [value for child in below if (value := scores[child]) is not None]
        if score is None or not known:
            continue
        high, low, negated = close(score, max(known)), close(score, min(known)), close(score, -min(known))
        odd = level % 2 == 1
        fits = MAX_FIRST * (low if odd else high) | MIN_FIRST * (high if odd else low) | NEGAMAX * negated
        tells = fits & (MAX_FIRST | MIN_FIRST) if high != low else 0
        yield Parent(node, odd, fits, tells | NEGAMAX * (negated and not high and not low))


def _reading(told: Sequence[Parent], parents: Sequence[int]) -> int | None:
    """The reading of these parents, None where none has a clear majority."""
    if not told:
        return None
    n_fit = {reading: sum(parent.fits & reading > 0 for parent in told) for reading in READINGS}
    most = max(n_fit.values())
    best = [reading for reading in READINGS if n_fit[reading] == most]
    if len(best) > 1:
        return None
    (reading,) = best
    if sum(parent.tells & reading > 0 for parent in told) < FEWEST:
        return None
    return reading if most == len(told) or _is_majority(told, reading, parents) else None


def _is_majority(told: Sequence[Parent], reading: int, parents: Sequence[int]) -> bool:
    """Whether what does not fit is few enough, and strewn as wrong scores are.

    A parent that fits a rival speaks against the reading; one that fits none speaks for no other. Where a
    whole parity of levels fits nothing, its scores are averages. Where parents that fit a rival lie under
    one another, or amid negamax one has the score of a child, not negated, a player moved twice running.
    """
    rival = {parent.node for parent in told if parent.fits and not parent.fits & reading}
    if rival and reading == NEGAMAX:
        return False
    n_for = sum(parent.tells & reading > 0 for parent in told)
    if 2 * len(rival) >= n_for or any(parents[node] in rival for node in rival):
        return False
    for odd in (False, True):
        here = [parent for parent in told if parent.is_odd == odd]
        n_misfits = sum(not parent.fits & reading for parent in here)
        if n_misfits > max(1, len(here) - n_misfits):
            return False
    n_misfits = sum(not parent.fits & reading for parent in told)
    return 2 * n_misfits <= len(told)
