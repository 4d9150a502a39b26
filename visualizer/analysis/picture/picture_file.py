"""Pictures as files: SVG as it is, PNG and PDF made of it by vl-convert, which the charts bring along."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from plyscope.visualizer.analysis.picture.selection import PictureError

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
