"""A case: the files that it is about, the question that is asked of them, and how dear the answer is."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

MakeFiles = Callable[[Path], None]
QUICK: Final = 0
"""Asked by `make test` too."""
PLAIN: Final = 1
LARGE: Final = 2
"""In a process of its own."""


@dataclass(frozen=True)
class Case:
    """One text that is held to a digest."""

    name: str
    """Words between slashes: the room, what is asked about, how it is changed."""
    how: str
    """The question: a key of `questions.QUESTIONS`."""
    make: MakeFiles
    """Write the input files into a folder."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """What else the question needs; JSON can say it."""
    dearness: int = PLAIN
    """What it costs: one of the three above."""


def of_parts(parts: Callable[[], Iterable[tuple[str, bytes]]]) -> MakeFiles:
    """Write inputs in their order: a file's name is a number, and the label of the input behind it."""

    def make(folder: Path) -> None:
        for number, (label, data) in enumerate(parts()):
            (folder / f"{number:04} {label.replace('/', '∕')}").write_bytes(data)

    return make


def chosen(cases: Sequence[Case], patterns: Sequence[str], dearest: int = LARGE) -> list[Case]:
    """The cases that a pattern names (all where there is none), but for those that are too dear."""
    return [
        case
        for case in cases
        if case.dearness <= dearest
        and (not patterns or any(fnmatch.fnmatchcase(case.name, pattern) for pattern in patterns))
    ]
