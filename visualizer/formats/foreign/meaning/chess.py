"""Recognition of chess: by a word in the document, by a FEN, or by plies that are legal from the usual start.

Texts of the sample are first compared with the spellings of FENs and plies. The game's module is loaded only
where one fits; it then reads the position and the plies of the root.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

import numpy.typing as npt

from plyscope.engine.game import Game, GameError, State
from plyscope.engine.games import find
from plyscope.visualizer.formats.foreign.meaning.fields import Field, by_parent, last_name, plain

Array = npt.NDArray[Any]

CHESS: Final = "chess"
NAMES_OF_GAMES: Final = ("game", "variant", "rules", "gamename")
FEN: Final = re.compile(
    r"(?:[1-8pnbrqk]{1,8}/){7}[1-8pnbrqk]{1,8} [wb] (?:-|[KQkq]{1,4}) (?:-|[a-h][36])(?: \d{1,4}){0,2}", re.I
)
TELLING: Final = re.compile(
    r"(?:[a-h][1-8][-x]?[a-h][1-8]=?[qrbnQRBN]?|[KQRBN][a-h]?[1-8]?[-x]?[a-h][1-8]|[O0]-[O0](?:-[O0])?)[+#!?]*"
)
"""Plies with both squares, or with the letter of a piece."""
OF_A_PAWN: Final = re.compile(r"(?:[a-h]x)?[a-h][1-8](?:=?[QRBN])?[+#!?]*")
"""Plies of pawns, whose spelling other games share."""
FEWEST: Final = 20
"""The fewest distinct plies by which chess is recognised."""
MOST: Final = 0.9
HALF: Final = 0.5
"""The share of plies at a stated position that must be legal; `replay` finds the others as faults."""
LEAST_TELLING: Final = 0.1
LOOKED_AT: Final = 50
"""The values of a field that are tested for FENs, and the plies played whose positions are compared."""
MOST_STARTS: Final = 12
"""The nodes by which a position of the root is looked for."""
AFTER, BEFORE, OF_ROOT = "after", "before", "root"


class Seen(NamedTuple):
    """The evidence: fields around a tree, its own fields, that of positions, and plies by sampled node."""

    around: Mapping[str, Any]
    fields: Mapping[str, Field]
    positions: Field | None
    plies: Mapping[int, str]
    parents: Array
    levels: Array


class Chess(NamedTuple):
    """The reason to take a tree for chess, and the position of its roots where no field states it."""

    why: str
    position: str | None = None


def fen_field(fields: Mapping[str, Field], parents: Array) -> str | None:
    """The field with FENs; of several, one with the positions after the plies of its nodes."""
    found = [path for path, each in fields.items() if has_fens(each)]
    order = (AFTER, BEFORE, OF_ROOT)
    return min(found, key=lambda path: order.index(when_of(fields[path], parents)), default=None)


def has_fens(values: Field) -> bool:
    """Return whether nearly all of the first values of a field are FENs."""
    first = list(islice(values.values.values(), LOOKED_AT))
    return bool(first) and sum(map(is_fen, first)) >= MOST * len(first)


def is_fen(value: object) -> bool:
    """Return whether a value is spelled as a FEN of four to six fields.

    >>> is_fen("8/8/8/8/8/8/8/K1k5 w - -"), is_fen("8/8/8/8/8/8/8/K1k5")
    (True, False)
    """
    return isinstance(value, str) and len(value) < 100 and FEN.fullmatch(value.strip()) is not None


def when_of(values: Field, parents: Array) -> str:
    """The moment of a field's positions: after the node's ply, before it, or the root's at all nodes."""
    if len(values.values) > 1 and len(set(values.texts.values())) == 1:
        return OF_ROOT
    several = [group for group in by_parent(values.texts, parents).values() if len(group) > 1]
    return BEFORE if several and all(len(set(group)) == 1 for group in several) else AFTER


def chess_of(seen: Seen, *, is_told: bool) -> Chess | None:
    """Return the reason to take a tree for chess; None where it is not, or where none of it can be played.

    Where a person or the document names chess, `is_told`, only the position of the roots is looked for.
    """
    said = next(_said(seen), None)
    is_told = is_told or said is not None
    first = list(dict.fromkeys(text for node, text in seen.plies.items() if seen.levels[node] == 1))
    for text, where, is_stated in _fens(seen):
        if (state := _read(text)) is not None and _n_played(state, first) >= HALF * len(first):
            return Chess(said or f"{where} has a FEN", text if is_stated else None)
    if seen.positions is not None and seen.positions.texts:
        why, found = "some nodes state their positions as FENs", _start_by_positions(seen, seen.positions)
    elif is_told or _are_telling(set(seen.plies.values())):
        why, found = "its plies are those of chess", _start_by_plies(seen, first)
    else:
        return None
    return Chess(said or why, found) if found is not None or is_told else None


def _start_by_positions(seen: Seen, positions: Field) -> str | None:
    """The position from which the plies lead to the positions that nodes state."""
    found, most = None, 0.0
    for text in chain(["startpos"], _roots_above(seen, positions)):
        if (share := _share_led(text, seen, positions)) > most:
            found, most = text, share
        if most == 1:
            break
    return found if most >= MOST else None


def _start_by_plies(seen: Seen, first: Sequence[str]) -> str | None:
    """The position in which the plies of the root are legal."""
    for text in _starts(seen) if first else ():
        if (state := _read(text)) is not None and _n_played(state, first) >= MOST * len(first):
            return text
    return None


