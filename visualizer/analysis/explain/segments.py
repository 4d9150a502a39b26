"""A sentence in segments, some of which a page shows as links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plyscope.visualizer.store.tree import Tree

Kind = Literal["worth", "cause", "caveat"]


@dataclass(frozen=True)
class Segment:
    """A piece of a sentence: text, with the row of the node or the name of the factor that it is about."""

    text: str
    row: int | None = None
    factor: str | None = None

    def as_json(self, tree: Tree) -> dict[str, Any]:
        """For machines: `text`, with `node` (an id) and `factor` where it is about these."""
        answer: dict[str, Any] = {"text": self.text}
        if self.row is not None:
            answer["node"] = int(tree.log.columns["id"][self.row])
        return answer | ({} if self.factor is None else {"factor": self.factor})


@dataclass(frozen=True)
class Sentence:
    """One sentence: the `worth` of the plies, a `cause` of the margin, or a `caveat`."""

    kind: Kind
    segments: tuple[Segment, ...]

    def as_json(self, tree: Tree) -> dict[str, Any]:
        """For machines: `kind` and `segments`."""
        return {"kind": self.kind, "segments": [segment.as_json(tree) for segment in self.segments]}

    def __str__(self) -> str:
        return "".join(segment.text for segment in self.segments)


def sentence(kind: Kind, *pieces: str | Segment | Sequence[Segment]) -> Sentence:
    """A sentence of texts and segments.

    >>> str(sentence("worth", "Take ", Segment("c6", 4), "."))
    'Take c6.'
    """
    segments: list[Segment] = []
    for piece in pieces:
        if isinstance(piece, str):
            segments.append(Segment(piece))
        elif isinstance(piece, Segment):
            segments.append(piece)
        else:
            segments += piece
    return Sentence(kind, tuple(segment for segment in segments if segment.text))


def enumeration(items: Sequence[Segment]) -> list[Segment]:
    """Items with commas and an `and` between them.

    >>> "".join(item.text for item in enumeration([Segment("a"), Segment("b"), Segment("c")]))
    'a, b and c'
    """
    found: list[Segment] = []
    for place, item in enumerate(items):
        if place:
            found.append(Segment(" and " if place == len(items) - 1 else ", "))
        found.append(item)
    return found


def n_plies(count: int, noun: str = "ply", nouns: str = "plies") -> str:
    """A count with its noun.

    >>> n_plies(1), n_plies(1204, "reply", "replies")
    ('1 ply', '1,204 replies')
    """
    return f"{count:,} {noun if count == 1 else nouns}"
