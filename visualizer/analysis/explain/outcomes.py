"""The explanation of a chance node: its outcomes, their probabilities and their mean. None is chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.explain.best_first import Scale
from plyscope.visualizer.analysis.explain.facts import CODES, WORTH, end_words, mate_at, ply_link
from plyscope.visualizer.analysis.explain.pair import Pair, Siblings, is_best_first
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, enumeration, n_plies, sentence
from plyscope.visualizer.analysis.nodes.best_children import scores_taken
from plyscope.visualizer.analysis.nodes.digits import digits_for, percent
from plyscope.visualizer.analysis.nodes.node_json import number
from plyscope.visualizer.analysis.nodes.proof import proof_of_claim
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Rows, Tree

Floats = npt.NDArray[np.float64]

MOST_LISTED: Final = 500
"""Outcomes that an answer lists, the first ones; the others are counted."""
MOST_NAMED: Final = 12
"""Outcomes whose probabilities a sentence lists."""


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a node at which chance moves. Figures are the root player's; NaN is unknown."""

    tree: Tree
    node: int
    rows: Rows
    """The counted visit of each outcome."""
    count: int
    """All outcomes, those without a row too, as far as the log counts them."""
    mean: float
    worth: Floats
    priors: Floats

    def as_json(self) -> dict[str, Any]:
        """The JSON, without unknown figures."""
        log = self.tree.log
        listed = zip(self.rows.tolist(), self.worth.tolist(), self.priors.tolist(), strict=True)
        outcomes = []
        for row, worth, prior in islice(listed, MOST_LISTED):
            outcome: dict[str, Any] = {"id": int(log.columns["id"][row]), "ply": self.tree.ply(row)}
            figures = {"prior": prior, "worth": worth}
            outcome |= {name: number(value) for name, value in figures.items() if not math.isnan(value)}
            outcomes.append(outcome)
        return {
            "node": int(log.columns["id"][self.node]),
            "mean": None if math.isnan(self.mean) else number(self.mean),
            "count": self.count,
            "outcomes": outcomes,
        }

    def sentences(self) -> tuple[Sentence, ...]:
        """Say the mean, the probabilities, and the outcomes that move the mean most."""
        if not len(self.rows):
            return (sentence("worth", "Chance moves here, and no outcome was finished."),)
        said = [self._say_mean(), self._say_probabilities(), self._say_ends()]
        return tuple(each for each in said if each is not None)

    def _say_mean(self) -> Sentence:
        n_rows = len(self.rows)
        which = n_plies(self.count, "outcome", "outcomes")
        some = f"; this log has {n_rows:,} of them" if n_rows < self.count else ""
        if math.isnan(self.mean):
            said = f"Chance moves here among {which}, whose mean is not in this log{some}."
            return sentence("worth", said)
        bound = self.tree.log.column("bound")
        stated = int(words.EXACT if bound is None else bound[self.node])
        at = next((WORTH[name] for name, code in CODES.items() if code == stated), "")
        mean = Segment(self._figure(self.mean), self.node)
        return sentence("worth", f"Chance moves here: the mean of {which} is {at}", mean, f"{some}.")

    def _say_probabilities(self) -> Sentence | None:
        known = self.priors[~np.isnan(self.priors)]
        if not len(known):
            return sentence("caveat", "This log does not state how likely each outcome is (`prior`).")
        least, most = percent(float(known.min())), percent(float(known.max()))
        if len(known) == len(self.rows) and least == most:
            each = "Each comes" if len(known) > 1 else "It comes"
            return sentence("worth", f"{each} with a probability of {least}.")
        if len(self.rows) > MOST_NAMED:
            return sentence("worth", f"Their probabilities lie between {least} and {most}.")
        pairs = zip(self.rows.tolist(), self.priors.tolist(), strict=True)
        likely = [
            Segment(f"{ply_link(self.tree, row).text} {'unknown' if prior != prior else percent(prior)}", row)
            for row, prior in pairs
        ]
        return sentence("worth", "Their probabilities are ", enumeration(likely), ".")

    def _say_ends(self) -> Sentence | None:
        """The outcomes that raise and lower the mean most; without probabilities the greatest and least."""
        has_priors = not np.isnan(self.priors).any()
        weights = self.priors if has_priors else np.ones(len(self.rows))
        is_known = np.isfinite(self.worth) & (weights > 0) & (weights < np.inf)
        rows, worth, weights = self.rows[is_known], self.worth[is_known], weights[is_known]
        if len(rows) < 2 or worth.min() == worth.max():
            return None
        with np.errstate(over="ignore", invalid="ignore"):  # numbers near the largest there is
            moved = weights * (worth - np.average(worth, weights=weights))
        most, least = int(np.argmax(moved)), int(np.argmin(moved))
        verbs = ("raises the mean most", "lowers it most") if has_priors else ("is worth most", "least")
        pieces: list[str | Segment] = []
        for place, verb in zip((most, least), verbs, strict=True):
            row = int(rows[place])
            said = f" ({self._worth_of(row, float(worth[place]))}) {verb}"
            pieces += [", " if pieces else "", ply_link(self.tree, row), said]
        return sentence("cause", *pieces, ".")

    def _worth_of(self, row: int, value: float) -> str:
        mate = mate_at(self.tree, self.node)
        if mate is None or not mate.side(value):
            return self._figure(value)
        proof = proof_of_claim(self.tree.log, row, value, words.EXACT)
        return end_words(self.tree, self.node, value, words.EXACT, proof)

    def _figure(self, value: float) -> str:
        if is_best_first(self.tree):
            return Scale(self.tree, [self.mean, *self.worth.tolist()], 0.0).mean(value)
        return digits_for([self.mean, *self.worth.tolist()]).signed(value)


def outcomes_of(tree: Tree, deciding: Deciding, node: int) -> Outcomes:
    """The outcomes of a node at which chance moves."""
    log, rows = tree.log, Siblings(tree, deciding, node).last
    worth, mean = scores_taken(log, rows), float(log.columns["score"][node])
    means = log.column("mean")
    if is_best_first(tree) and means is not None:
        worth = np.where(np.isnan(means[rows]), worth, means[rows])
        mean = mean if math.isnan(means[node]) else float(means[node])
    children = tree.children(node)
    counts, moves, priors = log.column("count"), log.column("moves"), log.column("prior")
    stubs = children[tree.is_stub[children]]
    left = 0 if counts is None else int(np.maximum(counts[stubs], 0).sum())
    count = max(len(rows) + left, 0 if moves is None else int(moves[node]))
    unknown = np.full(len(rows), np.nan)
    return Outcomes(tree, node, rows, count, mean, worth, unknown if priors is None else priors[rows])


def between_outcomes(tree: Tree, pair: Pair, said: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences about two outcomes of chance, with a reminder that no player chooses between them."""
    priors = tree.log.column("prior")
    chances = [math.nan if priors is None else float(priors[row]) for row in (pair.chosen, pair.rival)]
    likely = [percent(chance) for chance in chances if chance == chance]
    said_likely = f"{likely[0]} each" if len(set(likely)) == 1 else " and ".join(likely)
    how = f", with {said_likely}" if len(likely) == len(chances) else ""
    n_first = len(list(takewhile(lambda each: each.kind == "worth", said)))
    chance = sentence("worth", f"Chance decides which comes{how}.")
    return (*said[:n_first], chance, *said[n_first:])
