"""Bytes as text: UTF-8, with or without a byte order mark, and UTF-16 with one; all else is refused."""

from __future__ import annotations

import codecs

from plyscope.visualizer.formats.errors import CutShort, LogError


def as_utf8(data: bytes) -> bytes:
    """`data` without a byte order mark; UTF-16, which some shells write, becomes UTF-8. Raises LogError.

    >>> as_utf8(codecs.BOM_UTF8 + b"{}"), as_utf8("{}".encode("utf-16"))
    (b'{}', b'{}')
    """
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError:
            raise LogError("the text begins as UTF-16 but is broken, expected UTF-8") from None
    if data[:4].count(0) in (2, 3) and len(data) >= 4:
        raise LogError("the text looks like UTF-16 without its mark, expected UTF-8", line=1)
    return data


def decoded(data: bytes, *, first_line: int = 1) -> str:
    """The text of `data`; raises LogError with the line and the byte that is no UTF-8.

    Raises CutShort where it ends in the middle of a character.

    >>> decoded(b"ab" + bytes([10, 255]))
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: line 2: found byte 0xff at offset 3, expected UTF-8
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        if error.end == len(data) and error.reason == "unexpected end of data":
            raise CutShort("the text ends in the middle of a character", line=line) from None
        found = f"found byte 0x{data[error.start]:02x} at offset {error.start}"
        raise LogError(f"{found}, expected UTF-8", line=line) from None
