"""Small logs for the tests of what is computed from logs: written as a node's fields, read as any log is."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, TypeVar

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.store.words import LAYERS, OUTCOMES

T = TypeVar("T")


def log_of(root: dict[str, Any] | None = None, **header: Any) -> Log:
    """The log whose tree is `root`, or whose forest is `roots=[…]`, with these header fields."""
    document = {"plyscope": 1, **header, **({} if root is None else {"root": root})}
    return read_log(json.dumps(document).encode())


def tree_of(root: dict[str, Any] | None = None, **header: Any) -> Tree:
    """The same log, as the tree that is asked."""
    return Tree(log_of(root, **header))


def walked(node: dict[str, Any], level: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Each node of a document from this one on, in pre-order, with its level."""
    yield node, level
    for child in node.get("children", ()):
        yield from walked(child, level + 1)


def there(value: T | None) -> T:
    """The value, which has to be there."""
    assert value is not None
    return value


def plies(log: Log) -> list[str | None]:
    """The ply of each row; None at a root and a stub."""
    return [log.text(int(ply)) for ply in log.columns["ply"]]


def scores(log: Log) -> list[float | None]:
    return [None if math.isnan(score) else score for score in log.columns["score"].tolist()]


def layers(log: Log) -> list[str]:
    return [LAYERS[layer] for layer in log.columns["layer"]]


def outcomes(log: Log) -> list[str]:
    return [OUTCOMES[outcome] for outcome in log.columns["outcome"]]
