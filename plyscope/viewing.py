"""`plyscope.view`: the page on logs, served by threads of this process."""

from __future__ import annotations

import atexit
import os
import socket
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from plyscope.engine.option import OptionError
from plyscope.engine.quoting import counted
from plyscope.files import is_text, mapping_of
from plyscope.log import Log, file_of
from plyscope.visualizer.analysis.nodes.notebook import Block, Displayed, Frame
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.guard import Token
from plyscope.visualizer.web.sockets.server import Server

if TYPE_CHECKING:
    from plyscope.files import Source
    from plyscope.visualizer.shelf.play.play import Play

LOOPBACK: Final = "127.0.0.1"
SECONDS_BETWEEN_LOOKS: Final = 0.5
"""Windows hears Ctrl+C only between two looks."""


class Viewer(Displayed):
    """A page on logs that is served until it is closed, or until Python ends.

    `with plyscope.view(log) as viewer: …` closes it at the end of the block.
    """

    def __init__(
        self,
        logs: Sequence[Path],
        listener: socket.socket,
        *,
        host: str = LOOPBACK,
        shown_host: str = LOOPBACK,
        token: Token | None = None,
        mapping: dict[str, str] | None = None,
        folder: tempfile.TemporaryDirectory[str] | None = None,
        follow: bool = False,
        engines: socket.socket | None = None,
        shows_examples: bool = True,
    ) -> None:
        """`folder` has logs that are shown and goes when the viewer is closed; raises OSError.

        With `follow` logs are shown while they are written; `engines` listens for engines on a socket.
        Without logs the examples are listed, if it `shows_examples`.
        """
        self._folder = folder
        config = {"LOGS": logs, "HOST": host, "MAPPING": mapping, "TOKEN": token}
        app = create_app({**config, "FOLLOW": follow, "ENGINES": engines, "SHOWS_EXAMPLES": shows_examples})
        self._config = app.config
        self.shelf: Shelf = app.extensions["shelf"]
        self._plays: dict[str, Play] = app.extensions["plays"]
        self.n_listed = sum(entry.source != "pasted" for entry in self.shelf.entries())
        self.shown = describe(logs, self.n_listed)
        self._server = Server(app, listener)
        self._address = address_of(shown_host, listener.getsockname()[1], token)
        self._thread = threading.Thread(target=self._serve, name="plyscope-viewer", daemon=True)
        self._has_ended = threading.Event()
        self._follows = follow or engines is not None
        self._lock = threading.Lock()
        self._is_closed = False

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()
        if self._follows:
            from plyscope.visualizer.shelf.follow import warm_up

            warm_up.begin()
        atexit.register(self.close)

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return self._address

    def play(self, play: Play) -> str:
        """Begin a game, and show it at `play/` and the name that is returned, until the viewer is closed."""
        entry = self.shelf.add_file(play.game.path)
        self._plays[entry.id] = play
        play.begin()
        return entry.id

    def close(self) -> None:
        """Stop serving; port, threads and child processes are free afterwards. Again it does nothing."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            if self._thread.is_alive():
                self._server.stop()
                self._thread.join()
            for play in self._plays.values():
                play.end()
            if self._folder is not None:
                self._folder.cleanup()
            atexit.unregister(self.close)

    def wait(self) -> None:
        """Serve until Ctrl+C, then close: for a script that has nothing else to do."""
        with suppress(KeyboardInterrupt):
            # Python 3.11 takes a thread for ended once Ctrl+C interrupts its `join`; an event stays as it is.
            while not self._has_ended.wait(SECONDS_BETWEEN_LOOKS):
                pass
        self.close()

    def _serve(self) -> None:
        try:
            self._server.run()
        finally:
            self._has_ended.set()

    def _blocks(self) -> Iterable[Block]:
        """A frame, which notebooks that this machine serves may show from now on."""
        if self._is_closed:
            return [repr(self)]
        self._config["FRAMED"] = True
        return [Frame(self._address)]

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<closed Viewer of {self.shown}>"
        return f"<Viewer of {self.shown} at {self._address}>"


def view(
    logs: Log | str | os.PathLike[str] | Iterable[Log | str | os.PathLike[str]] = (),
    *,
    port: int = 0,
    browser: bool = False,
    map: Mapping[str, str] | str | None = None,
    follow: bool = False,
) -> Viewer:
    """Show logs on a page that only this machine reaches, and return at once.

    `logs` is an open log, the path of a file or folder, or several of these; without any the bundled examples
    are shown. `port` 0 is a free one, `browser=True` opens the page, `map` is as for `plyscope.open`. With
    `follow=True` the logs are files that an engine still writes, and the page grows with them. A script that
    ends ends the viewer, so let it end with `viewer.wait()`. Raises LogError for what is no log and no path,
    OSError where the port is taken.
    """
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65_535:
        raise OptionError(f"port: {port!r}, expected a whole number from 0 (a free one) to 65535")
    given = [logs] if isinstance(logs, Log | str | os.PathLike) else list(logs)
    mapping = mapping_of(map)
    folder = tempfile.TemporaryDirectory(prefix="plyscope-")
    try:
        paths = paths_of(given, mapping, Path(folder.name))
        listener = listen(LOOPBACK, (port,))
        try:
            viewer = Viewer(paths, listener, mapping=mapping, folder=folder, follow=follow)
        except BaseException:
            listener.close()
            raise
    except BaseException:
        folder.cleanup()
        raise
    viewer.start()
    if browser:
        show(viewer.address)
    return viewer


def paths_of(given: Sequence[Log | Source], mapping: Mapping[str, str] | None, folder: Path) -> list[Path]:
    """The file of each log; those that have none are written to `folder`."""
    paths: list[Path] = []
    for each in given:
        if isinstance(each, str) and is_text(each):
            from plyscope.opening import open

            each = open(each, map=mapping, progress=False)
        if isinstance(each, Log):
            paths.append(file_of(each) or _written(each, folder, len(paths)))
        elif isinstance(each, str | os.PathLike):
            paths.append(_existing(each))
        else:
            raise TypeError(f"a log or a path is shown, not {type(each).__name__}")
    return paths


def _existing(source: str | os.PathLike[str]) -> Path:
    path = Path(source)
    if not str(source) or "\0" in str(source) or not path.exists():
        error = LogError("there is no such file or folder")
        error.file = str(source) or "''"
        raise error
    return path


def _written(log: Log, folder: Path, number: int) -> Path:
    """The log as a file of the name by which the page lists it."""
    place = folder / str(number)
    place.mkdir()
    stem = log.name.partition(".")[0] or "log"
    path = place / f"{''.join(sign if sign.isalnum() or sign in '-_ ' else '_' for sign in stem)[:60]}.json"
    log.write(path)
    return path


def listen(host: str, ports: Sequence[int]) -> socket.socket:
    """A listening socket on the first of `ports` that can be had, 0 being any; raises OSError, in words."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(128)
            return listener
        except OSError as error:
            listener.close()
            reason = error
    why = reason.strerror or str(reason)
    raise OSError(reason.errno, f"cannot listen on {host} port {port}: {why}; choose another port")


def address_of(host: str, port: int, token: Token | None = None) -> str:
    """The address to open in a browser, with the token if there is one.

    >>> address_of("127.0.0.1", 5014), address_of("::1", 5014)
    ('http://127.0.0.1:5014/', 'http://[::1]:5014/')
    """
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + ("" if token is None else f"?token={token.secret}")


def show(address: str) -> None:
    """Open the page in a browser, meanwhile."""
    threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    import webbrowser  # slow to load, and the page is up meanwhile

    webbrowser.open(address)


def describe(logs: Sequence[Path], n_listed: int) -> str:
    """A short name for the logs that are shown; `n_listed` logs were found at the paths given.

    >>> describe((), 9), describe((Path("a.json"),), 1), describe((Path("runs"), Path("a.json")), 12)
    ('the bundled examples', 'a.json', '12 logs')
    """
    if not logs:
        return "the bundled examples" if n_listed else "what an engine writes"
    if logs == (Path("-"),):
        return "standard input"
    if len(logs) == 1:
        return f"{counted(n_listed, 'log')} of {logs[0]}" if logs[0].is_dir() else logs[0].name
    return counted(n_listed, "log")
