"""Answers of what-if for people and for machines; command, page and scripts take them from here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.node_json import number
from plyscope.visualizer.analysis.whatif.envelope import Curve
from plyscope.visualizer.analysis.whatif.reweighing import FactorRange, Reweighing, Reweighted, RootPly
from plyscope.visualizer.analysis.whatif.weight_ranges import Segment

MOST_SEGMENTS: Final = 100
"""Stretches of one weight in an answer, those around the logged weight."""
MOST_POINTS: Final = 400
"""Points of one line of a chart; a line with more is drawn by every n-th of its corners."""
DIGITS: Final = 6
CHOICE_WORDS: Final = {
    "certain": "is certainly as good",
    "depends": "may still be best",
    "falls": "certainly falls",
}


class Part(NamedTuple):
    """A piece of a sentence."""

    text: str
    row: int = -1
    """The node that it names, -1 where it names none."""
    is_strong: bool = False


# In words -----------------------------------------------------------------------------------------------
def figure(value: float) -> str:
    """A weight, or the end of a range, in as many digits as people read.

    >>> figure(18.0), figure(8.499999999999993), figure(-0.25), figure(math.inf)
    ('18', '8.5', '−0.25', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{DIGITS}g}".replace("-", "−")


def inward(value: float, *, up: bool) -> str:
    """The end of a range in which something certainly holds, rounded into the range.

    So it holds at what is read: `up` where the range lies above.

    >>> inward(13.43333333, up=True), inward(8.499999999999993, up=False), inward(-math.inf, up=True)
    ('13.4334', '8.5', '−∞')
    """
    if math.isinf(value) or value == 0:
        return figure(value)
    exactly = float(f"{value:.12g}")  # less the rounding errors of sums
    power = 10.0 ** (DIGITS - 1 - math.floor(math.log10(abs(exactly))))
    near = exactly * power
    whole = round(near)
    if abs(near - whole) >= 1e-6:
        whole = math.ceil(near) if up else math.floor(near)
    return figure(whole / power)


def worth(value: float) -> str:
    """A score with its sign.

    >>> worth(12.5), worth(-3.0), worth(0.0)
    ('+12.5', '−3', '0')
    """
    text = figure(value)
    return text if value <= 0 or math.isinf(value) else f"+{text}"


def interval(low: float, high: float) -> str:
    """What a node is worth, as cards say it.

    >>> interval(3, 3), interval(-math.inf, 8), interval(2, math.inf), interval(1, 2)
    ('+3', '≤ +8', '≥ +2', '+1 … +2')
    >>> interval(-math.inf, math.inf)
    'unknown'
    """
    if low == high:
        return worth(low)
    if math.isinf(low) and math.isinf(high):
        return "unknown"
    if low == -math.inf:
        return f"≤ {worth(high)}"
    return f"≥ {worth(low)}" if high == math.inf else f"{worth(low)} … {worth(high)}"


def counted_plies(found: Reweighted) -> str:
    """On how many plies it depends: `41 unsearched plies`, with `at least` where there may be more."""
    n = found.unsearched.plies
    text = f"{n:,} unsearched {'ply' if n == 1 else 'plies'}"
    if found.unsearched.is_least:
        return f"at least {text}" if n else "unsearched plies that the log does not count"
    return text


def sentence(log: Reweighing, found: Reweighted) -> list[Part]:
    """What the weights make of the choice, in two or three sentences."""
    first, chosen = found.plies[0], log.rows[log.choice]
    parts = _weights(log, found)
    same = first.row == chosen
    parts += [_ply(log, first.row, strong=True)]
    is_changed = bool(changed(log, found))
    parts += [Part(f" is {'still ' if same and is_changed else ''}first of what was searched")]
    parts += [Part(", "), *_worth(first), Part(".")]
    if not same:
        parts += [Part(" "), _ply(log, chosen, strong=True)]
        parts += [Part(", which the search chose, " if not log.is_drawn else ", the best as logged, ")]
        parts += [Part(CHOICE_WORDS[found.choice], is_strong=True), Part(".")]
    if found.certain:
        tie = ": another ply may be worth just as much, none more" if found.is_tie else ""
        parts += [Part(" That is "), Part("certain", is_strong=True), Part(f"{tie}.")]
        return parts
    rivals = [ply for ply in found.plies if ply.place == "could overtake"]
    parts += _open(log, found, rivals)
    return parts


