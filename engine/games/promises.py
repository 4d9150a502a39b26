"""The promises of every game, tested at the positions of random games in plain Python.

Machine code checks no index: a kernel that writes past an array changes memory that is not its own. In plain
Python numpy does check. So `hold_bounds` walks through a kernel game from outside before it first runs
compiled. `faults` asks what else searches, logs and boards rely on; tests ask the same of our own games.
"""

from __future__ import annotations

import linecache
import random
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from plyscope.engine import jit
from plyscope.engine.compile.code_cache import path_of, read_checked, write_checked
from plyscope.engine.compile.fingerprint import fingerprint
from plyscope.engine.compile.kernels import GAME_KERNELS, OPTIONAL_KERNELS, kernels_of
from plyscope.engine.game import (
    CHANCE,
    DRAWN,
    FIRST_WON,
    ONGOING,
    SCORED,
    SECOND_WON,
    Array,
    Board,
    Cell,
    GameError,
    State,
    pieces_of,
    state_of,
)
from plyscope.engine.kernel_game import KernelGame
from plyscope.engine.quoting import counted

SECONDS: Final = 0.3
"""For which random games are played; one position at least is asked."""
N_GAMES: Final = 24
MOST_GAMES: Final = 10_000
"""Random games that `faults` has time for, if they are short."""
LONGEST: Final = 400
CHECK_SECONDS: Final = 0.5
"""For which `faults` plays."""
PROMISE_SECONDS: Final = 0.15
"""The time for which each promise is then tested at the positions reached."""
STATUS: Final = {
    ONGOING: "the game goes on",
    FIRST_WON: "the first player won",
    SECOND_WON: "the second player won",
    DRAWN: "the game is drawn",
    SCORED: "the game is over, and scored",
}
"""The meanings of a kernel game's `status` and a plain one's `winner`."""
_WRITTEN: Final = {"generate": "plies", "noisy": "plies", "values": "out"}
"""The array that a kernel writes beside the state."""
_ADVICE: Final = {
    "plies": "Set max_plies to the most plies that the rules allow",
    "out": "It has an entry for each of the factors",
    "state": "It has state_size entries",
}
UNWRITTEN: Final = int(np.iinfo(np.int32).min)

KERNEL_GAME: Final = (
    *("name", "players", "factors", "max_plies", "state_size", "state_dtype", "start"),
    *(
        "finished_counts_in_perft",
        "read_position",
        "write_position",
        "read_ply",
        "write_ply",
        "board",
        "ply_cells",
    ),
)
"""The attributes of a kernel game besides its kernels; the last four are also `KernelGame`'s."""


@dataclass(frozen=True)
class At:
    """A position of a game, and the answers of its kernels there."""

    game: Any = field(compare=False, repr=False)
    state: State = field(compare=False, repr=False)
    is_changed: bool
    """Whether asking changed it."""
    plies: list[int]
    noisy: list[int]
    status: int
    player: int
    values: list[float]
    key: int

    @property
    def text(self) -> str:
        """The position as the game writes it."""
        return str(self.game.write_position(self.state))

    def after(self, ply: int) -> State:
        """The position after a ply."""
        child = self.state.copy()
        ask(self.game, "apply", child, ply)
        return child


def ask(game: Any, kernel: str, state: State, *arguments: Any) -> Any:
    """Call a kernel; raises GameError where it leaves an array."""
    before = state.copy()
    try:
        with np.errstate(all="ignore"):
            return getattr(game, kernel)(state, *arguments)
    except IndexError as error:
        found = re.search(r"index (-?\d+) is out of bounds .* size (\d+)", str(error))
        arrays = {"state": state} | ({_WRITTEN[kernel]: arguments[0]} if kernel in _WRITTEN else {})
        array, place = _used(error, arrays)
        what = f"entry {found[1]} of {array}" if found else f"what is not there ({error})"
        sizes = f"max_plies {game.max_plies}, state_size {len(state)}, {counted(len(game.factors), 'factor')}"
        advice = f". {_ADVICE[array]}" if found and array in _ADVICE else ""
        where = repr(game.write_position(before))
        raise GameError(f"{game.name}: {kernel}() uses {what}{place} in {where}; {sizes}{advice}") from error