def _said(seen: Seen) -> Iterator[str]:
    """Sentences on the places where the document names the game."""
    named = dict(seen.around)
    for each in seen.around.values():
        named |= each if isinstance(each, dict) else {}
    for path, each in seen.fields.items():
        if (text := next((text for text in each.values.values() if isinstance(text, str)), None)) is not None:
            named[path] = text
    for path, value in named.items():
        if last_name(path) in NAMES_OF_GAMES and isinstance(value, str) and plain(value) == CHESS:
            yield f'"{path}" says so'


def _fens(seen: Seen) -> Iterator[tuple[str, str, bool]]:
    """FENs that may be the position of the roots, with their place and whether it is around the tree."""
    if (field := seen.positions) is not None:
        when = when_of(field, seen.parents)
        for node, text in field.texts.items():
            if when == OF_ROOT or seen.levels[node] == (1 if when == BEFORE else 0):
                yield text, f'"{field.path}"', False
                break
    for key, value in seen.around.items():
        for text in value.values() if isinstance(value, dict) else (value,):
            if is_fen(text) or (isinstance(text, str) and text.startswith("startpos")):
                yield text, f'"{key}"', True


def _starts(seen: Seen) -> Iterator[str]:
    """Positions that roots without one may have: the usual start, or one after some plies."""
    yield "startpos"
    if (own := seen.plies.get(0)) is not None:
        yield f"startpos moves {own}"
    for value in seen.around.values():
        plies = value.split() if isinstance(value, str) else value
        if isinstance(plies, list) and plies and all(isinstance(ply, str) and _is_ply(ply) for ply in plies):
            yield f"startpos moves {' '.join(plies)}"


def _is_ply(text: str) -> bool:
    return TELLING.fullmatch(text) is not None or OF_A_PAWN.fullmatch(text) is not None


def _are_telling(plies: set[str]) -> bool:
    """Return whether there are enough plies in the spelling of chess, and not only in one that games share.

    >>> squares = {f"{file}{rank}" for file in "abcdefgh" for rank in "12345678"}
    >>> _are_telling(squares), _are_telling({f"{square}a1" for square in squares})
    (False, True)
    """
    n_telling = sum(TELLING.fullmatch(ply) is not None for ply in plies)
    enough = len(plies) >= FEWEST and n_telling >= LEAST_TELLING * len(plies)
    return enough and sum(map(_is_ply, plies)) >= MOST * len(plies)


def _game() -> Game:
    return find(CHESS)


def _read(text: str) -> State | None:
    """The position that a text spells, None where no game can have it."""
    try:
        return _game().read_position(text)
    except GameError:
        return None


def _played(state: State, ply: str) -> State | None:
    """The position after a ply, None where the ply is illegal."""
    after = state.copy()
    try:
        _game().apply(after, _game().read_ply(state, ply))
    except GameError:
        return None
    return after


def _n_played(state: State, plies: Iterable[str]) -> int:
    return sum(_played(state, ply) is not None for ply in plies)


def _share_led(start: str, seen: Seen, positions: Field) -> float:
    """The share of stated positions that the plies from a start lead to; 0 where none is stated."""
    states = {0: _read(start)}
    n_same = n_compared = 0
    for node in sorted(seen.plies, key=seen.levels.__getitem__)[:LOOKED_AT]:
        before = states.get(int(seen.parents[node]))
        states[node] = after = None if before is None else _played(before, seen.plies[node])
        if node in positions.texts and before is not None:
            stated = _read(positions.texts[node])
            n_compared += stated is not None
            n_same += stated is not None and after is not None and _seen_in(after) == _seen_in(stated)
    return n_same / max(n_compared, 1)


def _seen_in(state: State) -> tuple[Any, ...]:
    """The player to move and the pieces of a position."""
    return _game().player(state), *(cell.pieces for cell in _game().board(state).cells)


def _roots_above(seen: Seen, positions: Field) -> Iterator[str]:
    """Positions from which a quiet ply of the root may have led to the FEN of its node."""
    first = (node for node, fen in positions.texts.items() if seen.levels[node] == 1 and is_fen(fen))
    fens = {node: positions.texts[node] for node in islice(first, LOOKED_AT)}
    rights = {letter for fen in fens.values() for letter in fen.split()[2]} - {"-"}
    for node, fen in islice(fens.items(), MOST_STARTS):
        ends = re.match("([a-h][1-8])-?([a-h][1-8])", seen.plies.get(node, ""))
        if ends is None:
            continue
        board, side = fen.split()[:2]
        rows = re.sub("[1-8]", lambda found: " " * int(found[0]), board).split("/")
        cells = {f"{'abcdefgh'[x]}{8 - y}": sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
        if len(cells) < 64 or cells[ends[1]] != " ":
            continue
        cells[ends[1]], cells[ends[2]] = cells[ends[2]], " "
        signs = list(cells.values())
        lines = ("".join(signs[at : at + 8]) for at in range(0, 64, 8))
        before = "/".join(re.sub(" +", lambda found: str(len(found[0])), line) for line in lines)
        for castling in ("".join(letter for letter in "KQkq" if letter in rights) or "-", "-"):
            yield f"{before} {'bw'[side == 'b']} {castling} - 0 1"
