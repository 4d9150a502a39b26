"""What a check found, by rule, as the page shows it: its groups, and what was asked and what not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from plyscope.visualizer.analysis.check.not_judged import NotJudged
from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.rule import SEVERITIES, Severity
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.json_answer import Id
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.store.tree import Tree

LONGEST_WHY: Final = 2000


@dataclass(frozen=True)
class FindingGroup:
    """The findings of one rule and severity."""

    rule: str
    severity: Severity
    count: int
    reason: str
    """The sentence of what must hold."""
    meaning: str
    """What it means where it does not hold, and where to look."""
    first: Id


@dataclass(frozen=True)
class UnaskedRule:
    """A rule that could not be asked at `nodes` nodes: the fields they lack, or why it does not apply."""

    rule: str
    needs: tuple[str, ...]
    nodes: int
    why: str = ""


@dataclass(frozen=True)
class AskedRule:
    """A rule that was asked, and what must hold by it."""

    rule: str
    reason: str


@dataclass(frozen=True)
class CheckSummary:
    """What a check found, of all rules or, while one is asked last, of the others."""

    counts: Mapping[Severity, int]
    groups: tuple[FindingGroup, ...]
    not_judged: tuple[NotJudged, ...]
    """What no rule looked at, by what would matter most."""
    not_checked: tuple[UnaskedRule, ...]
    checked: tuple[AskedRule, ...]


def summary_of(tree: Tree, report: Report) -> CheckSummary:
    """The summary of a report on the log of `tree`."""
    ids, texts = tree.log.columns["id"], {name: rule.text for name, rule in RULES.items()}
    return CheckSummary(
        {each: report.counts[each] for each in SEVERITIES},
        tuple(
            FindingGroup(
                each.rule,
                each.severity,
                each.count,
                texts[each.rule].reason,
                texts[each.rule].meaning,
                int(ids[each.first]),
            )
            for each in report.groups
        ),
        report.not_judged,
        tuple(
            UnaskedRule(each.rule, each.needs, each.n_nodes, cut(each.why, LONGEST_WHY))
            for each in report.not_checked
        ),
        tuple(AskedRule(name, texts[name].reason) for name in report.checked),
    )
