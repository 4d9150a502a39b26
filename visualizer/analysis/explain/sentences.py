"""An explanation in two to five sentences, built from computed facts alone."""

from __future__ import annotations

import math
from typing import Final

from plyscope.visualizer.analysis.explain.causes import LeftOut
from plyscope.visualizer.analysis.explain.caveats import say_edge, say_shallower, say_unproven, say_wrong
from plyscope.visualizer.analysis.explain.facts import LONGEST_NAME, WORTH, Facts, mate_words, ply_link
from plyscope.visualizer.analysis.explain.nearer_wins import say_ends
from plyscope.visualizer.analysis.explain.pair import Pair
from plyscope.visualizer.analysis.explain.ply_side import Side
from plyscope.visualizer.analysis.explain.reasons import say_by_factor, say_drawn, say_overturned, say_refuted
from plyscope.visualizer.analysis.explain.score_sentences import say_no_ply_decided, say_parted, say_worth
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, n_plies, sentence
from plyscope.visualizer.analysis.nodes.digits import Digits, digits_for
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store.tree import Tree


def searched_sentences(tree: Tree, deciding: Deciding, facts: Facts) -> tuple[Sentence, ...]:
    """The sentences about two plies that were searched."""
    sides = facts.chosen, facts.rival
    shown = [each for side in sides for each in (side.score, side.taken)] + [
        part.amount for part in facts.parts if part.kind == "factor"
    ]
    digits = digits_for(shown, facts.margin)
    found: list[Sentence] = []
    if facts.pair.parted:
        found.append(say_parted(tree, facts.pair))
    if (said := say_no_ply_decided(tree, deciding, facts.pair.parent, digits)) is not None:
        found.append(said)
    mates = [mate_words(tree, side) for side in sides]
    found.append(say_worth(tree, facts, digits, mates))
    if (said := say_ends(tree, deciding, facts.pair, sides)) is not None:
        found.append(said)
    if facts.refutation is not None:
        found.append(say_refuted(tree, facts, facts.refutation))
    if facts.parts:
        found += say_by_factor(tree, facts, digits)
    if facts.overturned is not None:
        found.append(say_overturned(tree, facts, facts.overturned))
    if facts.drawn is not None:
        found.append(say_drawn(facts.drawn))
    found += [
        said for side, mate in zip(sides, mates, strict=True) if (said := say_unproven(tree, side, mate))
    ]
    found += [said for side in sides if (said := say_edge(tree, side, digits)) is not None]
    if (said := say_shallower(tree, facts)) is not None:
        found.append(said)
    return (*found, *say_wrong(tree, facts.pair, sides))


def left_out_sentences(tree: Tree, pair: Pair, chosen: Side, rival: LeftOut) -> tuple[Sentence, ...]:
    """The sentences where the rival has no row of its own."""
    digits = digits_for([chosen.score, *(v for v in (rival.pre_score, rival.needed) if v is not None)])
    mate = mate_words(tree, chosen)
    said = f": {mate}." if mate else f" is worth {WORTH[chosen.bound]}{digits.signed(chosen.score)}."
    if math.isnan(chosen.score):
        said = " has no score in this log."
    found = [sentence("worth", ply_link(tree, chosen.row), said)]
    if pair.parted:
        found.insert(0, say_parted(tree, pair))
    found.append(_never_searched(rival, pair, digits))
    if (unproven := say_unproven(tree, chosen, mate)) is not None:
        found.append(unproven)
    return (*found, *say_wrong(tree, pair, (chosen,)))


_WHY_NO_ROW: Final = {
    "pruned": "alpha-beta cut it off, since the score there had already reached the edge of the window",
    "limited": "it is over the branching limit",
    "skipped": "forward pruning skipped it",
}


def _never_searched(rival: LeftOut, pair: Pair, digits: Digits) -> Sentence:
    many = rival.ply is None and rival.count != 1
    if rival.ply is None:
        count = "Some plies" if rival.count is None else n_plies(rival.count)
        name = Segment(count, pair.rival)
    else:
        name = Segment(rival.ply[:LONGEST_NAME], pair.rival)
    if rival.outcome == "unlogged":
        return sentence(
            "worth", name, f" {'were' if many else 'was'} searched, but the log does not record how."
        )
    why = _WHY_NO_ROW[rival.outcome]
    if many:
        why = why.replace("it off", "them off").replace("it is", "they are")
        why = why.replace("skipped it", "skipped them")
    text = f" {'were' if many else 'was'} never searched here: {why}"
    if rival.needed is not None and rival.pre_score is not None:
        kept = "the one ply kept" if rival.n_kept == 1 else f"the {rival.n_kept:,} kept"
        place = (
            "" if rival.rank is None else f"By pre_score it was number {rival.rank:,} of {rival.n_plies:,}: "
        )
        figures = f"{digits.signed(rival.pre_score)}, and {kept} had {digits.signed(rival.needed)} or better."
        text += f". {place}{'it' if place else 'It'} had {figures}"
        return sentence("worth", name, text)
    if rival.pre_score is not None:
        return sentence("worth", name, f"{text}; its pre_score was {digits.signed(rival.pre_score)}.")
    return sentence("worth", name, f"{text}.")
