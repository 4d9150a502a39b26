"""JSON Lines: the streaming form that any engine can print, a node a line, in any order of arrival.

A line of an id that was seen updates its node; a parent may come later in the file; a file that was cut loads
up to the cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

from plyscope.engine.former import ENGINE
from plyscope.visualizer.formats.cut_path import with_open_path
from plyscope.visualizer.formats.draft import Draft
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys, notices_of_duplicates
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import CutShort, LogError, missing_lines, shown
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.literal import read_literal
from plyscope.visualizer.formats.result_lines import ResultLines
from plyscope.visualizer.store.log import Log

NO_PARENT: Final = (-1, "")
"""What writers without a null name as the parent of a root, where no node has it as its id."""
LINES_TOLD: Final = 20
"""Lines that say how a log without a header names its fields."""
LINES_A_REPORT: Final = 20_000
LONGEST_FIRST_LINE: Final = 2**20
"""A longer first line is no header and no node, but a whole document, which is not to be read twice."""


def is_json_lines(data: bytes) -> bool:
    """Whether the first line is a header without a tree, or a node with more lines after it.

    >>> is_json_lines(b'{"plyscope": 1}'), is_json_lines(b'{"id": 1, "children": []}')
    (True, False)
    """
    start = len(data) - len(data.lstrip())
    end = data.find(b"\n", start)
    line = data[start:] if end < 0 else data[start:end]
    if len(line) > LONGEST_FIRST_LINE or not line.startswith(b"{") or not line.rstrip().endswith(b"}"):
        return False
    try:
        first = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    if "plyscope" in first:
        return "root" not in first and "roots" not in first
    if "id" not in first or "children" in first:
        return False
    return "parent" in first or (end >= 0 and data[end : end + 1000].lstrip().startswith(b"{"))


def is_table_of_others(start: bytes) -> bool:
    """Whether the first lines of a log without a header name its fields in words of their own.

    >>> is_table_of_others(b'{"id": 0, "parent": null, "eval": 3}' + bytes([10]) + b'{"id": 1, "parent": 0}')
    True
    """
    from plyscope.visualizer.formats.foreign.find.rows import is_of_others

    names: dict[str, None] = {}
    for line in start.splitlines()[:LINES_TOLD]:
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError:
            break
        if not isinstance(fields, dict) or "plyscope" in fields:
            return False
        names |= dict.fromkeys(fields)
    return is_of_others(names)


def read_json_lines(
    data: bytes,
    *,
    notices: Sequence[str] = (),
    cut: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> Log:
    """The log of the lines of `data`; `cut` says that it is known to be cut short.

    Raises LogError with the line.

    >>> log = read_json_lines(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}')
    >>> log.columns["id"].tolist(), log.columns["parent"].tolist()
    ([7, 9], [-1, 0])
    """
    reading = _Reading(notices, cut)
    lines = data.split(b"\n")
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    loads = orjson.loads
    for number in range(1, last + 1):
        line = lines[number - 1]
        try:
            fields = loads(line)
        except orjson.JSONDecodeError:
            if not line.strip():
                continue
            try:
                fields = reading.odd_line(line, number)
            except CutShort:
                if number < last or last < len(lines):
                    raise
                reading.cut_at(number)
                break
        else:
            is_plain = type(fields) is dict and line.count(b":") == len(fields)
            if not is_plain and may_have_duplicate_keys(line, fields):
                fields = reading.odd_line(line, number)
        reading.line(fields, number)
        if on_progress is not None and number % LINES_A_REPORT == 0:
            on_progress(number / last)
    return reading.finish()


def lacks_our_end(header: Mapping[str, Any] | None, *, has_ended: bool) -> bool:
    """Whether our own writer, which ends with a line for the result, did not come to its end."""
    search = (header or {}).get("search")
    return isinstance(search, dict) and search.get("engine") == ENGINE and not has_ended


class _Reading:
    """The nodes read so far, by their ids, and the parents that have not come yet."""

    def __init__(self, notices: Sequence[str], cut: bool) -> None:
        self.draft = Draft()
        for notice in notices:
            self.draft.notice(notice)
        self.header: dict[str, Any] | None = None
        self.results = ResultLines()
        self.n_node_lines = 0
        self.number_of: dict[int | str, int] = {}
        self.waiting: dict[int, tuple[int | str, int]] = {}
        """Nodes whose parent has not come: its id, and the line that named it."""
        self.cut = cut
        self.lacks_a_line = False
        self.late_parents = False
        self.has_parents = self.has_iterations = False
        self.updated = False
        self.mended = False
        self.last_root_line = 0
        self.twice: set[str] = set()
        """Keys of which it was told that a line writes them twice."""

    def line(self, fields: Any, line: int) -> None:
        """Take one line: the header, a node, an update or the result."""
        if type(fields) is not dict:
            raise LogError(f"found {shown(fields)}, expected an object", line=line)
        is_first = self.header is None and not len(self.draft)
        if "id" not in fields or (is_first and "plyscope" in fields):
            self._beside_nodes(fields, line)
            return
        name = fields["id"]
        if type(name) is not int and type(name) is not str:
            if type(name) is not float or not name.is_integer():
                raise LogError(
                    f"found {shown(name)}, expected a whole number or a text", line=line, path="$.id"
                )
            name = fields["id"] = int(name)
        if "children" in fields:
            message = "found `children`, expected each child on a line of its own that names its `parent`"
            raise LogError(message, line=line, path="$.children")
        self.n_node_lines += 1
        number = self.number_of.get(name)
        if number is None:
            self._node(name, fields, line)
        else:
            self._update(number, name, fields, line)

    def odd_line(self, line: bytes, number: int) -> Any:
        """A line that is no strict JSON (numbers that JSON lacks, a literal), or writes a key twice."""
        literal = read_literal(decoded(line, first_line=number), first_line=number)
        for notice in literal.notices:
            self.draft.notice(notice)
        for key, notice in notices_of_duplicates(literal, ("id", "parent")).items():
            if key not in self.twice:
                self.twice.add(key)
                self.draft.notice(notice)
        return literal.value

    def cut_at(self, line: int) -> None:
        """Line `line`, the last one, is incomplete."""
        self.cut = self.lacks_a_line = True
        self.draft.notice(
            f"The log is cut short: its last line, line {line}, is incomplete and was left out."
        )

    def finish(self) -> Log:
        """The log of all lines."""
        if not len(self.draft):
            raise LogError(
                "the log has no node, expected a `root` in it or " + 'lines such as {"id": 0, "score": 1.5}'
            )
        if self.cut and not self.lacks_a_line:
            self.draft.notice("The packed file is cut short: what followed its last whole line is missing.")
        if self.waiting:
            self._settle_orphans()
        header = dict(self.header or {})
        for notice in self.results.notices(self.header, self.n_node_lines):
            self.draft.notice(notice)
        if self.results.result is not None:
            header["result"] = self.results.result
        if self.header is None and not self.has_parents and len(self.draft) > 1 and not self.has_iterations:
            raise LogError(
                f"this looks like a table of {len(self.draft):,} rows of which none names its `parent`, "
                'expected a node a line: {"id": 1, "parent": 0, "ply": "c6", "score": 3}'
            )
        log = self.draft.seal(header, roots_need_iterations=not self.mended)
        is_cut = self.cut or lacks_our_end(self.header, has_ended=self.results.has_ended)
        if is_cut and not self.updated and not self.late_parents:
            return with_open_path(log)
        return log

    def _beside_nodes(self, fields: dict[str, Any], line: int) -> None:
        if "plyscope" in fields:
            if self.header is not None or len(self.draft):
                raise LogError("found a second header, expected it on the first line only", line=line)
            if "root" in fields or "roots" in fields:
                raise LogError("found a tree in the header, expected a node a line", line=line)
            try:
                read_header(fields)
            except LogError as error:
                error.line = line
                raise
            self.header = fields
        elif "result" in fields:
            try:
                self.results.take(fields, self.n_node_lines)
            except LogError as error:
                error.line = line
                raise
        else:
            raise LogError("this line has no `id`, expected one on every node", line=line)

    def _node(self, name: int | str, fields: dict[str, Any], line: int) -> None:
        parent = self._parent_named(fields, line)
        self.has_parents |= parent is not None
        if parent == name and not len(self.draft):
            parent = None  # as writers do who keep parents in an array
        self.has_iterations |= "iteration" in fields
        above = None if parent is None else self.number_of.get(parent)
        number = self.draft.add(fields, above, line)
        self.number_of[name] = number
        if parent is None:
            self.last_root_line = line
        elif above is None:
            self.waiting[number] = (parent, line)

    def _update(self, number: int, name: int | str, fields: dict[str, Any], line: int) -> None:
        parent = self._parent_named(fields, line)
        self.draft.update(number, fields, line)
        self.updated = True
        if parent is None or (parent == name and number == 0):
            return
        if number in self.waiting:
            known: int | str | None = self.waiting[number][0]
        else:
            above = self.draft.parent(number)
            if above is not None and self.number_of.get(parent) == above:
                return
            known = next((known for known, at in self.number_of.items() if at == above), None)
        if known != parent:
            was = "a root" if known is None else f"under {shown(known)}"
            message = f"node {shown(name)} is under {shown(parent)} here, but it was {was} before"
            raise LogError(f"{message}, expected the same parent", line=line, path="$.parent")

    def _parent_named(self, fields: dict[str, Any], line: int) -> int | str | None:
        parent = fields.pop("parent", None)
        if parent is None or type(parent) is int or type(parent) is str:
            return parent
        if type(parent) is float and parent.is_integer():
            return int(parent)
        raise LogError(
            f"found {shown(parent)}, expected the id of a node or null", line=line, path="$.parent"
        )

    def _settle_orphans(self) -> None:
        """Find the parents that came later; those that never came are an error, or lie beyond a cut."""
        orphans = {}
        for number, (parent, line) in self.waiting.items():
            above = self.number_of.get(parent)
            if above is not None:
                self.draft.set_parent(number, above)
                self.late_parents = True
            elif parent in NO_PARENT:
                self.last_root_line = max(self.last_root_line, line)
            else:
                orphans[number] = (parent, line)
        if not orphans or self._counts_from_one(orphans):
            return
        first_line = min(line for _, line in orphans.values())
        prints_on_exit = self.late_parents and first_line > self.last_root_line
        may_end_here = prints_on_exit or not self.last_root_line
        if not self.cut and (self.results.result is not None or not may_end_here):
            parent, line = next((named, line) for named, line in orphans.values() if line == first_line)
            raise LogError(f"the parent {shown(parent)} never comes, expected the id of a node", line=line)
        self._mend(orphans)

    def _counts_from_one(self, orphans: Mapping[int, tuple[int | str, int]]) -> bool:
        """Whether all that lacks its parent is the first line, which names node 0 and has children itself."""
        named = [parent for parent, _ in orphans.values()]
        return [*orphans] == [0] and named == [0] and 0 in map(self.draft.parent, range(1, len(self.draft)))

    def _mend(self, orphans: dict[int, tuple[int | str, int]]) -> None:
        """Put open nodes where parents lie beyond the cut; several of them go under an open root."""
        self.mended = True
        missing = list(dict.fromkeys(parent for parent, _ in orphans.values()))
        self.draft.notice(f"The log ends before {missing_lines('line', missing)}.")
        root = None
        if len(missing) > 1:
            whole = [name for name in (*self.number_of, *missing) if type(name) is int]
            root = self.draft.add({"id": max(whole, default=0) + 1, "outcome": "open"}, None)
        for name in missing:
            self.number_of[name] = self.draft.add({"id": name, "outcome": "open"}, root)
        for number, (parent, _) in orphans.items():
            self.draft.set_parent(number, self.number_of[parent])
