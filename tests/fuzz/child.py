"""The process that reads inputs: bounded in memory, ended by the system where one input takes too long."""

from __future__ import annotations

import json
import resource
import signal
import sys
from collections.abc import Callable
from typing import Final

MEMORY: Final = 2 * 2**30
"""Bytes of address space."""
SECONDS: Final = 5
"""Processor time that an input may take; reading without an end is ended by SIGPROF."""
SECONDS_A_SHAPE: Final = 30
"""The same of a large shape, making it included."""


def bound_memory() -> None:
    """Have this process and its threads make do with so much memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def judge_all(judge: Callable[[int], str | None], seconds: float = SECONDS) -> None:
    """Say that we are ready, then of each input that is asked what is wrong with it."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    print("{}", flush=True)
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            wrong = judge(json.loads(line)["number"])
        finally:  # what an exception takes to print is not the input's time
            signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps({"wrong": wrong}), flush=True)


def judge_of(kind: str, much: str) -> Callable[[int], str | None]:
    """The judge of inputs of a kind by their numbers; machine code is made, or found, before a clock runs."""
    if kind == "shapes":
        from tests.fuzz.shapes import judge_shape

        return lambda number: judge_shape(number, float(much))
    if kind == "compact":
        from tests.fuzz.compact import compact_input, judge_compact

        judge_compact(compact_input(0, 0))
        return lambda number: judge_compact(compact_input(int(much), number))
    if kind == "asked":
        from tests.fuzz.asked import asked_input, judge_asked

        return lambda number: judge_asked(asked_input(int(much), number)[1], number)
    from tests.fuzz.judged import input_of, judge
    from tests.fuzz.seeds import seeds

    for _, data in seeds():  # of every form
        judge(data)
    return lambda number: judge(input_of(int(much), number)[1])


if __name__ == "__main__":
    kind, much = sys.argv[1:]  # `shapes SIZE`, or another kind and a seed
    judged = judge_of(kind, much)
    bound_memory()
    judge_all(judged, SECONDS_A_SHAPE if kind == "shapes" else SECONDS)
