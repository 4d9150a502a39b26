"""Statistics as JSON: one answer for `--json`, the API and scripts; lists are cut where asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from plyscope.visualizer.analysis.statistics.figures import (
    Level,
    Limits,
    NodeIteration,
    Order,
    Quotient,
    Statistics,
)
from plyscope.visualizer.analysis.statistics.visited import Visited
from plyscope.visualizer.formats.json_text import with_number_words


def as_json(figures: Statistics, most: int | None = None) -> dict[str, Any]:
    """All figures; of lists longer than `most` the first entries, and `more_…` says how many are left out."""
    where = figures.where
    answer: dict[str, Any] = {**figures.totals.as_json(0), "best_first": figures.is_best_first}
    answer.pop("more_levels", None)
    answer |= _listed("levels", [_level(each) for each in figures.levels], most)
    answer["extremes"] = asdict(figures.extremes)
    answer["order"] = None if figures.order is None else _order(figures.order)
    answer["limits"] = None if figures.limits is None else _limits(figures.limits)
    answer["counters"] = [asdict(each) for each in figures.counters]
    answer["table"] = None if figures.table is None else asdict(figures.table)
    answer["where"] = {
        "nodes": where.nodes,
        "quiescence": where.quiescence,
        "purposes": [asdict(each) for each in where.purposes],
        **_listed("root_plies", [asdict(each) for each in where.root_plies], most),
    }
    answer |= _listed("iterations", [asdict(each) for each in figures.iterations], most)
    answer["quotient"] = None if figures.quotient is None else quotient_as_json(figures.quotient)
    answer["visited"] = None if figures.visited is None else _visited(figures.visited, most)
    answer["missing"] = [asdict(each) for each in figures.missing]
    worded = with_number_words(answer)
    assert isinstance(worded, dict)
    return worded


def iterations_as_json(found: Sequence[NodeIteration]) -> list[dict[str, Any]]:
    """One node through the trees of its log."""
    worded = with_number_words([asdict(each) for each in found])
    assert isinstance(worded, list)
    return worded


def _listed(name: str, items: list[dict[str, Any]], most: int | None) -> dict[str, Any]:
    shown = items[:most]
    more = {} if len(shown) == len(items) else {f"more_{name}": len(items) - len(shown)}
    return {name: shown, **more}


def _level(level: Level) -> dict[str, Any]:
    return asdict(level) | {
        "branching": level.branching,
        "branching_with_stubs": level.branching_with_stubs,
        "effective_branching": level.effective_branching,
    }


def _visited(visited: Visited, most: int | None) -> dict[str, Any]:
    levels = [asdict(each) | {"branching": each.branching} for each in visited.levels]
    told = {
        "playouts": visited.playouts,
        "nodes": visited.nodes,
        "deepest": visited.deepest,
        "first_share": visited.first_share,
        "effective_plies": visited.effective_plies,
        "snapshots": [each.as_json() for each in visited.snapshots],
    }
    return told | _listed("levels", levels, most)


def _order(order: Order) -> dict[str, Any]:
    return asdict(order) | {"first_share": order.first_share}


def _limits(limits: Limits) -> dict[str, Any]:
    return asdict(limits)


def quotient_as_json(quotient: Quotient) -> dict[str, Any]:
    """The ranks and their costs; `loss_low` and `loss_high` bound the expected loss."""
    bars = [asdict(bar) | {"exact": bar.is_exact} for bar in quotient.bars]
    losses = {"loss_low": quotient.loss_low, "loss_high": quotient.loss_high}
    return asdict(quotient) | losses | {"bars": bars}
