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
SECONDS_A_SHAPE: Final = 30
"""The same of a large shape, making it included."""


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


def main() -> None:
    """Read what is asked for: `shapes SIZE`, or another kind and a seed; then `FIRST LAST`."""
    kind, much, first, last = sys.argv[1:]
    judge = judge_of(kind, much)
    bound_memory()
    go_through(range(int(first), int(last)), judge, SECONDS_A_SHAPE if kind == "shapes" else SECONDS)


if __name__ == "__main__":
    main()
