"""The answer to a check: its report, the differences from another search, and the file of known findings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np
import orjson

from plyscope.engine.option import OptionError
from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.check import report as reported
from plyscope.visualizer.analysis.check.reference_log import against
from plyscope.visualizer.analysis.check.report import AGAINST, MOST_WRITTEN, Finding, reason_of
from plyscope.visualizer.analysis.check.rule import SEVERITIES
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.check.text import FEW, Found, found_in, lines
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.notebook import MOST_ROWS, Block, Displayed, Table
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

Known = frozenset[bytes]
"""Findings of a baseline, a file of known findings, which are not counted when the log is checked again."""


@dataclass(frozen=True, eq=False, repr=False)
class Report(Sequence[Finding], Displayed):
    """The findings of `plyscope.check`: the gravest first, then in the order in which nodes were left.

    Like any sequence it is true if it is not empty, so `assert not report` tests for a log without findings;
    `report.ok` means that nothing is *wrong*, as exit code 0 of `plyscope check` does. `str(report)` is the
    text that the command prints. Findings are made when they are looked at.
    """

    name: str
    """The name of the log."""
    tree: Tree
    of_rules: reported.Report
    """The report of the rules."""
    compared: Sequence[Finding]
    """The findings of the comparison with another log."""
    checked: tuple[str, ...]
    """The rules that were asked, with `against` if the log was compared."""
    known: Known
    """Findings that are not counted."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.counts["wrong"]

    @property
    def not_checked(self) -> tuple[str, ...]:
        """The rules that were not asked, of all nodes or of some, each with the reason."""
        return tuple(map(str, self.of_rules.not_checked))

    @property
    def not_judged(self) -> tuple[str, ...]:
        """The kinds of faults that no rule could look for, the gravest first, each with the reason."""
        return tuple(map(str, self.of_rules.not_judged))

    def __len__(self) -> int:
        return sum(self.counts.values())

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> list[Finding]: ...
    def __getitem__(self, index: int | slice) -> Finding | list[Finding]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"finding {index} of {len(self)}")
        found = self.of_rules.at(np.array([place]))[0] if self.is_plain else self.fresh[place]
        return replace(found, tree=self.tree)

    def __repr__(self) -> str:
        found = ", ".join(f"{n:,} {severity}" for severity, n in self.counts.items() if n) or "clean"
        return f"<Report of {visible(self.name)}: {found}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _blocks(self) -> Iterable[Block]:
        yield next(iter(self.lines()))
        few = self[:MOST_ROWS]
        rows = [(each.severity, each.rule, f"#{each.id}", each.path, each.message) for each in few]
        if rows:
            yield Table(("", "rule", "id", "node", "what was found"), rows, len(self) - len(few))
        if self.not_judged:
            yield f"Not judged: {'; '.join(self.not_judged)}."

    def everything(self) -> list[Finding]:
        """Return every finding, known ones included, gravest first."""
        found = [*self.of_rules.findings(), *self.compared]
        return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))

    @property
    def is_plain(self) -> bool:
        """Whether the report has all findings that count."""
        return not self.known and not self.compared

    @cached_property
    def fresh(self) -> list[Finding]:
        """Every finding that is not known."""
        return [finding for finding in self.everything() if not _is_known(finding, self.known)]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of findings that count, by severity."""
        if self.is_plain:
            return dict(self.of_rules.counts)
        return {each: sum(finding.severity == each for finding in self.fresh) for each in SEVERITIES}

    @property
    def n_known(self) -> int:
        """The number of findings that are in the baseline."""
        return len(self.of_rules) + len(self.compared) - sum(self.counts.values())

    def found(self, limit: int | None) -> list[Found]:
        """Return the findings that count, by rule, with the first `limit` of each."""
        if self.is_plain:
            return found_in(self.of_rules, limit)
        by_kind: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.fresh:
            by_kind.setdefault((finding.rule, finding.severity), []).append(finding)
        return [
            Found(name, severity, reason_of(name), len(findings), findings[:limit])
            for (name, severity), findings in by_kind.items()
        ]

    def lines(self, limit: int | None = FEW) -> Iterable[str]:
        """Return the lines for a terminal, with the first `limit` findings of each rule."""
        report, found = self.of_rules, self.found(limit)
        return lines(
            self.name,
            report.n_rows,
            self.checked,
            found,
            report.not_checked,
            self.n_known,
            report.not_judged,
            with_all=limit is None,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the answer for machines, as in `docs/check.md`."""
        answer = self.of_rules.as_json(self.name)
        if self.is_plain:
            return answer | {"checked": list(self.checked)}
        groups = [
            {"rule": each.rule, "severity": each.severity, "count": each.count, "first": each.findings[0].row}
            for each in self.found(1)
        ]
        return answer | {
            "counts": self.counts,
            "checked": list(self.checked),
            "known": self.n_known,
            "findings": as_json(self.fresh[:MOST_WRITTEN]),
            "more_findings": max(0, len(self.fresh) - MOST_WRITTEN),
            "groups": groups,
        }


