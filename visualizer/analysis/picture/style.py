"""The style of a picture: its colours on light or dark paper, and texts as it writes them.

Colours are those of the page where the page has them. Invisible characters are made visible, and long texts
are cut. The viewer's fonts are unknown, so widths are those of DejaVu Sans, which is wider than most.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

FONTS: Final = "Helvetica Neue, Helvetica, Arial, Liberation Sans, Noto Sans, DejaVu Sans, sans-serif"

NARROW: Final = frozenset("iljtfI.,:;'|!()[]{}/\\-` ·")
WIDE: Final = frozenset("mwMW@%—…∞⌀")
UNSEEN: Final = frozenset(["Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"])
"""Categories of characters that cannot be seen, that turn the text around them, or that XML cannot hold."""
JOINERS: Final = frozenset("\u200c\u200d")
"""Formatting that joins or parts letters, which scripts and emoji need."""
LONGEST: Final = 300
"""Characters of a text that are looked at."""


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


def seen(text: str) -> str:
    r"""`text` on one line, with signs for characters that are invisible, change direction or break XML.

    >>> seen("c6\x1b\n d6"), seen("a\u202eb"), seen("\ud800")
    ('c6␛ d6', 'a‹U+202E›b', '‹U+D800›')
    """
    shown = []
    for sign in " ".join(text[:LONGEST].split()):
        code = ord(sign)
        if sign.isprintable() or sign in JOINERS or unicodedata.category(sign) not in UNSEEN:
            shown.append(sign)
        elif code < 0x20:
            shown.append(chr(0x2400 + code))
        else:
            shown.append(f"‹U+{code:04X}›")
    return "".join(shown)


def width(text: str, size: float, *, bold: bool = False) -> float:
    """The estimated width of a text in letters of `size` pixels.

    >>> width("", 10), width("mm", 10) > width("nn", 10) > width("ii", 10), width("漢", 10)
    (0.0, True, 10.0)
    """
    units = sum(map(_units, text))
    return units * size * (1.08 if bold else 1.0)


def _units(sign: str) -> float:
    if sign.isascii():
        if sign in NARROW:
            return 0.4
        return 0.95 if sign in WIDE else 0.7 if sign.isupper() else 0.62
    if unicodedata.combining(sign) or sign in JOINERS or unicodedata.category(sign) in ("Mn", "Me"):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.0
    return 0.95 if sign in WIDE else 0.4 if sign in NARROW or sign.isspace() else 0.72


def cut(text: str, size: float, most: float) -> str:
    """`text`, or as much of its beginning as is at most `most` pixels wide, with an ellipsis.

    >>> cut("abcdef", 10, 100), cut("abcdefghij", 10, 40)
    ('abcdef', 'abcd…')
    """
    if width(text, size) <= most:
        return text
    room = most - width("…", size)
    taken = 0.0
    for end, sign in enumerate(text):
        taken += width(sign, size)
        if taken > room:
            return text[:end].rstrip("\u200d ") + "…"
    return text


def wrapped(text: str, size: float, most: float) -> list[str]:
    """The words of `text` in lines that are at most `most` pixels wide; a word that is wider is broken.

    >>> wrapped("one two three", 10, 50)
    ['one two', 'three']
    """
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        while width(word, size) > most:
            if line:
                lines.append(line)
                line = ""
            fits = max(1, len(cut(word, size, most)) - 1)
            lines.append(word[:fits])
            word = word[fits:]
        longer = f"{line} {word}" if line else word
        if line and width(longer, size) > most:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines
