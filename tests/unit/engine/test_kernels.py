"""Kernels: the same plain and compiled, what they may read and call, and what they are given."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import MagicMock, Mock

import numpy as np
import pytest
from numba.core.errors import TypingError

from plyscope.engine import jit
from plyscope.engine.compile import code_cache
from plyscope.engine.compile.bundle import Bundle
from plyscope.engine.compile.fingerprint import KernelError, fingerprint
from plyscope.engine.compile.kernels import (
    CHANCE_OF,
    GAME_KERNELS,
    OPTIONAL_KERNELS,
    UNDOES,
    with_all_kernels,
)
from plyscope.engine.compile.once import Once
from plyscope.engine.game import State
from plyscope.engine.games import tictactoe
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.jit import compiled, copy_array, kernel
from tests.patience import PATIENCE


@kernel
def bits_of(x: int) -> int:
    return jit.count_bits(x) + 100 * jit.first_bit(x) + 10_000 * jit.last_bit(x)


@kernel
def word_of(x: int) -> int:
    return jit.word(x)


@pytest.mark.parametrize("x", [0, 1, 0b1011000, 1 << 62, -1])
def test_bit_functions_are_the_same_compiled_and_a_word_has_no_sign(x: int) -> None:
    assert jit.compiled(bits_of)(np.int64(x)) == bits_of(x)
    assert jit.compiled(bits_of)(np.uint64(x & (2**64 - 1))) == bits_of(x)
    assert jit.compiled(word_of)(x) == word_of(x) == x % 2**64


@kernel
def copy_of(source: Any, target: Any) -> int:
    copy_array(source, target)
    return len(target)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_copied_array_is_the_same_and_stands_apart(compiled: bool) -> None:
    copy = jit.compiled(copy_of) if compiled else copy_of
    source, target = np.arange(5, dtype=np.int32), np.full(7, 9, np.int32)
    assert copy(source, target[1:6]) == 5
    assert target.tolist() == [9, 0, 1, 2, 3, 4, 9]
    source[:] = -1
    assert target[3] == 2


def test_a_large_position_is_not_copied_number_by_number() -> None:
    """A search of Hive has 5,300 numbers a position: one by one they took a millisecond as plain Python."""
    target = MagicMock()
    copy_state(np.zeros(5300, np.int32), target)
    assert target.__setitem__.call_count == 1


def test_a_token_carries_the_digest_of_its_game() -> None:
    names = (*GAME_KERNELS, *OPTIONAL_KERNELS, CHANCE_OF, UNDOES)
    digest = fingerprint(*(getattr(with_all_kernels(GAME), name) for name in names))
    assert digest in str(jit.bind(GAME)._numba_type_)


def _unmarked(x: int) -> int:
    return x


@kernel
def calls_unmarked(x: int) -> int:
    return _unmarked(x)


@kernel
def reads_a_set(x: int) -> bool:
    return x in CHANGING


CHANGING = {1}


@kernel
def _allocates(n: int) -> float:
    return float(np.zeros(n)[0])


def test_a_kernel_calls_kernels_only_reads_what_can_be_digested_and_allocates_nothing() -> None:
    with pytest.raises(KernelError, match=r"_unmarked.* is no kernel"):
        jit.compiled(calls_unmarked)
    with pytest.raises(KernelError, match="reads_a_set reads CHANGING: a set"):
        fingerprint(reads_a_set)
    with pytest.raises(Exception, match="Only accept returning of array passed"):
        jit.compiled(_allocates)(3)
    with pytest.raises(KernelError, match="game 'half' has no kernel 'generate'"):
        jit.bind(SimpleNamespace(name="half"))


@kernel
def _values_of_a_copy(state: State, out: np.ndarray[Any, Any]) -> None:
    tictactoe.values(state.copy(), out)


@kernel
def _ask_values(game: Any, state: State, out: np.ndarray[Any, Any]) -> None:
    game.values(state, out)


def test_a_game_whose_kernel_allocates_is_compiled_all_the_same() -> None:
    game = SimpleNamespace(**{name: getattr(GAME, name) for name in dir(GAME) if name[0] != "_"})
    game.values = _values_of_a_copy
    state, found, expected = GAME.read_position("X.. .O. ..."), np.zeros(4), np.zeros(4)
    jit.compiled(_ask_values)(jit.bind(game), state, found)
    GAME.values(state, expected)
    assert found.tolist() == expected.tolist()


@kernel
def _ask_status(game: Any, state: State) -> int:
    return int(game.status(state))


@kernel
def _ask_plies(game: Any, state: State, plies: Any) -> int:
    return int(game.generate(state, plies))


def test_machine_code_has_what_it_calls_to_itself_and_counts_no_references_where_nothing_allocates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A callee that others might call would keep its unread arguments: Hive was a third slower."""
    monkeypatch.setattr(code_cache.CodeCache, "load_overload", lambda *_: None)
    state, plies = GAME.read_position("X.. .O. ..."), np.zeros(GAME.max_plies, np.int32)
    for function, arguments in ((_ask_status, ()), (_ask_plies, (plies,))):
        jit.compiled(function)(jit.bind(GAME), state, *arguments)
        (result,) = jit.compiled(function).overloads.values()
        assert b"NRT_decref" not in bytes(result.library._get_compiled_object())
        assert "define linkonce_odr" not in result.library.get_llvm_str()


