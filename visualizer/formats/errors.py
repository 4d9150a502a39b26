"""Errors of logs that cannot be read: one sentence, with the place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plyscope.engine.quoting import visible


class LogError(ValueError):
    """A log that cannot be read: `message` says what was found and what was expected, the rest says where.

    `line` and `column` count from 1; `path` is a JSON path such as `$.root.children[3].score`. `file` is the
    name of the log, if its reader gave one.

    >>> str(LogError("found true, expected a number", path="$.root.score"))
    '$.root.score: found true, expected a number'
    >>> str(LogError("found }, expected a value", line=3, column=14))
    'line 3, column 14: found }, expected a value'
    >>> str(LogError("found the name " + chr(10)))  # one sentence on one line, whatever a log calls its nodes
    'found the name \\\\n'
    """

    def __init__(
        self, message: str, *, line: int | None = None, column: int | None = None, path: str | None = None
    ) -> None:
        self.message = message
        self.line = line
        self.column = column
        self.path = path
        self.file: str | None = None
        super().__init__(message)

    def __str__(self) -> str:
        places = []
        if self.line is not None:
            places.append(f"line {self.line}")
        if self.column is not None:
            places.append(f"column {self.column}")
        if self.path is not None:
            places.append(self.path)
        said = f"{', '.join(places)}: {self.message}" if places else self.message
        return visible(said if self.file is None else f"{self.file}: {said}")


class CutShort(LogError):  # noqa: N818
    """A text that ends within a value."""


class TooLarge(LogError):  # noqa: N818
    """A log that is larger, or unpacks to more, than the limit in force."""


def shown(value: Any) -> str:
    """A value as an error shows it: as short JSON; containers only by kind.

    >>> shown(True), shown("high"), shown([1, 2])
    ('true', '"high"', 'a list')
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def missing_lines(kind: str, ids: Sequence[Any], most: int = 5) -> str:
    """The lines of missing parents, which are shown as open nodes, in words.

    >>> missing_lines("line", [9])
    'the line of 1 parent (id 9), shown as an open node'
    >>> missing_lines("record", [2, 1])
    'the records of 2 parents (ids 2, 1), shown as open nodes'
    """
    names = ", ".join(shown(name) for name in ids[:most]) + (", …" if len(ids) > most else "")
    if len(ids) == 1:
        return f"the {kind} of 1 parent (id {names}), shown as an open node"
    return f"the {kind}s of {len(ids):,} parents (ids {names}), shown as open nodes"


def listed(names: Sequence[str], most: int = 10) -> str:
    """Names one after another as an error shows them: the first `most`, each kept short.

    >>> listed(["white", "black"]), listed(["a", "b", "c"], most=2)
    ('white, black', 'a, b and 1 more')
    """
    text = ", ".join(name if len(name) <= 40 else f"{name[:39]}…" for name in names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most:,} more"
