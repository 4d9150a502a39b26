"""The distinct texts of a field, each with a number."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.compile.plain_call import plain
from plyscope.engine.jit import copy_array, kernel
from plyscope.visualizer.formats.json_text import json_texts
from plyscope.visualizer.store.mapped import Texts as EncodedTexts

Array = npt.NDArray[Any]

Run = Callable[[Any], Any]
"""Returns the machine code of a kernel, or the kernel itself."""

MANY: Final = 100_000
LEAST_ROOM: Final = 4096
MANY_ENTRIES: Final = 2**21
"""From this many entries on, arrays grow to the double size, before that to four times theirs."""
SPACE, QUOTE, BACKSLASH = b' "\\'


@kernel
def intern_texts(
    data: Array,
    begins: Array,
    ends: Array,
    seed: int,
    pool: Array,
    text_at: Array,
    hashes: Array,
    slots: Array,
    n_texts: int,
    codes: Array,
) -> int:
    """Give each text its number, a new one if it is new; returns the number of distinct texts.

    The arrays must have room for all.
    """
    mask = len(slots) - 1
    for i in range(len(begins)):
        h: Any = seed
        for j in range(begins[i], ends[i]):
            h = (h * 31 + np.int64(data[j])) & 0xFFFFFFFF
        h = ((h ^ (h >> 15)) * seed) & 0xFFFFFFFF
        codes[i] = h & 0x7FFFFFFF
    for i in range(len(begins)):  # a second loop, so that the processor looks up many slots at a time
        h = np.int64(codes[i])
        begin = begins[i]
        size = ends[i] - begin
        place = (h ^ (h >> 13)) & mask
        while True:
            code = slots[place]
            if code < 0:
                at = text_at[n_texts]
                for j in range(size):
                    pool[at + j] = data[begin + j]
                text_at[n_texts + 1] = at + size
                hashes[n_texts] = h
                slots[place] = n_texts
                codes[i] = n_texts
                n_texts += 1
                break
            at = text_at[code]
            if hashes[code] == h and text_at[code + 1] - at == size:
                j = 0
                while j < size and pool[at + j] == data[begin + j]:
                    j += 1
                if j == size:
                    codes[i] = code
                    break
            place = (place + 1) & mask
    return n_texts


@kernel
def pick_texts(text: Array, begins: Array, lengths: Array, chosen: Array, beside: int, out: Array) -> int:
    """Concatenate the chosen texts in `out`, with `beside` bytes left unwritten before and after each.

    Returns the end of the last one.
    """
    at = beside
    for i in range(len(chosen)):
        begin, size = begins[chosen[i]], lengths[chosen[i]]
        copy_array(text[begin : begin + size], out[at : at + size])
        at += size + 2 * beside
    return int(at)


@kernel
def enter_texts(hashes: Array, n_texts: int, slots: Array) -> int:
    """Enter all texts in a larger hash table, whose slots are empty."""
    mask = len(slots) - 1
    for code in range(n_texts):
        h = np.int64(hashes[code])
        place = (h ^ (h >> 13)) & mask
        while slots[place] >= 0:
            place = (place + 1) & mask
        slots[place] = code
    return n_texts


class TextList(Sequence[str]):
    """A list of texts by their numbers, each decoded when it is asked for."""

    def __init__(self, texts: Texts, codes: Array) -> None:
        self.texts, self.codes = texts, codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return TextList(self.texts, self.codes[index])
        return self.texts.text(int(self.codes[index]))


class Texts:
    """Distinct texts, numbered in order of arrival.

    >>> texts = Texts()
    >>> texts.of_values(["e4", "d4", "e4"]).tolist(), texts.all()
    ([0, 1, 0], ['e4', 'd4'])
    """

    def __init__(self, run: Run | None = None) -> None:
        """`run` calls kernels, for texts of a tape; without it, texts of Python's values only."""
        self.run = run
        self._codes: dict[str, int] = {}
        self._listed: list[str] = []
        self.n_texts = 0
        self.seed = 2**29 + 2 * secrets.randbelow(2**28) + 1
        if run is not None:
            self.pool, self.text_at = np.zeros(0, np.uint8), np.zeros(1, np.int64)
            self.hashes, self.slots = np.zeros(0, np.int32), np.zeros(0, np.int32)

    def of_values(self, values: Sequence[str]) -> Array:
        """The number of each text."""
        if self.run is not None:
            written = [value.encode("utf-8", "replace") for value in values]
            lengths = np.fromiter(map(len, written), np.int64, len(written))
            ends = np.cumsum(lengths)
            return self.of_slices(np.frombuffer(b"".join(written) or b"\0", np.uint8), ends - lengths, ends)
        codes = self._codes
        numbers = [codes.setdefault(value, len(codes)) for value in values]
        self.n_texts = len(codes)
        return np.array(numbers, np.int32)

    def of_slices(self, data: Array, begins: Array, ends: Array) -> Array:
        """The number of the text in each slice of `data`; the texts have no escapes."""
        if self.run is None:
            held = data.tobytes()
            places = zip(begins.tolist(), ends.tolist(), strict=True)
            return self.of_values([held[begin:end].decode() for begin, end in places])
        data = only_read(data)
        n = len(begins)
        codes = np.empty(n, np.int32)
        self.make_room(n, int((ends - begins).sum()))
        self.n_texts = int(
            self.run(intern_texts)(
                data,
                begins,
                ends,
                self.seed,
                self.pool,
                self.text_at,
                self.hashes,
                self.slots,
                self.n_texts,
                codes,
            )
        )
        return codes

    def of_texts(self, texts: Texts, codes: Array) -> Array:
        """The number here of each text, given by its number in `texts`; others of `texts` get none."""
        number_of = np.full(texts.n_texts, -1, np.int32)
        number_of[codes] = 0
        used = np.flatnonzero(number_of == 0)
        if self.run is None or texts.run is None:
            number_of[used] = self.of_values(texts.texts_of(used))
        else:
            number_of[used] = self.of_slices(texts.pool, texts.text_at[used], texts.text_at[used + 1])
        return np.asarray(number_of[codes])

    def all(self, first: int = 0) -> list[str]:
        """The texts in order of their numbers, from `first` on."""
        return self.texts_of(np.arange(first, self.n_texts))

    def listed(self) -> Sequence[str]:
        """The texts in order of their numbers; many are decoded when they are asked for."""
        if self.run is None or self.n_texts < MANY:
            return self.all()
        starts = self.text_at[: self.n_texts + 1].copy()
        return EncodedTexts(self.pool[: starts[-1]].tobytes(), starts)

    def _all_values(self) -> list[str]:
        """The texts of Python's values; those that are new since the last call are added."""
        new = list(islice(reversed(self._codes), len(self._codes) - len(self._listed)))
        self._listed += reversed(new)
        return self._listed

    def texts_of(self, codes: Array) -> list[str]:
        """The texts of these numbers."""
        if self.run is None:
            texts = self._all_values()
            return [texts[code] for code in codes.tolist()]
        begins, text = self.written(codes)
        held = text.tobytes()
        return [held[begin:end].decode() for begin, end in pairwise(begins.tolist())]

    def text(self, code: int) -> str:
        """The text of that number."""
        if self.run is None:
            return self._all_values()[code]
        begin, end = self.text_at[code : code + 2].tolist()
        return self.pool[begin:end].tobytes().decode()

    def written(self, codes: Array, *, quoted: bool = False) -> tuple[Array, Array]:
        """The offsets (n + 1) and the concatenation of texts by their numbers, in quotes if `quoted`."""
        if self.run is None:
            texts = [text.encode() for text in self.texts_of(codes)]
            return np.cumsum([0, *map(len, texts)]), np.frombuffer(b"".join(texts), np.uint8)
        begins, lengths = self.text_at[codes], self.text_at[codes + 1] - self.text_at[codes]
        return picked(self.run, self.pool, begins, lengths, np.arange(len(codes)), quoted=quoted)

    def json(self, codes: Array) -> tuple[Array, Array]:
        """The offsets (n + 1) and the concatenation of the JSON of the texts with these numbers."""
        if self.run is not None:
            begins, text = self.written(codes, quoted=True)
            n_quotes = np.count_nonzero(text == QUOTE)
            if n_quotes == 2 * len(codes) and not ((text < SPACE) | (text == BACKSLASH)).any():
                return begins, text
        return json_texts(self.texts_of(codes))

    def end(self) -> None:
        """Free what only further texts need; it is made again if one comes."""
        if self.run is not None:
            self.slots = self.slots[:0].copy()

    def make_room(self, n: int, n_bytes: int) -> None:
        """Make room for so many further texts, of so many bytes together."""
        run = self.run
        assert run is not None
        needed = int(self.text_at[self.n_texts]) + n_bytes
        self.pool = with_room(self.pool, needed)
        self.text_at = with_room(self.text_at, self.n_texts + n + 1)
        self.hashes = with_room(self.hashes, self.n_texts + n)
        if 2 * (self.n_texts + n) > len(self.slots):
            self.slots = np.full(1 << int(2 * (self.n_texts + n)).bit_length(), -1, np.int32)
            run(enter_texts)(self.hashes, self.n_texts, self.slots)


