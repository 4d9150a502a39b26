"""The plies of a run as text: every distinct text once, and its index for each row, stub ply and table hit.

If a ply's number determines its text, each number is written once. If the text depends on the position, the
rows are played again: in Python, ply by ply; or, for many plies of a game with `ply_code`, by a kernel that
finds a code for every ply. Then each code is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import Array, State, state_of
from plyscope.engine.games.stepping import copy_state, seat
from plyscope.engine.options import judged
from plyscope.engine.record.rows import FIRST_STUB, HIT, NULL_PLY, ROW, STUB_PLY, levels_of
from plyscope.engine.step import make_once, told_beside

PASSED: Final = "--"
"""The text of a null move, which is not a ply of the game."""

SMALL_NUMBERS: Final = 1 << 20
"""Numbers below this are looked up in a table, larger ones by binary search."""

LOADED_PLIES: Final = 20_000
"""From this many plies on, machine code writes them if it is on disk; if not, it is made for the next log.

A ply of Hive takes Python some 3.5 µs and machine code 0.03 µs; loading the code takes 20 ms in a
process that has searched.
"""

COMPILED_PLIES: Final = 500_000
"""From this many plies on, machine code writes them even if it must be compiled first.

Compiling takes one second in a process that has compiled its search, and five in one that has loaded it: as
long as Python takes for 300,000 or 1,400,000 plies. It is done once, and pays by the third log of this size.
"""


class Plies(NamedTuple):
    """The arrays with the plies of a run: its `ROW`s, the `STUB_PLY`s of its stubs, its `HIT`s."""

    rows: Array
    stub_plies: Array
    hits: Array


class PlyTexts(NamedTuple):
    """The distinct texts, and the index into them of each row, stub ply and hit; -1 for no ply."""

    texts: list[str]
    of_rows: Array
    of_stubs: Array
    of_hits: Array


def ply_texts(game: Any, state: State, plies: Plies, evaluation: str | None = None) -> PlyTexts:
    """Return the texts of a run's plies from `state`, as `game.write_ply` writes each in its position.

    `evaluation` names the one with which `game` was searched, if that is not its own.
    """
    if not getattr(game, "plies_need_position", False):
        numbers = tuple(kind["ply"] for kind in plies)
        return _each_once(numbers, lambda ply: str(game.write_ply(state, ply)), plies.rows)
    has_codes = hasattr(game, "ply_code") and hasattr(game, "write_code")
    if has_codes and _are_many(game, state, plies, evaluation):
        return texts_by_code(game, state, plies)
    return texts_by_replay(game, state, plies)


def _are_many(game: Any, state: State, plies: Plies, evaluation: str | None) -> bool:
    """Return True if machine code is faster than Python, loading or compiling it included."""
    n_plies = len(plies.rows) + len(plies.stub_plies)
    if not LOADED_PLIES <= n_plies < COMPILED_PLIES:
        return n_plies >= COMPILED_PLIES
    none = Plies(*(kind[:0] for kind in plies))
    if jit.needs_compiling(jit.compiled(code_plies), jit.bind(game), *none, *_room(state, none)):
        make_once(__name__, game.name, evaluation)
        return False
    return True


def make_ready() -> None:
    """Compile the kernels that write the plies of a game, with the evaluation from standard input."""
    game, evaluation = told_beside()
    game = judged(game, evaluation)
    none = Plies(*(np.empty(0, kind) for kind in (ROW, STUB_PLY, HIT)))
    texts_by_code(game, state_of(game, None), none)


def texts_by_replay(game: Any, state: State, plies: Plies) -> PlyTexts:
    """Write each ply in its position, which is reached by playing the rows."""
    rows, stub_plies, hits = plies
    texts: dict[str, int] = {}
    of_rows, of_stubs, of_hits = (np.full(len(kind), -1, np.int32) for kind in plies)
    states = [state]
    hit = 0

    def index(state: Array, ply: int) -> int:
        return texts.setdefault(game.write_ply(state, ply), len(texts))

    for number, (row, level) in enumerate(zip(rows, levels_of(rows["end"]).tolist(), strict=True)):
        if row["outcome"] >= FIRST_STUB:
            start = int(row["key"])
            for place in range(start, start + int(row["moves"])):
                of_stubs[place] = index(states[level - 1], int(stub_plies[place]["ply"]))
            continue
        if level > 0:
            state = states[level - 1].copy()
            if row["ply"] == NULL_PLY:
                game.pass_turn(state)
                of_rows[number] = texts.setdefault(PASSED, len(texts))
            else:
                of_rows[number] = index(states[level - 1], int(row["ply"]))
                game.apply(state, int(row["ply"]))
            states[level:] = [state]
        if hit < len(hits) and hits[hit]["row"] == number:
            if hits[hit]["ply"] >= 0:
                of_hits[hit] = index(states[level], int(hits[hit]["ply"]))
            hit += 1
    return PlyTexts(list(texts), of_rows, of_stubs, of_hits)


def texts_by_code(game: Any, state: State, plies: Plies, *, compiled: bool = True) -> PlyTexts:
    """Find the code of every ply by `code_plies`, and write each code once."""
    states, path, *codes = _room(state, plies)
    run, rules = (
        (jit.compiled(code_plies), jit.bind(game)) if compiled else (code_plies, with_all_kernels(game))
    )
    n_done = run(rules, *plies, states, path, *codes)
    assert n_done == len(plies.rows), f"row {n_done} names plies or a level beyond what was recorded"
    return _each_once(tuple(codes), game.write_code, plies.rows)


def _room(state: State, plies: Plies) -> tuple[Array, ...]:
    """Return the arrays that `code_plies` writes to: positions and path, a row a level, and the codes."""
    n_levels = int(levels_of(plies.rows["end"]).max(initial=0)) + 1
    states = np.empty((n_levels, len(state)), state.dtype)
    states[0] = state
    return states, np.empty((n_levels, 2), np.int64), *(np.full(len(kind), -1, np.int32) for kind in plies)


@jit.kernel
def code_plies(
    game: Any,
    rows: Array,
    stub_plies: Array,
    hits: Array,
    states: Array,
    path: Array,
    of_rows: Array,
    of_stubs: Array,
    of_hits: Array,
) -> int:
    """Play the rows again and write the code of every ply; returns the number of rows played.

    That is all rows, unless one names plies or a level beyond the arrays. `states` and `path` have a row a
    level; `states[0]` is the position of the roots. In a game played in place, `states[0]` is the current
    position, and the other rows are the positions before null moves. A row of `path` is the end of a node and
    the ply that led to it. Nodes without children are not played, unless a table entry was found there.
    """
    top = -1
    hit = 0
    here = states[0]
    for row in range(len(rows)):
        while top >= 0 and path[top, 0] <= row:
            go_back(game, states, top, path[top, 1])
            top -= 1
        here = states[seat(game, max(top, 0), 0)[0]]
        ply = int(rows[row]["ply"])
        if rows[row]["outcome"] >= FIRST_STUB:
            first = int(rows[row]["key"])
            last = first + int(rows[row]["moves"])
            if first < 0 or last > len(of_stubs):
                return row
            for place in range(first, last):
                of_stubs[place] = game.ply_code(here, stub_plies[place]["ply"])
            continue
        if top >= 0 and ply >= 0:
            of_rows[row] = game.ply_code(here, ply)
        is_hit = hit < len(hits) and hits[hit]["row"] == row
        if is_hit or rows[row]["end"] > row + 1:
            top += 1
            if top == len(path):
                return row
            path[top, 0] = rows[row]["end"]
            path[top, 1] = ply
            go_on(game, states, top, ply)
        if is_hit:
            if hits[hit]["ply"] >= 0:
                of_hits[hit] = game.ply_code(states[seat(game, top, 0)[0]], hits[hit]["ply"])
            hit += 1
    return len(rows)


@jit.kernel
def go_on(game: Any, states: Array, level: int, ply: int) -> None:
    """Play the ply, or the null move, that leads to `level`; at a root do nothing."""
    if level == 0:
        return
    if not game.undoes():
        copy_state(states[level - 1], states[level])
    elif ply == NULL_PLY:
        copy_state(states[0], states[level])
    here = states[seat(game, level, 0)[0]]
    if ply == NULL_PLY:
        game.pass_turn(here)
    else:
        game.apply(here, ply)


@jit.kernel
def go_back(game: Any, states: Array, level: int, ply: int) -> None:
    """Take back `ply`, which led to the node at `level`; do nothing if states are copied."""
    if level == 0 or not game.undoes():
        return
    if ply == NULL_PLY:
        copy_state(states[level], states[0])
    else:
        game.undo(states[0], ply)


def written(game: Any, state: Array, line: Iterable[int]) -> tuple[str, ...]:
    """The plies of a line as text, each written in the position that it is played in."""
    state = state.copy()
    texts = []
    for ply in line:
        texts.append(game.write_ply(state, ply))
        game.apply(state, ply)
    return tuple(texts)


def _each_once(numbers: tuple[Array, ...], write: Callable[[int], str], rows: Array) -> PlyTexts:
    """Write each of `numbers` (of rows, stub plies and hits) once; a negative one is no ply."""
    distinct = np.unique(np.concatenate([_distinct(each) for each in numbers]))
    distinct = distinct[distinct >= 0]
    names = [write(int(number)) for number in distinct]
    texts = {name: index for index, name in enumerate(dict.fromkeys(names))}
    of_rows, of_stubs, of_hits = (_places(distinct, each) for each in numbers)
    if len(texts) < len(names):  # different plies with one name, as in a tree written by hand
        index_of = np.array([*(texts[name] for name in names), -1], np.int32)
        of_rows, of_stubs, of_hits = index_of[of_rows], index_of[of_stubs], index_of[of_hits]
    passes = rows["ply"] == NULL_PLY
    if passes.any():
        of_rows[passes] = texts.setdefault(PASSED, len(texts))
    return PlyTexts(list(texts), of_rows, of_stubs, of_hits)


def _distinct(numbers: Array) -> Array:
    """Return the distinct numbers, sorted; small ones are counted instead of sorted."""
    if len(numbers) and numbers.max() < SMALL_NUMBERS:
        return np.flatnonzero(np.bincount(np.maximum(numbers, -1) + 1)) - 1
    return np.unique(numbers)


def _places(distinct: Array, numbers: Array) -> Array:
    """Return the index of each of `numbers` in `distinct`, -1 for a negative one."""
    if len(distinct) and distinct[-1] < SMALL_NUMBERS:
        table = np.full(int(distinct[-1]) + 2, -1, np.int32)
        table[distinct + 1] = np.arange(len(distinct))
        looked_up: Array = table[np.maximum(numbers, -1) + 1]
        return looked_up
    found: Array = np.where(numbers < 0, -1, np.searchsorted(distinct, numbers)).astype(np.int32)
    return found
