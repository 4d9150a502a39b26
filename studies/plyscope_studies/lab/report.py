"""The page of a study: Markdown, with pictures beside it, and sentences on figures that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.cli.play.tuning_charts import svg_of

ALIGNED_RIGHT: Final = "-+\u2212.0123456789%?\u2264\u2265"
"""How the cell of a figure begins."""


class Report:
    """Sentences, tables and pictures in the order in which a study says them.

    >>> report = Report("coins", "Coins")
    >>> report.say("Heads and tails.")
    >>> report.table(["side", "share"], [["heads", "0.51"]])
    >>> print(report.markdown())
    # Coins
    <BLANKLINE>
    Heads and tails.
    <BLANKLINE>
    | side | share |
    |---|---:|
    | heads | 0.51 |
    <BLANKLINE>
    """

    def __init__(self, name: str, title: str) -> None:
        self.name, self.title = name, title
        self._blocks: list[str] = []
        self._pictures: dict[str, dict[str, Any] | str] = {}

    def say(self, text: str) -> None:
        """A paragraph, in Markdown."""
        self._blocks.append(text)

    def head(self, text: str) -> None:
        """A heading below the title."""
        self._blocks.append(f"## {text}")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table of texts; a column of figures stands to the right."""
        rights = [
            bool(rows) and all(not row[at] or row[at].strip("*")[:1] in ALIGNED_RIGHT for row in rows)
            for at in range(len(columns))
        ]
        lines = [_row(columns), "|" + "|".join("---:" if right else "---" for right in rights) + "|"]
        self._blocks.append("\n".join([*lines, *map(_row, rows)]))

    def chart(self, name: str, caption: str, drawn: dict[str, Any] | str) -> None:
        """A picture of Vega-Lite's with its data, or one that is drawn; `caption` says what is to be seen."""
        file = f"{self.name}-{name}.svg"
        self._pictures[file] = drawn
        self._blocks.append(f"![{caption}]({file})\n\n*{caption}*")

    def markdown(self) -> str:
        """The page as it is so far."""
        return "\n\n".join([f"# {self.title}", *self._blocks]) + "\n"

    def write(self, folder: Path) -> list[Path]:
        """Write the page and its pictures into a folder; the files. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / f"{self.name}.md"
        files = [page]
        for file, drawn in self._pictures.items():
            (folder / file).write_text(drawn if isinstance(drawn, str) else svg_of(drawn), "utf-8")
            files.append(folder / file)
        page.write_text(self.markdown(), "utf-8")
        return files


@dataclass(frozen=True)
class Held:
    """A published figure and our interval of 95 %, both written with `digits` after the point."""

    name: str
    printed: float
    low: float
    high: float
    digits: int = 2

    @property
    def is_excluded(self) -> bool:
        """Whether the figure lies outside of our interval."""
        return not self.low <= self.printed <= self.high

    def __str__(self) -> str:
        places = self.digits
        return (
            f"{self.name}, {self.printed:.{places}f} (here {self.low:.{places}f} to {self.high:.{places}f})"
        )


def excluded(what: str, figures: Sequence[Held], likely: str) -> str:
    """Return a sentence on the figures that our intervals exclude; where there are any, on the likely reason.

    >>> figures = [Held("a", 0.7, 0.39, 0.59), Held("b", 0.5, 0.4, 0.6)]
    >>> excluded("win rate", figures, "more time")
    'Our intervals exclude the printed win rate of a, 0.70 (here 0.39 to 0.59). Likely reason: more time.'
    >>> excluded("win rate", figures[1:], "")
    'Our intervals hold every printed win rate.'
    """
    out = [str(each) for each in figures if each.is_excluded]
    if not out:
        return f"Our intervals hold every printed {what}."
    return f"Our intervals exclude the printed {what} of {'; '.join(out)}. Likely reason: {likely}."


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
