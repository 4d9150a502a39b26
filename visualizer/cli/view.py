"""`plyscope view`: serve the page for some logs and show it in a browser."""

from __future__ import annotations

import html
import ipaddress
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyscope.visualizer.cli.options import mapping_option, parsed_mapping
from plyscope.visualizer.cli.terminal import counted, left_out

if TYPE_CHECKING:
    from plyscope.visualizer.web.token import Token


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; other than the loopback, the page asks for a token.",
)
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
    from plyscope.visualizer.shelf.shelf import LOG_ENDINGS
    from plyscope.visualizer.web.app import create_app
    from plyscope.visualizer.web.server import Server
    from plyscope.visualizer.web.token import Token

    listener = listen(host, port)
    bound, port = listener.getsockname()[:2]
    token = None if ipaddress.ip_address(bound).is_loopback else Token.drawn()
    app = create_app({"LOGS": logs, "HOST": host or bound, "MAPPING": mapping, "TOKEN": token})
    shelf = app.extensions["shelf"]
    n_listed = sum(entry.source != "pasted" for entry in shelf.entries())
    server = Server(app, listener)
    address = address_of("127.0.0.1" if ipaddress.ip_address(bound).is_unspecified else host, port, token)
    click.echo(f"plyscope: showing {describe(logs, n_listed)} at {address} (press Ctrl+C to stop)")
    if token is not None:
        click.echo(f"plyscope: {reached_by(bound, port, token)}", err=True)
    for notice in shelf.notices:
        click.echo(f"plyscope: {notice}", err=True)
    for folder in logs:
        if folder.is_dir() and (says := left_out(folder)):
            click.echo(f"plyscope: {folder}: {says}", err=True)
    if n_listed == 0:
        endings = ", ".join(LOG_ENDINGS)
        click.echo(f"plyscope: there are no logs ({endings}) yet; the page lists those that come", err=True)
    with ExitStack() as kept:
        if browser:
            shown = address if token is None else kept.enter_context(leading_to(address)).as_uri()
            threading.Thread(target=_show, args=(shown,), daemon=True).start()
        server.run()


def _show(address: str) -> None:
    import webbrowser  # slow to load, and the page is up meanwhile

    webbrowser.open(address)


def address_of(host: str, port: int, token: Token | None) -> str:
    """What to open in a browser.

    >>> address_of("127.0.0.1", 5014, None), address_of("::1", 5014, None)
    ('http://127.0.0.1:5014/', 'http://[::1]:5014/')
    """
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + ("" if token is None else f"?token={token.secret}")


def reached_by(bound: str, port: int, token: Token) -> str:
    """Who can reach a viewer that is bound to more than the loopback, and what they need."""
    everywhere = ipaddress.ip_address(bound).is_unspecified
    where = f"all addresses of this machine ({bound})" if everywhere else bound
    others = address_of(own_address(bound), port, token)
    return (
        f"listening on {where}, port {port}: whoever has the token can read the logs and add or delete "
        f"pastes, and nothing is encrypted; others on this network open {others}"
    )


def own_address(bound: str) -> str:
    """The address at which others reach this machine, also where it is bound to all; nothing is sent."""
    if not ipaddress.ip_address(bound).is_unspecified:
        return bound
    family, elsewhere = (socket.AF_INET6, "2001:db8::1") if ":" in bound else (socket.AF_INET, "192.0.2.1")
    with socket.socket(family, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect((elsewhere, 9))
        except OSError:
            return socket.gethostname()
        return str(towards.getsockname()[0])


@contextmanager
def leading_to(address: str) -> Iterator[Path]:
    """A file that only the user can read, whose page leads to `address`.

    A browser is started with it instead: what a command is started with, everybody on the machine can list.
    """
    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        path = Path(folder) / "open.html"
        path.write_text(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">', "utf-8")
        yield path


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
