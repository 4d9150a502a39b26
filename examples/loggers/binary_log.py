"""A compact search log for Plyscope (.plyb), a record a node: copy this and search_log.py beside your engine.

`SearchLog("search.plyb", …)` of search_log.py is this class, called as for JSON Lines. The file is smaller
and read faster. Nodes wait in memory until `buffer` bytes of them have come, or a quarter of a second has
passed, so that a search can be followed.
"""

from __future__ import annotations

import math
import os
import struct
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from .search_log import SearchLog, _encode, _spelled, _utf8
else:
    from search_log import SearchLog, _encode, _spelled, _utf8

NO_NUMBER = struct.unpack("<d", b"\xff" * 8)[0]
"""A NaN that no arithmetic gives: of all bits. It means that nothing is stated."""
BLANKS: dict[str, Any] = {
    "f64": NO_NUMBER,
    "i64": -(2**63),
    "u64": 2**64 - 1,
    "key": 2**64 - 1,
    "text": 2**32 - 1,
    "flag": 255,
}
CODES = {
    "f64": "d",
    "i64": "q",
    "u64": "Q",
    "key": "Q",
    "text": "I",
    "flag": "B",
    "texts": "II",
    "numbers": "II",
}
FLOATS = frozenset(
    [
        "score",
        "static",
        "pre_score",
        "stand_pat",
        "estimate",
        "counted_as",
        "depth",
        "reduction",
        "extension",
        "alpha",
        "beta",
        "tt.depth",
        "tt.score",
        "seconds",
        "visits",
        "prior",
        "mean",
        "stderr",
        "wins",
        "draws",
        "losses",
        "ucb.exploit",
        "ucb.explore",
        "ucb.n",
        "ucb.n_parent",
        "expanded_at",
    ]
)
WHOLE = frozenset(["moves", "count", "nodes", "iteration"])
FLAGS = frozenset(["quiescence", "in_check"])
TEXTS = frozenset(
    [
        "ply",
        "layer",
        "bound",
        "outcome",
        "purpose",
        "cut_by",
        "ending",
        "why",
        "position",
        "left_key",
        "left_position",
        "board",
        "tt.use",
        "tt.bound",
        "tt.ply",
    ]
)
TABLES = frozenset(["factors", "scores"])
ENTRIES = ("tt", "ucb")
OURS = FLOATS | WHOLE | FLAGS | TEXTS | TABLES | {"player", "key", "tt.from", "plies", "pre_scores"}
DIRECT = frozenset(name for name in OURS if "." not in name)
"""Fields that lie in the node itself."""
PLAIN = frozenset([type(None), bool, int, float, str])
OPEN = {"alpha": -math.inf, "beta": math.inf}
LARGEST_FLOAT = 2**1023
SECONDS = 0.25
"""So long nodes wait at most while others come."""


class BinaryLog(SearchLog):
    """Writes a search in the compact form; it is used as `SearchLog` is, with a larger `buffer`."""

    def __init__(
        self, path: str | os.PathLike[str], *, buffer: int = 2**20, max_level: float = math.inf, **header: Any
    ) -> None:
        super().__init__(path, buffer=buffer, max_level=max_level, **header)

    def _open(self, path: str | os.PathLike[str], buffer: int) -> Any:
        return RecordFile(path, buffer)

    def _write(self, line: dict[str, Any]) -> None:
        self._file.put(line)
        self.n_replaced = self._file.n_replaced


