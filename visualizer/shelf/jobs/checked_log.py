"""A checked log and the questions to it: report, pages of findings, marks of nodes. Bounded plain dicts.

The same questions go to a report in this process and to one in a child process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.report import Finding, Report
from plyscope.visualizer.analysis.check.rule import SEVERITIES
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.node_json import cut, cut_start
from plyscope.visualizer.analysis.overview.levels import level_marks
from plyscope.visualizer.analysis.overview.picture import marks_of
from plyscope.visualizer.analysis.replay import rail_of_rows
from plyscope.visualizer.shelf.jobs.finding_search import FindingSearch
from plyscope.visualizer.store.tree import Tree

LONGEST_PATH: Final = 600
LONGEST_TEXT: Final = 2000
LONGEST_LINE: Final = 20_000
MOST_INVOLVED: Final = 50

Rows = npt.NDArray[np.int64]


class CheckedLog:
    """The findings of a check in the log of `tree`."""

    def __init__(self, tree: Tree, report: Report) -> None:
        self._tree, self._report = tree, report
        self._finding_search = FindingSearch(tree.log, report)

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a question, both as sent between processes; rows in, ids out."""
        if question["ask"] == "marks":
            return self.marks(question["rows"])
        if question["ask"] == "rows":
            return {"rows": self._report.rows().tolist()}
        if question["ask"] == "at":
            return {"items": self.at(question["places"])}
        if question["ask"] == "rail":
            return self.rail(question["width"])
        if question["ask"] == "overview":
            asked = {name: question[name] for name in ("form", "width", "bands", "first", "last")}
            return self.overview(**asked)
        if question.get("node") is not None:
            return self.findings_of(question["node"], question["limit"])
        names = ("text", "more", "offset", "limit")
        asked = {name: question[name] for name in names if name in question}
        return self.findings(question["rule"], question["severity"], **asked)

    def summary(self) -> dict[str, Any]:
        """Counts, groups, and which rules were asked and which not."""
        ids = self._tree.log.columns["id"]
        return {
            "counts": dict(self._report.counts),
            "groups": [
                {
                    "rule": group.rule,
                    "severity": group.severity,
                    "count": group.count,
                    "reason": RULES[group.rule].text.reason,
                    "meaning": RULES[group.rule].text.meaning,
                    "first": int(ids[group.first]),
                }
                for group in self._report.groups
            ],
            "not_judged": [asdict(each) for each in self._report.not_judged],
            "not_checked": [
                {"rule": one.rule, "needs": list(one.needs), "nodes": one.n_nodes}
                | ({"why": cut(one.why, LONGEST_TEXT)} if one.why else {})
                for one in self._report.not_checked
            ],
            "checked": [{"rule": name, "reason": RULES[name].text.reason} for name in self._report.checked],
        }

    def findings(
        self,
        rule: str | None,
        severity: str | None,
        *,
        text: str = "",
        more: bool = False,
        offset: int,
        limit: int,
    ) -> dict[str, Any]:
        """One page of the findings of a rule or a severity, or of all, in the order of the report.

        With a `text`, only of those that hold it, with their number by group and the number of messages that
        were not searched yet; `more` searches some of these.
        """
        report = self._report
        places = report.places(rule, severity)
        about: dict[str, Any] = {}
        if text.strip():
            holding = self._finding_search.holding(text, more=more)
            places = places[holding.mask[places]]
            counts = [
                (group, int(holding.mask[report.places(group.rule, group.severity)].sum()))
                for group in report.groups
            ]
            about["groups"] = [
                {"rule": group.rule, "severity": group.severity, "count": n} for group, n in counts if n
            ]
            about["unread"] = holding.n_unread
        found = report.at(places[offset : offset + limit])
        items = [self._as_json(finding, self._place(finding)) for finding in found]
        return {"total": len(places), "offset": offset, "items": items} | about

    def at(self, places: list[int]) -> list[dict[str, Any]]:
        """Rule, severity, place in its group and message of the findings at some places of the report."""
        found = self._report.at(np.array(places, np.int64))
        groups = {(one.rule, one.severity): self._report.places(one.rule, one.severity) for one in found}
        return [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "at": int(np.searchsorted(groups[finding.rule, finding.severity], place)),
                "message": cut(finding.message, LONGEST_TEXT),
            }
            for place, finding in zip(places, found, strict=True)
        ]

    def findings_of(self, row: int, limit: int) -> dict[str, Any]:
        """The first findings of one node."""
        places = [
            (group.rule, group.severity, int(at))
            for group in self._report.groups
            for at in np.flatnonzero(self._report.rows(group.rule, group.severity) == row)
        ]
        items = [
            self._as_json(finding, at)
            for rule, severity, at in places[:limit]
            for finding in self._report.findings(rule, severity, at, 1)
        ]
        return {"total": len(places), "offset": 0, "items": items}

    def _place(self, finding: Finding) -> int:
        """The number of findings of its rule and severity before this one."""
        same = self._report.rows(finding.rule, finding.severity)
        return int(np.flatnonzero(same == finding.row)[0])

    def _as_json(self, finding: Finding, at: int) -> dict[str, Any]:
        ids = self._tree.log.columns["id"]
        written = replace(
            finding,
            path=cut_start(finding.path, LONGEST_PATH),
            expected=_bounded(finding.expected),
            found=_bounded(finding.found),
            message=cut(finding.message, LONGEST_TEXT),
            reproduce=cut(finding.reproduce, LONGEST_LINE),
            rows_involved=tuple(int(ids[row]) for row in finding.rows_involved[:MOST_INVOLVED]),
        )
        return {**as_json(written), "at": at}

    def marks(self, rows: Iterable[int]) -> dict[str, Any]:
        """By id, the number of findings of nodes and the worst one, and the same for all rows below them."""
        columns = self._tree.log.columns
        found = {}
        for row in rows:
            end = int(columns["end"][row])
            own, below = self._within(row, row + 1), self._within(row + 1, end)
            if own or below:
                found[str(int(columns["id"][row]))] = _mark(own, below)
        return {"marks": found}

    def rail(self, width: int) -> dict[str, Any]:
        """The findings along the time of the search, reduced to pixels, by severity; each node once."""
        lanes = {
            severity: rail_of_rows(self._tree, np.unique(rows), width)
            for severity, rows in self._rows_by_severity.items()
        }
        return {"total": sum(self._report.counts.values()), "lanes": lanes}

    def overview(self, form: str, width: int, bands: int, first: int, last: int) -> dict[str, Any]:
        """The findings along a part of the overview in one of its forms, by severity; each node once."""
        lanes = {
            severity: level_marks(self._tree, rows, width, bands, first, last)
            if form == "levels"
            else marks_of(self._tree, rows, width, first, last)
            for severity, rows in self._rows_by_severity.items()
        }
        return {"lanes": lanes}

    def _within(self, first: int, last: int) -> dict[str, int]:
        """The number of findings in rows from `first` to before `last`, for each severity that is there."""
        counts = {}
        for severity, rows in self._rows_by_severity.items():
            n = int(np.searchsorted(rows, last) - np.searchsorted(rows, first))
            if n:
                counts[severity] = n
        return counts

    @cached_property
    def _rows_by_severity(self) -> dict[str, Rows]:
        return {severity: np.sort(self._report.rows(None, severity)) for severity in SEVERITIES}


def _mark(own: dict[str, int], below: dict[str, int]) -> dict[str, Any]:
    mark: dict[str, Any] = {"count": sum(own.values()), "below": sum(below.values())}
    if own:
        mark["severity"] = next(iter(own))
    if below:
        mark["worst_below"] = next(iter(below))
    return mark


def _bounded(value: Any) -> Any:
    """A figure, its texts cut and its lists ended where they are too long to send."""
    if isinstance(value, str):
        return cut(value, LONGEST_TEXT)
    if isinstance(value, list | tuple):
        return [_bounded(each) for each in value[:MOST_INVOLVED]]
    return value