class Facts(NamedTuple):
    """A field of every kind."""

    bytes_: Any
    words: Any
    table: Any
    factor: float
    place: int
    is_on: bool
    name: str


@kernel
def weigh(facts: Facts, row: int) -> float:
    """A number that every field decides."""
    total = facts.factor * facts.bytes_[row] + facts.table[row, 1] * 10 + len(facts.table)
    if facts.is_on:
        facts.words[facts.place] += 1
    return float(total + facts.words[facts.place])


def facts(**changed: Any) -> Facts:
    values = Facts(np.arange(4, dtype=np.uint8), np.zeros(3, np.int32), np.ones((4, 2)), 0.5, 2, True, "name")
    return values._replace(**changed)


@pytest.mark.parametrize("changed", [{}, {"is_on": False}, {"place": 0}, {"factor": -2.0}])
def test_a_kernel_gives_the_same_for_a_bundle_as_for_its_named_tuple(changed: dict[str, Any]) -> None:
    plain, bundled = facts(**changed), facts(**changed)
    assert compiled(weigh)(Bundle(bundled), 3) == weigh(plain, 3)
    assert bundled.words.tolist() == plain.words.tolist()


@kernel
def overwrite(facts: Facts, row: int) -> int:
    facts.words[row] = 7
    return int(facts.words[row])


def test_bundles_of_other_types_read_only_arrays_and_arrays_in_pieces_are_told_apart() -> None:
    assert Bundle(facts())._numba_type_ == Bundle(facts(factor=3.0))._numba_type_
    assert Bundle(facts())._numba_type_ != Bundle(facts(words=np.zeros(3, np.int64)))._numba_type_
    with pytest.raises(AssertionError, match="words"):
        Bundle(facts(words=np.zeros(6, np.int32)[::2]))
    words = np.zeros(3, np.int32)
    assert compiled(overwrite)(Bundle(facts(words=words)), 1) == 7
    words.flags.writeable = False
    with pytest.raises(TypingError, match="setitem"):
        compiled(overwrite)(Bundle(facts(words=words)), 1)


@kernel
def _filled(numbers: Any, number: int) -> bool:
    for i in range(len(numbers)):
        numbers[i] = number
    return len(numbers) > 1


def test_a_kernel_that_may_not_be_compiled_now_is_called_where_its_code_is_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "cache_folder", lambda: tmp_path)
    numbers, arguments = np.zeros(3), Mock()
    assert not jit.is_at_hand(_filled, arguments)
    arguments.assert_not_called()  # nobody asks numba
    with pytest.raises(jit.NotCompiledError, match="_filled"):
        jit.at_hand(_filled)(numbers, 7)
    assert jit.compiled(_filled)(numbers, 7) is True
    numbers[:] = 0
    assert jit.at_hand(_filled)(numbers, 7) is True
    assert numbers.tolist() == [7, 7, 7]
    with pytest.raises(jit.NotCompiledError):
        jit.at_hand(_filled)(np.zeros(2, dtype=np.int8), 1)


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
        env={"PLYSCOPE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])},
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
    assert found == [*made, *made] == [once(), once()]
    # What is made again is another, and the next to ask has the one of before.
    anew = Once(list[int])
    kept = anew()
    assert anew.__wrapped__() is not kept
    assert anew() is kept
    anew.cache_clear()
    assert anew() is not kept
