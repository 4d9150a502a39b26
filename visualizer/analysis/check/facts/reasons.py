"""Reasons why rules of several kinds cannot judge a log: `Rule.why_not`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.header_fields import said_over

WhyNot = Callable[[Sight], str | None]


def if_best_first(why: str) -> WhyNot:
    """Return what gives the reason `why` for a best-first log, and None for others."""
    return lambda sight: why if sight.best_first else None


best_first: Final = if_best_first("a best-first search has no windows")
best_first_averages: Final = if_best_first(
    "a best-first tree may average, so nothing is claimed of its best children"
)


def lines_alone(sight: Sight) -> str | None:
    """Return the reason why rules that need the tree cannot judge lines that an engine said, or None."""
    protocol = said_over(sight.log.header)
    if protocol is None:
        return None
    return f"these are lines that an engine said over {protocol}, not the tree that it searched"


def reason_if_threaded(sight: Sight) -> str | None:
    """Return the reason why rules that use the order of rows cannot judge the log, or None."""
    return "several threads searched: rows are not in the order of time" if sight.is_threaded else None


def reason_if_unordered(sight: Sight) -> str | None:
    """Return the reason why rules of windows that use the order of rows cannot judge the log, or None."""
    return reason_if_threaded(sight) or best_first(sight)


def reason_if_averaged(sight: Sight) -> str | None:
    """Return the reason why rules of best children cannot judge the log, or None."""
    if sight.best_first:
        return best_first_averages(sight)
    return "scores beside counts of visits, without windows, are averages" if sight.is_averaged else None


def other_order(sight: Sight) -> str | None:
    """Return the reason why rules of best-first trees cannot judge the log, or None."""
    if sight.best_first or len(sight.visits) == 0:
        return None
    return "only of a log that says `order: best_first`"


def selected_uniformly(sight: Sight) -> str | None:
    """Return the reason why visits say nothing of means, or None; ours is `select="plain"`."""
    options = sight.log.search.get("options")
    if not isinstance(options, dict):
        return None
    is_uniform = options.get("select") == "plain" or "uniform" in " ".join(map(str, options.values())).lower()
    return "its options say that plies are selected uniformly" if is_uniform else None


def unknown_window(sight: Sight) -> str | None:
    """Return what is missing if neither `fail` nor windows tell how a score may differ from a worth."""
    if not sight.fail_is_declared and not (len(sight.alpha) and len(sight.beta)):
        return "needs `search.fail`, or `alpha` and `beta`"
    return None
