"""The layer of each node of a foreign tree: a field or a person names it, or scores of parents imply it.

Where nothing says it, three readings are tested at every parent whose score and children's scores are known:
the largest at even levels and the smallest at odd ones, the reverse, and the largest of the negated
(negamax). The reading that fits most of them is taken, so that a few wrong scores do no harm; `check` finds
those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.formats.foreign.meaning.fields import Field, last_name, plain
from plyscope.visualizer.formats.foreign.meaning.label_texts import TEXTS, lines_of
from plyscope.visualizer.formats.foreign.meaning.names import LAYERS, PLAYERS, meanings, words

WORDS: Final = meanings(
    max="""
        max maximizer maximiser maximizing maximising maxnode maxplayer maximize maximise
        maximizingplayer maxi maxlayer
    """,
    min="""
        min minimizer minimiser minimizing minimising minnode minplayer minimize minimise
        minimizingplayer mini minlayer
    """,
    chance="chance expect expectation expectimax random nature chancenode",
)
"""Plain words for layers."""

DECISIONS: Final = words("decision decisionnode choice choicenode action player state")
"""Plain words for the layer beside that of chance, where one player decides."""

SIDES: Final = words("""
    w b white black x o red blue yellow green r y p1 p2 player1 player2 human ai computer cpu bot me you
    opponent agent first second north south east west true false 1 2 0 -1
""")
"""Plain names of players, for fields such as `color`, which may be a colour for drawing instead."""

SURE_PLAYERS: Final = words("player playertomove tomove sidetomove currentplayer activeplayer stm")
MAX_PLAYERS: Final = 6

MAX_FIRST: Final = 1
MIN_FIRST: Final = 2
NEGAMAX: Final = 4
READINGS: Final = (MAX_FIRST, MIN_FIRST, NEGAMAX)

FEWEST: Final = 2
"""The fewest parents that must distinguish a reading from its rivals."""

BY_LEVEL: Final = {MAX_FIRST: ("max", "min"), MIN_FIRST: ("min", "max"), NEGAMAX: ("max", "min")}

Array = npt.NDArray[Any]
Key = str | int | float | bool


@dataclass(frozen=True)
class Layers:
    """The rule that gives a node its layer.

    `of` gives it by the value at `path`; `by_level`, where no field states it, by the level, even or odd.
    `negamax`: every score is seen from the player to move. `notes` are sentences about guesses.
    """

    path: str = ""
    of: Mapping[Key, str] = field(default_factory=dict)
    by_level: tuple[str, str] | None = None
    negamax: bool = False
    is_player: bool = False
    notes: tuple[str, ...] = ()


def key_of(value: Any) -> Key:
    """The key for a value of a field of layers or players."""
    if isinstance(value, str):
        told = plain(value)
        if told not in WORDS and len(lines := lines_of(value)) > 1:
            return next((word for line in lines if (word := plain(line)) in WORDS), told) or value
        return told or value
    return value if isinstance(value, int | float) else ""


def layer_words(values: Field) -> dict[Key, str] | None:
    """The layer that each value of a field names, None where it is no field of layers.

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
        elif distinct and all(key_of(value) in ("true", "false") for value in distinct):
            words = {key_of(value): yes if key_of(value) == "true" else no for value in distinct}
    for value in distinct:
        if isinstance(value, str) and (key := key_of(value)) in WORDS:
            words[key] = WORDS[str(key)]
    if "chance" in words.values():
        words |= {
            plain(value): "max" for value in distinct if isinstance(value, str) and plain(value) in DECISIONS
        }
    if not words:
        return None
    n_named = n_either = 0
    for (_, value), n_nodes in values.counts.items():
        word = words.get(key_of(value))
        n_named += n_nodes if word else 0
        n_either += n_nodes if word in ("max", "min") else 0
    return words if n_either and 2 * n_named >= len(values.values) else None


def layer_field(fields: Mapping[str, Field]) -> Field | None:
    """The field that names layers, or else a few players; None where there is none."""
    named = (values for names in (LAYERS, PLAYERS, TEXTS) for values in _named(names, fields))
    return next((values for values in named if layer_words(values)), None)


def player_field(fields: Mapping[str, Field], parents: Sequence[int] | Array) -> Field | None:
    """The field with the player to move, None where there is none; a colour for drawing is no player.

    >>> turns = Field("turn", {0: "w", 1: "b", 2: "b"})
    >>> player_field({"turn": turns}, [-1, 0, 0]).path, player_field({"turn": turns}, [-1, 0, 1])
    ('turn', None)
    """
    for values in _named(PLAYERS, fields):
        scalars = {
            node: value for node, value in values.values.items() if isinstance(value, str | int | float)
        }
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


def _named(names: Sequence[str], fields: Mapping[str, Field]) -> list[Field]:
    """The fields with these names, best name first, but for those deep in objects."""
    found = [each for path, each in fields.items() if last_name(path) in names and path.count(".") <= 1]
    return sorted(found, key=lambda each: names.index(last_name(each.path)))


