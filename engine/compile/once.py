"""Registrations with numba (types, overloads, passes), each made once and under numba's compiler lock.

Numba's registries of passes, types and overloads have no lock of their own; a thread that compiles reads them
under the compiler lock. A thread that registers without it changes dictionaries that the other walks, and two
that register the same have two types of one name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Decorate a function that registers with numba: called the first time only, whichever thread asks.

    Loads numba. Another thread that asks meanwhile waits, as it does while one compiles.
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._made: list[Made] = []
        update_wrapper(self, make)
        self.__wrapped__ = self.make_again

    def __call__(self) -> Made:
        """Return the value, made by the first call."""
        if not self._made:
            with _compiler_lock():
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    def make_again(self) -> Made:
        """Return another, made under the lock as well."""
        with _compiler_lock():
            return self._make()

    @property
    def code(self) -> Any:
        """The code of the function, to be digested."""
        return self._make.__code__

    def cache_clear(self) -> None:
        """Forget the value."""
        self._made.clear()


def _compiler_lock() -> Any:
    import numba.core.compiler_lock

    lock: Any = numba.core.compiler_lock.global_compiler_lock
    return lock
