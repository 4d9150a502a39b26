"""Numbers that a foreign tree writes into the names of its nodes: `c6<br>score: 3`, `c6 12.5`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from plyscope.visualizer.formats.foreign.fields import Field, last_name, number

TEXTS: Final = ("name", "label", "text", "title", "data")
LONGEST: Final = 2_000
MARKUP: Final = re.compile(r"<[^<>]*>")
A_NUMBER: Final = r"([+\-−]?(?:\d+\.?\d*|\.\d+|inf(?:inity)?\b|∞))"
IN_TEXT: Final = {
    "score": re.compile(
        rf"(?i)\b(?:score|value|val|eval|evaluation|minimax|utility|v|h)\s*[:=]\s*{A_NUMBER}"
    ),
    "alpha": re.compile(rf"(?i)(?:\balpha|α|\ba)\s*[:=]\s*{A_NUMBER}"),
    "beta": re.compile(rf"(?i)(?:\bbeta|β|\bb)\s*[:=]\s*{A_NUMBER}"),
}
AT_THE_END: Final = re.compile(rf"\S\s*[\s(\[:,|]\s*{A_NUMBER}\s*[)\]]?\s*$")


def number_in_text(text: str, role: str) -> float | None:
    """The number that a text gives for a role: labelled (`score: 3`), else, for a score, the one at its end.

    >>> [number_in_text(text, "score") for text in ("c6<br>score: 3", "c6 12.5", "c6")]
    [3.0, 12.5, None]
    """
    text = MARKUP.sub(" ", text[:LONGEST])
    found = IN_TEXT[role].search(text) if role in IN_TEXT else None
    if found is None and role == "score":
        found = AT_THE_END.search(text)
    return number(found[1]) if found else None


def text_with_number(fields: Mapping[str, Field], role: str) -> str | None:
    """The path of a text in which at least half of the nodes give a number for a role, None where none does.

    A bare number at the end counts only where some have a sign or a fraction: `Node 12` is a name.

    >>> text_with_number({"name": Field("name", {1: "c6 12.5", 2: "d6 -3"})}, "score")
    'name'
    >>> text_with_number({"name": Field("name", {1: "Node 1", 2: "Node 2"})}, "score") is None
    True
    """
    for path, values in fields.items():
        texts = [MARKUP.sub(" ", text[:LONGEST]) for text in values.texts.values()]
        if last_name(path) not in TEXTS or not texts:
            continue
        if 2 * sum(IN_TEXT[role].search(text) is not None for text in texts) >= len(texts):
            return path
        ends = [found[1] for text in texts if (found := AT_THE_END.search(text))] if role == "score" else []
        if len(ends) >= 2 and 2 * len(ends) >= len(texts) and any(set(end) & set(".+-−") for end in ends):
            return path
    return None
