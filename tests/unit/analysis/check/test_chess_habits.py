"""replay in chess logs of other engines: sound habits are no faults, and faults are still found."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.unit.analysis.check.checked import found

ROOKS = "7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"
KNIGHT = "8/8/8/4k3/8/8/8/4K1N1 w - - 0 1"
PINNED = "4k3/8/8/8/1b6/2P5/3N4/4K3 w - - 0 1"
"""The knight on d2 may not move where the pawn has."""


def node(ply: str, *children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    below = (
        {"outcome": "searched", "children": list(children)} if children else {"outcome": "leaf", "score": 0}
    )
    return {"ply": ply, **below, **fields}


def log(
    position: str, *children: dict[str, Any], root: dict[str, Any] | None = None, **search: Any
) -> dict[str, Any]:
    return {
        "plyscope": 1,
        "game": "chess",
        "position": position,
        "players": ["white", "black"],
        "search": {"engine": "other", **search},
        "root": {"layer": "max", "player": "white", **(root or {}), "children": list(children)},
    }


def line(*plies: str, **last: Any) -> dict[str, Any]:
    """A path of plies, of which the last has the fields `last`."""
    made = node(plies[-1], **last)
    for ply in reversed(plies[:-1]):
        made = node(ply, made)
    return made


DRAW = {"outcome": "terminal", "ending": "draw", "score": -0.2}
LEFT = {"outcome": "leaf", "score": 0}

SOUND: dict[str, dict[str, Any]] = {
    "a repetition but for a right to castle is a draw": log(
        ROOKS, line("a1a2", "h8g8", "a2a1", "g8h8", **DRAW)
    ),
    "fifty moves come a ply early": log(ROOKS.replace(" 0 1", " 98 80"), line("a1a2", **DRAW)),
    "few pieces are a draw": log("8/8/8/4k3/8/2n5/8/4KN2 w - - 0 1", line("f1e3", **DRAW)),
    "a draw is worth a contempt": log(KNIGHT, line("g1f3", **DRAW), fail="soft"),
    "a king that was left under attack is taken": log(
        PINNED, line("c3c4", "b4c3"), line("d2f3", "b4c3", "f3d4", "c3e1", outcome="terminal", score=-9000)
    ),
    "an illegal ply is nothing but named": log(PINNED.replace("2P5", "8"), {"ply": "d2f3"}, line("e1e2")),
    "pseudo-legal plies are counted": log(
        "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", line("e1e2"), root={"moves": 10, "outcome": "cutoff"}
    ),
}


@pytest.mark.parametrize("habit", SOUND)
def test_a_habit_of_sound_engines_is_no_fault(habit: str) -> None:
    assert found(SOUND[habit], "replay") == []


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a mate is searched on": (log(ROOKS, line("a1a8", **LEFT)), "Ra8#"),
    "a mate is a draw": (log(ROOKS, line("a1a8", **DRAW)), "Ra8#"),
    "a position that never stood is a draw": (log(ROOKS, line("a1a2", **DRAW)), "Ra2"),
    "a repetition is a win": (
        log(ROOKS, line("a1a2", "h8g8", "a2a1", "g8h8", outcome="terminal", ending="win", score=1000)),
        "Ra2 > Kg8 > Ra1 > Kh8",
    ),
    "a draw is not worth what is declared": (
        log(KNIGHT, line("g1f3", **DRAW), fail="soft", draw=0),
        "Nf3+",
    ),
    "a king is left under attack, and nobody takes it": (
        log("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", line("d2f3", "e8e7"), line("e1e2")),
        "d2f3",
    ),
    "a ply is missing": (log(ROOKS, line("a1a2"), root={"moves": 24, "outcome": "cutoff"}), "root"),
    "a ply is no ply": (log(ROOKS, line("a1b3"), line("a1a2")), "a1b3"),
    "a check that is none": (log(ROOKS, line("a1a2", in_check=True)), "Ra2"),
    "a check that is not seen": (log(ROOKS, node("h1h7", node("h8h7"), in_check=False)), "Rxh7+"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_chess_log_is_found(fault: str) -> None:
    document, path = FAULTS[fault]
    assert found(document, "replay") == [("replay", path)]


def with_keys(*keys: str, position: str = ROOKS) -> dict[str, Any]:
    """Two ways to one position, of which each node has one of the keys."""
    given = iter(keys)

    def way(*plies: str) -> dict[str, Any]:
        made = [{"ply": ply, "key": next(given), "outcome": "searched", "score": 0} for ply in plies]
        for above, below in pairwise(made):
            above["children"] = [below]
        return made[0]

    return log(position, way("a1a2", "h8g8", "h1h2"), way("h1h2", "h8g8", "a1a2"), root={"key": "00"})


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        (["01", "02", "03", "04", "05", "03"], None),
        (["01", "02", "03", "04", "01", "03"], "Rh2 > Kg8"),
        (["01", "02", "03", "04", "05", "06"], None),  # numbers of nodes
        (["00", "00", "00", "00", "00", "00"], None),
    ],
)
def test_a_key_of_two_positions_is_odd_once(keys: list[str], path: str | None) -> None:
    document = with_keys(*(f"{key:0>16}" for key in keys))
    assert found(document, "replay") == ([] if path is None else [("replay", path)])


def test_a_second_key_of_a_position_is_odd_where_others_have_one() -> None:
    keys = ["01", "02", "03", "04", "05", "03"]
    document = with_keys(*(f"{key:0>16}" for key in keys))
    twice = with_keys(*(f"{key:0>16}" for key in [*keys[:5], "06"]))
    document["root"]["children"] += twice["root"]["children"]
    assert [rule for rule, _ in found(document, "replay")] == ["replay"]


def test_en_passant_and_the_clock_may_be_in_keys() -> None:
    """A pawn's double step, and the same position with another number of plies since the last capture."""
    document = log("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", root={"key": "0" * 16})
    one = line("e2e3", "e8e7", "e3e4", key="0000000000000007")
    other = line("e2e4", "e8e7", "e1d1", "e7e8", "d1e1", "e8e7", key="0000000000000008")
    document["root"]["children"] = [one, other]
    assert found(document, "replay") == []
