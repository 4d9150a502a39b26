"""The judge of an input: both roads read it alike or refuse it with a sentence, and nothing is lost."""

from __future__ import annotations

import io
import random
import traceback
from collections.abc import Callable
from typing import Any, Final

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.binary.writer import write_binary
from plyscope.visualizer.formats.compressed import unpacked
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.encoding import as_utf8
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.formats.read.first_line import is_json_lines, is_table_of_others
from plyscope.visualizer.formats.read.ours import read_ours
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import seeds
from tests.unit.same_logs import assert_same

LONGEST_SENTENCE: Final = 2_000


def input_of(seed: int, number: int) -> tuple[str, bytes]:
    """The input `number` of a run with `seed`, and the name of what it was made from."""
    draw = random.Random(f"{seed}:{number}")
    name, data = draw.choice(seeds())
    return name, mutated(data, draw)


def judge(data: bytes) -> str | None:
    """A fault in how `data` is read, in words; None where there is none."""
    walked = outcome_of(read_log, data)
    if isinstance(walked, Exception) and (wrong := wrong_refusal(walked)):
        return wrong
    fast = outcome_of(_by_columns, data)
    if isinstance(fast, Exception):
        if not isinstance(fast, LogError):
            return f"the fast road fails: {said_of(fast)}"
        if not isinstance(walked, LogError):
            return f"only the fast road refuses: {fast}"
        # Of a document that is cut and wrong, either may be said first.
        is_alike = str(fast) == str(walked) or "the text ends inside" in str(walked)
        return None if is_alike else f"the roads refuse otherwise: {fast}; {walked}"
    if fast is not None:
        if isinstance(walked, Exception):
            return f"only the fast road reads it; the slow one says: {walked}"
        if wrong := _difference(fast, walked) or _other_notices(fast, walked):
            return f"the roads differ: {wrong}"
    if isinstance(walked, Log):
        for write in (write_json, write_jsonl, write_binary):
            if wrong := lost(walked, write):
                return wrong
    return None


def outcome_of(read: Callable[[bytes], Any], data: bytes) -> Any:
    """The result of `read`, or the exception that it raises."""
    try:
        return read(data)
    except Exception as error:  # whatever it is, it is the finding
        return error


def _by_columns(data: bytes) -> Log | None:
    """The log by the fast road, as `read_log` takes it for a large log; None where it does not."""
    plain, cut = unpacked(data)
    try:
        plain = as_utf8(plain)
    except LogError:
        return None
    lines = is_json_lines(plain)
    if not cut and lines and is_table_of_others(plain[: detect.START]):
        return read_bytes(TapeDocument(plain, in_lines=True))
    if lines or plain.find(b'"plyscope"', 0, detect.START) >= 0:
        return read_ours(plain, lines=lines, cut=cut)
    if cut:
        return None
    document = TapeDocument(plain)
    log = read_bytes(document)
    # Of a document of others that is cut the literal reader keeps what is open at the cut, where it says
    # anything; kernels, which read large ones, leave it out. They are not compared.
    return None if log is not None and any("is cut short" in notice for notice in log.notices) else log


def wrong_refusal(error: Exception) -> str | None:
    """A fault in the error that refuses an input, in words; None where it is a LogError of one sentence."""
    if not isinstance(error, LogError):
        return f"the slow road fails: {said_of(error)}"
    said = str(error)
    if not said or "\n" in said or len(said) > LONGEST_SENTENCE:
        return f"refused, but not with a sentence: {said[:300]!r}"
    return None


def _difference(one: Log, other: Log) -> str | None:
    try:
        assert_same(one, other)
    except AssertionError as error:
        return " ".join(str(error).split())[:300]
    return None


def _other_notices(one: Log, other: Log) -> str | None:
    return None if one.notices == other.notices else f"notices {one.notices} and {other.notices}"


def lost(log: Log, write: Callable[[Log, Any], None]) -> str | None:
    """A loss in a log that is written and read again, in words; None where there is none."""
    out = io.BytesIO()
    try:
        write(log, out)
        again = read_log(out.getvalue())
    except Exception as error:
        return f"{write.__name__}, then read_log: {said_of(error)}"
    wrong = _difference(again, log)
    return f"{write.__name__} loses something: {wrong}" if wrong else None


def said_of(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" at {where[0].filename.rsplit('/', 1)[-1]}:{where[0].lineno}" if where else ""
    return f"{type(error).__name__}: {str(error)[:200]}{place}"
