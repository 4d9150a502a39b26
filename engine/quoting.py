r"""Words of messages: texts from outside, without doubling the backslashes of Hive's plies, and counts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
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


def told_apart(names: Sequence[str], most: int) -> list[str]:
    """Return names on one line each, of at most `most` characters; of long ones words that all share are cut.

    >>> told_apart(["wall d7 + gate e7", "wall d7 + corner e7", "hall d7 + gate e7"], 12)
    ['wall…gate', 'wall…corner', 'hall…gate']
    >>> told_apart(["a much longer name"], 9), told_apart(["c6", "d3"], 9)
    (['a much l…'], ['c6', 'd3'])
    """
    texts = [visible(name) for name in names]
    if len(set(texts)) > 1 and max(map(len, texts)) > most:
        shared = set.intersection(*(set(text.split()) for text in texts))
        kept = ["".join(_without(shared, text)) for text in texts]
        if len(set(kept)) == len(set(texts)):
            texts = kept
    return [text if len(text) <= most else text[: most - 1] + "…" for text in texts]


def _without(shared: set[str], text: str) -> Iterator[str]:
    """The words of `text` that are not shared; `…` stands where some are cut between them."""
    before = ""
    for is_shared, words in itertools.groupby(text.split(), shared.__contains__):
        if is_shared:
            before = "…" if before else ""
        else:
            yield before + " ".join(words)
            before = " "


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(27_931, "node"), counted(20, "leaf")
    ('1 row', '27,931 nodes', '20 leaves')
    """
    return f"{number:,} {noun if number == 1 else PLURALS.get(noun, noun + 's')}"
