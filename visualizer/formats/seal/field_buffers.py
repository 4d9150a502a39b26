"""The fields of records, gathered in pieces by record until the node of each record is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.ragged import Ragged
from plyscope.visualizer.formats.seal.values import MOST_PLAYERS, Bad, one_of
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.store.columns import COLUMNS
from plyscope.visualizer.store.fields import FIELDS

Array = npt.NDArray[Any]
Nodes = Array | slice

HEX_DIGITS: Final = frozenset("0123456789abcdef")
LENGTH_OF_KEY: Final = 16


class Terms(NamedTuple):
    """The numbers in objects such as `{"mobility": 15}`, object by object; arrays of one length.

    objects    the number of the object
    codes      the number of the name
    numbers    as floats
    """

    objects: Array
    codes: Array
    numbers: Array


class FieldBuffers:
    """The fields gathered so far."""

    def __init__(self, texts: Texts | None = None, extras: Extras | None = None) -> None:
        self.extras = Extras() if extras is None else extras
        """The fields that the format does not know."""
        self.texts = Texts() if texts is None else texts
        """The texts whose numbers columns hold."""
        self.pieces: dict[str, list[tuple[Nodes, Array]]] = {}
        """By column the nodes that state it, and its values."""
        self.players: dict[str | int, int] = {}
        self.keys: list[tuple[Array, str, Any]] = []
        """Nodes, form, and values in that form: an array, or texts."""
        self.ids: list[tuple[Nodes, list[Any] | Array]] = []
        """Nodes and their ids: whole numbers as an array, or any as they were written."""
        self.sources: list[tuple[Array, list[Any]]] = []
        """What `tt.from` says, as written."""
        self.iterations: dict[int, Any] = {}
        self.unnumbered: set[int] = set()
        """Nodes whose iteration is null: known to be unknown, as those of roots in a cut file may be."""
        self.factors: list[tuple[Nodes, Array]] = []
        self.scores: list[tuple[Nodes, Array]] = []
        self.contributions: list[Contributions] = []
        self.contribution_names: dict[str, int] = {}
        self.plies = Ragged(np.int32)
        self.pre_scores = Ragged(np.float64)
        self.rounded: dict[str, tuple[int, int]] = {}
        """By field how many whole numbers were rounded, since a double does not hold them, and the first."""

    def note_rounded(self, name: str, values: Iterable[int]) -> None:
        """Remember the whole numbers of a field that a double does not hold."""
        odd = [value for value in values if int(float(value)) != value]
        if odd:
            n_before, first = self.rounded.get(name, (0, odd[0]))
            self.rounded[name] = n_before + len(odd), first

    def put_repeated(self, name: str, values: list[Any], codes: Array, nodes: Array) -> None:
        """Take a field of texts, words or players: the distinct value `values[codes[i]]` on node `nodes[i]`.

        They are numbered in the order of these nodes.

        Raises `Bad`.
        """
        is_told = np.array([value is not None for value in values], np.bool_)
        if not is_told.all():
            is_kept = is_told[codes]
            codes, nodes = codes[is_kept], nodes[is_kept]
        if not len(codes):
            return
        used = codes_as_met(codes, len(values))
        values = [values[code] for code in used.tolist()]
        vocabulary = FIELDS[name].vocabulary
        if vocabulary is None:
            column = self._player_codes(values) if name == "player" else self.texts.of_values(values)
        elif vocabulary.codes.keys() >= set(values):
            column = np.array([vocabulary.codes[word] for word in values], np.uint8)
        else:
            raise Bad(one_of(vocabulary))
        of_codes = np.zeros(len(is_told), column.dtype)
        of_codes[used] = column
        self._put_column(FIELDS[name].column, nodes, of_codes[codes])

    def put_numbers(self, name: str, numbers: Array, nodes: Array) -> None:
        """Take the numbers of the field `name` on `nodes`."""
        if name == "iteration":
            self.iterations.update(zip(nodes.tolist(), numbers.tolist(), strict=True))
        else:
            self._put_column(FIELDS[name].column, nodes, numbers)

    def put_factors(self, matrix: Array, nodes: Array) -> None:
        """Take the factors of `nodes`, a row each."""
        self.factors.append((as_slice(nodes), matrix))

    def put_contributions(self, nodes: Array, terms: Terms, labels: Sequence[str]) -> None:
        """Take the contributions of `nodes`: the objects of `terms`, with the names `labels` by number."""
        for code in codes_as_met(terms.codes, len(labels)).tolist():
            self.contribution_names.setdefault(labels[code], len(self.contribution_names))
        numbers = [self.contribution_names.get(label, 0) for label in labels]
        code_of = np.array(numbers, np.min_scalar_type(len(self.contribution_names)))
        widths = np.bincount(terms.objects, minlength=len(nodes))
        self.add_contributions(nodes, widths, code_of[terms.codes], terms.numbers)

    def number_by_node(self) -> None:
        """Number players and contributions in the order of the nodes that first name them.

        Only needed where records do not come in the order of nodes.
        """
        if pieces := self.pieces.get("player"):
            order = _first_met(pieces)
            players = list(self.players)
            self.players = {players[code]: at for at, code in enumerate(order)}
            table = np.argsort(order)
            self.pieces["player"] = [(places, table[column]) for places, column in pieces]
        order = _first_met([piece.stated() for piece in self.contributions])
        names = list(self.contribution_names)
        self.contribution_names = {names[code]: at for at, code in enumerate(order)}
        table = np.argsort(order)
        self.contributions = [piece._replace(codes=table[piece.codes]) for piece in self.contributions]

    def put_hex_keys(self, keys: Array, nodes: Array) -> None:
        """Take the keys of `nodes`, written as 16 hexadecimal digits."""
        self.keys.append((nodes, "hex", keys))

    def _put_column(self, name: str, nodes: Array, column: Array) -> None:
        self.pieces.setdefault(name, []).append((as_slice(nodes), column))

    def last_of(self, name: str, nodes: list[int]) -> Array:
        """By node, the last value put into a column, or the column's absent value."""
        column = COLUMNS[name]
        found = np.full(len(nodes), column.absent, column.dtype)
        for places, values in self.pieces.get(name, ()):
            for at, node in enumerate(nodes):
                where = np.flatnonzero(numbers_of(places) == node)
                if len(where):
                    found[at] = values[where[-1]]
        return found

    def states(self, node: int) -> bool:
        """Whether a node has a field of ours."""
        pieces: list[Nodes] = [places for each in self.pieces.values() for places, _ in each]
        pieces += [places for places, _ in (*self.factors, *self.scores, *self.ids, *self.sources)]
        pieces += [places for places, _, _ in self.keys]
        pieces += [piece.nodes for piece in self.contributions]
        pieces += [piece.nodes for piece in (*self.plies.pieces, *self.pre_scores.pieces)]
        return node in self.iterations or any((numbers_of(places) == node).any() for places in pieces)

    def _player_codes(self, values: list[Any]) -> Array:
        if len(self.players.keys() | set(values)) > MOST_PLAYERS:
            raise Bad(f"expected one of at most {MOST_PLAYERS:,} players")
        codes = [self.players.setdefault(value, len(self.players)) for value in values]
        return np.array(codes, np.int32)

    def put_keys(self, values: list[Any], nodes: Array) -> None:
        """Take the keys of `nodes`, texts or whole numbers."""
        kinds = set(map(type, values))
        if kinds == {int} and min(values) >= 0 and max(values) < 2**64:
            self.keys.append((nodes, "number", np.array(values, dtype=np.uint64)))
            return
        if kinds == {str} and are_hex_keys(values):
            self.put_hex_keys(np.frombuffer(bytes.fromhex("".join(values)), dtype=">u8"), nodes)
            return
        self.keys.append((nodes, "text", [str(value) for value in values]))

    def add_contributions(self, nodes: Array, widths: Array, codes: Array, floats: Array) -> None:
        """Take contributions, `widths` of each node; the last ones of a node count."""
        if not len(nodes):
            return
        is_last = are_last(nodes)
        if not is_last.all():
            kept = np.repeat(is_last, widths)
            nodes, widths, codes, floats = nodes[is_last], widths[is_last], codes[kept], floats[kept]
        width = int(widths[0])
        if (widths == width).all() and (codes.reshape(-1, width or 1) == codes[:width]).all():
            of_floats, codes = None, codes[:width]
        else:
            of_floats = np.repeat(nodes, widths).astype(np.int32)
        self.contributions.append(Contributions(nodes, of_floats, codes, floats))


