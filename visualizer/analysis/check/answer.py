"""The answer to a check: its report, the differences from another search, and the known findings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final

from plyscope.engine.options import OptionError
from plyscope.visualizer.analysis.check.baseline import Known, is_known
from plyscope.visualizer.analysis.check.reference_log import REASON, RULE, against
from plyscope.visualizer.analysis.check.report import Finding, Report
from plyscope.visualizer.analysis.check.rule import SEVERITIES
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.check.text import FEW, Found, found_in, lines
from plyscope.visualizer.store.log import Log

MOST_WRITTEN: Final = 1000
"""Findings of a log in the answer for machines; the rest is counted."""


@dataclass(frozen=True)
class Answer:
    """One checked log: its report, the findings of the comparison with another log, the known findings."""

    name: str
    report: Report
    compared: Sequence[Finding]
    asked: Sequence[str]
    """The rules that were asked, with `against` if the log was compared."""
    known: Known

    def everything(self) -> list[Finding]:
        """Return every finding, known ones included, gravest first."""
        found = [*self.report.findings(), *self.compared]
        return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))

    @property
    def is_plain(self) -> bool:
        """Whether the report has all findings that count."""
        return not self.known and not self.compared

    @cached_property
    def fresh(self) -> list[Finding]:
        """Every finding that is not known."""
        return [finding for finding in self.everything() if not is_known(finding, self.known)]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of findings that count, by severity."""
        if self.is_plain:
            return dict(self.report.counts)
        return {each: sum(finding.severity == each for finding in self.fresh) for each in SEVERITIES}

    @property
    def n_known(self) -> int:
        """The number of findings that are in the baseline."""
        return len(self.report) + len(self.compared) - sum(self.counts.values())

    def found(self, limit: int | None) -> list[Found]:
        """Return the findings that count, by rule, with the first `limit` of each."""
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
        """Return the lines for a terminal, with the first `limit` findings of each rule."""
        report = self.report
        found = self.found(limit)
        return lines(
            self.name,
            report.n_rows,
            self.asked,
            found,
            report.not_checked,
            self.n_known,
            report.not_judged,
            with_all=limit is None,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the answer for machines, as in `docs/check.md`."""
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
    on_first: Callable[[Report], None] | None = None,
) -> Answer:
    """Check a log, and compare it with `other` if given; the callbacks are those of `check`.

    Raises OptionError for an unknown rule in `ignore`, LogError if the two cannot be compared.
    """
    refuse_unknown(ignore)
    report = check(log, ignore=ignore, on_progress=on_progress, on_first=on_first)
    compared = [] if other is None else against(log, other)
    return Answer(name, report, compared, report.checked if other is None else (*report.checked, RULE), known)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise OptionError for a name that is not a rule's, with similar names."""
    for name in names:
        if name not in RULES:
            near = ", ".join(get_close_matches(name, RULES, cutoff=0.4))
            meant = f"did you mean {near}?" if near else "`plyscope check --list` shows them"
            raise OptionError(f"ignore: there is no rule {name!r}; {meant}")


def reason_of(rule: str) -> str:
    """Return the sentence of what a rule requires; `against` is the comparison with another log."""
    return RULES[rule].reason if rule in RULES else REASON
