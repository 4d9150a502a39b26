"""The facts behind the sentences of an explanation, and the words that several sentences share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.visualizer.analysis.explain.causes import Drawn, Overturned, Refutation
from plyscope.visualizer.analysis.explain.margin import Part
from plyscope.visualizer.analysis.explain.pair import Pair, name_of
from plyscope.visualizer.analysis.explain.ply_side import Made, Side
from plyscope.visualizer.analysis.explain.segments import Segment
from plyscope.visualizer.analysis.mate import mate_of, mate_text
from plyscope.visualizer.analysis.ply_path import shown_path
from plyscope.visualizer.analysis.proof import proof_of_claim
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MarginIs = Literal["exact", "at_least", "at_most", "unknown", "unstated"]


LONGEST_NAME: Final = 60
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
    """The ply of a row, as a link to it. One that reads as a number stands in quotes, among the scores."""
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


def mate_words(tree: Tree, side: Side) -> str:
    """The win or loss that a side claims, in words; empty where it claims none."""
    code = CODES[side.bound]
    proof = proof_of_claim(tree.log, side.row, side.score, code)
    return mate_text(mate_of(tree.log), side.score, code, proof)
