"""`plyscope view`: serve the page for some logs and show it in a browser."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import click

from visualizer.cli.options import mapping_option, parsed_mapping
from visualizer.cli.terminal import counted, left_out


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=0, type=click.IntRange(0, 65535), help="Port; by default 5014, or a free one."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@mapping_option
def view(logs: tuple[Path, ...], host: str, port: int, no_browser: bool, mapping: str | None) -> None:
    """Show LOGS (files or folders; none: the bundled examples) in a browser."""
    serve(logs, host=host, port=port, browser=not no_browser, mapping=parsed_mapping(mapping))


def serve(
    logs: tuple[Path, ...],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    mapping: dict[str, str] | None = None,
) -> None:
    """Serve the page until interrupted; prints its address once it answers."""
    from visualizer.shelf.shelf import LOG_ENDINGS
    from visualizer.web.app import create_app
    from visualizer.web.server import Server

    listener = listen(host, port)
    port = listener.getsockname()[1]
    app = create_app({"LOGS": logs, "HOST": host, "MAPPING": mapping})
    n_listed = sum(entry.source != "pasted" for entry in app.extensions["shelf"].entries())
    server = Server(app, listener)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"
    click.echo(f"plyscope: showing {describe(logs, n_listed)} at {address} (press Ctrl+C to stop)")
    for folder in logs:
        if folder.is_dir() and (says := left_out(folder)):
            click.echo(f"plyscope: {folder}: {says}", err=True)
    if n_listed == 0:
        endings = ", ".join(LOG_ENDINGS)
        click.echo(f"plyscope: there are no logs ({endings}) yet; the page lists those that come", err=True)
    if browser:
        threading.Thread(target=_show, args=(address,), daemon=True).start()
    server.run()


def _show(address: str) -> None:
    import webbrowser  # slow to load, and the page is up meanwhile

    webbrowser.open(address)


DEFAULT_PORT = 5014


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on `port`; on 0 the default port, or any free one where that is taken.

    Raises ClickException, in words, where the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reasons = []
    for candidate in (port,) if port else (DEFAULT_PORT, 0):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(128)
            return listener
        except OSError as error:
            listener.close()
            reasons.append(error.strerror or str(error))
    raise click.ClickException(f"cannot listen on {host} port {port}: {reasons[-1]}; choose another --port")


def describe(logs: tuple[Path, ...], n_listed: int) -> str:
    """What is being shown, for the line on the terminal; `n_listed` logs were found at the paths given.

    >>> describe((), 9), describe((Path("a.json"),), 1), describe((Path("runs"), Path("a.json")), 12)
    ('the bundled examples', 'a.json', '12 logs')
    """
    if not logs:
        return "the bundled examples"
    if len(logs) == 1:
        return f"{counted(n_listed, 'log')} of {logs[0]}" if logs[0].is_dir() else logs[0].name
    return counted(n_listed, "log")
