"""Tests of reading bytes: encodings, packed files, damage, bombs and limits."""

from __future__ import annotations

import codecs
import gzip
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from plyscope.visualizer.formats import compressed, zstandard
from plyscope.visualizer.formats.compressed import unpacked
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import CutShort, LogError, TooLarge


def lines(*texts: str) -> bytes:
    return "\n".join(texts).encode()


SKIPPABLE = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"
"""A frame of Zstandard that holds no data."""
DOCUMENT = '{"plyscope":1,"root":{"ply":"é"}}'


@pytest.mark.parametrize(
    "data",
    [
        DOCUMENT.encode(),
        codecs.BOM_UTF8 + DOCUMENT.encode(),
        DOCUMENT.encode("utf-16"),
        gzip.compress(DOCUMENT.encode()),
        codecs.BOM_UTF16_BE + DOCUMENT.encode("utf-16-be"),
        gzip.compress(b'{"plyscope":1,') + gzip.compress('"root":{"ply":"é"}}'.encode()),
        gzip.compress(DOCUMENT.encode()) + b"\0" * 20,
        gzip.compress(b'{"plyscope":1,') + b"\0" * 512 + gzip.compress('"root":{"ply":"é"}}'.encode()),
        b"".join(gzip.compress(bytes([byte])) for byte in DOCUMENT.encode()),
        zstandard.compress(DOCUMENT.encode()),
        zstandard.compress(b'{"plyscope":1,') + zstandard.compress('"root":{"ply":"é"}}'.encode()),
        SKIPPABLE + zstandard.compress(DOCUMENT.encode()) + SKIPPABLE,
        zstandard.compress(DOCUMENT.encode()) + b"\0" * 20,
        b"".join(zstandard.compress(bytes([byte])) for byte in DOCUMENT.encode()),
        f"\n  {DOCUMENT}\n".encode(),
        f"var log = {DOCUMENT};".encode(),
    ],
)
def test_a_document_is_read_in_any_wrapping(data: bytes) -> None:
    log = read_log(data)
    assert list(log.texts) == ["é"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'{"plyscope":1,\n"root":{"ply":"\xff"}}', "line 2: found byte 0xff at offset 30, expected UTF-8"),
        (DOCUMENT.encode("utf-16-le"), "line 1: the text looks like UTF-16 without its mark, expected UTF-8"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "the text begins as UTF-16 but is broken, expected UTF-8"),
        (b'{"plyscope":1}\n{"id":0}\n{"id":\xff}\n', "line 3: found byte 0xff at offset 6, expected UTF-8"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(LogError) as caught:
        read_log(data)
    assert str(caught.value) == sentence


PACKINGS = [("gzip", gzip.compress, b"\x1f"), ("Zstandard", zstandard.compress, b"\x28\xb5\x2f")]
"""Name, function, and how a member begins that is cut right there."""
packings = pytest.mark.parametrize(("name", "compress", "start"), PACKINGS)
Compress = Callable[[bytes], bytes]


@packings
@pytest.mark.parametrize("padding", [None, b"", b"\0" * 512], ids=["within", "after", "after zeros"])
def test_damage_is_refused_and_not_passed_over_after_a_good_member(
    name: str, compress: Compress, start: bytes, padding: bytes | None
) -> None:
    if padding is None:
        packed = bytearray(compress(DOCUMENT.encode() * 100))
        packed[5 if name == "Zstandard" else 20] ^= 0xFF
        sentence = r"[\d,]+ bytes"
    else:
        packed = bytearray(compress(lines('{"id":1,"parent":0}')))
        packed[0] ^= 0xFF
        packed = bytearray(compress(lines('{"plyscope":1}', '{"id":0}')) + padding + packed)
        sentence = rf"23 bytes: \d+ packed bytes follow that are no {name}"
    with pytest.raises(LogError, match=rf"^the {name} data is damaged after {sentence}"):
        read_log(bytes(packed))
    # A frame of `zstd --long=31` asks a reader for 2 GiB before it holds any data.
    frame = b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([21 << 3]) + b"\x01\x00\x00"
    with pytest.raises(LogError, match=r"^the Zstandard data is damaged after 0 bytes .*too much memory"):
        read_log(frame)
    with pytest.raises(LogError, match=f"^the {name} data ends before a byte of the log, expected the rest"):
        read_log(compress(DOCUMENT.encode())[:9])


@packings
def test_many_pieces_come_out_as_they_went_in(name: str, compress: Compress, start: bytes) -> None:
    """Pieces of a mebibyte, none of which ends where a block of the packing does."""
    text = b"".join(b"%d" % (number * 7919 % 100_003) for number in range(600_000))
    assert unpacked(compress(text)) == (text, False)
    assert unpacked(compress(text)[:-1]).cut


@packings
def test_packed_lines_that_were_cut_load_to_the_cut_and_a_document_is_refused(
    name: str, compress: Compress, start: bytes
) -> None:
    children = (f'{{"id":{n},"parent":0,"score":{n * 7919 % 1000}}}' for n in range(1, 20_000))
    packed = compress(lines('{"plyscope":1}', '{"id":0}', *children))
    log = read_log(packed[: len(packed) // 2])
    assert 1000 < log.n_rows < 19_000
    assert any("cut" in notice or "ends" in notice for notice in log.notices)
    # In the first bytes of a member.
    log = read_log(compress(lines('{"plyscope":1}', '{"id":0}', '{"result":{}}')) + start)
    assert (log.n_rows, any("packed file is cut short" in notice for notice in log.notices)) == (1, True)
    with pytest.raises(CutShort):
        read_log(gzip.compress(DOCUMENT.encode() * 50)[:40])


def test_small_members_are_unpacked_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zlib copies what lies behind the end of a member, so it must not be fed much more than that."""
    fed: list[int] = []

    class Counting:
        def __init__(self, **how: int) -> None:
            self._inner = zlib.decompressobj(**how)

        def decompress(self, data: bytes, most: int) -> bytes:
            fed.append(len(data))
            return self._inner.decompress(data, most)

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)

    monkeypatch.setattr(compressed, "zlib", SimpleNamespace(**{**vars(zlib), "decompressobj": Counting}))
    data = b"".join(gzip.compress(b'{"id":%d}\n' % number) for number in range(3000))
    assert unpacked(data).data.count(b"\n") == 3000
    assert sum(fed) < 20 * len(data)


@packings
def test_a_bomb_is_refused_without_filling_the_memory(name: str, compress: Compress, start: bytes) -> None:
    bomb = compress(b" " * 200_000_000)
    tracemalloc.start()
    said = r"^a\.json: the log unpacks to more than 1,000,000 bytes, expected at most that$"
    with pytest.raises(TooLarge, match=said):
        read_log(bomb, name="a.json", max_bytes=1_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


def test_a_log_above_the_limit_is_refused(tmp_path: Path) -> None:
    said = r"the log has 35 bytes, expected at most 10; where it is JSON, .*\.plyb or \.parquet"
    with pytest.raises(TooLarge, match=said):
        read_log(DOCUMENT.encode() + b" ", max_bytes=10)
    (tmp_path / "a.json").write_text(DOCUMENT, encoding="utf-8")
    with pytest.raises(TooLarge, match="the file has 34 bytes, expected at most 10"):
        read_log_file(tmp_path / "a.json", max_bytes=10)
    with pytest.raises(LogError, match="the file cannot be read: No such file or directory"):
        read_log_file(tmp_path / "b.json")
    assert read_log_file(tmp_path / "a.json").n_rows == 1


def test_progress_goes_from_nothing_to_all() -> None:
    many = lines('{"id":0}', *(f'{{"id":{n},"parent":0}}' for n in range(1, 45_000)))
    for data, least in ((DOCUMENT.encode(), 1), (many, 3)):
        parts: list[float] = []
        read_log(data, on_progress=parts.append)
        assert parts == sorted(parts)
        assert (len(parts) >= least, parts[-1]) == (True, 1.0)
