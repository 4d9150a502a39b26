"""The two trees of a comparison: seen by one player, their plies under common numbers.

Knows nothing of the comparison itself. Texts are numbered once a log, so comparing rows compares whole
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.header import declared_root_player
from plyscope.visualizer.formats.seal.perspective import find_root_player, turn_scores, turn_statics
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.positions import respelled, respells, shown_ply
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Plies = npt.NDArray[np.int32]

NOTHING_SHARED: Final = (
    "The two logs have nothing in common: no ply of the old root is one of the new root. "
    "Are they of one position?"
)
MOST_RESPELLED: Final = 20_000
"""The most rows whose plies are played to compare two notations, a third of a millisecond each."""
TURNED: Final = (
    "The old log's numbers are seen by the other player; here they are turned to the new log's view."
)


@dataclass(frozen=True)
class Side:
    """One of the two trees: the rows `[root, end)` of a log; with `is_whole` all trees from the first on."""

    tree: Tree
    name: str
    root: int
    is_whole: bool = False
    given: Tree | None = None
    """The tree as its log has it, where `tree` is turned, or its plies are written otherwise."""

    @property
    def log(self) -> Log:
        """The log, its numbers as the root player of the new log sees them."""
        return self.tree.log

    @property
    def end(self) -> int:
        """The row behind the last of the tree."""
        return self.log.n_rows if self.is_whole else int(self.log.columns["end"][self.root])

    def node(self, row: int | None) -> Node | None:
        """The node at a row, as its own log has it; None for no row."""
        return None if row is None or row < 0 else Node(self.given or self.tree, row)

    def column(self, name: str) -> Array | None:
        """A column of the rows of this tree; None where no row of the log states it."""
        column = self.log.column(name)
        return None if column is None else column[self.root : self.end]


@dataclass(frozen=True)
class Sides:
    """Both trees, and the notices about comparing them."""

    old: Side
    new: Side
    notes: tuple[str, ...] = ()


def sides_of(old: Side, new: Side) -> Sides:
    """The sides as one player sees them.

    Raises LogError where the logs are of different games or positions, or seen by players that cannot be
    turned into one another.
    """
    if respells(old.log) != respells(new.log):
        old, new = (_in_one_notation(side) for side in (old, new))
    notes = [note for name in ("game", "position") if (note := _same_stated(old, new, name))]
    if {_word(old.log, "order"), _word(new.log, "order")} == {"best_first", "depth_first"}:
        raise LogError(
            "one log is a depth-first search, the other a best-first one: their scores differ in kind"
        )
    _same_mover(old, new)
    if _are_opposed(old, new):
        if _word(new.log, "order") == "best_first":
            raise LogError("the logs are seen by different root players; write both from one `root_player`")
        old = replace(old, tree=_turned(old.tree), given=old.given or old.tree)
        notes.append(TURNED)
    if not _share_a_ply(old, new):
        notes.append(NOTHING_SHARED)
    return Sides(old, new, tuple(notes))


def _in_one_notation(side: Side) -> Side:
    """The side with its plies as shown, if the log writes them otherwise; a long log is unchanged."""
    log = side.log
    if not respells(log) or log.n_rows > MOST_RESPELLED:
        return side
    texts, plies = list(log.texts), log.columns["ply"].copy()
    code_of = {text: code for code, text in enumerate(texts)}
    for row in np.flatnonzero(plies >= 0).tolist():
        code = code_of.setdefault(shown_ply(log, row) or "", len(texts))
        texts += [shown_ply(log, row) or ""] if code == len(texts) else []
        plies[row] = code
    header = dict(log.header)
    if (ply := log.chosen_ply) is not None:
        left = {
            name: value for name, value in log.result.items() if name != "pv"
        }  # the tree shows these as well
        header["result"] = {**left, "ply": respelled(log, side.root, ply)}
    own = replace(log, header=header, columns={**log.columns, "ply": plies}, texts=texts, lines=None)
    return replace(side, tree=Tree(own), given=side.tree)


def _same_stated(old: Side, new: Side, name: str) -> str:
    """A note where one log does not state its game or position; LogError where they differ."""
    mine, theirs = _stated(old, name), _stated(new, name)
    if mine is not None and theirs is not None and mine != theirs:
        shown = " and ".join(quoted(str(each), most=80) for each in (mine, theirs))
        raise LogError(f"the logs are of different {name}s, {shown}")
    if (mine is None) != (theirs is None):
        which = "old" if mine is None else "new"
        return f"The {which} log does not state its {name}; it is taken to be that of the other."
    return ""


def _stated(side: Side, name: str) -> Any:
    """The game or position of the root, as its row or the header states it."""
    column = side.log.columns.get(name)
    text = None if column is None else side.log.text(int(column[side.root]))
    return side.log.header.get(name) if text is None else text


def _same_mover(old: Side, new: Side) -> None:
    movers = [_mover(side) for side in (old, new)]
    if None not in movers and movers[0] != movers[1]:
        raise LogError(f"{movers[0]} moves at the old root, {movers[1]} at the new one: two positions")


def _mover(side: Side) -> str | None:
    column = side.log.columns.get("player")
    player = -1 if column is None else int(column[side.root])
    return side.log.players[player] if 0 <= player < len(side.log.players) else None


def _are_opposed(old: Side, new: Side) -> bool:
    """Whether the two logs' numbers are seen by opponents; LogError where they are seen by two of more."""
    viewers = [_viewer(side.log) for side in (old, new)]
    if None not in viewers:
        if viewers[0] != viewers[1] and max(len(old.log.players), len(new.log.players)) > 2:
            raise LogError(
                f"the numbers are seen by {viewers[0]} in the old log, by {viewers[1]} in the new one"
            )
        return viewers[0] != viewers[1]
    layers = {int(side.log.columns["layer"][side.root]) for side in (old, new)}
    return layers == {words.MAX, words.MIN}


