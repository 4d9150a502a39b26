"""Opening a log of any format, which is detected by its content, not by its name."""

from __future__ import annotations

import codecs
import gc
import mmap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson

from plyscope.engine.jit import NotCompiledError, at_hand, compiled
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.binary.chunks import is_binary_log
from plyscope.visualizer.formats.compressed import LENGTH_OF_MAGIC, SMALLER, unpacked
from plyscope.visualizer.formats.encoding import as_utf8, decoded
from plyscope.visualizer.formats.errors import CutShort, LogError, TooLarge
from plyscope.visualizer.formats.json_text import json_bytes, parser_of, strict_value
from plyscope.visualizer.formats.literal.cut_document import read_cut_document
from plyscope.visualizer.formats.literal.duplicate_keys import (
    TREES,
    may_have_duplicate_keys,
    notices_of_duplicates,
)
from plyscope.visualizer.formats.literal.print_outs import printed_rows
from plyscope.visualizer.formats.literal.reader import Literal, read_literal
from plyscope.visualizer.formats.marks import LONGEST_START, is_games_file, is_history
from plyscope.visualizer.formats.other_formats import refuse_lines, refuse_other
from plyscope.visualizer.formats.parquet.schema import MAGIC as PARQUET
from plyscope.visualizer.formats.read.first_line import LONGEST_FIRST_LINE, is_json_lines, is_table_of_others
from plyscope.visualizer.formats.read.forms import lines_form, own_form
from plyscope.visualizer.formats.read.lines import read_lines, whole_lines
from plyscope.visualizer.formats.read.own import PACKED_CUT, read_own, read_own_document
from plyscope.visualizer.formats.read.top import Top, TopOfTree
from plyscope.visualizer.formats.uci_session import is_session, read_session
from plyscope.visualizer.store.log import Log

Progress = Callable[[float], None]

UNPACKED_PART: Final = 0.05
"""The share of the whole time that unpacking takes."""
LARGE_BYTES: Final = 32 * 2**20
"""From this size on, regular logs are read by machine code, which is compiled if need be: for six seconds, in
which a library and plain Python read 90 MB."""
LARGE_MEMBERS: Final = 2**20
"""So are documents with this many members, which may be smaller: maps in maps have 7 bytes a node."""
SOME_BYTES: Final = 2**20
"""From this size on, logs are read by machine code, if it was compiled before."""
missed: Final[set[str]] = set()
"""Kernels that were not at hand for the log read last, which a library read in their place."""
START_OF_LINES: Final = 2 * LONGEST_FIRST_LINE
START: Final = 65_536
"""A large native document has its key `plyscope` within this many bytes."""


def read_log(
    data: bytes,
    *,
    name: str = "",
    mapping: Mapping[str, str] | None = None,
    max_bytes: int | None = None,
    on_progress: Progress | None = None,
    compiles: bool = False,
) -> Log:
    """Read a log of any form, packed or not. Raises LogError; TooLarge beyond `max_bytes` unpacked.

    `mapping` has the fields of a foreign tree by role (`{"score": "value"}`), `name` is the log's name in
    errors, and `on_progress` gets the part that is done, from 0 to 1. Where it `compiles`, machine code is
    compiled for a log of any size.

    >>> read_log(b'{"plyscope": 1, "root": {"score": 2}}').columns["score"].tolist()
    [2.0]
    """
    furthest = 0.0
    missed.clear()

    def report(part: float) -> None:
        nonlocal furthest
        furthest = max(furthest, part)
        if on_progress is not None:
            on_progress(furthest)

    try:
        plain, cut = unpacked(data, max_bytes, lambda part: report(UNPACKED_PART * part))
    except TooLarge as error:
        error.message = f"{name}: {error.message}" if name else error.message
        raise
    del data
    read_table = partial(read_log, name=name, mapping=mapping, max_bytes=max_bytes, on_progress=report)
    if is_binary_log(plain):
        from plyscope.visualizer.formats.binary.reader import read_binary

        log = read_binary(plain, cut=cut, on_progress=report)
        report(1.0)
        return log
    if plain.startswith(PARQUET):
        from plyscope.visualizer.formats.parquet.read_parquet import read_parquet

        return read_parquet(plain, max_bytes=max_bytes, on_progress=report, read_table=read_table)
    plain = _text(plain)
    if is_games_file(plain[:LONGEST_START]):
        raise LogError(
            "these are the games of a match, not a tree; `plyscope view FILE` shows the results of a file"
        )
    if is_history(plain[:LONGEST_START]):
        raise LogError(
            "these are the trials of a tuning, not a tree; `plyscope view FILE` shows those of a file"
        )
    if is_session(plain):
        log = read_session(decoded(plain), mapping)
        report(1.0)
        return log
    report(UNPACKED_PART)
    with _collector_paused():
        lines = is_json_lines(plain)
        others = lines and not cut and is_table_of_others(plain[:START])
        is_large = compiles or _is_large(plain, lines)
        table = _table_of_others(plain, mapping, report, is_large=is_large) if others else None
        if table is not None:
            report(1.0)
            return table

        def report_read(part: float) -> None:
            report(UNPACKED_PART + part * (1 - UNPACKED_PART))

        large = None
        if is_large or len(plain) >= SOME_BYTES:
            large = _by_the_tape(plain, lines, mapping, report_read, cut=cut, is_large=is_large)
        if large is None and lines:
            large = read_lines(plain, cut=cut, on_progress=report)
        if large is not None:
            report(1.0)
            return large
        failed: LogError | None = None
        try:
            document, notices, literal = _document(plain)
        except CutShort as error:
            log = _log_to_the_cut(plain, error, mapping)
            report(1.0)
            return log
        except LogError as error:
            document, notices, literal, failed = None, (), None, error
        if not isinstance(document, dict | list):
            refuse_other(plain)
            if (printed := _printed(plain, mapping, report, is_large=is_large)) is not None:
                return printed
            refuse_lines(plain)
            if failed is not None:
                raise failed
        is_foreign = isinstance(document, dict) and "plyscope" not in document
        if literal is not None and is_foreign and (of_lines := _objects_of_lines(plain)) is not None:
            (document, notices), literal = of_lines, None
        report(0.5)
        if cut:
            notices = (*notices, PACKED_CUT)
        log = _log_of(document, notices, literal, mapping)
    report(1.0)
    return log


