"""The answer to a check: its report, what another search says otherwise, and what is known already."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final

from plyscope.engine.options import OptionError
from plyscope.visualizer.analysis.check.baseline import Known, is_known
from plyscope.visualizer.analysis.check.finding import SEVERITIES
from plyscope.visualizer.analysis.check.reference_log import REASON, RULE, against
from plyscope.visualizer.analysis.check.report import Finding, Report
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.check.text import FEW, Found, found_in, lines
from plyscope.visualizer.store.log import Log

MOST_WRITTEN: Final = 1000
"""Findings of a log in the answer for machines; the rest is counted."""


@dataclass(frozen=True)
class Answer:
    """One log after the check: its report, what the comparison with another log found, what is known."""

    name: str
    report: Report
    compared: Sequence[Finding]
    asked: Sequence[str]
    """The rules that were asked, `against` too where the log was compared."""
    known: Known

    def everything(self) -> list[Finding]:
        """Every finding, known ones too, gravest first."""
        found = [*self.report.findings(), *self.compared]
        return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))

    @property
    def is_plain(self) -> bool:
        """Whether all that counts is in the report."""
        return not self.known and not self.compared

    @cached_property
    def fresh(self) -> list[Finding]:
        """Every finding that is not known."""
        return [finding for finding in self.everything() if not is_known(finding, self.known)]

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many findings count, by severity."""
        if self.is_plain:
            return dict(self.report.counts)
        return {each: sum(finding.severity == each for finding in self.fresh) for each in SEVERITIES}

    @property
    def n_known(self) -> int:
        """How many findings the baseline has."""
        return len(self.report) + len(self.compared) - sum(self.counts.values())

    def found(self, limit: int | None) -> list[Found]:
        """What counts, by rule, with the first `limit` findings of each."""
        if self.is_plain:
            return found_in(self.report, limit)
        by_kind: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.fresh:
            by_kind.setdefault((finding.rule, finding.severity), []).append(finding)
        return [
            Found(name, severity, reason_of(name), len(findings), findings[:limit])
            for (name, severity), findings in by_kind.items()
        ]

    def lines(self, limit: int | None = FEW) -> Iterable[str]:
        """What a terminal prints, with the first `limit` findings of each rule."""
        report = self.report
        found = self.found(limit)
        return lines(self.name, report.n_rows, self.asked, found, report.not_checked, self.n_known)

    def as_json(self) -> dict[str, Any]:
        """The answer for machines, as `docs/check.md` has it."""
        answer = self.report.as_json(self.name, MOST_WRITTEN)
        if self.is_plain:
            return answer | {"checked": list(self.asked)}
        groups = [
            {"rule": each.rule, "severity": each.severity, "count": each.count, "first": each.findings[0].row}
            for each in self.found(1)
        ]
        return answer | {
            "counts": self.counts,
            "checked": list(self.asked),
            "known": self.n_known,
            "findings": [finding.as_json() for finding in self.fresh[:MOST_WRITTEN]],
            "more_findings": max(0, len(self.fresh) - MOST_WRITTEN),
            "groups": groups,
        }


def answer(
    name: str,
    log: Log,
    *,
    other: Log | None = None,
    ignore: Collection[str] = (),
    known: Known = frozenset(),
    on_progress: Callable[[float], None] | None = None,
) -> Answer:
    """Check a log, and compare it with `other` where that is given.

    Raises OptionError for an unknown rule in `ignore`, LogError where the two cannot be compared.
    """
    refuse_unknown(ignore)
    report = check(log, ignore=ignore, on_progress=on_progress)
    compared = [] if other is None else against(log, other)
    return Answer(name, report, compared, report.checked if other is None else (*report.checked, RULE), known)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise OptionError for a name that is no rule's, with those that are near."""
    for name in names:
        if name not in RULES:
            near = ", ".join(get_close_matches(name, RULES, cutoff=0.4))
            meant = f"did you mean {near}?" if near else "`plyscope check --list` shows them"
            raise OptionError(f"ignore: there is no rule {name!r}; {meant}")


def reason_of(rule: str) -> str:
    """What must hold by a rule, in a sentence; `against` is the comparison with another log."""
    return RULES[rule].reason if rule in RULES else REASON
