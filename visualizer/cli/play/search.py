"""`plyscope search`: search a position, record every node, write or show the log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from contextlib import ExitStack, nullcontext, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.play.asked import (
    ON_OUTPUT,
    GroupedCommand,
    of_one_family,
    search_options_asked,
)
from plyscope.visualizer.cli.play.found import proof_of_result, report
from plyscope.visualizer.cli.play.game import (
    blame_game,
    find_game,
    position_option,
    tell_contradiction,
)
from plyscope.visualizer.cli.terminal import (
    ANY_FILE,
    PIPE,
    check_output,
    json_option,
    parse_weights,
    remark,
    write_shown,
)

if TYPE_CHECKING:
    from plyscope.engine.option import Options
    from plyscope.engine.record.recording import Recording


@click.command(cls=GroupedCommand)
@click.argument("game")
@position_option
@search_options_asked
@click.option(
    "--option",
    metavar="NAME=VALUE",
    multiple=True,
    help="An option of an algorithm that a package brings; several are given one by one.",
)
@click.option(
    "-o",
    "--output",
    type=ANY_FILE,
    help="Write the log: .json, .jsonl, .gz or .zst of them, or .parquet; - is a pipe, for JSON Lines.",
)
@click.option("--view", is_flag=True, help="Show the search in a browser while it runs, and its log.")
@click.option("--no-browser", is_flag=True, help="With --view: only print the address.")
@json_option
def search(game: str, output: Path | None, view: bool, no_browser: bool, as_json: bool, **asked: Any) -> None:
    """Search a position of GAME (a name that `plyscope games` lists, or file.py:Class) and record it.

    Ctrl+C stops the search; what was recorded until then is a whole log, and the exit code is 130.
    """
    from plyscope.searching import interrupts, recorded

    if output is not None:
        check_output(output)
        if view and output == PIPE:
            raise click.UsageError("-o - writes the log to a pipe; name a file where --view shows it.")
    position = asked.pop("position")
    options = search_options(asked, record=output is not None or view, given=given_options())
    with ExitStack() as shown:
        watched = None
        with blame_game(game), StatusLine(tells_waits=True) as status, interrupts() as should_stop:
            found = find_game(game)
            tell_contradiction(found, position)
            if view:
                counts = "play-out" if hasattr(options, "most_playouts") else "node"
                watched = shown.enter_context(
                    Watched(str(found.name), output, browser=not no_browser, counts=counts)
                )
            if watched is None:
                recording = recorded(found, position, options, status, should_stop)
            else:
                recording = recorded(found, position, options, status, should_stop, watched.offer)
        conclude(recording, game, output, as_json=as_json, watched=watched, keeps=options.record)
        if should_stop() and watched is None:
            sys.exit(130)


def conclude(
    recording: Recording,
    game: str,
    output: Path | None,
    *,
    as_json: bool,
    watched: Watched | None,
    keeps: bool,
) -> None:
    """Report a search, write its log where that is wanted, and show it until Ctrl+C if it is watched."""
    from plyscope.searching import log_of

    log = None
    if keeps:
        with blame_game(game), StatusLine() as status:
            log = log_of(recording, status)
    proof = proof_of_result(recording, log)
    with redirect_stdout(sys.stderr) if output == PIPE else nullcontext():
        if as_json:
            from plyscope.visualizer.formats.json_text import json_bytes

            result = recording.header["result"] | ({} if proof is None else {"proof": proof.as_json()})
            click.echo(json_bytes(recording.header | {"result": result}).decode())
        else:
            report(recording, proof)
    del recording
    if log is None:
        return
    if watched is not None:
        with blame_game(game):
            write_shown(log, watched.target, says=output is not None)
        del log
        watched.finish()
    elif output is not None:
        with blame_game(game):
            write_shown(log, output)


class Watched:
    """A viewer that shows a search while it runs, and its log afterwards until Ctrl+C.

    `with Watched(…) as watched:` serves; a search that fails ends it.
    """

    def __init__(self, game: str, output: Path | None, *, browser: bool, counts: str = "node") -> None:
        self._game, self._browser, self._counts = game, browser, counts
        self._kept = ExitStack()
        self._output = output

    def __enter__(self) -> Watched:
        from plyscope.viewing import show
        from plyscope.visualizer.cli.look.view import own_viewer
        from plyscope.visualizer.shelf.follow.growing import RunSoFar

        shown = own_viewer(self._output, f"{self._game}.json")
        self._viewer, self.target = self._kept.enter_context(shown)
        self._run = RunSoFar(self._counts)
        self._followed = self._viewer.shelf.follow_run(self.target, self.target.name, self._run)
        self._viewer.start()
        remark(f"searching; watch it at {self._viewer.address}")
        if self._browser:
            show(self._viewer.address)
        return self

    def offer(self, n_nodes: int, copy: Callable[[], Recording]) -> None:
        """Have what is recorded copied, where the page wants it."""
        self._run.offer(n_nodes, copy)
        self._followed.counted()

    def finish(self) -> None:
        """The log is written: show it as any other, until Ctrl+C."""
        self._run.end()
        self._followed.finish()
        click.echo(f"plyscope: showing {self.target.name} at {self._viewer.address} (press Ctrl+C to stop)")
        self._viewer.wait()

    def __exit__(self, *_: object) -> None:
        self._run.end()
        self._kept.close()


def given_options() -> list[str]:
    """The names of the options that the running command was given."""
    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    return [
        name
        for name in context.params
        if context.get_parameter_source(name) is not default and name not in ("game", *ON_OUTPUT)
    ]


def search_options(asked: dict[str, Any], *, record: bool, given: Collection[str] = ()) -> Options:
    """The engine's options from the command line's; raises OptionError, UsageError.

    `given` are the names of those that were not left to their defaults.
    """
    from plyscope.searching import options_of

    asked = of_one_family(asked, given)
    weights = parse_weights(asked.pop("weights"))
    stated = {name: value for name, value in asked.items() if value is not None}
    made: Any = options_of({**stated, "weights": weights})
    searched: Options = replace(made, record=record)
    return searched
