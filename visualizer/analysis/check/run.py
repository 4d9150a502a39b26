"""Run the rules of `check` over a log, plain or compiled, and gather their findings into a report.

Rules of rows are asked many at once, piece by piece of the rows, each by a kernel of its own; those over the
whole log are asked beside them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.coverage import Stated, not_judged
from plyscope.visualizer.analysis.check.facts.judged import Rows, has_row, lines_alone
from plyscope.visualizer.analysis.check.report import NotChecked, Report
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.rules.keys import meet
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.kernel_call import Way, Work, say_nothing, way_for
from plyscope.visualizer.analysis.columns.sight import Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.store.log import Log

FIRST: Final = 0.3
"""The share of the progress for the rules that report first, if one `answers_last`."""
COMING: Final = "is asked last, and not done yet"
OF_FAIL: Final = ("leaf", "stand-pat", "terminal", "value")
"""The rules that judge a score by its window as `fail` says."""
FEWEST_MISFITS: Final = 2
"""One score that fits the other form only may be a fault of its own."""
CHUNK: Final = 1 << 14
"""Rows that one rule after the other is asked about, between two reports of progress; few enough to
stay in the cache of the processor."""
BY_ROW: Final = 0.4
"""The part of the progress that is the rules asked row by row."""
MOST_THREADS: Final = 4

Violates = Callable[[Sight, int], bool]


def check(
    log: Log,
    *,
    ignore: Collection[str] = (),
    on_progress: Callable[[float], None] | None = None,
    on_first: Callable[[Report], None] | None = None,
    compiled: Way = None,
) -> Report:
    """Return every contradiction in `log` that the rules find, without the rules in `ignore`.

    `on_progress` gets the fraction done, 0 while kernels are compiled. `on_first` gets a report before the
    rule that takes longest begins, `replay`, if it is asked. If `compiled` is None, the size of the log
    decides (see `kernel_call`). Raises KeyError for an unknown rule in `ignore`.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> log = read_log(b'{"plyscope": 1, "root": {"children": [{"ply": "a", "score": "nan"}]}}')
    >>> [(finding.rule, finding.path) for finding in check(log).findings()]
    [('nan', 'a')]
    """
    for name in ignore:
        if name not in RULES:
            raise KeyError(name)
    if compiled is None:
        compiled = way_for(log.n_rows)
    say = on_progress or say_nothing
    sight = sight_of(log)
    with ThreadPoolExecutor(1) as beside:
        alone = Work(compiled)
        after = Work(compiled, say, alone.scratch)  # its passes wait for those over keys
        keys = beside.submit(meet, sight, alone, set(RULES) - set(ignore)) if compiled else None
        sight = _settled(derive(sight, after), after)
        return _checked(sight, frozenset(ignore), after, keys, on_first)


def _checked(
    sight: Sight,
    ignore: Set[str],
    work: Work,
    keys: Future[None] | None,
    on_first: Callable[[Report], None] | None,
) -> Report:
    """Ask all rules except those in `ignore`; `keys` is the pass over keys, which runs in another thread."""
    stated, alone = Stated(sight), lines_alone(sight)
    rules = {name: rule for name, rule in RULES.items() if name not in ignore}
    n_lacking = stated.n_lacking({need for rule in rules.values() for need in rule.needs})
    asked: dict[str, Rule] = {}
    not_checked: list[NotChecked] = []
    for name, rule in rules.items():
        why = None if rule.of_lines else alone
        if why is None and rule.why_not is not None:
            why = rule.why_not(sight)
        if why is not None:
            not_checked.append(NotChecked(name, (), stated.n_nodes, why))
            continue
        missing = tuple(need for need in rule.needs if not stated.has(need))
        if missing:
            n_nodes = max(stated.n_unasked(need) for need in missing)
            if n_nodes:
                not_checked.append(NotChecked(name, missing, n_nodes))
            continue
        asked[name] = rule
        partly = {need: n for need in rule.needs if (n := n_lacking[need])}
        if partly:
            not_checked.append(NotChecked(name, tuple(partly), max(partly.values())))
    last = {name: rule for name, rule in asked.items() if rule.answers_last}
    first = {name: rule for name, rule in asked.items() if name not in last}
    if not last:
        return _report(sight, stated, asked, scan(sight, asked, work, keys), not_checked, work)
    broken = scan(sight, first, work.part(0.0, FIRST), keys)
    if on_first is not None:
        coming = [NotChecked(name, (), stated.n_nodes, COMING) for name in last]
        on_first(_report(sight, stated, first, broken, [*not_checked, *coming], work))
    broken |= scan(sight, last, work.part(FIRST, 1.0))
    return _report(sight, stated, asked, {name: broken[name] for name in asked}, not_checked, work)


def _report(
    sight: Sight,
    stated: Stated,
    asked: Mapping[str, Rule],
    broken: Mapping[str, Rows],
    not_checked: Sequence[NotChecked],
    work: Work,
) -> Report:
    """Return the report of the rules that were `asked`, without those that had no row to judge."""
    judging = {
        name: rule for name, rule in asked.items() if len(broken[name]) or _has_judged(rule, sight, work)
    }
    listed = list(not_checked)
    for name, rule in asked.items():
        if name not in judging and all(each.rule != name for each in not_checked):
            listed.append(NotChecked(name, (), stated.n_nodes, rule.text.unjudged))
    for name, rule in judging.items():
        part = None if rule.leaves_out is None else rule.leaves_out(sight)
        if part is not None:
            listed.append(NotChecked(name, (), part[1], part[0]))
    broken = {name: broken[name] for name in judging}
    reasons = [(each.rule, each.reason) for each in listed]
    unjudged = not_judged(stated, judging, reasons)
    return Report(sight, RULES, broken, listed, unjudged)


def _has_judged(rule: Rule, sight: Sight, work: Work) -> bool:
    """Whether there was a row that the rule can judge."""
    if rule.judged:
        return has_row(sight, rule.judged)
    assert rule.has_judged is not None
    return rule.has_judged(sight, work)


def _settled(sight: Sight, work: Work) -> Sight:
    """Return the sight, with the other `fail` if scores contradict the declared one and none the other.

    Then a single finding says so, instead of one at each node, and all rules use the form that fits.
    """
    has_windows = len(sight.alpha) > 0 and len(sight.beta) > 0
    if not sight.fail_is_declared or sight.best_first or not has_windows:
        return sight
    rows = _misfits(sight, work)
    if len(rows) < FEWEST_MISFITS:
        return sight
    if np.isnan(sight.alpha[rows]).any() or np.isnan(sight.beta[rows]).any():
        return sight  # in an unstated window any score is possible
    turned = sight_of(sight.log)._replace(fail=SOFT + HARD - sight.fail)
    other = derive(turned, work)
    if len(_misfits(other, work)):
        return sight
    first = int(rows[np.argmin(sight.end[rows])])
    return other._replace(n_misdeclared=len(rows), misdeclared_row=first)


def _misfits(sight: Sight, work: Work) -> Rows:
    rules = {name: RULES[name] for name in OF_FAIL}
    asked = {name: rule for name, rule in rules.items() if rule.why_not is None or not rule.why_not(sight)}
    found = scan(sight, asked, Work(work.compiled))
    return np.unique(np.concatenate([np.zeros(0, np.int64), *found.values()]))


@cache
def scanner(violates: Violates) -> Callable[..., int]:
    """Return a kernel that writes the rows in [first, last) that break a rule, and returns their number."""

    @kernel
    def scan_rows(sight: Sight, first: int, last: int, rows: Any) -> int:
        n_broken = 0
        for row in range(first, last):
            if violates(sight, row):
                rows[n_broken] = row
                n_broken += 1
        return n_broken

    return scan_rows


def scan(
    sight: Sight, asked: Mapping[str, Rule], work: Work, ahead: Future[None] | None = None
) -> dict[str, Rows]:
    """Return the rows that break each of the rules `asked`, ascending.

    Rules over the whole log wait for `ahead`, a pass that has begun before.
    """
    by_row = {name: rule.violates for name, rule in asked.items() if rule.violates is not None}
    if not by_row:
        return _find(sight, asked, work, ahead)
    progress = _Progress(work)
    with ThreadPoolExecutor(_n_threads(work)) as pool:
        if work.compiled:
            coming = pool.submit(_find, sight, asked, progress.work_of(1), ahead)
            broken = _scan_rows(sight, by_row, progress.work_of(0), pool)
            broken |= coming.result()
        else:
            broken = _scan_rows(sight, by_row, progress.work_of(0), pool)
            broken |= _find(sight, asked, progress.work_of(1), ahead)
    return {name: _unexcused(sight, rule, broken[name]) for name, rule in asked.items()}


def _unexcused(sight: Sight, rule: Rule, rows: Rows) -> Rows:
    return rows if rule.excuses is None or not len(rows) else rows[~rule.excuses(sight, rows)]


class _Progress:
    """The joint progress of two threads: the rules row by row, and those over the whole log."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._done = [0.0, 0.0]

    def work_of(self, place: int) -> Work:
        """Return the work of one of the two threads."""
        return replace(self._work, on_progress=partial(self._has_come, place))

    def _has_come(self, place: int, part: float) -> None:
        self._done[place] = part
        self._work.on_progress(BY_ROW * self._done[0] + (1 - BY_ROW) * self._done[1])


