"""Turning logs of games of more than two players: a rival's score is not the root player's negated.

Two cases are certain. Where rivals play together against the root player (paranoid search: layer `min`),
numbers turn as between two players. Where a node states everybody's number in `scores`, and its score is that
of the player who sees it (maxn), the root player's number is in `scores` too. All else is refused.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Columns = dict[str, Array]

CHANCE: Final = words.LAYERS.index("chance")
OTHER: Final = words.LAYERS.index("other")
SAME: Final = 1e-9
"""The relative tolerance within which two numbers are the same."""
_WRITTEN: Final = {field.column: field.name for field in FIELDS.values()}


class Sides(NamedTuple):
    """Masks of the rows that a change of sign does not turn."""

    own: Mask
    """The score is a rival's own; the root player's is in `scores`."""
    uncertain: Mask
    """The row is seen by a rival, and cannot be turned with certainty."""


def is_of_many(columns: Columns, n_players: int) -> bool:
    """Whether a log is of a game of more than two players, by its header or its nodes."""
    if n_players > 2 or (columns["layer"] == OTHER).any():
        return True
    if "player" in columns and int(columns["player"].max()) > 1:
        return True
    return "scores" in columns and columns["scores"].shape[1] > 2


def sides(columns: Columns, view: str, root_player: int | None) -> Sides:
    """The rows of a log written from `view` that a change of sign does not turn.

    >>> columns = {"parent": np.array([-1, 0]), "layer": np.array([words.MAX, OTHER]), "score": np.zeros(2)}
    >>> sides(columns, "mover", None).uncertain.tolist()
    [False, True]
    """
    n_rows = len(columns["parent"])
    if view == "root":
        return Sides(np.zeros(n_rows, dtype=bool), np.zeros(n_rows, dtype=bool))
    player = columns.get("player", np.full(n_rows, -1))
    seers = _seers(columns, view)
    layer, who = columns["layer"][seers], player[seers]
    if view == "first":
        is_roots = np.full(n_rows, root_player in (0, None))
        is_against = (layer == words.MAX) | (layer == words.MIN)
        who = np.zeros(n_rows, dtype=np.int64)
    else:
        is_roots = (layer == words.MAX) | ((layer == 0) & (columns["parent"][seers] < 0))
        if root_player is not None:
            is_roots = np.where(who >= 0, who == root_player, is_roots)
        is_against = layer == words.MIN
    own = ~is_roots & _is_own(columns, who, root_player, is_against)
    return Sides(own, ~is_roots & ~own & ~is_against)


def _seers(columns: Columns, view: str) -> Array:
    """By row, the row whose mover sees its numbers; for chance nodes and stubs, the mover before them."""
    parent = columns["parent"]
    rows = np.arange(len(parent))
    if view == "parent":
        rows = np.where(parent < 0, rows, parent)
    passes_on = (columns["layer"] == CHANCE) & (parent >= 0)
    if "outcome" in columns:
        passes_on |= (columns["outcome"] >= words.FIRST_STUB) & (parent >= 0)
    while passes_on[rows].any():
        rows = np.where(passes_on[rows], parent[rows], rows)
    return rows


def _is_own(columns: Columns, who: Array, root_player: int | None, is_against: Mask) -> Mask:
    """True where the score is that of `who` in `scores`, and at a `min` row not the root player's negated."""
    score, scores = columns["score"], columns.get("scores")
    if scores is None or scores.shape[1] <= 2 or root_player is None or root_player >= scores.shape[1]:
        return np.zeros(len(score), dtype=bool)
    place = np.clip(who, 0, scores.shape[1] - 1)
    is_whole = (who >= 0) & (who < scores.shape[1]) & ~np.isnan(scores).any(axis=1)
    is_theirs = np.isclose(score, scores[np.arange(len(score)), place], rtol=SAME, atol=SAME)
    is_turned = np.isclose(score, -scores[:, root_player], rtol=SAME, atol=SAME)
    return np.asarray(is_whole & is_theirs & ~(is_against & is_turned))


def refuse_numbers(columns: Columns, rows: Mask, declared: str, view: str, names: tuple[str, ...]) -> None:
    """Raise LogError where one of the rows states one of the fields; `declared` is the key with `view`."""
    for name in names:
        if name in columns:
            refuse_rows(columns, rows & _states(columns, name), declared, view, _WRITTEN[name])


def refuse_rows(columns: Columns, rows: Mask, declared: str, view: str, name: str) -> None:
    """Raise LogError where there are rows, which all state the field."""
    if rows.any():
        node = columns["id"][np.argmax(rows)]
        raise LogError(
            f'found "{view}" in a game of more than two players, but `{name}` of node {node} is a rival\'s, '
            "which is not the root player's negated: write \"root\", the root player's numbers and all in "
            '`scores`, or `layer` "min" on rivals who play together against the root player',
            path=f"$.search.{declared}",
        )


def _states(columns: Columns, name: str) -> Mask:
    """True for rows with a number or word that depends on the side from which it is seen."""
    values = columns[name]
    if values.dtype.kind != "f":
        return np.asarray((values > 0) & (values != (words.DRAW if name == "ending" else words.EXACT)))
    if values.ndim == 2:
        return np.asarray(~np.isnan(values).all(axis=1))
    return np.asarray(np.isfinite(values) if name in ("alpha", "beta") else ~np.isnan(values))
