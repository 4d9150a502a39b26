"""A comparison as JSON, for scripts and for the page, and whether it fails a build."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from plyscope.visualizer.analysis.diff.claims import Claim, claim_at, is_close
from plyscope.visualizer.analysis.diff.compared_trees import Side, Sides
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison
from plyscope.visualizer.analysis.diff.divergence import Divergence, value
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old
from plyscope.visualizer.analysis.diff.sentences import (
    claim_of,
    divergence_sentence,
    number_of,
    plain_text,
    sentences,
)
from plyscope.visualizer.analysis.nodes.best_first import is_by_visits, visited_json
from plyscope.visualizer.analysis.nodes.node_json import number, plain
from plyscope.visualizer.analysis.nodes.ply_path import path_to

FAIL_ON: Final = ("choice", "score", "nodes", "any")


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


def parting_json(part: Divergence, sides: Sides) -> dict[str, Any]:
    """The first event at which two runs differ, as JSON; ids, and `row`, are the nodes' own numbers."""
    side, row = (sides.new, part.new) if part.new is not None else (sides.old, part.old)
    assert row is not None
    told: dict[str, Any] = {"row": number_of(part, sides), "when": part.when, "path": path_to(side.tree, row)}
    for name, of, at in (("old", sides.old, part.old), ("new", sides.new, part.new)):
        told[name] = (
            None if at is None else {"id": int(of.log.columns["id"][at]), "path": path_to(of.tree, at)}
        )
    first = part.differences[0]
    told |= {"field": first.field, "old_value": plain(first.old), "new_value": plain(first.new)}
    told["differences"] = [
        {"field": each.field, "old": plain(each.old), "new": plain(each.new)} for each in part.differences
    ]
    told["sentence"] = plain_text(divergence_sentence(part, sides))
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
    if is_by_visits(side.log) and not side.tree.is_stub[row]:
        told["visited"] = visited_json(side.tree, row)
    return told


def beside_json(merged: Merged, place: int) -> dict[str, Any] | None:
    """Return the counterpart of a node of the merged tree, for its card; None outside the compared trees."""
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
        told["first"] = number_of(compared.first, compared.sides)
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