def _open(log: Reweighing, found: Reweighted, rivals: Sequence[RootPly]) -> list[Part]:
    """On what an uncertain choice depends, and which rival could reach most."""
    has_unknown = found.unsearched.unknown > 0
    parts = [Part(" It ")]
    if found.unsearched.plies or found.unsearched.is_least:
        parts.append(Part(f"depends on {counted_plies(found)}", is_strong=True))
    elif has_unknown:
        parts.append(Part("depends on what the log does not say", is_strong=True))
    else:
        parts.append(Part("is uncertain", is_strong=True))
    if has_unknown:
        n = found.unsearched.unknown
        nodes = "node" if n == 1 else "nodes"
        parts.append(Part(f", with {n:,} {nodes} whose worth the log does not tell"))
    if rivals:
        parts += [Part(f"; {len(rivals):,} {'rival' if len(rivals) == 1 else 'rivals'} could overtake: ")]
        best = rivals[0]
        most = best.high if log.sign > 0 else best.low
        reach = " could be worth anything" if math.isinf(most) else f" could reach {worth(most)}"
        parts += [_ply(log, best.row), Part(reach)]
    return [*parts, Part(".")]


def _weights(log: Reweighing, found: Reweighted) -> list[Part]:
    """`With queen_ring 9 instead of 18, `, or `With the weights of the log, `."""
    moved = changed(log, found)
    if not moved:
        return [Part("With the weights of the log, ")]
    logged = {each.name: each.weight or 0.0 for each in log.weights}
    parts = [Part("With ")]
    for place, (name, weight) in enumerate(moved.items()):
        parts.append(Part("" if place == 0 else " and " if place == len(moved) - 1 else ", "))
        parts += [Part(visible(name), is_strong=True)]
        parts.append(Part(f" {figure(weight)} instead of {figure(logged[name])}"))
    return [*parts, Part(", ")]


def _ply(log: Reweighing, row: int, *, strong: bool = False) -> Part:
    ply = log.tree.ply(row)
    return Part("a ply without a name" if ply is None else visible(ply), row, strong)


def _worth(ply: RootPly) -> list[Part]:
    if ply.low == ply.high:
        return [Part("worth "), Part(worth(ply.low), ply.row, True)]
    return [Part("worth "), Part(interval(ply.low, ply.high), ply.row, True)]


def range_words(found: FactorRange) -> str:
    """How far one weight may go, in a sentence.

    The weight itself is not in it: it stands beside.
    """
    stands, holds = in_weights(found, found.range.stands), in_weights(found, found.range.holds)
    if holds is None:
        return "another ply is first with the weights of the log"
    parts = []
    if stands is None:
        parts.append("depends on unsearched plies as logged")
    elif stands == (-math.inf, math.inf):
        parts.append("certain whatever the weight")
    elif math.isinf(stands[0]):
        parts.append(f"certain up to {inward(stands[1], up=False)}")
    elif math.isinf(stands[1]):
        parts.append(f"certain from {inward(stands[0], up=True)} on")
    else:
        parts.append(f"certain from {inward(stands[0], up=True)} to {inward(stands[1], up=False)}")
    falls = [f"just below {figure(holds[0])}"] if math.isfinite(holds[0]) else []
    falls += [f"just above {figure(holds[1])}"] if math.isfinite(holds[1]) else []
    if falls:
        parts.append(f"{' and '.join(falls)} it certainly falls")
    return "; ".join(parts)


def share_words(found: FactorRange) -> str:
    """How little it takes: `−25 %`, `+4.3 %`; the change itself where the weight is 0.

    >>> from types import SimpleNamespace as Of
    >>> share_words(Of(flips_at=0.75, weight=Of(weight=3.0), range=Of(stands=(-0.75, math.inf))))
    '−25 %'
    >>> share_words(Of(flips_at=32.3, weight=Of(weight=-1.5), range=Of(stands=(-math.inf, 32.3))))
    '+2,153 %'
    """
    stands, change = found.range.stands, found.flips_at
    if stands is None:
        return "open"
    if math.isinf(change):
        return "never"
    sign = "−" if -stands[0] == change else "+"
    weight = abs(found.weight.weight or 0.0)
    if not weight:
        return f"{sign}{figure(change)}"
    percent = 100 * change / weight
    return f"{sign}{percent:,.0f} %" if 1000 <= percent < 1e6 else f"{sign}{percent:.3g} %"


