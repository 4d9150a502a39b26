"""A sealed search log: the header, the columns in pre-order, and the texts beside them.

This is the one shape that every reader makes and every answer is computed from. It is read-only once made;
it knows nothing of files' forms (see `formats`) and nothing of the page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store import words
from plyscope.visualizer.store.mapped import UnnamedFile

if TYPE_CHECKING:
    from plyscope.visualizer.store.kept_columns import KeptColumns

KeyForm = Literal["", "hex", "number", "text"]
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Factor:
    """A named term of the evaluation: `contribution = weight * value`; the weight is None where unknown."""

    name: str
    weight: float | None = None
    meaning: str | None = None
    """The meaning of the value, in a sentence for people, if the log states it."""


@dataclass(frozen=True)
class Root:
    """One tree of the forest: its row, and its iteration where the log says."""

    row: int
    iteration: int | None = None


@dataclass(frozen=True)
class Lists:
    """Lists of texts on a few rows (a stub's plies), with an optional number each (their pre-scores).

    Row `rows[i]` has `texts[starts[i]:starts[i + 1]]`, indices into the log's texts, and the same slice of
    `numbers` (NaN where unknown). `rows` ascends.
    """

    rows: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    texts: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.float64]

    @cached_property
    def has_texts(self) -> npt.NDArray[np.bool_]:
        """True for each list that states its texts; one without items does."""
        return np.asarray(self._has_any(self.texts >= 0) | (np.diff(self.starts) == 0))

    @cached_property
    def has_numbers(self) -> npt.NDArray[np.bool_]:
        """True for each list that states a number, or else no texts."""
        return self._has_any(~np.isnan(self.numbers)) | ~self.has_texts

    def _has_any(self, is_stated: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        return np.asarray(np.diff(np.append(0, np.cumsum(is_stated))[self.starts]) > 0)

    def of(self, row: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """The text indices and numbers of `row`, both empty where it has none."""
        at = int(np.searchsorted(self.rows, np.int32(row)))  # an int would copy all rows as int64
        if at == len(self.rows) or self.rows[at] != row:
            return self.texts[:0], self.numbers[:0]
        piece = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.texts[piece], self.numbers[piece]


@dataclass(frozen=True)
class Extras:
    """Fields unknown to the format: row `rows[i]` has `blob[starts[i]:starts[i + 1]]`, a JSON object."""

    rows: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    blob: bytes | memoryview
    file: UnnamedFile | None = None
    """A file without a name that holds the blob and nothing else."""

    def of(self, row: int) -> bytes:
        """The JSON object of `row`, empty bytes where it has none."""
        at = int(np.searchsorted(self.rows, np.int32(row)))  # an int would copy all rows as int64
        if at == len(self.rows) or self.rows[at] != row:
            return b""
        return bytes(self.blob[int(self.starts[at]) : int(self.starts[at + 1])])

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in another process has the bytes, wherever they are here."""
        return Extras, (self.rows, self.starts, bytes(self.blob))


@dataclass(frozen=True)
class ChildIndex:
    """The rows sorted by `parent`, the column it was made of, and where the children of each row start."""

    parent: Array
    rows: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]


