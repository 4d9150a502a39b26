"""The process that reads inputs: bounded in memory, ended by the system where one input takes too long.

It tells its parent the number of each input before it reads it, so that the parent can name what it died of.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Final

MEMORY: Final = 2 * 2**30
"""Bytes of address space."""
SECONDS: Final = 5
"""Processor time that an input may take; reading without an end is ended by SIGPROF."""


def bound_memory() -> None:
    """Have this process and its threads make do with so much memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def go_through(numbers: Iterable[int], judge: Callable[[int], str | None], seconds: float = SECONDS) -> None:
    """Judge inputs one by one; each is told before it, and after it what is wrong with it."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for number in numbers:
        _tell({"begins": number})
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            wrong = judge(number)
        finally:  # what an exception takes to print is not the input's time
            signal.setitimer(signal.ITIMER_PROF, 0)
        if wrong:
            _tell({"number": number, "wrong": wrong})
    _tell({"done": True})


def _tell(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Read what is asked for: `SEED`, `compact SEED`, `asked SEED` or `shapes SIZE`, then `FIRST LAST`."""
    kind, first, last = sys.argv[1], int(sys.argv[-2]), int(sys.argv[-1])
    if kind == "shapes":
        from tests.fuzz.shapes import SECONDS_A_SHAPE, judge_shape

        size = float(sys.argv[2])
        bound_memory()
        go_through(range(first, last), lambda number: judge_shape(number, size), SECONDS_A_SHAPE)
        return
    if kind == "compact":
        from tests.fuzz.compact import compact_input, judge_compact

        judge_compact(compact_input(0, 0))
        bound_memory()
        numbered = int(sys.argv[2])
        go_through(range(first, last), lambda number: judge_compact(compact_input(numbered, number)))
        return
    if kind == "asked":
        from tests.fuzz.asked import asked_input, judge_asked

        numbered = int(sys.argv[2])
        bound_memory()
        go_through(range(first, last), lambda number: judge_asked(asked_input(numbered, number)[1], number))
        return
    from tests.fuzz.judged import input_of, judge
    from tests.fuzz.seeds import seeds

    seed = int(kind)
    for _, data in seeds():  # of every form: machine code is made, or found, before the clock runs
        judge(data)
    bound_memory()
    go_through(range(first, last), lambda number: judge(input_of(seed, number)[1]))


if __name__ == "__main__":
    main()
