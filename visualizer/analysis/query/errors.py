"""The error of an expression that is refused: one sentence, with the place and a suggestion."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from plyscope.visualizer.analysis.query.field import ENTRIES, LISTS, OF_OTHERS
from plyscope.visualizer.store.fields import entry_of


@dataclass(frozen=True)
class Place:
    """Offsets of the first character and of the one behind the last."""

    start: int
    end: int


class QueryError(ValueError):
    """An expression that is refused, or that took too long.

    `message` is the error, `suggestion` a similar correct text (empty where nothing is near). `start` and
    `end` are offsets in characters: the message is about `expression[start:end]`, or about the whole
    expression where both are None.

    >>> str(QueryError("no field `outcom`", start=0, end=6, suggestion="outcome"))
    'column 1: no field `outcom`; did you mean `outcome`?'
    """

    def __init__(
        self, message: str, *, start: int | None = None, end: int | None = None, suggestion: str = ""
    ) -> None:
        self.message, self.suggestion = message, suggestion
        self.start, self.end = start, end
        super().__init__(message)

    def beside(self, what: str) -> QueryError:
        """The same error about another argument, such as the order, in which the place is."""
        place = "" if self.start is None else f"column {self.start + 1}: "
        return QueryError(f"{what}: {place}{self.message}", suggestion=self.suggestion)

    @property
    def sentence(self) -> str:
        """The message with its suggestion, without the place."""
        return f"{self.message}; did you mean `{self.suggestion}`?" if self.suggestion else self.message

    def __str__(self) -> str:
        return self.sentence if self.start is None else f"column {self.start + 1}: {self.sentence}"


def wrong(message: str, place: Place | None, suggestion: str = "") -> QueryError:
    """The error about a place, or about the whole expression where that is None."""
    start, end = (None, None) if place is None else (place.start, place.end)
    return QueryError(message, start=start, end=end, suggestion=suggestion)


MOST_LISTED: Final = 12
_ONE: Final = {
    "factors": "factor",
    "contributions": "contribution",
    "scores": "score of a player",
    "extra": "field of its own",
}
_SEVERAL: Final = {"extra": "fields of its own"}


def name_error(
    name: str,
    of: str,
    place: Place | None,
    *,
    groups: Mapping[str, Collection[str]],
    names: Iterable[str],
) -> QueryError:
    """The error of a name that is no field of a log with these `groups` and `names`.

    `of` is `parent` or `root` where a field of that node was asked for.
    """
    group, _, inner = name.partition(".")

    def error(message: str, near: str = "") -> QueryError:
        meant = f"{of}.{near}" if of and near else near
        return wrong(message, place, meant)

    if name in LISTS:
        return error(f"`{name}` is a list on a few stubs, and no field to compare")
    if name in OF_OTHERS:
        return error(f"`{name}` is a node; its fields are asked for by `{name}.score` and the like")
    if name in ENTRIES:
        fields = ", ".join(f"`{each.name}`" for each in entry_of(name))
        return error(f"`{name}` is several fields: {fields}")
    if group in groups:
        known = groups[group]
        if not known:
            return error(f"this log has no {_SEVERAL.get(group, group)}")
        listed = ", ".join(f"`{group}.{each[:60]}`" for each in list(known)[:MOST_LISTED])
        more = ", …" if len(known) > MOST_LISTED else ""
        if not inner:
            return error(f"`{group}` is several fields: {listed}{more}")
        near = get_close_matches(inner, known, n=1)
        if near:
            return error(f"this log has no {_ONE[group]} `{inner[:60]}`", written(f"{group}.{near[0]}"))
        return error(f"this log has no {_ONE[group]} `{inner[:60]}`; there are {listed}{more}")
    return error(f"no field `{name[:60]}`", _near(name, list(names)))


def written(name: str) -> str:
    """A field's name as an expression writes it: quoted behind its group, where it has blanks or signs.

    >>> written("factors.mobility"), written("factors.queen ring"), written("tt.depth")
    ('factors.mobility', 'factors."queen ring"', 'tt.depth')
    """
    group, dot, inner = name.partition(".")
    if not dot or all(part.isidentifier() or part.isdecimal() for part in inner.split(".")):
        return name
    return f'{group}."{inner.replace(chr(34), chr(34) * 2)}"'


def _near(name: str, names: list[str]) -> str:
    """The field that was probably meant: by its letters, or by its last part alone."""
    by_small = {each.lower(): each for each in reversed(names)}
    by_last = {each.rpartition(".")[2].lower(): each for each in reversed(names) if "." in each}
    small = name.lower()
    for known in (by_small, by_last):
        if near := get_close_matches(small, known, n=1, cutoff=0.75):
            return written(known[near[0]])
    return ""