def child_index(parent: Array) -> ChildIndex:
    """Index the children of each row; siblings are in the order searched.

    >>> index = child_index(np.array([-1, 0, 1, 0]))
    >>> index.rows.tolist(), index.starts.tolist()
    ([1, 3, 2], [0, 2, 3, 3, 3])
    """
    by_parent = np.argsort(parent, kind="stable")
    counts = np.bincount(parent[parent >= 0], minlength=len(parent))
    starts = np.zeros(len(parent) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return ChildIndex(parent, by_parent[len(parent) - int(starts[-1]) :], starts)


@dataclass(frozen=True)
class Lines:
    """The long lines of a log, as rows, and the `columns` and the `header` that they were made of."""

    columns: Mapping[str, Array]
    header: Mapping[str, Any]
    variation: npt.NDArray[np.int32]
    """The principal variation, its root first."""
    deciding: npt.NDArray[np.int32]
    """The main root, and the rows of the line that decided its score."""


@dataclass(frozen=True)
class Counted:
    """The totals of a log (see `analysis.statistics.totals`), and the `columns` that they were made of."""

    columns: Mapping[str, Array]
    levels: npt.NDArray[np.int64]
    """A row a level, a column a kind."""
    searched: tuple[int, int]
    """The number of nodes searched, and that of stubs without a count."""


@dataclass
class Played:
    """Positions and plies of a log that were played through, a cache for later questions."""

    states: OrderedDict[int, Array] = field(default_factory=OrderedDict)
    """Positions by row, the one not asked for longest first."""
    names: dict[tuple[int, str], str] = field(default_factory=dict)
    """The shown texts of plies, by the row of their position and the log's text."""
    respells: bool | None = None
    """Whether they differ from the log's texts; None until one is asked for."""
    lock: Any = field(default_factory=Lock)


def object_in(header: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object of this name in a header; empty where the header has none, or something else."""
    found = header.get(name)
    return found if isinstance(found, Mapping) else {}


@dataclass(frozen=True, eq=False)
class Log:
    """A sealed log. `columns` are arrays of one length, named in `store.columns`; a missing one is absent."""

    header: Mapping[str, Any]
    """The native header as read (`game`, `search`, `result`, unknown keys too), without the tree."""
    columns: Mapping[str, Array]
    texts: Sequence[str]
    """Every distinct text once: plies, positions, boards, reasons, text keys."""
    roots: tuple[Root, ...]
    players: tuple[str, ...] = ()
    factors: tuple[Factor, ...] = ()
    contribution_names: tuple[str, ...] = ()
    key_form: KeyForm = ""
    stub_plies: Lists | None = None
    extras: Extras | None = None
    notices: tuple[str, ...] = ()
    """The reader's guesses, omissions and repairs, each a sentence for the user."""
    mapping: Mapping[str, str] = field(default_factory=dict)
    """For a foreign tree: which field of the file was taken for which of ours (`{"score": "value"}`)."""
    shape: str = ""
    """For a foreign tree: a digest of its nodes' field names, under which a mapping is remembered."""
    fields: tuple[str, ...] = ()
    """For a foreign tree: the field names seen on its nodes, for the page's mapping menu."""
    children: ChildIndex | None = field(default=None, repr=False, compare=False)
    """The index of a converted log, made once and kept beside its columns."""
    kept: KeptColumns | None = field(default=None, repr=False, compare=False)
    """The columns of a converted log's unknown fields, once they were made."""
    lines: Lines | None = field(default=None, repr=False, compare=False)
    """The lines of a converted log, found once and kept with its columns (`analysis.nodes.deciding_line`)."""
    counted: Counted | None = field(default=None, repr=False, compare=False)
    """The counts of a converted log, made once and kept beside its columns."""
    lock: object = field(default=None, repr=False, compare=False)
    """The lock of a converted log's folder, which is not cleared while this log or a copy exists."""

    @property
    def search(self) -> Mapping[str, Any]:
        """The object `search` of the header; empty where there is none."""
        return object_in(self.header, "search")

    @property
    def result(self) -> Mapping[str, Any]:
        """The object `result` of the header; empty where there is none."""
        return object_in(self.header, "result")

    @property
    def n_rows(self) -> int:
        """Rows in the table, stubs included."""
        return len(self.columns["parent"])

    @property
    def chosen_ply(self) -> str | None:
        """The ply that the result names, None where it names none."""
        ply = self.result.get("ply")
        return ply if isinstance(ply, str) else None

    def column(self, name: str) -> Array | None:
        """The column, or None where no row of this log states it."""
        return self.columns.get(name)

    @cached_property
    def played(self) -> Played:
        """The positions played through so far (see `store.positions`)."""
        return Played()

    @cached_property
    def iterations(self) -> tuple[Array, Array]:
        """The rows of the roots, and their iterations, -1 where they have none."""
        said = [-1 if root.iteration is None else root.iteration for root in self.roots]
        return np.array([root.row for root in self.roots]), np.array(said)

    @property
    def has_iterations(self) -> bool:
        """Whether some root has an iteration."""
        return bool((self.iterations[1] >= 0).any())

    def iterations_of(self, rows: Array) -> Array:
        """The iterations of some ascending rows, -1 where they have none."""
        roots, iterations = self.iterations
        first, last = np.searchsorted(roots, [rows[0], rows[-1] + 1])
        at = np.searchsorted(rows, roots[first:last])
        is_there = rows[at] == roots[first:last]
        found: Array = np.full(len(rows), -1, np.int64)
        found[at[is_there]] = iterations[first:last][is_there]
        return found

    def text(self, index: int) -> str | None:
        """The text at `index` of `texts`, None for an absent one (-1)."""
        return self.texts[index] if index >= 0 else None


def named_root(log: Log) -> int | None:
    """The row of the root that `result.root` names; None where it names none of this log."""
    named = log.result.get("root")
    if isinstance(named, int) and not isinstance(named, bool) and 0 <= named < len(log.roots):
        return log.roots[named].row
    return None


def last_finished_root(log: Log) -> int | None:
    """The row of the last root whose iteration was finished; None where the clock cut them all.

    A root that was entered and never left often states neither outcome nor score. Where the last roots were
    cut, the ones before them may be the windows that failed in the same iteration: an exact root comes first.
    """
    rows = [root.row for root in log.roots]
    finished = [row for row in rows if log.columns["outcome"][row] not in (words.STOPPED, words.OPEN)]
    finished = [row for row in finished if not np.isnan(log.columns["score"][row])] or finished
    uncut = [row for row in finished if not _was_cut(log, row)] or finished
    if uncut and uncut[-1] != rows[-1]:
        exact = [row for row in uncut if log.columns["bound"][row] in (0, words.EXACT)]
        uncut = exact or uncut
    return uncut[-1] if uncut else None


def main_root(log: Log) -> int:
    """The row of the root that the result names, else of the last finished one, else of the last one.

    Its tree is the one that the page opens on, commands answer about, and checks compare.
    """
    for row in (named_root(log), last_finished_root(log)):
        if row is not None:
            return row
    return _last_with_score([root.row for root in log.roots], log)


def _last_with_score(rows: Sequence[int], log: Log) -> int:
    scored = [row for row in rows if not np.isnan(log.columns["score"][row])]
    return (scored or rows)[-1]


def _was_cut(log: Log, row: int) -> bool:
    """Whether a ply of the root was stopped, whatever the root itself says."""
    below = slice(row + 1, int(log.columns["end"][row]))
    is_stopped = log.columns["outcome"][below] == words.STOPPED
    return bool((log.columns["parent"][below][is_stopped] == row).any())


class OfLog(Protocol):
    """Something that a log is seen by, such as a sight."""

    @property
    def log(self) -> Log:
        """The log itself."""


Seen = TypeVar("Seen", bound=Log | OfLog)
Value = TypeVar("Value")


def once_a_log(make: Callable[[Seen], Value]) -> Callable[[Seen], Value]:
    """Cache the value of a function of a log, or of a sight of one, as long as the log exists.

    The value must not hold a reference to the log.
    """
    values: WeakKeyDictionary[Log, Value] = WeakKeyDictionary()

    @wraps(make)
    def kept(seen: Seen) -> Value:
        log = seen if isinstance(seen, Log) else seen.log
        if log not in values:
            values[log] = make(seen)
        return values[log]

    return kept
