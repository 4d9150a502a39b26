"""What tests of the shelf share."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.follow.line_sources import EngineListener
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE, wait_for
from tests.unit.logs import there

LOG = b'{"plyscope": 1, "root": {"score": 2, "children": [{"ply": "a1", "score": 2}]}}'
FOREIGN = b'{"name": "r", "value": 1, "cost": 7, "replies": [{"name": "a", "value": 5, "cost": 8}]}'
"""A tree of somebody's own, in which either figure may be the score."""

Here = Callable[[], Shelf]
"""Makes shelves of one data folder and one cache, as viewers of one user have them."""


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return lambda: Shelf(tmp_path / "data", tmp_path / "cache")


@pytest.fixture
def cache(tmp_path: Path) -> LogCache:
    return LogCache(tmp_path / "cache", RememberedMappings(tmp_path / "data"))


@pytest.fixture
def shelf(here: Here) -> Iterator[Shelf]:
    shelf = here()
    yield shelf
    shelf.close()


@pytest.fixture
def all_logs_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "SMALL_BYTES", 10)


@pytest.fixture
def entry(shelf: Shelf, path: Path) -> Entry:
    """The log of two nodes that lies at `path`, followed and shown."""
    entry = shelf.follow(shelf.add_file(path))
    wait_for(lambda: rows(shelf, entry) == 2)
    return entry


@pytest.fixture
def listener(shelf: Shelf) -> Iterator[EngineListener]:
    listener = EngineListener(shelf, socket.create_server(("127.0.0.1", 0)))
    listener.start()
    yield listener
    listener.close()


@pytest.fixture
def awaited(shelf: Shelf, listener: EngineListener) -> Entry:
    """The log of the engine that the listener waits for."""
    return there(shelf.first())


def status(entry: Entry) -> dict[str, Any]:
    return entry.live.status() if entry.live is not None else {"state": "ended"}


def rows(shelf: Shelf, entry: Entry) -> int:
    status(entry)
    try:
        return shelf.open(entry.id).log.n_rows
    except NotReadyError:
        return 0


def opened(shelf: Shelf, log_id: str) -> Tree:
    """The tree of a log, once its reading has ended."""
    try:
        return shelf.open(log_id)
    except NotReadyError:
        assert shelf.entry(log_id).settled.wait(PATIENCE)
        return shelf.open(log_id)


def refuse(error: Exception) -> Callable[..., Any]:
    """A function that stands for one which raises this, whatever it is given."""

    def fail(*args: object, **how: object) -> Any:
        raise error

    return fail
