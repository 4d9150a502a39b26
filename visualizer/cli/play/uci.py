"""`plyscope uci`: have an engine search a position over UCI, and write what it says as a log."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.play.game import position_option
from plyscope.visualizer.cli.terminal import ANY_FILE, remark, write_shown

if TYPE_CHECKING:
    from plyscope.visualizer.store.log import Log

SECONDS: Final = 5.0
"""Of a search that nothing else bounds."""


@click.command()
@click.argument("engine")
@position_option
@click.option("--depth", type=click.IntRange(1), help="Plies to look ahead.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes to search.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Seconds to search.  [default: 5]")
@click.option("--multipv", type=click.IntRange(1), metavar="K", help="The best K plies, each with its line.")
@click.option(
    "--option", multiple=True, metavar="NAME=VALUE", help="An option of the engine; again for more."
)
@click.option("-o", "--output", type=ANY_FILE, help="Write the log: .json, .jsonl, .plyb, or .parquet.")
@click.option("--view", is_flag=True, help="Show the log in a browser, until Ctrl+C.")
@click.option("--no-browser", is_flag=True, help="With --view: only print the address.")
def uci(
    engine: str,
    position: str | None,
    multipv: int | None,
    option: tuple[str, ...],
    output: Path | None,
    view: bool,
    no_browser: bool,
    **bounds: Any,
) -> None:
    """Have ENGINE, a program with its arguments, search a position, and keep what it says over UCI.

    It is what the engine says, not the tree that it searches. Ctrl+C stops the search, and what was said is
    kept.
    """
    from plyscope.engine.match.engine_process import GRACE, words_of
    from plyscope.engine.match.errors import PlayerError
    from plyscope.engine.match.uci_player import ANY_TIME, UciEngine, go_words
    from plyscope.visualizer.formats.uci_session import Search, is_session, position_of, read_session
    from plyscope.visualizer.formats.write.files import check_target

    if output is not None:
        check_target(output)
    stated = {name: value for name, value in bounds.items() if value is not None} or {"seconds": SECONDS}
    if len(stated) > 1:
        raise click.UsageError(f"a search is bound by one of --{', --'.join(stated)}.")
    options = dict(_pair(text) for text in option) | ({} if multipv is None else {"MultiPV": str(multipv)})
    where = position or "startpos"
    timeout = stated.get("seconds", ANY_TIME) + GRACE
    try:
        with StatusLine(tells_waits=True) as status, UciEngine(words_of(engine), options) as program:
            status.show(f"{program.name} …")
            lines = program.search(where, go_words(stated), timeout, lambda line: status.show(line[:100]))
    except PlayerError as error:
        raise click.ClickException(f"{engine} {error}") from None
    if not is_session("\n".join(lines).encode()):
        raise click.ClickException(
            f"{engine} told no score of {where}, only {lines[-1]!r}: is the game over?"
        )
    fen = position_of(where) or where
    search = Search(fen, go_words(stated)[3:], program.name, program.options, told=lines[:-1])
    log = read_session(f"{search}{lines[-1]}\n")
    click.echo("\n".join(lines[-1 - (multipv or 1) :]))
    if output is not None:
        write_shown(log, output)
    if view:
        _show(log, output, browser=not no_browser)


def _show(log: Log, output: Path | None, *, browser: bool) -> None:
    """Show the log, written to `output` or to a file of its own, until Ctrl+C."""
    from plyscope.viewing import show
    from plyscope.visualizer.cli.look.view import own_viewer

    with own_viewer(output, "uci.json") as (viewer, target):
        if output is None:
            write_shown(log, target, says=False)
        viewer.shelf.add_file(target)
        viewer.start()
        if browser:
            show(viewer.address)
        with suppress(KeyboardInterrupt):
            remark(f"showing {target.name} at {viewer.address} (press Ctrl+C to stop)")
            viewer.wait()


def _pair(text: str) -> tuple[str, str]:
    """The name and the value of an option; raises UsageError."""
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--option wants NAME=VALUE, not {text!r}.")
    return name.strip(), value.strip()
