"""The colours of a picture, on light or dark paper: those of the page where the page has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Palette:
    """One set of colours; `strokes` and `fills` are by the shape of a node."""

    paper: str
    ink: str
    dim: str
    edge: str
    stub: str
    fold: str
    highlight: str
    strokes: dict[str, str]
    fills: dict[str, str]


LIGHT: Final = Palette(
    paper="#ffffff",
    ink="#1b1d21",
    dim="#5a6069",
    edge="#7d828a",
    stub="#80858d",
    fold="#d9d8d2",
    highlight="#f6d95b",
    strokes={
        "max": "#1a66a8",
        "min": "#b0540b",
        "chance": "#6b4fa0",
        "other": "#3f6b5c",
        "plain": "#7d828a",
    },
    fills={"max": "#e6f0f9", "min": "#fcf0e4", "chance": "#f1edf9", "other": "#e9f3ef", "plain": "#ffffff"},
)

DARK: Final = Palette(
    paper="#141619",
    ink="#e9eaec",
    dim="#a3abb5",
    edge="#7f8791",
    stub="#8a929c",
    fold="#3c4249",
    highlight="#8a6d0f",
    strokes={
        "max": "#6db3f2",
        "min": "#f2ab6b",
        "chance": "#c3aef0",
        "other": "#9ed0bf",
        "plain": "#7f8791",
    },
    fills={"max": "#182c42", "min": "#38271a", "chance": "#2b2440", "other": "#1d302a", "plain": "#1b1e22"},
)
