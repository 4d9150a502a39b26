"""The sentences about an exact search of one ply, and a caveat if the log claims another score for it."""

from __future__ import annotations

from typing import Final, get_args

from plyscope.visualizer.analysis.columns.rounding import gap
from plyscope.visualizer.analysis.explain.causes import sign_of
from plyscope.visualizer.analysis.explain.exact_question import OTHER, InexactPly, Which, Worth
from plyscope.visualizer.analysis.explain.facts import CODES, WORTH, end_words, for_whom, ply_link
from plyscope.visualizer.analysis.explain.pair import Pair
from plyscope.visualizer.analysis.explain.ply_side import Bound, Side
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, n_plies, sentence
from plyscope.visualizer.analysis.nodes.digits import Digits, digits_for
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.nodes.proof import proof_of_claim
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

WINDOWED: Final = {
    "lmr": "late move reductions",
    "null_move": "null move",
    "reverse_futility": "reverse futility pruning",
}
"""Techniques that make the searched tree depend on the window, so that two windows may give two scores."""


def exact_sentences(
    tree: Tree,
    pair: Pair,
    sides: tuple[Side, ...],
    asked: InexactPly,
    worth: Worth,
    other: Worth | None = None,
) -> tuple[Sentence, ...]:
    """The sentences about a ply that was searched exactly; `other` is the other ply, if that was too."""
    by_name: dict[Which, Side] = dict(zip(get_args(Which), sides, strict=False))
    mine, beside = by_name.get(asked.which), by_name.get(OTHER[asked.which])
    scores = [worth.score, *(side.score for side in sides)] + ([] if other is None else [other.score])
    digits = digits_for(scores, worth.score - (beside.score if beside is not None else 0.0))
    name = Segment((asked.ply or "the ply")[:60], asked.row)
    mate = end_words(tree, pair.parent, worth.score, words.EXACT, worth.proof)
    found = f": {mate}" if mate else f" is worth {digits.signed(worth.score)}"
    nodes = n_plies(worth.nodes, "node", "nodes")
    pieces: list[str | Segment] = ["Searched exactly, ", name, found]
    if beside is not None:
        pieces += _than(tree, pair, worth, beside, other, digits)
    said = [sentence("worth", *pieces, f". That took {nodes}, {n_plies(worth.depth)} deep.")]
    if mine is not None and (doubt := _doubt(tree, mine, worth, digits)) is not None:
        said.append(doubt)
    return tuple(said)


def _than(
    tree: Tree, pair: Pair, worth: Worth, beside: Side, other: Worth | None, digits: Digits
) -> list[str | Segment]:
    """The words that compare the score with that of the other ply, as the mover sees it."""
    name = ply_link(tree, beside.row)
    score, bound = (beside.score, beside.bound) if other is None else (other.score, "exact")
    mates = mate_of(tree.log)
    if mates is not None and (mates.side(score) or mates.side(worth.score)):
        code = CODES[bound]
        proof = proof_of_claim(tree.log, beside.row, score, code) if other is None else other.proof
        text = end_words(tree, pair.parent, score, code, proof)
        return ["; ", name, f": {text}" if text else f" is worth {WORTH[bound]}{digits.signed(score)}"]
    sign = sign_of(tree, pair.parent)
    lead = gap(worth.score, score) * (1.0 if sign is None else sign)
    if lead != lead:
        return []
    ahead, behind = ("higher", "lower") if sign is None else ("better", "worse")
    whom = for_whom(tree, pair.parent)
    seen = f" for {whom}" if whom and sign is not None else ""
    size, word = digits.plain(lead), (ahead if lead > 0 else behind) + seen
    match _known(bound, sign):
        case "exact":
            return [", as much as ", name] if lead == 0 else [f", {size} {word} than ", name]
        case "at_least" if lead >= 0:  # of the lead, since the other is worth no more than its bound
            return (
                [", at least as much as ", name] if lead == 0 else [f", at least {size} {word} than ", name]
            )
        case "at_most" if lead <= 0:
            return [", no more than ", name] if lead == 0 else [f", at least {size} {word} than ", name]
        case "unstated":
            return [", as much as ", name, " as logged"] if lead == 0 else [
                f", {size} {word} than ", name, " as logged",
            ]  # fmt: skip
    is_worth = f" is worth {WORTH[bound]}{digits.signed(score)}"
    return ["; ", name, f"{is_worth}, so it does not follow which is {ahead}"]


def _known(bound: Bound, sign: float | None) -> str:
    """The bound of the lead over a ply whose score has `bound`, as the mover sees it."""
    if bound in ("exact", "unstated"):
        return bound
    return "at_least" if (bound == "upper") == (sign != -1.0) else "at_most"


def _doubt(tree: Tree, mine: Side, worth: Worth, digits: Digits) -> Sentence | None:
    """Say that the log, which searched the ply as deep, contradicts the exact score; None if it does not."""
    if mine.bound == "unstated" or mine.depth < worth.depth or mine.low <= worth.score <= mine.high:
        return None
    claimed = f"{WORTH[mine.bound]}{digits.signed(mine.score)}"
    options = tree.log.header["search"]["options"]
    if using := [name for option, name in WINDOWED.items() if options.get(option) is not None]:
        why = f"with {' and '.join(using)} on, the window decides what is searched"
    elif tree.log.header["search"].get("table_carried") or "table" in options:
        why = "table entries of other windows or searches may stand behind one of them"
    else:
        why = "`plyscope check` may say why"
    return sentence("caveat", f"The log claims {claimed} of it, and the two searches disagree: {why}.")
