"""Tests of what teaches numba something: under its compiler lock, and once, whichever thread asks."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plyscope.engine.compile.once import Once
from tests.patience import PATIENCE

# In a process of its own, since numba is taught only once.
WATCHED = """
import numba.core.compiler_machinery as machinery
import numba.extending as extending
from numba.core.compiler_lock import global_compiler_lock

without, n_with = [], 0

def watched(name, register):
    def registering(*arguments, **options):
        global n_with
        if global_compiler_lock.is_locked():
            n_with += 1
        else:
            without.append(name)
        return register(*arguments, **options)
    return registering

for module, names in (
    (machinery, ["register_pass"]),
    (extending, ["register_model", "unbox", "overload", "overload_method", "intrinsic"]),
):
    for name in names:
        setattr(module, name, watched(name, getattr(module, name)))

import numpy as np
from typing import NamedTuple
from plyscope.engine import jit
from plyscope.engine.compile.bundle import Bundle
from plyscope.engine.games.tictactoe import GAME

class Sight(NamedTuple):
    score: np.ndarray

@jit.kernel
def first(sight):
    return sight.score[0]

jit.bind(GAME)
print(jit.compiled(first)(Bundle(Sight(np.array([7.0])))), without, n_with > 2)
"""


@pytest.mark.slow
def test_numba_is_taught_under_its_compiler_lock(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHED],
        env={"PLYSCOPE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("7.0 [] True\n", "")


def test_two_threads_that_ask_at_one_time_get_the_same_which_is_made_once() -> None:
    begun, both_asked = threading.Event(), threading.Barrier(2)
    made: list[object] = []

    def make() -> object:
        begun.set()
        both_asked.wait(PATIENCE)
        made.append(object())
        return made[-1]

    once = Once(make)
    found: list[object] = []
    first = threading.Thread(target=lambda: found.append(once()))
    first.start()
    assert begun.wait(PATIENCE)
    second = threading.Thread(target=lambda: (both_asked.wait(PATIENCE), found.append(once())))
    second.start()
    for thread in (first, second):
        thread.join(PATIENCE)
    assert len(made) == 1
    assert found == [made[0], made[0]]


def test_what_is_made_again_is_another_and_the_next_to_ask_has_the_one_of_before() -> None:
    once = Once(list[int])
    assert once() is once()
    assert once.__wrapped__() is not once()
    kept = once()
    once.cache_clear()
    assert once() is not kept
