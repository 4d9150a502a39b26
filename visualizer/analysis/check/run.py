"""Run the rules of `check` over a log, plain or compiled, and gather their findings into a report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from plyscope.visualizer.analysis.check.facts.field_coverage import Stated
from plyscope.visualizer.analysis.check.facts.masks import has_row
from plyscope.visualizer.analysis.check.facts.sight import Sight, sight_of
from plyscope.visualizer.analysis.check.finding import Severity
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.key_pass import meet
from plyscope.visualizer.analysis.check.passes.sweep import derive
from plyscope.visualizer.analysis.check.report import NotChecked, Report, Rows
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.analysis.check.rule_scan import scan
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.store.log import Log

PLAIN_ROWS: Final = 2000
"""Logs of up to this many rows are checked without loading numba."""


def check(
    log: Log,
    *,
    ignore: Collection[str] = (),
    on_progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    compiled: bool | None = None,
) -> Report:
    """Return every contradiction in `log` that the rules find, without the rules in `ignore`.

    `on_progress` gets the fraction done, 0 while kernels are compiled. If `compiled` is None, the size
    of the log decides. Raises KeyError for an unknown rule in `ignore`, `StoppedError` once `should_stop`
    returns True.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> log = read_log(b'{"plyscope": 1, "root": {"children": [{"ply": "a", "score": "nan"}]}}')
    >>> [(finding.rule, finding.path) for finding in check(log).findings()]
    [('nan', 'a')]
    """
    for name in ignore:
        if name not in RULES:
            raise KeyError(name)
    if compiled is None:
        compiled = log.n_rows > PLAIN_ROWS
    say = on_progress or _say_nothing
    sight = sight_of(log)
    with ThreadPoolExecutor(1) as beside:
        alone = Work(compiled, should_stop=should_stop)
        after = Work(compiled, say, should_stop, alone.scratch)  # its passes wait for those over keys
        keys = beside.submit(meet, sight, alone, set(RULES) - set(ignore)) if compiled else None
        return _checked(derive(sight, compiled, say), frozenset(ignore), after, keys)


def _checked(sight: Sight, ignore: Set[str], work: Work, keys: Future[None] | None) -> Report:
    """Ask all rules except those in `ignore`; `keys` is the pass over keys, which runs in another thread."""
    stated = Stated(sight.log)
    rules = {name: rule for name, rule in RULES.items() if name not in ignore}
    stated.count_lacking({need for rule in rules.values() for need in rule.needs})
    asked: dict[str, Rule] = {}
    not_checked: list[NotChecked] = []
    for name, rule in rules.items():
        why = None if rule.why_not is None else rule.why_not(sight)
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
        partly = {need: n for need in rule.needs if (n := stated.n_lacking(need))}
        if partly:
            not_checked.append(NotChecked(name, tuple(partly), max(partly.values())))
    broken = scan(sight, asked, work, keys)
    for name in [
        name for name in asked if not len(broken[name]) and not _has_judged(asked[name], sight, work)
    ]:
        del broken[name]
        rule = asked.pop(name)
        if all(each.rule != name for each in not_checked):
            not_checked.append(NotChecked(name, (), stated.n_nodes, rule.unjudged))
    for name, rule in asked.items():
        part = None if rule.leaves_out is None else rule.leaves_out(sight)
        if part is not None:
            not_checked.append(NotChecked(name, (), part[1], part[0]))
    return Report(sight, RULES, _severities(asked, sight, broken), broken, not_checked)


def _has_judged(rule: Rule, sight: Sight, work: Work) -> bool:
    """Whether there was a row that the rule can judge."""
    if rule.judged is not None:
        return has_row(sight, rule.judged)
    assert rule.has_judged is not None
    return rule.has_judged(sight, work)


def _say_nothing(fraction: float) -> None:
    return None


def _severities(
    asked: Mapping[str, Rule], sight: Sight, broken: Mapping[str, Rows]
) -> dict[str, Severity | Sequence[Severity]]:
    """Return the severity of each rule that was asked, or of each row that breaks it if rows differ."""
    severities: dict[str, Severity | Sequence[Severity]] = {}
    for name, rule in asked.items():
        if rule.severity_at is not None:
            severities[name] = rule.severity_at(sight, broken[name])
        else:
            severities[name] = rule.severity if rule.severity_in is None else rule.severity_in(sight)
    return severities
