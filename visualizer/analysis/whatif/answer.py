"""Other weights as JSON, for scripts and for the page."""

from __future__ import annotations

import math
from typing import Any, Final

from plyscope.visualizer.analysis.nodes.node_json import number
from plyscope.visualizer.analysis.whatif.envelope import Curve
from plyscope.visualizer.analysis.whatif.reweighing import FactorRange, Reweighing, Reweighted
from plyscope.visualizer.analysis.whatif.sentences import (
    change_as_weight,
    changed_weights,
    leaves_words,
    range_words,
    sentence,
    share_words,
)
from plyscope.visualizer.analysis.whatif.weight_ranges import Segment

MOST_SEGMENTS: Final = 100
"""Stretches of one weight in an answer, those around the logged weight."""


MOST_POINTS: Final = 400
"""Points of one line of a chart; a line with more is drawn by every n-th of its corners."""


def reweighted_json(log: Reweighing, found: Reweighted) -> dict[str, Any]:
    """A log under one set of weights, as JSON."""
    ids = log.tree.log.columns["id"]
    parts = sentence(log, found)
    chosen = log.rows[log.choice]
    return {
        "weights": {name: number(weight) for name, weight in found.weights.items()},
        "changed": {name: number(weight) for name, weight in changed_weights(log, found).items()},
        "logged": {each.name: None if each.weight is None else number(each.weight) for each in log.weights},
        "fixed": {each.name: each.fixed for each in log.weights if each.fixed},
        "first": _named(log, found.plies[0].row),
        "choice": _named(log, chosen) | {"state": found.choice, "drawn": log.is_drawn},
        "certain": found.certain,
        "tie": found.is_tie,
        "depends_on": {
            "plies": found.unsearched.plies,
            "at_least": found.unsearched.is_least,
            "unknown": found.unsearched.unknown,
            "rivals": sum(ply.place == "could overtake" for ply in found.plies),
            "without_rows": found.others,
        },
        "plies": [
            {
                "id": int(ids[ply.row]),
                "ply": ply.ply,
                "low": number(ply.low),
                "high": number(ply.high),
                "place": ply.place,
            }
            for ply in found.plies
        ],
        "leaves": {
            "all": log.n_leaves,
            "moved": log.n_moved,
            "stand_pats": log.n_pats,
            "endings": log.n_endings,
            "words": leaves_words(log),
        },
        "sentence": "".join(part.text for part in parts),
        "parts": [
            {"text": part.text, "id": int(ids[part.row]) if part.row >= 0 else None, "strong": part.is_strong}
            for part in parts
            if part.text
        ],
    }


def _named(log: Reweighing, row: int) -> dict[str, Any]:
    return {"id": int(log.tree.log.columns["id"][row]), "ply": log.tree.ply(row)}


def ranges_json(log: Reweighing) -> dict[str, Any]:
    """The range of each weight as JSON, first the one that flips the choice by the least share."""
    found = log.at({})
    parts = sentence(log, found)
    return {
        "choice": _named(log, log.rows[log.choice]) | {"state": found.choice, "drawn": log.is_drawn},
        "sentence": "".join(part.text for part in parts),
        "leaves": leaves_words(log),
        "ranges": [range_json(each) for each in log.all_ranges],
        "fixed": {each.name: each.fixed for each in log.weights if each.fixed},
    }


def range_json(found: FactorRange) -> dict[str, Any]:
    """The range of one weight as JSON; infinite weights are words."""
    weight = found.weight.weight or 0.0
    near = sorted(found.segments, key=_distance)[:MOST_SEGMENTS]
    return {
        "name": found.weight.name,
        "weight": number(weight),
        "state": found.range.state,
        "stands": _ends(change_as_weight(found, found.range.stands)),
        "holds": _ends(change_as_weight(found, found.range.holds)),
        "flips_at": number(found.flips_at),
        "share": number(found.share),
        "takes": share_words(found),
        "words": range_words(found),
        "segments": [
            [number(weight + each.begin), number(weight + each.end), each.state]
            for each in sorted(near, key=lambda each: each.begin)
        ],
        "is_cut": len(near) < len(found.segments),
    }


def _distance(segment: Segment) -> float:
    """The distance of a stretch from no change."""
    if segment.begin <= 0 <= segment.end:
        return 0.0
    return min(abs(segment.begin), abs(segment.end))


def _ends(stretch: tuple[float, float] | None) -> list[float | str] | None:
    return None if stretch is None else [number(stretch[0]), number(stretch[1])]


def curve_json(log: Reweighing, factor: int, low: float, high: float, n_most: int) -> dict[str, Any]:
    """The least and most of counted root plies between two weights, corner by corner.

    Of more than `n_most` those that reach most with the weights of the log.

    A line is a list of [weight, score]; a corner where it jumps stands twice.
    """
    weight = log.weights[factor].weight or 0.0
    ids = log.tree.log.columns["id"]
    plies = []
    shown = {ply.row for ply in log.at({}).plies[:n_most]}
    for row, band in zip(log.rows, log.bands(factor), strict=True):
        if row not in shown:
            continue
        least, is_thin = points(band.low, low - weight, high - weight)
        most, is_thinner = points(band.high, low - weight, high - weight)
        plies.append(
            {
                "id": int(ids[row]),
                "ply": log.tree.ply(row),
                "low": [[weight + at, number(score)] for at, score in least],
                "high": [[weight + at, number(score)] for at, score in most],
                "thinned": is_thin or is_thinner,
            }
        )
    return {
        "name": log.weights[factor].name,
        "weight": weight,
        "from": low,
        "to": high,
        "plies": plies,
        "more_plies": len(log.rows) - len(plies),
    }


def points(curve: Curve, low: float, high: float) -> tuple[list[tuple[float, float]], bool]:
    """The corners of a curve between two changes, both ends included; and whether some were left out.

    >>> import numpy as np
    >>> kinked = Curve(np.array([-np.inf, 1.0]), np.array([0.0, 2.0]), np.array([2.0, 0.0]))
    >>> points(kinked, 0.0, 3.0)
    ([(0.0, 0.0), (1.0, 2.0), (3.0, 2.0)], False)
    """
    inside = [place for place in range(len(curve.start)) if low < curve.start[place] < high]
    step = -(-len(inside) // (MOST_POINTS // 2)) if inside else 1
    found = [(low, curve.at(low))]
    for place in inside[::step]:
        at = float(curve.start[place])
        before = float(curve.value[place - 1] + _times(float(curve.slope[place - 1]), at))
        after = curve.at(at)
        if not math.isclose(before, after, rel_tol=1e-9, abs_tol=1e-9):
            found.append((at, before))
        found.append((at, after))
    found.append((high, curve.at(high)))
    return found, step > 1


def _times(slope: float, change: float) -> float:
    return slope * change if slope else 0.0


def default_span(log: Reweighing, factor: int) -> tuple[float, float]:
    """The weights that a chart shows unless asked otherwise: from 0 to twice the logged one.

    Around a weight of 0 as far as the largest weight goes.
    """
    weight = log.weights[factor].weight or 0.0
    if weight:
        return min(0.0, 2 * weight), max(0.0, 2 * weight)
    size = max((abs(each.weight) for each in log.weights if each.weight), default=1.0)
    return -size, size
