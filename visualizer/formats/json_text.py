"""Values as JSON text: by orjson, else by our own writer, which has no limit of depth or digits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.literal.reader import read_literal

Array = npt.NDArray[Any]

TEXTS_AT_ONCE: Final = 4_096
LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def json_bytes(value: Any) -> bytes:
    """`value` as JSON; numbers that JSON lacks are the texts "inf", "-inf" and "nan".

    Lone surrogates, which have no UTF-8, become the replacement character.

    >>> json_bytes({"a": [1, 2**70], "b": float("inf")})
    b'{"a":[1,1180591620717411303424],"b":"inf"}'
    """
    try:
        text = orjson.dumps(value)
    except (TypeError, RecursionError):
        return _written(value)
    # orjson writes a number that JSON lacks as null: where there is a null, the value is checked.
    return _written(value) if b"null" in text else text


def json_texts(values: Sequence[Any]) -> tuple[Array, Array]:
    """The offsets (n + 1) and the concatenation of the values' JSON.

    >>> begins, text = json_texts(["e4", "d4"])
    >>> begins.tolist(), text.tobytes()
    ([0, 4, 8], b'"e4""d4"')
    """
    begins = np.zeros(len(values) + 1, np.int64)
    pieces = []
    for first in range(0, len(values), TEXTS_AT_ONCE):
        some = [*values[first : first + TEXTS_AT_ONCE]]
        if all(type(value) is str for value in some):
            # Quotes within a text have a backslash before them, so this quote ends a text.
            text = json_bytes(some)[1:-1]
            lengths = [len(each) + 2 for each in text[1:-1].split(b'","')]
            pieces.append(text.replace(b'","', b'""'))
        else:
            texts = [json_bytes(value) for value in some]
            lengths = [len(each) for each in texts]
            pieces.append(b"".join(texts))
        begins[first + 1 : first + 1 + len(some)] = lengths
    np.cumsum(begins, out=begins)
    return begins, np.frombuffer(b"".join(pieces), np.uint8)


def json_value(text: bytes | str) -> Any:
    """The value of JSON of any depth; whole numbers to their last digit, others beyond a float as infinite.

    >>> json_value(b"[1e999, 3]")
    [inf, 3]
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # nested too deep for it, or a number beyond the largest float
        return read_literal(text if isinstance(text, str) else decoded(text)).value


def json_values(texts: bytes, offsets: Sequence[int]) -> list[Any]:
    """The values of n texts of JSON, which lie between n + 1 offsets: as `json_value` has each.

    >>> json_values(b'3"c6"[]', [0, 1, 5, 7])
    [3, 'c6', []]
    """
    each = b",".join(texts[begin:end] for begin, end in pairwise(offsets))
    values: list[Any] = json_value(b"[" + each + b"]")
    return values


def with_number_words(value: Any) -> Any:
    """`value` with numbers that JSON lacks as texts, as it would be read back from a file.

    It is recursive, so only for values of bounded depth.

    >>> with_number_words({"range": [float("-inf"), 2.5]})
    {'range': ['-inf', 2.5]}
    """
    if isinstance(value, dict):
        return {key: with_number_words(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_number_words(inner) for inner in value]
    return json.loads(_scalar(value)) if isinstance(value, float) and not math.isfinite(value) else value


def _written(value: Any) -> bytes:
    parts: list[str] = []
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, _Mark):
            parts.append(item)
        elif isinstance(item, dict):
            stack.append(_Mark("}"))
            for at, (key, inner) in reversed(list(enumerate(item.items()))):
                stack += (inner, _Mark(f"{',' if at else ''}{_text(str(key))}:"))
            stack.append(_Mark("{"))
        elif isinstance(item, list | tuple):
            stack.append(_Mark("]"))
            for at, inner in reversed(list(enumerate(item))):
                stack += (inner, _Mark("," if at else ""))
            stack.append(_Mark("["))
        else:
            parts.append(_scalar(item))
    return "".join(parts).encode()


class _Mark(str):
    """Punctuation and keys on the stack, in contrast to texts that are values."""


def _text(value: str) -> str:
    return json.dumps(LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", value), ensure_ascii=False)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return '"nan"' if math.isnan(value) else '"inf"' if value > 0 else '"-inf"'
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 10_000:
        return '"inf"' if value > 0 else '"-inf"'
    return json.dumps(value)