def _used(error: IndexError, arrays: Mapping[str, Array]) -> tuple[str, str]:
    """The array of `arrays` that a kernel left, else "an array", and the code that did so."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    last = traceback.extract_tb(error.__traceback__)[-1]
    code = linecache.getline(last.filename, last.lineno or 0).encode()[last.colno : last.end_colno].decode()
    left = frame.f_locals.get(code.partition("[")[0])
    return next((name for name, each in arrays.items() if each is left), "an array"), f" ({code})"


def look(game: Any, state: State) -> At:
    """Ask every kernel about a position; raises GameError where one leaves its arrays, or some empty."""
    given, state = state, state.copy()
    plies = _listed(game, "generate", state)
    values = np.full(len(game.factors), np.nan)
    ask(game, "values", state, values)
    if np.isnan(values).any():
        lacks = list(game.factors)[int(np.argmax(np.isnan(values)))]
        where = repr(game.write_position(state))
        raise GameError(f"{game.name}: values() wrote no number for {lacks!r} in {where}")
    for name in ("in_check", "pass_turn"):
        if has(game, name):
            ask(game, name, state.copy())
    noisy = _listed(game, "noisy", state) if has(game, "noisy") else []
    status, player, key = (int(ask(game, name, state)) for name in ("status", "player", "key"))
    is_changed = not np.array_equal(given, state)
    return At(game, given, is_changed, plies, noisy, status, player, values.tolist(), jit.word(key))


def has(game: Any, name: str) -> bool:
    """Whether a game, or the plain one in its kernels, has a method or attribute of its own."""
    game = getattr(game, "game", game)
    own = getattr(type(game), name, None) or getattr(game, name, None)
    return own is not None and own is not getattr(KernelGame, name, None)


def _listed(game: Any, kernel: str, state: State) -> list[int]:
    """The plies that a kernel writes, in a buffer of exactly `max_plies`; a plain game's grows."""
    plies: Array = np.empty(0)
    while len(plies) != game.max_plies:
        plies = np.full(game.max_plies, UNWRITTEN, np.int32)
        n = int(ask(game, kernel, state, plies))
    if not 0 <= n <= len(plies) or UNWRITTEN in plies[:n]:
        n_written = int(np.argmax(plies == UNWRITTEN)) if UNWRITTEN in plies else len(plies)
        where = repr(game.write_position(state))
        raise GameError(f"{game.name}: {kernel}() returned {n} plies and wrote {n_written} in {where}")
    found: list[int] = plies[:n].tolist()
    return found


def positions(
    game: Any, seed: str = "", n_games: int | None = None, seconds: float = SECONDS
) -> Iterator[At]:
    """Look at the positions of `N_GAMES` random games from the start, those that `seconds` have time for."""
    until = time.monotonic() + seconds
    for n in range(N_GAMES if n_games is None else n_games):
        draw = random.Random(f"{seed}{n}")
        at = look(game, state_of(game, None))
        for _ in range(LONGEST):
            yield at
            if not at.plies or time.monotonic() > until:
                break
            at = look(game, at.after(draw.choice(at.plies)))
        if time.monotonic() > until:
            return


def hold_bounds(game: Any) -> None:
    """Raise GameError where a kernel of `game` leaves its arrays, or writes less of them than it says.

    Kernels that passed once are known by their fingerprint, in the folder of machine code.
    """
    if missing := [name for name in KERNEL_GAME if not hasattr(game, name)]:
        raise GameError(f"{type(game).__name__} is no kernel game: it lacks {', '.join(missing)}")
    sizes = (game.max_plies, game.state_size, np.dtype(game.state_dtype).str, len(game.factors), game.start)
    passed = path_of("bounds", (fingerprint(*kernels_of(game).values()), *sizes))
    if read_checked(passed) is not None:
        return
    state, promised = state_of(game, None), np.zeros(game.state_size, game.state_dtype)
    if (state.shape, state.dtype) != (promised.shape, promised.dtype):
        given, expected = (f"{each.shape} of {each.dtype}" for each in (state, promised))
        raise GameError(f"{game.name}: read_position() returned an array {given}, expected {expected}")
    for at in positions(game):
        for ply in at.plies:
            child = at.after(ply)
            for name in ("ring", "undo"):
                if has(game, name):
                    ask(game, name, child, ply)
            if has(game, "ply_code"):
                ask(game, "ply_code", at.state, ply)
    write_checked(passed, b"")


