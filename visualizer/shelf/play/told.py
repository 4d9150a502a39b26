"""Sentences from a log for whoever plays: why an agent played so, the rank of a reply, two plies compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from plyscope.visualizer.analysis.explain.answer import explain
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line
from plyscope.visualizer.analysis.nodes.digits import short
from plyscope.visualizer.analysis.nodes.mate import Mate, declared_mate, mate_of, mate_text
from plyscope.visualizer.store import words
from plyscope.visualizer.store.positions import shown_ply
from plyscope.visualizer.store.tree import Tree

Told = dict[str, Any]
"""`why`: sentences; `ply`: the choice; `expected`: the reply; `replies` by outcome, in order."""

_LEFT_OUT: Final = {
    "pruned": "it cut yours off",
    "limited": "yours was over its branching limit",
    "skipped": "it skipped yours",
    "unlogged": "its log does not record yours",
}


def told_of(tree: Tree) -> Told:
    """The sentences on the choice of a search, the reply that it expects, and the replies by outcome."""
    explained = explain(tree)
    result = tree.log.header.get("result")
    line = result.get("pv") if isinstance(result, dict) else None
    told: Told = {"why": [str(each) for each in explained.sentences], "expected": None, "replies": {}}
    if isinstance(line, list) and len(line) > 1 and isinstance(line[1], str):
        told["expected"] = line[1]
    if explained.chosen is None or tree.is_stub[explained.chosen]:
        return told
    replies: dict[str, list[str]] = {}
    for row in tree.children(explained.chosen).tolist():
        log = tree.log
        seen, plies = "seen", [shown_ply(log, row)]
        if tree.is_stub[row]:
            seen = words.OUTCOMES[int(log.columns["outcome"][row])]
            texts = [] if log.stub_plies is None else log.stub_plies.of(row)[0].tolist()
            plies = [log.texts[text] for text in texts if text >= 0]
        replies.setdefault(seen, []).extend(ply for ply in plies if ply is not None)
    told["replies"] = {name: list(dict.fromkeys(plies)) for name, plies in replies.items()}
    return told


def placed(told: Told, ply: str) -> str:
    """A sentence on where a person's reply stood in the search before it.

    >>> placed({"expected": "c4", "replies": {"seen": ["c4", "d3", "e6"]}}, "e6")
    'It expected c4. It searched yours, e6, too: third of 3 replies by order of search, not by worth.'
    """
    expected, replies = told["expected"], told["replies"]
    if expected == ply:
        return f"It expected {ply}."
    if expected is None and not replies:
        return f"Its search before yours, {ply}, logged no replies."
    begin = "It expected no reply" if expected is None else f"It expected {expected}"
    seen = replies.get("seen", [])
    if ply in seen:
        if len(seen) == 1:
            return f"{begin}. It searched yours, {ply}, alone."
        yours = f"yours, {ply}" if expected is None else f"yours, {ply}, too"
        place = f"{_ordinal(seen.index(ply) + 1)} of {len(seen)} replies"
        return f"{begin}. It searched {yours}: {place} by order of search, not by worth."
    for outcome, why in _LEFT_OUT.items():
        if ply in replies.get(outcome, ()):
            return f"{begin}; {why}, {ply}."
    return f"{begin}; it did not look at yours, {ply}."


def set_beside(tree: Tree, row: int, header: Mapping[str, Any]) -> str:
    """A sentence that compares the result of a search from a node with the log, seen by its root player."""
    search, result = header["search"], header["result"]
    score, view = result.get("score"), ""
    if score is not None and tree.log.columns["layer"][row] == words.MIN:
        score = sum(search.get("range", (0, 0))) - score
        players = tree.log.column("player")
        player = -1 if players is None else int(players[row])
        mover = tree.log.players[player] if player >= 0 else "the player to move here"
        view = f" (Its own log shows scores as {mover} sees them.)"
    how = f"depth {result['depth']}" if "depth" in result else f"{result['playouts']:,} play-outs"
    found = _best(result.get("ply"), score, words.EXACT, declared_mate(search))
    line = deciding_line(tree, row).rows
    was = float(tree.log.columns["score"][row])
    mate = mate_of(tree.log)
    here = mate and replace(mate, made=int(tree.log.columns["level"][row]))
    ply = shown_ply(tree.log, line[0]) if line else None
    bound = int(tree.log.columns["bound"][row])
    said = _best(ply, None if was != was else was, bound, here)
    return f"This search, {how}: best {found}; the log said {said}.{view}"


def _best(ply: str | None, score: float | None, bound: int, mate: Mate | None) -> str:
    sign = {words.LOWER: "≥ ", words.UPPER: "≤ "}.get(bound, "")
    worth = None if score is None else mate_text(mate, score, bound, None) or sign + short(score)
    return ", ".join(filter(None, [ply, worth])) or "nothing"


def _ordinal(number: int) -> str:
    names = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return names[number - 1] if number <= len(names) else f"number {number}"
