"""The report of `check`: findings in order, groups, unasked rules; sentences are made when looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.check.coverage import NotJudged
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED
from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.check.reproduction import path_of, reproduce
from plyscope.visualizer.analysis.check.rule import SEVERITIES, Rule, Severity
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.json_answer import HIDDEN, as_json, called
from plyscope.visualizer.analysis.nodes.node import Node, Nodes
from plyscope.visualizer.analysis.nodes.notebook import Displayed
from plyscope.visualizer.store.tree import Tree

MOST_WRITTEN: Final = 1000
"""Findings of a log in the answer for machines; the rest is counted."""
AGAINST: Final = "against"
REASON: Final = "nodes of equal path and depth, exact in both logs, have equal scores"
"""The requirement that a comparison with another log tests, in the form of a rule's."""


@dataclass(frozen=True)
class Finding(Displayed):
    """One contradiction at one node, with both figures."""

    rule: str
    severity: Severity
    """`wrong`, `waste` or `odd`."""
    id: int = field(metadata=called("node"))
    row: int = field(repr=False)
    path: str
    """The plies from the root, as `plyscope check` prints them."""
    expected: Any = field(repr=False)
    found: Any = field(repr=False)
    message: str
    """A sentence with the figure found and the one expected."""
    reproduce: str = field(repr=False)
    """Position, plies, depth and window from which the visit can be run again."""
    rows_involved: tuple[int, ...] = field(repr=False, compare=False, metadata=called("involved"))
    tree: Tree | None = field(default=None, repr=False, compare=False, metadata=HIDDEN)

    @property
    def node(self) -> Node:
        """The node, of a finding that a script is given."""
        assert self.tree is not None
        return Node(self.tree, self.row)

    @property
    def involved(self) -> Nodes:
        """Nodes to look at beside it."""
        assert self.tree is not None
        return Nodes(self.tree, np.array(self.rows_involved, np.int64))

    @property
    def reason(self) -> str:
        """The rule's requirement, in a sentence."""
        return reason_of(self.rule)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of nodes by which the rule judges."""
        return tuple(RULES[self.rule].needs) if self.rule in RULES else ("depth", "score", "bound")

    def __str__(self) -> str:
        """As the command line tells it.

        >>> from plyscope import check
        >>> print(check('{"plyscope": 1, "root": {"children": [{"ply": "a", "score": "nan"}]}}')[0])
        wrong  nan  #1  a: The score is not a number, expected one at a finished node.
        """
        return f"{self.severity}  {self.rule}  #{self.id}  {visible(self.path)}: {visible(self.message)}"


@dataclass(frozen=True)
class Group:
    """The number of findings of one rule and severity, and the row of the first."""

    rule: str
    severity: Severity
    count: int
    first: int


@dataclass(frozen=True)
class NotChecked:
    """A rule that could not be asked at `n_nodes` nodes: the fields they lack, or why it does not apply."""

    rule: str
    needs: tuple[str, ...]
    n_nodes: int
    why: str = ""

    @property
    def reason(self) -> str:
        """The reason why the rule could not be asked."""
        if self.why:
            return self.why
        return "needs " + ", ".join(f"`{name}`" for name in self.needs)

    def __str__(self) -> str:
        """Return the rule and the reason as the command line prints them.

        >>> str(NotChecked("moves", ("moves",), 4117))
        'moves: needs `moves`, 4,117 nodes'
        """
        nodes = "1 node" if self.n_nodes == 1 else f"{self.n_nodes:,} nodes"
        return f"{self.rule}: {self.reason}{'' if self.why else f', {nodes}'}"


def reason_of(rule: str) -> str:
    """Return a rule's requirement, in a sentence; `against` is the comparison with another log."""
    return RULES[rule].text.reason if rule in RULES else REASON


def _levels(sight: Sight, rule: Rule, rows: Rows) -> Rows:
    """Return the index in SEVERITIES of the severity of each row that breaks the rule."""
    if rule.is_odd is None or not len(rows):
        return np.full(len(rows), SEVERITIES.index(rule.severity), np.int64)
    is_odd = np.broadcast_to(rule.is_odd(sight, rows), rows.shape)
    return np.where(is_odd, SEVERITIES.index("odd"), SEVERITIES.index("wrong"))