def numbers_of(places: Nodes) -> Array:
    """Return places as an array."""
    return np.arange(places.start, places.stop) if isinstance(places, slice) else places


def as_slice(nodes: Array) -> Nodes:
    """Consecutive nodes as a slice, which takes no memory; others unchanged."""
    if not len(nodes):
        return nodes
    first, last = int(nodes[0]), int(nodes[-1])
    return slice(first, last + 1) if last - first == len(nodes) - 1 and (np.diff(nodes) == 1).all() else nodes


class Contributions(NamedTuple):
    """The contributions of some nodes: all with the same names, or each with its own."""

    nodes: Array
    of_floats: Array | None
    """The node of each number, None where every node has a number for every name."""
    codes: Array
    """The names, or the name of each number."""
    floats: Array

    def stated(self) -> tuple[Array, Array]:
        """The node and the name of each number."""
        if self.of_floats is not None:
            return self.of_floats, self.codes
        return np.repeat(self.nodes, len(self.codes)), np.tile(self.codes, len(self.nodes))

    def placed(self, node_of: Array) -> Contributions:
        """The same by node instead of by record: the last record of a node counts, -1 is no node."""
        nodes = node_of[self.nodes]
        kept = (nodes >= 0) & are_last(nodes)
        if self.of_floats is None and kept.all():
            return self._replace(nodes=nodes)
        is_kept = np.zeros(len(node_of), np.bool_)
        is_kept[self.nodes[kept]] = True
        records, codes = self.stated()
        of_kept = is_kept[records]
        of_floats = node_of[records[of_kept]]
        return Contributions(nodes[kept], of_floats, codes[of_kept], self.floats[of_kept])

    def put(self, column: Array) -> None:
        """Write them into a matrix of all nodes and names."""
        column[self.nodes] = np.nan
        if self.of_floats is not None:
            column[self.of_floats, self.codes] = self.floats
        else:
            column[self.nodes[:, None], self.codes] = self.floats.reshape(len(self.nodes), -1)


