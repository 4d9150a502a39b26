"""A game in progress: the positions so far, and the legal plies now.

Also the errors with which a session refuses a command, one for each answer of the protocol.
"""

from __future__ import annotations

from typing import Any

from plyscope.engine.game import ONGOING, GameError
from plyscope.engine.games.hive.notation import THREEFOLD
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.quoting import quoted


class CommandError(ValueError):
    """A command that cannot be done; the session answers `err` and these words."""


class PlyError(ValueError):
    """A ply that is not legal or no ply at all; the session answers `invalidmove` and these words."""


def one_line(words: object) -> str:
    r"""Words on one line, as every answer has to be.

    >>> one_line("not\n  here")
    'not here'
    """
    return " ".join(str(words).split())


class Match:
    """A game of Hive from its first ply; `game` is the engine's Hive.

    Positions are kept one after the other, so that taking plies back is dropping some.
    """

    def __init__(self, game: Any, text: str, *, threefold: bool) -> None:
        """Begin with a GameTypeString, or play a GameString through; raises CommandError.

        The state and turn in a GameString are not used, only compared: see `contradiction`.
        """
        self._game = game
        prefix = THREEFOLD if threefold else ""
        fields = [field.strip() for field in text.split(";")]
        try:
            self._states = [game.read_position(prefix + ";".join(fields[:3]))]
        except GameError as error:
            raise CommandError(one_line(error)) from None
        for number, ply in enumerate(filter(None, fields[3:]), start=1):
            try:
                self.play(ply)
            except PlyError as error:
                raise CommandError(f"ply {number} of the game, {quoted(ply)}: {error}") from None
        self.contradiction: str | None = game.contradiction(text, self.state)

    @property
    def state(self) -> Any:
        """The position now."""
        return self._states[-1]

    @property
    def position(self) -> str:
        """The position now as the engine reads it."""
        return str(self._game.write_position(self.state))

    @property
    def game_string(self) -> str:
        """The GameString of the position now."""
        return self.position.removeprefix(THREEFOLD)

    @property
    def n_played(self) -> int:
        """The number of plies that were played."""
        return len(self._states) - 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, won or drawn."""
        return int(self._game.status(self.state)) != ONGOING

    def must_go_on(self) -> None:
        """Raise CommandError where the game is over."""
        if self.is_over:
            raise CommandError(
                f"the game is over ({self.game_string.split(';')[1]}); undo or newgame goes on"
            )

    def legal(self) -> list[str]:
        """The MoveString of every legal ply."""
        return [self._game.write_ply(self.state, ply) for ply in legal_plies(self._game, self.state)]

    @property
    def n_legal(self) -> int:
        """The number of legal plies."""
        return len(legal_plies(self._game, self.state))

    def spelled(self, text: str) -> str:
        """The strict MoveString of a legal ply in any spelling."""
        return str(self._game.write_ply(self.state, self._game.read_ply(self.state, text)))

    def play(self, text: str) -> None:
        """Play a MoveString in any spelling; raises PlyError, CommandError where the game is over."""
        self.must_go_on()
        try:
            ply = self._game.read_ply(self.state, text)
            after = self.state.copy()
            self._game.apply(after, ply)
        except GameError as error:
            raise PlyError(one_line(error)) from None
        self._states.append(after)

    def undo(self, n_plies: int) -> None:
        """Take plies back; raises CommandError for more than were played."""
        if self.n_played == 0:
            raise CommandError(f"undo {n_plies}: no ply was played")
        if not 1 <= n_plies <= self.n_played:
            raise CommandError(f"undo {n_plies}: expected 1 to {self.n_played}, the plies that were played")
        del self._states[-n_plies:]
