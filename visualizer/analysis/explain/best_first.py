"""Two plies of a best-first tree in sentences: their visits and means, and whether these lie within noise."""

from __future__ import annotations

import math
from typing import Final

from plyscope.visualizer.analysis.columns.claims import won_by
from plyscope.visualizer.analysis.columns.sight import glance_of
from plyscope.visualizer.analysis.explain.facts import ply_link
from plyscope.visualizer.analysis.explain.means import Means, PlyMean, declared_range
from plyscope.visualizer.analysis.explain.pair import Pair, is_roll
from plyscope.visualizer.analysis.explain.score_sentences import say_parted
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, n_plies, sentence
from plyscope.visualizer.analysis.nodes.best_first import estimate_of
from plyscope.visualizer.analysis.nodes.digits import MINUS, digits_for, fixed
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_DECIMALS: Final = 4
METHODS: Final = {
    "stderr": "normal, from the standard error that the log states",
    "wilson": "Wilson's, from wins, draws and losses",
    "range": "at most, since the log says no more than the visits and the range of results",
}
CAVEAT: Final = "; in a growing tree play-outs are not quite independent"
FLAT: Final = "monte_carlo"
"""An algorithm that grows no tree, so that its play-outs are independent."""


class Scale:
    """The notation of means: percentages of the declared range, else plain numbers."""

    def __init__(self, tree: Tree, shown: list[float], difference: float) -> None:
        self.low, self.high = declared_range(tree)
        if not self.is_percent:
            self._digits = digits_for(shown, difference)
            return
        self._decimals = 1
        size = abs(100 * difference / (self.high - self.low))
        while self._decimals < MOST_DECIMALS and 0 < size < 0.5 * 10**-self._decimals:
            self._decimals += 1

    @property
    def is_percent(self) -> bool:
        """Whether the log declares a range."""
        return not math.isnan(self.low)

    def mean(self, value: float) -> str:
        """A mean, as `58.2 %` or as a plain number."""
        if not self.is_percent:
            return (MINUS if value < 0 else "") + self._digits.plain(value)
        share = 100 * (value - self.low) / (self.high - self.low)
        return f"{fixed(share, self._decimals)} %".replace("-", MINUS)

    def difference(self, value: float) -> str:
        """The size of a difference of two means, as `0.7 points` of a percentage or as a plain number."""
        if not self.is_percent:
            return self._digits.plain(value)
        return f"{fixed(abs(100 * value / (self.high - self.low)), self._decimals)} points"

    def interval(self, ends: tuple[float, float]) -> str:
        """Both ends of an interval."""
        low, high = map(self.mean, ends)
        return f"{low.removesuffix(' %')} … {high}"


def mean_sentences(tree: Tree, pair: Pair, means: Means) -> tuple[Sentence, ...]:
    """The sentences about two plies of a best-first tree."""
    one, two = means.chosen.estimate, means.rival.estimate
    difference = one.mean - two.mean
    scale = Scale(tree, [one.mean, two.mean], difference)
    found = [say_parted(tree, pair)] if pair.parted else []
    if is_roll(tree, pair.parent):
        return (*found, *(_say_outcome(tree, each, scale) for each in (means.chosen, means.rival)))
    found.append(_say_chosen(tree, means, scale))
    if solved := _say_solved(tree, means, scale):
        return (*found, *solved, *_caveats(tree, means))
    found.append(_say_rival(tree, means, scale))
    found += [said for said in (_say_overtake(tree, means), _say_part(means)) if said is not None]
    if (others := _say_others(means)) is not None:
        found.append(others)
    return (*found, *_caveats(tree, means))


