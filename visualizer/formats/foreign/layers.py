"""Whose layer each node of a foreign tree is, where a field or a person says so."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from plyscope.visualizer.formats.foreign.fields import ABSENT, Field, dig, last_name, plain
from plyscope.visualizer.formats.foreign.names import LAYERS, PLAYERS

WORDS: Final = {
    **dict.fromkeys(
        ("max", "maximizer", "maximiser", "maximizing", "maximising", "maxnode", "maxplayer"), "max"
    ),
    **dict.fromkeys(("maximize", "maximise", "maximizingplayer", "maxi", "maxlayer"), "max"),
    **dict.fromkeys(
        ("min", "minimizer", "minimiser", "minimizing", "minimising", "minnode", "minplayer"), "min"
    ),
    **dict.fromkeys(("minimize", "minimise", "minimizingplayer", "mini", "minlayer"), "min"),
    **dict.fromkeys(
        ("chance", "expect", "expectation", "expectimax", "random", "nature", "chancenode"), "chance"
    ),
}
"""Plain words that name a layer."""

SIDES: Final = frozenset(
    (
        *("w", "b", "white", "black", "x", "o", "red", "blue", "yellow", "green", "r", "y", "p1", "p2"),
        *("player1", "player2", "human", "ai", "computer", "cpu", "bot", "me", "you", "opponent", "agent"),
        *("first", "second", "north", "south", "east", "west", "true", "false", "1", "2", "0", "-1"),
    )
)
"""Plain names of players, for fields such as `color`, which may as well be colours of drawing."""

SURE_PLAYERS: Final = (
    "player",
    "playertomove",
    "tomove",
    "sidetomove",
    "currentplayer",
    "activeplayer",
    "stm",
)
MAX_PLAYERS: Final = 6

Key = str | int | float | bool


@dataclass(frozen=True)
class Layers:
    """How the layer of a node is known.

    `of` gives it by the value at `path`; `by_level` by the distance from the root, even and odd, where no
    field tells it. `negamax`: every score is seen from the player to move. `notes` are about guesses.
    """

    path: str = ""
    of: Mapping[Key, str] = field(default_factory=dict)
    by_level: tuple[str, str] | None = None
    negamax: bool = False
    is_player: bool = False
    notes: tuple[str, ...] = ()

    def layer(self, node: Mapping[str, Any], level: int) -> str | None:
        """The layer of a node at `level`, None where it is not known."""
        if self.path:
            value = dig(node, self.path)
            if value is not ABSENT and (word := self.of.get(_key(value))) is not None:
                return word
        return self.by_level[level % 2] if self.by_level else None


def _key(value: Any) -> Key:
    if isinstance(value, str):
        return plain(value) or value
    return value if isinstance(value, int | float) else ""


def layer_words(values: Field) -> dict[Key, str] | None:
    """The layer that each value of a field names, None where the field is none of layers.

    >>> layer_words(Field("type", {0: "MAX", 1: "MIN", 2: "leaf"}))
    {'max': 'max', 'min': 'min'}
    >>> layer_words(Field("isMax", {0: True, 1: False}))
    {True: 'max', False: 'min'}
    >>> layer_words(Field("type", {0: "folder", 1: "file"})) is None
    True
    """
    name = last_name(values.path)
    distinct = values.distinct
    words: dict[Key, str] = {}
    if "max" in name or "min" in name:
        yes, no = ("max", "min") if "max" in name or "minmax" in name else ("min", "max")
        if distinct and all(value in (0, 1, -1) and not isinstance(value, str) for value in distinct):
            words = {value: yes if value == 1 else no for value in distinct}
        elif distinct and all(_key(value) in ("true", "false") for value in distinct):
            words = {_key(value): yes if _key(value) == "true" else no for value in distinct}
    for value in distinct:
        if isinstance(value, str) and plain(value) in WORDS:
            words[plain(value)] = WORDS[plain(value)]
    n_named = sum(
        _key(value) in words for value in values.values.values() if not isinstance(value, list | dict)
    )
    n_either = sum(
        words.get(_key(value)) in ("max", "min") for value in values.values.values() if _plain(value)
    )
    return words if n_either and 2 * n_named >= len(values.values) else None


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float)


def layer_field(fields: Mapping[str, Field]) -> Field | None:
    """The field that names layers, or else players of whom there are a few; None where no field does."""
    for names in (LAYERS, PLAYERS):
        named = [values for path, values in fields.items() if last_name(path) in names and _shallow(path)]
        named.sort(key=lambda values: names.index(last_name(values.path)))
        for values in named:
            if layer_words(values):
                return values
    return None


def player_field(fields: Mapping[str, Field], parents: Sequence[int]) -> Field | None:
    """The field that says who is to move, None where no field does; a colour of drawing is no player.

    >>> turns = Field("turn", {0: "w", 1: "b", 2: "b"})
    >>> player_field({"turn": turns}, [-1, 0, 0]).path, player_field({"turn": turns}, [-1, 0, 1])
    ('turn', None)
    """
    named = [values for path, values in fields.items() if last_name(path) in PLAYERS and _shallow(path)]
    named.sort(key=lambda values: PLAYERS.index(last_name(values.path)))
    for values in named:
        scalars = {node: value for node, value in values.values.items() if _plain(value)}
        if not scalars or len(scalars) < len(values.values) or len(values.distinct) > MAX_PLAYERS:
            continue
        pairs = [
            (value, scalars[parents[node]]) for node, value in scalars.items() if parents[node] in scalars
        ]
        n_turns = sum(value != above for value, above in pairs)
        sure = last_name(values.path) in SURE_PLAYERS
        named_sides = all(plain(str(value)) in SIDES or str(value) in SIDES for value in values.distinct)
        if n_turns >= (0.5 if sure else 0.9) * len(pairs) and (sure or (pairs and named_sides)):
            return values
    return None


def _shallow(path: str) -> bool:
    return path.count(".") <= 1


def layers_of_players(
    values: Field, parents: Sequence[int], scores: Sequence[float | None], children: Sequence[Sequence[int]]
) -> Layers:
    """Layers by who is to move: `max` is the root's player, unless the scores fit the other way only."""
    distinct = [_key(value) for value in values.distinct]
    notes: tuple[str, ...] = ()
    if 0 not in values.values:
        below = [values.values[node] for node in values.values if parents[node] == 0]
        if len(distinct) != 2 or not below:
            return Layers()
        first = _key(below[0])
        of = {key: "min" if key == first else "max" for key in distinct}
        note = f'The root has no "{values.path}": taken as who made the ply, so the other player is to move.'
        return Layers(values.path, of, ("max", "min"), notes=(note,))
    first = _key(values.values[0])
    of = {first: "max"}
    if len(distinct) == 2:
        other = next(key for key in distinct if key != first)
        of[other] = "min"
        turned = {first: "min", other: "max"}
        fits = _fit([_word(of, values, node) for node in range(len(parents))], scores, children)
        fits_turned = _fit([_word(turned, values, node) for node in range(len(parents))], scores, children)
        if fits_turned > fits and fits_turned > 0:
            of = turned
            notes = (f'Scores are largest for "{values.path}" = {other!r}: taken as the maximizing player.',)
    return Layers(values.path, of, is_player=True, notes=notes)


def _word(of: Mapping[Key, str], values: Field, node: int) -> str | None:
    value = values.values.get(node)
    return None if value is None else of.get(_key(value))


def _fit(
    words: Sequence[str | None], scores: Sequence[float | None], children: Sequence[Sequence[int]]
) -> int:
    """Inner nodes whose score is the best of those below, less those where it is not."""
    fit = 0
    for word, score, below in zip(words, scores, children, strict=True):
        known = [value for child in below if (value := scores[child]) is not None]
        if score is None or not known or word not in ("max", "min"):
            continue
        fit += 1 if close(score, max(known) if word == "max" else min(known)) else -1
    return fit


def close(a: float, b: float) -> bool:
    """Whether two scores are the same but for rounding.

    >>> close(0.1 + 0.2, 0.3), close(float("inf"), float("inf"))
    (True, True)
    """
    return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
