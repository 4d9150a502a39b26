"""The type of a rule of `check`: its requirement, its severity, how breaches are found and reported.

A rule does not know how it is run. It judges one row (`violates`, a kernel) or the whole log (`find`), and
returns both figures of a finding when it is looked at.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from plyscope.visualizer.analysis.check.facts.judged import Judged, Mask, Rows
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


class RuleText(NamedTuple):
    """The texts of a rule, from the file of its name beside its module: a title and a paragraph each."""

    reason: str
    """The requirement, in one line."""
    meaning: str
    """The meaning of a breach, its usual causes, and the places to look at."""
    unjudged: str
    """The reason shown if a log has no row that the rule can judge."""
    example: str
    """A native log of about five nodes, as text, whose first finding is this rule."""


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
    needs: tuple[str, ...]
    figures: Callable[[Sight, int], Figures]
    judged: tuple[Judged, ...] = ()
    """Masks whose common rows the rule can judge."""
    has_judged: Callable[[Sight, Work], bool] | None = None
    """Whether there was such a row, for a rule over the whole log, after it was asked."""
    violates: Callable[[Sight, int], bool] | None = None
    find: Callable[[Sight, Work], Rows] | None = None
    is_odd: Callable[[Sight, Rows], Mask | bool] | None = None
    """Which of the rows that break the rule are only odd, or whether all are; the others are wrong."""
    excuses: Callable[[Sight, Rows], Mask] | None = None
    """Which of the rows that `violates` found are right all the same, as only the whole log can tell."""
    why_not: Callable[[Sight], str | None] | None = None
    of_lines: bool = False
    """Whether it is asked of lines that an engine said, too, which are not the tree that it searched."""
    answers_last: bool = False
    """Whether it takes longer than all others together, so that these report before it begins."""
    effort: int = 1
    """The time of `find` relative to other rules, so that a progress bar moves evenly."""
    leaves_out: Callable[[Sight], tuple[str, int] | None] | None = None
    """Returns, after the rule was asked, which part of the log was left out, and its number of rows."""

    @cached_property
    def text(self) -> RuleText:
        """The rule's texts, read from their file when first asked for."""
        beside = Path(inspect.getfile(self.figures)).with_name(f"{self.name}.md")
        _, *said, example = beside.read_text(encoding="utf-8").split("\n\n", 4)
        reason, meaning, unjudged = (" ".join(each.splitlines()) for each in said)
        example = example.removeprefix("```json\n").removesuffix("```\n")
        return RuleText(reason.strip("*"), meaning, unjudged.removeprefix("Not asked: "), example)

    def __post_init__(self) -> None:
        if (self.violates is None) == (self.find is None):
            raise ValueError(f"rule {self.name!r} has neither or both of `violates` and `find`, expected one")
        if bool(self.judged) == (self.has_judged is not None):
            raise ValueError(f"rule {self.name!r} has neither or both of `judged` and `has_judged`")


def rows_marked(bits: int) -> Callable[[Sight, Work], Rows]:
    """Return the `find` of a rule whose rows the sweep has marked."""
    return lambda sight, work: np.flatnonzero(sight.marks & bits)
