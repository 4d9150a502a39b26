"""Workers that play the games of a match: this process, processes of this machine, or a cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plyscope.engine.games import load_game
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.game_logs import WantedLogs, log_again, play_logged
from plyscope.engine.match.games import Played, Task, play
from plyscope.engine.match.match import Match
from plyscope.engine.parent import end_with_writers

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BREAKS: Final = 3
"""How often in a row the processes may die before a game has ended."""
TASKS_AHEAD: Final = 2
"""Games that wait for each process."""
CONNECTING: Final = 10
"""Seconds within which a scheduler has to answer."""

Games = Generator[Played, None, None]
Work = Task | Played
"""A game to be played, or one that was played and whose logs are to be made."""


class Course(NamedTuple):
    """The match and the logs wanted of it: all that a worker has to know."""

    match: Match
    logs: WantedLogs | None

    def arbiter(self) -> Arbiter:
        """The arbiter, which knows the rules."""
        return Arbiter(load_game(self.match.game), self.match.position)

    def do(self, arbiter: Arbiter, task: Work) -> Played:
        """Play a game, or make the logs of one that was played."""
        match = self.match
        if self.logs is None:
            assert isinstance(task, Task)
            return play(arbiter, match.agents, task, match.terms)
        if isinstance(task, Played):
            return log_again(arbiter, match.agents, task, match.terms, self.logs)
        return play_logged(arbiter, match.agents, task, match.terms, self.logs)


def here(course: Course, tasks: Sequence[Work]) -> Games:
    """Play one after another."""
    arbiter = course.arbiter()
    for task in tasks:
        yield course.do(arbiter, task)


def on_processes(course: Course, tasks: Sequence[Work], n_workers: int) -> Games:
    """Play on processes; where one dies, those games are played again that were not over."""
    left = list(tasks)
    n_breaks = 0
    while left:
        # Not forked: a process that has threads, or machine code that runs, must not be.
        pool = ProcessPoolExecutor(
            n_workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(course,)
        )
        try:
            with closing(_played_by(pool, _play, left, lambda: n_workers)) as games:
                for task, played in games:
                    left.remove(task)
                    n_breaks = 0
                    yield played
        except BrokenProcessPool:
            n_breaks += 1
            if n_breaks > MOST_BREAKS:
                raise MatchError(
                    f"a process that plays died {n_breaks} times in a row, perhaps for want of memory"
                ) from None


def on_cluster(course: Course, tasks: Sequence[Work], scheduler: str) -> Games:
    """Play on the workers of Dask's scheduler at an address, which gives games of one that dies to others.

    Raises MatchError where Dask is not installed, the scheduler does not answer or has no workers, or a game
    killed several workers.
    """
    with _cluster(scheduler) as client:
        from distributed import KilledWorker

        executor = client.get_executor(pure=False)

        def n_workers() -> int:
            return max(1, len(client.ncores()))

        try:
            with closing(_played_by(executor, partial(_play_of, course), tasks, n_workers)) as games:
                for _, played in games:
                    yield played
        except KilledWorker as error:
            raise MatchError(f"{scheduler}: workers died of one game, again and again: {error}") from None
        except CancelledError:
            raise MatchError(
                f"{scheduler}: the scheduler went away; the same command goes on behind games in a file"
            ) from None


@contextmanager
def _cluster(scheduler: str) -> Iterator[Any]:
    """A client of the scheduler, once it has workers."""
    try:
        from distributed import Client
    except ImportError:
        raise MatchError(
            "a scheduler is Dask's: install plyscope with its extra `cluster`, "
            "as in pip install 'plyscope[cluster]', here and on every machine that plays"
        ) from None
    try:
        client: Any = Client(scheduler, timeout=CONNECTING, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise MatchError(
            f"{scheduler}: no Dask scheduler answers there within {CONNECTING} s: {error}"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError:
            raise MatchError(
                f"{scheduler} has no workers: `dask worker {scheduler} --nthreads 1` starts one"
            ) from None
        yield client


def _played_by(
    pool: AbstractContextManager[Executor],
    do: Callable[[Work], Played],
    tasks: Sequence[Work],
    n_workers: Callable[[], int],
) -> Generator[tuple[Work, Played], None, None]:
    """Give tasks to the pool, never many more than it has workers, and yield results as they come."""
    with pool as executor:
        waiting: dict[Future[Played], Work] = {}
        ahead = iter(list(tasks))
        try:
            while True:
                for task in ahead:
                    waiting[executor.submit(do, task)] = task
                    if len(waiting) >= TASKS_AHEAD * n_workers():
                        break
                if not waiting:
                    return
                over, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in over:
                    yield waiting.pop(future), future.result()
        except GeneratorExit:
            for future in waiting:
                future.cancel()
            executor.shutdown(wait=False)
            raise


_seat: tuple[Course, Arbiter] | None = None
"""The course and the arbiter of a playing process."""


def _begin(course: Course) -> None:
    global _seat
    end_with_parent()
    _seat = course, course.arbiter()


def end_with_parent() -> None:
    """Have this process, a worker, end when the one that began it has ended, however that died."""
    parent = parent_process()
    if parent is None or end_with_writers(parent.sentinel):
        return

    def await_end() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=await_end, daemon=True).start()


def _play(task: Work) -> Played:
    assert _seat is not None
    course, arbiter = _seat
    return course.do(arbiter, task)


_seats = threading.local()
"""The same by thread, for a cluster's worker, which may play other matches later."""


def _play_of(course: Course, task: Work) -> Played:
    if getattr(_seats, "course", None) != course:
        end_with_parent()
        _seats.arbiter = course.arbiter()
        _seats.course = course
    return course.do(_seats.arbiter, task)


def workers_of_machine() -> int:
    """As many processes as this one may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
