"""The report of a check as lines of text; the command prints them, the rules' pages quote them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.check.coverage import NotJudged
from plyscope.visualizer.analysis.check.report import Finding, NotChecked, Report
from plyscope.visualizer.analysis.check.rule import SEVERITIES
from plyscope.visualizer.analysis.check.rules import RULES

FEW: Final = 3
"""Findings of a rule that are shown when not all are asked for."""


@dataclass(frozen=True)
class Found:
    """The findings of one rule: their number, and those that are shown, in the order of leaving."""

    rule: str
    severity: str
    reason: str
    count: int
    findings: Sequence[Finding]


def found_in(report: Report, limit: int | None = FEW) -> list[Found]:
    """Return the first `limit` findings of each rule in a log, in the order of the report."""
    return [
        Found(
            group.rule,
            group.severity,
            RULES[group.rule].text.reason,
            group.count,
            report.findings(group.rule, group.severity, limit=limit),
        )
        for group in report.groups
    ]


def lines(
    name: str,
    n_rows: int,
    checked: Sequence[str],
    found: Sequence[Found],
    not_checked: Sequence[NotChecked],
    n_known: int = 0,
    unjudged: Sequence[NotJudged] = (),
    *,
    with_all: bool = False,
) -> Iterator[str]:
    """Return the head line, the findings of each rule, and the kinds of faults that were not looked for.

    `with_all` lists each rule that was not asked.
    """
    counts: dict[str, int] = {
        severity: sum(each.count for each in found if each.severity == severity) for severity in SEVERITIES
    }
    rules = f"{_counted(len(checked), 'rule')} asked"
    yield f"{name}: {_counted(n_rows, 'row')}, {rules}: {verdict(counts) if checked else 'nothing to judge'}"
    if n_known:
        yield f"{_counted(n_known, 'known finding')} not counted"
    for each in found:
        yield ""
        yield f"{each.severity}  {each.rule}, {each.count:,}: {each.reason}"
        for finding in each.findings:
            yield f"  #{finding.id}  {visible(finding.path)}"
            yield f"      {visible(finding.message)}"
            yield f"      reproduce: {visible(finding.reproduce)}"
        if each.count > len(each.findings):
            yield f"  … {each.count - len(each.findings):,} more (--all shows them)"
    if not found and checked:
        yield from _folded("checked: ", ", ".join(checked))
    if unjudged:
        yield ""
        yield from _folded("not judged: ", _told(unjudged, None if with_all else FEW))
    if with_all:
        yield from missing_lines(not_checked)
    elif n_rules := len({each.rule for each in not_checked} - set(checked)):
        yield f"{_counted(n_rules, 'rule')} could not be asked (--all says why)"


def _told(unjudged: Sequence[NotJudged], most: int | None) -> str:
    """Return the `most` gravest kinds of faults that were not looked for, and the number of the others."""
    shown = [str(each) for each in unjudged[:most]]
    rest = len(unjudged) - len(shown)
    return "; ".join(shown) + (f"; and {rest} more, which --all lists" if rest else "")


def verdict(counts: Mapping[str, int]) -> str:
    """Return the counts in words.

    >>> verdict({"wrong": 2, "waste": 0, "odd": 1}), verdict({"wrong": 0, "waste": 0, "odd": 0})
    ('2 wrong, 1 odd', 'clean')
    """
    return ", ".join(f"{counts[each]:,} {each}" for each in SEVERITIES if counts[each]) or "clean"


def missing_lines(not_checked: Iterable[NotChecked]) -> Iterator[str]:
    """Return the rules that were not asked, by the fields they lacked, or why they do not apply.

    >>> lacks = [NotChecked(rule, ("alpha", "beta"), 4117) for rule in ("window", "cut")]
    >>> print(*missing_lines(lacks), sep="\\n")
    <BLANKLINE>
    not checked
      needs `alpha`, `beta` (4,117 nodes): window, cut
    """
    rules: dict[str, list[str]] = {}
    for each in not_checked:
        fields = ", ".join(f"`{field}`" for field in each.needs)
        lack = each.why or f"needs {fields} ({_counted(each.n_nodes, 'node')})"
        rules.setdefault(lack, []).append(each.rule)
    if rules:
        yield ""
        yield "not checked"
    for lack, names in rules.items():
        yield from _folded("  ", f"{lack}: {', '.join(names)}")


def _folded(label: str, text: str, width: int = 110) -> Iterator[str]:
    """A list of words behind a label, in lines of at most `width`."""
    line = label
    for word in text.split(" "):
        if len(line) + len(word) > width:
            yield line.rstrip()
            line = " " * len(label)
        line += word + " "
    yield line.rstrip()


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
