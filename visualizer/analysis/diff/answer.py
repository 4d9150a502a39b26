"""A comparison as JSON, for scripts and for the page, and whether it fails a build."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Self

from plyscope.visualizer.analysis.columns.rounding import is_same
from plyscope.visualizer.analysis.diff.claims import Claim, claim_at
from plyscope.visualizer.analysis.diff.compared_trees import Side, Sides
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison
from plyscope.visualizer.analysis.diff.divergence import Difference, Divergence, value
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old
from plyscope.visualizer.analysis.diff.sentences import (
    divergence_sentence,
    number_of,
    plain_text,
    sentences,
)
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.best_first import is_by_visits, visited_json
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.notebook import Displayed

FAIL_ON: Final = ("choice", "score", "nodes", "any")


@dataclass(frozen=True)
class Parting(Displayed):
    """The first event, in the order of the search, at which two runs did something different."""

    row: int
    """The number of its node, as the newer log that has it numbers its nodes."""
    when: str
    """`entered` or `left`: the facts on entering a node differ, or its result."""
    path: str
    """The path of the new node, or of the old one where the new run had ended."""
    old: Node | None
    new: Node | None
    field: str
    """The field that says most of those that differ there."""
    old_value: Any
    new_value: Any
    differences: tuple[Difference, ...]
    """All of them."""
    sentence: str

    @classmethod
    def of(cls, part: Divergence | None, sides: Sides) -> Self | None:
        """The event with its nodes; None for none."""
        if part is None:
            return None
        old, new = sides.old.node(part.old), sides.new.node(part.new)
        there = old if new is None else new
        assert there is not None
        first = part.differences[0]
        return cls(
            row=there.id,
            when=part.when,
            path=there.path,
            old=old,
            new=new,
            field=first.field,
            old_value=first.old,
            new_value=first.new,
            differences=part.differences,
            sentence=plain_text(divergence_sentence(part, sides)),
        )


def diff_json(compared: Comparison, offset: int, limit: int, kinds: Collection[str] = ()) -> dict[str, Any]:
    """The comparison with one page of its changes."""
    sides, said, (old, new) = compared.sides, sentences(compared), compared.choices
    return {
        "old": _side_json(sides.old, compared.root_claims[0]),
        "new": _side_json(sides.new, compared.root_claims[1]),
        "choice": {"changed": compared.choice_changed, "old": as_json(old), "new": as_json(new)},
        "first": parting_json(Parting.of(compared.first, sides)),
        "counts": compared.counts,
        "options": as_json(compared.options),
        "sentences": [plain_text(sentence) for sentence in said],
        "parts": said,
        "notes": list(sides.notes),
        "total": compared.n_changes(kinds),
        "offset": offset,
        "nodes": [change_json(compared, change) for change in compared.changes(offset, limit, kinds)],
    }


def _side_json(side: Side, claim: Claim | None) -> dict[str, Any]:
    """The JSON of one side: its log, the root of its tree, and the score there."""
    return {"log": side.name, "root": int(side.log.columns["id"][side.root]), **_stated(claim)}


def _stated(claim: Claim | None) -> dict[str, Any]:
    """`score` and `bound`, each where it is stated."""
    return {} if claim is None else as_json(claim)


def parting_json(parting: Parting | None) -> dict[str, Any] | None:
    """The first event at which two runs differ, as JSON; its nodes with their paths."""
    if parting is None:
        return None
    nodes = {"old": parting.old, "new": parting.new}
    paths = {name: None if at is None else {"id": at.id, "path": at.path} for name, at in nodes.items()}
    return {**as_json(parting), **paths}


def change_json(compared: Comparison, change: Change) -> dict[str, Any]:
    """One row of the list, with the fields of both logs."""
    sides = compared.sides
    each = (
        ("old", sides.old, change.old, change.old_claim),
        ("new", sides.new, change.new, change.new_claim),
    )
    rows = {
        name: None if node is None else _row_json(side, node.row, claim) for name, side, node, claim in each
    }
    return {**as_json(change), **rows}


def _row_json(side: Side, row: int, claim: Claim | None) -> dict[str, Any]:
    told: dict[str, Any] = {"id": int(side.log.columns["id"][row]), **_stated(claim)}
    for name in ("outcome", "depth", "count", "visits", "mean"):
        if (found := value(side.log, row, name)) is not None:
            told[name] = as_json(found)
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
    """Whether the trees differ in the things that `--fail-on` names; an unknown choice differs."""
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
    return one.bound == other.bound and is_same(one.score, other.score)