class BrokenError(Exception):
    """A game breaks a promise; the message says in a sentence how."""


def tried(game: Any, method: str, *arguments: Any) -> Any:
    """Call a method for texts or boards; any exception becomes a BrokenError that names the line."""
    try:
        return getattr(game, method)(*arguments)
    except GameError as error:
        raise BrokenError(f"{method}() says: {error}") from error
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"line {at.lineno} of {Path(at.filename).name}, in {at.name}"
        raise BrokenError(f"{method}() raises {type(error).__name__}: {error}, {place}") from error


# The promises: each yields sentences about faults at a position -----------------------------------------


def plies_end_with_the_game(at: At) -> Iterator[str]:
    """There are plies exactly while the game goes on, unless a game's draws leave some, and they differ."""
    if not ONGOING <= at.status <= SCORED:
        yield f"status {at.status} is none, expected {ONGOING} to {SCORED}"
    if at.player not in (0, 1, *([CHANCE] if has(at.game, "chances") else [])):
        yield f"player {at.player} is to move, expected 0 or 1"
    may_leave = at.status == DRAWN and getattr(at.game, "draws_leave_plies", False)
    if (at.status == ONGOING) != bool(at.plies) and not may_leave:
        asked = "winner" if has(at.game, "winner") else "status"
        means = f"{asked}() says {at.status}, {STATUS.get(at.status, 'which is none')}"
        yield f"there are {len(at.plies)} plies, and {means}"
    if len(set(at.plies)) < len(at.plies):
        yield "two plies are one"


def asking_changes_nothing(at: At) -> Iterator[str]:
    """Only `apply` and `undo` change a position, and a question has the same answer twice."""
    if at.is_changed:
        yield "asking about it changes it"
    elif look(at.game, at.state) != at:
        yield "asked again, its kernels answer otherwise"


def texts_read_back(at: At) -> Iterator[str]:
    """A position and its plies are read back from their texts."""
    game = at.game
    texts = [tried(game, "write_ply", at.state, ply) for ply in at.plies]
    if len(set(texts)) < len(texts):
        yield "two plies have one text"
    elif hasattr(game, "read_ply") and at.plies != [
        tried(game, "read_ply", at.state, each) for each in texts
    ]:
        yield "a ply reads back from its text as another"
    if has(game, "read_position"):
        text = game.write_position(tried(game, "read_position", at.text))
        if text != at.text:
            yield f"its text reads back as another position, {text}"


def values_are_exact(at: At) -> Iterator[str]:
    """Every factor is a finite number that rows of a log hold exactly."""
    stored = np.array(at.values).astype(getattr(at.game, "factor_dtype", np.float64))
    for name, value, kept in zip(at.game.factors, at.values, stored.tolist(), strict=True):
        if value != kept or not np.isfinite(value):
            yield f"factor {name} is {value:g}, which rows of {stored.dtype} keep as {kept:g}"


def noisy_plies_are_legal(at: At) -> Iterator[str]:
    """The noisy plies are some of the legal ones, in their order."""
    if at.noisy != [ply for ply in at.plies if ply in at.noisy]:
        yield "its noisy plies are not legal ones in their order"


def codes_write_plies(at: At) -> Iterator[str]:
    """`ply_code` says how a ply is written."""
    for ply in at.plies if has(at.game, "ply_code") else ():
        code = int(at.game.ply_code(at.state, ply))
        if not 0 <= code < 1 << 31 or at.game.write_code(code) != at.game.write_ply(at.state, ply):
            yield f"the code of {at.game.write_ply(at.state, ply)} is {code}, which is written otherwise"


def undo_takes_back(at: At) -> Iterator[str]:
    """`undo` takes back every ply."""
    for ply in at.plies if has(at.game, "undo") else ():
        child = at.after(ply)
        ask(at.game, "undo", child, ply)
        if look(at.game, child) != at or at.game.write_position(child) != at.text:
            yield f"undo does not take back {at.game.write_ply(at.state, ply)}"


def boards_are_drawn(at: At) -> Iterator[str]:
    """A board is made of cells, one at a place."""
    board = board_of(at.game, at.state)
    if len(pieces_of(board)) < len(board.cells):
        yield "board() has two cells at one place"


