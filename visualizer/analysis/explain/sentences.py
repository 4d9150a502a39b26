"""An explanation in two to five sentences, built from computed facts alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.visualizer.analysis.deciding import Deciding
from plyscope.visualizer.analysis.explain.causes import (
    Drawn,
    LeftOut,
    Overturned,
    Refutation,
    sign_of,
)
from plyscope.visualizer.analysis.explain.figures import MINUS, Digits, digits_for, percent
from plyscope.visualizer.analysis.explain.pair import Pair, name_of
from plyscope.visualizer.analysis.explain.said import Segment, Sentence, listed, n_plies, sentence
from plyscope.visualizer.analysis.explain.side import Made, Side, n_left_out
from plyscope.visualizer.analysis.explain.split import Part
from plyscope.visualizer.analysis.mate import mate_of, mate_text
from plyscope.visualizer.analysis.path import path_to
from plyscope.visualizer.analysis.proof import proof_of_claim
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MarginIs = Literal["exact", "at_least", "at_most", "unknown", "unstated"]

MOST_FACTORS: Final = 2
"""Factors named for, and against, the ply."""
MOST_STEPS: Final = 8
"""Plies of a line that a sentence lists."""
LONGEST_NAME: Final = 60
WORTH: Final = {"exact": "", "lower": "at least ", "upper": "at most ", "unstated": ""}
CODES: Final = {"exact": words.EXACT, "lower": words.LOWER, "upper": words.UPPER, "unstated": 0}
ENDS: Final = {
    "table": "the transposition table gave it, and the node that stored it is not in this log",
    "window_edge": "its score is an edge of the window, with no leaf behind it",
    "estimate": "its score is an estimate of plies that were not searched",
    "null_move": "a null move cut it off, with no leaf behind it",
    "chance": "its score is a mean over what chance may bring, with no single leaf behind it",
    "not_recorded": "the replies that decided it are not in this log",
    "unknown": "nothing below it in this log has its score",
}


@dataclass(frozen=True)
class Facts:
    """What there is to say of a pair of which both were searched."""

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


def named(tree: Tree, row: int) -> Segment:
    """The ply of a row, as a link to it."""
    name = name_of(tree, row)
    return Segment(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", row)


def told(tree: Tree, deciding: Deciding, facts: Facts) -> tuple[Sentence, ...]:
    """The sentences about two plies that were searched."""
    sides = facts.chosen, facts.rival
    shown = [side.score for side in sides] + [part.amount for part in facts.parts if part.kind == "factor"]
    digits = digits_for(shown, facts.margin)
    found: list[Sentence] = []
    if facts.pair.parted:
        found.append(_parted(tree, facts.pair))
    if (said := _no_ply_decided(tree, deciding, facts.pair.parent, digits)) is not None:
        found.append(said)
    mates = [_mate_words(tree, side) for side in sides]
    found.append(_worth(tree, facts, digits, mates))
    if facts.refutation is not None:
        found.append(_refuted(tree, facts, facts.refutation))
    if facts.parts:
        found += _by_factor(tree, facts, digits)
    if facts.overturned is not None:
        found.append(_overturned(tree, facts, facts.overturned))
    if facts.drawn is not None:
        found.append(_drawn(facts.drawn))
    found += [said for side, mate in zip(sides, mates, strict=True) if (said := _unproven(tree, side, mate))]
    if (said := _shallower(tree, facts)) is not None:
        found.append(said)
    return tuple(found)


NO_PLY: Final = {
    "stand_pat": "not moving did: its own evaluation",
    "estimate": "an estimate of plies that were not searched did",
    "null_move": "a null move did, which cut it off",
}
"""What decided a score instead of a ply, by how the deciding line ends there."""


def _no_ply_decided(tree: Tree, deciding: Deciding, parent: int, digits: Digits) -> Sentence | None:
    """That none of the plies gave their parent its score, so that none was chosen; None where one did."""
    decision = deciding.decide(parent)
    if decision.row is not None or decision.how not in NO_PLY:
        return None
    score = digits.signed(float(tree.log.columns["score"][parent]))
    return sentence(
        "worth",
        "No ply decided at ",
        _whole_path(tree, parent),
        f": {NO_PLY[decision.how]} ({score}).",
    )


def _parted(tree: Tree, pair: Pair) -> Sentence:
    where = _whole_path(tree, pair.parent)
    return sentence("worth", "The two are no siblings; their paths part at ", where, ".")


def _whole_path(tree: Tree, row: int) -> Segment:
    path = path_to(tree, row)
    return Segment("the root" if path == "root" else path, row)


# What they are worth ---------------------------------------------------------------------------------
def _mate_words(tree: Tree, side: Side) -> str:
    code = CODES[side.bound]
    proof = proof_of_claim(tree.log, side.row, side.score, code)
    return mate_text(mate_of(tree.log), side.score, code, proof)


def _worth(tree: Tree, facts: Facts, digits: Digits, mates: Sequence[str]) -> Sentence:
    if any(mates):
        return _with_mates(tree, facts, digits, mates)
    one, two = facts.chosen, facts.rival
    x, y = named(tree, one.row), named(tree, two.row)
    if math.isnan(one.score) or math.isnan(two.score):
        lacking = [name for name, side in ((x, one), (y, two)) if math.isnan(side.score)]
        verb = "has" if len(lacking) == 1 else "have"
        return sentence("worth", listed(lacking), f" {verb} no score in this log, so there is no margin.")
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
    match facts.margin_is:
        case "exact":
            return f"{size} {word}"
        case "at_least" if margin == 0:
            return f"{facts_name(tree, facts)} is at least as {'high' if sign is None else 'good'}"
        case "at_most" if margin == 0:
            return f"{facts_name(tree, facts)} is no {ahead}"
        case "at_least" | "at_most":
            is_least = (facts.margin_is == "at_least") == (margin > 0)
            return f"{'at least' if is_least else 'at most'} {size} {word}"
        case "unstated":
            said = "the same" if margin == 0 else f"{size} {word}"
            return f"{said} as logged; the log does not say whether both are exact"
    return f"from these bounds it does not follow which is {ahead}"


def facts_name(tree: Tree, facts: Facts) -> str:
    """The name of the chosen ply."""
    return named(tree, facts.chosen.row).text


def _tie(tree: Tree, facts: Facts, digits: Digits) -> Sentence:
    first, _ = sorted((facts.chosen, facts.rival), key=lambda side: _first_visit(tree, side.row))
    x, y = named(tree, facts.chosen.row), named(tree, facts.rival.row)
    score = Segment(digits.signed(first.score), first.line.leaf)
    name = named(tree, first.row)
    return sentence(
        "worth", x, " and ", y, " are both worth exactly ", score, "; ", name, " was searched first."
    )


def _first_visit(tree: Tree, row: int) -> int:
    """The first visit of the ply of a row, in the order searched."""
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
        texts += ["; " if texts else "", named(tree, side.row)]
        if mate:
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
            name = named(tree, facts.chosen.row).text
            by = (
                f"{n_plies(abs(later))} {'later' if later > 0 else 'sooner'}"
                if later
                else "at the same distance"
            )
            text = f". As claimed, the {what} after {name} comes {by}."
    return sentence("worth", *texts, text)


# Why -------------------------------------------------------------------------------------------------
def _refuted(tree: Tree, facts: Facts, refutation: Refutation) -> Sentence:
    after, count = "", refutation.n_unsearched
    if count is None:
        after = ", and replies after it were not searched"
    elif count:
        were = "the reply after it was" if count == 1 else f"the {count:,} replies after it were"
        after = f", and {were} not searched"
    split = ". The split explains this refutation, not what the ply is worth." if facts.parts else "."
    reply, refuted = named(tree, refutation.reply), named(tree, facts.rival.row)
    return sentence("cause", "The reply ", reply, " refutes ", refuted, f"{after}{split}")


def _by_factor(tree: Tree, facts: Facts, digits: Digits) -> list[Sentence]:
    """What speaks for the chosen ply and what against it, and the rests that are no factors."""
    if not (tree.log.factors or tree.log.contribution_names):
        return [_no_factors(tree, facts)]
    sign = sign_of(tree, facts.pair.parent)
    worth = -1.0 if sign == -1.0 else 1.0
    factors = [part for part in facts.parts if part.kind == "factor" and part.amount]
    rests = [part for part in facts.parts if part.kind == "rest" and part.name != "rounding"]
    found: list[Sentence] = []
    helping = [part for part in factors if worth * part.amount > 0][:MOST_FACTORS]
    hurting = [part for part in factors if worth * part.amount < 0][:MOST_FACTORS]
    name = named(tree, facts.chosen.row).text
    verbs = (
        (f"higher for {name}", f"lower for {name}") if sign is None else (f"for {name}", f"against {name}")
    )
    pieces: list[str | Segment | Sequence[Segment]] = []
    for parts, verb in zip((helping, hurting), verbs, strict=True):
        if parts:
            speaks = "speaks" if len(parts) == 1 else "speak"
            said = (
                f" {speaks} {verb}" if sign is not None else f" {'is' if len(parts) == 1 else 'are'} {verb}"
            )
            pieces += ["; " if pieces else "", listed([_amount(facts, each, digits) for each in parts]), said]
    if pieces:
        found.append(sentence("cause", "Where the lines end, ", *pieces, "."))
    if rests:
        verb = "is no factor" if len(rests) == 1 else "are no factors"
        amounts = listed([_amount(facts, each, digits) for each in rests])
        found.append(sentence("caveat", "Of the margin, ", amounts, f" {verb}{_ends(tree, facts)}."))
    return found


def _no_factors(tree: Tree, facts: Facts) -> Sentence:
    """The two lines, which alone explain where the log has no factors."""
    pieces: list[str | Segment | Sequence[Segment]] = [
        "This log states no factors, so the lines alone explain: "
    ]
    for place, side in enumerate((facts.chosen, facts.rival)):
        pieces.append("; the other is " if place else "the first is ")
        above = side.row
        for step, row in enumerate(side.rows[:MOST_STEPS]):
            is_child = tree.log.columns["parent"][row] == above
            pieces += ["" if step == 0 else " > " if is_child else ", from the table ", named(tree, row)]
            above = row
        pieces.append(" > …" if len(side.rows) > MOST_STEPS else "")
    return sentence("caveat", *pieces, ".")


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
    """Why a line has no leaf with factors behind it, a clause for each of the two that has not."""
    clauses = []
    for side, made in zip((facts.chosen, facts.rival), facts.made, strict=True):
        name, how = named(tree, side.row).text, side.line.how
        if how in ENDS:
            clauses.append(f"of {name}, {ENDS[how]}")
        elif how == "terminal":
            clauses.append(f"the line of {name} ends with the game")
        elif not made.factors:
            clauses.append(f"the end of the line of {name} states no factors")
    return f": {'; '.join(clauses)}" if clauses else ""


def _overturned(tree: Tree, facts: Facts, overturned: Overturned) -> Sentence:
    place = f"By pre_score it was number {overturned.rank:,} of {overturned.n_plies:,}, behind "
    rival = named(tree, facts.rival.row)
    if overturned.turn is None:
        return sentence(
            "cause",
            place,
            rival,
            "; along the two lines the pre_scores do not turn in its favour by their last shared level.",
        )
    level, row = overturned.turn
    after = f"; along the two lines the order of the pre_scores turns at level {level:,}, with "
    return sentence("cause", place, rival, after, named(tree, row), ".")


def _drawn(drawn: Drawn) -> Sentence:
    odds = ""
    if drawn.probability is not None:
        odds = f" (Q = {drawn.quotient} does that {percent(drawn.probability)} of the time)"
    return sentence(
        "cause", f"Rank {drawn.rank} was drawn by the randomness quotient{odds}; the best is rank 0."
    )


# What it does not say --------------------------------------------------------------------------------
def _unproven(tree: Tree, side: Side, mate: str) -> Sentence | None:
    """Where a win or loss of the plies searched leaves plies of its loser out."""
    if "of the plies searched" not in mate:
        return None
    loser = words.MIN if side.score > 0 else words.MAX
    for row in side.rows:
        if tree.log.columns["layer"][row] != loser:
            continue
        for outcome, how in (
            (words.LIMITED, "over the branching limit"),
            (words.SKIPPED, "skipped by forward pruning"),
        ):
            count = n_left_out(tree, row, outcome)
            if count is None or count > 0:
                amount = "replies" if count is None else n_plies(count, "reply", "replies")
                were = "was" if count == 1 else "were"
                return sentence(
                    "caveat", "After ", named(tree, row), f", {amount} {how} {were} not looked at."
                )
    return None


def _shallower(tree: Tree, facts: Facts) -> Sentence | None:
    one, two = facts.chosen, facts.rival
    if not (math.isfinite(one.depth) and math.isfinite(two.depth)) or one.depth == two.depth:
        return None
    low, high = (one, two) if one.depth < two.depth else (two, one)
    by = high.depth - low.depth
    count = n_plies(int(by)) if by == int(by) else f"{by:g} plies"
    return sentence(
        "caveat", named(tree, low.row), f" was searched {count} shallower than ", named(tree, high.row), "."
    )


def told_left_out(tree: Tree, pair: Pair, chosen: Side, rival: LeftOut) -> tuple[Sentence, ...]:
    """The sentences where the rival has no row of its own."""
    digits = digits_for([chosen.score, *(v for v in (rival.pre_score, rival.needed) if v is not None)])
    mate = _mate_words(tree, chosen)
    said = f": {mate}." if mate else f" is worth {WORTH[chosen.bound]}{digits.signed(chosen.score)}."
    if math.isnan(chosen.score):
        said = " has no score in this log."
    found = [sentence("worth", named(tree, chosen.row), said)]
    if pair.parted:
        found.insert(0, _parted(tree, pair))
    found.append(_never_searched(rival, pair, digits))
    if (unproven := _unproven(tree, chosen, mate)) is not None:
        found.append(unproven)
    return tuple(found)


_WHY_NO_ROW: Final = {
    "pruned": "alpha-beta cut it off, since the plies before it were already enough",
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
        why = (
            why.replace("it off", "them off").replace("before it", "before them").replace("it is", "they are")
        )
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
