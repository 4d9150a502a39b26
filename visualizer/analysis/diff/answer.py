"""A comparison in sentences and as JSON: one wording for the command, for scripts and for the page.

A sentence is a list of parts; a part that names a node carries the id by which its log knows it, so that the
page can make a link of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.check.facts.digits import exact
from plyscope.visualizer.analysis.diff.change_kinds import LISTED
from plyscope.visualizer.analysis.diff.choice import Choice
from plyscope.visualizer.analysis.diff.claims import Claim, claim_at, is_close
from plyscope.visualizer.analysis.diff.compared_trees import Side, Sides
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison
from plyscope.visualizer.analysis.diff.divergence import Difference, Parting, value
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old
from plyscope.visualizer.analysis.node_json import number, plain
from plyscope.visualizer.analysis.ply_path import path_to

Part = dict[str, Any]
Sentence = list[Part]

KIND_WORDS: Final = {
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
FAIL_ON: Final = ("choice", "score", "nodes", "any")


# Sentences -----------------------------------------------------------------------------------------------
def sentences(compared: Comparison) -> list[Sentence]:
    """What changed, the most important first: the choice, where the runs part, how much was searched."""
    said = [_of_choice(compared)]
    if compared.difference is None:
        return [*said, [_text("Both trees are the same in all that both logs state of the search.")]]
    said.append(
        _without_order(compared) if compared.first is None else of_parting(compared.first, compared.sides)
    )
    said.append(_of_nodes(compared))
    changes = [f"{compared.counts[kind]:,} {KIND_WORDS[kind]}" for kind in LISTED if compared.counts[kind]]
    if changes:
        said.append(
            [
                _text(
                    f"Of {compared.counts['in_both']:,} nodes in both trees "
                    f"{compared.counts['same']:,} returned the same; changes: {', '.join(changes)}."
                )
            ]
        )
    return said


def plain_text(sentence: Sentence) -> str:
    """A sentence without its links."""
    return "".join(part["text"] for part in sentence)


def _text(text: str) -> Part:
    return {"text": text}


def _link(text: str, side: str, at: Side, row: int | None) -> Part:
    return _text(text) if row is None else {"text": text, side: int(at.log.columns["id"][row])}


def _of_choice(compared: Comparison) -> Sentence:
    sides = compared.sides
    old, new = compared.choices
    if old is None or new is None:
        which = (
            "Neither log tells" if old is new else f"The {'old' if old is None else 'new'} log does not tell"
        )
        told = [("no score" if claim is None else str(claim)) for claim in compared.root_claims]
        return [_text(f"{which} which ply was chosen; the roots have {told[0]} and {told[1]}.")]
    one, other = (
        _link(_chosen(choice, side), name, side, choice.row)
        for choice, side, name in ((old, sides.old, "old"), (new, sides.new, "new"))
    )
    if compared.choice_changed:
        return [_text("The choice changed, from "), one, _text(" to "), other, _text(".")]
    scores = [claim_of(choice, side) for choice, side in ((old, sides.old), (new, sides.new))]
    if scores[0] == scores[1]:
        return [_text("The choice is the same, "), other, _text(".")]
    was = "unscored" if scores[0] is None else str(scores[0])
    return [_text("The choice is the same, "), other, _text(", before "), {**one, "text": was}, _text(".")]


def claim_of(choice: Choice, side: Side) -> Claim | None:
    """The score of a chosen ply, as its row states it."""
    return None if choice.row is None else claim_at(side.log, choice.row)


def _chosen(choice: Choice, side: Side) -> str:
    claim = claim_of(choice, side)
    return choice.ply if claim is None else f"{choice.ply} {claim}"


def of_parting(part: Parting, sides: Sides) -> Sentence:
    """Where two runs part, and in what."""
    side, name, row = (sides.new, "new", part.new) if part.new is not None else (sides.old, "old", part.old)
    assert row is not None
    path = path_to(side.tree, row)
    difference = part.differences[0]
    what = "runs" if all(is_run(each) for each in (sides.old, sides.new)) else "trees"
    place = [_text(f"The two {what} part at row {part.number:,}: ")]
    if difference.field in ("ply", "level") and part.when == "entered":
        return [*place, *_of_step(part, sides, difference)]
    verb = "is searched" if part.when == "entered" else "returns"
    if (unfinished := _unfinished(difference)) is not None:
        return [*place, _link(path, name, side, row), _text(unfinished)]
    words = _how(difference)
    if difference.field == "count":
        told = f" stands for {shown(difference.new)} plies, before {shown(difference.old)}."
        return [*place, _link(path, name, side, row), _text(told)]
    if words is None:
        values = f"{difference.field} {shown(difference.new)}, before {shown(difference.old)}"
        verb = "is entered with" if part.when == "entered" else "returns"
        return [*place, _link(path, name, side, row), _text(f" {verb} {values}.")]
    return [*place, _link(path, name, side, row), _text(f" {verb} {words} now.")]


def is_run(side: Side) -> bool:
    """Whether the rows are all that a run did: the whole log, or its only tree."""
    return side.is_whole or len(side.log.roots) == 1


UNFINISHED: Final = {
    "open": "is not finished in the {} log, which ends inside it",
    "stopped": "was stopped in the {} run",
}


def _unfinished(difference: Difference) -> str | None:
    """What is said of a node that one run did not finish; None for other differences."""
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


def _of_step(part: Parting, sides: Sides, difference: Difference) -> Sentence:
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
    word = "fewer" if new < old else "more"
    share = f"{percent(abs(new - old) / old)} {word} nodes: {new:,}, before {old:,}."
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


def shown(value: Any) -> str:
    """A value of a field in a sentence.

    >>> shown(-2.5), shown(None), shown(True)
    ('−2.5', 'not stated', 'true')
    """
    if value is None:
        return "not stated"
    if isinstance(value, bool):
        return str(value).lower()
    return exact(value).replace("-", "−") if isinstance(value, float) else str(value)


def lines(compared: Comparison, limit: int, kinds: Collection[str] = ()) -> Iterator[str]:
    """The comparison as the command prints it, with the first `limit` changes."""
    yield f"{compared.sides.old.name} → {compared.sides.new.name}"
    yield from (visible(plain_text(sentence)) for sentence in sentences(compared))
    yield from (f"Note: {visible(note)}" for note in compared.sides.notes)
    if compared.options:
        told = ", ".join(f"{each.name} {shown(each.old)} → {shown(each.new)}" for each in compared.options)
        yield f"Options: {visible(told)}"
    changes = compared.changes(0, limit, kinds)
    if changes:
        yield ""
    width = max((len(change.kind) for change in changes), default=0)
    for change in changes:
        kind = change.kind.replace("_", " ")
        yield f"{kind:<{width}}  {visible(change.path)}  {_figures(compared, change)}".rstrip()
    if (n_more := compared.n_changes(kinds) - len(changes)) > 0:
        yield f"… {n_more:,} more changes (--limit {compared.n_changes(kinds)} shows them)"


def _figures(compared: Comparison, change: Change) -> str:
    """What a line of the list says behind the path."""
    if change.nodes:
        nodes = f"{change.nodes:,} node{'' if change.nodes == 1 else 's'}"
        claim = change.new_claim or change.old_claim
        return nodes if claim is None else f"{claim}, {nodes}"
    sides = compared.sides
    places = ((sides.old, change.old), (sides.new, change.new))
    if change.kind == "stub":
        counts = [None if row < 0 else value(side.log, row, "count") for side, row in places]
        return " → ".join(
            "none" if row < 0 else shown(count) for count, (_, row) in zip(counts, places, strict=True)
        )
    if change.kind == "visits":
        return " → ".join(_visits(side, row) for side, row in places)
    told = " → ".join(
        "no score" if claim is None else str(claim) for claim in (change.old_claim, change.new_claim)
    )
    if change.kind == "outcome":
        outcomes = (shown(value(side.log, row, "outcome")) for side, row in places)
        told += f", {' → '.join(outcomes)}"
    if change.claims == "contradict" and change.delta is None:
        told += ", no score satisfies both"
    return told


def _visits(side: Side, row: int) -> str:
    told = []
    for name, form in (("visits", ",.0f"), ("mean", ".4g")):
        if (found := value(side.log, row, name)) is not None:
            told.append(f"{name} {format(found, form).replace('-', '−')}")
    return ", ".join(told) or "no visits"


# JSON ----------------------------------------------------------------------------------------------------
def as_json(compared: Comparison, offset: int, limit: int, kinds: Collection[str] = ()) -> dict[str, Any]:
    """The comparison with one page of its changes."""
    said = sentences(compared)
    return {
        "old": side_json(compared.sides.old),
        "new": side_json(compared.sides.new),
        "choice": _choice_json(compared),
        "first": None if compared.first is None else parting_json(compared.first, compared.sides),
        "counts": compared.counts,
        "options": [
            {"name": each.name, "old": plain(each.old), "new": plain(each.new)} for each in compared.options
        ],
        "sentences": [plain_text(sentence) for sentence in said],
        "parts": said,
        "notes": list(compared.sides.notes),
        "total": compared.n_changes(kinds),
        "offset": offset,
        "nodes": [change_json(compared, change) for change in compared.changes(offset, limit, kinds)],
    }


def side_json(side: Side) -> dict[str, Any]:
    """Which tree of which log it is, and the score of its root."""
    claim = claim_at(side.log, side.root)
    told = {} if claim is None else claim.as_json()
    return {"log": side.name, "root": int(side.log.columns["id"][side.root]), **told}


def _choice_json(compared: Comparison) -> dict[str, Any]:
    told: dict[str, Any] = {"changed": compared.choice_changed}
    sides = (compared.sides.old, compared.sides.new)
    for name, choice, side in zip(("old", "new"), compared.choices, sides, strict=True):
        if choice is None:
            told[name] = None
            continue
        claim = claim_of(choice, side)
        place = {} if choice.row is None else {"id": int(side.log.columns["id"][choice.row])}
        told[name] = {"ply": choice.ply, **place, **({} if claim is None else claim.as_json())}
    return told


def parting_json(part: Parting, sides: Sides) -> dict[str, Any]:
    """Where two runs part; `row` counts from 1, the ids are those of the logs."""
    side, row = (sides.new, part.new) if part.new is not None else (sides.old, part.old)
    assert row is not None
    told: dict[str, Any] = {"row": part.number, "when": part.when, "path": path_to(side.tree, row)}
    for name, of, at in (("old", sides.old, part.old), ("new", sides.new, part.new)):
        told[name] = (
            None if at is None else {"id": int(of.log.columns["id"][at]), "path": path_to(of.tree, at)}
        )
    first = part.differences[0]
    told |= {"field": first.field, "old_value": plain(first.old), "new_value": plain(first.new)}
    told["differences"] = [
        {"field": each.field, "old": plain(each.old), "new": plain(each.new)} for each in part.differences
    ]
    told["sentence"] = plain_text(of_parting(part, sides))
    return told


def change_json(compared: Comparison, change: Change) -> dict[str, Any]:
    """One row of the list."""
    told: dict[str, Any] = {"kind": change.kind, "path": change.path}
    sides = compared.sides
    each = ((sides.old, change.old, change.old_claim), (sides.new, change.new, change.new_claim))
    for name, (side, row, claim) in zip(("old", "new"), each, strict=True):
        told[name] = None if row < 0 else _row_json(side, row, claim)
    if change.delta is not None:
        told["delta"] = number(change.delta)
    if change.claims is not None:
        told["claims"] = change.claims
    if change.nodes:
        told["nodes"] = change.nodes
    if change.stub is not None:
        told["stub"] = change.stub
    return told


def _row_json(side: Side, row: int, claim: Claim | None) -> dict[str, Any]:
    told: dict[str, Any] = {"id": int(side.log.columns["id"][row])}
    told |= {} if claim is None else claim.as_json()
    for name in ("outcome", "depth", "count", "visits", "mean"):
        if (found := value(side.log, row, name)) is not None:
            told[name] = plain(found)
    return told


def beside_json(merged: Merged, place: int) -> dict[str, Any] | None:
    """What a node of the merged tree has beside it, for its card; None outside the compared trees."""
    compared = merged.compared
    first = _first_place(merged)
    told: dict[str, Any]
    if is_old(place):
        told = {"kind": compared.kind_of_old(merged.row(place)), "below": 0, "side": "old"}
    elif (kind := compared.kind_of(place)) is None:
        return None
    else:
        told = {"kind": kind, "below": compared.n_below(place)}
        if missing := compared.n_missing(place):
            told["missing"] = missing
        if (old := compared.beside(place)) is not None:
            told["old"] = _row_json(compared.sides.old, old, claim_at(compared.sides.old.log, old))
        else:
            told["side"] = "new"
    if place == first and compared.first is not None:
        told["first"] = compared.first.number
    return told


def _first_place(merged: Merged) -> int | None:
    """The node at which the runs part; None where they do not."""
    first = merged.compared.first
    if first is None:
        return None
    if first.new is not None:
        return first.new
    assert first.old is not None
    return merged.place_of_old(first.old)


def fails(compared: Comparison, on: str) -> bool:
    """Whether the trees differ in what `--fail-on` names; a choice that a log does not tell differs."""
    counts = compared.counts
    choice = compared.choice_changed is not False and compared.choices != (None, None)
    one, other = compared.root_claims
    is_same_score = one == other if one is None or other is None else _are_equal(one, other)
    nodes = counts["old_nodes"] != counts["new_nodes"]
    by_name = {"choice": choice, "score": not is_same_score, "nodes": nodes}
    if on == "any":
        return any(by_name.values()) or compared.difference is not None or compared.n_changes() > 0
    return by_name[on]


def _are_equal(one: Claim, other: Claim) -> bool:
    return one.bound == other.bound and is_close(one.score, other.score)


def order_lines(part: Parting | None, sides: Sides) -> list[str]:
    """Where two whole runs part, as the command prints it: the sentence, then each field with both values."""
    if part is None:
        return ["Both runs did the same in all that both logs state."]
    told = [visible(plain_text(of_parting(part, sides)))]
    width = max(len(each.field) for each in part.differences)
    told += [
        visible(f"  {each.field:<{width}}  {shown(each.old)} → {shown(each.new)}")
        for each in part.differences
    ]
    return told
