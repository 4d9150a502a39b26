"""The reasons why one ply is ahead: the refutation, the factors, the overturned order, the drawn rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plyscope.visualizer.analysis.explain.causes import Drawn, Overturned, Refutation, sign_of
from plyscope.visualizer.analysis.explain.facts import Facts, for_whom, ply_link
from plyscope.visualizer.analysis.explain.margin import Part
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, enumeration, sentence
from plyscope.visualizer.analysis.nodes.digits import MINUS, Digits, digits_for, percent
from plyscope.visualizer.analysis.nodes.score_source import SOURCE_UNSTATED
from plyscope.visualizer.store.header_fields import said_over
from plyscope.visualizer.store.tree import Tree

MOST_FACTORS: Final = 2
"""Factors that are named: the largest, whether for the ply or against it."""


MOST_STEPS: Final = 8
"""Plies of a line that a sentence lists."""


GAME_OVER: Final = "game over"
ENDS: Final = {
    "table": "the transposition table gave it, and the node that stored it is not in this log",
    "window_edge": "its score is an edge of the window, with no leaf behind it",
    "estimate": "its score is an estimate of plies that were not searched",
    "null_move": "a null move cut it off, with no leaf behind it",
    "chance": "its score is a mean over what chance may bring, with no single leaf behind it",
    "not_recorded": "the replies that decided it are not in this log",
    "unknown": "nothing below it in this log has its score",
}


def say_refuted(tree: Tree, facts: Facts, refutation: Refutation) -> Sentence:
    """Say the reply that refutes the rival, and the number of replies that were not searched after it."""
    after, count = "", refutation.n_unsearched
    if count is None:
        after = ", and replies after it were not searched"
    elif count:
        were = "the reply after it was" if count == 1 else f"the {count:,} replies after it were"
        after = f", and {were} not searched"
    is_split = _are_compared(facts) and any(part.amount for part in facts.parts if part.kind == "factor")
    reply, refuted = ply_link(tree, refutation.reply), ply_link(tree, facts.rival.row)
    still = f". Factors are compared at the end of this refutation: {refuted.text} may be worse still"
    return sentence(
        "cause", "The reply ", reply, " refutes ", refuted, f"{after}{still if is_split else ''}."
    )


def _are_compared(facts: Facts) -> bool:
    """Whether both lines end in an evaluation whose factors are known."""
    return all(made.factors for made in facts.made)


def say_by_factor(tree: Tree, facts: Facts, digits: Digits) -> list[Sentence]:
    """The sentences about the factors for and against the chosen ply, and the rests that are no factors."""
    if not (tree.log.factors or tree.log.contribution_names):
        return [_no_factors(tree, facts)]
    sign = sign_of(tree, facts.pair.parent)
    worth = -1.0 if sign == -1.0 else 1.0
    factors = [part for part in facts.parts if part.kind == "factor" and part.amount]
    rests = [part for part in facts.parts if part.kind == "rest" and part.name != "rounding"]
    found: list[Sentence] = []
    largest = factors[:MOST_FACTORS]
    helping = [part for part in largest if worth * part.amount > 0]
    hurting = [part for part in largest if worth * part.amount < 0]
    name = ply_link(tree, facts.chosen.row).text
    verbs = (
        (f"higher for {name}", f"lower for {name}") if sign is None else (f"for {name}", f"against {name}")
    )
    whom = for_whom(tree, facts.pair.parent)
    seen = f", as {whom} sees it" if whom else ""
    pieces: list[str | Segment | Sequence[Segment]] = []
    for parts, verb in zip((helping, hurting), verbs, strict=True):
        if parts and _are_compared(facts):
            speaks = "speaks" if len(parts) == 1 else "speak"
            said = (
                f" {speaks} {verb}" if sign is not None else f" {'is' if len(parts) == 1 else 'are'} {verb}"
            )
            pieces += [
                "; " if pieces else "",
                enumeration([_amount(facts, each, digits) for each in parts]),
                said,
            ]
    if pieces:
        found.append(sentence("cause", "Where the lines end, ", *pieces, f"{seen}."))
    if factors and not _are_compared(facts):
        return [_compared_with_nothing(tree, facts)]
    ended = [part for part in rests if part.name == GAME_OVER]
    rests = [part for part in rests if part.name != GAME_OVER]
    if ended and not rests:
        found.append(_ended(tree, facts, has_factors=bool(pieces)))
    if rests:
        verb = "is no factor" if len(rests) == 1 else "are no factors"
        amounts = enumeration([_amount(facts, each, digits) for each in rests])
        found.append(sentence("caveat", "Of the margin, ", amounts, f" {verb}{_ends(tree, facts)}."))
    return found


def _ended(tree: Tree, facts: Facts, *, has_factors: bool) -> Sentence:
    """Say which line ends with the game, whose score is no sum of factors."""
    ends = [side for side in (facts.chosen, facts.rival) if side.line.how == "terminal"]
    names = enumeration([ply_link(tree, side.row) for side in ends])
    what = "The line of " if len(ends) == 1 else "The lines of "
    verb = " ends with the game" if len(ends) == 1 else " end with the game"
    why = "." if has_factors else ", so no factors are compared."
    return sentence("caveat", what, names, f"{verb}{why}")


def _compared_with_nothing(tree: Tree, facts: Facts) -> Sentence:
    """Say which line alone ends in an evaluation, so that its factors have nothing to be compared with."""
    side = next(
        side for side, made in zip((facts.chosen, facts.rival), facts.made, strict=True) if made.factors
    )
    name = ply_link(tree, side.row)
    why = _ends(tree, facts)
    return sentence(
        "caveat", "Only the line of ", name, f" ends in an evaluation, so its factors stand alone{why}."
    )


def _no_factors(tree: Tree, facts: Facts) -> Sentence:
    """The two lines, which alone explain where the log has no factors."""
    if (protocol := said_over(tree.log.header)) is not None:
        return sentence(
            "caveat", f"An engine said these lines over {protocol}; why is in the tree that it searched."
        )
    if len(facts.chosen.rows) == len(facts.rival.rows) == 1:
        return sentence(
            "caveat", "This log states no factors, and no replies to either ply that explain more."
        )
    pieces: list[str | Segment | Sequence[Segment]] = [
        "This log states no factors; the lines alone explain: "
    ]
    pieces += [*_line(tree, facts.chosen.rows), " against ", *_line(tree, facts.rival.rows)]
    return sentence("caveat", *pieces, ".")


def _line(tree: Tree, rows: Sequence[int]) -> list[str | Segment]:
    """The plies of a line as links: `e5 > Nc3 > Qxf2+`; where it goes on through the table, that is said."""
    pieces: list[str | Segment] = []
    for step, row in enumerate(rows[:MOST_STEPS]):
        is_child = step > 0 and tree.log.columns["parent"][row] == rows[step - 1]
        pieces += ["" if step == 0 else " > " if is_child else ", from the table ", ply_link(tree, row)]
    return [*pieces, " > …"] if len(rows) > MOST_STEPS else pieces


def _amount(facts: Facts, part: Part, digits: Digits) -> Segment:
    """A part of the margin with its amount, and the raw values of a factor where the ends differ in them."""
    one, two = (made.values.get(part.name) for made in facts.made)
    counts = ""
    if part.kind == "factor" and one is not None and two is not None and one != two:
        values = digits_for([one, two], one - two)
        texts = [(MINUS if value < 0 else "") + values.plain(value) for value in (one, two)]
        counts = f": {texts[0]} against {texts[1]}"
    ends = {"chosen": facts.chosen.line.leaf, "rival": facts.rival.line.leaf}
    row = None if part.end is None else ends[part.end]
    return Segment(f"{part.name} ({digits.signed(part.amount)}{counts})", row, part.name)


def _ends(tree: Tree, facts: Facts) -> str:
    """A clause for each of the two lines that ends without known factors, with the reason; empty for none."""
    clauses = []
    for side, made in zip((facts.chosen, facts.rival), facts.made, strict=True):
        name, how = ply_link(tree, side.row).text, side.line.how
        if side.line.note == SOURCE_UNSTATED:
            clauses.append(
                f"of {name}, the transposition table gave it, and the log does not say from which node"
            )
        elif how in ENDS:
            clauses.append(f"of {name}, {ENDS[how]}")
        elif how == "terminal":
            clauses.append(f"the line of {name} ends with the game")
        elif not made.factors:
            clauses.append(f"the end of the line of {name} states no factors")
    return f": {'; '.join(clauses)}" if clauses else ""


def say_overturned(tree: Tree, facts: Facts, overturned: Overturned) -> Sentence:
    """A sentence about the chosen ply's rank by pre_score, and the level at which the order turned."""
    chosen, rival = ply_link(tree, facts.chosen.row), ply_link(tree, facts.rival.row)
    place = f" was number {overturned.rank:,} of {overturned.n_plies:,}, behind "
    if overturned.turn is None:
        return sentence(
            "cause",
            "By pre_score ",
            chosen,
            place,
            rival,
            "; along the two lines the pre_scores do not turn in its favour by their last shared level.",
        )
    level, row = overturned.turn
    after = f"; along the two lines the pre_scores first turn in its favour at level {level:,}, with "
    line = _line(tree, facts.chosen.rows[: facts.chosen.rows.index(row) + 1])
    return sentence("cause", "By pre_score ", chosen, place, rival, after, *line, ".")


def say_drawn(drawn: Drawn) -> Sentence:
    """Say that the rank was drawn by the randomness quotient, and with which probability."""
    odds = ""
    if drawn.probability is not None:
        odds = f" (Q = {drawn.quotient} does that {percent(drawn.probability)} of the time)"
    return sentence(
        "cause", f"Rank {drawn.rank} was drawn by the randomness quotient{odds}; the best is rank 0."
    )
