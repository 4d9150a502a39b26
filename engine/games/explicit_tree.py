"""A tree written down as JSON and searched as if it were a game: textbook figures, counter-examples, tests.

The position is the tree:

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
    {"player": "min", "children": {"left": 3, "right": {"ending": "loss", "key": "A"}}}

A number is a leaf with that value, seen from `max`. A list is a node with children, where the player to move
is the other one than above (`max` at the root). An object says more: `player` (who moves here: passes and
double moves are possible), `children` (a list, or an object that names the plies), `value` (a leaf's value, a
node's evaluation), `ending` (`win`, `loss` or `draw` for `max`: a finished game), `key` (nodes of one key are
one position). Plies without a name are called a, b, c …

Three words are there for the techniques of a search: `"noisy": true` says that the ply to this node is one
that quiescence follows, `"in_check": true` that the side to move here may not stand pat nor pass, and
`"pass": tree` what the position becomes when that side hands the move over, which a null move tries:

    {"value": 2, "pass": [5, 1], "children": [{"noisy": true, "value": 3}, 4]}

A state holds the whole tree: the node where we are, then `FIELDS` numbers a node, then the names, letter by
letter. It is copied with every ply, so trees are small.

"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SCORED, SECOND_WON, Board, GameError, State
from plyscope.engine.jit import kernel
from plyscope.engine.kernel_game import KernelGame
from plyscope.engine.quoting import quoted

MOST_NODES: Final = 1_000
MOST_CHILDREN: Final = 64

# Indices of a node's numbers.
FIRST_CHILD: Final = 0
N_CHILDREN: Final = 1
PLAYER: Final = 2
STATUS: Final = 3
VALUE: Final = 4
KEY: Final = 5
NAME: Final = 6
NAME_END: Final = 7
NOISY: Final = 8
IN_CHECK: Final = 9
PASS: Final = 10
"""The number of the node after a pass; 0, which is the root's, if there is none."""
FIELDS: Final = 11

_ENDINGS: Final = {"win": FIRST_WON, "loss": SECOND_WON, "draw": DRAWN}
_PLAYERS: Final = ("max", "min")
_ROOT: Final = "the root"
_KNOWN: Final = ("player", "children", "value", "ending", "key", "noisy", "in_check", "pass")


@kernel
def field(state: State, name: int) -> float:
    """Return a number of the current node."""
    value: float = state[1 + FIELDS * int(state[0]) + name]
    return value


@kernel
def generate(state: State, plies: npt.NDArray[np.int32]) -> int:
    """The children's numbers."""
    first = int(field(state, FIRST_CHILD))
    n = int(field(state, N_CHILDREN))
    for i in range(n):
        plies[i] = first + i
    return n


@kernel
def apply(state: State, ply: int) -> None:
    """Go to a child."""
    state[0] = ply


@kernel
def player(state: State) -> int:
    """0 where max moves."""
    return int(field(state, PLAYER))


@kernel
def status(state: State) -> int:
    """Return SCORED at a leaf, which is worth its value."""
    return int(field(state, STATUS))


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Write the node's only factor, value."""
    out[0] = field(state, VALUE)


@kernel
def key(state: State) -> int:
    """The number of the node's key."""
    return int(field(state, KEY))


@kernel
def noisy(state: State, plies: npt.NDArray[np.int32]) -> int:
    """Write the children that are marked as noisy."""
    first = int(field(state, FIRST_CHILD))
    n = 0
    for child in range(first, first + int(field(state, N_CHILDREN))):
        if state[1 + FIELDS * child + NOISY] != 0:
            plies[n] = child
            n += 1
    return n


@kernel
def in_check(state: State) -> bool:
    """Return the mark of the node."""
    return bool(field(state, IN_CHECK) != 0)


@kernel
def pass_turn(state: State) -> int:
    """Go to the tree after a pass, if there is one."""
    after = int(field(state, PASS))
    if after == 0:
        return 0
    state[0] = after
    return 1


def _whole(digits: str) -> float:
    """Return a whole number as written; one too large for a float is infinite."""
    return int(digits) if len(digits) < 300 else float(digits)


