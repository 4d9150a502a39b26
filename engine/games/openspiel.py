"""The bridge to OpenSpiel: its games of two players who see everything and move in turns, as plain games.

OpenSpiel does not judge positions. The one factor is the reward at the end, 0 before, so a search sees what
is decided within its depth; Monte Carlo tree search needs no more. Only this module imports OpenSpiel, once a
game of it is asked for: `openspiel:breakthrough`, `openspiel:breakthrough(rows=6,columns=6)`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from hashlib import blake2b
from importlib.metadata import version
from typing import Any, Final

from plyscope.engine.game import DRAWN, FIRST_WON, SCORED, SECOND_WON, Board, Cell, GameError

START: Final = "start"
LEAST_ROWS: Final = 3


def game(text: str = "") -> Any:
    """Return the game of this name, with parameters in brackets if they are not OpenSpiel's own.

    Raises GameError where OpenSpiel is not installed or has no such game, and for games with hidden
    information, plies at the same time, rewards on the way or other than two players.
    """
    if not text:
        raise GameError("openspiel: expected a name such as openspiel:breakthrough")
    try:
        import pyspiel
    except ImportError:
        needs = "install plyscope with its extra `openspiel`, as in pip install 'plyscope[openspiel]'"
        raise GameError(f"openspiel:{text}: {needs}") from None
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():
        close = get_close_matches(name, pyspiel.registered_names(), n=1)
        hint = f"did you mean {close[0]}?" if close else "expected a name such as openspiel:breakthrough"
        raise GameError(f"openspiel:{text}: OpenSpiel has no game {name!r}; {hint}")
    try:
        with _silenced():
            found = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        raise GameError(f"openspiel:{text}: OpenSpiel says {str(error).splitlines()[0]}") from None
    if why := refused_because(found):
        raise GameError(f"openspiel:{text} cannot be searched: {why}")
    has_chance = found.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    return ChanceGame(found) if has_chance else TurnGame(found)


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep OpenSpiel from writing its errors on standard error, too; all threads are silent meanwhile."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def refused_because(found: Any) -> str | None:
    """The reason why a game of OpenSpiel cannot be searched here, or None."""
    kind = found.get_type()
    dynamics, information = kind.dynamics.name, kind.information.name
    if dynamics != "SEQUENTIAL":
        return f"its players do not move in turns ({dynamics.lower()})"
    if information != "PERFECT_INFORMATION":
        return f"its players do not see everything ({information.lower()})"
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        return "it draws its chances without listing them (sampled_stochastic)"
    if (n := found.num_players()) != 2:
        return f"it is played by {n}, expected 2"
    if kind.utility.name not in ("ZERO_SUM", "CONSTANT_SUM"):
        return f"what one player wins is not what the other loses ({kind.utility.name.lower()})"
    if kind.reward_model.name != "TERMINAL":
        return f"it pays before the end ({kind.reward_model.name.lower()})"
    return None


class TurnGame:
    """A game of OpenSpiel: positions are its states, plies its actions."""

    players = ("first", "second")
    factors: Final = {"reward": 1.0}
    meanings: Final = {"reward": "What OpenSpiel pays at the end of the game; 0 before."}

    def __init__(self, found: Any) -> None:
        self._game = found
        self.name = f"openspiel:{found}".removesuffix("()")
        self.version = version("open_spiel")
        self._draw = (found.utility_sum() or 0.0) / 2
        self._is_won = found.max_utility() - self._draw == 1

    def start(self) -> Any:
        """The first position."""
        return self._game.new_initial_state()

    def plies(self, state: Any) -> list[int]:
        """The legal actions."""
        return [] if state.is_terminal() else list(state.legal_actions())

    def apply(self, state: Any, action: int) -> Any:
        """The position after an action."""
        return state.child(action)

    def player(self, state: Any) -> int:
        """The player to move; at the end the one who did not move last. OpenSpiel numbers chance as we do."""
        if not state.is_terminal():
            return int(state.current_player())
        movers = [item.player for item in state.full_history() if item.player in (0, 1)]
        return 1 - movers[-1] if movers else 0

    def winner(self, state: Any) -> int | None:
        """The winner's code, None before the end; `SCORED` where the reward is no plain win, loss or draw."""
        if not state.is_terminal():
            return None
        reward = self._reward(state)
        if not self._is_won or abs(reward) not in (0, 1):
            return SCORED
        return FIRST_WON if reward > 0 else SECOND_WON if reward < 0 else DRAWN

    def values(self, state: Any) -> list[float]:
        """The first player's reward."""
        return [self._reward(state) if state.is_terminal() else 0.0]

    def _reward(self, state: Any) -> float:
        return float(state.returns()[0]) - self._draw

    def key(self, state: Any) -> int:
        """A number of all actions: OpenSpiel does not say when two ways lead to one position."""
        return int.from_bytes(blake2b(state.history_str().encode(), digest_size=8).digest())

    def write_ply(self, state: Any, action: int) -> str:
        """The action as OpenSpiel writes it."""
        return str(state.action_to_string(state.current_player(), action))

    def write_position(self, state: Any) -> str:
        """The numbers of all actions, those of chance too."""
        return " ".join(map(str, state.history())) or START

    def read_position(self, text: str) -> Any:
        """Play the actions of `text`; raises GameError for one that is not legal."""
        state = self.start()
        for word in text.split() if text.strip() != START else ():
            legal = [str(action) for action in ([] if state.is_terminal() else state.legal_actions())]
            if word not in legal:
                expected = f"expected one of {', '.join(legal)}" if legal else "the game is over"
                raise GameError(f"{self.name}: {word[:40]!r} is no action: {expected}")
            state.apply_action(int(word))
        return state

    def board(self, state: Any) -> Board:
        """Squares where OpenSpiel's text is a rectangle of signs, else the text."""
        cells = cells_of(str(state))
        return Board("squares", cells) if cells else Board("text", (), str(state))


class ChanceGame(TurnGame):
    """A game of OpenSpiel with chance nodes, judged by the reward, which has a mean."""

    def __init__(self, found: Any) -> None:
        super().__init__(found)
        self._is_won = False

    def chances(self, state: Any) -> list[tuple[int, float]]:
        """The outcomes of chance, with their probabilities."""
        return [*state.chance_outcomes()]


def cells_of(text: str) -> tuple[Cell, ...]:
    """The squares of a text whose rows are as many signs each, with or without names of rows and columns.

    >>> [(cell.x, cell.y, cell.pieces, cell.name) for cell in cells_of("3x..\\n2...\\n1..o\\n abc")][:2]
    [(0, 0, ('x',), 'a3'), (1, 0, (), 'b3')]
    """
    lines = [line.rstrip() for line in text.rstrip().split("\n")]
    names = re.fullmatch(r"( +)([A-Za-z]{3,})", lines[-1])
    offset, letters = (len(names[1]), names[2]) if names else (0, "")
    rows = [line for line in lines[: -1 if names else None] if re.fullmatch(r"[\w.+*#@]{3,}", line[offset:])]
    widths = {len(row) - offset for row in rows} | ({len(letters)} if names else set())
    if len(rows) < LEAST_ROWS or len(widths) > 1:
        return ()
    empty = "." if any("." in row for row in rows) else "+"
    return tuple(
        Cell(x, y, () if sign == empty else (sign,), f"{letters[x]}{row[:offset].strip()}" if names else "")
        for y, row in enumerate(rows)
        for x, sign in enumerate(row[offset:])
    )