def rest_sentences(tree: Tree, pair: Pair) -> tuple[Sentence, ...]:
    """The sentences about a ply and a stub that stands for those with few visits."""
    one, rest = estimate_of(tree.log, pair.chosen), estimate_of(tree.log, pair.rival)
    scale = Scale(tree, [one.mean, rest.mean], one.mean - rest.mean)
    count = tree.log.column("count")
    n_stub = None if count is None or count[pair.rival] < 0 else int(count[pair.rival])
    name = "Other plies" if n_stub is None else f"The other {n_plies(n_stub)}"
    total = "" if math.isnan(rest.visits) else f" with {_visits(rest.visits)} together"
    mean = "" if math.isnan(rest.mean) else f" and a mean of {scale.mean(rest.mean)}"
    verb = "has" if n_stub == 1 else "have"
    own = "its own" if n_stub == 1 else "their own"
    said = f" {verb} no row of {own} in this log{total and ','}{total}{mean}."
    if n_stub == 1:
        said, name = said.replace(" together", ""), "The other ply"
    found = [sentence("worth", ply_link(tree, pair.chosen), f" has {_figures(one.visits, one.mean, scale)}.")]
    found.append(sentence("worth", Segment(name, pair.rival), said))
    return tuple(found)


def _visits(visits: float) -> str:
    if visits != visits:
        return "an unknown number of visits"
    return "1 visit" if visits == 1 else f"{visits:,.0f} visits"


def _figures(visits: float, mean: float, scale: Scale) -> str:
    return _visits(visits) + ("" if mean != mean else f" with a mean of {scale.mean(mean)}")


def _say_chosen(tree: Tree, means: Means, scale: Scale) -> Sentence:
    """A sentence about the chosen ply: its visits and mean, and the figure by which it was chosen."""
    link, this = ply_link(tree, means.chosen.row), means.chosen.estimate
    of = _of_visits(means)
    mean = "" if this.mean != this.mean else scale.mean(this.mean)
    is_first = means.plies[0].row == means.chosen.row
    if not means.was_played or not is_first or means.choose == "unstated":
        verb = " was chosen: it has " if means.was_played else " has "
        return sentence("worth", link, f"{verb}{of}{mean and f', with a mean of {mean}'}.")
    if means.choose == "mean":
        return sentence("worth", link, f" was chosen by its mean, {mean}, after {of}.")
    return sentence("worth", link, f" was chosen by visits: {of}{mean and f', with a mean of {mean}'}.")


def _say_outcome(tree: Tree, outcome: PlyMean, scale: Scale) -> Sentence:
    figures = _figures(outcome.estimate.visits, outcome.estimate.mean, scale)
    return sentence("worth", ply_link(tree, outcome.row), f" has {figures}.")


def _of_visits(means: Means) -> str:
    above = means.tree.log.column("visits")
    total = math.nan if above is None else float(above[means.parent])
    visits = means.chosen.estimate.visits
    return _visits(visits) if math.isnan(total) or math.isnan(visits) else (
        f"{visits:,.0f} of {_visits(total)}"
    )  # fmt: skip


def _say_solved(tree: Tree, means: Means, scale: Scale) -> list[Sentence]:
    """Sentences about plies that a solver has proven: no noise and no further visits change them."""
    sight, mover = glance_of(tree.log), int(tree.log.columns["layer"][means.parent])
    sides = [won_by(sight, ply.row) for ply in (means.chosen, means.rival)]
    if not any(sides) or mover not in (words.MAX, words.MIN):
        return []
    found = []
    for ply, side in zip((means.chosen, means.rival), sides, strict=True):
        link = ply_link(tree, ply.row)
        figures = _figures(ply.estimate.visits, ply.estimate.mean, scale)
        if side:
            verb = "win" if (side > 0) == (mover == words.MAX) else "lose"
            has = "" if ply is means.chosen else f", after {figures}"
            found.append(sentence("worth", link, f" is proven to {verb}{has}."))
        elif ply is means.rival:
            found.append(sentence("worth", link, f" has {figures}, and is not solved."))
        else:
            found.append(sentence("worth", link, " is not solved."))
    return found


def _say_rival(tree: Tree, means: Means, scale: Scale) -> Sentence:
    """A sentence that compares the rival's mean with that of the chosen ply."""
    link, two = ply_link(tree, means.rival.row), means.rival
    figures = _figures(two.estimate.visits, two.estimate.mean, scale)
    difference = two.estimate.mean - means.chosen.estimate.mean
    if not math.isfinite(difference):
        return sentence("worth", link, f" has {figures}.")
    if two.is_within is None:
        return sentence(
            "worth",
            link,
            f" has {figures}. Whether the means differ by more than noise is not known: it needs ",
            "`visits` and `search.range`, `wins`, `draws` and `losses`, or `stderr`.",
        )
    apart = "with the same mean" if difference == 0 else (
        f"{scale.difference(difference)} {'higher' if difference > 0 else 'lower'}"
    )  # fmt: skip
    if two.is_within:
        return sentence("worth", link, f" ({figures}) lies within its noise: {apart}.")
    judged = "better" if two.is_better else "worse"
    seen = " for the opponent, who moves there" if _is_min(tree, means.parent) else ""
    return sentence("worth", link, f" ({figures}) is clearly {judged}{seen}: {apart}, beyond noise.")


