"""Tasks of the tests' child processes: a module of its own, since a child runs a module by its name."""

from __future__ import annotations

import inspect
import os
import signal
import sys
from collections.abc import Iterator

from plyscope.visualizer.child_process import Message, Tell, serve_parent, tell_result


def serve(tasks: Iterator[Message], tell: Tell) -> None:
    """Do what each task names."""
    for task in tasks:
        match task["do"]:
            case "double":
                tell_result(lambda task=task: 2 * task["n"], tell, what="doubling", refusals=())
            case "count":
                for n in range(task["n"]):
                    tell({"progress": n})
                tell({"compiling": True})
                tell({"result": task["n"]})
            case "prepare":
                for _ in range(task["n"]):
                    tell({"compiling": True})
                tell({"prepared": True})
            case "refuse":
                tell({"error": "not this one"})
            case "half a word":
                told = inspect.getclosurevars(tell).nonlocals["told"]  # the pipe to the parent
                os.write(told, b'{"result": 1')
                os.kill(os.getpid(), signal.SIGKILL)
            case "exit":
                sys.exit(3)
            case "hang":
                tell({"progress": os.getpid()})
                while True:
                    signal.pause()


if __name__ == "__main__":
    serve_parent(serve)
