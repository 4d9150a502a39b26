"""Bare machine code gives what its kernel gives as Python, is loaded without numba, only if whole."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyscope.engine import jit
from plyscope.engine.compile import bare_code, code_cache
from plyscope.engine.jit import kernel


@kernel
def _weighed(table: Any, row: Any, weight: float, doubles: bool, more: int, totals: Any) -> int:
    for i in range(len(row)):
        totals[0] += table[i, 0] * row[i] * weight * (2 if doubles else 1) + more
    return len(row) - len(table)


@kernel
def _has_filled(numbers: Any, number: int) -> bool:
    for i in range(len(numbers)):
        numbers[i] = number
    return len(numbers) > 1


@kernel
def _emptied(numbers: Any) -> int:
    for i in range(len(numbers)):
        numbers[i] = 0
    return 0


@kernel
def _is_sine(x: float, y: float) -> bool:
    return math.sin(x) == y


@kernel
def _swapped(x: int, y: int) -> tuple[int, int]:
    return y, x


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of machine code; nothing is loaded yet."""
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path))
    _forget()
    yield tmp_path / "kernels" / code_cache.FORMAT
    _forget()


def _forget() -> None:
    for each in (code_cache.cache_folder, jit.loaded, jit.compiled):
        each.cache_clear()


def test_arrays_of_any_layout_and_numbers_are_passed_as_they_are(folder: Path) -> None:
    table = np.arange(12, dtype=np.float64).reshape(4, 3)
    read_only = np.arange(4, dtype=np.uint8)
    read_only.flags.writeable = False
    weighed = jit.loaded(_weighed)
    for of_table in (table, np.asfortranarray(table), table[::-1, 1:]):
        for row in (read_only, np.arange(8, dtype=np.int16)[::2]):
            for doubles in (True, False):
                bare, plain = np.zeros((2, 1))
                asked = (of_table, row, 0.5, doubles, -(2**40))
                assert weighed(*asked, bare) == _weighed(*asked, plain)
                assert bare == plain != 0
    filled = np.zeros(3, dtype=np.int32)
    assert jit.loaded(_has_filled)(filled, -7) is True
    assert filled.tolist() == [-7, -7, -7]
    assert jit.loaded(_has_filled)(filled[:0], 7) is False


def test_a_kernel_that_always_returns_one_number_needs_no_numba(folder: Path) -> None:
    numbers = np.ones(3)
    assert jit.loaded(_emptied)(numbers) == 0
    assert numbers.tolist() == [0, 0, 0]
    (file,) = folder.iterdir()  # numba would have kept a file of its own
    assert file.stat().st_size > 500


def test_code_is_compiled_once_and_again_where_its_file_is_not_to_be_believed(folder: Path) -> None:
    assert _compile_anew()
    assert not _compile_anew()
    (file,) = folder.iterdir()
    for spoiled in (b"", b"x" * 100, file.read_bytes()[:-1]):
        file.write_bytes(spoiled)
        assert _compile_anew()
    file.chmod(0o666)
    assert _compile_anew()
    assert not _compile_anew()


def _compile_anew() -> bool:
    """Call a kernel as a new process would; whether it was compiled."""
    _forget()
    has_filled = jit.loaded(_has_filled)
    assert has_filled(np.zeros(2), 1)
    return has_filled.n_compiled == 1


def test_a_kernel_that_may_not_be_compiled_now_is_called_where_its_code_is_at_hand(folder: Path) -> None:
    numbers = np.zeros(2)
    for _ in range(2):
        with pytest.raises(jit.NotCompiledError, match="_has_filled"):
            jit.at_hand(_has_filled)(numbers, 7)
    assert not any(folder.iterdir())
    assert jit.loaded(_has_filled)(np.zeros(2), 1)
    _forget()
    assert jit.at_hand(_has_filled)(numbers, 7) is True
    assert numbers.tolist() == [7, 7]
    with pytest.raises(jit.NotCompiledError):
        jit.at_hand(_has_filled)(np.zeros(2, dtype=np.int8), 1)


def test_what_bare_code_cannot_do_is_done_by_numba(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of another library, a result that is no number, an argument that numba alone knows."""
    assert jit.loaded(_is_sine)(1.0, math.sin(1.0)) is True
    assert jit.loaded(_swapped)(1, 2) == (2, 1)
    big_endian = np.arange(3).astype(">i8")
    with pytest.raises(Exception, match=r"(?i)unsupported|big"):
        jit.loaded(_has_filled)(big_endian, 1)
    for name, stands_in in (("_compiled", lambda self, form, arguments: b""), ("_load", lambda *asked: None)):
        _forget()
        with monkeypatch.context() as patch:
            patch.setattr(bare_code.BareKernel, name, stands_in)
            assert jit.loaded(_has_filled)(np.zeros(2), 1)


def test_arrays_that_lie_elsewhere_in_memory_are_passed_by_numba(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a Python whose objects begin with more than two words."""
    for name in ("DATA", "DIMENSIONS", "STRIDES"):
        with monkeypatch.context() as patch:
            patch.setattr(bare_code, name, bare_code.STRIDES + 8)
            bare_code._arrays_are_known.cache_clear()
            assert not bare_code._arrays_are_known()
            _forget()
            has_filled = jit.loaded(_has_filled)
            assert has_filled(np.zeros(2), 1)
            assert has_filled.n_compiled == 0
    bare_code._arrays_are_known.cache_clear()
    assert bare_code._arrays_are_known()


def test_a_second_process_calls_kernels_without_numba(tmp_path: Path) -> None:
    script = """
import sys
import numpy as np
from plyscope.engine.jit import loaded
from plyscope.visualizer.analysis.overview.raster import draw_part
from plyscope.visualizer.formats.tape.extras import pick_texts
picture = np.full((1, 4), -1, np.int32), np.zeros((1, 4), np.int64), np.zeros((1, 4), np.int32)
rows = np.arange(3), np.array([2, 2], np.int32), np.array([0, 1], np.int32)
loaded(draw_part)(0, 2, *rows, 0, 2, 0, 2, *picture)
assert picture[0].tolist() == [[0, 0, 0, 0]]
text, picked = np.frombuffer(b"e4d4", np.uint8), np.zeros(2, np.uint8)
begins, lengths = np.array([0, 2]), np.array([2, 2])
assert loaded(pick_texts)(text, begins, lengths, np.array([1]), picked) == 2
assert picked.tobytes() == b"d4"
print("numba" in sys.modules)
"""
    command = [sys.executable, "-c", script]
    environment = {"PLYSCOPE_CACHE": str(tmp_path), "PATH": "/usr/bin:/bin"}
    said = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(2)
    ]
    assert said == ["True", "False"]
