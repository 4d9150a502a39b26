"""Kernels: the same plain and compiled, found again on disk, never stale."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from plyscope.engine import jit
from plyscope.engine.compile import code_cache
from plyscope.engine.compile.fingerprint import KernelError, fingerprint
from plyscope.engine.compile.kernels import (
    CHANCE_OF,
    GAME_KERNELS,
    OPTIONAL_KERNELS,
    UNDOES,
    with_all_kernels,
)
from plyscope.engine.game import State
from plyscope.engine.games import tictactoe
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.jit import copy_array, kernel

CONSTANTS = "STEP = 3\n"
HELPERS = """
from plyscope.engine.jit import copy_array, kernel
from constants import STEP

@kernel
def stride(x):
    "How far."
    return x * STEP
"""
GAME_FILE = """
from types import SimpleNamespace
from plyscope.engine.jit import compiled, bind, kernel
import helpers
import numpy as np

@kernel
def generate(state, plies):
    return helpers.stride(state[0])

@kernel
def apply(state, ply):
    state[0] += ply

@kernel
def player(state):
    return 0

@kernel
def walk(game, state, plies):
    game.apply(state, 2)
    return game.generate(state, plies)

GAME = SimpleNamespace(name="toy", generate=generate, apply=apply, player=player, status=player,
                       values=apply, key=player)

def answer():
    function = compiled(walk)
    found = function(bind(GAME), np.array([5]), np.zeros(3, np.int32))
    return int(found), sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())
"""


class Toy:
    """A game in three files, compiled by processes of their own that share a cache folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in (("constants", CONSTANTS), ("helpers", HELPERS), ("toy", GAME_FILE)):
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.py").write_text(text)

    def answer(self) -> tuple[int, int, int]:
        """The result of a new process, and how often it found and missed machine code on disk."""
        root = Path(__file__).parents[3]
        program = "import json, toy; print(json.dumps(toy.answer()))"
        environment = {
            "PYTHONPATH": f"{self.folder}:{root}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PLYSCOPE_CACHE": str(self.folder / "cache"),
        }
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        result, hits, misses = json.loads(done.stdout)
        return result, hits, misses


@pytest.mark.slow
def test_a_second_process_compiles_nothing_and_no_edit_is_stale(tmp_path: Path) -> None:
    toy = Toy(tmp_path)
    assert toy.answer() == (21, 0, 1)
    assert toy.answer() == (21, 1, 0)
    # A comment, a docstring and other line numbers are no edit.
    toy.write("helpers", HELPERS.replace('"How far."', '"How far it goes."\n    # why'))
    assert toy.answer() == (21, 1, 0)
    toy.write("constants", "STEP = 4\n")
    assert toy.answer() == (28, 0, 1)
    toy.write("helpers", HELPERS.replace("x * STEP", "x * STEP + 1"))
    assert toy.answer() == (29, 0, 1)
    toy.write("toy", GAME_FILE.replace("+= ply", "-= ply"))
    assert toy.answer() == (13, 0, 1)
    # Back to the beginning: what was compiled then is still there.
    toy = Toy(tmp_path)
    assert toy.answer() == (21, 1, 0)
    # A file that names a module which is no more is compiled again.
    for path in (tmp_path / "cache").rglob("*.bin"):
        gone = path.read_bytes().split(b"\n", 1)[1].replace(b"toy", b"yot")
        path.write_bytes(hashlib.sha256(gone).hexdigest().encode() + b"\n" + gone)
    assert toy.answer() == (21, 0, 1)


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


def _machine_code(function: Any) -> bytes:
    (result,) = jit.compiled(function).overloads.values()
    return bytes(result.library._get_compiled_object())


def test_a_game_whose_kernels_allocate_nothing_counts_no_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache.CodeCache, "load_overload", lambda *_: None)
    jit.compiled(_ask_status)(jit.bind(GAME), GAME.read_position("X.. .O. ..."))
    assert b"NRT_decref" not in _machine_code(_ask_status)
