r"""Words of messages: texts from outside, without doubling the backslashes of Hive's plies, and counts."""

from __future__ import annotations

from typing import Final

PLURALS: Final = {"leaf": "leaves", "ply": "plies"}


def quoted(text: str, most: int = 40) -> str:
    r"""Return the first `most` characters in quotation marks, on one line of a terminal.

    >>> print(quoted(r"bG1 \wB1"), quoted("it's"), quoted("c6\n\x1b[2J"))
    'bG1 \wB1' "it's" 'c6\n\x1b[2J'
    """
    mark = '"' if "'" in text else "'"
    return f"{mark}{visible(text[:most])}{mark}"


def visible(text: str) -> str:
    r"""Return `text` with escapes for characters that are invisible or would move a terminal's cursor.

    >>> print(visible("one\ttwo"), visible("wA1 bQ\\"))
    one\ttwo wA1 bQ\
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(27_931, "node"), counted(20, "leaf")
    ('1 row', '27,931 nodes', '20 leaves')
    """
    return f"{number:,} {noun if number == 1 else PLURALS.get(noun, noun + 's')}"
