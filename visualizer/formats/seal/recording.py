"""A run of the engine as a sealed log, made from its rows column by column, without a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import CHANCE
from plyscope.engine.quoting import counted
from plyscope.engine.record import rows
from plyscope.engine.record.recording import Recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, CORE, GIVEN, absent_column, stated
from plyscope.visualizer.store.log import Factor, Lists, Log, Root
from plyscope.visualizer.store.words import MAX, MIN

Array = npt.NDArray[Any]


def log_from_recording(recording: Recording) -> Log:
    """The log of a recorded run; raises ValueError for one not recorded, or whose players lack names.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> from plyscope.engine.run import SearchOptions, search
    >>> log = log_from_recording(search(GAME, options=SearchOptions(depth=1), compiled=False))
    >>> [log.text(ply) for ply in log.columns["ply"][:3]], log.columns["score"][:3].tolist()
    ([None, 'b2', 'a3'], [7.0, 7.0, 4.0])
    """
    if not len(recording.rows):
        raise ValueError("this run was not recorded; search with record=True")
    texts, row_plies, stub_texts, hit_texts = recording.ply_texts()
    iterative = len(recording.trees) > 1
    if recording.figures is not None:
        columns = best_first_columns(recording, recording.figures) | {"ply": row_plies}
    else:
        columns = _columns(recording) | _hit_columns(recording, hit_texts)
        columns |= {"ply": row_plies, "factors": _factors(recording)}
    players = tuple(recording.game.players)
    if (highest := int(columns["player"].max())) >= len(players):
        raise ValueError(f"player {highest} moved, but `players` has {counted(len(players), 'name')}")
    return Log(
        header=recording.header,
        columns=columns,
        texts=texts,
        roots=tuple(Root(tree.row, tree.iteration if iterative else None) for tree in recording.trees),
        players=players,
        factors=tuple(Factor(**each) for each in recording.header["factors"]),
        key_form="hex",
        stub_plies=None if recording.figures is not None else _stub_plies(recording, stub_texts),
    )


def _columns(recording: Recording) -> dict[str, Array]:
    """The columns of numbers; codes are the same in the engine and in a log."""
    row = recording.rows
    level, player, outcome = rows.levels_of(row["end"]), row["player"].astype(np.int16), row["outcome"]
    moves = row["moves"].astype(np.int32)
    is_node = outcome < rows.FIRST_STUB
    is_finished = is_node & (outcome != rows.STOPPED) & (outcome != rows.OPEN)
    is_terminal = outcome == rows.TERMINAL
    has_static = is_node & ~is_terminal
    has_pre_score = is_node & (level > 0) & (row["purpose"] != rows.NULL)
    algorithm = recording.header["search"]["algorithm"]
    has_window = is_node & (algorithm not in ("minimax", "expectimax"))
    prior = row["alpha"] if algorithm == "expectimax" else np.full(len(row), np.nan)
    is_quiet = is_node & (row["flags"] & rows.QUIESCENCE > 0)
    in_check = is_node & (row["flags"] & rows.IN_CHECK > 0)
    has_stand_pat = is_quiet & ~in_check
    stands_alone = (row["cut_by"] == rows.CUT_BY_STAND_PAT) & (row["moves"] == 0)
    has_moves = is_node & (outcome != rows.LEAF) & (outcome != rows.TT) & ~stands_alone
    given = np.zeros(len(row), np.uint16)
    for name, where in (
        ("score", is_finished),
        ("alpha", has_window),
        ("beta", has_window),
        ("static", has_static),
        ("pre_score", has_pre_score),
        ("stand_pat", has_stand_pat),
        ("key", is_node),
    ):
        given |= np.where(where, GIVEN[name], 0).astype(np.uint16)
    columns = {
        "id": np.arange(len(row), dtype=np.int64),
        "parent": row["parent"],
        "end": row["end"],
        "level": level,
        "layer": _layers(is_node, player, recording.root_player),
        "outcome": outcome,
        "bound": np.where(is_finished, row["bound"], 0),
        "given": given,
        "score": np.where(is_finished, row["score"], np.nan),
        "player": np.where(is_node, player, -1),
        "purpose": np.where(is_node, row["purpose"], 0),
        "cut_by": np.where(is_node, row["cut_by"], 0),
        "ending": np.where(is_node, row["ending"], 0),
        "depth": np.where(is_node, row["depth"], np.nan),
        "static": np.where(has_static, row["static"], np.nan),
        "pre_score": np.where(has_pre_score, row["static"], np.nan),
        "moves": np.where(has_moves, moves, -1),
        "count": np.where(is_node, -1, moves),
        "key": np.where(is_node, row["key"], 0),
    }
    if has_window.any():
        columns["alpha"] = np.where(is_node, row["alpha"], np.nan)
        columns["beta"] = np.where(is_node, row["beta"], np.nan)
    reduction = np.where(is_node & (row["reduction"] > 0), row["reduction"], np.nan)
    columns |= {
        name: values
        for name, where, values in (
            ("quiescence", is_quiet, np.where(is_quiet, 1, -1)),
            ("in_check", in_check, np.where(in_check, 1, -1)),
            ("stand_pat", has_stand_pat, np.where(has_stand_pat, row["static"], np.nan)),
            ("reduction", ~np.isnan(reduction), reduction),
            ("prior", ~np.isnan(prior), prior),
        )
        if where.any()
    }
    return {name: np.ascontiguousarray(values, dtype=COLUMNS[name].dtype) for name, values in columns.items()}


def _layers(is_node: Array, player: Array, root_player: int) -> Array:
    """The layer of each row, 0 at a stub."""
    cases = [~is_node, player == CHANCE, player == root_player]
    layers: Array = np.select(cases, [0, words.CHANCE, MAX], MIN)
    return layers


def _hit_columns(recording: Recording, texts: Array) -> dict[str, Array]:
    """The columns of table entries that were found; empty where there is none."""
    hits = recording.hits
    if not len(hits):
        return {}
    columns: dict[str, Array] = {}
    for name, values in (
        ("tt_use", hits["use"]),
        ("tt_depth", hits["depth"]),
        ("tt_bound", hits["bound"]),
        ("tt_score", hits["score"]),
        ("tt_ply", texts),
        ("tt_from", hits["source"]),
    ):
        columns[name] = absent_column(name, len(recording.rows))
        columns[name][hits["row"]] = values
    return columns


def _factors(recording: Recording) -> Array:
    """The raw values seen from the root player, NaN where the row was not evaluated; never minus zero."""
    sign = 1.0 if recording.root_player == 0 else -1.0
    values = recording.factors * np.float64(sign) + 0.0
    outcome = recording.rows["outcome"]
    values[(outcome >= rows.FIRST_STUB) | (outcome == rows.TERMINAL)] = np.nan
    return np.asarray(values, dtype=np.float64)


def _stub_plies(recording: Recording, texts: Array) -> Lists | None:
    """The plies of the stubs, which the search writes in the order of the rows."""
    stubs = np.flatnonzero(recording.rows["outcome"] >= rows.FIRST_STUB)
    if not len(stubs):
        return None
    first = int(recording.rows["key"][stubs[0]])
    starts = np.append(0, np.cumsum(recording.rows["moves"][stubs], dtype=np.int64))
    piece = slice(first, first + int(starts[-1]))
    return Lists(
        rows=stubs.astype(np.int32),
        starts=starts,
        texts=texts[piece].astype(np.int32),
        numbers=recording.stub_plies["pre_score"][piece].copy(),
    )


def best_first_columns(recording: Recording, figures: Array) -> dict[str, Array]:
    """The columns of numbers, all but the plies; codes are the same in the engine and in a log."""
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
        "layer": _layers(is_node, player, recording.root_player),
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
    return {name: each for name, each in made.items() if name in in_every_log or stated(name, each).any()}


def _ids(recording: Recording, figures: Array, is_node: Array) -> Array:
    """The row numbers; for a run that goes on, twice the place of the node, and one more for its stub."""
    if not recording.keeps_places:
        return np.arange(len(recording.rows), dtype=np.int64)
    ids: Array = 2 * figures["place"] + ~is_node
    return ids
