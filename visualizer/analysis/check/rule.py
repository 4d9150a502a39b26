"""The type of a rule of `check`: what must hold, how severe a breach is, how it is found and reported.

A rule does not know how it is run. It judges one row (`violates`, a kernel) or the whole log (`find`), and
returns both figures of a finding when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.masks import Judged
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight

Severity = Literal["wrong", "waste", "odd"]
SEVERITIES: Final[tuple[Severity, ...]] = ("wrong", "waste", "odd")
"""From the worst: impossible, whatever the engine intended; wasted work; legitimate in some engines."""


@dataclass(frozen=True)
class Figures:
    """Both figures of a finding: numbers, texts or intervals as JSON takes them, and a sentence with both.

    `involved` are further rows to outline: the children, the source of a table entry.
    """

    expected: Any
    found: Any
    message: str
    involved: tuple[int, ...] = ()


@dataclass(frozen=True)
class Rule:
    """One rule. `violates(sight, row)` judges a row, or `find(sight, work)` returns the rows that break it,
    ascending; `work` runs its passes.

    `needs` names columns (`tt` and `factors` too) and fields of the header or of its `search` without which
    the rule cannot be asked; `a|b` needs one of the two. `why_not(sight)` returns the reason why the rule
    cannot judge the log, or None.
    """

    name: str
    severity: Severity
    reason: str
    """What must hold, in one line."""
    meaning: str
    """A paragraph: what a breach means, what usually causes it, where to look."""
    needs: tuple[str, ...]
    example: str
    """A native log of about five nodes, as text, whose first finding is this rule."""
    figures: Callable[[Sight, int], Figures]
    unjudged: str
    """The reason shown if a log has no row that the rule can judge."""
    judged: Judged | None = None
    """Marks the rows of a piece that the rule can judge."""
    has_judged: Callable[[Sight, Work], bool] | None = None
    """Whether there was such a row, for a rule over the whole log, after it was asked."""
    violates: Callable[[Sight, int], bool] | None = None
    find: Callable[[Sight, Work], npt.NDArray[np.int64]] | None = None
    severity_in: Callable[[Sight], Severity] | None = field(default=None)
    """The severity in this log, if it follows from the log's declarations."""
    severity_at: Callable[[Sight, npt.NDArray[np.int64]], Sequence[Severity]] | None = field(default=None)
    """The severity of each row that breaks the rule, if it differs from row to row."""
    excuses: Callable[[Sight, npt.NDArray[np.int64]], npt.NDArray[np.bool_]] | None = field(default=None)
    """Which of the rows that `violates` found are right all the same, as only the whole log can tell."""
    why_not: Callable[[Sight], str | None] | None = field(default=None)
    of_lines: bool = field(default=False)
    """Whether it is asked of lines that an engine said, too, which are not the tree that it searched."""
    answers_last: bool = field(default=False)
    """Whether it takes longer than all others together, so that those are told before it begins."""
    effort: int = field(default=1)
    """The time of `find` relative to other rules, so that a progress bar moves evenly."""
    leaves_out: Callable[[Sight], tuple[str, int] | None] | None = field(default=None)
    """Returns, after the rule was asked, which part of the log was left out, and its number of rows."""

    def __post_init__(self) -> None:
        if (self.violates is None) == (self.find is None):
            raise ValueError(f"rule {self.name!r} has neither or both of `violates` and `find`, expected one")
        if self.excuses is not None and self.violates is None:
            raise ValueError(f"rule {self.name!r} has `excuses` without `violates`")
        if (self.judged is None) == (self.has_judged is None):
            raise ValueError(f"rule {self.name!r} has neither or both of `judged` and `has_judged`")
        if self.severity not in SEVERITIES:
            raise ValueError(f"rule {self.name!r}: severity {self.severity!r}, expected one of {SEVERITIES}")
