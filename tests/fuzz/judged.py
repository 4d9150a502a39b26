"""The judge of an input: both roads read it alike or refuse it with a sentence, and nothing is lost."""

from __future__ import annotations

import io
import random
import traceback
from collections.abc import Callable
from typing import Any, Final

from plyscope.visualizer.formats.binary.writer import write_binary
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import seeds
from tests.unit.same_logs import assert_same

LONGEST_SENTENCE: Final = 2_000
OF_TEXTS: Final = ("the text ends inside", "expected UTF-8")
"""What errors of texts say, whatever is in these."""


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
    fast = outcome_of(_as_large, data)
    if isinstance(fast, Exception):
        if not isinstance(fast, LogError):
            return f"the fast road fails: {said_of(fast)}"
        if not isinstance(walked, LogError):
            return f"only the fast road refuses: {fast}"
        # Of a document that is cut, or in another encoding, and wrong, either may be said first.
        is_alike = str(fast) == str(walked) or any(said in str(walked) for said in OF_TEXTS)
        return None if is_alike else f"the roads refuse otherwise: {fast}; {walked}"
    if isinstance(walked, Exception):
        return f"only the fast road reads it; the slow one says: {walked}"
    if wrong := _difference(fast, walked) or _other_notices(fast, walked):
        return f"the roads differ: {wrong}"
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


def _as_large(data: bytes) -> Log:
    """The log as `read_log` reads a large one."""
    return read_log(data, compiles=True)


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
