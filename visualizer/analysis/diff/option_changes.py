"""Options of two searches that differ, as the headers of their logs state them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plyscope.visualizer.store.log import Log


@dataclass(frozen=True)
class Option:
    """An option, or the weight of a factor, and both values; None where a header does not state it."""

    name: str
    old: Any
    new: Any


def options_of(old: Log, new: Log) -> tuple[Option, ...]:
    """The options that differ in the headers: keys of `search`, its `options`, and weights of factors.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> text = '{"plyscope": 1, "search": {"depth": %d, "limit": 8}, "root": {}}'
    >>> options_of(*(read_log((text % depth).encode()) for depth in (4, 5)))
    (Option(name='depth', old=4, new=5),)
    """
    return tuple(_differing(_stated(old), _stated(new)))


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Option]:
    for name in dict.fromkeys((*old, *new)):
        one, other = old.get(name), new.get(name)
        if one != other:
            yield Option(name, one, other)


def _stated(log: Log) -> dict[str, Any]:
    stated = {name: value for name, value in log.search.items() if name != "options"}
    options = log.search.get("options")
    if isinstance(options, dict):
        stated |= {f"options.{name}": value for name, value in options.items()}
    return stated | {f"weight of {factor.name}": factor.weight for factor in log.factors}
