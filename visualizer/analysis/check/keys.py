"""What the rules about position keys share: one pass over the rows by key, one by the path of plies.

Both passes are hash tables with open addressing, so a row costs one probe whatever the order of the keys.
Their answer is one byte a row, from which each rule reads its bit. They run compiled, and as plain Python
for small logs; keys are hashed without a product that could overflow a numpy scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from weakref import ref

import numpy as np
import numpy.typing as npt

from engine.jit import compiled, kernel
from visualizer.analysis.check.sight import Sight
from visualizer.store.columns import GIVEN
from visualizer.store.log import Log
from visualizer.store.words import CUT_BY, CUTOFF, FIRST_STUB, SEARCHED

Array = npt.NDArray[Any]

OTHER_PLAYER: Final = 1
OTHER_MOVES: Final = 2
OTHER_STATIC: Final = 4
OTHER_KEY: Final = 1
"""Of a path: its earlier visits had another key."""

PLAIN_ROWS: Final = 2000
"""Up to so many rows the passes run as plain Python, and numba is not loaded."""

GROUP: Final = np.dtype(
    [
        ("key", np.uint64),
        ("static", np.float64),
        ("moves", np.int32),
        ("player", np.int16),
        ("pad", np.int16),
    ],
)
PATH: Final = np.dtype(
    [("key", np.uint64), ("parent", np.int32), ("ply", np.int32), ("has_key", np.int8)], align=True
)

_KEY_GIVEN: Final = GIVEN["key"]
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_SPREAD_LOW: Final = 0x7FEB352D
_SPREAD_HIGH: Final = 0x6C62272E


def n_slots(n_entries: int) -> int:
    """Slots of a table for `n_entries`: a power of two, at most two thirds of it taken.

    >>> n_slots(2), n_slots(1000)
    (4, 2048)
    """
    return 1 << max(2, (3 * n_entries // 2).bit_length())


def key_flags(sight: Sight) -> Array:
    """One byte a row: OTHER_PLAYER, OTHER_MOVES, OTHER_STATIC."""
    return _kept(sight, flags_by_key)


def path_flags(sight: Sight) -> Array:
    """One byte a row: OTHER_KEY."""
    return _kept(sight, flags_by_path)


def text_of_key(sight: Sight, row: int) -> str:
    """The key of a row as the log writes it."""
    key = int(sight.key[row])
    if sight.log.key_form == "text":
        return sight.log.text(key) or ""
    return f"{key:016x}" if sight.log.key_form == "hex" else str(key)


def first_of_key(sight: Sight, row: int, says: Array) -> int:
    """The first row of the same key at which `says` is true."""
    is_same = (sight.key == sight.key[row]) & ((sight.given & _KEY_GIVEN) > 0)
    return int(np.argmax(is_same & (sight.outcome < FIRST_STUB) & says))


def is_expanded(sight: Sight) -> Array:
    """Where a node generated all its plies: searched, and not in quiescence or cut before its first ply."""
    where = (sight.outcome == SEARCHED) | (sight.outcome == CUTOFF)
    if len(sight.cut_by):
        where &= sight.cut_by <= CUT_BY.index("child")
    if len(sight.quiescence):
        where &= sight.quiescence != 1
    return np.asarray(where)


Pass = Callable[..., Any]
_last: dict[Pass, tuple[ref[Log], Array]] = {}


def _kept(sight: Sight, derive: Pass) -> Array:
    """What `derive` gave for the same log the last time, so that rules of one check share a pass."""
    found = _last.get(derive)
    if found is not None and found[0]() is sight.log:
        return found[1]
    flags: Array = derive(sight, compiled if sight.n_rows > PLAIN_ROWS else _plain)
    _last[derive] = ref(sight.log), flags
    return flags


def _plain(pass_over: Pass) -> Pass:
    return pass_over


def flags_by_key(sight: Sight, run: Callable[[Pass], Pass]) -> Array:
    """The flags of `key_flags` anew, the pass run as `run` gives it: plain, or compiled."""
    n = sight.n_rows
    flags = np.zeros(n, np.uint8)
    if len(sight.key):
        run(compare_keys)(
            sight.given,
            sight.outcome,
            sight.key,
            sight.player,
            sight.moves,
            sight.static,
            is_expanded(sight),
            sight.tolerance,
            np.full(n_slots(n), -1, np.int32),
            np.empty(n, GROUP),
            flags,
        )
    return flags


def flags_by_path(sight: Sight, run: Callable[[Pass], Pass]) -> Array:
    """The flags of `path_flags` anew, the pass run as `run` gives it."""
    n = sight.n_rows
    flags = np.zeros(n, np.uint8)
    if len(sight.key):
        run(compare_paths)(
            sight.given,
            sight.outcome,
            sight.level,
            sight.ply,
            sight.key,
            np.full(n_slots(n), -1, np.int32),
            np.empty(n, PATH),
            np.full(int(sight.level.max()) + 1, -1, np.int64),
            flags,
        )
    return flags


@kernel
def spread(key: Any) -> int:
    """A number below 2**63 in which every bit of the key takes part."""
    low = np.int64(key & _LOW) * _SPREAD_LOW
    high = np.int64(key >> _HALF) * _SPREAD_HIGH
    mixed = (low ^ (low >> 29)) ^ (high >> 17) ^ high
    return int(mixed ^ (mixed >> 32))


@kernel
def compare_keys(
    given: Array,
    outcome: Array,
    key: Array,
    player: Array,
    moves: Array,
    static: Array,
    is_expanded: Array,
    tolerance: float,
    slots: Array,
    groups: Array,
    flags: Array,
) -> int:
    """Set in `flags` what a row says otherwise than the first row of its key that says it.

    `slots` is filled with -1, `groups` has room for as many as there are rows, `is_expanded` says where all
    plies were generated. Returns the number of different keys.
    """
    mask = len(slots) - 1
    n_groups = 0
    has_player = len(player) > 0
    has_moves = len(moves) > 0
    has_static = len(static) > 0
    for row in range(len(key)):
        if given[row] & _KEY_GIVEN == 0 or outcome[row] >= FIRST_STUB:
            continue
        slot = spread(key[row]) & mask
        while slots[slot] >= 0 and groups[slots[slot]]["key"] != key[row]:
            slot = (slot + 1) & mask
        number = int(slots[slot])
        if number < 0:
            number = n_groups
            slots[slot] = number
            n_groups += 1
            groups[number]["key"] = key[row]
            groups[number]["static"] = np.nan
            groups[number]["moves"] = -1
            groups[number]["player"] = -1
        group = groups[number]
        if has_player and player[row] >= 0:
            if group["player"] < 0:
                group["player"] = player[row]
            elif group["player"] != player[row]:
                flags[row] |= OTHER_PLAYER
        if has_static and not np.isnan(static[row]):
            first = group["static"]
            if np.isnan(first):
                group["static"] = static[row]
            elif first != static[row] and not abs(first - static[row]) <= tolerance * abs(first):
                flags[row] |= OTHER_STATIC
        if has_moves and moves[row] >= 0 and is_expanded[row]:
            if group["moves"] < 0:
                group["moves"] = moves[row]
            elif group["moves"] != moves[row]:
                flags[row] |= OTHER_MOVES
    return n_groups


@kernel
def compare_paths(
    given: Array,
    outcome: Array,
    level: Array,
    ply: Array,
    key: Array,
    slots: Array,
    paths: Array,
    at_level: Array,
    flags: Array,
) -> int:
    """Set in `flags` where a row has another key than an earlier row of the same plies from a root.

    A path is numbered by the number of its parent and its last ply, so visits of all iterations share it;
    `at_level` holds the numbers of the path we are on, -1 below a ply that is not stated. Returns how many
    different paths there are.
    """
    mask = len(slots) - 1
    n_paths = 0
    for row in range(len(key)):
        if outcome[row] >= FIRST_STUB:
            continue
        depth = level[row]
        parent = -2 if depth == 0 else int(at_level[depth - 1])
        at_level[depth] = -1
        if parent == -1 or (depth > 0 and ply[row] < 0):
            continue
        slot = (((parent + 2) * _SPREAD_LOW) ^ ((int(ply[row]) + 1) * _SPREAD_HIGH >> 7)) >> 3 & mask
        while slots[slot] >= 0 and (
            paths[slots[slot]]["parent"] != parent or paths[slots[slot]]["ply"] != ply[row]
        ):
            slot = (slot + 1) & mask
        number = int(slots[slot])
        if number < 0:
            number = n_paths
            slots[slot] = number
            n_paths += 1
            paths[number]["parent"] = parent
            paths[number]["ply"] = ply[row]
            paths[number]["has_key"] = 0
        at_level[depth] = number
        if given[row] & _KEY_GIVEN == 0:
            continue
        path = paths[number]
        if path["has_key"] == 0:
            path["has_key"] = 1
            path["key"] = key[row]
        elif path["key"] != key[row]:
            flags[row] |= OTHER_KEY
    return n_paths
