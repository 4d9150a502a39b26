"""Decimals that kernels read and judge: as the JSON library reads and writes them, or left to it."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.engine.jit import loaded
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, find_settled
from plyscope.visualizer.formats.large.slices import read_lists, read_numbers


def places_of(texts: list[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All texts end to end, and where each begins and how long it is."""
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    data = np.frombuffer("".join(texts).encode() + b" ", dtype=np.uint8)
    return data, np.cumsum(sizes) - sizes, sizes


def read(texts: list[str]) -> list[float | None]:
    """The numbers that these texts are read as, None where they are left to the library."""
    values, is_read = np.zeros(len(texts)), np.zeros(len(texts), dtype=np.bool_)
    loaded(read_numbers)(*places_of(texts), values, is_read)
    return [value if known else None for value, known in zip(values.tolist(), is_read.tolist(), strict=True)]


def settled(texts: list[str]) -> list[bool]:
    """Which of these texts the library would write as they are."""
    found = np.zeros(len(texts), dtype=np.bool_)
    loaded(find_settled)(*places_of(texts), np.zeros(MOST_LEVELS, dtype=np.int64), found)
    return [bool(each) for each in found]


def written(draw: random.Random) -> Iterator[str]:
    """Decimals as programs write them, with few digits and with many, and such as lie beside a float."""
    while True:
        number = draw.gauss(0, 1) * 10.0 ** draw.randint(-8, 12)
        yield repr(number)
        yield f"{number:.{draw.randint(1, 18)}f}"
        yield f"{number:.{draw.randint(1, 18)}g}"
        yield repr(number)[:-1] + draw.choice("123456789")
        yield f"{draw.getrandbits(draw.randint(1, 60))}.{draw.getrandbits(draw.randint(1, 30))}"
        yield f"{draw.getrandbits(54) / 2.0 ** draw.randint(0, 60):.18f}"
        yield f"{draw.choice(['', '-'])}{draw.getrandbits(draw.randint(1, 58))}e-{draw.randint(0, 70)}"


@pytest.fixture(scope="module")
def many() -> list[str]:
    texts = written(random.Random(3))
    return [next(texts) for _ in range(140_000)]


def test_what_is_read_is_the_nearest_float(many: list[str]) -> None:
    values = read(many)
    told = [(text, value) for text, value in zip(many, values, strict=True) if value is not None]
    assert [text for text, value in told if struct.pack("d", value) != struct.pack("d", float(text))] == []
    assert len(told) > 0.7 * len(many)


def test_what_is_settled_is_written_as_it_stands(many: list[str]) -> None:
    told = [text for text, is_settled in zip(many, settled(many), strict=True) if is_settled]
    assert [text for text in told if json_bytes(orjson.loads(text)) != text.encode()] == []
    assert len(told) > 0.2 * len(many)


@given(st.lists(st.floats(1e-3, 1e12) | st.floats(-1e12, -1e-3), min_size=1, max_size=50))
def test_floats_that_a_program_wrote_are_read_and_settled(numbers: list[float]) -> None:
    texts = [json_bytes(number).decode() for number in numbers]
    assert read(texts) == numbers
    left = [text for text, is_settled in zip(texts, settled(texts), strict=True) if not is_settled]
    assert [text for text in left if not lies_between(text)] == []


def lies_between(text: str) -> bool:
    """Whether a float lies in the middle between its decimal and another of that length, but for a trace."""
    last_digit = Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))
    return abs(Decimal(text) - Decimal(float(text))) > last_digit * Decimal("0.499999")


@given(st.integers(0, 10**18 - 1), st.integers(0, 40))
def test_digits_behind_a_point_are_the_nearest_float_or_left(digits: int, n_after: int) -> None:
    text = f"{digits:0{n_after + 2}d}"
    text = f"{text[: -n_after - 1]}.{text[-n_after - 1 :]}"
    text = text.lstrip("0") if not text.startswith("0.") else text
    text = "0" + text if text.startswith(".") else text
    (value,) = read([text])
    assert value is None or value == float(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-0.0", -0.0),
        ("-0", None),
        ("0.0", 0.0),
        ("1e5", None),
        ("1.5e-07", 1.5e-07),
        ("1E-5", 1e-05),
        ("1e-", None),
        ("1e-0x", None),
        ("1.", None),
        ("01.5", None),
        ("9007199254740993.0", None),
        ("999999999999999", 999999999999999.0),
        ("1000000000000000", None),
        ("0.1234567890123456789", None),
        ("1e-61", None),
    ],
)
def test_odd_spellings(text: str, value: float | None) -> None:
    (found,) = read([text])
    assert (found is None) == (value is None)
    assert found is None or struct.pack("d", found) == struct.pack("d", value)


def test_lists_of_long_decimals_are_read_at_once() -> None:
    texts = ["[0.30000000000000004,-0.0,null]", "[17.509918308716585, 1e-05, 2.5]"]
    values = np.zeros(6)
    assert loaded(read_lists)(*places_of(texts), 3, values)
    assert str(values.tolist()) == str(
        [0.30000000000000004, -0.0, float("nan"), 17.509918308716585, 1e-05, 2.5]
    )