class ExplicitTree(
    KernelGame, kernels=(generate, apply, player, status, values, key, noisy, in_check, pass_turn)
):
    """The game as searches and boards take it.

    >>> state = GAME.read_position("[[3, 12], 4]")
    >>> GAME.apply(state, GAME.read_ply(state, "a"))
    >>> GAME.write_position(state)
    '{"player": "min", "children": [3, 12]}'
    """

    name = "explicit_tree"
    players = _PLAYERS
    factors: Mapping[str, float] = {"value": 1.0}
    meanings: Mapping[str, str] = {"value": "The number written at the node, where high is good for max."}
    max_plies = MOST_CHILDREN
    state_size = 1 + 13 * FIELDS + 12
    """The size of the start; a state is as long as its tree needs."""
    state_dtype = np.float64
    start = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
    mate_score = 1e9
    finished_counts_in_perft = True
    positions_repeat = False
    keys_need_position = True

    def read_position(self, text: str) -> State:
        """The state of a tree, at its root; raises GameError that names the node."""
        try:
            tree = json.loads(text, parse_int=_whole)
        except json.JSONDecodeError as error:
            raise GameError(
                f"the tree is no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
            ) from None
        except RecursionError:
            raise GameError(f"the tree is too deep; at most {MOST_NODES} nodes can be") from None
        nodes = [_Node(tree, "", _ROOT, 0)]
        for node in nodes:  # grows while it is walked: breadth first, so that siblings lie side by side
            node.first_child = len(nodes)
            nodes += node.children()
            if node.passed is not None:
                node.after_pass = len(nodes)
                nodes.append(_Node(node.passed, "", f"{node.path} > the pass", 1 - node.player))
            if len(nodes) > MOST_NODES:
                raise GameError(f"the tree has more than {MOST_NODES} nodes")
        keys = {
            text: len(nodes) + i
            for i, text in enumerate(dict.fromkeys(node.key for node in nodes if node.key))
        }
        table = np.zeros((len(nodes), FIELDS))
        names = "".join(node.name for node in nodes)
        name_at = 1 + table.size
        for i, node in enumerate(nodes):
            number = keys[node.key] if node.key else i
            end = name_at + len(node.name)
            table[i, :VALUE] = node.first_child, len(node.below), node.player, node.status
            table[i, VALUE:NOISY] = node.value, number, name_at, end
            table[i, NOISY:] = node.is_noisy, node.is_in_check, node.after_pass
            name_at = end
        return np.concatenate([[0.0], table.ravel(), [float(ord(letter)) for letter in names]])

    def write_position(self, state: State) -> str:
        """Return the tree below the current node."""
        here = int(state[0])
        n_nodes = (int(self._node(state, 0)[NAME]) - 1) // FIELDS
        written: list[Any] = [None] * n_nodes
        expected = np.zeros(n_nodes)  # the player a node has where it does not say
        for number in range(n_nodes):
            node = self._node(state, number)
            first, n = int(node[FIRST_CHILD]), int(node[N_CHILDREN])
            expected[first : first + n] = 1 - node[PLAYER]
            expected[int(node[PASS])] = 1 - node[PLAYER]
        expected[here] = 0
        for number in reversed(range(n_nodes)):
            node = self._node(state, number)
            says: dict[str, Any] = {}
            if node[PLAYER] != expected[number]:
                says["player"] = _PLAYERS[int(node[PLAYER])]
            if node[STATUS] in _ENDINGS.values():
                says["ending"] = next(word for word, code in _ENDINGS.items() if code == node[STATUS])
            if node[VALUE] != 0 or node[STATUS] == SCORED:
                says["value"] = int(node[VALUE]) if node[VALUE] == int(node[VALUE]) else float(node[VALUE])
            if node[KEY] != number:
                says["key"] = str(int(node[KEY]))
            for word, place in (("noisy", NOISY), ("in_check", IN_CHECK)):
                if node[place]:
                    says[word] = True
            if node[PASS]:
                says["pass"] = written[int(node[PASS])]
            if node[N_CHILDREN]:
                says["children"] = self._written_children(state, node, written)
            is_short = list(says) in (["value"], ["children"]) and not isinstance(says.get("children"), dict)
            written[number] = next(iter(says.values())) if is_short else says
        return json.dumps(written[here], ensure_ascii=False)

    def _written_children(self, state: State, node: State, written: list[Any]) -> list[Any] | dict[str, Any]:
        first, n = int(node[FIRST_CHILD]), int(node[N_CHILDREN])
        names = [self.write_ply(state, child) for child in range(first, first + n)]
        if names == [default_name(place) for place in range(n)]:
            return written[first : first + n]
        return dict(zip(names, written[first : first + n], strict=True))

    def read_ply(self, state: State, text: str) -> int:
        """A child by its name."""
        plies = np.zeros(self.max_plies, np.int32)
        legal = {self.write_ply(state, ply): int(ply) for ply in plies[: generate(state, plies)]}
        if text.strip() not in legal:
            expected = f"expected one of {', '.join(legal)}" if legal else "this is a leaf"
            raise GameError(f"{quoted(text)} is no ply here: {expected}")
        return legal[text.strip()]

    def write_ply(self, state: State, ply: int) -> str:
        """The child's name."""
        node = self._node(state, int(ply))
        return "".join(chr(int(letter)) for letter in state[int(node[NAME]) : int(node[NAME_END])])

    def board(self, state: State) -> Board:
        """The tree from here on, as text."""
        return Board("text", (), self.write_position(state))

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """None: there is no board."""
        return ()

    def _node(self, state: State, number: int) -> State:
        return state[1 + FIELDS * number : 1 + FIELDS * (number + 1)]


