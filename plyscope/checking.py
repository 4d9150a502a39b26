"""`plyscope.check`: what cannot be in a log, as `plyscope check` finds it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import numpy as np

from plyscope.engine.quoting import counted, visible
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.check import report as reported
from plyscope.visualizer.analysis.check.answer import Answer, answer, reason_of, refuse_unknown
from plyscope.visualizer.analysis.check.baseline import Known, known_in
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.rules.game.play import play
from plyscope.visualizer.analysis.columns import kernel_call
from plyscope.visualizer.analysis.nodes.node import Node, Nodes
from plyscope.visualizer.analysis.warm_up import compile_replay_beside
from plyscope.visualizer.store.log import Log as StoredLog
from plyscope.visualizer.store.tree import Tree


@dataclass(frozen=True)
class Finding:
    """One contradiction at one node, with both figures."""

    rule: str
    severity: str
    """`wrong`, `waste` or `odd`."""
    message: str
    """What was found there and what was expected, in a sentence."""
    node: Node = field(repr=False)
    path: str
    """The plies from the root, as `plyscope check` prints them."""
    expected: Any = field(repr=False)
    found: Any = field(repr=False)
    reproduce: str = field(repr=False)
    """Position, plies, depth and window from which the visit can be run again."""
    involved: Nodes = field(repr=False, compare=False)
    """Nodes to look at beside it."""

    @property
    def id(self) -> int:
        """The id of the node."""
        return self.node.id

    @property
    def reason(self) -> str:
        """The sentence that says what must hold by this rule."""
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


class Report(Sequence[Finding]):
    """The findings of `plyscope.check`: the gravest first, then in the order in which nodes were left.

    Like any sequence it is true where it holds something, so `assert not report` asks for a log without
    findings; `report.ok` says that nothing is *wrong*, as exit code 0 of `plyscope check` does. `str(report)`
    is what the command prints. Findings are made when they are looked at.
    """

    def __init__(self, answer: Answer, tree: Tree) -> None:
        self._answer = answer
        self._tree = tree

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each severity."""
        return dict(self._answer.counts)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self._answer.counts["wrong"]

    @property
    def checked(self) -> tuple[str, ...]:
        """The rules that were asked."""
        return tuple(self._answer.asked)

    @property
    def not_checked(self) -> tuple[str, ...]:
        """The rules that were not asked, of all nodes or of some, each with the reason."""
        return tuple(map(str, self._answer.report.not_checked))

    @property
    def not_judged(self) -> tuple[str, ...]:
        """What no rule looked at, by what would matter most, each with the reason."""
        return tuple(map(str, self._answer.report.not_judged))

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope check --json` for this log."""
        return self._answer.as_json()

    def __len__(self) -> int:
        return sum(self._answer.counts.values())

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> list[Finding]: ...
    def __getitem__(self, index: int | slice) -> Finding | list[Finding]:
        if isinstance(index, slice):
            return [self._told(place) for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"finding {index} of {len(self)}")
        return self._told(place)

    def __iter__(self) -> Iterator[Finding]:
        return (self._told(place) for place in range(len(self)))

    def __repr__(self) -> str:
        found = ", ".join(f"{n:,} {severity}" for severity, n in self.counts.items() if n) or "clean"
        return f"<Report of {visible(self._answer.name)}: {found}>"

    def __str__(self) -> str:
        return "\n".join(self._answer.lines())

    def _told(self, place: int) -> Finding:
        answer = self._answer
        found = answer.report.at(np.array([place]))[0] if answer.is_plain else answer.fresh[place]
        return _finding(self._tree, found)


def check(
    log: Log | Source,
    *,
    against: Log | Source | None = None,
    ignore: str | Collection[str] = (),
    baseline: str | os.PathLike[str] | None = None,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> Report:
    """Find what contradicts itself in a log: one that is open, or whatever `plyscope.open` opens.

    `against` is another search of the same position, `ignore` names rules to leave out, `baseline` is a file
    of findings that are known and not counted again, as in `plyscope check`. Raises LogError, and OptionError
    for a rule that there is not. A large log compiles the rules first, once on a machine.

    >>> report = check('{"plyscope": 1, "root": {"children": [{"ply": "a", "score": "nan"}]}}')
    >>> [(finding.rule, finding.severity, finding.path) for finding in report], report.ok
    ([('nan', 'wrong', 'a')], False)
    """
    ignored = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    refuse_unknown(ignored)
    known: Known = frozenset() if baseline is None else known_in(Path(baseline))
    tree = tree_of(this := opened(log, map, progress))
    other = None if against is None else tree_of(opened(against, map, progress)).log
    with StatusLine.of_call(progress) as status:
        return Report(checked(this.name, tree.log, status, other=other, ignore=ignored, known=known), tree)


def checked(
    name: str,
    log: StoredLog,
    status: StatusLine,
    *,
    other: StoredLog | None = None,
    ignore: Collection[str] = (),
    known: Known = frozenset(),
    shown: str | None = None,
) -> Answer:
    """Check a log, showing how far it is under the name `shown`; raises LogError, OptionError."""

    n_found: int | None = None

    def tell(part: float) -> None:
        (status.show if part > 0 else status.wait)(stage(shown or name, part, n_found))
        is_playing = n_found is not None and kernel_call.way_for(log.n_rows) is None
        if is_playing and play.__name__ in kernel_call.missed:
            compile_replay_beside(log)

    def tell_first(report: reported.Report) -> None:
        nonlocal n_found
        n_found = len(report)

    return answer(name, log, other=other, ignore=ignore, known=known, on_progress=tell, on_first=tell_first)


def stage(name: str, part: float, n_found: int | None = None) -> str:
    """The status line of a check: the rules being compiled, once on a machine, then the part that is done.

    `n_found` is what all rules but `replay` found, once they have answered.

    >>> stage("a.json", 0.0), stage("a.json", 0.25)
    ('checking a.json  compiling the rules, once on a machine …', 'checking a.json  25%')
    >>> stage("a.json", 0.5, 2)
    'checking a.json  50%  2 findings; playing the game again, for `replay` …'
    """
    at = f"{part:.0%}" if part > 0 else "compiling the rules, once on a machine …"
    if n_found is not None:
        at += f"  {counted(n_found, 'finding')}; playing the game again, for `replay` …"
    return f"checking {name}  {at}"


def _finding(tree: Tree, found: reported.Finding) -> Finding:
    return Finding(
        rule=found.rule,
        severity=found.severity,
        message=found.message,
        node=Node(tree, found.row),
        path=found.path,
        expected=found.expected,
        found=found.found,
        reproduce=found.reproduce,
        involved=Nodes(tree, np.array(found.involved, np.int64)),
    )
