"""The places in a foreign document that may be a tree: its objects and lists, outermost first."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from plyscope.visualizer.formats.foreign.find.found import Found, Way
from plyscope.visualizer.formats.foreign.find.graphs import HOW_WRITTEN, LISTS_OF_EDGES
from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.tape.paths import step_to

MAX_WRAPPERS: Final = 2_000
MAX_DEPTH_OF_WRAPPERS: Final = 6
MOST_FIELDS_AROUND: Final = 5_000
"""The most fields of an object around a tree that are kept; those of a larger one are a map."""
MAX_FIELDS: Final = 300
"""The fields of an object that are looked into."""
MAX_ITEMS: Final = 20
"""The items of a list that are looked into where the list itself is no tree."""
TREES: Final = ("tree", "root", "gametree", "searchtree")
"""Plain names that people give a whole tree."""


@dataclass(frozen=True)
class Place:
    """An object or list of a document, and the names and indices that lead to it."""

    value: Any
    way: Way = ()
    depth: int = 0
    among: tuple[list[Any], int] | None = None
    """The innermost list around this place, and the index of the item with this place."""
    holder: Place | None = None
    """The innermost object around this place; `key` is its key that leads here."""
    key: str = ""
    wrapped: tuple[str, ...] = ()
    """The nested names that lead from an item of the list there to the root in it."""

    @property
    def path(self) -> str:
        """The JSON path."""
        return "$" + "".join(f"[{step}]" if isinstance(step, int) else step_to(step) for step in self.way)

    def inner(self, value: Any, *steps: str | int, **others: Any) -> Place:
        """A place inside this one."""
        return replace(self, value=value, way=(*self.way, *steps), depth=self.depth + 1, **others)


def places_in(document: object) -> Iterator[Place]:
    """The document and the objects and lists inside it, breadth first, to the depth of usual wrappings."""
    waiting = deque([Place(document)])
    n_seen = 0
    while waiting and n_seen < MAX_WRAPPERS:
        place = waiting.popleft()
        n_seen += 1
        yield place
        if place.depth == MAX_DEPTH_OF_WRAPPERS:
            continue
        value = place.value
        if isinstance(value, dict):
            for key, inner in islice(value.items(), MAX_FIELDS):
                if isinstance(inner, dict | list) and inner:
                    waiting.append(place.inner(inner, key, holder=place, key=key, wrapped=()))
        elif isinstance(value, list):
            if (unwrapped := _unwrapped(place)) is not None:
                waiting.append(unwrapped)
            for index, inner in enumerate(value[:MAX_ITEMS]):
                if isinstance(inner, dict | list) and inner:
                    waiting.append(
                        place.inner(inner, index, *place.wrapped, among=(value, index), wrapped=())
                    )


def _unwrapped(place: Place) -> Place | None:
    """The objects that the items of a list hold under one key, as in `[{"step": 1, "tree": {…}}, …]`.

    Other fields of an item go to its object, unless the object has them. None where fewer than two items hold
    one, or where several keys hold some and none is a usual name of a tree.
    """
    items = [item for item in place.value if isinstance(item, dict)]
    holders = Counter(key for item in items for key, inner in item.items() if isinstance(inner, dict))
    keys = [key for key, n_holders in holders.items() if n_holders >= 2]
    named = [key for key in keys if plain(key) in TREES]
    if not keys or (len(keys) > 1 and not named):
        return None
    key = (named or keys)[0]
    roots = [
        {**{name: said for name, said in item.items() if name != key}, **item[key]}
        for item in items
        if isinstance(item.get(key), dict)
    ]
    return place.inner(roots, wrapped=(*place.wrapped, key))


def around_of(document: Any, found: Found) -> dict[str, Any]:
    """The fields of the objects around a tree in a document, the innermost first."""
    around: dict[str, Any] = {}
    for at, step in enumerate((*found.way, *found.inside, None)):
        if isinstance(document, dict) and len(document) <= MOST_FIELDS_AROUND:
            left: Collection[Any] = [step]
            if step is None:
                lists = [key for key in LISTS_OF_EDGES if isinstance(document.get(key), list)]
                edges = found.edges or next(iter(lists), None)
                left = [found.nodes, edges] if found.nodes else found.trees or document
            fields = {key: value for key, value in document.items() if key not in left}
            if found.kind == "graph" and at >= len(found.way):
                for key in [key for key in fields if key in HOW_WRITTEN or fields[key] in ([], {}, None)]:
                    del fields[key]
            around = {**fields, **around}
        if step is None or not isinstance(document, dict | list):
            break
        try:
            document = document[step]  # type: ignore[index]
        except LookupError:  # a list that the cut left empty is not kept in the sketch
            break
    return around
