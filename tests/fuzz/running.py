"""Inputs read in child processes; behind an input that ends its child another one goes on."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from tests.equality.children import PATIENCE, ROOT, Child

CHILD: Final = ("-m", "tests.fuzz.child")
WORDS: Final = {
    -signal.SIGPROF: "takes too long: its processor time is over",
    -signal.SIGKILL: f"neither reads nor computes for {PATIENCE:.0f} s",
}


class Failure(NamedTuple):
    """An input that was not read as it ought to be."""

    number: int
    wrong: str


def begun(kind: tuple[str, ...]) -> Child:
    """A child that waits for inputs of a kind."""
    child = Child(ROOT, *CHILD, *kind)
    if isinstance(code := child.say(None), int):
        raise RuntimeError(f"the child ended with {code} before its first input: {child.last_words()}")
    return child


def run(
    kind: tuple[str, ...],
    first: int,
    last: int,
    *,
    jobs: int = 1,
    on_failure: Callable[[Failure], None] = lambda failure: None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[Failure]:
    """Read the inputs from `first` to before `last` in `jobs` children; all failures, by number."""
    waiting, failures, one_at_a_time = iter(range(first, last)), list[Failure](), threading.Lock()

    def read_on(job: int) -> None:
        child = begun(kind)
        while True:
            with one_at_a_time:
                number = next(waiting, None)
                if number is None:
                    break
                on_progress(number + 1 - first)
            said = child.say({"number": number})
            wrong = said["wrong"] if isinstance(said, dict) else WORDS.get(said)
            if isinstance(said, int):
                wrong = wrong or f"ends the process with {said}: {child.last_words()[:300]}"
                child.end()
                child = begun(kind)
            if wrong:
                with one_at_a_time:
                    failures.append(Failure(number, wrong))
                    on_failure(failures[-1])
        child.end()

    with ThreadPoolExecutor(jobs) as threads:
        try:
            deque(threads.map(read_on, range(jobs)), maxlen=0)
        finally:  # of an interruption too
            with one_at_a_time:
                deque(waiting, maxlen=0)
    return sorted(failures)
