"""The tables of the header's declarations in `search` and `notes`; readers and pages use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

VIEWS: Final = ("root", "mover", "parent", "first")
"""Whose view numbers may be written from; `root` is ours."""

DeclaredKind = Literal["word", "number", "whole", "count", "flag", "text", "player", "range", "object"]


NOTE_COLOURS: Final = ("blue", "green", "red", "violet", "grey")
"""The colours of notes, the usual one first."""


@dataclass(frozen=True)
class Declared:
    """A key that may be declared; a word is one of `words`."""

    name: str
    kind: DeclaredKind
    meaning: str
    default: str = "unstated"
    words: tuple[str, ...] = ()


SEARCH: Final = (
    Declared("algorithm", "text", "what searched, in words"),
    Declared("engine", "text", "whose program it was"),
    Declared(
        "said_over",
        "text",
        "the protocol over which an engine said these lines (`UCI`): they are not the tree that it searched",
    ),
    Declared("game_digest", "text", "of a game from outside: which version of its sources was searched"),
    Declared(
        "perspective", "word", "whose view scores and windows are written from (see below)", "`root`", VIEWS
    ),
    Declared(
        "static_perspective",
        "word",
        "whose view `static`, `pre_score`, `stand_pat`, `factors` and `contributions` are written from",
        "as `perspective`",
        VIEWS,
    ),
    Declared(
        "root_player",
        "player",
        "one of `players`; whom `max` layers stand for",
        "who moves at the root",
    ),
    Declared(
        "fail", "word", "whether scores may leave the window (`soft`) or not (`hard`)", words=("soft", "hard")
    ),
    Declared("null_width", "number", "width of a null window", "1"),
    Declared("range", "range", "`[low, high]` of scores, seen from the root player"),
    Declared("draw", "number", "score of a draw, seen from the root player", "0"),
    Declared("mate", "object", "`{score, step, threshold}`: how wins are scored by distance"),
    Declared("unit", "text", "what a score counts, a word (`pawns`)"),
    Declared(
        "tolerance",
        "number",
        "relative error allowed between `static` and the sum of contributions",
        "1e-9",
    ),
    Declared(
        "order",
        "word",
        "whether rows are the run of the search or, as in Monte Carlo, its final tree",
        "`depth_first`",
        ("depth_first", "best_first"),
    ),
    Declared(
        "choose",
        "word",
        "by which figure a best-first search chooses its ply",
        words=("visits", "mean"),
    ),
    Declared("chance_depth", "number", "plies of depth that a chance node takes"),
    Declared("threads", "count", "threads that searched; above 1, rows are not in the order of time", "1"),
    Declared("turns", "word", "that the players strictly alternate", words=("alternate",)),
    Declared(
        "positions_repeat",
        "flag",
        "whether a position may come again in a game; where not, proofs through the table hold for good",
        "true",
    ),
    Declared("static_pure", "flag", "whether `static` depends on the position alone", "false"),
    Declared(
        "table",
        "word",
        "which table entries may be used: those of the depth wanted, or of at least that",
        words=("equal", "at_least"),
    ),
    Declared(
        "verify", "flag", "whether a reduced ply that does well is searched again at full depth", "true"
    ),
    Declared("table_carried", "flag", "whether the table came from an earlier search", "false"),
)
"""Whatever else `search` says is kept and shown."""

NOTE: Final = (
    Declared("path", "text", "the plies from the root to the node, joined by ` > `; `root` for the root"),
    Declared("text", "text", "what is noted; without a text it is a bookmark"),
    Declared("colour", "word", "the colour of its mark", "`blue`", NOTE_COLOURS),
    Declared("id", "whole", "the node's; without it, or where it is another's, the path tells the node"),
    Declared("iteration", "whole", "of a log of several trees, the iteration of the tree that has the node"),
)
"""Whatever else an entry of `notes` says is left out."""


def said_over(header: Mapping[str, Any]) -> str | None:
    """The protocol over which an engine said the lines of a log; None for a log of nodes that were searched.

    >>> said_over({"search": {"said_over": "UCI"}}), said_over({})
    ('UCI', None)
    """
    search = header.get("search")
    protocol = search.get("said_over") if isinstance(search, Mapping) else None
    return protocol if isinstance(protocol, str) and protocol else None
