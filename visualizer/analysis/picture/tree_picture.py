"""A picture of a tree, put together (items, texts, layout, caption), and as a file.

A file is SVG, or PNG or PDF made of it by vl-convert, which comes with the charts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.analysis.nodes.deciding_line import line_within, principal_variation
from plyscope.visualizer.analysis.picture.caption import Caption, caption
from plyscope.visualizer.analysis.picture.labels import Face, faces
from plyscope.visualizer.analysis.picture.layout import Laid, lay
from plyscope.visualizer.analysis.picture.selection import (
    USUAL_CHILDREN,
    USUAL_LEVELS,
    Choice,
    PictureError,
    choose,
)
from plyscope.visualizer.analysis.picture.style import DARK, LIGHT
from plyscope.visualizer.analysis.picture.svg import svg_of
from plyscope.visualizer.board_picture import board_picture
from plyscope.visualizer.store.tree import Tree


@dataclass(frozen=True)
class Drawn:
    """A picture: its text, and its parts."""

    svg: str
    choice: Choice
    faces: tuple[Face, ...]
    laid: Laid
    caption: Caption


def draw(
    tree: Tree,
    name: str,
    top: int,
    *,
    levels: int | None = None,
    children: int = USUAL_CHILDREN,
    windows: bool = False,
    factors: bool = False,
    highlight: Sequence[int] = (),
    dark: bool = False,
    board: Mapping[str, Any] | None = None,
) -> Drawn:
    """Draw the subtree of `top`, of the log called `name`; rows in `highlight` with all the way to them.

    `board` is the `Drawing` of the position at `top`, to stand above it. Raises PictureError where there is
    too much to draw or no board, or a highlighted row is not below `top`.
    """
    if board is not None and "kind" not in board:
        raise PictureError(f"there is no board: {board['reason']}")
    ways = [_way(tree, top, row) for row in highlight]
    marked = {row for way in ways for row in way}
    line, line_is = _line(tree, top, max([levels or USUAL_LEVELS, *map(len, ways)]))
    choice = choose(tree, top, levels=levels, children=children, line=line, highlighted=marked)
    told = faces(tree, choice.items, windows=windows, factors=factors)
    laid = lay(choice.items, told)
    place = {item.row: at for at, item in enumerate(choice.items) if not item.hidden}
    heavy = {place[row] for row in line if row in place}
    says = caption(
        tree,
        name,
        choice,
        told,
        line=line_is if len(heavy) > 1 else "",
        windows=windows,
        factors=factors,
        highlighted=bool(marked),
    )
    if board is not None:
        says = replace(says, lines=(*says.lines, "Above: the position at the top of the tree."))
    svg = svg_of(
        choice.items,
        told,
        laid,
        says,
        DARK if dark else LIGHT,
        ids=[int(tree.log.columns["id"][item.row]) for item in choice.items],
        heavy=heavy if len(heavy) > 1 else (),
        highlighted={place[row] for row in marked if row in place},
        board=None if board is None else board_picture(board, dark=dark),
    )
    return Drawn(svg, choice, tuple(told), laid, says)


def _line(tree: Tree, top: int, most: int) -> tuple[list[int], str]:
    """The rows of the heavy line from `top` down, at most `most` below it, and its description."""
    if int(tree.root_of(top)) == tree.main_root:
        principal = principal_variation(tree, int(tree.log.columns["level"][top]) + most)
        if top in principal:
            return principal[principal.index(top) :], "the principal variation"
    return [top, *line_within(tree, top, most)], "the line that decides the score at the top"


def _way(tree: Tree, top: int, row: int) -> list[int]:
    way = tree.path(row)
    if top not in way:
        raise PictureError("a highlighted node does not lie below the node that is drawn; name one that does")
    return way[way.index(top) :]


ENDINGS: Final = (".svg", ".png", ".pdf")
MOST_PIXELS: Final = 60_000_000
WIDEST: Final = 30_000
_SIZE: Final = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')


def refuse_ending(path: Path) -> None:
    """Raise PictureError where the ending of `path` is none that a picture has."""
    if path.suffix.lower() not in ENDINGS:
        raise PictureError(f"{path}: a picture ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")


def write_picture(svg: str, path: Path, scale: float) -> None:
    """Write a picture in the form of its ending; raises PictureError, and OSError where that fails."""
    refuse_ending(path)
    path.write_bytes(bytes_of(svg, path.suffix.lower(), scale))


def bytes_of(svg: str, ending: str, scale: float) -> bytes:
    """The picture as SVG, PNG with `scale` pixels for each of the SVG's, or PDF."""
    if ending == ".svg":
        return svg.encode()
    import vl_convert

    if ending == ".pdf":
        made: bytes = vl_convert.svg_to_pdf(svg)
        return made
    found = _SIZE.match(svg)
    assert found is not None
    wide, high = (round(float(size) * scale) for size in found.groups())
    if wide * high > MOST_PIXELS or max(wide, high) > WIDEST:
        raise PictureError(
            f"a PNG of {wide:,} × {high:,} pixels is too large; write .svg or .pdf, or draw fewer children"
        )
    made = vl_convert.svg_to_png(svg, scale=scale)
    return made
