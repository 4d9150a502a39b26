r"""Texts from outside as messages quote them, as they are: plies of Hive are full of backslashes."""

from __future__ import annotations


def quoted(text: str, most: int = 40) -> str:
    r"""The first `most` characters in quotation marks, on one line of a terminal.

    >>> print(quoted(r"bG1 \wB1"), quoted("it's"), quoted("c6\n\x1b[2J"))
    'bG1 \wB1' "it's" 'c6\n\x1b[2J'
    """
    mark = '"' if "'" in text else "'"
    return f"{mark}{visible(text[:most])}{mark}"


def visible(text: str) -> str:
    r"""`text` with what would move a terminal's cursor, or cannot be seen, written as an escape.

    >>> print(visible("one\ttwo"), visible("wA1 bQ\\"))
    one\ttwo wA1 bQ\
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