class ScoredTree(NamedTuple):
    """The scores of all nodes, in pre-order, and the extremes of their children's; arrays of one length.

    `scores` are valid where `known`; `high` and `low`, of the known scores of a node's children, are valid
    where `compared`: there its own score is known too.
    """

    parents: Array
    levels: Array
    scores: Array
    known: Array
    compared: Array
    high: Array
    low: Array


def scored_tree(parents: Array, levels: Array, scores: Array, known: Array) -> ScoredTree:
    """The scores of a tree with the extremes of the children's scores of each node.

    >>> tree = scored_tree(np.array([-1, 0, 0]), np.array([0, 1, 1]), np.array([3.0, 3, 1]), np.ones(3, bool))
    >>> tree.compared.tolist(), float(tree.high[0]), float(tree.low[0])
    ([True, False, False], 3.0, 1.0)
    """
    high, low = np.full(len(parents), -np.inf), np.full(len(parents), np.inf)
    below = np.flatnonzero(known & (parents >= 0))
    above = parents[below]
    np.maximum.at(high, above, scores[below])
    np.minimum.at(low, above, scores[below])
    compared = np.zeros(len(parents), dtype=np.bool_)
    compared[above] = True
    return ScoredTree(parents, levels, scores, known, compared & known, high, low)


def layers_of_players(values: Field, tree: ScoredTree) -> Layers:
    """Layers by the player to move: `max` is the root's player, unless the scores only fit the other way."""
    distinct = list(dict.fromkeys(key_of(value) for value in values.distinct))
    notes: tuple[str, ...] = ()
    if 0 not in values.values:
        below = [values.values[node] for node in values.values if tree.parents[node] == 0]
        if len(distinct) != 2 or not below:
            return Layers()
        first = key_of(below[0])
        of = {key: "min" if key == first else "max" for key in distinct}
        note = f'The root has no "{values.path}": taken as who made the ply, so the other player is to move.'
        return Layers(values.path, of, ("max", "min"), notes=(note,))
    first = key_of(values.values[0])
    of = {first: "max"}
    if len(distinct) == 2:
        other = next(key for key in distinct if key != first)
        of[other] = "min"
        turned = {first: "min", other: "max"}
        fits, fits_turned = _fit(of, values, tree), _fit(turned, values, tree)
        if fits_turned > fits and fits_turned > 0:
            of = turned
            notes = (f'Scores are largest for "{values.path}" = {other!r}: taken as the maximizing player.',)
    return Layers(values.path, of, is_player=True, notes=notes)


def _fit(of: Mapping[Key, str], values: Field, tree: ScoredTree) -> int:
    """The number of nodes that have the score of their best child, by the layers `of`, minus the others."""
    words = {node: of.get(key_of(value)) for node, value in values.values.items()}
    nodes = np.array([node for node, word in words.items() if word in ("max", "min")], dtype=np.int64)
    nodes = nodes[tree.compared[nodes]]
    is_max = np.array([words[node] == "max" for node in nodes.tolist()], dtype=np.bool_)
    best = np.where(is_max, tree.high[nodes], tree.low[nodes])
    return 2 * int(np.count_nonzero(are_close(tree.scores[nodes], best))) - len(nodes)


def are_close(a: Array, b: Array) -> Array:
    """True where scores are the same but for rounding.

    >>> are_close(np.array([0.1 + 0.2, np.inf]), np.array([0.3, np.inf])).tolist()
    [True, True]
    """
    near = np.abs(a - b) <= np.maximum(1e-9 * np.maximum(np.abs(a), np.abs(b)), 1e-12)
    close: Array = (a == b) | (near & np.isfinite(a) & np.isfinite(b))
    return close


class Parents(NamedTuple):
    """By parent, the readings that its score fits, as bits, and those that it distinguishes from rivals."""

    nodes: Array
    is_odd: Array
    """Whether its level is odd."""
    fits: Array
    tells: Array
    """The readings that it fits while their nearest rivals fail; none where all children have one score."""

    def where(self, chosen: Array) -> Parents:
        """The chosen ones."""
        return Parents(*(each[chosen] for each in self))

    def fit(self, reading: int) -> Array:
        """Mask of those that fit a reading."""
        return np.asarray((self.fits & reading) != 0)

    def n_fit(self) -> dict[int, int]:
        """By reading, how many fit it."""
        return {reading: int(np.count_nonzero(self.fit(reading))) for reading in READINGS}


