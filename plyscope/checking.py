"""`plyscope.check`: the contradictions in a log, as `plyscope check` finds them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from plyscope.engine.quoting import counted
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.check import report as reported
from plyscope.visualizer.analysis.check.answer import Known, Report, known_in, refuse_unknown, report_of
from plyscope.visualizer.analysis.check.rules.game.play import play
from plyscope.visualizer.analysis.columns import kernel_call
from plyscope.visualizer.analysis.warm_up import compile_replay_beside
from plyscope.visualizer.store.log import Log as StoredLog
from plyscope.visualizer.store.tree import Tree


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
        return checked(this.name, tree, status, other=other, ignore=ignored, known=known)


def checked(
    name: str,
    tree: Tree,
    status: StatusLine,
    *,
    other: StoredLog | None = None,
    ignore: Collection[str] = (),
    known: Known = frozenset(),
    shown: str | None = None,
) -> Report:
    """Check a log, showing how far it is under the name `shown`; raises LogError, OptionError."""

    n_found: int | None = None
    log = tree.log

    def tell(part: float) -> None:
        (status.show if part > 0 else status.wait)(stage(shown or name, part, n_found))
        is_playing = n_found is not None and kernel_call.way_for(log.n_rows) is None
        if is_playing and play.__name__ in kernel_call.missed:
            compile_replay_beside(log)

    def tell_first(report: reported.Report) -> None:
        nonlocal n_found
        n_found = len(report)

    return report_of(
        name, tree, other=other, ignore=ignore, known=known, on_progress=tell, on_first=tell_first
    )


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
