"""Answers as a notebook shows them: sentences, tables and waterfalls, as HTML and as Markdown.

All text is escaped, so that nothing that a log says is markup, a formula or a link.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.nodes.digits import by_the_largest
from plyscope.visualizer.analysis.nodes.ply_path import SEPARATOR

MOST_ROWS: Final = 20
LONGEST_CELL: Final = 80
LONGEST_BAR: Final = 24
"""Characters of the longest bar in Markdown."""
IGNORED: Final = "plyscope tex2jax_ignore mathjax_ignore"
"""Classes in which MathJax, which notebooks bring, looks for no formulas."""
LEFT, RIGHT = "text-align:left", "text-align:right;font-variant-numeric:tabular-nums"


class Figure(str):
    """A figure as text, aligned to the right of its cell."""


class Lines(str):
    """Text of several lines, which are kept."""


class Frame(str):
    """The address of a page that is shown in a frame."""


@dataclass(frozen=True)
class Table:
    """Rows below a head; of many rows the first few, and the number left out."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    n_left_out: int = 0


@dataclass(frozen=True)
class Waterfall:
    """Amounts that add up to a total, each with its name and its figure; the total comes last."""

    parts: Sequence[tuple[str, str, float]]


Block = str | Table | Waterfall


class Displayed:
    """An answer that a notebook shows by its `_blocks`: by default its `str`, or its fields."""

    __slots__ = ()

    def _blocks(self) -> Iterable[Block]:
        if type(self).__str__ is object.__str__ and is_dataclass(self):
            return [fields_table({each.name: getattr(self, each.name) for each in fields(self) if each.repr})]
        return [Lines(self)]

    def _repr_html_(self) -> str:
        return f'<div class="{IGNORED}">{"".join(map(_html, self._blocks()))}</div>'

    def _repr_markdown_(self) -> str:
        return "\n\n".join(map(_markdown, self._blocks())) + "\n"


def fields_table(stated: Mapping[str, Any]) -> Table:
    """The table of an object's fields."""
    rows = [(name, cell(value)) for name, value in stated.items() if value is not None]
    return Table(("field", "value"), rows)


def cell(value: Any) -> str:
    """A value as the text of a cell, on one line.

    >>> cell(None), cell(True), cell(22289), cell(-1.5), cell({"mobility": 2.0}), cell("a\\nb")
    ('', 'true', '22,289', '-1.5', 'mobility 2', 'a\\\\nb')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    if isinstance(value, Mapping):
        return cell(", ".join(f"{name} {cell(each)}" for name, each in value.items()))
    if isinstance(value, tuple | list):
        return cell(", ".join(map(cell, value)))
    text = visible(str(value))
    if len(text) <= LONGEST_CELL:
        return text
    return f"…{text[1 - LONGEST_CELL :]}" if SEPARATOR in text else f"{text[: LONGEST_CELL - 1]}…"


def _is_figure(value: Any) -> bool:
    return isinstance(value, Figure) or (isinstance(value, int | float) and not isinstance(value, bool))


def _html(block: Block) -> str:
    match block:
        case Frame():
            style = "width:100%;height:42rem;border:1px solid #8888"
            return f'<iframe src="{html.escape(block)}" style="{style}"></iframe>'
        case Lines():
            return f"<pre>{html.escape(block)}</pre>"
        case str():
            return f"<p>{html.escape(visible(block))}</p>"
        case Waterfall():
            return _html_table(("", "", ""), [*_bars_html(block)])
    rows = [
        [(html.escape(cell(each)), RIGHT if _is_figure(each) else LEFT) for each in row] for row in block.rows
    ]
    more = f"<p>… {block.n_left_out:,} more</p>" if block.n_left_out else ""
    return _html_table(block.head, rows) + more


def _html_table(head: Sequence[str], rows: Sequence[Sequence[tuple[str, str]]]) -> str:
    names = [f'<th style="{LEFT}">{html.escape(visible(name))}</th>' for name in head]
    cells = [[f'<td style="{style}">{text}</td>' for text, style in row] for row in rows]
    lines = [f"<tr>{''.join(row)}</tr>" for row in ([names] if any(head) else []) + cells]
    return f"<table>{''.join(lines)}</table>"


def _bars_html(waterfall: Waterfall) -> Iterable[Sequence[tuple[str, str]]]:
    """The parts with a bar each, which begins where the one before ended."""
    sizes = by_the_largest([amount for _, _, amount in waterfall.parts])
    ends = [0.0, *itertools.accumulate(sizes[:-1])]
    low, high = min(ends), max(ends)
    span = (high - low) or 1.0
    for place, (size, (name, said, _)) in enumerate(zip(sizes, waterfall.parts, strict=True)):
        begin = 0.0 if place == len(sizes) - 1 else ends[place]
        left, width = (min(begin, begin + size) - low) / span, abs(size) / span
        colour = "#777" if begin == 0.0 and place else "#2f7fb5" if size > 0 else "#c4622d"
        bar = f"margin-left:{left:.1%};width:{width:.1%};min-width:1px;height:0.8em;background:{colour}"
        yield (
            (html.escape(visible(name)), LEFT),
            (html.escape(said), RIGHT),
            (f'<div style="{bar}"></div>', "width:24em"),
        )


def _markdown(block: Block) -> str:
    match block:
        case Frame():
            return f"<{block}>"
        case Lines():
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block)), default=0))
            return f"{fence}\n{block}\n{fence}"
        case str():
            return escaped(block)
        case Waterfall():
            sizes = by_the_largest([amount for _, _, amount in block.parts])
            bars = [("▶" if size > 0 else "◀") * round(LONGEST_BAR * abs(size)) for size in sizes]
            parts = [(name, Figure(said)) for name, said, _ in block.parts]
            return _markdown(
                Table(("part", "amount", ""), [(*part, bar) for part, bar in zip(parts, bars, strict=True)])
            )
    first = block.rows[0] if block.rows else [""] * len(block.head)
    rule = ["---:" if _is_figure(each) else "---" for each in first]
    rows = [[escaped(cell(each)) for each in row] for row in [block.head, *block.rows]]
    lines = [f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]]]
    return "\n".join(lines) + (f"\n\n… {block.n_left_out:,} more" if block.n_left_out else "")


def escaped(text: str) -> str:
    r"""Text as Markdown that reads as it stands: signs of markup are references to characters.

    A backslash before them would do for Markdown, but not for the formulas that notebooks look for.

    >>> escaped("1. <b> $x$ [a](http://b)"), escaped("c6")
    ('1&#46; &#60;b&#62; &#36;x&#36; &#91;a&#93;(http&#58;//b)', 'c6')
    """
    text = re.sub(r"[\\`*_{}\[\]<>#|~$&]", lambda sign: f"&#{ord(sign[0])};", visible(text))
    text = text.replace("://", "&#58;//")
    return re.sub(r"^(\s*\d*)([-+=.)])(?=[\s=-]|$)", lambda found: f"{found[1]}&#{ord(found[2])};", text)
