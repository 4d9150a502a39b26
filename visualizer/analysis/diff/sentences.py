"""A comparison in sentences: one wording for the command, for scripts and for the page.

A sentence is a list of parts; a part that names a node carries the id by which its log knows it, so that the
page can make a link of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.diff.change_kinds import LISTED
from plyscope.visualizer.analysis.diff.claims import claims_words
from plyscope.visualizer.analysis.diff.compared_trees import Side, Sides
from plyscope.visualizer.analysis.diff.comparison import Comparison
from plyscope.visualizer.analysis.diff.divergence import Difference, Divergence, value
from plyscope.visualizer.analysis.nodes.digits import exact
from plyscope.visualizer.analysis.nodes.ply_path import path_to

Part = dict[str, Any]


Sentence = list[Part]


UNFINISHED: Final = {
    "open": "is not finished in the {} log, which ends inside it",
    "stopped": "was stopped in the {} run",
}

KIND_WORDS: Final = {
    "same": "the same",
    "score": "another score",
    "visits": "other visits or another mean",
    "bound": "another bound",
    "outcome": "another outcome",
    "stub": "other stubs",
    "newly_pruned": "newly pruned",
    "newly_dropped": "newly over the limit or skipped",
    "newly_searched": "newly searched",
    "only_old": "only in the old tree",
    "only_new": "only in the new tree",
}
RETURNED: Final = ("same", "score", "visits", "bound", "outcome")
"""The kinds of nodes in both trees; the others are of stubs, or of nodes in one tree."""


def sentences(compared: Comparison) -> list[Sentence]:
    """Return the changes as sentences: the choice, the event at which the runs part, the effort."""
    said = [_of_choice(compared)]
    if compared.difference is None:
        return [*said, [_text("Both trees are the same in all that both logs state of the search.")]]
    said.append(
        _without_order(compared)
        if compared.first is None
        else divergence_sentence(compared.first, compared.sides)
    )
    said.append(_of_nodes(compared))
    returned = _counted(compared, RETURNED)
    both = compared.counts["in_both"]
    nodes = "1 node is" if both == 1 else f"{both:,} nodes are"
    said.append([_text(f"{nodes} in both trees: {returned.replace(' ', ' returned ', 1)}.")])
    if others := _counted(compared, [kind for kind in LISTED if kind not in RETURNED]):
        said.append([_text(f"Other changes (a subtree counts as one): {others}.")])
    return said


def _counted(compared: Comparison, kinds: Iterable[str]) -> str:
    """The rows of each kind that has any: `2 the same, 65 another score`."""
    counts = compared.counts
    return ", ".join(f"{counts[kind]:,} {KIND_WORDS[kind]}" for kind in kinds if counts[kind])


def plain_text(sentence: Sentence) -> str:
    """A sentence without its links."""
    return "".join(part["text"] for part in sentence)


def _text(text: str) -> Part:
    return {"text": text}


def _link(text: str, side: str, at: Side, row: int | None) -> Part:
    return _text(text) if row is None else {"text": text, side: int(at.log.columns["id"][row])}


def _of_choice(compared: Comparison) -> Sentence:
    old, new = compared.choices
    if old is None or new is None:
        which = (
            "Neither log tells" if old is new else f"The {'old' if old is None else 'new'} log does not tell"
        )
        told = claims_words(*compared.root_claims)
        return [_text(f"{which} which ply was chosen; the roots have {told[0]} and {told[1]}.")]
    scores = claims_words(old.claim, new.claim)
    one, other = (
        _text(choice.ply if choice.claim is None else f"{choice.ply} {score}")
        | ({} if choice.node is None else {name: choice.node.id})
        for choice, score, name in ((old, scores[0], "old"), (new, scores[1], "new"))
    )
    if compared.choice_changed:
        return [_text("The choice changed, from "), one, _text(" to "), other, _text(".")]
    if old.claim == new.claim:
        return [_text("The choice is the same, "), other, _text(".")]
    was = "unscored" if old.claim is None else scores[0]
    return [_text("The choice is the same, "), other, _text(", before "), {**one, "text": was}, _text(".")]


def divergence_sentence(part: Divergence, sides: Sides) -> Sentence:
    """Say at which node two runs part, and by which field."""
    side, name, row = (sides.new, "new", part.new) if part.new is not None else (sides.old, "old", part.old)
    assert row is not None
    path = path_to(side.tree, row)
    difference = part.differences[0]
    what = "runs" if all(is_run(each) for each in (sides.old, sides.new)) else "trees"
    place = [_text(f"The two {what} part at #{number_of(part, sides)}: ")]
    if difference.field in ("ply", "level") and part.when == "entered":
        return [*place, *_of_step(part, sides, difference)]
    verb = "is searched" if part.when == "entered" else "returns"
    if (unfinished := _unfinished(difference)) is not None:
        return [*place, _link(path, name, side, row), _text(unfinished)]
    words = _how(difference)
    if difference.field == "count":
        told = f" stands for {value_words(difference.new)} plies, before {value_words(difference.old)}."
        return [*place, _link(path, name, side, row), _text(told)]
    if words is None:
        values = f"{difference.field} {value_words(difference.new)}, before {value_words(difference.old)}"
        verb = "is entered with" if part.when == "entered" else "returns"
        return [*place, _link(path, name, side, row), _text(f" {verb} {values}.")]
    return [*place, _link(path, name, side, row), _text(f" {verb} {words} now.")]


def number_of(part: Divergence, sides: Sides) -> int:
    """The number of the node at which two runs part, as the newer log that has it numbers its nodes."""
    side, row = (sides.new, part.new) if part.new is not None else (sides.old, part.old)
    return int(side.log.columns["id"][row])


def is_run(side: Side) -> bool:
    """Whether the rows are all that a run did: the whole log, or its only tree."""
    return side.is_whole or len(side.log.roots) == 1


def _unfinished(difference: Difference) -> str | None:
    """Return the sentence on a node that one run did not finish; None for other differences."""
    if difference.field != "outcome":
        return None
    for outcome, which in ((difference.new, "new"), (difference.old, "old")):
        if outcome in UNFINISHED:
            return f" {UNFINISHED[outcome].format(which)}."
    return None


def _without_order(compared: Comparison) -> Sentence:
    """No row is the first that differs: why, and where the most changed instead."""
    sides = compared.sides
    said = [_text(f"One log is {compared.without_order}, so none is the first that differs.")]
    if (most := compared.most_moved) is None:
        return said
    old, new = most
    counts = [value(side.log, row, "visits") for side, row in ((sides.new, new), (sides.old, old))]
    link = _link(path_to(sides.new.tree, new), "new", sides.new, new)
    return [
        *said,
        _text(" Visits changed most at "),
        link,
        _text(f": {counts[0]:,.0f}, before {counts[1]:,.0f}."),
    ]


def _how(difference: Difference) -> str | None:
    """A difference of depth as people say it; None for other fields."""
    old, new = difference.old, difference.new
    if difference.field != "depth" or not isinstance(old, float) or not isinstance(new, float):
        return None
    plies = exact(abs(new - old))
    return f"{plies} {'ply' if plies == '1' else 'plies'} {'shallower' if new < old else 'deeper'}"


def _of_step(part: Divergence, sides: Sides, difference: Difference) -> Sentence:
    """The runs go to different rows."""
    told = []
    for name, side, row in (("new", sides.new, part.new), ("old", sides.old, part.old)):
        if row is None:
            told.append(_text("nothing, it ended there"))
        else:
            told.append(_link(path_to(side.tree, row), name, side, row))
    return [_text("the new one goes on with "), told[0], _text(", the old one with "), told[1], _text(".")]


def _of_nodes(compared: Comparison) -> Sentence:
    old, new = compared.counts["old_nodes"], compared.counts["new_nodes"]
    if old == new:
        return [_text(f"Both trees have {new:,} nodes.")]
    if not old:
        return [_text(f"The new tree has {counted(new, 'node')}, the old one none.")]
    if new >= 2 * old:
        times = new / old
        share = f"{times:,.{0 if times >= 10 else 1}f}".removesuffix(".0") + " times as many"
    else:
        share = f"{percent(abs(new - old) / old)} {'fewer' if new < old else 'more'}"
    share += f" nodes: {new:,}, before {old:,}."
    are_runs = all(is_run(side) for side in (compared.sides.old, compared.sides.new))
    return [_text(f"All in {share}" if are_runs else f"The tree has {share}")]


def percent(part: float) -> str:
    """A share in percent, two digits of it, rounded towards none so that a difference never reads as all.

    >>> percent(0.381), percent(0.0004), percent(0.00001), percent(12.3)
    ('38 %', '0.04 %', 'under 0.01 %', '1,230 %')
    """
    value = 100 * part
    if value < 0.01:
        return "under 0.01 %"
    digits = 2 if value < 0.1 else 1 if value < 10 else 0
    return f"{value:,.{digits}f} %"


def value_words(value: Any) -> str:
    """A value of a field in a sentence.

    >>> value_words(-2.5), value_words(None), value_words(True)
    ('−2.5', 'not stated', 'true')
    """
    if value is None:
        return "not stated"
    if isinstance(value, bool):
        return str(value).lower()
    return exact(value).replace("-", "−") if isinstance(value, float) else str(value)
