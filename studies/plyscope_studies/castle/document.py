"""A ranked turn as a search log: the best plays as leaves with eight factors, the rest as stubs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plyscope_studies.castle.chances import Replies, Sees
from plyscope_studies.castle.game import Position
from plyscope_studies.castle.ranking import FACTORS, Ranked

MEANINGS: Final = {
    "tile_score": "red points on the tiles of this play",
    "adjacent_score": "points that the play takes from tiles beside it",
    "double_bonus": "the points again, where three tiles lie end to end",
    "potential_now": "potential of the tiles, fading as the board fills",
    "next_1": "the most that the next player can score from this play",
    "next_2": "the most that the second next player can score from this play",
    "next_3": "the most that the third next player can score from this play",
    "heat": "what the others could score on the cells of this play",
}


def play_text(position: Position, play: list[tuple[int, int]]) -> str:
    """A play as text, its cells in order: `garden c4 + blank wall c5`."""
    rules = position.rules
    return " + ".join(f"{rules.kinds[kind].name} {rules.plan.cell_name(cell)}" for kind, cell in play)


def board_of(position: Position, ranked: Ranked) -> dict[str, Any]:
    """The board as cells, for a header: points of tiles that lie, heat of empty cells."""
    plan, kinds = position.rules.plan, position.rules.kinds
    cells: list[dict[str, Any]] = []
    for number, kind in enumerate(position.board):
        row, column = divmod(number, plan.n_columns)
        cell: dict[str, Any] = {"x": column, "y": row, "name": plan.cell_name(number)}
        if kind >= 0:
            cell["pieces"] = [f"{kinds[kind].points:g}"]
        else:
            cell |= {"label": plan.zone(number), "value": float(ranked.heat[number])}
        cells.append(cell)
    return {"kind": "squares", "cells": cells, "value": "heat", "labels": dict(plan.zones)}


def log_of(
    position: Position,
    ranked: Ranked,
    sees: Sees,
    seconds: float,
    keep: int | None = None,
    replies: Replies = "single",
    weights: Mapping[str, float] = FACTORS,
) -> dict[str, Any]:
    """The log of a turn, ranked by `weights`, as a JSON document; rows for the best `keep` plays, or all."""
    players = [f"player {number + 1}" for number in range(len(position.hands))]
    mover, following = position.player, (position.player + 1) % len(players)
    n_plays = len(ranked.ranks)
    shown = n_plays if keep is None else min(keep, n_plays)
    children: list[dict[str, Any]] = []
    is_leaf = {"bound": "exact", "outcome": "leaf"}
    follows = {"layer": "other" if len(players) > 2 else "min", "player": players[following]}
    for place in range(shown):
        play, rank = ranked.play(place), float(ranked.ranks[place])
        scores = list(position.scores)
        scores[mover] += position.score_of(play)
        figures = {"static": rank, "score": rank, **is_leaf, "factors": ranked.values[place].tolist()}
        children.append({"ply": play_text(position, play), **follows, **figures, "scores": scores})
    if shown < n_plays:
        children.append(
            {"outcome": "unlogged", "count": n_plays - shown, "why": f"rank below the best {shown:,}"}
        )
    if ranked.n_outside:
        why = f"not next to a tile, {ranked.left:g} % left"
        children.append({"outcome": "skipped", "count": ranked.n_outside, "why": why})
    best = float(ranked.ranks[0]) if n_plays else None
    root: dict[str, Any] = {"layer": "max", "player": players[mover], "depth": 1, "children": children}
    if best is not None:
        root |= {"score": best, "bound": "exact", "outcome": "searched", "moves": n_plays + ranked.n_outside}
    scope = {"scope": ranked.scope, "left": ranked.left, "completion": position.completion}
    options = {"sees": sees, "replies": replies, **scope}
    ply = children[0].get("ply") if n_plays and shown else None
    return {
        "plyscope": 1,
        "game": "castle",
        "players": players,
        "board": board_of(position, ranked),
        "search": {"algorithm": "ranked", "depth": 1, "turns": "alternate", "options": options},
        "factors": [
            {"name": name, "weight": weight, "meaning": MEANINGS[name]} for name, weight in weights.items()
        ],
        "result": {"ply": ply, "score": best, "seconds": seconds},
        "root": root,
    }