def board_of(game: Any, state: State) -> Board:
    """A position's board; raises BrokenError where it is no board."""
    board = tried(game, "board", state)
    if not isinstance(board, Board) or not all(isinstance(cell, Cell) for cell in board.cells):
        raise BrokenError(f"board() gave {board!r:.60}, expected a Board with a tuple of Cells")
    return board


def cells_are_those_that_change(at: At) -> Iterator[str]:
    """The cells of a ply are those that change on the board, each once."""
    if not (has(at.game, "board") and has(at.game, "ply_cells")):
        return
    before = pieces_of(board_of(at.game, at.state))
    for ply in at.plies:
        after = pieces_of(board_of(at.game, at.after(ply)))
        cells = [*tried(at.game, "ply_cells", at.state, ply)]
        changed = [cell for cell in after if after[cell] != before.get(cell, ())]
        if set(changed) != set(cells):
            found = f"the boards around it change {changed}, and ply_cells() says {cells}"
            yield f"{at.game.write_ply(at.state, ply)}: {found}"
        if len(set(cells)) < len(cells):
            yield f"ply_cells() of {at.game.write_ply(at.state, ply)} has a cell twice: {cells}"


def machine_code_answers_alike(at: At) -> Iterator[str]:
    """Compiled kernels answer as plain ones, here and after every ply."""
    game, names = at.game, [*GAME_KERNELS, *(name for name in OPTIONAL_KERNELS if has(at.game, name))]
    compiled = {name: jit.compiled(getattr(game, name)) for name in names}
    told = {name: getattr(game, name) for name in ("name", "max_plies", "factors", "write_position")}
    twin = SimpleNamespace(**told, **compiled)
    if (found := look(twin, at.state)) != at:
        yield f"compiled, its kernels answer {found}, and {at} as plain Python"
    for ply in at.plies:
        child = at.state.copy()
        twin.apply(child, ply)
        if not np.array_equal(child, at.after(ply)):
            yield f"compiled, {game.write_ply(at.state, ply)} leads to another position"


Promise = Callable[[At], Iterator[str]]

PROMISES: Final[tuple[Promise, ...]] = (
    plies_end_with_the_game,
    asking_changes_nothing,
    texts_read_back,
    values_are_exact,
    noisy_plies_are_legal,
    codes_write_plies,
    undo_takes_back,
    boards_are_drawn,
    cells_are_those_that_change,
)


def faults(game: Any, seed: str = "") -> tuple[int, list[str]]:
    """The number of positions that were reached, and a sentence on each promise that is broken at one.

    It takes about a second: promises that take long are asked at fewer positions. Another `seed` plays other
    games. A kernel game is compiled for it. Raises GameError as `look` does.
    """
    every = [*positions(game, seed, MOST_GAMES, CHECK_SECONDS)]
    start, *others = {(at.text, at.key): at for at in every}.values()
    random.Random(seed).shuffle(others)
    found: dict[Any, str] = {}
    if not has(game, "plies"):  # begins with compiling, which is no part of the time
        hold(machine_code_answers_alike, start, found)
    for promise in PROMISES if has(game, "plies") else (*PROMISES, machine_code_answers_alike):
        until = time.monotonic() + PROMISE_SECONDS
        for at in (start, *others):
            hold(promise, at, found)
            if promise in found or time.monotonic() > until:
                break
    keys: dict[str, int] = {}
    for at in every:
        if keys.setdefault(at.text, at.key) != at.key:
            found["key"] = f"two ways to one position give two keys ({at.text})"
    if len(set(keys.values())) < len(keys):
        found["keys"] = "two positions have one key"
    seen: list[bool] = np.any([at.values for at in every], axis=0).tolist()
    for name, is_seen in zip(game.factors, seen, strict=True):
        if not is_seen:
            found[name] = f"factor {name} is 0 everywhere"
    return 1 + len(others), [*found.values()]


def hold(promise: Promise, at: At, found: dict[Any, str]) -> None:
    """Add to `found` a sentence on a promise that is broken at a position."""
    try:
        sentence = next(promise(at), None)
    except BrokenError as error:
        sentence = str(error)
    if sentence is not None:
        found[promise] = f"{sentence} ({at.text})"
