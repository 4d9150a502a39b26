"""Texts with several values, as labels of drawings have: the ply of a node, its score, its window.

`c6<br>score: 3`, `N=50 Q=-0.008`, and Graphviz's lines (`v=3\\nα=-inf`) and cells (`{3|MAX}`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from plyscope.visualizer.formats.foreign.meaning.fields import SAMPLE, Field, last_name, number

TEXTS: Final = ("name", "label", "text", "title", "data", "tooltip")
LONGEST: Final = 2_000
MARKUP: Final = re.compile(r"<[^<>]*>")
A_NUMBER: Final = r"([+\-−]?(?:\d+\.?\d*|\.\d+|inf(?:inity)?\b|∞))"
LABELLED: Final = {
    "score": r"\b(?:score|value|val|eval|evaluation|minimax|utility|v|h)",
    "alpha": r"(?:\balpha|α|\ba)",
    "beta": r"(?:\bbeta|β|\bb)",
    "visits": r"\b(?:visits|visit[ _]?count|simulations|sims|playouts|n)",
    "mean": r"\b(?:mean|average|avg|win[ _]?rate|q)",
    "total": r"\b(?:total[ _]?(?:reward|value|score)|wins|w)",
    "prior": r"\b(?:prior|probability|prob|policy|p)",
    "depth": r"\b(?:depth|d)",
}
IN_TEXT: Final = {role: re.compile(rf"(?i){names}\s*[:=]\s*{A_NUMBER}") for role, names in LABELLED.items()}
BREAK: Final = re.compile(r"(?i)\\[nlr]|[\r\n]+|<br\s*/?>")
"""The ends of a label's lines; `\\l` and `\\r` are Graphviz's."""
RECORD: Final = re.compile(r"\{.*\}|.*<\w*>.*\|.*|.*\|.*<\w*>.*", re.DOTALL)
"""Graphviz's labels of several cells: `{a|b}`, `<f0> x|y`."""
CELL: Final = re.compile(r"[{}|]|<\w*>")
ALONE: Final = re.compile(rf"(?m)^\s*{A_NUMBER}\s*$")
LAST: Final = rf"\s*{A_NUMBER}\s*[)\]]?\s*$"
AT_THE_END: Final = re.compile(rf"\S\s*[\s(\[:,|]{LAST}")
OTHERS: Final = "|".join(names for role, names in LABELLED.items() if role != "score")
OTHER_AT_THE_END: Final = re.compile(rf"(?i)(?:{OTHERS})\s*[:=]{LAST}")


def lines_of(text: str) -> list[str]:
    """The lines of a label that are not empty, however a program broke them; of a record its cells.

    >>> lines_of("c6"), lines_of(r"x\\ncut: 3"), lines_of("{<f0> x|y}"), lines_of("a|b")
    (['c6'], ['x', 'cut: 3'], ['x', 'y'], ['a|b'])
    """
    if RECORD.fullmatch(text):
        text = CELL.sub("\n", text)
    elif BREAK.search(text) is None:
        return [text]
    return [line.strip() for line in BREAK.split(text) if line.strip()]


@lru_cache(2 * SAMPLE)
def _words(text: str) -> str:
    """A label without its markup, line by line; asked anew of each sampled node for each role."""
    return MARKUP.sub(" ", "\n".join(lines_of(text)))


def _at_the_end(text: str) -> re.Match[str] | None:
    """The number at the end of a text, unless it is labelled as something else."""
    return None if OTHER_AT_THE_END.search(text) else AT_THE_END.search(text)


def number_in_text(text: str, role: str) -> float | None:
    """The number in a text for a role: the labelled one (`score: 3`); for a score, also one alone in a line
    or at the end.

    >>> [number_in_text(text, "score") for text in ("c6<br>score: 3", "c6 12.5", "{3|MAX}", "c6")]
    [3.0, 12.5, 3.0, None]
    >>> number_in_text("N=50 Q=-0.008", "visits")
    50.0
    """
    text = _words(text[:LONGEST])
    found = IN_TEXT[role].search(text) if role in IN_TEXT else None
    if found is None and role == "score":
        found = ALONE.search(text) or _at_the_end(text)
    return number(found[1]) if found else None


def number_for(value: object, role: str) -> float | None:
    """The number that a value is, spells, or holds for a role in other text.

    >>> number_for(3, "score"), number_for("c6 12.5", "score"), number_for("c6 12.5", "depth")
    (3.0, 12.5, None)
    """
    read = number(value)
    return number_in_text(value, role) if read is None and isinstance(value, str) else read


def text_with_number(fields: Mapping[str, Field], role: str) -> str | None:
    """The path of a text that holds a number for a role on at least half of its nodes, None if there is none.

    A number without a label has a line of its own; one at the end counts only where some have a sign or a
    fraction: `Node 12` is a name.

    >>> text_with_number({"name": Field("name", {1: "c6 12.5", 2: "d6 -3"})}, "score")
    'name'
    >>> text_with_number({"name": Field("name", {1: "Node 1", 2: "Node 2"})}, "score") is None
    True
    """
    for path, values in fields.items():
        if last_name(path) not in TEXTS or not values.texts:
            continue
        texts = [(_words(text[:LONGEST]), n) for (kind, text), n in values.counts.items() if kind is str]
        n_texts = len(values.texts)
        if 2 * sum(n for text, n in texts if IN_TEXT[role].search(text)) >= n_texts:
            return path
        if role != "score":
            continue
        n_alone = sum(n for text, n in texts if "\n" in text and ALONE.search(text))
        if n_alone >= 2 and 2 * n_alone >= n_texts:
            return path
        ends = [(found[1], n) for text, n in texts if (found := _at_the_end(text))]
        n_ends = sum(n for _, n in ends)
        if n_ends >= 2 and 2 * n_ends >= n_texts and any(set(end) & set(".+-−") for end, _ in ends):
            return path
    return None
