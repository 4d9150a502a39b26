"""A search log for Plyscope, one JSON line a node: copy this file beside your engine. No dependencies.

With Plyscope installed, `from plyscope import Logger` is this class without a copy.

    log = SearchLog("search.jsonl", game="nim", search={"perspective": "mover"})
    with log.search(iteration=depth):                        # around each search from the root
        log.enter(ply, depth=depth, alpha=alpha, beta=beta)  # first thing in the search of a node
        log.cut(plies_not_searched)                          # where beta was reached
        log.score(best, outcome="searched", bound="exact")   # last thing, whatever it returns
    log.done(ply=chosen, score=best)                         # after all searches

`log.only_below(["e2e4", "e7e5"])`, `log.only_at(key)` and `log.max_rows(100000)` keep a large search small.

A log belongs to one thread; each may have its own. Texts are UTF-8, with U+FFFD for each lone surrogate,
and `done` says on stderr how many these were. Nodes that an exception leaves open are logged as `stopped`.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import re
import socket
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class SearchLog:
    """Writes a search as JSON Lines; the arguments of its own name go into the header.

    If `path` ends in `.plyb`, it writes the compact form, by binary_log.py, which then lies beside this file.
    `path` is a file, or `tcp:5015` for `plyscope view --listen 5015`, where `breakpoint` holds the search.

    `buffer` is how many bytes may wait in memory. With 0 each line is written at once, so a crash loses
    nothing; 65536 is faster, and a killed process loses up to that much. Nodes below `max_level` (the root
    is at level 0) get no rows: one `unlogged` row below their last logged ancestor says how many they were.
    """

    def __new__(cls, path: str | os.PathLike[str], *_: Any, **__: Any) -> SearchLog:
        if cls is SearchLog and str(os.fspath(path)).endswith(".plyb"):  # the compact form
            home = f"{__package__}.binary_log" if __package__ else "binary_log"
            cls = importlib.import_module(home).BinaryLog
        return super().__new__(cls)

    def __init__(
        self, path: str | os.PathLike[str], *, buffer: int = 0, max_level: float = math.inf, **header: Any
    ) -> None:
        self._file = self._open(path, buffer)
        self.close = weakref.finalize(self, self._file.close)
        """Close the file. What waits in the buffer is written then, or at the end of the program."""
        self._max_level = max_level
        self._path: list[int] = []  # the ids of the nodes entered and not left
        self._next_id = 0
        self._iteration: int | None = None  # of the searches from now on
        self._root_iteration: int | None = None  # of the last root, which may say it itself
        self._n_hidden = 0  # how many nodes below `_path` are entered and not left
        self._n_unlogged = 0  # how many nodes the next `unlogged` row stands for
        self._unlogged_plies: set[str] = set()
        self._below: list[str] = []  # the plies that lead to what is wanted
        self._at: str | None = None  # its key
        self._inside: int | None = None  # the height of the node of this key that is open
        self._above: list[tuple[object, dict[str, Any]]] = []  # hidden nodes on the way to such a node
        self._is_new = False  # whether the first of them gave `_unlogged_plies` its ply
        self._most_rows = math.inf
        self._thread = 0  # that entered the root
        self.n_replaced = 0
        """Surrogates without their other half, for each of which U+FFFD was written."""
        self._write({"plyscope": 1, **header})

    def only_below(self, plies: Iterable[object]) -> None:
        """From now on log nothing but the way by these plies from the root, and what is below its end."""
        self._below = [str(ply) for ply in plies]

    def only_at(self, key: object) -> None:
        """From now on log nothing but the nodes whose `key` is this one, the way there, and what is below."""
        self._at = str(key)

    def max_rows(self, n_rows: int) -> None:
        """Give only the root and its plies rows once there are so many; the rest is counted."""
        self._most_rows = n_rows

    def enter(self, ply: object = None, /, **fields: Any) -> int | None:
        """Log that a node is entered below the one entered last and not left.

        Return its id, for `tt={"from": id}` where the table entry that this node stores is used later; None
        where the node gets no row.
        """
        self._own()
        if self._above and len(self._above) == self._n_hidden and str(fields.get("key")) == self._at:
            self._show_above()
        if self._hides(ply, fields):
            self._n_hidden += 1
            self._n_unlogged += 1
            if self._n_hidden == 1 and fields.get("purpose") not in ("null", "probe"):
                self._is_new = str(ply) not in self._unlogged_plies
                self._unlogged_plies.add(str(ply))  # once, though it be searched again
            return None
        self._write_unlogged()
        if not self._path:
            self._root_iteration = fields.get("iteration", self._iteration)
        node = self._new()
        self._path.append(node["id"])
        self._write({**node, **({} if ply is None else {"ply": str(ply)}), **fields})
        return int(node["id"])

    def score(self, score: object, /, **fields: Any) -> None:
        """Log what the node entered last came to, and leave it."""
        self._own()
        if self._n_hidden:
            self._n_hidden -= 1
            del self._above[self._n_hidden :]
            return
        if not self._path:
            raise ValueError("score() without enter(): each node is entered once and scored once")
        self._write_unlogged()
        self._write({"id": self._path[-1], "score": score, **fields})
        self._pop()

    def cut(self, plies: Iterable[object] | int | None = None, /, outcome: str = "pruned") -> None:
        """Log the siblings that the node entered last will not search, as one row.

        `plies` are their names, or how many they are, or None where not even that is known.
        """
        self._own()
        names = [str(ply) for ply in plies] if isinstance(plies, Iterable) else None
        count = plies if names is None else len(names)
        if self._n_hidden or count == 0:
            return
        if not self._path:
            raise ValueError("cut() without enter(): it belongs into a node")
        self._write_unlogged()
        known = {"count": count, "plies": names}
        self._write({**self._new(), "outcome": outcome, **{k: v for k, v in known.items() if v is not None}})

    def abandon(self) -> None:
        """Log the nodes that are still open as stopped: the next one entered is a root."""
        self._leave_to(0)
        if not self._file.closed:
            self._file.flush()

    @contextmanager
    def search(self, iteration: int | None = None) -> Iterator[SearchLog]:
        """Surround one search from the root. However it ends, the next one begins at the root again."""
        self.abandon()
        self._iteration = iteration
        try:
            yield self
        finally:
            self.abandon()

    def node(self, ply: object = None, /, **fields: Any) -> Node:
        """Enter a node by `with`, and leave it there: as stopped, unless a score was logged."""
        return Node(self, ply, fields)

    def done(self, **result: Any) -> None:
        """Log the choice, and close the file."""
        self.abandon()
        self._write({"result": result})
        self.close()
        if self.n_replaced:
            said = f"{self.n_replaced} surrogates had no other half: U+FFFD stands for each"
            print(f"search log: {said}", file=sys.stderr)

    def __enter__(self) -> SearchLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def breakpoint(self, why: str = "") -> None:
        """Hold the search here until the page says go on; a log that is no socket's goes on at once."""
        if isinstance(self._file, Connection):
            node = {"node": self._path[-1]} if self._path else {}
            self._write({"hold": why, **node})
            self._file.wait()

    def _open(self, path: str | os.PathLike[str], buffer: int) -> Any:
        if str(path).startswith("tcp:"):
            return Connection(int(str(path)[4:]), buffer)
        return open(path, "wb", buffering=buffer)

    def _leave_to(self, height: int) -> None:
        """Leave nodes as stopped, the last entered first, until `height` of them are open."""
        self._n_hidden = min(self._n_hidden, max(0, height - len(self._path)))
        del self._above[self._n_hidden :]
        while len(self._path) > height:
            self._write_unlogged()
            node = self._named(self._path[-1], self._path[:-1])  # its line may be lost, if a signal came
            self._write({**node, "outcome": "stopped"})
            self._pop()

    def _pop(self) -> None:
        self._path.pop()
        if self._inside is not None and len(self._path) <= self._inside:
            self._inside = None

    def _hides(self, ply: object, fields: dict[str, Any]) -> bool:
        """Whether the node that is entered gets no row."""
        level = self._height()
        if self._n_hidden != len(self._above):
            return True
        if level > self._max_level or (level > 1 and self._next_id >= self._most_rows):
            return True
        if 0 < level <= len(self._below) and str(ply) != self._below[level - 1]:
            return True
        if self._at is None or self._inside is not None:
            return False
        if str(fields.get("key")) == self._at:
            self._inside = level
        elif level:
            self._above.append((ply, fields))
            return True
        return False

    def _show_above(self) -> None:
        """Write the hidden nodes on the way to the one that is entered, as if they had been wanted."""
        above, self._above = self._above, []
        self._n_hidden = 0
        self._n_unlogged -= len(above)
        if self._is_new:
            self._unlogged_plies.discard(str(above[0][0]))
        self._write_unlogged()
        for ply, fields in above:
            self._path.append(self._next_id)
            self._write({**self._named(self._next_id, self._path[:-1]), "ply": str(ply), **fields})
            self._next_id += 1

    def _height(self) -> int:
        return len(self._path) + self._n_hidden

    def _new(self) -> dict[str, Any]:
        self._next_id += 1
        return self._named(self._next_id - 1, self._path)

    def _named(self, row: int, above: list[int]) -> dict[str, Any]:
        return {"id": row, **({"parent": above[-1]} if above else {"iteration": self._root_iteration})}

    def _write_unlogged(self) -> None:
        if self._n_unlogged:
            stub = {"outcome": "unlogged", "count": len(self._unlogged_plies), "nodes": self._n_unlogged}
            self._n_unlogged, self._unlogged_plies = 0, set()
            self._write({**self._new(), **stub})

    def _write(self, line: dict[str, Any]) -> None:
        try:
            text = _encode(line)
        except ValueError:
            text = _encode(_spelled(line))
        data, n_replaced = _utf8(f"{text}\n")
        self.n_replaced += n_replaced
        self._file.write(data)

    def _own(self) -> None:
        thread = threading.get_ident()
        if not self._path and not self._n_hidden:
            self._thread = thread
        if self._thread != thread:
            raise RuntimeError("a search log belongs to one thread: open one for each")


