"""Every verb asked of a mutated log, in the terminal and as JSON: each gives an answer or one sentence.

Many inputs have numbers at the edge of what a double holds, which readers take and sums do not.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from plyscope.visualizer.formats.detect import read_log
from tests.equality.commands import run_here
from tests.fuzz.judged import LONGEST_SENTENCE, input_of
from tests.fuzz.seeds import seeds

EDGES: Final = (
    *(b"1.7976931348623157e308", b"-1.7976931348623157e308", b"1e308", b"-1e308", b"5e-324", b"-5e-324"),
    *(b'"inf"', b'"-inf"', b'"nan"', b"-0.0", b"9007199254740993", b"18446744073709551615", b"-1", b"1e400"),
)
NUMBER: Final = re.compile(rb"(?<=[:\[,])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[,}\]])")
NAME: Final = re.compile(rb'"(\w+)":\s*-?\d')
ASKED: Final = (
    "check {log} --all",
    "check {log} --json",
    "explain {log}",
    "explain {log} --json",
    "stats {log}",
    "stats {log} --json",
    "stats {log} {other}",
    "query {log} score>-1e308 --sort score+static+alpha --columns score,static,visits,tt.score,path",
    "query {log} abs(score*1e308)>0 --json",
    "what-if {log}",
    "what-if {log} --weights {weights}",
    "diff {log} {other}",
    "diff {other} {log} --json",
    "replay {log}",
    "replay {log} --json",
    "picture {log} --windows --factors",
    "convert {log} {out}.json",
    "convert {log} {out}.parquet",
)
MOST_ASKED: Final = 6
ENDS: Final = (0, 1, 2)
"""The exit codes of the commands: well, well with something found, refused."""


def at_the_edge(data: bytes, draw: Random) -> bytes:
    """`data` with some of its numbers, or those of one name, replaced by some at the edge of a double."""
    places = [match.span() for match in NUMBER.finditer(data)]
    names = NAME.findall(data)
    if names and draw.random() < 0.5:
        name = re.escape(draw.choice(names))
        places = [match.span(1) for match in re.finditer(rb'"%s":\s*(-?[\d.eE+-]+)' % name, data)]
        n_most = len(places)
    else:
        n_most = min(len(places), draw.choice((1, 1, 2, 3, 8)))
    for begin, end in sorted(draw.sample(places, n_most))[::-1]:
        data = data[:begin] + draw.choice(EDGES) + data[end:]
    return data


def asked_input(seed: int, number: int) -> tuple[str, bytes]:
    """The input `number` of a run with `seed`, and the name of what it was made from."""
    draw = Random(f"asked:{seed}:{number}")
    if draw.random() < 0.3:
        return input_of(seed, number)
    name, data = draw.choice(_read_seeds())
    return name, at_the_edge(data, draw)


@cache
def _read_seeds() -> tuple[tuple[str, bytes], ...]:
    """The seeds that are logs as they stand."""
    found = []
    for name, data in seeds():
        with contextlib.suppress(ValueError):
            read_log(data)
            found.append((name, data))
    return tuple(found)


def judge_asked(data: bytes, number: int) -> str | None:
    """Ask some of the questions, those of `number`, and return what is wrong with one answer, or None."""
    questions = Random(number).sample(ASKED, MOST_ASKED)
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        log, other = folder / "log.json", folder / "other.json"
        log.write_bytes(data)
        other.write_bytes(_read_seeds()[len(data) % len(_read_seeds())][1])
        names = _factors(data)
        weights = ",".join(f"{name}=1e100" for name in names[:2]) or "none=1"
        for question in questions:
            said = question.split()
            filled = [part.format(log=log, other=other, out=folder / "out", weights=weights) for part in said]
            if wrong := _fault(filled):
                return f"{' '.join(said[:1] + said[2:])}: {wrong}"
    return None


def _factors(data: bytes) -> list[str]:
    try:
        return [name for name in (each.name for each in read_log(data).factors) if re.fullmatch(r"\w+", name)]
    except ValueError:
        return []


def _fault(arguments: list[str]) -> str | None:
    code, said, complaint = run_here(arguments)
    if code not in ENDS:
        return f"ends with {code}: {complaint[:200].decode()}"
    lines = complaint.decode().splitlines()
    if any(not line.startswith("plyscope: ") or len(line) > LONGEST_SENTENCE for line in lines):
        return f"says what is no sentence: {complaint[:300]!r}"
    if code == 2 and not lines:
        return "refused without a sentence"
    return None if said or code == 2 or arguments[0] == "convert" else "says nothing"
