"""The table of a run: an empty one, or that of an earlier run, where its scores mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plyscope.engine.alphabeta.table import Table, table_for
from plyscope.engine.game import Array
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.memory import free_bytes

_MEANING: Final = (
    "game",
    "numbering of positions",
    "set of weights",
    "table_depth",
    "limit",
    "quiescence",
    "null_move",
    "lmr",
    "reverse_futility",
    "prove_wins",
)


def meaning_of(
    game: Any, state: Array, weights: Mapping[str, float], options: SearchOptions, *, has_keys: bool
) -> tuple[Any, ...]:
    """Return all that decides a score besides position and depth, in the order of `_MEANING`.

    Positions of a game without keys are numbered as they are met, in every run anew.
    """
    keys = "" if has_keys else object()
    if getattr(game, "keys_need_position", False):
        keys = game.write_position(state)
    scores = (options.limit, options.quiescence, options.null_move, options.lmr, options.reverse_futility)
    return (game.name, keys, tuple(weights.items()), options.table_depth, *scores, options.prove_wins)


def table_of(options: SearchOptions, meaning: tuple[Any, ...], carried: Table | None) -> Table | None:
    """The table that `options` ask for: `carried`, or an empty one, or none.

    Raises `OptionError` where the machine has no room for it, and for a carried one of another size or
    whose scores mean something else.
    """
    if options.table is None:
        if carried is not None:
            raise OptionError(f"table: a table is carried; expected its size, table={carried.megabytes!r}")
        return None
    if carried is None:
        return _empty(options.table, meaning)
    if carried.megabytes != options.table:
        raise OptionError(
            f"table: {options.table!r} MB, but the carried one was made with table={carried.megabytes!r}"
        )
    for name, mine, its in zip(_MEANING, meaning, carried.meaning, strict=True):
        if mine != its:
            raise OptionError(
                f"table: the carried table's scores were found with another {name}: {its!r:.80}, "
                f"expected {mine!r:.80}"
            )
    carried.leave_recording()
    return carried


def _empty(megabytes: float, meaning: tuple[Any, ...]) -> Table:
    free = free_bytes() // 2**20
    try:
        if megabytes > free:
            raise MemoryError
        return table_for(megabytes, meaning)
    except MemoryError:
        raise OptionError(f"table: {megabytes!r} MB, expected at most {free}, as are free here") from None