class RecordFile:
    """A file that takes what a line of JSON would say, and writes chunks of records."""

    def __init__(self, path: str | os.PathLike[str], buffer: int) -> None:
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115
        self._file.write(b"\x89PLY\r\n\x1a\n" + struct.pack("<IHH", 0x01020304, 1, 1))
        self._buffer = buffer
        self.n_replaced = 0
        self._size = 0  # about how many bytes wait
        self._flushed = time.monotonic()
        self._nodes: dict[int, dict[str, Any]] = {}  # those that wait, with `parent`
        self._updates: dict[int, dict[str, Any]] = {}  # of nodes that were written before
        self._last_id = -1
        self._texts: dict[str, int] = {}
        self._new_texts: list[bytes] = []
        self._refs: list[int] = []
        self._numbers: list[float] = []
        self._n_refs = self._n_numbers = 0  # of those that were written before
        self._layouts: dict[tuple[Any, ...], int] = {}
        self._converters: dict[str, Callable[[Any], Any]] = {
            "text": self._text,
            "f64": float,
            "key": lambda digits: int(digits, 16),
        }

    @property
    def closed(self) -> bool:
        return self._file.closed

    def put(self, line: dict[str, Any]) -> None:
        """Take the header, a node, an update or the result."""
        if self.closed:
            raise ValueError("write to closed file")
        if "id" not in line:
            self.flush()
            if "plyscope" in line:
                self._chunk(b"HEAD", self._json(line))
            else:
                self._chunk(b"DONE", self._json(line["result"]))
            return
        fields = {
            name: value if type(value) in PLAIN else _plain_value(value) for name, value in line.items()
        }
        node = fields.pop("id")
        if node > self._last_id:
            self._last_id = node
            self._nodes[node] = fields
        elif node in self._nodes:
            for name in ("key", "position"):  # where a ply was not taken back it is another on leaving
                before = self._nodes[node].get(name)
                if before is not None and fields.get(name, before) != before:
                    fields[f"left_{name}"] = str(fields.pop(name))
            _merge(self._nodes[node], fields)
        else:
            fields.pop("parent", None)
            _merge(self._updates.setdefault(node, {}), fields)
        self._size += 8 * len(fields)
        if self._size > self._buffer or not self._buffer or time.monotonic() - self._flushed > SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        self._size, self._flushed = 0, time.monotonic()
        lines: list[bytes] = []
        nodes, updates = self._nodes, self._updates
        self._nodes, self._updates = {}, {}
        kinds = ((b"NODE", nodes, "parent"), (b"LATE", updates, ""))
        records = [(kind, *self._records(rows, parent, lines)) for kind, rows, parent in kinds if rows]
        if self._new_texts:
            self._chunk(b"TEXT", b"".join(self._new_texts))
        if self._refs:
            self._chunk(b"REFS", struct.pack(f"<{len(self._refs)}I", *self._refs))
        if self._numbers:
            self._chunk(b"NUMS", struct.pack(f"<{len(self._numbers)}d", *self._numbers))
        self._n_refs += len(self._refs)
        self._n_numbers += len(self._numbers)
        self._new_texts, self._refs, self._numbers = [], [], []
        for kind, layout, data in records:
            self._chunk(kind, struct.pack("<I", layout) + data)
        if lines:
            self._chunk(b"JSON", b"".join(lines))

    def close(self) -> None:
        """Write what waits, and close the file."""
        if not self.closed:
            try:
                self.flush()
            finally:
                self._file.close()

    def _chunk(self, kind: bytes, data: bytes) -> None:
        chunk = memoryview(kind + struct.pack("<I", len(data)) + data)
        while chunk:  # an unbuffered file may take a part only
            chunk = chunk[self._file.write(chunk) :]

    def _records(self, rows: dict[int, dict[str, Any]], parent: str, lines: list[bytes]) -> tuple[int, bytes]:
        """The layout of these nodes, which is written where it is new, and their records.

        What no record can say goes to `lines`.
        """
        n_rows = len(rows)
        declared: list[tuple[Any, ...]] = [("id", "u32")]
        columns: list[Iterable[Any]] = [list(rows)]
        code = "<I"
        if parent:
            declared.append((parent, "u32"))
            columns.append([fields.pop(parent, 2**32 - 1) for fields in rows.values()])
            code += "I"
        found: dict[str, list[tuple[int, Any]]] = {}
        rest: dict[int, dict[str, Any]] = {}
        for at, (node, fields) in enumerate(rows.items()):
            for name, value in _flat(fields):
                if value is ...:  # as it is
                    rest.setdefault(node, {})[name] = fields[name]
                else:
                    found.setdefault(name, []).append((at, value))
        ids = list(rows)
        for name, values in found.items():
            types = _types_of(name, [value for _, value in values])
            unknown = "i64" if name == "iteration" else ""
            kind, count = chosen = next((each for each in types if each[0]), (unknown, 0))
            taken = values
            if not kind or types.count(chosen) < len(types):
                taken = []
                for (at, value), each in zip(values, types, strict=True):
                    if kind and (value is None or each == chosen):
                        taken.append((at, value))
                    else:
                        _put_back(rest.setdefault(ids[at], {}), name, value)
            if not taken:
                continue
            declared.append((name, kind, count) if count else (name, kind))
            code += f"{count}{CODES[kind]}" if count else CODES[kind]
            columns += self._columns(kind, count, n_rows, taken)
        for node, fields in rest.items():
            lines.append(self._json({"id": node, **fields}) + b"\n")
        layout = self._layouts.get(tuple(declared))
        if layout is None:
            layout = self._layouts[tuple(declared)] = len(self._layouts)
            self._chunk(b"LAYO", self._json([list(field) for field in declared]))
        pack = struct.Struct(code).pack
        return layout, b"".join([pack(*row) for row in zip(*columns, strict=True)])

    def _columns(self, kind: str, count: int, n_rows: int, taken: list[tuple[int, Any]]) -> list[list[Any]]:
        """The values of one field on all rows, in as many columns as it has numbers."""
        if kind in ("texts", "numbers"):
            begins, lengths = [2**32 - 1] * n_rows, [2**32 - 1] * n_rows
            for at, value in taken:
                lengths[at] = len(value)
                if kind == "texts":
                    begins[at] = self._n_refs + len(self._refs)
                    self._refs += [self._text(text) for text in value]
                else:
                    begins[at] = self._n_numbers + len(self._numbers)
                    self._numbers += [math.nan if number is None else float(number) for number in value]
            return [begins, lengths]
        if count:
            matrix = [[NO_NUMBER] * n_rows for _ in range(count)]
            for at, value in taken:
                for column, number in zip(matrix, value, strict=True):
                    column[at] = NO_NUMBER if number is None else float(number)
            return matrix
        column = [BLANKS[kind]] * n_rows
        convert = self._converters.get(kind, int)
        for at, value in taken:
            if value is not None:
                column[at] = convert(value)
        return [column]

    def _json(self, value: Any) -> bytes:
        try:
            text = _encode(value)
        except ValueError:
            text = _encode(_spelled(value))
        return self._utf8(text)

    def _utf8(self, text: str) -> bytes:
        data, n_replaced = _utf8(text)
        self.n_replaced += n_replaced
        return data

    def _text(self, text: str) -> int:
        """The number of a text, which is written once."""
        number = self._texts.get(text)
        if number is None:
            encoded = self._utf8(text)
            number = self._texts[text] = len(self._texts)
            self._new_texts.append(struct.pack("<I", len(encoded)) + encoded)
            self._size += len(encoded)
        return number


