"""The facts behind the sentences of an explanation, and the words that several sentences share."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from plyscope.visualizer.analysis.explain.causes import Drawn, Overturned, Refutation
from plyscope.visualizer.analysis.explain.margin import Part
from plyscope.visualizer.analysis.explain.pair import Pair, name_of
from plyscope.visualizer.analysis.explain.ply_side import Made, Side
from plyscope.visualizer.analysis.explain.segments import Segment
from plyscope.visualizer.analysis.nodes.mate import Mate, Proof, is_open, mate_of, mate_text
from plyscope.visualizer.analysis.nodes.ply_path import shown_path
from plyscope.visualizer.analysis.nodes.proof import proof_of_claim
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MarginIs = Literal["exact", "at_least", "at_most", "unknown", "unstated"]


LONGEST_NAME: Final = 60
_AT_ONCE: Final = re.compile(r"\b(win|loss) in 1\b")
_NUMBER: Final = re.compile(r"[-+−]?\d+([.,]\d+)?")


WORTH: Final = {"exact": "", "lower": "at least ", "upper": "at most ", "unstated": ""}


CODES: Final = {"exact": words.EXACT, "lower": words.LOWER, "upper": words.UPPER, "unstated": 0}


@dataclass(frozen=True)
class Facts:
    """The facts about a pair of plies that were both searched."""

    pair: Pair
    chosen: Side
    rival: Side
    margin: float | None
    margin_is: MarginIs
    parts: tuple[Part, ...]
    made: tuple[Made, Made]
    refutation: Refutation | None
    overturned: Overturned | None
    drawn: Drawn | None


def ply_link(tree: Tree, row: int) -> Segment:
    """The ply of a row, as a link to it, in quotes if it looks like a number beside scores."""
    name = name_of(tree, row)
    if _NUMBER.fullmatch(name):
        return Segment(f"“{name}”", row)
    return Segment(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", row)


def chosen_name(tree: Tree, facts: Facts) -> str:
    """The name of the chosen ply."""
    return ply_link(tree, facts.chosen.row).text


def whole_path(tree: Tree, row: int) -> Segment:
    """The path that leads to a row, as a link to it."""
    path = shown_path(tree, row)
    return Segment("the root" if path == "root" else path, row)


def for_whom(tree: Tree, row: int) -> str:
    """The player who moves at `row`, where that is not the root player, whose view all figures have."""
    if tree.log.columns["layer"][row] != words.MIN:
        return ""
    players = tree.log.column("player")
    place = -1 if players is None else int(players[row])
    return tree.log.players[place] if 0 <= place < len(tree.log.players) else "the opponent"


def mate_words(tree: Tree, side: Side) -> str:
    """The win or loss that a side claims, in words; empty where it claims none."""
    if is_vacuous(tree, side):
        return ""
    code = CODES[side.bound]
    parent = int(tree.log.columns["parent"][side.row])
    return end_words(tree, parent, side.score, code, proof_of_claim(tree.log, side.row, side.score, code))


def end_words(tree: Tree, parent: int, score: float, code: int, proof: Proof | None) -> str:
    """A win or loss after a ply of `parent`, in words: its distance is counted from there."""
    text = mate_text(mate_at(tree, parent), score, code, proof)
    return _AT_ONCE.sub(r"\1 at once", text)


def mate_at(tree: Tree, row: int) -> Mate | None:
    """The declared scores of wins, their distances counted from `row`."""
    mate = mate_of(tree.log)
    return None if mate is None else replace(mate, made=int(tree.log.columns["level"][row]))


def is_vacuous(tree: Tree, side: Side) -> bool:
    """Whether all that a side claims is that nothing is better than a win at once, or worse than a loss."""
    mate = mate_at(tree, int(tree.log.columns["parent"][side.row]))
    which = 0 if mate is None else mate.side(side.score)
    if mate is None or which == 0 or not is_open(which, CODES[side.bound]):
        return False
    return (mate.score - abs(side.score)) / mate.step <= mate.made + 1 if mate.step else False
