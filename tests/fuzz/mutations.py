"""Mutations of a log: of its bytes, of its tokens, of its structure, of its lines, of how it is packed.

All of them follow from one `random.Random`, so an input is named by the seed and its number.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final

from plyscope.visualizer.formats import zstandard
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS

TOKEN: Final = re.compile(
    rb'"(?:[^"\\]++|\\.)*+(?:"|\Z)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\w+|\s+|.', re.DOTALL
)
"""A string that is cut short is one token: to look for its end at each quote in it takes most of the time."""
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 0.5, -0.0, 1e300, 5e-324, 2**31, 2**53 + 1, 2**63, 2**64, 10**30),
    *("", "a", "inf", "-inf", "nan", "Infinity", "ffffffffffffffff", "é", "\n", "x" * 300, "\x00"),
    *([], {}, [None], [1, 2], [[]], {"a": 1}, [{}], {"children": []}, {"score": 1}),
    *(word for each in (words.BOUNDS, words.LAYERS, words.OUTCOMES, words.ENDINGS) for word in each[1:]),
)
NAMES: Final = (
    *FIELDS,
    *("children", "root", "roots", "id", "parent", "iteration", "plyscope", "result", "players", "search"),
    *("value", "name", "move", "nextMove", "minimax", "links", "nodes", "source", "target", "data", ""),
)
TOKENS: Final = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\n", b" ", b"null", b"true", b"NaN", b"Infinity"),
    *(b"-", b"1e400", b"-1e999", b"01", b"1.", b".5", b"0x10", b"'a'", b"undefined", b"/*", b"//", b"\xff"),
    *(b'"\\ud800"', b'"\\u0000"', b'"\\x"', b"\xef\xbb\xbf", b"\x00", b"18446744073709551616", b"9" * 400),
    *(b'"children":', b'"root":', b'"id":', b'"parent":', b'"plyscope":', b'"outcome":"pruned"', b"[" * 50),
)

Mutation = Callable[[bytes, Random], bytes]


def mutated(data: bytes, draw: Random) -> bytes:
    """`data` after one to four mutations."""
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 4))):
        data = draw.choice(MUTATIONS)(data, draw)
    return data


def _place(data: bytes, draw: Random) -> int:
    return draw.randrange(len(data) + 1)


def change_bytes(data: bytes, draw: Random) -> bytes:
    at, n_gone = _place(data, draw), draw.randrange(4)
    return data[:at] + draw.randbytes(draw.randrange(4)) + data[at + n_gone :]


def flip_a_bit(data: bytes, draw: Random) -> bytes:
    if not data:
        return data
    at = draw.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]


def move_a_piece(data: bytes, draw: Random) -> bytes:
    first, last, target = sorted(_place(data, draw) for _ in range(3))
    kept = data[:first] + data[last:] if draw.random() < 0.5 else data
    return kept[:target] + data[first:last] + kept[target:]


def cut_short(data: bytes, draw: Random) -> bytes:
    return data[: _place(data, draw)]


def change_tokens(data: bytes, draw: Random) -> bytes:
    tokens = TOKEN.findall(data)
    if not tokens:
        return draw.choice(TOKENS)
    at, other = draw.randrange(len(tokens)), draw.randrange(len(tokens))
    kind = draw.randrange(5)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens[at] = draw.choice(TOKENS)
    elif kind == 2:
        tokens.insert(at, draw.choice((draw.choice(TOKENS), tokens[other])))
    elif kind == 3:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:
        tokens[at] = json.dumps(draw.choice((*NAMES, draw.choice(VALUES)))).encode()
    return b"".join(tokens)


def change_structure(data: bytes, draw: Random) -> bytes:
    """Another value, name, order or place somewhere in a JSON document."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return change_tokens(data, draw)
    containers = _containers(document)
    if not containers:
        return data
    where = draw.choice(containers)
    places: list[Any] = list(where) if isinstance(where, dict) else list(range(len(where)))
    kind = draw.randrange(7)
    value: Any = draw.choice(VALUES)
    if not places or kind == 0:
        _put(where, draw.choice(NAMES), value)
    elif kind == 1:
        where[draw.choice(places)] = value
    elif kind == 2:
        del where[draw.choice(places)]
    elif kind == 3:
        _put(where, draw.choice(NAMES), where[draw.choice(places)])
    elif kind == 4:
        place = draw.choice(places)
        where[place] = [where[place]] if draw.random() < 0.5 else {draw.choice(NAMES): where[place]}
    elif kind == 5 and isinstance(where, dict):
        items = draw.sample([*where.items()], len(where))
        where.clear()
        where.update(items)
    else:
        _put(where, draw.choice(NAMES), json.loads(json.dumps(draw.choice(containers))))
    return json.dumps(document, indent=draw.choice((None, None, 1)), ensure_ascii=draw.random() < 0.5).encode(
        "utf-8", "replace"
    )


