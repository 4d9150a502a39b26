"""Other weights in words: the choice, the worth of each ply, the ranges in which the choice stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Final, NamedTuple

from plyscope.engine.quoting import told_apart, visible
from plyscope.visualizer.analysis.nodes.digits import LONGEST, MINUS, digits_for
from plyscope.visualizer.analysis.whatif.reweighing import FactorRange, Reweighing, Reweighted, RootPly

DIGITS: Final = 6
LONGEST_NAME: Final = 24
END_DIGITS: Final = 3
"""The digits of a range's ends, which are shown beside the weight."""


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


def figure(value: float, digits: int = DIGITS) -> str:
    """A weight, or the end of a range, in as many digits as people read.

    >>> figure(18.0), figure(8.499999999999993), figure(-0.25), figure(math.inf)
    ('18', '8.5', '−0.25', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}g}"
    if "e+" in text and abs(value) < LONGEST:
        text = f"{float(text):.0f}"
    return text.replace("-", MINUS)


def inward(value: float, weight: float, *, up: bool) -> str:
    """The end of a range in which something certainly holds, in three digits, rounded into the range.

    So it holds at what is read: `up` where the range lies above. More digits where three would leave out the
    `weight` beside which it stands.

    >>> inward(13.43333333, 18, up=True), inward(8.499999999999993, 5, up=False), inward(1234.5, 9, up=False)
    ('13.5', '8.5', '1230')
    >>> inward(13.43333333, 13.44, up=True), inward(-math.inf, 1, up=True)
    ('13.44', '−∞')
    """
    if math.isinf(value) or value == 0:
        return figure(value)
    exactly = Decimal(f"{value:.12g}")  # less the rounding errors of sums
    for digits in range(END_DIGITS, 12):
        unit = Decimal(1).scaleb(exactly.adjusted() + 1 - digits)
        end = float(exactly.quantize(unit, rounding=ROUND_CEILING if up else ROUND_FLOOR))
        if end <= weight if up else end >= weight:
            break
    return figure(end, digits)


def worth(value: float, *beside: float) -> str:
    """A score with its sign, in the digits that tell it from those beside it.

    >>> worth(12.5), worth(-3.0), worth(0.0), worth(4.07495), worth(1.5, 2.0)
    ('+12.5', '−3', '0', '+4.07', '+1.5')
    """
    margin = max((abs(value - each) for each in beside), default=None)
    return digits_for([value, *beside], margin).signed(value)


def interval(low: float, high: float) -> str:
    """The interval of a node's score, as cards write it.

    >>> interval(3, 3), interval(-math.inf, 8), interval(2, math.inf), interval(1, 2)
    ('+3', '≤ +8', '≥ +2', '+1 … +2')
    >>> interval(-math.inf, math.inf), interval(4.00012, 4.00034)
    ('unknown', '+4.00012 … +4.00034')
    """
    if low == high:
        return worth(low)
    if math.isinf(low) and math.isinf(high):
        return "unknown"
    if low == -math.inf:
        return f"≤ {worth(high)}"
    return f"≥ {worth(low)}" if high == math.inf else f"{worth(low, high)} … {worth(high, low)}"


def counted_plies(found: Reweighted) -> str:
    """The number of plies on which it depends: `41 unsearched plies`, `at least` if there may be more."""
    n = found.unsearched.plies
    text = f"{n:,} unsearched {'ply' if n == 1 else 'plies'}"
    if found.unsearched.is_least:
        return f"at least {text}" if n else "unsearched plies that the log does not count"
    return text


def sentence(log: Reweighing, found: Reweighted) -> list[Part]:
    """Describe the choice under these weights, in two or three sentences."""
    first, chosen = found.plies[0], log.rows[log.choice]
    parts = _weights(log, found)
    same = first.row == chosen
    parts += [_ply(log, first.row, strong=True)]
    is_changed = bool(changed_weights(log, found))
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
    """The plies on which an uncertain choice depends, and the rival that could reach most."""
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
    moved = changed_weights(log, found)
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
    return Part(visible(log.tree.ply(row) or "a ply without a name"), row, strong)


def _worth(ply: RootPly) -> list[Part]:
    if ply.low == ply.high:
        return [Part("worth "), Part(worth(ply.low), ply.row, True)]
    return [Part("worth "), Part(interval(ply.low, ply.high), ply.row, True)]


def certain_words(found: FactorRange) -> str:
    """Between which weights the choice certainly stands: `13.5 to 26.5`, `up to 7`; empty where nowhere."""
    stands, weight = change_as_weight(found, found.range.stands), found.weight.weight or 0.0
    if stands is None:
        return ""
    low, high = inward(stands[0], weight, up=True), inward(stands[1], weight, up=False)
    if math.isinf(stands[0]):
        return "any weight" if math.isinf(stands[1]) else f"up to {high}"
    return f"from {low}" if math.isinf(stands[1]) else f"{low} to {high}"


def range_words(found: FactorRange) -> str:
    """The range of one weight in words.

    The weight itself is not in it, but shown beside it.
    """
    stands, holds = change_as_weight(found, found.range.stands), change_as_weight(found, found.range.holds)
    if holds is None:
        return "another ply is first with the weights of the log"
    parts = []
    if stands is None:
        parts.append("depends on unsearched plies as logged")
    elif stands == (-math.inf, math.inf):
        parts.append("certain whatever the weight")
    else:
        is_closed = math.isfinite(stands[0]) and math.isfinite(stands[1])
        on = " on" if math.isinf(stands[1]) else ""
        parts.append(f"certain {'from ' if is_closed else ''}{certain_words(found)}{on}")
    falls = [f"just below {figure(holds[0], END_DIGITS)}"] if math.isfinite(holds[0]) else []
    falls += [f"just above {figure(holds[1], END_DIGITS)}"] if math.isfinite(holds[1]) else []
    if falls:
        parts.append(f"{' and '.join(falls)} it certainly falls")
    return "; ".join(parts)


def share_words(found: FactorRange) -> str:
    """The least change that flips the choice: `−25 %`, `+4.3 %`; the change itself if the weight is 0.

    >>> from types import SimpleNamespace as Of
    >>> share_words(Of(flips_at=0.75, weight=Of(weight=3.0), range=Of(stands=(-0.75, math.inf))))
    '−25 %'
    >>> share_words(Of(flips_at=32.3, weight=Of(weight=-1.5), range=Of(stands=(-math.inf, 32.3))))
    '+2,153 %'
    >>> share_words(Of(flips_at=0.0, weight=Of(weight=3.0), range=Of(stands=(0.0, 0.0))))
    '0 %'
    """
    stands, change = found.range.stands, found.flips_at
    if stands is None:
        return "open"
    if math.isinf(change):
        return "never"
    if change == 0:
        return "0 %" if found.weight.weight else "0"
    sign = "−" if -stands[0] == change else "+"
    weight = abs(found.weight.weight or 0.0)
    if not weight:
        return f"{sign}{figure(change)}"
    percent = 100 * change / weight
    return f"{sign}{percent:,.0f} %" if 1000 <= percent < 1e6 else f"{sign}{percent:.3g} %"


def leaves_words(log: Reweighing) -> str:
    """Say which leaves took part, in a sentence."""
    kept = log.n_leaves - log.n_moved
    one, many = ("stand pat", "stand pats")
    if "estimate" in log.tree.log.columns:
        one, many = "stand pat or estimate", "stand pats or estimates"
    counted = (log.n_moved, "recorded leaf", "recorded leaves"), (log.n_pats, one, many)
    shown = [each for each in counted if each[0]] or counted[:1]
    text = "Re-weighed from " + " and ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in shown)
    if kept:
        text += f"; {kept:,} of {log.n_leaves:,} leaves have no `factors` and keep their scores"
    if log.n_endings:
        games = "game keeps its" if log.n_endings == 1 else "games keep their"
        text += f"; {log.n_endings:,} finished {games} worth"
    return f"{text}. Horizon, kept plies and reductions are those of the log."


def reweighted_lines(log: Reweighing, found: Reweighted) -> list[str]:
    """The log under one set of weights, in lines for a terminal."""
    lines = ["".join(part.text for part in sentence(log, found)), ""]
    logged = log.at({}).intervals
    names = told_apart([ply.ply or "?" for ply in found.plies], LONGEST_NAME)
    width = max(map(len, names))
    counted = log.plan.counted if len(log.plan.counted) else None
    for name, ply in zip(names, found.plies, strict=True):
        moved = 0.0 if counted is None else float(counted[ply.row])
        before = interval(float(logged.low[ply.row]) + moved, float(logged.high[ply.row]) + moved)
        lines.append(f"{name:<{width}}  {before:>18}  {interval(ply.low, ply.high):>18}  {ply.place}")
    return [*lines, "", leaves_words(log)]


def range_lines(log: Reweighing) -> list[str]:
    """The range of each weight, in lines for a terminal."""
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


def changed_weights(log: Reweighing, found: Reweighted) -> dict[str, float]:
    """The weights that are not as logged."""
    logged = {each.name: each.weight for each in log.weights}
    return {name: weight for name, weight in found.weights.items() if weight != logged[name]}


def change_as_weight(found: FactorRange, stretch: tuple[float, float] | None) -> tuple[float, float] | None:
    """A stretch of changes as one of weights."""
    weight = found.weight.weight or 0.0
    return None if stretch is None else (weight + stretch[0], weight + stretch[1])
