"""A finding of `check` at a row that breaks a rule: its severity, and both figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

Severity = Literal["wrong", "waste", "odd"]
SEVERITIES: Final[tuple[Severity, ...]] = ("wrong", "waste", "odd")
"""From the worst: impossible, whatever the engine intended; wasted work; legitimate in some engines."""


@dataclass(frozen=True)
class Figures:
    """Both figures of a finding: numbers, texts or intervals as JSON takes them, and a sentence with both.

    `involved` are further rows to outline: the children, the source of a table entry.
    """

    expected: Any
    found: Any
    message: str
    involved: tuple[int, ...] = ()