def repeat_a_key(data: bytes, draw: Random) -> bytes:
    """A field twice in one object, which no document in memory can say."""
    at = data.find(b"{", _place(data, draw))
    name, value = json.dumps(draw.choice(NAMES)), json.dumps(draw.choice(VALUES))
    return data[: at + 1] + f"{name}:{value},".encode() * draw.choice((1, 2)) + data[at + 1 :]


def change_lines(data: bytes, draw: Random) -> bytes:
    lines = data.split(b"\n")
    at = draw.randrange(len(lines))
    kind = draw.randrange(6)
    if kind == 0:
        draw.shuffle(lines)
    elif kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(at, draw.choice(lines))
    elif kind == 3:
        lines[at] = change_structure(lines[at], draw)
    elif kind == 4:
        lines[at] = re.sub(rb'("(?:id|parent)":\s*)-?\d+', rb"\g<1>%d" % draw.randrange(-2, 12), lines[at])
    else:
        lines.insert(at, b'{"id":%d,"parent":%d}' % (draw.randrange(99), draw.randrange(99)))
    return draw.choice((b"\n", b"\n", b"\r\n", b"\n\n")).join(lines)


def encode_otherwise(data: bytes, draw: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(draw.choice(("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "utf-32")), "replace")


def pack(data: bytes, draw: Random) -> bytes:
    """As gzip or Zstandard, in one member or several, whole or damaged."""
    n_members = draw.choice((1, 1, 2, 5))
    cuts = sorted(_place(data, draw) for _ in range(n_members - 1))
    parts = [data[first:last] for first, last in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    compress = draw.choice((partial(gzip.compress, mtime=0), zstandard.compress))
    packed = draw.choice((b"", b"", b"\0" * 7)).join(map(compress, parts))
    kind = draw.randrange(6)
    if kind == 0:
        return packed + draw.choice((b"\0" * 600, b"more", packed[:9]))
    return flip_a_bit(packed, draw) if kind == 1 else cut_short(packed, draw) if kind == 2 else packed


def within_the_packed(data: bytes, draw: Random) -> bytes:
    """A mutation of what is packed; of the bytes themselves where nothing is, or it is damaged."""
    try:
        return gzip.compress(change_tokens(gzip.decompress(data), draw), mtime=0)
    except (OSError, EOFError, zlib.error):
        return change_bytes(data, draw)


def _containers(document: Any) -> list[Any]:
    found, waiting = [], [document]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            found.append(each)
            waiting += each.values() if isinstance(each, dict) else each
    return found


def _put(where: Any, name: str, value: Any) -> None:
    if isinstance(where, dict):
        where[name] = value
    else:
        where.append(value)


MUTATIONS: Final[tuple[Mutation, ...]] = (
    *(change_bytes, flip_a_bit, move_a_piece, cut_short),
    *(change_tokens, change_tokens, change_tokens, change_structure, change_structure, change_structure),
    *(repeat_a_key, change_lines, change_lines, encode_otherwise, pack, within_the_packed),
)