def _first_met(pieces: Sequence[tuple[Nodes, Array]]) -> list[int]:
    """The codes in all pieces, in the order of the nodes that first state them."""
    first: dict[int, tuple[int, int]] = {}
    for places, codes in pieces:
        nodes = numbers_of(places)
        in_order = np.argsort(nodes, kind="stable")
        met, at = np.unique(codes[in_order], return_index=True)
        for code, place in zip(met.tolist(), at.tolist(), strict=True):
            here = int(nodes[in_order[place]]), place
            first[code] = min(first.get(code, here), here)
    return sorted(first, key=first.__getitem__)


def rounded_in_words(rounded: dict[str, tuple[int, int]]) -> list[str]:
    """Sentences about the numbers that were rounded: by field how many, and the first.

    >>> buffers = FieldBuffers()
    >>> buffers.note_rounded("score", [2**53, 2**53 + 1])
    >>> rounded_in_words(buffers.rounded)
    ['1 whole number of `score` does not fit a double and was rounded (9007199254740993).']
    """
    return [
        f"{n:,} whole numbers of `{name}` do not fit a double and were rounded (the first: {first})."
        if n > 1
        else f"1 whole number of `{name}` does not fit a double and was rounded ({first})."
        for name, (n, first) in rounded.items()
    ]


def first_places(codes: Array, n_codes: int) -> Array:
    """By code, the place of the first one; the number of places for a code that does not come.

    >>> first_places(np.array([2, 0, 2]), 3).tolist()
    [1, 3, 0]
    """
    first = np.full(n_codes, len(codes), np.int32)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1, dtype=np.int32)  # the first is written last
    return first


def codes_as_met(codes: Array, n_codes: int) -> Array:
    """The distinct codes in order of first appearance, of so many.

    >>> codes_as_met(np.array([2, 0, 2]), 3).tolist()
    [2, 0]
    """
    first = first_places(codes, n_codes)
    return np.argsort(first)[: np.count_nonzero(first < len(codes))]


def used_codes(codes: Array) -> tuple[Array, Array]:
    """The distinct codes, the lowest first, and the index of each code among them.

    >>> [part.tolist() for part in used_codes(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    is_used = np.zeros(int(codes.max(initial=-1)) + 1, np.bool_)
    is_used[codes] = True
    used = np.flatnonzero(is_used)
    index_of = np.cumsum(is_used, dtype=np.min_scalar_type(len(used))) - 1
    return used, index_of[codes]


def in_order_met(values: Array) -> tuple[Array, Array]:
    """The distinct values in order of first appearance, and the index of each value among them.

    >>> [part.tolist() for part in in_order_met(np.array([7, 3, 7]))]
    [[7, 3], [0, 1, 0]]
    """
    distinct, firsts, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return distinct[order], rank[inverse.reshape(-1)]


def are_last(nodes: Array) -> Array:
    """True for the last entry of each node."""
    places = np.arange(len(nodes), dtype=np.int32)
    last = np.empty(int(nodes.max(initial=-1)) + 2, np.int32)  # that of -1 is at the end
    last[nodes] = places
    return np.asarray(last[nodes] == places)


def are_hex_keys(values: list[str]) -> bool:
    """Whether these are keys as our engine writes them: 16 lower-case hexadecimal digits.

    >>> are_hex_keys(["00000000000000ff"]), are_hex_keys(["00000000000000FF"]), are_hex_keys(["ff"])
    (True, False, False)
    """
    return set(map(len, values)) == {LENGTH_OF_KEY} and HEX_DIGITS.issuperset("".join(values))
