"""Values of fields, batch by batch, into the columns of the table of fields.

The kind of a field decides which values it takes. Any other value is a problem, reported at the end; the rest
is gathered all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.read.forms import Roles
from plyscope.visualizer.formats.read.names import EXACT
from plyscope.visualizer.formats.read.problems import Problems
from plyscope.visualizer.formats.seal.field_buffers import LENGTH_OF_KEY, FieldBuffers, as_slice
from plyscope.visualizer.formats.seal.values import (
    A_NUMBER,
    INT64,
    MOST_PLAYERS,
    NUMBER_WORDS,
    one_of,
)
from plyscope.visualizer.formats.tape.batch import Batch, SlicedValues, Values
from plyscope.visualizer.formats.tape.kinds import (
    BITS_64,
    ESCAPED,
    FALSE,
    LIST,
    NULL,
    NUMBER,
    OBJECT,
    TEXT,
    TRUE,
    WHOLE,
)
from plyscope.visualizer.formats.tape.reading import Reading, WalkReading
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.store.fields import FIELDS

Array = npt.NDArray[Any]

NUMBER_OR_NULL: Final = 'expected a number, "inf", "-inf", "nan" or null'
EXAMPLES: Final = {
    "tt": '{"use": "cut", "score": 9.5}',
    "ucb": '{"exploit": 0.5, "explore": 0.25}',
    "contributions": '{"mobility": 15}',
}
A_TEXT: Final = "expected a text"
A_LIST_OF_NUMBERS: Final = "expected a list of numbers"
A_NAME: Final = "expected a whole number of 64 bits or a text"
OF_SCORES: Final = ("score", "low edge", "high edge")
"""The kinds of fields that depend on the side from which scores are seen."""
EDGES: Final = {"low edge": -np.inf, "high edge": np.inf}
OPEN: Final = {name: EDGES[field.kind] for name, field in FIELDS.items() if field.kind in EDGES}
"""The number that null stands for at an edge of the window."""
NO_CODE: Final = 255


@kernel
def read_keys(data: Array, begins: Array, ends: Array, keys: Array) -> bool:
    """Read texts of 16 lower-case hexadecimal digits; False where any text is something else."""
    for i in range(len(begins)):
        if ends[i] - begins[i] != LENGTH_OF_KEY:
            return False
        key = np.uint64(0)
        for at in range(begins[i], ends[i]):
            byte = data[at]
            if 48 <= byte <= 57:
                digit = byte - 48
            elif 97 <= byte <= 102:
                digit = byte - 87
            else:
                return False
            key = (key << np.uint64(4)) | np.uint64(digit)
        keys[i] = key
    return True


def large_numbers(values: Values) -> list[int]:
    """The whole numbers that a double may not hold."""
    at = np.flatnonzero((values.kinds == WHOLE) & (np.abs(values.numbers) >= EXACT))
    return [values.whole(index) for index in at.tolist()]


class Gatherer:
    """Gathers the fields of nodes, batch by batch."""

    def __init__(self, roles: Roles, reading: Reading, run: Run) -> None:
        self._roles, self._reading, self._run = roles, reading, run
        self._words, self._players = (reading.texts() for _ in range(2))
        self._tables: dict[Any, Array] = {}
        """What the texts of `_words` stand for, by vocabulary, as far as was asked."""
        self._lists = {name: _Lists() for name in roles.of_items}
        self._role_of = {name: role for role, name in roles.of_field.items()}
        self.problems = Problems(self._reading.containers if isinstance(self._reading, WalkReading) else ())
        self._texts = self._reading.texts()
        self.buffers = FieldBuffers(self._texts, self._reading.extras)
        self._last_node: dict[str, int] = {}
        self.is_late = False
        """Whether some node names a player or contributions later than a node behind it does."""

    def forget(self) -> None:
        """Forget the fields that nobody has taken, and what is wrong about them; the texts stay known."""
        self.problems, self.buffers = Problems(()), FieldBuffers(self._texts)

    def take(self, batch: Batch) -> None:
        """Take the fields of a batch, before the next one is read."""
        of_kind: dict[str, Callable[[str, Values], None]] = {
            "score": self._numbers,
            "amount": self._numbers,
            "low edge": self._numbers,
            "high edge": self._numbers,
            "whole": self._whole,
            "flag": self._flags,
            "word": self._word,
            "text": self._text,
            "long text": self._text,
            "player": self._player,
            "key": self._key,
            "id": self._id,
            "entry": self._entry,
        }
        for role, name in self._roles.of_field.items():
            if name in self._lists:
                items = batch.values.get(self._roles.of_items[name])
                if role in batch.values or items is not None:
                    self._list(name, batch.values.get(role), items)
            elif (values := batch.values.get(role)) is not None:
                if name not in OPEN:
                    values = self._stated(name, values)
                if len(values):
                    of_kind[FIELDS[name].kind](name, values)

    def finish(self) -> None:
        """Take the lists that waited for more items; a list that was cut is left out."""
        for name, lists in self._lists.items():
            if len(lists.nodes) and self._reading.innermost != self._role_of[name]:
                self._put_lists(name, lists, len(lists.nodes))

    def _stated(self, name: str, values: Values) -> Values:
        is_null = values.kinds == NULL
        if not is_null.any():
            return values
        if name == "iteration":
            self.buffers.unnumbered.update(values.nodes[is_null].tolist())
        return values.where(~is_null)

    def _refuse(self, name: str, values: Values, is_bad: Array, expected: str) -> Array:
        """Remember the first of the bad values; returns a mask of the good ones."""
        if is_bad.any():
            of_first = np.flatnonzero(is_bad & (values.nodes == values.nodes[is_bad].min()))
            self.problems.add(values, int(of_first[0]), name, expected)
        good: Array = ~is_bad
        return good

    def _put(self, name: str, values: Values, numbers: Array, is_bad: Array | None, expected: str) -> None:
        """Take numbers for values, but those that are bad."""
        nodes = values.nodes
        if is_bad is not None and is_bad.any():
            good = self._refuse(name, values, is_bad, expected)
            nodes, numbers = nodes[good], numbers[good]
        self.buffers.put_numbers(name, numbers, nodes)

    def _note_order(self, name: str, nodes: Array) -> None:
        """Notice where a field of a node comes after that of a later node."""
        last = self._last_node.get(name, -1)
        self.is_late |= int(nodes[0]) < last or bool((nodes[1:] < nodes[:-1]).any())
        self._last_node[name] = max(last, int(nodes.max()))

    def _numbers(self, name: str, values: Values) -> None:
        if FIELDS[name].kind in OF_SCORES:
            self.buffers.note_rounded(name, large_numbers(values))
        self._put(name, values, *self._floats(values, OPEN.get(name)), A_NUMBER)

    def _floats(self, values: Values, null: float | None) -> tuple[Array, Array | None]:
        """The numbers of values, with words for numbers and null, and a mask of those that are neither."""
        kinds = values.kinds
        others = np.flatnonzero((kinds != WHOLE) & (kinds != NUMBER))
        if not len(others):
            return values.numbers, None
        floats = values.numbers.copy()
        is_bad = np.zeros(len(floats), np.bool_)
        is_bad[others] = True
        if null is not None:
            is_null = kinds == NULL
            floats[is_null] = null
            is_bad[is_null] = False
        texts = others[(kinds[others] == TEXT) | (kinds[others] == ESCAPED)]
        if len(texts):
            codes = values.where(texts).codes(self._words)
            table = self._table("", lambda text: NUMBER_WORDS.get(text.strip().lower()), np.float64)
            is_word = self._table("?", lambda text: text.strip().lower() in NUMBER_WORDS, np.bool_)
            floats[texts] = table[codes]
            is_bad[texts] = ~is_word[codes]
        return floats, is_bad if is_bad.any() else None

    def _table(self, key: Any, meaning: Callable[[str], Any], dtype: Any) -> Array:
        """The meanings of the words met so far, kept because most batches have the same words."""
        table = self._tables.setdefault(key, np.zeros(0, dtype))
        if len(table) < self._words.n_texts:
            new = np.array([meaning(text) for text in self._words.all(len(table))], dtype)
            table = self._tables[key] = np.concatenate([table, new])
        return table

    def _whole(self, name: str, values: Values) -> None:
        high = FIELDS[name].highest
        kinds, numbers = values.kinds, values.numbers
        is_number = (kinds == WHOLE) | (kinds == NUMBER)
        is_bad = ~is_number | (numbers < 0) | (numbers > high) | (numbers != np.floor(numbers))
        whole = np.where(is_bad, 0, numbers).astype(np.int64)
        for at in np.flatnonzero(~is_bad & (numbers >= EXACT)).tolist():
            exact = int(values.at(at))
            is_bad[at] = exact > high
            whole[at] = min(exact, high)
        self._put(name, values, whole, is_bad, f"expected a whole number from 0 to {high}")

    def _flags(self, name: str, values: Values) -> None:
        kinds, numbers = values.kinds, values.numbers
        flags = (kinds == TRUE).astype(np.int8)
        is_number = (kinds == WHOLE) & ((numbers == 0) | (numbers == 1))
        flags[is_number] = numbers[is_number]
        is_bad = ~is_number & (kinds != TRUE) & (kinds != FALSE)
        self._put(name, values, flags, is_bad, "expected true or false")

    def _word(self, name: str, values: Values) -> None:
        vocabulary = FIELDS[name].vocabulary
        assert vocabulary is not None
        codes = values.codes(self._words)
        table = self._table(vocabulary.words, lambda text: vocabulary.codes.get(text, NO_CODE), np.uint8)
        words = np.append(table, np.uint8(NO_CODE))[codes]
        self._put(name, values, words, words == NO_CODE, one_of(vocabulary))

    def _text(self, name: str, values: Values) -> None:
        codes = values.codes(self._texts)
        self._put(name, values, codes, codes < 0, A_TEXT)

    def _player(self, name: str, values: Values) -> None:
        players, codes = self.buffers.players, values.codes(self._players)
        self._note_order(name, values.nodes)
        names: list[Any] = self._players.all()
        if len(whole := np.flatnonzero(values.kinds == WHOLE)):
            said = [values.at(at) for at in whole.tolist()]
            numbers = dict.fromkeys(each for each in said if type(each) is int and each in BITS_64)
            places = {number: place for place, number in enumerate(numbers, len(names))}
            codes = codes.copy()
            codes[whole] = [places.get(each, -1) if type(each) is int else -1 for each in said]
            names = [*names, *numbers]
        is_bad = codes < 0
        table = np.array([*(players.get(player, -1) for player in names), -1], np.int32)
        for code in dict.fromkeys(codes[(table[codes] < 0) & ~is_bad].tolist()):
            table[code] = players.setdefault(names[code], len(players))
        codes = table[codes]
        good = self._refuse(name, values, is_bad, "expected the name of a player")
        if len(players) > MOST_PLAYERS:
            expected = f"expected one of at most {MOST_PLAYERS:,} players"
            good &= self._refuse(name, values, codes >= MOST_PLAYERS, expected)
        self.buffers.put_numbers(name, codes[good], values.nodes[good])

    def _key(self, name: str, values: Values) -> None:
        kinds, nodes, buffers = values.kinds, values.nodes, self.buffers
        is_text = (kinds == TEXT) | (kinds == ESCAPED)
        is_whole = kinds == WHOLE
        if isinstance(values, SlicedValues) and (kinds == TEXT).all():
            keys = np.empty(len(values), np.uint64)
            if self._run(read_keys)(*values.slices(), keys):
                buffers.put_hex_keys(keys, nodes)
                return
        said = [values.at(at) for at in range(len(values))]
        is_bad = ~(is_text | is_whole)
        is_bad[is_whole] = [said[at] not in BITS_64 for at in np.flatnonzero(is_whole).tolist()]
        good = self._refuse(
            name, values, is_bad, "expected a position key, a text or a whole number of 64 bits"
        )
        if not good.all():
            said = [said[at] for at in np.flatnonzero(good).tolist()]
            nodes = nodes[good]
        if said:
            buffers.put_keys(said, nodes)

    def _id(self, name: str, values: Values) -> None:
        kinds, nodes = values.kinds, values.nodes
        is_whole = kinds == WHOLE
        said: Any
        if is_whole.all() and (np.abs(values.numbers) < EXACT).all():
            said = values.numbers.astype(np.int64)
        else:
            said = [values.at(at) for at in range(len(values))]
            is_good = [type(each) is str or (type(each) is int and abs(each) <= INT64) for each in said]
            good = self._refuse(name, values, ~np.array(is_good), A_NAME)
            if not good.all():
                said = [said[at] for at in np.flatnonzero(good).tolist()]
                nodes = nodes[good]
        if name == "id":
            self.buffers.ids.append((as_slice(nodes), said))
        else:
            self.buffers.sources.append((nodes, said.tolist() if isinstance(said, np.ndarray) else said))

    def _entry(self, name: str, values: Values) -> None:
        self._refuse(name, values, values.kinds != OBJECT, f"expected an object such as {EXAMPLES[name]}")

    def _list(self, name: str, lists: Values | None, items: Values | None) -> None:
        """Take lists of numbers or texts, or objects of numbers; the last of a batch waits for its rest."""
        waiting = self._lists[name]
        expected_kind, expected = (
            (OBJECT, f"expected an object such as {EXAMPLES[name]}")
            if FIELDS[name].kind == "named numbers"
            else (LIST, "expected a list of plies" if name == "plies" else A_LIST_OF_NUMBERS)
        )
        if lists is not None:
            lists = self._stated(name, lists)
            good = self._refuse(name, lists, lists.kinds != expected_kind, expected)
            if len(lists) and name == "contributions":
                self._note_order(name, lists.nodes)
            waiting.nodes = np.concatenate([waiting.nodes, lists.nodes[good]])
        if items is not None:
            self._items(name, waiting, items)
        n_whole = len(waiting.nodes) - (self._reading.innermost == self._role_of[name])
        if n_whole > 0:
            self._put_lists(name, waiting, n_whole)

    def _items(self, name: str, waiting: _Lists, items: Values) -> None:
        is_bad: Array | None
        if name == "plies":
            numbers = items.codes(self._texts)
            is_bad, expected = numbers < 0, A_TEXT
        else:
            numbers, is_bad = self._floats(items, np.nan)
            expected = NUMBER_OR_NULL
        if is_bad is not None and is_bad.any():
            of_first = np.flatnonzero(is_bad & (items.nodes == items.nodes[is_bad].min()))
            at = int(of_first[0])
            node = int(items.nodes[at])
            if FIELDS[name].kind == "named numbers":
                inside = f".{self._reading.name(int(items.keys()[at]))}"
            else:
                before = np.concatenate([waiting.of_items, items.nodes[:at]])
                inside = f"[{int((before == node).sum())}]"
            self.problems.add(items, at, name, expected, inside)
        waiting.of_items = np.concatenate([waiting.of_items, items.nodes])
        waiting.items = np.concatenate([waiting.items, numbers])
        if name == "contributions":
            waiting.names = np.concatenate([waiting.names, items.keys()])

    def _put_lists(self, name: str, waiting: _Lists, n: int) -> None:
        nodes, lengths, items, names = waiting.taken(n)
        if name == "plies":
            self.buffers.plies.put(nodes, lengths, items)
        elif name == "pre_scores":
            self.buffers.pre_scores.put(nodes, lengths, items)
        elif name == "contributions":
            self._put_contributions(nodes, lengths, items, names)
        else:
            of_all = self.buffers.factors if name == "factors" else self.buffers.scores
            of_all.extend(_matrices(nodes, lengths, items))

    def _put_contributions(self, nodes: Array, lengths: Array, items: Array, names: Array) -> None:
        used, first = np.unique(names, return_index=True)
        code_of = np.zeros(int(used.max(initial=-1)) + 1, np.int32)
        known = self.buffers.contribution_names
        for key in used[np.argsort(first)].tolist():
            code_of[key] = known.setdefault(self._reading.name(key), len(known))
        self.buffers.add_contributions(nodes, lengths, code_of[names], items)


class _Lists:
    """The lists of a field that were met, and their items, concatenated."""

    def __init__(self) -> None:
        self.nodes, self.of_items, self.names = (np.zeros(0, np.int32) for _ in range(3))
        self.items: Array = np.zeros(0)

    def taken(self, n: int) -> tuple[Array, Array, Array, Array]:
        """Remove the first `n` lists; returns their nodes, lengths, items and the names of items."""
        nodes, of_items = self.nodes[:n], self.of_items
        n_items = len(of_items)
        if n < len(self.nodes):
            n_items -= int((of_items == self.nodes[n]).sum())
        items, names, of_items = self.items[:n_items], self.names[:n_items], of_items[:n_items]
        first = int(nodes.min())
        lengths = np.bincount(of_items - first, minlength=int(nodes.max()) - first + 1)[nodes - first]
        self.nodes, self.of_items = self.nodes[n:], self.of_items[n_items:]
        self.items, self.names = self.items[n_items:], self.names[n_items:]
        return nodes, lengths, items, names


def _matrices(nodes: Array, lengths: Array, items: Array) -> list[tuple[Array, Array]]:
    """Lists grouped by length: the nodes of each group and a matrix of their items."""
    if (lengths == lengths[0]).all():
        return [(nodes, items.reshape(len(nodes), int(lengths[0])))]
    ends = np.cumsum(lengths)
    pieces = []
    for width in np.unique(lengths).tolist():
        members = np.flatnonzero(lengths == width)
        places = (ends[members] - width)[:, None] + np.arange(width)
        pieces.append((nodes[members], items[places]))
    return pieces
