"""A laid-out picture as SVG: plain shapes and texts, their looks as attributes, for every program to read.

No script, no style sheet, no font but the reader's own. All texts come through `_text`, which escapes them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from plyscope.visualizer.analysis.picture.caption import Caption
from plyscope.visualizer.analysis.picture.labels import Face
from plyscope.visualizer.analysis.picture.layout import (
    FOLD,
    GABLE,
    PADDING,
    PLY,
    PLY_BAND,
    SMALL,
    SMALL_LINE,
    VALUE,
    VALUE_LINE,
    Box,
    Laid,
)
from plyscope.visualizer.analysis.picture.selection import Chosen
from plyscope.visualizer.analysis.picture.style import FONTS, Palette, width, wrapped
from plyscope.visualizer.board_picture import BoardPicture

MARGIN: Final = 16.0
CAPTION_LINE: Final = 15.0
LEAST_CAPTION: Final = 420.0
LEVEL_ROOM: Final = 48.0
"""Left of the tree, where levels say who moves there."""
BOARD_GAP: Final = 14.0
DASHES: Final = {"dashed": "5 4", "dotted": "1.5 3"}


def svg_of(
    items: Sequence[Chosen],
    faces: Sequence[Face],
    laid: Laid,
    caption: Caption,
    palette: Palette,
    *,
    ids: Sequence[int],
    heavy: Collection[int] = (),
    highlighted: Collection[int] = (),
    board: BoardPicture | None = None,
) -> str:
    """The picture, with a board above the tree's root.

    `ids` are those of the items' rows; `heavy` and `highlighted` are indices in `items`.
    """
    labels = _levels(items, faces, laid)
    room = LEVEL_ROOM if labels else 0.0
    texts = _caption_lines(caption, max(LEAST_CAPTION, laid.width + room))
    wide = max(laid.width + room, *(width(text, size, bold=bold) for text, size, bold in texts))
    wide = max(wide, 0.0 if board is None else board.width)
    # The tree is in the middle, the names of its levels at the left edge.
    x = MARGIN + room + max(0.0, (wide - room - laid.width) / 2)
    y = MARGIN + (0.0 if board is None else board.height + BOARD_GAP)
    below = y + laid.height + 22.0
    height = below + CAPTION_LINE * len(texts) + MARGIN - 6.0
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(wide + 2 * MARGIN)}" height="{_n(height)}" '
        f'viewBox="0 0 {_n(wide + 2 * MARGIN)} {_n(height)}" role="img" font-family="{FONTS}" '
        f'font-size="{_n(VALUE)}" fill="{palette.ink}">'
    )
    parts = [head, f"<title>{_escaped(caption.head)}</title>"]
    parts.append(f"<desc>{_escaped(' '.join((*caption.lines, caption.signs)))}</desc>")
    parts.append(f'<rect width="100%" height="100%" fill="{palette.paper}"/>')
    if board is not None:
        left = min(max(MARGIN, x + laid.boxes[0].x - board.width / 2), MARGIN + wide - board.width)
        parts += [f'<g transform="translate({_n(left)} {_n(MARGIN)})">', *board.elements, "</g>"]
    parts.append(f'<g class="levels" fill="{palette.dim}" font-size="{_n(PLY)}">')
    parts += [_text(label, MARGIN, y + middle + 4, anchor="start") for label, middle in labels]
    parts.append("</g>")
    parts.append(f'<g class="tree" transform="translate({_n(x)} {_n(y)})">')
    parts += _highlights(items, faces, laid, palette, highlighted)
    parts += _edges(items, faces, laid, palette, heavy)
    parts += _nodes(items, faces, laid, palette, ids, heavy, highlighted)
    parts.append("</g>")
    parts.append(f'<g class="caption" fill="{palette.dim}">')
    for number, (text, size, bold) in enumerate(texts):
        weight = f' font-weight="600" fill="{palette.ink}"' if bold else ""
        at = below + CAPTION_LINE * number + 10.0
        parts.append(_text(text, MARGIN, at, anchor="start", more=f' font-size="{_n(size)}"{weight}'))
    parts.append("</g></svg>")
    return "\n".join(parts) + "\n"


def _caption_lines(caption: Caption, most: float) -> list[tuple[str, float, bool]]:
    lines = [(text, 12.0, True) for text in wrapped(caption.head, 13.0, most)]
    for line in (" ".join(caption.lines), caption.signs):
        lines += [(text, 11.0, False) for text in wrapped(line, 11.0, most)]
    return lines


def _levels(items: Sequence[Chosen], faces: Sequence[Face], laid: Laid) -> list[tuple[str, float]]:
    """The layer of each level whose nodes are all of one, and the middle of the level."""
    shapes: dict[int, set[str]] = {}
    middles: dict[int, float] = {}
    for item, face, box in zip(items, faces, laid.boxes, strict=True):
        if face.shape != "none":
            shapes.setdefault(item.level, set()).add(face.shape)
            middles.setdefault(item.level, (box.top + box.bottom) / 2)
    return [
        (next(iter(found)).upper(), middles[level])
        for level, found in shapes.items()
        if len(found) == 1 and found <= {"max", "min", "chance"}
    ]


def _way(parent: Box, box: Box, laid: Laid, level: int) -> list[tuple[float, float]]:
    """The points of an edge: down past its own level, aside, then down through its ply."""
    end = laid.ends[level - 1]
    points = [(parent.x, parent.bottom)]
    if end > parent.bottom + 0.5:
        points.append((parent.x, end))
    points.append((box.x, laid.tops[level] - laid.bands[level]))
    if laid.bands[level]:
        points.append((box.x, box.top))
    return points


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _highlights(
    items: Sequence[Chosen], faces: Sequence[Face], laid: Laid, palette: Palette, marked: Collection[int]
) -> Iterator[str]:
    """A broad band under the edges and nodes of a path."""
    if not marked:
        return
    looks = f'fill="none" stroke="{palette.highlight}" stroke-width="9" stroke-linejoin="round"'
    yield f'<g class="highlight" {looks}>'
    for at in sorted(marked):
        item, box = items[at], laid.boxes[at]
        if item.parent in marked:
            yield f'<path d="{_path(_way(laid.boxes[item.parent], box, laid, item.level))}"/>'
        yield f'<path d="{_outline(faces[at], box)}"/>'
    yield "</g>"


def _edges(
    items: Sequence[Chosen], faces: Sequence[Face], laid: Laid, palette: Palette, heavy: Collection[int]
) -> Iterator[str]:
    yield f'<g class="edges" fill="none" stroke="{palette.edge}" stroke-width="1.1" stroke-linejoin="round">'
    crosses = []
    is_heavy = [item.parent in heavy and at in heavy for at, item in enumerate(items)]
    for at in sorted(range(1, len(items)), key=lambda at: is_heavy[at]):  # heavy ones over the others
        item, face = items[at], faces[at]
        points = _way(laid.boxes[item.parent], laid.boxes[at], laid, item.level)
        looks = f' stroke-dasharray="{DASHES[face.edge]}"' if face.edge in DASHES else ""
        if is_heavy[at]:
            looks += f' stroke="{palette.ink}" stroke-width="2.8"'
        yield f'<path d="{_path(points)}"{looks}/>'
        if face.edge == "crossed":
            crosses.append(_cross(points))
    yield "</g>"
    if crosses:
        yield f'<g class="cuts" stroke="{palette.ink}" stroke-width="1.7" stroke-linecap="round">'
        yield from crosses
        yield "</g>"


def _cross(points: Sequence[tuple[float, float]]) -> str:
    """Two strokes over an edge, across its longest piece, where its neighbours are no longer near."""
    pieces = pairwise(points)
    (x1, y1), (x2, y2) = max(pieces, key=lambda piece: math.dist(*piece))
    length = math.dist((x1, y1), (x2, y2)) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    strokes = []
    for shift in (-2.2, 2.2):
        x, y = x1 + 0.7 * (x2 - x1) + shift * dx, y1 + 0.7 * (y2 - y1) + shift * dy
        strokes.append(f"M{_n(x - 6 * dy)} {_n(y + 6 * dx)}L{_n(x + 6 * dy)} {_n(y - 6 * dx)}")
    return f'<path class="cut" d="{"".join(strokes)}"/>'


def _nodes(
    items: Sequence[Chosen],
    faces: Sequence[Face],
    laid: Laid,
    palette: Palette,
    ids: Sequence[int],
    heavy: Collection[int],
    marked: Collection[int],
) -> Iterator[str]:
    yield '<g class="nodes">'
    for at, (item, face, box) in enumerate(zip(items, faces, laid.boxes, strict=True)):
        kind = "more" if item.hidden else "stub" if face.shape == "none" else "node"
        named = "" if item.hidden else f' data-id="{ids[at]}"'
        yield f'<g class="{kind}"{named}>'
        if face.title:
            yield f"<title>{_escaped(face.title)}</title>"
        if box.ply and item.level:
            is_marked = at in marked and item.parent in marked
            yield from _ply(box, palette.highlight if is_marked else palette.paper)
        if face.shape != "none":
            yield _shape(face, box, palette, at in heavy)
        yield from _texts(face, box, palette)
        if face.below:
            yield from _fold(face, box, palette)
        yield "</g>"
    yield "</g>"


def _ply(box: Box, ground: str) -> Iterator[str]:
    """The ply on the end of its edge, which it interrupts."""
    wide, top = width(box.ply, PLY) + 2.0, box.top - PLY_BAND
    outline = f"M{_n(box.x - wide / 2)} {_n(top)}h{_n(wide)}v14h{_n(-wide)}z"
    yield f'<path class="gap" d="{outline}" fill="{ground}"/>'
    yield _text(box.ply, box.x, top + 11.0, more=f' class="ply" font-size="{_n(PLY)}"')


def _shape(face: Face, box: Box, palette: Palette, is_heavy: bool) -> str:
    dashes = ' stroke-dasharray="2 2.5"' if face.is_aside else ""
    return (
        f'<path class="shape {face.shape}" d="{_outline(face, box)}" fill="{palette.fills[face.shape]}" '
        f'stroke="{palette.strokes[face.shape]}" stroke-width="{2.2 if is_heavy else 1.2}" '
        f'stroke-linejoin="round"{dashes}/>'
    )


def _outline(face: Face, box: Box) -> str:
    """A max node points up, a min node down; chance is round, a third player's has six corners."""
    left, right, top, bottom = box.x - box.width / 2, box.x + box.width / 2, box.top, box.bottom
    middle = (top + bottom) / 2
    if face.shape == "max":
        points = [(box.x, top), (right, top + GABLE), (right, bottom), (left, bottom), (left, top + GABLE)]
    elif face.shape == "min":
        points = [(left, top), (right, top), (right, bottom - GABLE), (box.x, bottom), (left, bottom - GABLE)]
    elif face.shape == "other":
        points = [(left + 7, top), (right - 7, top), (right, middle), (right - 7, bottom), (left + 7, bottom)]
        points.append((left, middle))
    elif face.shape == "chance":
        radius = min((bottom - top) / 2, box.width / 2)
        arc = f"A{_n(radius)} {_n(radius)} 0 0 1 "
        return (
            f"M{_n(left + radius)} {_n(top)}H{_n(right - radius)}{arc}{_n(right)} {_n(top + radius)}"
            f"V{_n(bottom - radius)}{arc}{_n(right - radius)} {_n(bottom)}H{_n(left + radius)}"
            f"{arc}{_n(left)} {_n(bottom - radius)}V{_n(top + radius)}{arc}{_n(left + radius)} {_n(top)}Z"
        )
    else:
        points = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return _path(points) + "Z"


