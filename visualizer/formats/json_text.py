"""Values as JSON text: by orjson, else by our own writer, which has no limit of depth or digits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.literal.reader import read_literal
from plyscope.visualizer.formats.tape.kinds import BITS_64

Array = npt.NDArray[Any]

TEXTS_AT_ONCE: Final = 4_096
MARK: Final = orjson.Fragment(b"\0")
"""Stands between values that are written together; no JSON has this byte."""
LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")
ZEROS: Final = bytes.maketrans(b"123456789", b"0" * 9)
LONG: Final = b"0" * 19
LONG_NUMBER: Final = re.compile(rb"[:,\[\s](-\d{19,309}|\d{20,309})(?=[,\]}\s])")
"""A whole number that may have more than 64 bits; inside a text one may be taken for it."""


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
    r"""The offsets (n + 1) and the concatenation of the values' JSON.

    >>> begins, text = json_texts(["e4", '",', "d4"])
    >>> begins.tolist(), text.tobytes()
    ([0, 4, 9, 13], b'"e4""\\",""d4"')
    """
    begins = np.zeros(len(values) + 1, np.int64)
    pieces: list[bytes] = []
    for first in range(0, len(values), TEXTS_AT_ONCE):
        some = values[first : first + TEXTS_AT_ONCE]
        try:
            together = orjson.dumps([each for value in some for each in (value, MARK)])
        except (TypeError, RecursionError):
            texts = [json_bytes(value) for value in some]
        else:
            texts = together[1:-1].removesuffix(b",\0").split(b",\0,")
            if b"null" in together:
                texts = [json_bytes(some[at]) if b"null" in text else text for at, text in enumerate(texts)]
        begins[first + 1 : first + 1 + len(some)] = [len(text) for text in texts]
        pieces.append(b"".join(texts))
    np.cumsum(begins, out=begins)
    return begins, np.frombuffer(b"".join(pieces), np.uint8)


def without_escapes(text: bytes) -> bytes:
    """JSON with spaces for backslashes and quotes within texts: each quote left begins or ends a text."""
    return text.replace(rb"\\", b"  ").replace(rb"\"", b"  ")


def strict_value(text: bytes) -> Any:
    """The value of JSON, whole numbers to their last digit; raises JSONDecodeError, also if it is too deep.

    >>> strict_value(b"[18446744073709551616]")
    [18446744073709551616]
    """
    value = orjson.loads(text)
    if not _loses_digits(text):
        return value
    try:
        return json.loads(text)
    except RecursionError:  # before it is too deep for the faster one
        return read_literal(decoded(text)).value


def parser_of(texts: bytes) -> Callable[[bytes], Any]:
    """What parses each of these texts as `strict_value` does: mostly the library, which is faster."""
    return strict_value if _loses_digits(texts) else orjson.loads


def _loses_digits(text: bytes) -> bool:
    """Whether JSON has whole numbers beyond 64 bits, of which the library makes floats."""
    if LONG not in text.translate(ZEROS):
        return False
    return any(int(found[1]) not in BITS_64 for found in LONG_NUMBER.finditer(b"[%b]" % text))


def json_value(text: bytes | str) -> Any:
    """The value of JSON of any depth; whole numbers to their last digit, beyond the largest float infinite.

    >>> json_value(b"[1e999, 3]")
    [inf, 3]
    """
    try:
        return strict_value(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
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
