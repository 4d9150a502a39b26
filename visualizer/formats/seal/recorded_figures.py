"""The columns of a recorded best-first search: its rows, and the figures beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.record import rows
from plyscope.engine.record.recording import Recording
from plyscope.visualizer.store.columns import COLUMNS, CORE, GIVEN
from plyscope.visualizer.store.words import MAX, MIN

Array = npt.NDArray[Any]


def best_first_columns(recording: Recording, figures: Array) -> dict[str, Array]:
    """The columns that are numbers, all but the plies; codes are the same in the engine and in a log."""
    row = recording.rows
    outcome, player = row["outcome"], row["player"].astype(np.int16)
    is_node = outcome < rows.FIRST_STUB
    visits = figures["visits"]
    is_visited = is_node & (visits > 0)
    is_chosen = is_node & (figures["n"] > 0)
    is_expanded = outcome == rows.SEARCHED
    by_name: dict[str, Array] = {
        "id": _ids(recording, figures, is_node),
        "parent": row["parent"],
        "end": row["end"],
        "level": rows.levels_of(row["end"]),
        "layer": np.where(is_node, np.where(player == recording.root_player, MAX, MIN), 0),
        "outcome": outcome,
        "bound": np.zeros(len(row)),
        "given": np.where(is_node, GIVEN["key"], 0),
        "score": np.full(len(row), np.nan),
        "player": np.where(is_node, player, -1),
        "ending": np.where(is_node, row["ending"], 0),
        "moves": np.where(is_expanded, row["moves"].astype(np.int32), -1),
        "count": np.where(is_node, -1, figures["count"]),
        "key": np.where(is_node, row["key"], 0),
        "visits": visits,
        "mean": figures["mean"],
        "wins": np.where(is_visited, figures["wins"], np.nan),
        "draws": np.where(is_visited, figures["draws"], np.nan),
        "losses": np.where(is_visited, figures["losses"], np.nan),
        "prior": figures["prior"],
        "ucb_exploit": np.where(is_chosen, figures["exploit"], np.nan),
        "ucb_explore": np.where(is_chosen, figures["explore"], np.nan),
        "ucb_n": np.where(is_chosen, figures["n"], np.nan),
        "ucb_n_parent": np.where(is_chosen, figures["n_parent"], np.nan),
        "expanded_at": np.where(is_expanded & (figures["expanded_at"] > 0), figures["expanded_at"], np.nan),
    }
    for name in ("stderr", "seconds"):
        if name in (figures.dtype.names or ()):
            by_name[name] = np.where(is_node, figures[name], np.nan)
    in_every_log = {column.name for column in CORE}
    made = {name: np.ascontiguousarray(each, COLUMNS[name].dtype) for name, each in by_name.items()}
    return {name: each for name, each in made.items() if name in in_every_log or _is_stated(name, each)}


def _ids(recording: Recording, figures: Array, is_node: Array) -> Array:
    """The number of each row; of a run that goes on twice the place of its node, and one more of its stub."""
    if not recording.keeps_places:
        return np.arange(len(recording.rows), dtype=np.int64)
    ids: Array = 2 * figures["place"] + ~is_node
    return ids


def _is_stated(name: str, column: Array) -> bool:
    """Whether any row states the field; a log has no column that is absent throughout."""
    absent = COLUMNS[name].absent
    return bool((~np.isnan(column)).any() if np.isnan(absent) else (column != absent).any())