def report_of(
    name: str,
    tree: Tree,
    *,
    other: Log | None = None,
    ignore: Collection[str] = (),
    known: Known = frozenset(),
    on_progress: Callable[[float], None] | None = None,
    on_first: Callable[[reported.Report], None] | None = None,
) -> Report:
    """Check a log, and compare it with `other` if given; the callbacks are those of `check`.

    Raises OptionError for an unknown rule in `ignore`, LogError if the two cannot be compared.
    """
    refuse_unknown(ignore)
    found = check(tree.log, ignore=ignore, on_progress=on_progress, on_first=on_first)
    compared = [] if other is None else against(tree.log, other)
    asked = found.checked if other is None else (*found.checked, AGAINST)
    return Report(name, tree, found, compared, asked, known)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise OptionError for a name that is not a rule's, with similar names."""
    for name in names:
        if name not in RULES:
            near = ", ".join(get_close_matches(name, RULES, cutoff=0.4))
            meant = f"did you mean {near}?" if near else "`plyscope check --list` shows them"
            raise OptionError(f"ignore: there is no rule {name!r}; {meant}")


def known_in(path: Path) -> Known:
    """Return the findings in a file of `write_baseline` or `plyscope check --json`; raises LogError, OSError.

    Rule, path of plies and both figures identify a finding, and nothing else is read. So ids and rows may
    change, and a finding whose figures change is new.
    """
    try:
        document = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise LogError(f"{path}: no baseline: {error}") from None
    logs = document.get("logs") if isinstance(document, dict) else None
    if not isinstance(logs, list):
        raise LogError(f"{path}: no baseline: expected an object with `logs`, as `--write-baseline` makes it")
    known = set()
    for n_log, log in enumerate(logs):
        findings = log.get("findings", []) if isinstance(log, dict) else None
        if not isinstance(findings, list):
            raise LogError(f"{path}, $.logs[{n_log}]: expected an object with a list of `findings`")
        for n_finding, finding in enumerate(findings):
            if not isinstance(finding, dict) or not isinstance(finding.get("rule"), str):
                where = f"$.logs[{n_log}].findings[{n_finding}]"
                raise LogError(
                    f"{path}, {where}: expected an object with `rule`, `path`, `expected`, `found`"
                )
            known.add(_mark(finding))
    return frozenset(known)


def _is_known(finding: Finding, known: Known) -> bool:
    """Whether the file that `known` was read from has this finding."""
    return bool(known) and _mark(_written(finding)) in known


def write_baseline(path: Path, logs: Iterable[tuple[str, Iterable[Finding]]]) -> int:
    """Write the findings of each log by name, one a line; return how many. Raises OSError."""
    count = 0
    lines = []
    for name, findings in logs:
        marks = [orjson.dumps(_written(finding)) for finding in findings]
        count += len(marks)
        lines.append(b'{"log": %b, "findings": [\n%b]}' % (orjson.dumps(name), b",\n".join(marks)))
    path.write_bytes(b'{"logs": [\n%b]}\n' % b",\n".join(lines))
    return count


def _written(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding that a baseline keeps, in the form of `--json`."""
    return {
        "rule": finding.rule,
        "path": finding.path,
        "expected": as_json(finding.expected),
        "found": as_json(finding.found),
    }


def _mark(finding: dict[str, Any]) -> bytes:
    fields = {name: finding.get(name) for name in ("rule", "path", "expected", "found")}
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
