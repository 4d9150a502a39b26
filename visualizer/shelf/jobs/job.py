"""Work that is done beside the requests: begun once, waited for by many; in a thread or a child process."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

from plyscope.engine.option import OptionError
from plyscope.visualizer.child_process import ChildError, ChildProcess
from plyscope.visualizer.formats.errors import LogError

State = Literal["running", "done", "refused", "failed", "cancelled"]
BROKEN_OFF: Final = "the work broke off; the terminal says why"


class StoppedError(Exception):
    """Raised within ended work when it reports its progress."""


class Job:
    """Work that was begun; its state may be read from any thread."""

    broken_off = BROKEN_OFF

    def __init__(self) -> None:
        self.state: State = "running"
        self.progress: Any = 0.0
        """The part that is done, of 1, or other figures that the job tells."""
        self.reason = ""
        """A sentence, where there is no answer."""
        self.settled = threading.Event()
        self._settling = threading.Lock()

    def begin(self, work: Callable[[], object]) -> threading.Thread:
        """Do the work in a thread, which is returned."""
        thread = threading.Thread(target=self.run, args=(work,), daemon=True)
        thread.start()
        return thread

    def run(self, work: Callable[[], object]) -> None:
        """Do the work now, and say how it ended."""
        try:
            work()
            self.settle("done")
        except (OptionError, LogError) as error:
            self.settle("refused", str(error))
        except ChildError as error:
            self.settle("failed", str(error))
        except StoppedError:
            pass
        finally:  # any other error is our bug, and no thread may wait on
            self.settle("failed", self.broken_off)

    def settle(self, state: State, reason: str = "") -> None:
        """Set its final state, unless it has ended already; waiting threads go on."""
        with self._settling:
            if self.state == "running":
                self.state, self.reason = state, reason
        self.settled.set()

    def end(self) -> None:
        """Stop working; waiting threads go on."""
        self.settle("cancelled")

    def has_come(self, progress: Any) -> None:
        """Note the progress."""
        self.progress = progress

    def as_json(self) -> dict[str, Any]:
        """The progress of the work as JSON, without its answer."""
        progress = 1.0 if self.state == "done" else round(self.progress, 3)
        answer: dict[str, Any] = {"state": self.state, "progress": progress}
        return answer | ({"reason": self.reason} if self.reason else {})


class ChildJob(Job):
    """Work of a child process in a folder of its own; both end when it is ended, and when we end."""

    def __init__(self, module: str, task: Mapping[str, Any], name: str) -> None:
        """Send the `task` to a `module`, with its `folder`; `name` is part of the folder's."""
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix=f"plyscope-{name}-")
        self.folder = Path(self._folder.name)
        self._child = ChildProcess(module)
        self._child.send({**task, "folder": self._folder.name})

    def end(self) -> None:
        """Stop working, and delete its files; waiting threads go on."""
        super().end()
        self._child.kill()
        with suppress(OSError):
            self._folder.cleanup()