def read_mapped(
    data: mmap.mmap,
    *,
    mapping: Mapping[str, str] | None = None,
    on_progress: Progress = lambda part: None,
    arrived: Arrived = all_there,
    on_top: Callable[[Top], None] | None = None,
    least: int,
    scratch: Path | None = None,
) -> Log | None:
    """The log in a large plain JSON file that is mapped into memory; None where it must be read as bytes.

    The file is never in memory as a whole; truncating it meanwhile kills this process. A file that still
    arrives is read as it comes; bytes that are not there yet must read as zeros. `on_top` gets the top of the
    tree so far, for a log of our format. Files of fewer than `least` bytes give None. Large texts may be
    written into the folder `scratch`; they are gone with the log.
    """
    arrived(START_OF_LINES)
    if len(data) < least or data[:1] not in (b"{", b"[") or b"\0" in data[:LENGTH_OF_MAGIC]:
        return None
    with _collector_paused():
        lines = is_json_lines(data[:START_OF_LINES])
        if lines and is_table_of_others(data[:START]):
            return None
        is_large = len(data) >= LARGE_BYTES
        return _by_the_tape(data, lines, mapping, on_progress, arrived, on_top, scratch, is_large=is_large)


def read_log_file(
    path: str | Path,
    *,
    mapping: Mapping[str, str] | None = None,
    max_bytes: int | None = None,
    on_progress: Progress | None = None,
    compiles: bool = False,
) -> Log:
    """Read the log in a file as `read_log` does; raises LogError also for one that cannot be opened."""
    path = Path(path)
    try:
        if max_bytes is not None and path.stat().st_size > max_bytes:
            n_bytes = path.stat().st_size
            raise TooLarge(f"the file has {n_bytes:,} bytes, expected at most {max_bytes:,}; {SMALLER}")
        with path.open("rb") as file:
            start = file.read(len(PARQUET))
            data = b"" if start == PARQUET else start + file.read()
    except OSError as error:
        raise LogError(f"the file cannot be read: {error.strerror or error}") from None
    if start == PARQUET:
        from plyscope.visualizer.formats.parquet.read_parquet import read_parquet_file

        read_table = partial(
            read_log, name=path.name, mapping=mapping, max_bytes=max_bytes, on_progress=on_progress
        )
        return read_parquet_file(path, max_bytes=max_bytes, on_progress=on_progress, read_table=read_table)
    return read_log(
        data, name=path.name, mapping=mapping, max_bytes=max_bytes, on_progress=on_progress, compiles=compiles
    )


def _text(data: bytes) -> bytes:
    """`data` as UTF-8. Raises LogError for other encodings, and for binary formats taken for one."""
    try:
        return as_utf8(data)
    except LogError:
        has_mark = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        may_be_utf_16 = (data[0] == 0) != (data[1] == 0) and (data[2] == 0) != (data[3] == 0)
        if not has_mark and not may_be_utf_16 and data.lstrip(b"\0")[:1] not in (b"{", b"["):
            refuse_other(data)
        raise


def _is_ours(data: bytes | mmap.mmap) -> bool:
    return data.find(b'"plyscope"', 0, START) >= 0


