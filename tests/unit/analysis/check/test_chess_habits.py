"""replay in chess logs of other engines: sound habits are no faults, and faults are still found."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.unit.analysis.check.checked import Cases, Node, held

ROOKS = "7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"
KNIGHT = "8/8/8/4k3/8/8/8/4K1N1 w - - 0 1"
PINNED = "4k3/8/8/8/1b6/2P5/3N4/4K3 w - - 0 1"
"""The knight on d2 may not move where the pawn has."""
UNPINNED = PINNED.replace("2P5", "8")
AGAIN = ("a1a2", "h8g8", "a2a1", "g8h8")
DRAW = {"outcome": "terminal", "ending": "draw", "score": -0.2}
LEFT = {"outcome": "leaf", "score": 0}


def log(position: str, *children: Node, root: Node | None = None, **search: Any) -> Any:
    return {
        "plyscope": 1,
        "game": "chess",
        "position": position,
        "players": ["white", "black"],
        "search": {"engine": "other", **search},
        "root": {"layer": "max", "player": "white", **(root or {}), "children": list(children)},
    }


def line(*plies: str, **last: Any) -> Node:
    """A path of plies, of which the last has the fields `last`."""
    made: Node = {"ply": plies[-1], **LEFT, **last}
    for ply in reversed(plies[:-1]):
        made = {"ply": ply, "outcome": "searched", "children": [made]}
    return made


def ways(*keys: str) -> list[Node]:
    """Two ways to one position, of which each node has one of the keys."""
    given = iter(f"{key:0>16}" for key in keys)
    plies = ("a1a2", "h8g8", "h1h2"), ("h1h2", "h8g8", "a1a2")
    made = [
        [{"ply": ply, "key": next(given), "outcome": "searched", "score": 0} for ply in way] for way in plies
    ]
    for way in made:
        for above, below in pairwise(way):
            above["children"] = [below]
    return [way[0] for way in made]


def keyed(*keys: str) -> Any:
    """Ways with six keys, and again with six others."""
    both = [*ways(*keys[:6]), *(ways(*keys[6:]) if keys[6:] else ())]
    return log(ROOKS, *both, root={"key": "0" * 16})


CASES: Cases = {
    "replay: habits of sound engines are no faults": [
        (log(ROOKS, line(*AGAIN, **DRAW)), ""),  # a repetition but for a right to castle
        (log(ROOKS.replace(" 0 1", " 98 80"), line("a1a2", **DRAW)), ""),  # fifty moves, a ply early
        (log("8/8/8/4k3/8/2n5/8/4KN2 w - - 0 1", line("f1e3", **DRAW)), ""),  # few pieces
        (log(KNIGHT, line("g1f3", **DRAW), fail="soft"), ""),  # worth a contempt
        (
            log(  # a king that was left under attack is taken
                PINNED,
                line("c3c4", "b4c3"),
                line("d2f3", "b4c3", "f3d4", "c3e1", outcome="terminal", score=-9000),
            ),
            "",
        ),
        (log(UNPINNED, {"ply": "d2f3"}, line("e1e2")), ""),  # an illegal ply, nothing but named
        (log(UNPINNED, line("e1e2"), root={"moves": 10, "outcome": "cutoff"}), ""),  # pseudo-legal plies
    ],
    "replay: faults of chess logs are found": [
        # A mate is searched on or called a draw.
        (log(ROOKS, line("a1a8")), "wrong replay Ra8#"),
        # A position that never stood is a draw, or a repetition a win.
        (log(ROOKS, line("a1a2", **DRAW)), "wrong replay Ra2"),
        (
            log(ROOKS, line(*AGAIN, outcome="terminal", ending="win", score=1000)),
            "wrong replay Ra2 > Kg8 > Ra1 > Kh8",
        ),
        # A draw is not worth what is declared.
        (log(KNIGHT, line("g1f3", **DRAW), fail="soft", draw=0), "wrong replay Nf3+"),
        # A king is left under attack, and nobody takes it.
        (log(UNPINNED, line("d2f3", "e8e7"), line("e1e2")), "wrong replay d2f3"),
        # A ply is missing or no ply.
        (log(ROOKS, line("a1a2"), root={"moves": 24, "outcome": "cutoff"}), "wrong replay root"),
        (log(ROOKS, line("a1b3"), line("a1a2")), "wrong replay a1b3"),
        # A check is none or is not seen.
        (log(ROOKS, line("a1a2", in_check=True)), "wrong replay Ra2"),
        (
            log(
                ROOKS,
                {"ply": "h1h7", "outcome": "searched", "in_check": False, "children": [line("h8h7")]},
            ),
            "wrong replay Rxh7+",
        ),
    ],
    "replay: a key of two positions is odd once, but numbers of nodes": [
        (keyed("01", "02", "03", "04", "01", "03"), "odd replay Rh2 > Kg8"),
        (keyed("01", "02", "03", "04", "05", "06"), ""),
        (keyed("00", "00", "00", "00", "00", "00"), ""),
    ],
    "replay: a second key of a position is odd where others have one": [
        (
            keyed("01", "02", "03", "04", "05", "03", "01", "02", "03", "04", "05", "06"),
            "odd replay Rh2#2 > Kg8 > Raa2",
        ),
    ],
    "replay: en passant and the clock may be in keys": [
        (
            log(
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                line("e2e3", "e8e7", "e3e4", key="0000000000000007"),
                line("e2e4", "e8e7", "e1d1", "e7e8", "d1e1", "e8e7", key="0000000000000008"),
                root={"key": "0" * 16},
            ),
            "",
        ),
    ],
}

test_chess_logs_of_others = held(CASES)