class Report:
    """All findings of a log, by severity, then in the order in which the nodes were left."""

    def __init__(
        self,
        sight: Sight,
        rules: Mapping[str, Rule],
        broken: Mapping[str, Rows],
        not_checked: Sequence[NotChecked],
        unjudged: Sequence[NotJudged] = (),
    ) -> None:
        self._sight = sight
        self._rules = rules
        self.not_checked = tuple(not_checked)
        self.not_judged = tuple(unjudged)
        """What no rule looked at, by what would matter most."""
        self.checked = tuple(broken)
        """Names of the rules that were asked."""
        self.n_rows = sight.n_rows
        self._names = tuple(name for name in rules if name in broken)
        rule = np.repeat(np.arange(len(self._names)), [len(broken[name]) for name in self._names])
        row = np.concatenate([np.zeros(0, np.int64), *(broken[name] for name in self._names)])
        levels = [_levels(sight, rules[name], broken[name]) for name in self._names]
        level = np.concatenate([np.zeros(0, np.int64), *levels])
        order = np.lexsort((rule, -sight.level[row].astype(np.int64), sight.end[row], level))
        self._rule, self._row, self._level = rule[order], row[order], level[order]

    def __len__(self) -> int:
        return len(self._row)

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of findings of each severity."""
        return {name: int((self._level == i).sum()) for i, name in enumerate(SEVERITIES)}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The broken rules, each once a severity, in the order of their first finding."""
        kinds = self._rule * len(SEVERITIES) + self._level
        numbers, first, counts = np.unique(kinds, return_index=True, return_counts=True)
        groups = [
            Group(
                self._names[number // len(SEVERITIES)],
                SEVERITIES[number % len(SEVERITIES)],
                int(count),
                int(self._row[at]),
            )
            for number, at, count in zip(numbers, first, counts, strict=True)
        ]
        return tuple(groups[i] for i in np.argsort(first))

    def findings(
        self,
        rule: str | None = None,
        severity: str | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[Finding]:
        """Return one page of the findings, of one rule or severity if given; KeyError for an unknown one."""
        return self.at(self.places(rule, severity)[offset : None if limit is None else offset + limit])

    def at(self, places: Rows) -> list[Finding]:
        """Return the findings at some places of the report."""
        return [self._finding(int(i)) for i in places]

    def message(self, place: int) -> str:
        """Return only the sentence of the finding at a place."""
        rule = self._rules[self._names[self._rule[place]]]
        return rule.figures(self._sight, int(self._row[place])).message

    def rows(self, rule: str | None = None, severity: str | None = None) -> Rows:
        """Return the rows of all findings, or of those of a rule or severity, in the order of `findings`."""
        return self._row[self.places(rule, severity)]

    def places(self, rule: str | None = None, severity: str | None = None) -> Rows:
        """Return the places in the report of findings of a rule or severity; KeyError for an unknown one."""
        chosen = np.ones(len(self), np.bool_)
        if severity is not None:
            if severity not in SEVERITIES:
                raise KeyError(severity)
            chosen &= self._level == SEVERITIES.index(severity)
        if rule is not None:
            if rule not in self._rules:
                raise KeyError(rule)
            chosen &= self._rule == (self._names.index(rule) if rule in self._names else -1)
        return np.flatnonzero(chosen)

    def _finding(self, place: int) -> Finding:
        name, row = self._names[self._rule[place]], int(self._row[place])
        log = self._sight.log
        figures = self._rules[name].figures(self._sight, row)
        return Finding(
            rule=name,
            severity=SEVERITIES[self._level[place]],
            row=row,
            id=int(log.columns["id"][row]),
            path=path_of(log, row),
            expected=figures.expected,
            found=figures.found,
            message=figures.message,
            reproduce=reproduce(log, row),
            rows_involved=tuple(int(each) for each in figures.involved[:MOST_INVOLVED]),
        )

    def as_json(self, name: str, limit: int | None = MOST_WRITTEN) -> dict[str, Any]:
        """For machines, under the log's name: counts, at most `limit` findings, groups, not checked."""
        return {
            "log": name,
            "rows": self.n_rows,
            "counts": self.counts,
            "findings": as_json(self.findings(limit=limit)),
            "more_findings": max(0, len(self) - (len(self) if limit is None else limit)),
            "groups": as_json(self.groups),
            "checked": list(self.checked),
            "not_judged": as_json(self.not_judged),
            "not_checked": [asdict(each) | {"needs": list(each.needs)} for each in self.not_checked],
        }
