"""Pictures of a tuning: Vega-Lite's, as the charts of the page, drawn without a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plyscope.engine.tuning.history import smoothed
from plyscope.engine.tuning.tuning import Trial

WIDTH: Final = 560
HEIGHT: Final = 240
OURS: Final = "#1f66b0"
PUBLISHED: Final = "#b3261e"
EVEN: Final = 0.5

Row = Mapping[str, Any]


def svg_of(spec: Mapping[str, Any]) -> str:
    """The picture of a specification of Vega-Lite's."""
    import vl_convert

    whole = {
        "background": "white",
        "config": {"font": "DejaVu Sans, Verdana, sans-serif", "axis": {"grid": False, "labelLimit": 260}},
        **spec,
    }
    drawn: str = vl_convert.vegalite_to_svg(whole)
    return drawn


def curve(
    rows: Sequence[Row],
    *,
    x: str,
    y: str,
    low: str | None = None,
    high: str | None = None,
    by: str | None = None,
    logarithmic: bool = False,
) -> dict[str, Any]:
    """A line of `y` over `x`, a band from `low` to `high` around it, a line for each value of `by`."""
    colour = {"value": OURS} if by is None else {"field": by, "type": "nominal", "title": None}
    across = {"field": x, "type": "quantitative"}
    scale = {"type": "log"} if logarithmic else {}
    layers: list[dict[str, Any]] = []
    if low is not None and high is not None:
        up = {"field": low, "type": "quantitative", "title": y}
        band = {"x": across, "y": up, "y2": {"field": high}, "color": colour}
        layers.append({"mark": {"type": "area", "opacity": 0.18}, "encoding": band})
    line = {
        "x": across,
        "y": {"field": y, "type": "quantitative", "title": y, "scale": scale},
        "color": colour,
    }
    layers.append({"mark": {"type": "line", "strokeWidth": 2}, "encoding": line})
    return {"width": WIDTH, "height": HEIGHT, "data": {"values": list(rows)}, "layer": layers}


def level(spec: dict[str, Any], value: float, text: str) -> dict[str, Any]:
    """The same picture with a dashed line at a published value, and its name."""
    at = {"y": {"datum": value, "type": "quantitative"}}
    once: dict[str, Any] = {"values": [{}]}
    rule = {
        "data": once,
        "mark": {"type": "rule", "strokeDash": [5, 4], "color": PUBLISHED},
        "encoding": at,
    }
    name = {
        "data": once,
        "mark": {"type": "text", "align": "left", "dx": 6, "color": PUBLISHED, "text": text},
        "encoding": {**at, "x": {"value": WIDTH}},
    }
    return {**spec, "layer": [*spec["layer"], rule, name]}


def value_chart(trials: Sequence[Trial]) -> dict[str, Any]:
    """The share of the points by trial, never smoothed, with a line where both are as good."""
    rows = [{"trial": trial.number, "win factor": trial.value} for trial in trials]
    return level(curve(rows, x="trial", y="win factor"), EVEN, "even")


def weights_chart(trials: Sequence[Trial]) -> dict[str, Any]:
    """Every weight by trial, smoothed, by its size without its sign."""
    rows = [
        {"trial": trial.number, "weight": value, "of": name}
        for name in trials[0].weights
        for trial, value in zip(trials, smoothed([abs(each.weights[name]) for each in trials]), strict=True)
    ]
    return curve(rows, x="trial", y="weight", by="of")
