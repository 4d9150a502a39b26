"""Pictures of a study: intervals, beside the curves of a tuning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from plyscope.visualizer.cli.play.tuning_charts import OURS, PUBLISHED, WIDTH, Row

GREY: Final = "#6b7280"


def mark_value(spec: dict[str, Any], value: float) -> dict[str, Any]:
    """The same picture of intervals with a dashed line down at a value."""
    rule = {
        "data": {"values": [{}]},
        "mark": {"type": "rule", "strokeDash": [5, 4], "color": PUBLISHED},
        "encoding": {"x": {"datum": value, "type": "quantitative"}},
    }
    return {**spec, "layer": [*spec["layer"], rule]}


def intervals(rows: Sequence[Row], *, x: str, y: str, low: str, high: str) -> dict[str, Any]:
    """A dot of `x` for each `y` with its interval, in the order of the rows."""
    down = {"field": y, "type": "nominal", "sort": None, "title": None}
    across = {"type": "quantitative", "title": x, "scale": {"zero": False}}
    ends = {"x": {"field": low, **across}, "x2": {"field": high}, "y": down}
    dot = {"x": {"field": x, **across}, "y": down}
    return {
        "width": WIDTH,
        "height": {"step": 26},
        "data": {"values": list(rows)},
        "layer": [
            {"mark": {"type": "rule", "color": GREY, "strokeWidth": 2}, "encoding": ends},
            {"mark": {"type": "point", "filled": True, "size": 70, "color": OURS}, "encoding": dot},
        ],
    }
