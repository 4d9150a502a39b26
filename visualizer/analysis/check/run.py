"""Run the rules of `check` over a log, plain or compiled, and gather what they found into a report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from visualizer.analysis.check.machine import Work
from visualizer.analysis.check.report import NotChecked, Report
from visualizer.analysis.check.rule import Rule, Severity
from visualizer.analysis.check.rules import RULES
from visualizer.analysis.check.scan import scan
from visualizer.analysis.check.sight import Sight, sight_of
from visualizer.analysis.check.sweep import derive
from visualizer.store import words
from visualizer.store.columns import COLUMNS
from visualizer.store.log import Log

Mask = npt.NDArray[np.bool_]

PLAIN_ROWS: Final = 2000
"""Up to so many rows a log is checked without loading numba."""

_COLUMN_OF: Final = {"tt": "tt_use", "tt.from": "tt_from", "tt.ply": "tt_ply"}
_SEARCHED: Final = (0, words.SEARCHED, words.CUTOFF)


def check(
    log: Log,
    *,
    ignore: Collection[str] = (),
    on_progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    compiled: bool | None = None,
) -> Report:
    """Every contradiction in `log` that the rules find, those in `ignore` left out.

    `on_progress` hears the fraction done, 0 while kernels are compiled. `compiled`: where it is None the size
    of the log decides. Raises KeyError for an unknown rule in `ignore`, `StoppedError` once `should_stop`
    answers True.

    >>> from visualizer.formats.detect import read_log
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
    sight = derive(sight_of(log), compiled, say)
    n_lacking = cache(partial(_n_lacking, log))
    asked: dict[str, Rule] = {}
    not_checked: list[NotChecked] = []
    for name, rule in RULES.items():
        if name in ignore:
            continue
        why = None if rule.applies is None else rule.applies(sight)
        if why is not None:
            not_checked.append(NotChecked(name, (), _n_nodes(log), why))
            continue
        missing = tuple(need for need in rule.needs if not has(log, need))
        if missing:
            n_nodes = max(_n_unasked(log, need) for need in missing)
            if n_nodes:
                not_checked.append(NotChecked(name, missing, n_nodes))
            continue
        asked[name] = rule
        part = None if rule.leaves_out is None else rule.leaves_out(sight)
        if part is not None:
            not_checked.append(NotChecked(name, (), part[1], part[0]))
        partly = {need: n for need in rule.needs if (n := n_lacking(need))}
        if partly:
            not_checked.append(NotChecked(name, tuple(partly), max(partly.values())))
    broken = scan(sight, RULES, asked, Work(compiled, say, should_stop))
    return Report(sight, RULES, _severities(asked, sight), broken, not_checked)


def _say_nothing(fraction: float) -> None:
    return None


def _severities(asked: Mapping[str, Rule], sight: Sight) -> dict[str, Severity]:
    return {
        name: rule.severity if rule.severity_in is None else rule.severity_in(sight)
        for name, rule in asked.items()
    }


def has(log: Log, need: str) -> bool:
    """Whether the log states `need` anywhere: a column, a field of `search` or the header; `a|b`: either."""
    return any(_states(log, each) for each in need.split("|"))


def _states(log: Log, name: str) -> bool:
    column = _COLUMN_OF.get(name, name)
    if column in log.columns:
        return name not in COLUMNS or name != "bound" or bool(np.any(log.columns["bound"]))
    search: Any = log.header.get("search")
    return name in log.header or (isinstance(search, Mapping) and name in search)


def _n_nodes(log: Log) -> int:
    return int(np.count_nonzero(log.columns["outcome"] < words.FIRST_STUB))


def _n_unasked(log: Log, need: str) -> int:
    """Nodes at which a rule would ask for `need`, which the log lacks; none where the technique is off."""
    outcome = log.columns["outcome"]
    if need.startswith("tt"):
        return int(np.count_nonzero(outcome == words.TT))
    if need == "ending":
        return int(np.count_nonzero(outcome == words.TERMINAL))
    if need == "stand_pat":
        quiescence = log.columns.get("quiescence")
        return 0 if quiescence is None else int(np.count_nonzero(quiescence == 1))
    if need == "reduction" and "purpose" in log.columns:
        return 0
    return _n_nodes(log)


def _n_lacking(log: Log, need: str) -> int:
    """Nodes without any of the fields of `need` among those that should state one."""
    lacking: Mask | None = None
    for name in need.split("|"):
        column = log.columns.get(_COLUMN_OF.get(name, name))
        if column is None or column.ndim > 1 or name not in _EXPECTED:
            return 0
        absent = COLUMNS[_COLUMN_OF.get(name, name)].absent
        here = np.isnan(column) if column.dtype.kind == "f" else column == absent
        lacking = here if lacking is None else lacking & here
    if lacking is None:
        return 0
    return int(np.count_nonzero(lacking & _EXPECTED[need.split("|")[0]](log)))


def _is_node(log: Log) -> Mask:
    return np.asarray(log.columns["outcome"] < words.FIRST_STUB)


def _is_finished(log: Log) -> Mask:
    outcome = log.columns["outcome"]
    return np.asarray(_is_node(log) & (outcome != words.STOPPED) & (outcome != words.OPEN))


def _is_leaf(log: Log) -> Mask:
    return np.asarray(log.columns["outcome"] == words.LEAF)


def _is_searched(log: Log) -> Mask:
    has_children = log.columns["end"] > np.arange(log.n_rows, dtype=np.int64) + 1
    return np.asarray(np.isin(log.columns["outcome"], _SEARCHED) & has_children)


def _is_below(log: Log) -> Mask:
    return _is_node(log) & (log.columns["parent"] >= 0)


_EXPECTED: Final[Mapping[str, Callable[[Log], Mask]]] = {
    "score": _is_finished,
    "bound": _is_finished,
    "alpha": _is_node,
    "beta": _is_node,
    "depth": _is_node,
    "player": _is_node,
    "purpose": _is_node,
    "key": _is_node,
    "static": _is_leaf,
    "moves": _is_searched,
    "pre_score": _is_below,
}
"""Where a log that states a field at all should state it."""
