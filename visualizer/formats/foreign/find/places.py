"""The places in a foreign document that may be a tree: its objects and lists, outermost first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.tape.paths import step_to

MAX_WRAPPERS: Final = 2_000
MAX_DEPTH_OF_WRAPPERS: Final = 6
MOST_FIELDS_AROUND: Final = 5_000
"""The most fields of an object that are kept with each of the objects in it; more would take minutes."""
MAX_ITEMS: Final = 20
"""The items of a list that are looked into where the list itself is no tree."""
TREES: Final = ("tree", "root", "gametree", "searchtree")
"""Plain names that people give a whole tree."""


@dataclass(frozen=True)
class Place:
    """An object or list of a document, its path, and the fields of the objects around it."""

    value: Any
    path: str
    around: Mapping[str, Any]
    depth: int = 0
    among: tuple[list[Any], int] | None = None
    """The innermost list around this place, and the index of the item with this place."""
    holder: Place | None = None
    """The innermost object around this place; `key` is its key that leads here."""
    key: str = ""
    way: tuple[str | int, ...] = ()
    """The names and indices that lead to it."""
    wrapped: tuple[str, ...] = ()
    """The nested names that lead from an item of the list there to the root in it."""


def places_in(document: object) -> Iterator[Place]:
    """The document and the objects and lists inside it, breadth first, to the depth of usual wrappings."""
    waiting = deque([Place(document, "$", {})])
    n_seen = 0
    while waiting and n_seen < MAX_WRAPPERS:
        place = waiting.popleft()
        n_seen += 1
        yield place
        if place.depth == MAX_DEPTH_OF_WRAPPERS:
            continue
        value, depth = place.value, place.depth + 1
        if isinstance(value, dict):
            # The members of a map are not fields around each other.
            fields = value.items() if len(value) <= MOST_FIELDS_AROUND else ()
            for key, inner in list(value.items())[:300]:
                if isinstance(inner, dict | list) and inner:
                    rest = {other: field for other, field in fields if other != key}
                    waiting.append(
                        Place(
                            inner,
                            place.path + step_to(key),
                            {**rest, **place.around},
                            depth,
                            place.among,
                            place,
                            key,
                            (*place.way, key),
                        )
                    )
        elif isinstance(value, list):
            if (unwrapped := _unwrapped(place)) is not None:
                waiting.append(unwrapped)
            for index, inner in enumerate(value[:MAX_ITEMS]):
                if isinstance(inner, dict | list) and inner:
                    path = f"{place.path}[{index}]"
                    waiting.append(
                        Place(
                            inner,
                            path,
                            place.around,
                            depth,
                            (value, index),
                            place.holder,
                            place.key,
                            (*place.way, index, *place.wrapped),
                        )
                    )


def _unwrapped(place: Place) -> Place | None:
    """The objects that the items of a list hold under one key, as in `[{"step": 1, "tree": {…}}, …]`.

    Other fields of an item go to its object, unless the object has them. None where fewer than two items hold
    one, or where several keys hold some and none is a usual name of a tree.
    """
    items = [item for item in place.value if isinstance(item, dict)]
    holders: dict[str, int] = {}
    for item in items:
        for key, inner in item.items():
            if isinstance(inner, dict):
                holders[key] = holders.get(key, 0) + 1
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
    return Place(
        roots,
        place.path,
        place.around,
        place.depth + 1,
        place.among,
        place.holder,
        place.key,
        place.way,
        (*place.wrapped, key),
    )