def leaves_words(log: Reweighing) -> str:
    """Which leaves took part, in a sentence."""
    kept = log.n_leaves - log.n_moved
    text = f"Re-weighed from {log.n_moved:,} recorded {'leaf' if log.n_moved == 1 else 'leaves'}"
    if kept:
        text += f"; {kept:,} of {log.n_leaves:,} leaves have no `factors` and keep their scores"
    if log.n_endings:
        games = "game keeps its" if log.n_endings == 1 else "games keep their"
        text += f"; {log.n_endings:,} finished {games} worth"
    return f"{text}. Horizon, kept plies and reductions are those of the log."


def reweighted_lines(log: Reweighing, found: Reweighted) -> list[str]:
    """What one set of weights makes of a log, in lines for a terminal."""
    lines = ["".join(part.text for part in sentence(log, found)), ""]
    logged = log.at({}).intervals
    names = [visible(ply.ply or "?") for ply in found.plies]
    width = max(map(len, names))
    counted = log.plan.counted if len(log.plan.counted) else None
    for name, ply in zip(names, found.plies, strict=True):
        moved = 0.0 if counted is None else float(counted[ply.row])
        before = interval(float(logged.low[ply.row]) + moved, float(logged.high[ply.row]) + moved)
        lines.append(f"{name:<{width}}  {before:>18}  {interval(ply.low, ply.high):>18}  {ply.place}")
    return [*lines, "", leaves_words(log)]


def range_lines(log: Reweighing) -> list[str]:
    """How far each weight may go, in lines for a terminal."""
    found = log.all_ranges
    parts = sentence(log, log.at({}))
    names = [visible(each.weight.name) for each in found]
    width = max(map(len, names), default=0)
    lines = ["".join(part.text for part in parts), ""]
    for name, each in zip(names, found, strict=True):
        weight = figure(each.weight.weight or 0.0)
        lines.append(f"{name:<{width}}  {weight:>8}  {share_words(each):>9}  {range_words(each)}")
    lines += [visible(f"{each.name}: {each.fixed}") for each in log.weights if each.fixed]
    note = "Each line: that weight alone, the others as logged."
    return [*lines, "", f"{note} {leaves_words(log)}"]


# For machines -------------------------------------------------------------------------------------------
def changed(log: Reweighing, found: Reweighted) -> dict[str, float]:
    """The weights that are not as logged."""
    logged = {each.name: each.weight for each in log.weights}
    return {name: weight for name, weight in found.weights.items() if weight != logged[name]}


def in_weights(found: FactorRange, stretch: tuple[float, float] | None) -> tuple[float, float] | None:
    """A stretch of changes as one of weights."""
    weight = found.weight.weight or 0.0
    return None if stretch is None else (weight + stretch[0], weight + stretch[1])


def reweighted_json(log: Reweighing, found: Reweighted) -> dict[str, Any]:
    """What one set of weights makes of a log."""
    ids = log.tree.log.columns["id"]
    parts = sentence(log, found)
    chosen = log.rows[log.choice]
    return {
        "weights": {name: number(weight) for name, weight in found.weights.items()},
        "changed": {name: number(weight) for name, weight in changed(log, found).items()},
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
    """How far each weight may go, that first which flips the choice by the least share."""
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
    """How far one weight may go; weights, infinite ones in words."""
    weight = found.weight.weight or 0.0
    near = sorted(found.segments, key=_distance)[:MOST_SEGMENTS]
    return {
        "name": found.weight.name,
        "weight": number(weight),
        "state": found.range.state,
        "stands": _ends(in_weights(found, found.range.stands)),
        "holds": _ends(in_weights(found, found.range.holds)),
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
    """How far a stretch lies from no change."""
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