def _n_threads(work: Work) -> int:
    return min(MOST_THREADS, os.cpu_count() or 1) if work.compiled else 1


def _find(
    sight: Sight, asked: Mapping[str, Rule], work: Work, ahead: Future[None] | None = None
) -> dict[str, Rows]:
    """Return the rows that break each rule over the whole log, once `ahead` is done."""
    if ahead is not None:
        ahead.result()
    finds = [(name, rule.find, rule.effort) for name, rule in asked.items() if rule.find is not None]
    whole, done = sum(effort for _, _, effort in finds), 0
    found = {}
    for name, find, effort in finds:
        part = work.part(done / whole, (done + effort) / whole)
        found[name] = np.asarray(find(sight, part), np.int64)
        done += effort
    work.go_on(1.0)
    return found


def _scan_rows(
    sight: Sight, rules: Mapping[str, Violates], work: Work, pool: ThreadPoolExecutor
) -> dict[str, Rows]:
    """Return the rows that break each of the rules; the pool takes pieces of the rows."""
    scanners = {name: work.run(scanner(violates)) for name, violates in rules.items()}

    def scan_chunk(first: int) -> dict[str, Rows]:
        last = min(first + CHUNK, sight.n_rows)
        rows = np.empty(last - first, np.int64)
        return {
            name: rows[:n_broken].copy()
            for name, scan_rows in scanners.items()
            if (n_broken := scan_rows(sight, first, last, rows))
        }

    found: dict[str, list[Rows]] = {name: [np.zeros(0, np.int64)] for name in rules}
    firsts = range(0, sight.n_rows, CHUNK)
    work.go_on(1 / (len(firsts) + 1))  # not 0, which means that kernels are being compiled
    coming = deque(pool.submit(scan_chunk, first) for first in firsts)
    try:
        while coming:
            work.go_on(1 - len(coming) / (len(firsts) + 1))
            for name, rows in coming.popleft().result().items():
                found[name].append(rows)
    finally:
        for each in coming:
            each.cancel()
    work.go_on(1.0)
    return {name: np.concatenate(pieces) for name, pieces in found.items()}
