"""Ways from the listed children of a node to the nodes themselves, through objects that describe an edge.

`{"actions": [{"move": "c6", "edge": {"prior": 0.3, "node": {"actions": []}}}]}` leads through two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

MAX_STEPS: Final = 6
MAX_NAMES: Final = 100
MAX_ITEMS: Final = 50
"""Limits of the search: steps down, names of an object, objects at one step."""


class Ways(NamedTuple):
    """The names that lead from an item to its node, and further fields of children on the way."""

    within: tuple[str, ...] = ()
    further: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The name of each further field of children, and the names that lead from its items to their nodes."""

    def through(self, name: str) -> Ways:
        """The ways that lead on through an object of this name."""
        if not self.further:
            return Ways((*self.within, name))
        *others, (key, within) = self.further
        return Ways(self.within, (*others, (key, (*within, name))))


def find_ways(children: Sequence[Any], key: str) -> Ways:
    """The shortest way from children to objects that hold children under `key` again.

    >>> chance = {"outcomes": [{"prob": 1, "child": {"actions": []}}]}
    >>> find_ways([{"action": 0, "chance": chance}], "actions")
    Ways(within=('chance',), further=(('outcomes', ('child',)),))
    >>> find_ways([{"actions": []}], "actions")
    Ways(within=(), further=())
    """
    items: list[Mapping[str, Any]] = [child for child in children if isinstance(child, dict)]
    waiting = deque([(items[:MAX_ITEMS], Ways(), 0)])
    while waiting:
        objects, ways, n_steps = waiting.popleft()
        if any(key in each and isinstance(each[key], dict | list | None) for each in objects):
            return ways
        if n_steps == MAX_STEPS:
            continue
        names = dict.fromkeys(name for each in objects for name in list(each)[:MAX_NAMES])
        for name in names:
            inner = [each[name] for each in objects if name in each]
            single: list[Mapping[str, Any]] = [each for each in inner if isinstance(each, dict)]
            listed = [item for each in inner if isinstance(each, list) for item in each[:MAX_ITEMS]]
            listed = [item for item in listed if isinstance(item, dict)]
            if single:
                waiting.append((single[:MAX_ITEMS], ways.through(name), n_steps + 1))
            elif listed:
                further = Ways(ways.within, (*ways.further, (name, ())))
                waiting.append((listed[:MAX_ITEMS], further, n_steps + 1))
    return Ways()
