"""The whole explanation of a pair, as values and for machines."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from plyscope.visualizer.analysis.columns.rounding import gap
from plyscope.visualizer.analysis.explain.best_first import mean_sentences, rest_sentences
from plyscope.visualizer.analysis.explain.causes import (
    drawn_of,
    left_out,
    overturned_of,
    refutation_of,
    sign_of,
)
from plyscope.visualizer.analysis.explain.caveats import say_unsearched
from plyscope.visualizer.analysis.explain.exact_question import InexactPly, inexact_plies
from plyscope.visualizer.analysis.explain.facts import Facts, MarginIs, for_whom
from plyscope.visualizer.analysis.explain.margin import Part, split_of
from plyscope.visualizer.analysis.explain.means import Means, means_of
from plyscope.visualizer.analysis.explain.nearer_wins import nearest_win
from plyscope.visualizer.analysis.explain.outcomes import Outcomes, between_outcomes, outcomes_of
from plyscope.visualizer.analysis.explain.pair import (
    Named,
    Nothing,
    Pair,
    Roll,
    Siblings,
    chosen_of,
    find_pair,
    is_best_first,
    is_roll,
    unsearched_choice,
)
from plyscope.visualizer.analysis.explain.ply_side import Side, score_parts, side_of
from plyscope.visualizer.analysis.explain.segments import Sentence, sentence
from plyscope.visualizer.analysis.explain.sentences import left_out_sentences, searched_sentences
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.nodes.node_json import number
from plyscope.visualizer.analysis.nodes.ply_path import shown_path
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.positions import shown_ply
from plyscope.visualizer.store.tree import Tree


@dataclass(frozen=True)
class Explained:
    """Two plies compared. All figures are seen from the root player."""

    tree: Tree
    pair: Pair | None
    chosen: int | None
    rival: int | None
    rival_ply: str | None
    """The ply that is meant, where the rival is a stub for several."""
    sides: tuple[Side, ...]
    """The chosen ply and the rival; without the rival where that has no row of its own."""
    margin: float | None
    """The score of the chosen ply less that of the rival; None where it cannot be split."""
    margin_is: MarginIs
    """How the margin bounds the lead of the chosen ply, as the mover sees it (see `margin_is`)."""
    split: tuple[Part, ...]
    sentences: tuple[Sentence, ...]
    means: Means | None = None
    """The plies of the node in a best-first tree: visits, and means with their intervals."""
    outcomes: Outcomes | None = None
    """Where chance moves and no two outcomes were asked about: all outcomes, none of which is chosen."""

    @cached_property
    def inexact_plies(self) -> tuple[InexactPly, ...]:
        """The plies of the pair that a search could say more of than the log does."""
        return () if self.pair is None else inexact_plies(self.tree, self.pair, self.sides)

    @cached_property
    def is_choice(self) -> bool:
        """Whether the ply that is explained is the one that its node chose, or would choose."""
        if self.pair is None:
            return True
        if is_roll(self.tree, self.pair.parent):
            return False
        if self.means is not None:
            return self.means.is_choice
        siblings = Siblings(self.tree, Deciding(self.tree), self.pair.parent)
        is_root = self.pair.parent == self.tree.main_root
        named = chosen_of(self.tree, siblings) if is_root else None
        return self.chosen == (siblings.best_but(None) if named is None else named)

    def as_json(self) -> dict[str, Any]:
        """The JSON: the documented keys, and those by which a page links nodes."""
        tree = self.tree
        answer = {
            "chosen": None if self.chosen is None else self._node(self.chosen, None),
            "rival": None if self.rival is None else self._node(self.rival, self.rival_ply),
            "mover": self._mover,
            "margin": self.margin,
            "margin_is": self.margin_is,
            "split": as_json(self.split),
            "lines": [self._line(side) for side in self.sides],
            "sentences": [str(each) for each in self.sentences],
            "parts": [each.as_json(tree) for each in self.sentences],
            "exact": [each.as_json(tree) for each in self.inexact_plies],
        }
        if self.outcomes is not None:
            answer["outcomes"] = self.outcomes.as_json()
        return answer if self.means is None else answer | {"means": self.means.as_json()}

    @property
    def _mover(self) -> dict[str, Any] | None:
        """The player at the node that chooses: the layer, and the name where that is stated."""
        if self.outcomes is not None:
            parent = self.outcomes.node
        elif self.pair is not None:
            parent = self.pair.parent
        else:
            return None
        columns = self.tree.log.columns
        layer = words.LAYERS[int(columns["layer"][parent])]
        return {"layer": layer or None, "name": for_whom(self.tree, parent) or None}

    def _node(self, row: int, ply: str | None) -> dict[str, Any]:
        log = self.tree.log
        side = next((side for side in self.sides if side.row == row), None)
        answer: dict[str, Any] = {
            "id": int(log.columns["id"][row]),
            "ply": self.tree.ply(row) if ply is None else ply,
            "path": shown_path(self.tree, row),
        }
        if side is not None:
            answer["score"] = None if math.isnan(side.score) else number(side.score)
            answer["bound"] = side.bound
            if math.isfinite(side.taken) and side.taken != side.score:
                answer["returned"] = side.taken
        return answer

    def _line(self, side: Side) -> dict[str, Any]:
        log, rows = self.tree.log, np.array(side.rows, np.int64)
        ids = log.columns["id"][rows].tolist()
        return {
            "nodes": [
                {"id": number, "ply": shown_ply(log, row)} for number, row in zip(ids, side.rows, strict=True)
            ],
            "leaf": int(log.columns["id"][side.line.leaf]),
            "ends": side.line.how,
            "note": side.line.note,
        }


def explain(tree: Tree, chosen: Named | None = None, rival: Named | None = None) -> Explained:
    """Explain why one ply and not another; by default the ply chosen at the main root and the best other.

    Where plies cannot be compared, a sentence gives the reason.
    """
    deciding = Deciding(tree)
    pair = find_pair(tree, deciding, chosen, rival)
    if isinstance(pair, Pair) and rival is None and (nearer := _nearer(tree, deciding, pair)) is not None:
        pair = nearer
    found = _explained(tree, deciding, pair)
    ply = unsearched_choice(tree, deciding, (chosen, rival))
    if ply is None or found.chosen is None:
        return found
    return replace(found, sentences=(*found.sentences, say_unsearched(tree, ply, found.chosen)))


def _nearer(tree: Tree, deciding: Deciding, pair: Pair) -> Pair | None:
    """The pair with the ply as rival whose win comes sooner than that of the chosen one; None for none."""
    siblings = Siblings(tree, deciding, pair.parent)
    nearest = nearest_win(tree, deciding, siblings, pair.chosen)
    if nearest is None:
        return None
    return replace(pair, rival=nearest, rival_ply=None, visits=(pair.visits[0], siblings.n_visits(nearest)))


def _explained(tree: Tree, deciding: Deciding, pair: Pair | Roll | Nothing) -> Explained:
    if isinstance(pair, Roll):
        outcomes = outcomes_of(tree, deciding, pair.node)
        said = outcomes.sentences()
        return Explained(
            tree, None, None, None, None, (), None, "unknown", (), said, outcomes=outcomes
        )  # fmt: skip
    if isinstance(pair, Nothing):
        said = (sentence("worth", pair.reason),)
        sides = () if pair.chosen is None else (side_of(tree, deciding, pair.chosen),)
        return Explained(tree, None, pair.chosen, None, None, sides, None, "unknown", (), said)
    if is_best_first(tree):
        return _best_first(tree, deciding, pair)
    if tree.is_stub[pair.rival]:
        side = side_of(tree, deciding, pair.chosen)
        sentences = left_out_sentences(tree, pair, side, left_out(tree, pair))
        return _made(tree, pair, (side,), None, "unknown", (), sentences)
    facts = _facts(tree, deciding, pair)
    return _made(
        tree,
        pair,
        (facts.chosen, facts.rival),
        facts.margin,
        facts.margin_is,
        facts.parts,
        searched_sentences(tree, deciding, facts),
    )


def _best_first(tree: Tree, deciding: Deciding, pair: Pair) -> Explained:
    chosen = side_of(tree, deciding, pair.chosen)
    if tree.is_stub[pair.rival]:
        return _made(tree, pair, (chosen,), None, "unknown", (), rest_sentences(tree, pair))
    means = means_of(tree, Siblings(tree, deciding, pair.parent), pair)
    sides = chosen, side_of(tree, deciding, pair.rival)
    said = mean_sentences(tree, pair, means)
    return replace(_made(tree, pair, sides, None, "unknown", (), said), means=means)


def _made(
    tree: Tree,
    pair: Pair,
    sides: tuple[Side, ...],
    margin: float | None,
    margin_is: MarginIs,
    split: tuple[Part, ...],
    sentences: tuple[Sentence, ...],
) -> Explained:
    if is_roll(tree, pair.parent):
        sentences = between_outcomes(tree, pair, sentences)
    return Explained(
        tree, pair, pair.chosen, pair.rival, pair.rival_ply, sides, margin, margin_is, split, sentences
    )


def _facts(tree: Tree, deciding: Deciding, pair: Pair) -> Facts:
    one, two = side_of(tree, deciding, pair.chosen), side_of(tree, deciding, pair.rival)
    margin = margin_of(tree, one, two)
    sign = sign_of(tree, pair.parent)
    is_ = margin_is(one, two, sign)
    is_ahead = is_ in ("exact", "at_least") and bool(margin) and (sign or 0.0) * (margin or 0.0) > 0
    is_behind = is_ != "unknown" and (sign or 0.0) * (margin or 0.0) < 0
    made = score_parts(tree, one), score_parts(tree, two)
    return Facts(
        pair=pair,
        chosen=one,
        rival=two,
        margin=margin,
        margin_is=is_,
        parts=() if margin is None else split_of(margin, *made),
        made=made,
        # Where the rival may be ahead, a reply that closed some window is no refutation beside this ply.
        refutation=None if is_behind else refutation_of(tree, deciding, pair, two),
        overturned=overturned_of(tree, pair, one, two) if is_ahead else None,
        drawn=drawn_of(tree, Siblings(tree, deciding, pair.parent), pair.chosen),
    )


def margin_of(tree: Tree, one: Side, two: Side) -> float | None:
    """The gap between the scores of two plies; None where both are won or lost, or none is finite."""
    margin = gap(one.score, two.score)
    mate = mate_of(tree.log)
    if mate is not None and mate.side(one.score) and mate.side(two.score):
        return None
    return margin if math.isfinite(margin) else None


def margin_is(one: Side, two: Side, sign: float | None) -> MarginIs:
    """The relation of the margin to the true lead of one ply over the other, as the mover sees it.

    `exact`: it is the lead. `at_least`, `at_most`: the lead is no smaller, no greater. `unknown`: the bounds
    leave both open. `unstated`: a visit states neither a bound nor its window.
    """
    if "unstated" in (one.bound, two.bound):
        return "unstated"
    if one.bound == two.bound == "exact":
        return "exact"
    lower, upper = ("upper", "lower") if sign == -1.0 else ("lower", "upper")
    if one.bound in ("exact", lower) and two.bound in ("exact", upper):
        return "at_least"
    if one.bound in ("exact", upper) and two.bound in ("exact", lower):
        return "at_most"
    return "unknown"
