"""Compact logs with wrong bytes, and whether they are read or refused with a sentence."""

from __future__ import annotations

import io
import json
import struct
from functools import cache
from random import Random
from typing import Final

from plyscope.engine.games.connect_four import GAME
from plyscope.engine.run import SearchOptions, search
from plyscope.visualizer.formats.binary.chunks import CHUNK_HEADER_BYTES, HEADER_BYTES, KINDS
from plyscope.visualizer.formats.binary.layout import TYPES
from plyscope.visualizer.formats.binary.writer import write_binary
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.log import Log
from tests.compact_logs import json_lines
from tests.equality import binary
from tests.fuzz.judged import lost, outcome_of, wrong_refusal

NUMBERS: Final = (0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1)
NAMES: Final = (*FIELDS, "contributions.a", "contributions.", "mine", "parent", "children", "", "data.score")


@cache
def compact_seeds() -> list[bytes]:
    """Files of every kind of chunk and type."""
    small, wide, *_ = (data for _, data in binary.seeds())
    end = wide.index(b"DONE")
    every = wide[:end] + json_lines({"id": 9, "note": {"x": [1]}}) + wide[end:]
    log = log_from_recording(search(GAME, options=SearchOptions(depth=3, iterative=True), compiled=False))
    write_binary(log, out := io.BytesIO())
    return [small, every, every, out.getvalue()]


def compact_input(seed: int, number: int) -> bytes:
    draw = Random(f"compact:{seed}:{number}")
    data = bytearray(draw.choice(compact_seeds()))
    for _ in range(draw.choice((1, 1, 2, 4))):
        draw.choice((_bytes, _bytes, _number, _cut, _splice, _chunks, _declaration))(data, draw)
    return bytes(data)


def judge_compact(data: bytes) -> str | None:
    """A fault in how `data` is read, in words; None where there is none."""
    found = outcome_of(read_log, data)
    if isinstance(found, Exception):
        return wrong_refusal(found)
    assert isinstance(found, Log)
    for write in (write_binary, write_jsonl):
        if wrong := lost(found, write):
            return wrong
    return None


def _bytes(data: bytearray, draw: Random) -> None:
    for _ in range(draw.choice((1, 3, 20))):
        data[_place(data, draw)] = draw.choice((0, 255, draw.randrange(256)))


def _place(data: bytearray, draw: Random) -> int:
    """A place in the file, mostly behind the JSON with which it begins."""
    begin = data.find(b"TEXT")
    return draw.randrange(begin if begin > 0 and draw.random() < 0.9 else 0, len(data))


def _number(data: bytearray, draw: Random) -> None:
    at = _place(data, draw)
    data[at : at + 4] = struct.pack("<I", draw.choice(NUMBERS))


def _cut(data: bytearray, draw: Random) -> None:
    del data[draw.randrange(4, len(data) + 1) :]
    data += bytes(draw.choice((0, 0, 1, 64)))
    data.extend(b"\x89PLY"[len(data) : 4])


def _splice(data: bytearray, draw: Random) -> None:
    other = draw.choice(compact_seeds())
    begin = draw.randrange(len(other))
    at = draw.randrange(len(data))
    data[at : at + draw.choice((0, 16))] = other[begin : begin + draw.choice((1, 8, 100))]


def _chunks(data: bytearray, draw: Random) -> None:
    """Leave a chunk out, repeat it, move it, or give it another kind or length."""
    places = [HEADER_BYTES]
    while places[-1] + CHUNK_HEADER_BYTES <= len(data) and len(places) < 1000:
        places.append(places[-1] + CHUNK_HEADER_BYTES + struct.unpack_from("<I", data, places[-1] + 4)[0])
    index = draw.randrange(max(1, len(places) - 1))
    begin, end = places[index], places[min(index + 1, len(places) - 1)]
    piece = data[begin:end]
    match draw.randrange(5):
        case 0:
            del data[begin:end]
        case 1:
            data[end:end] = piece * draw.choice((1, 2, 50))
        case 2:
            del data[begin:end]
            data[draw.choice(places) : 0] = piece
        case 3 if len(piece) >= 8:
            data[begin : begin + 4] = draw.choice([*KINDS, b"mine"])
        case _ if len(piece) >= 8:
            data[begin + 4 : begin + 8] = struct.pack("<I", draw.choice((len(piece), *NUMBERS)))


def _declaration(data: bytearray, draw: Random) -> None:
    """Give a field of a layout another name, type or count, the length of the chunk with it."""
    begin = bytes(data).find(b"LAYO")
    if begin < 0 or begin + 8 > len(data):
        return
    end = begin + 8 + struct.unpack_from("<I", data, begin + 4)[0]
    try:
        fields = json.loads(bytes(data[begin + 8 : end]))
        field = draw.choice(fields)
        match draw.randrange(4):
            case 0:
                field[0] = draw.choice(NAMES)
            case 1:
                field[1] = draw.choice(list(TYPES))
            case 2:
                field[2:] = [draw.choice((1, 2, 3, 1000, 10**9))]
            case _:
                draw.shuffle(fields)
        text = json.dumps(fields).encode()
    except (ValueError, TypeError, LookupError):
        return
    data[begin:end] = b"LAYO" + struct.pack("<I", len(text)) + text