def _texts(face: Face, box: Box, palette: Palette) -> Iterator[str]:
    is_plain = face.shape == "none"
    y = box.top + (0.0 if is_plain else PADDING - 2.0) + (GABLE if face.shape == "max" else 0.0)
    if box.value:
        looks = f' fill="{palette.dim}"' if is_plain else ' font-weight="600"'
        yield _text(box.value, box.x, y + VALUE_LINE - 4.0, more=looks)
    y += VALUE_LINE
    small = f' font-size="{_n(SMALL)}" fill="{palette.dim}"'
    for line in box.lines:
        yield _text(line, box.x, y + SMALL_LINE - 4.0, more=small)
        y += SMALL_LINE
    for name, amount in box.factors:
        left, right = box.x - box.width / 2 + PADDING, box.x + box.width / 2 - PADDING
        yield _text(name, left, y + SMALL_LINE - 4.0, anchor="start", more=small)
        yield _text(amount, right, y + SMALL_LINE - 4.0, anchor="end", more=small)
        y += SMALL_LINE


def _fold(face: Face, box: Box, palette: Palette) -> Iterator[str]:
    x, y = box.x, box.bottom
    points = [(x, y), (x + FOLD, y + FOLD), (x - FOLD, y + FOLD)]
    yield f'<path class="fold" d="{_path(points)}Z" fill="{palette.fold}"/>'
    small = f' font-size="{_n(SMALL)}" fill="{palette.dim}"'
    yield _text(face.below, x, y + FOLD + SMALL_LINE - 2.0, more=small)


def _text(text: str, x: float, y: float, *, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"{more}>{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return escape(text, quote=True)


def _n(value: float) -> str:
    """A length with at most one decimal.

    >>> _n(3.0), _n(2.25), _n(-0.04)
    ('3', '2.2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
