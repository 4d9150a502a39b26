"""An application on a socket: waitress, tuned for one person and her browser.

Waitress looks after its sockets in a loop of one thread. A socket that another thread closes while the loop
waits on it is an error there, so a server is asked to leave its loop first, and all is closed after that.
"""

from __future__ import annotations

import logging
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from plyscope.visualizer.web.sockets.connections import Listener

THREADS: Final = 16
"""Half of them may wait for what others do (`seconds_to_wait`); the rest answer."""
BYTES_TAKEN_AT_ONCE: Final = 2**18
BYTES_OF_A_BODY_IN_MEMORY: Final = 9 * 2**20
"""A larger one is written to a file first; a piece of an upload is smaller."""
SECONDS_A_BODY_MAY_PAUSE: Final = 600
SECONDS_AN_ANSWER_MAY_TAKE_TO_END: Final = 1.0


class Server:
    """`app` on a listening socket: `run` in one thread, `stop` from any other, once."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        # A page of many modules queues a few requests at once; that is no news for the terminal.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._app = app
        self._sockets: dict[int, Any] = {}  # what the loop looks after, by file descriptor
        self._stopping = threading.Lock()
        settings: Any = Adjustments(
            sockets=[listener],
            threads=THREADS,
            channel_timeout=SECONDS_A_BODY_MAY_PAUSE,
            connection_limit=sys.maxsize,  # the listener itself keeps them few
            recv_bytes=BYTES_TAKEN_AT_ONCE,
            inbuf_overflow=BYTES_OF_A_BODY_IN_MEMORY,
            ident="plyscope",
        )
        dispatcher: Any = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(THREADS)
        # The types published for waitress do not know what this needs of it: its trigger, its connections.
        self._server: Any = Listener(
            app,
            self._sockets,
            _sock=listener,
            dispatcher=dispatcher,
            adj=settings,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )
        self._server.token = app.config["TOKEN"]

    def run(self) -> None:
        """Serve until stopped or interrupted (Ctrl+C); then no socket, thread or child process is left."""
        try:
            # `poll`: `select` breaks on the 1,025th descriptor, and the columns of open logs have many.
            wasyncore.loop(self._server.adj.asyncore_loop_timeout, use_poll=True, map=self._sockets)
        except KeyboardInterrupt:
            pass
        finally:
            self._close()

    def stop(self) -> None:
        """End `run`, which is or will be under way in another thread."""
        with self._stopping:  # the loop may end before the trigger is pulled: another pull may have woken it
            self._server.trigger.pull_trigger(self._sockets.clear)  # a loop with nothing to look after ends

    def _close(self) -> None:
        """Close all, in the loop's thread: connections, children, threads, then what threads report to."""
        for connection in list(self._server.active_channels.values()):
            connection.handle_close()
        for name in ("searches", "shares", "engines", "shelf", "exact_searches"):
            if (works := self._app.extensions.get(name)) is not None:
                works.close()
        self._server.task_dispatcher.shutdown(timeout=SECONDS_AN_ANSWER_MAY_TAKE_TO_END)
        with self._stopping:
            self._server.close()


@contextmanager
def serving(app: Flask, listener: socket.socket) -> Iterator[None]:
    """Serve `app` in a thread of its own for the length of a `with` block."""
    server = Server(app, listener)
    thread = threading.Thread(target=server.run, name="plyscope-server", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join()