def only_read(array: Array) -> Array:
    """The array as read-only, so that kernels have one signature for arrays of any origin."""
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def with_room(array: Array, n: int, n_used: int | None = None) -> Array:
    """Return `array`, or a longer copy of its first `n_used` entries, else of all, where `n` do not fit.

    The entries behind the used ones are not set: untouched memory costs nothing, copying does.
    """
    if n <= len(array):
        return array
    factor = 4 if len(array) < MANY_ENTRIES else 2
    least = LEAST_ROOM if len(array) else 0
    grown = np.empty((max(least, factor * len(array), n), *array.shape[1:]), array.dtype)
    grown[: len(array) if n_used is None else n_used] = array[:n_used]
    return grown


def picked(
    run: Run | None, text: Array, begins: Array, lengths: Array, chosen: Array, *, quoted: bool = False
) -> tuple[Array, Array]:
    """The offsets (n + 1) and the concatenation of the chosen texts, each in quotes if `quoted`."""
    of_chosen = np.zeros(len(chosen) + 1, np.int64)
    np.cumsum(lengths[chosen] + 2 * quoted, out=of_chosen[1:])
    out = np.full(int(of_chosen[-1]), ord('"'), np.uint8)
    (run or plain)(pick_texts)(
        only_read(text),
        begins,
        lengths.astype(np.int64, copy=False),
        chosen.astype(np.int64, copy=False),
        int(quoted),
        out,
    )
    return of_chosen, out