def layers_of_scores(tree: ScoredTree, open_rows: Sequence[int] = (), *, takes_turns: bool = False) -> Layers:
    """Layers guessed from scores of parents and children; none unless most parents fit one reading only.

    Parents at `open_rows` may have lost children and are not counted if they do not fit. In a game whose
    players take turns, half of the parents suffice, so that `check` finds the others.

    >>> above, levels = np.array([-1, 0, 1, 1, 0, 4, 4]), np.array([0, 1, 2, 2, 1, 2, 2])
    >>> scores = np.array([3.0, 3, 3, 5, 1, 1, 9])
    >>> layers_of_scores(scored_tree(above, levels, scores, np.ones(7, bool))).by_level
    ('max', 'min')
    >>> three = scored_tree(above[[0, 1, 4]], levels[[0, 1, 4]], np.array([4.0, 1, 3]), np.ones(3, bool))
    >>> layers_of_scores(three).by_level is None
    True
    """
    told = _parents(tree)
    reading = _reading(told, tree.parents)
    if len(open_rows):
        told = told.where(~np.isin(told.nodes, open_rows))
        reading = reading or _reading(told, tree.parents)
    if reading is None and takes_turns:
        reading = _reading_of_half(told)
    if reading is None:
        return Layers(notes=_misfits_of_all(told))
    misfits = int(np.count_nonzero(~told.fit(reading)))
    n_told = len(told.nodes)
    but = f" {counted(misfits, 'score')} of {n_told:,} above children do not fit; `check` lists them." * (
        misfits > 0
    )
    if reading == NEGAMAX:
        every = "Most scores are the largest of their" if misfits else "Every score is the largest of its"
        note = f"{every} children's, negated: taken as the mover's view (negamax).{but}"
        return Layers(by_level=BY_LEVEL[reading], negamax=True, notes=(note,))
    even, odd = BY_LEVEL[reading]
    end = "." if misfits else ", and nothing else."
    note = f"Layers are a guess: scores fit {even} at the root and {odd} below it, in turn{end}{but}"
    return Layers(by_level=(even, odd), notes=(note,))


def _misfits_of_all(told: Parents) -> tuple[str, ...]:
    """Say that some score is wrong by every reading; nothing where all fit one."""
    max_first, min_first, negated = n_fit = list(told.n_fit().values())
    if not len(told.nodes) or max(n_fit) == len(told.nodes):
        return ()
    return (
        f"No reading of the layers fits the scores: of {len(told.nodes):,} above children {max_first:,} fit "
        f"max first, {min_first:,} min first and {negated:,} negamax. `layer=` names what tells the layers.",
    )


def _parents(tree: ScoredTree) -> Parents:
    """The parents whose score can be compared with those of children."""
    nodes = np.flatnonzero(tree.compared)
    scores, most, least = tree.scores[nodes], tree.high[nodes], tree.low[nodes]
    high, low, negated = are_close(scores, most), are_close(scores, least), are_close(scores, -least)
    odd = tree.levels[nodes] % 2 == 1
    fits = MAX_FIRST * np.where(odd, low, high) | MIN_FIRST * np.where(odd, high, low) | NEGAMAX * negated
    tells = np.where(high != low, fits & (MAX_FIRST | MIN_FIRST), 0)
    return Parents(nodes, odd, fits, tells | NEGAMAX * (negated & ~high & ~low))


def _reading(told: Parents, parents: Array) -> int | None:
    """The reading with a clear majority of these parents, None where there is none."""
    if not len(told.nodes):
        return None
    n_fit = told.n_fit()
    most = max(n_fit.values())
    best = [reading for reading in READINGS if n_fit[reading] == most]
    if len(best) > 1:
        return None
    (reading,) = best
    if np.count_nonzero(told.tells & reading) < FEWEST:
        return None
    return reading if most == len(told.nodes) or _is_majority(told, reading, parents) else None


def _reading_of_half(told: Parents) -> int | None:
    """The reading that at least half the parents fit, and more than any other; None where there is none."""
    (second, _), (most, reading) = sorted((n, reading) for reading, n in told.n_fit().items())[-2:]
    return reading if most > second and 2 * most >= len(told.nodes) else None


def _is_majority(told: Parents, reading: int, parents: Array) -> bool:
    """Whether the parents that do not fit are few, and scattered as wrong scores are.

    A parent that fits a rival counts against the reading; one that fits none counts for no other. If all
    levels of one parity fit nothing, their scores are averages. If parents that fit a rival are below one
    another, or one in negamax has the score of a child without negation, a player moved twice in a row.
    """
    is_fit = told.fit(reading)
    rivals = told.nodes[(told.fits > 0) & ~is_fit]
    if len(rivals) and reading == NEGAMAX:
        return False
    if 2 * len(rivals) >= np.count_nonzero(told.tells & reading) or np.isin(parents[rivals], rivals).any():
        return False
    for here in (~told.is_odd, told.is_odd):
        n_misfits = int(np.count_nonzero(here & ~is_fit))
        if n_misfits > max(1, int(np.count_nonzero(here)) - n_misfits):
            return False
    return 2 * int(np.count_nonzero(~is_fit)) <= len(is_fit)
