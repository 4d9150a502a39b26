"""What a rule of `check` is: what must hold, how severe a breach is, and how it is found and told.

A rule knows nothing of how it is run: it judges one row (`violates`, a kernel) or the whole log (`find`), and
says both figures of a finding when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.masks import Judged
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.finding import SEVERITIES, Figures, Severity
from plyscope.visualizer.analysis.check.passes.kernel_call import Work


@dataclass(frozen=True)
class Rule:
    """One rule: `violates(sight, row)` judges a row, or `find(sight, work)` gives the rows
    that break it, ascending, run as `work` says.

    `needs` names columns (`tt` and `factors` too) and fields of the header's `search` or the header itself
    without which the rule cannot be asked, `a|b` either; `why_not` says why a whole log is not asked.
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
    """Why the rule is not asked of a log in which there is no row for it to judge."""
    judged: Judged | None = None
    """The rows of a piece that the rule has something to judge at."""
    has_judged: Callable[[Sight, Work], bool] | None = None
    """Whether there was such a row, for a rule over the whole log, once it was asked."""
    violates: Callable[[Sight, int], bool] | None = None
    find: Callable[[Sight, Work], npt.NDArray[np.int64]] | None = None
    severity_in: Callable[[Sight], Severity] | None = field(default=None)
    """The severity in this log, where it follows from what the log declares."""
    severity_at: Callable[[Sight, npt.NDArray[np.int64]], Sequence[Severity]] | None = field(default=None)
    """The severity of each of the rows that break the rule, where it differs from row to row."""
    why_not: Callable[[Sight], str | None] | None = field(default=None)
    effort: int = field(default=1)
    """How long `find` takes beside those of other rules, so that a bar of progress moves evenly."""
    leaves_out: Callable[[Sight], tuple[str, int] | None] | None = field(default=None)
    """Says, once it was asked, which part of the log was left out, and how many rows that are."""

    def __post_init__(self) -> None:
        if (self.violates is None) == (self.find is None):
            raise ValueError(f"rule {self.name!r} has neither or both of `violates` and `find`, expected one")
        if (self.judged is None) == (self.has_judged is None):
            raise ValueError(f"rule {self.name!r} has neither or both of `judged` and `has_judged`")
        if self.severity not in SEVERITIES:
            raise ValueError(f"rule {self.name!r}: severity {self.severity!r}, expected one of {SEVERITIES}")
