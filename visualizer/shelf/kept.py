"""The last answers, each made once though several ask at a time, and let go when there are too many."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import ref

from plyscope.visualizer.store.tree import Tree

Value = TypeVar("Value")


class _Place(Generic[Value]):
    """The place of one answer, empty until it is made."""

    def __init__(self) -> None:
        self.value: Value | None = None
        self.making = threading.Lock()


class Kept(Generic[Value]):
    """A cache of answers by question; thread-safe.

    A question is any values; trees in it are compared by identity and held weakly: when a tree is gone, its
    answers go. The last answer stays, whatever its size.

    >>> squares: Kept[int] = Kept(2)
    >>> [squares.of(n, make=lambda n=n: n * n) for n in (1, 2, 3)], squares.get(1), squares.get(3)
    ([1, 4, 9], None, 9)
    """

    def __init__(
        self,
        most: float = math.inf,
        *,
        most_size: float = math.inf,
        size_of: Callable[[Value], float] = lambda value: 0,
        is_spoilt: Callable[[Value], bool] = lambda value: False,
        is_busy: Callable[[Value], bool] = lambda value: False,
        let_go: Callable[[Value], object] = lambda value: None,
    ) -> None:
        """Keep at most `most` answers of at most `most_size` together.

        is_spoilt   whether an answer must be made anew
        is_busy     whether an answer must not be evicted
        let_go      called with each answer that is evicted
        """
        self._most, self._most_size, self._size_of = most, most_size, size_of
        self._is_spoilt, self._is_busy, self._let_go = is_spoilt, is_busy, let_go
        self._lock = threading.Lock()
        self._places: dict[tuple[Hashable, ...], _Place[Value]] = {}

    def get(self, *asked: Hashable) -> Value | None:
        """The answer, None where there is none."""
        with self._lock:
            place = self._places.get(_key(asked))
            return None if place is None else place.value

    def of(self, *asked: Hashable, make: Callable[[], Value]) -> Value:
        """The answer; made where there is none, while others who ask the same wait for it."""
        key = _key(asked)
        with self._lock:
            place = before = self._places.pop(key, None)
            if place is None or (place.value is not None and self._is_spoilt(place.value)):
                place = _Place()
            self._places[key] = place
        if before is not None and before is not place:
            self._end([before])
        with place.making:
            if place.value is None:
                place.value = self._made(key, place, make)
        self.fit()
        return place.value

    def _made(self, key: tuple[Hashable, ...], place: _Place[Value], make: Callable[[], Value]) -> Value:
        """Make an answer; one that cannot be made leaves no place, which would push others out."""
        try:
            return make()
        except BaseException:
            with self._lock:
                if self._places.get(key) is place:
                    del self._places[key]
            raise

    def values(self) -> list[Value]:
        """All answers, the one asked for longest ago first."""
        with self._lock:
            return [place.value for place in self._places.values() if place.value is not None]

    def fit(self) -> None:
        """Evict answers beyond the limits, and those of trees that are gone."""
        with self._lock:
            gone = [key for key in self._places if any(isinstance(at, ref) and at() is None for at in key)]
            ended = [self._places.pop(key) for key in gone]
            sizes = {key: self._size(place) for key, place in self._places.items()}
            size = sum(sizes.values())
            for key in list(sizes)[:-1]:
                if len(self._places) <= self._most and size <= self._most_size:
                    break
                value = self._places[key].value
                if value is None or not self._is_busy(value):
                    ended.append(self._places.pop(key))
                    size -= sizes[key]
        self._end(ended)

    def take(self, *asked: Hashable) -> None:
        """Let go of one answer, if it is there."""
        with self._lock:
            place = self._places.pop(_key(asked), None)
        self._end([] if place is None else [place])

    def clear(self) -> None:
        """Let go of all."""
        with self._lock:
            ended = list(self._places.values())
            self._places.clear()
        self._end(ended)

    def _size(self, place: _Place[Value]) -> float:
        return 0 if place.value is None else self._size_of(place.value)

    def _end(self, places: list[_Place[Value]]) -> None:
        for place in places:
            if place.value is not None:
                self._let_go(place.value)


def _key(asked: tuple[Hashable, ...]) -> tuple[Any, ...]:
    return tuple(ref(each) if isinstance(each, Tree) else each for each in asked)