def _viewer(log: Log) -> str | None:
    declared = declared_root_player(log.search, log.players)
    player = find_root_player(dict(log.columns), declared)
    return None if player is None or player >= len(log.players) else log.players[player]


def _word(log: Log, name: str) -> str:
    value = log.search.get(name)
    return value if isinstance(value, str) else "depth_first"


def _turned(tree: Tree) -> Tree:
    """The same log as the opponent of its root player sees it."""
    log = tree.log
    columns = {name: column.copy() for name, column in log.columns.items()}
    signs = np.full(log.n_rows, -1, np.int8)
    turn_scores(columns, signs)
    turn_statics(columns, signs)
    layer = log.columns["layer"]
    columns["layer"][layer == words.MAX] = words.MIN
    columns["layer"][layer == words.MIN] = words.MAX
    return Tree(replace(log, columns=columns))


def _share_a_ply(old: Side, new: Side) -> bool:
    """Whether some ply of one root is one of the other; true where a root has none that is named."""
    plies = [_root_plies(side) for side in (old, new)]
    return not plies[0] or not plies[1] or bool(plies[0] & plies[1])


def _root_plies(side: Side) -> set[str]:
    rows = side.tree.children(side.root)
    named = {side.tree.ply(row) for row in rows.tolist()}
    lists = side.log.stub_plies
    if lists is not None:
        for row in rows[side.tree.is_stub[rows]].tolist():
            named |= {side.log.text(text) for text in lists.of(row)[0].tolist()}
    return {ply for ply in named if ply is not None}


@dataclass(frozen=True)
class Numbering:
    """One number for each ply of both trees, 0 for none: `old[text]`, `new[text]`; the last serves -1."""

    n_plies: int
    old: Plies
    new: Plies


def numbered(sides: Sides) -> Numbering:
    """Number the plies of both trees, and those that stubs list, alike where their texts are equal."""
    number_of: dict[str, int] = {}
    maps = []
    for side in (sides.old, sides.new):
        log = side.log
        is_used = np.zeros(len(log.texts) + 1, np.bool_)
        is_used[log.columns["ply"][side.root : side.end]] = True
        if log.stub_plies is not None:
            is_used[log.stub_plies.texts] = True
        is_used[-1] = False
        numbers = np.zeros(len(is_used), np.int32)
        for text in np.flatnonzero(is_used).tolist():
            numbers[text] = number_of.setdefault(log.texts[text], len(number_of) + 1)
        maps.append(numbers)
    return Numbering(len(number_of), maps[0], maps[1])
