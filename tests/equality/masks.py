"""What is not the same in every run is struck out here, and nowhere else: times, paths, ports, versions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

MASKS: Final = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"(?m)^plyscope: compiling .*\n?", ""),
        (
            r'("(?:seconds|(?:\w+_)?per_second|played_in|python|numpy|numba|machine)": ?)'
            r"(?:\[[^\]\n]*\]|[^,}\]\n]+)",
            r"\1…",
        ),
        (
            r'("(?:added|stamp|mark|snapshot|generation|port|pid|version)": ?)("[^"]*"|[-\d.e+]+|null)',
            r"\1…",
        ),
        (r"\b\d[\d,]*(\.\d+)? ?(s|ms|µs|min|seconds?|minutes?)\b(?! of)", "… s"),
        (
            r"\b\d[\d,.]*( [kM])? ?(nodes|leaves|play-outs|positions|rows|games)(/s| a second| per second)",
            r"… \2\3",
        ),
        (r"\b[\d,.]+ ?(k|M|G)? ?/s\b", "…/s"),
        (r"\b(127\.0\.0\.1|localhost):\d+", r"\1:…"),
        (r"/(static|modules)/[0-9a-f]{6,}/", r"/\1/…/"),
        (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?", "…date…"),
        (r"/tmp/[^\s\"':,)]*", "/tmp/…"),
    )
)


def masked(text: str, names: Mapping[str, str] | None = None) -> str:
    """The text without what changes from run to run; `names` has more to strike out, and what to put there.

    >>> masked("3 nodes in 0.12 s, 20 nodes/s")
    '3 nodes in … s, … nodes/s'
    """
    for name, put in sorted((names or {}).items(), key=lambda item: -len(item[0])):
        text = text.replace(name, put)
    for pattern, put in MASKS:
        text = pattern.sub(put, text)
    return text
