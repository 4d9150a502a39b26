"""The first sentences of an explanation: the scores of the two plies, and which is ahead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from plyscope.visualizer.analysis.explain.causes import sign_of
from plyscope.visualizer.analysis.explain.facts import (
    WORTH,
    Facts,
    chosen_name,
    for_whom,
    is_vacuous,
    ply_link,
    whole_path,
)
from plyscope.visualizer.analysis.explain.pair import Pair
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, enumeration, n_plies, sentence
from plyscope.visualizer.analysis.nodes.digits import Digits
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store.tree import Tree

AT_ONCE: Final = {"win at once": "wins at once", "loss at once": "loses at once"}
NO_PLY: Final = {
    "stand_pat": "not moving did: its own evaluation",
    "estimate": "an estimate of plies that were not searched did",
    "null_move": "a null move did, which cut it off",
}
"""The cause of a score that no ply decided, by the end of the deciding line there."""


def say_no_ply_decided(tree: Tree, deciding: Deciding, parent: int, digits: Digits) -> Sentence | None:
    """Say that the parent has its score from none of its plies; None where one decided."""
    decision = deciding.decide(parent)
    if decision.row is not None or decision.how not in NO_PLY:
        return None
    score = digits.signed(float(tree.log.columns["score"][parent]))
    return sentence(
        "worth",
        "No ply decided at ",
        whole_path(tree, parent),
        f": {NO_PLY[decision.how]} ({score}).",
    )


def say_parted(tree: Tree, pair: Pair) -> Sentence:
    """At which node the paths of two nodes part that are no siblings."""
    where = whole_path(tree, pair.parent)
    return sentence("worth", "The two are no siblings; their paths part at ", where, ".")


def say_worth(tree: Tree, facts: Facts, digits: Digits, mates: Sequence[str]) -> Sentence:
    """Say both scores, and the lead of the better ply."""
    if any(mates):
        return _with_mates(tree, facts, digits, mates)
    one, two = facts.chosen, facts.rival
    x, y = ply_link(tree, one.row), ply_link(tree, two.row)
    if is_vacuous(tree, one) and is_vacuous(tree, two):
        best = "better than a win" if one.score > 0 else "worse than a loss"
        return sentence(
            "worth", "The bounds of ", x, " and ", y, f" leave all open: nothing is {best} at once."
        )
    if math.isnan(one.score) or math.isnan(two.score):
        lacking = [name for name, side in ((x, one), (y, two)) if math.isnan(side.score)]
        verb = "has" if len(lacking) == 1 else "have"
        return sentence(
            "worth", enumeration(lacking), f" {verb} no score in this log, so there is no margin."
        )
    if facts.margin is None:
        pieces = (
            f" is worth {digits.signed(one.score)}, ",
            y,
            f" {digits.signed(two.score)}: no margin is finite.",
        )
        return sentence("worth", x, *pieces)
    if facts.margin == 0 and facts.margin_is == "exact":
        return _tie(tree, facts, digits)
    worth_x = f" is worth {WORTH[one.bound]}"
    worth_y = f" {WORTH[two.bound]}"
    conclusion = _conclusion(tree, facts, digits)
    return sentence(
        "worth", x, worth_x, Segment(digits.signed(one.score), one.line.leaf), ", ", y, worth_y,
        Segment(digits.signed(two.score), two.line.leaf), f": {conclusion}.",
    )  # fmt: skip


def _conclusion(tree: Tree, facts: Facts, digits: Digits) -> str:
    """The margin in words, about the chosen ply, as the mover sees it."""
    assert facts.margin is not None
    sign = sign_of(tree, facts.pair.parent)
    margin = facts.margin if sign is None else sign * facts.margin
    ahead, behind = ("higher", "lower") if sign is None else ("better", "worse")
    size = digits.plain(margin)
    word = ahead if margin > 0 else behind
    whom = for_whom(tree, facts.pair.parent)
    seen = f" for {whom}, who moves here" if whom and sign is not None else ""
    match facts.margin_is:
        case "exact":
            return f"{size} {word}{seen}"
        case "at_least" if margin == 0:
            return f"{chosen_name(tree, facts)} is at least as {'high' if sign is None else 'good'}{seen}"
        case "at_most" if margin == 0:
            return f"{chosen_name(tree, facts)} is no {ahead}{seen}"
        case "at_least" | "at_most":
            is_least = (facts.margin_is == "at_least") == (margin > 0)
            return f"{'at least' if is_least else 'at most'} {size} {word}{seen}"
        case "unstated":
            said = "the same" if margin == 0 else f"{size} {word}{seen}"
            return f"{said} as logged; the log does not say whether both are exact"
    return f"from these bounds it does not follow which is {ahead}{seen}"


def _tie(tree: Tree, facts: Facts, digits: Digits) -> Sentence:
    first, _ = sorted((facts.chosen, facts.rival), key=lambda side: _first_visit(tree, side.row))
    x, y = ply_link(tree, facts.chosen.row), ply_link(tree, facts.rival.row)
    score = Segment(digits.signed(first.score), first.line.leaf)
    name = ply_link(tree, first.row)
    same = " exactly " if digits.is_whole(first.score) else " the same, "
    is_grown = tree.log.search.get("order") == "best_first"
    place = " stands first in the log." if is_grown else " was searched first."
    return sentence("worth", x, " and ", y, f" are both worth{same}", score, "; ", name, place)


def _first_visit(tree: Tree, row: int) -> int:
    column, parent = tree.log.columns["ply"], int(tree.log.columns["parent"][row])
    if column[row] < 0:
        return row
    children = tree.children(parent)
    children = children[(column[children] == column[row]) & ~tree.is_stub[children]]
    return int(children[0])


def _with_mates(tree: Tree, facts: Facts, digits: Digits, mates: Sequence[str]) -> Sentence:
    """Wins and losses in their words; two of one side by which comes sooner."""
    sides = facts.chosen, facts.rival
    texts: list[Segment | str | Sequence[Segment]] = []
    for side, mate in zip(sides, mates, strict=True):
        texts += ["; " if texts else "", ply_link(tree, side.row)]
        if mate in AT_ONCE:
            texts.append(f" {AT_ONCE[mate]}")
        elif mate:
            texts.append(f": {mate}")
        else:
            worth = f" is worth {WORTH[side.bound]}"
            texts += [worth, Segment(digits.signed(side.score), side.line.leaf)]
    text = "."
    mate_scores = mate_of(tree.log)
    if mate_scores is not None and all(side.bound == "exact" for side in sides):
        signs = [mate_scores.side(side.score) for side in sides]
        plies = [mate_scores.plies(side.score) for side in sides]
        if signs[0] == signs[1] != 0 and plies[0] is not None and plies[1] is not None:
            later, what = plies[0] - plies[1], "win" if signs[0] > 0 else "loss"
            name = ply_link(tree, facts.chosen.row).text
            by = (
                f"{n_plies(abs(later))} {'later' if later > 0 else 'sooner'}"
                if later
                else "at the same distance"
            )
            text = f". As claimed, the {what} after {name} comes {by}."
    return sentence("worth", *texts, text)
