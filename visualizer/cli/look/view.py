"""`plyscope view`: serve the page for some logs and show it in a browser."""

from __future__ import annotations

import html
import ipaddress
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from plyscope.visualizer.cli.terminal import game_option, left_out, mapping_option, remark, tell_notices

if TYPE_CHECKING:
    from plyscope.viewing import Viewer
    from plyscope.visualizer.web.guard import Token

DEFAULT_PORT: Final = 5014
LOOPBACK: Final = "127.0.0.1"
STANDARD_INPUT: Final = Path("-")


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(path_type=Path))
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
@click.option("--follow", is_flag=True, help="Show LOGS while they are written; - is standard input.")
@click.option(
    "--listen",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Show what an engine writes to this port of this machine (0: a free one).",
)
@mapping_option
@game_option
def view(
    logs: tuple[Path, ...],
    host: str,
    port: int,
    no_browser: bool,
    follow: bool,
    listen: int | None,
    mapping: dict[str, str] | None,
) -> None:
    """Show LOGS (files or folders; none: the bundled examples) in a browser."""
    check_paths(logs, follow=follow)
    if follow and mapping:
        raise click.UsageError(
            "--map is for trees in words of their own; --follow takes logs in the words of the log format."
        )
    from plyscope.viewing import Viewer, show
    from plyscope.viewing import listen as listen_at
    from plyscope.visualizer.shelf.shelf import LOG_ENDINGS
    from plyscope.visualizer.web.guard import Token

    listener = listen_at(host, (port,) if port else (DEFAULT_PORT, 0))
    bound, port = listener.getsockname()[:2]
    token = None if ipaddress.ip_address(bound).is_loopback else Token.drawn()
    own = LOOPBACK if ipaddress.ip_address(bound).is_unspecified else host
    engines = None if listen is None else listen_at(LOOPBACK, (listen,))
    viewer = Viewer(
        logs,
        listener,
        host=host or bound,
        shown_host=own,
        token=token,
        mapping=mapping,
        follow=follow,
        engines=engines,
    )
    click.echo(f"plyscope: showing {viewer.shown} at {viewer.address} (press Ctrl+C to stop)")
    if engines is not None:
        taken = engines.getsockname()[1]
        click.echo(f"plyscope: an engine may write its log to {LOOPBACK} port {taken} (tcp:{taken})")
    if token is not None:
        remark(reached_by(bound, port, token))
    tell_notices(viewer.shelf.notices)
    for path in logs if follow else ():
        if path != STANDARD_INPUT and not path.exists():
            remark(f"{path} is not there yet; it is shown as soon as an engine writes it")
    for folder in logs:
        if folder.is_dir() and (says := left_out(folder)):
            remark(f"{folder}: {says}")
    if viewer.n_listed == 0 and engines is None and not follow:
        endings = ", ".join(LOG_ENDINGS)
        remark(f"there are no logs ({endings}) yet; the page lists those that come")
    with viewer, ExitStack() as kept:
        viewer.start()
        if not no_browser:
            address = viewer.address
            show(address if token is None else kept.enter_context(leading_to(address)).as_uri())
        viewer.wait()


def check_paths(logs: tuple[Path, ...], *, follow: bool) -> None:
    """Refuse what is not there: a file that is followed may still come."""
    for path in logs:
        if path == STANDARD_INPUT:
            if not follow:
                raise click.UsageError("standard input (-) is shown by `plyscope view - --follow`.")
        elif follow and path.is_dir():
            raise click.UsageError(f"{path} is a folder; --follow takes files.")
        elif follow and not path.parent.is_dir():
            raise click.UsageError(f"{path} cannot come: there is no folder {path.parent}.")
        elif not follow and not path.exists():
            raise click.BadParameter(f"Path '{path}' does not exist.", param_hint="'[LOGS]...'")
    if logs.count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input (-) can be followed once.")


def reached_by(bound: str, port: int, token: Token) -> str:
    """The warning of a viewer bound to more than the loopback: who can reach it, and by which link."""
    everywhere = ipaddress.ip_address(bound).is_unspecified
    where = f"all addresses of this machine ({bound})" if everywhere else bound
    from plyscope.viewing import address_of

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
def own_viewer(output: Path | None, name: str) -> Iterator[tuple[Viewer, Path]]:
    """A viewer, not started yet, that lists nothing, and the file to show: `output` or one of this name."""
    from plyscope.viewing import Viewer, listen

    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        listener = listen(LOOPBACK, (DEFAULT_PORT, 0))
        with Viewer((), listener, shows_examples=False) as viewer:
            yield viewer, (output or Path(folder) / name).resolve()


@contextmanager
def leading_to(address: str) -> Iterator[Path]:
    """A file that only the user can read, whose page leads to `address`.

    A browser is started with it instead: what a command is started with, everybody on the machine can list.
    """
    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        path = Path(folder) / "open.html"
        path.write_text(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">', "utf-8")
        yield path
