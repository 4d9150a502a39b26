"""The exact searches of the viewer's logs: one for each ply that was asked about, few at a time."""

from __future__ import annotations

import threading
from typing import Final

from plyscope.visualizer.analysis.explain.exact_question import Question
from plyscope.visualizer.shelf.exact_search import ExactSearch
from plyscope.visualizer.store.tree import Tree

MOST_KEPT: Final = 16
"""Searches whose logs are kept; the one that was begun longest ago goes."""
MOST_RUNNING: Final = 2
"""Processes that search at a time."""

Key = tuple[int, str]
"""The row of the node, and the ply below it."""


class TooManyError(Exception):
    """As many searches as may run are under way."""


class ExactSearches:
    """Begins, keeps and ends exact searches; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[tuple[Tree, Key, ExactSearch]] = []

    def of(self, tree: Tree, key: Key) -> ExactSearch | None:
        """The search of this ply of this very tree, if there is one."""
        with self._lock:
            return next((each for of, at, each in self._kept if of is tree and at == key), None)

    def start(self, tree: Tree, key: Key, question: Question) -> ExactSearch:
        """The search that there is, unless it failed, else one that begins now; raises TooManyError."""
        with self._lock:
            same = next((each for each in self._kept if each[0] is tree and each[1] == key), None)
            if same is not None and same[2].state != "failed":
                return same[2]
            others = [each for each in self._kept if each is not same]
            if sum(search.state == "running" for _, _, search in others) >= MOST_RUNNING:
                raise TooManyError
            search = ExactSearch(question)
            done = [each for each in others if each[2].state != "running"]
            gone = done[: max(0, len(others) + 1 - MOST_KEPT)]
            self._kept = [*(each for each in others if each not in gone), (tree, key, search)]
        for each in (*([same] if same is not None else []), *gone):
            each[2].end()
        return search

    def stop(self, tree: Tree, key: Key) -> None:
        """Cancel the search of a ply, or forget what it found."""
        with self._lock:
            same = [each for each in self._kept if each[0] is tree and each[1] == key]
            self._kept = [each for each in self._kept if each not in same]
        for each in same:
            each[2].end()

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            ended, self._kept = self._kept, []
        for each in ended:
            each[2].end()
