"""The search for findings that hold a text: in the rule, in `#id`, in the path, or in the message.

Paths are matched by column and not written out; messages are written one by one until the time of a request
is up, and kept. The answer says how many were not searched yet; the next request goes on with them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

SECONDS: Final = 1.5
"""How long messages are read for one question."""
TAKEN_AT_ONCE: Final = 200
"""Messages between two looks at the clock."""
LONGEST_WORDS: Final = 200
"""Characters of a text that is looked for; no step of a path that one types is longer."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Matches:
    """The findings that hold a text, by index in the report, and the number of messages not searched."""

    text: str
    mask: Mask
    n_unread: int


class FindingSearch:
    """The texts of a report's findings, and the answer to the last text that was looked for."""

    def __init__(self, log: Log, report: Report, *, seconds: float = SECONDS) -> None:
        self._log, self._report, self._seconds = log, report, seconds
        self._messages: list[str] = []
        self._last: Matches | None = None

    def holding(self, text: str, *, more: bool = False) -> Matches:
        """The findings that hold `text`, whatever its case; with `more`, further messages are read for it."""
        wanted = _plain(text[:LONGEST_WORDS])
        if self._last is None or self._last.text != wanted or more:
            self._read_messages()
            self._last = self._find(wanted)
        return self._last

    def _find(self, wanted: str) -> Matches:
        report, columns = self._report, self._log.columns
        rows = report.rows()
        mask = self._rows_on_path(wanted)[rows]
        for group in report.groups:
            if wanted in f"{group.rule} {RULES[group.rule].text.reason}".lower():
                mask[report.places(group.rule, group.severity)] = True
        if number := re.fullmatch(r"#(\d{1,18})", wanted):
            mask |= columns["id"][rows] == int(number[1])
        for place, message in enumerate(self._messages):
            if wanted in message:
                mask[place] = True
        return Matches(wanted, mask, int(np.count_nonzero(~mask[len(self._messages) :])))

    def _read_messages(self) -> None:
        until = time.monotonic() + self._seconds
        while len(self._messages) < len(self._report) and time.monotonic() < until:
            first = len(self._messages)
            last = min(first + TAKEN_AT_ONCE, len(self._report))
            self._messages += [_plain(self._report.message(at)) for at in range(first, last)]

    def _rows_on_path(self, wanted: str) -> Mask:
        """Of every row, whether its path holds `wanted`: steps with `>` between, the outer ones in part."""
        columns = self._log.columns
        parent, end = columns["parent"], columns["end"]
        first, *others = (step.strip() for step in wanted.split(">"))
        here = self._steps(lambda step: step.endswith(first) if others else first in step)
        for each in others[:-1]:
            here = self._steps(each.__eq__) & here[parent]
        if others:
            here = self._steps(lambda step: step.startswith(others[-1])) & here[parent]
        # What is below the last step has it on its path.
        begins = np.flatnonzero(here)
        covers = np.bincount(begins, minlength=len(end) + 1) - np.bincount(
            end[begins], minlength=len(end) + 1
        )
        below = np.cumsum(covers[:-1]) > 0
        return below | (parent < 0) if wanted in "root" else below

    def _steps(self, is_wanted: Callable[[str], bool]) -> Mask:
        """Of every row, whether the last step of its path is wanted; never of a root."""
        texts, text_of = self._written_steps
        return np.fromiter(map(is_wanted, texts), np.bool_, len(texts))[text_of] & (
            self._log.columns["parent"] >= 0
        )

    @cached_property
    def _written_steps(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        """Every distinct step as paths write it, and of each row which one is its last."""
        columns = self._log.columns
        ply, outcome = columns["ply"].astype(np.int64), columns["outcome"]
        is_stub = outcome >= words.FIRST_STUB
        kind = np.where(is_stub, -1 - outcome.astype(np.int64), ply + 1)
        # Which visit of its ply below its parent a row is: its place in a run of equal ones, in order.
        order = np.lexsort((kind, columns["parent"]))
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = (np.diff(kind[order]) != 0) | (np.diff(columns["parent"][order]) != 0)
        place = np.arange(len(order))
        visit = np.empty(len(order), np.int64)
        visit[order] = place - np.maximum.accumulate(np.where(is_first, place, 0))
        visit[is_stub] = 0
        kinds, text_of = np.unique(kind * (int(visit.max(initial=0)) + 1) + visit, return_inverse=True)
        texts = []
        for code in kinds.tolist():
            which, again = divmod(code, int(visit.max(initial=0)) + 1)
            step = f"({words.OUTCOMES[-1 - which]})" if which < 0 else self._log.text(which - 1)
            texts.append(_plain("?" if step is None else step) + (f"#{again + 1}" if again else ""))
        return texts, text_of


def _plain(text: str) -> str:
    """`text` in the form for comparison: lower case, one blank between words.

    >>> _plain(" C6  >\\td6")
    'c6 > d6'
    """
    return " ".join(text.lower().split())
