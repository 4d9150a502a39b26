"""A comparison as lines in the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.diff.claims import claims_words
from plyscope.visualizer.analysis.diff.compared_trees import NOTHING_SHARED, Side, Sides
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison
from plyscope.visualizer.analysis.diff.divergence import Divergence, value
from plyscope.visualizer.analysis.diff.sentences import (
    divergence_sentence,
    plain_text,
    sentences,
    value_words,
)
from plyscope.visualizer.analysis.nodes.node import Node


def lines(compared: Comparison, limit: int, kinds: Collection[str] = ()) -> Iterator[str]:
    """The comparison as the command prints it, with the first `limit` changes."""
    yield f"{compared.sides.old.name} → {compared.sides.new.name}"
    notes = [f"Note: {visible(note)}" for note in compared.sides.notes if note != NOTHING_SHARED]
    if len(notes) < len(compared.sides.notes):
        yield NOTHING_SHARED
    yield from (visible(plain_text(sentence)) for sentence in sentences(compared))
    yield from notes
    if compared.options:
        told = ", ".join(
            f"{each.name} {value_words(each.old)} → {value_words(each.new)}" for each in compared.options
        )
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
    """The figures behind the path in a line of the list."""
    if change.nodes:
        nodes = f"{change.nodes:,} node{'' if change.nodes == 1 else 's'}"
        claim = change.new_claim or change.old_claim
        return nodes if claim is None else f"{claim}, {nodes}"
    sides = compared.sides
    places = ((sides.old, change.old), (sides.new, change.new))
    if change.kind == "stub":
        counts = [None if node is None else value(side.log, node.row, "count") for side, node in places]
        return " → ".join(
            "none" if node is None else value_words(count)
            for count, (_, node) in zip(counts, places, strict=True)
        )
    if change.kind == "visits":
        return " → ".join(_visits(side, node) for side, node in places)
    told = " → ".join(claims_words(change.old_claim, change.new_claim))
    if change.kind == "outcome":
        outcomes = (value_words(node and value(side.log, node.row, "outcome")) for side, node in places)
        told += f", {' → '.join(outcomes)}"
    if change.claims == "contradict" and change.delta is None:
        told += ", no score satisfies both"
    return told


def _visits(side: Side, node: Node | None) -> str:
    assert node is not None
    told = []
    for name, form in (("visits", ",.0f"), ("mean", ".4g")):
        if (found := value(side.log, node.row, name)) is not None:
            told.append(f"{name} {format(found, form).replace('-', '−')}")
    return ", ".join(told) or "no visits"


def order_lines(part: Divergence | None, sides: Sides) -> list[str]:
    """The lines about the first difference of two runs: a sentence, then each field with both values."""
    if part is None:
        return ["Both runs did the same in all that both logs state."]
    told = [visible(plain_text(divergence_sentence(part, sides)))]
    width = max(len(each.field) for each in part.differences)
    told += [
        visible(f"  {each.field:<{width}}  {value_words(each.old)} → {value_words(each.new)}")
        for each in part.differences
    ]
    return told