class Connection:
    """A connection to `plyscope view --listen PORT`. Once it is closed, what is written is dropped."""

    def __init__(self, port: int, buffer: int) -> None:
        try:
            self._socket = socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError as error:
            hint = f"nobody listens on port {port}: start `plyscope view --listen {port}` first"
            raise ConnectionRefusedError(error.errno, hint) from None
        self._port = port
        self._waiting = bytearray()
        self._buffer = buffer
        self.closed = False

    def write(self, data: bytes) -> None:
        self._waiting += data
        if len(self._waiting) > self._buffer:
            self.flush()

    def flush(self) -> None:
        try:
            if not self.closed:
                self._socket.sendall(self._waiting)
        except OSError:
            self._lose()
        self._waiting.clear()

    def wait(self) -> None:
        """Wait until the viewer says go on; where it says anything else, or ends, it takes no more."""
        self.flush()
        line = b""
        try:
            while not self.closed and not line.endswith(b"\n"):
                line += self._socket.recv(1) or b"gone\n"
        except OSError:
            line = b"gone\n"
        if not self.closed and line != b"go\n":
            self._lose()

    def _lose(self) -> None:
        self.closed = True
        self._socket.close()
        reason = "it was closed, or shows another engine; what is logged from here on is dropped"
        print(f"the viewer on port {self._port} takes no more of this log: {reason}", file=sys.stderr)

    def close(self) -> None:
        self.flush()
        if not self.closed:
            self.closed = True
            self._socket.close()


class Node:
    """A node for `with`. `id` is its id, None where it gets no row."""

    def __init__(self, log: SearchLog, ply: object, fields: dict[str, Any]) -> None:
        self._log, self._ply, self._fields = log, ply, fields
        self._height = log._height()
        self.id: int | None = None

    def __enter__(self) -> Node:
        self.id = self._log.enter(self._ply, **self._fields)
        return self

    def score(self, score: object, /, **fields: Any) -> None:
        """Log what the node came to, and leave it; what is still open below it was stopped."""
        self._log._leave_to(self._height + 1)
        self._log.score(score, **fields)

    def __exit__(self, *_: object) -> None:
        self._log._leave_to(self._height)


def _utf8(text: str) -> tuple[bytes, int]:
    """The text in UTF-8, and how many surrogates without their other half were replaced."""
    try:
        return text.encode(), 0
    except UnicodeEncodeError:
        text, n_replaced = re.subn("[\ud800-\udfff]", "\ufffd", text)
        return text.encode(), n_replaced


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy and its like as JSON has them; other objects as text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _spelled(value: Any) -> Any:
    """JSON has no infinities: they are the texts "inf", "-inf" and "nan"."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, dict):
        return {key: _spelled(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_spelled(inner) for inner in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain).encode