def _is_min(tree: Tree, row: int) -> bool:
    return bool(tree.log.columns["layer"][row] == words.MIN)


def _say_overtake(tree: Tree, means: Means) -> Sentence | None:
    """A sentence about the visits that the rival lacks to be chosen; None if it leads, or none would do."""
    needed = means.to_overtake
    if needed is None:
        return None
    link = ply_link(tree, means.rival.row)
    if means.by == "mean":
        won = "won by the opponent" if _is_min(tree, means.parent) else "won"
        first = "it" if means.first is means.chosen else ply_link(tree, means.first.row)
        after = f" after {_visits(needed)} at the earliest, all of them {won}."
        return sentence("cause", link, " overtakes ", first, after)
    return sentence("cause", link, f" needs {_more(needed)} to have the most.")


def _more(visits: float) -> str:
    return "1 more visit" if visits == 1 else f"{visits:,.0f} more visits"


def _say_part(means: Means) -> Sentence | None:
    """A sentence about the visits that would part two means within noise; None if parted, or unknown."""
    if not means.rival.is_within:
        return None
    if means.chosen.estimate.mean == means.rival.estimate.mean:
        return sentence("cause", "If the means stay equal, no number of visits parts them.")
    if means.to_part is None:
        return None
    bounded = "range" in (means.chosen.estimate.by, means.rival.estimate.by)
    visits = rounded(means.to_part)
    some = " ".join(word for word, said in (("at most", bounded), ("some", visits > 1)) if said)
    return sentence("cause", f"If the means stay, {some}{some and ' '}{_more(visits)} would part them.")


def rounded(visits: float) -> float:
    """A number of visits to two figures, upwards: a guess has no more.

    >>> rounded(60_123.0), rounded(0.2)
    (61000.0, 1.0)
    """
    unit = 10.0 ** max(0, math.floor(math.log10(max(1.0, visits))) - 1)
    return max(1.0, math.ceil(visits / unit - 1e-9) * unit)


def _say_others(means: Means) -> Sentence | None:
    """A sentence that counts the other plies: within noise, better, worse; None if none can be compared."""
    others = means.others
    if all(each.is_within is None for each in others):
        return None
    within = [each for each in others if each.is_within]
    apart = [each for each in others if each.is_within is False]
    better = [each for each in apart if each.is_better]
    unknown = len(others) - len(within) - len(apart)
    counts = [
        (len(within), "within its noise as well"),
        (len(better), "clearly better"),
        (len(apart) - len(better), "clearly worse"),
        (unknown, "not known well enough to say"),
    ]
    said = [(n, what) for n, what in counts if n]
    if len(said) == 1:
        n, what = said[0]
        name, verb = ("The other ply", "is") if n == 1 else (f"The other {n:,}", "are")
        return sentence("cause", f"{name} {verb} {what}.")
    listed = [f"{n:,} {'is' if n == 1 else 'are'} {what}" for n, what in said]
    return sentence("cause", f"Of the other {len(others):,}, {', '.join(listed[:-1])} and {listed[-1]}.")


def _caveats(tree: Tree, means: Means) -> list[Sentence]:
    """The caveat about the intervals, their methods and limits; none if no interval is shown."""
    shown: list[PlyMean] = [each for each in means.plies if each.estimate.by is not None]
    if not shown:
        return []
    methods = [METHODS[by] for by in METHODS if any(each.estimate.by == by for each in shown)]
    caveat = "" if tree.log.search.get("algorithm") == FLAT else CAVEAT
    return [sentence("caveat", f"95 % intervals ({'; '.join(methods)}){caveat}.")]