def _types_of(name: str, values: list[Any]) -> list[tuple[str, int]]:
    """The type of each value; nearly always all are numbers, or all texts."""
    kinds = set(map(type, values))
    if name in FLOATS and kinds == {float}:
        return [("f64", 0)] * len(values)
    if name in TEXTS and kinds == {str}:
        return [("text", 0)] * len(values)
    return [_type_of(name, value) for value in values]


def _type_of(name: str, value: Any) -> tuple[str, int]:
    """The type in which a field's value is written, and its length; no type where only JSON can say it."""
    kind = type(value)
    if name in TABLES:
        says_any = kind is list and any(each is not None for each in value) and _are_numbers(value)
        return ("f64", len(value)) if says_any else ("", 0)
    if name == "plies":
        return ("texts", 0) if kind is list and all(type(each) is str for each in value) else ("", 0)
    if name == "pre_scores":
        return ("numbers", 0) if kind is list and _are_numbers(value) else ("", 0)
    if name == "key":
        if kind is str:
            is_hash = len(value) == 16 and set(value) <= set("0123456789abcdef") and set(value) != {"f"}
            return ("key", 0) if is_hash else ("text", 0)
        return ("u64", 0) if kind is int and 0 <= value < 2**64 - 1 else ("", 0)
    if name in FLOATS or name.startswith("contributions."):
        return ("f64", 0) if _is_number(value) else ("", 0)
    if name in FLAGS:
        return ("flag", 0) if kind is bool else ("", 0)
    if name in TEXTS:
        return ("text", 0) if kind is str else ("", 0)
    if name in WHOLE:
        return ("i64", 0) if kind is int and 0 <= value < 2**63 else ("", 0)
    if kind is int:
        return ("i64", 0) if -(2**63) < value < 2**63 else ("", 0)
    if name in OURS:
        return ("text", 0) if kind is str else ("", 0)
    return ({bool: "flag", float: "f64", str: "text"}.get(kind, ""), 0)


