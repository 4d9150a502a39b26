"""Child processes of a viewer or a session: starting one, exchanging messages, ending it.

Parent and child write each other lines of JSON. The child writes `{"progress": …}`, `{"compiling": true}`
before and false after it compiles kernels, and for each task `{"result": …}` or `{"error": "why"}`. A thread
of the child ends it at the end of its input; the end of the parent ends it whatever it is doing.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from plyscope.engine.games.outside import expect, places
from plyscope.engine.parent import CAN_END_WITH_WRITERS, end_with_writers
from plyscope.visualizer.memory_limit import want_of_memory

Message = dict[str, Any]
Tell = Callable[[Mapping[str, Any]], None]

_INPUT: Final = 0
_OUTPUT: Final = 1
_PIECE: Final = 2**16


class ChildError(Exception):
    """There is no result. The message is the child's own sentence, or says how its process ended."""


class ChildEndedError(ChildError):
    """The process ended without a word."""


class ChildProcess:
    """A module of ours that runs in a process of its own; any thread may call any method.

    It knows the games that this process was given at places, and loads the one that it is asked for.
    `options` go to `subprocess.Popen`.
    """

    def __init__(self, module: str, **options: Any) -> None:
        self.is_compiling = False
        """Whether it compiles kernels now, once on a machine."""
        self.is_prepared = False
        """Whether it has answered what `prepare` asked."""
        self._preparing: threading.Thread | None = None
        self._reading, self._writing = threading.RLock(), threading.Lock()
        given, held = os.pipe()
        self._lifeline = os.fdopen(held, "wb")
        """The writing end of a pipe, never written to: it closes with this process, which ends the child."""
        if CAN_END_WITH_WRITERS:
            options["pass_fds"] = (given,)
        try:
            self._process = subprocess.Popen(
                # -P: a file of the folder we run in must not pass for a module.
                [sys.executable, "-P", "-m", module, json.dumps(places()), str(given)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                start_new_session=True,  # Ctrl+C is for the parent, with which the child ends
                **options,
            )
        finally:
            os.close(given)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def send(self, message: Mapping[str, Any]) -> None:
        """Give the child a message; where it has ended, `receive` says so."""
        assert self._process.stdin is not None
        with self._writing, suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def prepare(self, question: Mapping[str, Any]) -> None:
        """Send a question whose answer nobody needs; the results of later ones wait for it."""
        self.send(question)
        self._preparing = threading.Thread(target=self._await_prepared, daemon=True)
        self._preparing.start()

    def _await_prepared(self) -> None:
        with suppress(ChildError):
            self.receive()
            self.is_prepared = True

    def receive(self) -> Message:
        """The next message of the child, but those about compiling; raises ChildEndedError."""
        assert self._process.stdout is not None
        while True:
            with self._reading:
                line = "" if self._process.stdout.closed else self._process.stdout.readline()
            if not line.endswith("\n"):  # else it was killed while it wrote
                raise ChildEndedError(self._how_it_ended())
            message: Message = json.loads(line)
            if "compiling" not in message:
                return message
            self.is_compiling = message["compiling"]

    def result(
        self,
        on_progress: Callable[[Any], None] = lambda part: None,
        on_news: Callable[[Message], None] = lambda message: None,
    ) -> Any:
        """Return the result of the child's work; `on_news` gets its other messages. Raises ChildError."""
        if self._preparing is not None:
            self._preparing.join()
        while "result" not in (message := self.receive()):
            if "error" in message:
                raise ChildError(message["error"])
            if "progress" in message:
                on_progress(message["progress"])
            else:
                on_news(message)
        return message["result"]

    def ask(self, question: Mapping[str, Any]) -> Any:
        """Send one question and return its result; raises ChildError."""
        with self._reading:
            self.send(question)
            return self.result()

    def close_input(self) -> None:
        """Say that nothing more will be sent: most children end at that, others once they have done all."""
        assert self._process.stdin is not None
        with self._writing, suppress(OSError):
            self._process.stdin.close()

    def kill(self) -> None:
        """End the process, and wait for its end; threads that wait for a message get ChildEndedError."""
        self._process.kill()
        self._how_it_ended()

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        self.close_input()
        self._lifeline.close()
        assert self._process.stdout is not None
        with self._reading:  # a reading thread has reached the end by now
            self._process.stdout.close()
        if code < 0:
            return f"its process was killed (signal {-code}), perhaps for want of memory"
        return f"its process broke off (exit code {code}); the terminal may say why"


def serve_parent(work: Callable[[Iterator[Message], Tell], None], *, outlives_parent: bool = False) -> None:
    """Run `work` on the parent's messages, and let it send others; called in the child.

    The child ends with its parent, or, if it `outlives_parent`, after the tasks that it was sent. Other code
    that prints here, such as a foreign agent, prints to standard error, and its standard input is empty.
    """
    from plyscope.engine.compile.code_cache import tell_compiling

    given, told = os.dup(_INPUT), os.dup(_OUTPUT)
    os.dup2(2, _OUTPUT)
    os.dup2(os.open(os.devnull, os.O_RDONLY), _INPUT)
    messages: SimpleQueue[Message | None] = SimpleQueue()
    lock = threading.Lock()

    def tell(message: Mapping[str, Any]) -> None:
        rest = memoryview((json.dumps(message) + "\n").encode())
        with lock, suppress(OSError):  # the parent is gone
            while rest:
                rest = rest[os.write(told, rest) :]

    def listen() -> None:
        for line in _lines(given):
            messages.put(json.loads(line))
        if not outlives_parent:
            os._exit(1)
        messages.put(None)

    paths, lifeline = map(json.loads, sys.argv[1:])
    expect(paths)
    if not outlives_parent:
        end_with_writers(lifeline)
    tell_compiling(lambda is_compiling: tell({"compiling": is_compiling}))
    threading.Thread(target=listen, daemon=True).start()
    work(iter(messages.get, None), tell)


def _lines(descriptor: int) -> Iterator[bytes]:
    """The complete lines that come in; a line that its writer's end cut short is dropped."""
    rest = b""
    while piece := os.read(descriptor, _PIECE):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines


def tell_result(
    work: Callable[[], Any], tell: Tell, *, what: str, refusals: tuple[type[Exception], ...]
) -> None:
    """Do `work` and send its result, or a sentence with the reason of its failure; `what` is its name."""
    try:
        message = {"result": work()}
    except refusals as error:
        message = {"error": str(error)}
    except MemoryError:
        message = {"error": want_of_memory(what)}
    except Exception as error:
        logging.getLogger(__name__).exception("%s broke off", what)
        message = {"error": fault_of_ours(error)}
    tell(message)


def fault_of_ours(error: Exception) -> str:
    """The sentence for an exception that nothing means to raise.

    >>> fault_of_ours(KeyError("x"))
    "Plyscope has a fault here (KeyError: 'x'); please report it"
    """
    told = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"Plyscope has a fault here ({told}); please report it"