def _by_the_tape(
    data: bytes | mmap.mmap,
    lines: bool,
    mapping: Mapping[str, str] | None,
    on_progress: Progress,
    arrived: Arrived = all_there,
    on_top: Callable[[Top], None] | None = None,
    scratch: Path | None = None,
    *,
    cut: bool = False,
    is_large: bool,
) -> Log | None:
    """The log in `data`, read by machine code, if it is regular; else a library has to read it.

    So it does where the machine code is not at hand and the log is not so large that compiling pays.
    """
    run = compiled if is_large else at_hand
    try:
        if lines or _is_ours(data):
            form, read = (lines_form(), read_lines) if lines else (own_form(), read_own)
            top = None if on_top is None else TopOfTree(on_top, form.fields)
            takes: Any = None if top is None else top.take_records if lines else top.take
            return read(
                data,
                cut=cut,
                on_progress=on_progress,
                run=run,
                arrived=arrived,
                on_top=takes,
                scratch=scratch,
            )
        if cut:
            return None
        from plyscope.visualizer.formats.foreign.documents import TapeDocument
        from plyscope.visualizer.formats.foreign.reader import read_bytes

        in_lines = data[:1] == b"{" and is_table_of_others(bytes(data[:START]))
        document = TapeDocument(
            data, arrived=arrived, on_progress=on_progress, run=run, in_lines=in_lines, folder=scratch
        )
        return read_bytes(document, mapping=mapping)
    except NotCompiledError as error:
        missed.add(str(error))
        return None


def _is_large(data: bytes, lines: bool) -> bool:
    """Whether kernels read this: by its size, or, for one document, by the number of its members."""
    return len(data) >= LARGE_BYTES or (not lines and data.count(b":") >= LARGE_MEMBERS)


def _table_of_others(
    data: bytes, mapping: Mapping[str, str] | None, report: Progress, *, is_large: bool
) -> Log | None:
    """The log of rows with foreign field names; None where they form no tree."""
    from plyscope.visualizer.formats.foreign.reader import read_foreign

    try:
        large = _by_the_tape(data, False, mapping, report, is_large=True) if is_large else None
        if large is not None:
            return large
        of_lines = _objects_of_lines(data)
        return None if of_lines is None else read_foreign(of_lines[0], mapping=mapping, notices=of_lines[1])
    except LogError:
        if mapping:
            raise
        return None


def _printed(
    data: bytes, mapping: Mapping[str, str] | None, report: Progress, *, is_large: bool
) -> Log | None:
    """The log of a print-out; None where it has no tree."""
    printed = printed_rows(decoded(data))
    if printed is None:
        return None
    from plyscope.visualizer.formats.foreign.documents import TapeDocument
    from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign

    rows, said = printed
    log = None
    if is_large:
        document = TapeDocument(json_bytes(rows), on_progress=report)
        log = read_bytes(document, mapping=mapping, notices=[said])
    log = log or read_foreign(rows, mapping=mapping, notices=[said])
    report(1.0)
    return log


def _log_to_the_cut(data: bytes, error: CutShort, mapping: Mapping[str, str] | None) -> Log:
    """The log of a document that was cut short. Raises `error` where the rest is no log."""
    cut = read_cut_document(data.decode(errors="ignore"), error)
    try:
        notices = (cut.notice, *cut.literal.notices)
        return _log_of(cut.literal.value, notices, cut.literal, mapping, n_open=cut.n_open)
    except LogError as found:
        if found.path == "$":
            raise error from None
        raise


def _log_of(
    document: Any,
    notices: tuple[str, ...],
    literal: Literal | None,
    mapping: Mapping[str, str] | None,
    *,
    n_open: int = 0,
) -> Log:
    """The log of a parsed document, of which a cut left `n_open` containers open.

    `literal` has the keys that come twice in an object, if any may. Raises LogError.
    """
    if isinstance(document, dict) and "plyscope" in document:
        twice = notices_of_duplicates(literal, TREES) if literal is not None else {}
        return read_own_document(document, notices=(*notices, *twice.values()), n_open=n_open)
    from plyscope.visualizer.formats.foreign.reader import read_foreign

    log = read_foreign(document, mapping=mapping, notices=notices, n_open=n_open)
    if literal is not None:
        twice = notices_of_duplicates(literal, (log.mapping.get("children", "children"),))
        log = replace(log, notices=(*log.notices, *twice.values()))
    return log


def _document(data: bytes) -> tuple[Any, tuple[str, ...], Literal | None]:
    """The value of `data`, notices, and the result of the literal reader if that was needed.

    Strict JSON is parsed by orjson; all else, and any document that may have a key twice, by the literal
    reader.
    """
    try:
        value = strict_value(data)
    except orjson.JSONDecodeError:
        pass
    else:
        if not isinstance(value, str):
            return value, (), read_literal(decoded(data)) if may_have_duplicate_keys(data) else None
    literal = read_literal(decoded(data))
    return literal.value, literal.notices, literal


def _objects_of_lines(data: bytes) -> tuple[list[Any], tuple[str, ...]] | None:
    """The objects of lines, one on each and two at least, and a notice where the last line is cut short.

    None where a line holds anything else.
    """
    objects, loads = [], parser_of(data)
    end, said = whole_lines(data)
    for line in data[:end].splitlines():
        if not line.strip():
            continue
        try:
            objects.append(loads(line))
        except orjson.JSONDecodeError:
            return None
        if not isinstance(objects[-1], dict):
            return None
    return (objects, tuple(said)) if len(objects) > 1 else None


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, which would walk all new nodes again and again for nothing."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