def _is_number(value: Any) -> bool:
    return type(value) is float or (type(value) is int and -LARGEST_FLOAT < value < LARGEST_FLOAT)


def _are_numbers(values: list[Any]) -> bool:
    return all(value is None or _is_number(value) for value in values)


def _flat(fields: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """The fields that records may have, those of entries by name; `...` for one that only JSON can say."""
    for name, value in fields.items():
        if name in DIRECT and value is not None:
            yield name, value
        elif name in ENTRIES and type(value) is dict and all(f"{name}.{inner}" in OURS for inner in value):
            for inner, of_entry in value.items():
                if of_entry is not None:
                    yield f"{name}.{inner}", of_entry
        elif (
            name == "contributions" and type(value) is dict and value and all(map(_is_number, value.values()))
        ):
            for inner, number in value.items():
                yield f"{name}.{inner}", number
        elif name in OPEN and value is None:
            yield name, OPEN[name]
        elif name == "iteration":
            yield name, value
        elif name not in OURS and "." not in name and name not in (*ENTRIES, "contributions", "children"):
            yield name, value if type(value) in (bool, int, float, str) else ...
        elif name not in OURS or "." in name:
            yield name, ...


def _put_back(fields: dict[str, Any], name: str, value: Any) -> None:
    """Put a field where JSON has it: `tt.depth` into `tt`."""
    entry, dot, inner = name.partition(".")
    if dot:
        fields.setdefault(entry, {})[inner] = value
    else:
        fields[name] = value


def _merge(known: dict[str, Any], fields: dict[str, Any]) -> None:
    """State `fields` again: null changes nothing, entries are merged, all else is replaced."""
    for name, value in fields.items():
        if name == "parent" or (value is None and name in DIRECT and name not in (*OPEN, "iteration")):
            continue
        if name in ENTRIES and type(value) is dict and type(known.get(name)) is dict:
            known[name].update({inner: each for inner, each in value.items() if each is not None})
        else:
            known[name] = value


def _plain_value(value: Any) -> Any:
    """The value as JSON reads back: numbers and arrays of numpy as Python's own, other objects as text."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return [_plain_value(inner) for inner in value]
    if isinstance(value, dict):
        return {
            inner if type(inner) is str else _key(inner): _plain_value(each) for inner, each in value.items()
        }
    if hasattr(value, "tolist"):
        return _plain_value(value.tolist())
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    return str(value)


def _key(name: Any) -> str:
    """The text of an object's key, as JSON writes it."""
    return "true" if name is True else "false" if name is False else "null" if name is None else str(name)
