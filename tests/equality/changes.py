"""What becomes of a document on its way: cut, damaged, written otherwise, packed, in another encoding."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from typing import Any, Final

from plyscope.visualizer.formats import zstandard

Parts = Iterator[tuple[str, bytes]]
CUTS: Final = 14
DAMAGES: Final = 24
WRONG: Final = (b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"-", b"9", b"\x00", b"\xff", b"null", b" ")


def whole(data: bytes) -> Parts:
    yield "whole", data


def cut(data: bytes) -> Parts:
    """The beginnings of a document: evenly, then byte by byte near its end."""
    places = sorted(
        {len(data) * at // CUTS for at in range(CUTS)} | {max(0, len(data) - at) for at in (1, 2, 3)}
    )
    for place in places:
        yield f"the first {place} of {len(data)} bytes", data[:place]


def damaged(data: bytes) -> Parts:
    """One byte left out, put in or replaced."""
    draw = random.Random(len(data))
    for number in range(DAMAGES):
        at, wrong = draw.randrange(len(data) + 1), draw.choice(WRONG)
        kind = ("without", "with", "instead")[number % 3]
        put = b"" if kind == "without" else wrong
        yield f"{kind} {put!r} at {at}", data[:at] + put + data[at + (kind != "with") :]


def rewritten(data: bytes) -> Parts:
    """The same document by other programs: indented, ends of lines, literals of JavaScript and Python."""
    text = data.decode("utf-8", "replace")
    yield "blanks around", b" \r\n\t" + data + b"\r\n \n"
    yield "a line begins after every comma", text.replace(",", ",\r\n").encode()
    yield "all twice", data + b"\n" + data
    yield "a semicolon behind", data + b";"
    yield "as a variable", b"var json = " + data + b";"
    yield "as an exported constant", b"export const tree =\n" + data
    yield "as a call", b"callback(" + data + b");"
    yield "with comments", b"// a tree\n" + data.replace(b"{", b"{/* node */", 2)
    yield "with commas behind", re.sub(rb"([\]}])", rb",\1", data)
    yield "names without quotes", re.sub(rb'"([A-Za-z_]\w*)":', rb"\1:", data)
    yield "single quotes", data.replace(b'"', b"'")
    try:
        document = json.loads(data)
    except ValueError:
        return
    yield "indented", json.dumps(document, indent=2, ensure_ascii=False).encode()
    yield "packed close", json.dumps(document, separators=(",", ":")).encode()
    yield "of Python", repr(document).encode()
    yield "in a list", json.dumps([document]).encode()
    yield "in an object", json.dumps({"info": "x", "tree": document}).encode()
    yield "fields backwards", json.dumps(_backwards(document)).encode()
    yield (
        "escaped",
        re.sub(rb'"([a-z])', lambda found: b'"\\u%04x' % found[1][0], json.dumps(document).encode()),
    )


def _backwards(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _backwards(each) for name, each in reversed(value.items())}
    return [_backwards(each) for each in value] if isinstance(value, list) else value


def packed(data: bytes) -> Parts:
    """In gzip, whole, in members, damaged."""
    file = gzip.compress(data, mtime=0)
    half = len(data) // 2
    halves = gzip.compress(data[:half], mtime=0) + gzip.compress(data[half:], mtime=0)
    yield "gzip", file
    yield "two members", halves
    yield "packed twice", gzip.compress(file, mtime=0)
    yield "blanks behind the file", file + b"\0" * 512
    yield "more behind the file", file + b"more"
    yield "another file behind the file", file + file
    for part in (0.02, 0.5, 0.8, 0.99):
        place = int(len(halves) * part)
        yield f"cut at {place}", halves[:place]
    yield "a wrong byte", halves[: len(halves) // 3] + b"\xaa" + halves[len(halves) // 3 + 1 :]
    yield "of nothing", gzip.compress(b"", mtime=0)


def packed_by_zstd(data: bytes) -> Parts:
    """In Zstandard, whole, in frames, damaged."""
    file = zstandard.compress(data)
    yield "zstd", file
    yield "two frames", file + zstandard.compress(b"\n")
    yield "cut", file[: len(file) * 3 // 4]
    yield "a wrong byte", file[: len(file) // 2] + b"\xaa" + file[len(file) // 2 + 1 :]


def encoded(data: bytes) -> Parts:
    """In other encodings, with and without a mark."""
    text = data.decode("utf-8", "replace")
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"):
        yield encoding, text.encode(encoding, "replace")
    yield "utf-16, cut in a letter", text.encode("utf-16")[:-1]
    yield "two marks", b"\xef\xbb\xbf\xef\xbb\xbf" + data
    yield "utf-16 with a mark of utf-8", b"\xef\xbb\xbf" + text.encode("utf-16-le")
    yield "a wrong byte in the middle", data[: len(data) // 2] + b"\xe9" + data[len(data) // 2 :]
