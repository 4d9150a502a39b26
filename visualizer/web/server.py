"""An application on a socket: waitress, tuned for one person and her browser."""

from __future__ import annotations

import logging
import socket
from typing import Final

from flask import Flask
from waitress.server import BaseWSGIServer, create_server

THREADS: Final = 8
SECONDS_A_BODY_MAY_PAUSE: Final = 600


def server_of(app: Flask, listener: socket.socket) -> BaseWSGIServer:
    """A server of `app` on a listening socket; `run` serves until interrupted, `close` frees the socket."""
    # A page of many modules queues a few requests at once; that is no news for the terminal.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = create_server(
        app,
        sockets=[listener],
        threads=THREADS,
        channel_timeout=SECONDS_A_BODY_MAY_PAUSE,
        ident="plyscope",
    )
    assert isinstance(server, BaseWSGIServer)
    return server