class _Node:
    """A node while the JSON is read, with its checked fields."""

    def __init__(self, tree: Any, name: str, path: str, player: int) -> None:
        self.name, self.path = name, path
        self.first_child = 0
        self.after_pass = 0
        whole = tree if isinstance(tree, dict) else {"children" if isinstance(tree, list) else "value": tree}
        unknown = [word for word in whole if word not in _KNOWN]
        if unknown:
            raise self._error(f"{unknown[0]!r} is unknown; expected {', '.join(_KNOWN)}")
        mover = whole.get("player", _PLAYERS[player])
        if mover not in _PLAYERS:
            raise self._error(f"player {mover!r}, expected max or min")
        self.player = _PLAYERS.index(mover)
        self.key = self._key(whole.get("key", ""))
        self.value = self._value(whole.get("value", 0))
        self.below = self._below(whole.get("children", []))
        self.status = self._status(whole)
        self.is_noisy, self.is_in_check = self._flag(whole, "noisy"), self._flag(whole, "in_check")
        self.passed = whole.get("pass")
        if self.passed is not None and not self.below:
            raise self._error("a pass, but no children: the game is over here")

    def children(self) -> list[_Node]:
        """Return the nodes below; the other player moves there unless they state one."""
        return [
            _Node(child, name, name if self.path == _ROOT else f"{self.path} > {name}", 1 - self.player)
            for name, child in self.below.items()
        ]

    def _error(self, message: str) -> GameError:
        return GameError(f"{self.path}: {message}")

    def _flag(self, whole: dict[str, Any], word: str) -> bool:
        found = whole.get(word, False)
        if not isinstance(found, bool):
            raise self._error(f"{word} {found!r}, expected true or false")
        return found

    def _key(self, found: Any) -> str:
        if not isinstance(found, str):
            raise self._error(f"key {found!r}, expected a text")
        return found

    def _value(self, found: Any) -> float:
        if isinstance(found, bool) or not isinstance(found, int | float) or not np.isfinite(float(found)):
            raise self._error(f"value {found!r}, expected a number")
        return float(found)

    def _below(self, found: Any) -> dict[str, Any]:
        if not isinstance(found, list | dict):
            raise self._error(f"children {found!r}, expected a list, or an object by the names of the plies")
        if len(found) > MOST_CHILDREN:
            raise self._error(f"{len(found)} children, at most {MOST_CHILDREN} can be")
        named = (
            found if isinstance(found, dict) else {default_name(i): child for i, child in enumerate(found)}
        )
        if "" in named:
            raise self._error("a ply without a name")
        return named

    def _status(self, whole: dict[str, Any]) -> int:
        ending = whole.get("ending")
        if ending is None:
            if not self.below and "value" not in whole:
                raise self._error("neither children, value nor ending")
            return ONGOING if self.below else SCORED
        if self.below or ending not in _ENDINGS:
            raise self._error(f"ending {ending!r}, expected win, loss or draw, and no children")
        return _ENDINGS[ending]


def default_name(place: int) -> str:
    """Return the name of a ply without one, by its place among its siblings.

    >>> default_name(0), default_name(25), default_name(26)
    ('a', 'z', 'a2')
    """
    return "abcdefghijklmnopqrstuvwxyz"[place % 26] + (str(place // 26 + 1) if place >= 26 else "")


GAME: Final = ExplicitTree()
