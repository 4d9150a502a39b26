"""`plyscope search`: search a position, record every node, write or show the log."""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from visualizer.cli.game import blaming, find_game, position_option, read_position, tell_contradiction
from visualizer.cli.options import json_option
from visualizer.cli.techniques import counter_lines, technique_options
from visualizer.cli.terminal import StatusLine, counted, signed, write_shown

if TYPE_CHECKING:
    from engine.options import Algorithm, SearchOptions
    from engine.recording import Recording
    from engine.run import Progress


@click.command()
@click.argument("game")
@position_option
@click.option("--depth", default=4, show_default=True, type=click.IntRange(1), help="Plies to look ahead.")
@click.option(
    "--limit", type=click.IntRange(1, 65_535), help="Keep so many plies a node, the best by pre-score."
)
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time.")
@click.option("--nodes", type=click.IntRange(1), help="Stop after so many nodes.")
@click.option(
    "--algorithm",
    type=click.Choice(["minimax", "alphabeta", "pvs"]),
    default="alphabeta",
    show_default=True,
    help="pvs: null-window scouts, each re-search a row of its own.",
)
@click.option("--iterative", is_flag=True, help="Deepen from 1 to the depth; every iteration is logged.")
@click.option(
    "--aspiration",
    type=click.FloatRange(0, min_open=True),
    metavar="WIDTH",
    help="Start each iteration with a window of ±WIDTH around the last score.",
)
@technique_options
@click.option("--weights", metavar="NAME=W,…", help="Weights of factors instead of the game's own.")
@click.option(
    "--quotient",
    type=click.IntRange(2),
    metavar="Q",
    help="While a draw of 1 in Q comes up, take the next ply.",
)
@click.option("--seed", type=click.IntRange(0), help="Seed of that draw.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the log: .json, .jsonl, and .gz of them.",
)
@click.option("--view", is_flag=True, help="Show the log in a browser when the search is done.")
@json_option
def search(game: str, output: Path | None, view: bool, as_json: bool, **asked: Any) -> None:
    """Search a position of GAME (a name that `plyscope games` lists, or file.py:Class) and record it.

    Ctrl+C stops the search; what was recorded until then is a whole log.
    """
    from engine.run import search as run_search
    from visualizer.formats.write import check_target

    if output is not None:
        check_target(output)
    position = read_position(asked.pop("position"))
    options = search_options(asked, record=output is not None or view)
    with blaming(game), StatusLine(tells_waits=True) as status, stop_on_interrupt() as should_stop:
        found = find_game(game)
        tell_contradiction(found, position)
        recording = run_search(found, position, options, lambda at: tell(status, at), should_stop)
    if as_json:
        import orjson

        from visualizer.analysis.node import plain

        click.echo(orjson.dumps(plain(recording.header)).decode())
    else:
        report(recording)
    if not options.record:
        return
    from visualizer.formats.recording import log_from_recording

    with tempfile.TemporaryDirectory(prefix="plyscope-") as temporary:
        target = output or Path(temporary) / f"{recording.header['game']}.json"
        with blaming(game), StatusLine() as status:
            status.show(f"making columns of {counted(len(recording.rows), 'row')} …")
            log = log_from_recording(recording)
            del recording
        with blaming(game):
            write_shown(log, target, tell=output is not None)
        del log
        if view:
            from visualizer.cli.view import serve

            serve((target,))


def search_options(asked: dict[str, Any], *, record: bool) -> SearchOptions:
    """The engine's options from the command line's; raises OptionError, UsageError."""
    from engine.options import SearchOptions

    weights = parse_weights(asked.pop("weights"))
    asked["algorithm"] = cast("Algorithm", asked["algorithm"])
    return SearchOptions(**asked, weights=weights, record=record)


def parse_weights(text: str | None) -> dict[str, float]:
    """The weights of `name=w,…`.

    >>> parse_weights("mobility=5, corners=25.5")
    {'mobility': 5.0, 'corners': 25.5}
    """
    weights = {}
    for part in (text or "").split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if not part.strip():
            continue
        try:
            weights[name] = float(number)
        except ValueError:
            found = f"{number!r} for {name}" if equals else repr(part.strip())
            raise click.UsageError(f"--weights wants name=number,…, not {found}.") from None
    return weights


@contextmanager
def stop_on_interrupt() -> Iterator[Any]:
    """A function that says whether Ctrl+C was pressed; pressed a second time it interrupts as usual."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return

    def on_interrupt(number: int, frame: Any) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def tell(status: StatusLine, at: Progress) -> None:
    """Show how far a search is; while it is compiled, how long that takes."""
    if at.phase == "compiling":
        status.wait(f"compiling the search for {at.game}, once on a machine: 5 to 20 s …")
    else:
        status.show(words(at))


def words(at: Progress) -> str:
    """One line of progress."""
    rate = at.nodes / at.seconds if at.seconds else 0.0
    best = "" if at.ply is None or at.score is None else f"  best {at.ply} {signed(at.score)}"
    return f"depth {at.depth}  {at.nodes:,} nodes  {rate / 1e6:.1f} M nodes/s{best}"


def why_no_ply(recording: Recording) -> str:
    """What kept a search from a ply, and what to do about it."""
    from engine.game import ONGOING

    if recording.game.status(recording.state) != ONGOING:
        return "the game is over in this position"
    asked = recording.header["search"]
    if asked.get("options", {}).get("iterative"):
        return "the search was stopped before its first iteration was done; let it search longer"
    done = f"the search was stopped before depth {asked['depth']} was done"
    return f"{done}; with --iterative it keeps the last depth that was"


def has_no_line(recording: Recording) -> bool:
    """Whether a search looked further than its ply, and kept nothing to read the line from."""
    asked, result = recording.header["search"], recording.header["result"]
    return not len(recording.rows) and "table" not in asked and result["depth"] > 1


def reached(recording: Recording) -> str:
    """The depth that was done, of the depth asked for where that is more; nothing where none was."""
    done, asked = recording.header["result"]["depth"], recording.header["search"]["depth"]
    if done == 0:
        return ""
    return f"depth {done}: " if done == asked else f"depth {done} of {asked}: "


def report(recording: Recording) -> None:
    """The chosen ply and what it took, on standard output."""
    result = recording.header["result"]
    if recording.ply is None or recording.score is None:
        click.echo(f"no ply: {why_no_ply(recording)}")
    else:
        line = result.get("pv", [])
        shown = f"  ({' > '.join(line)})" if len(line) > 1 else ""
        if not shown and has_no_line(recording):
            shown = "  (-o, --view or --table tells the line)"
        click.echo(f"{recording.ply}  {signed(recording.score)}{shown}")
        if result.get("rank"):
            click.echo(f"rank {result['rank']}, drawn with Q = {result['randomness_quotient']}")
    seconds = result["seconds"]
    rate = f", {result['nodes'] / seconds / 1e6:.2f} M nodes/s" if seconds > 0 else ""
    click.echo(
        f"{reached(recording)}{counted(result['nodes'], 'node')} ({counted(result['leaves'], 'leaf')}) "
        f"in {seconds:.2f} s{rate}; "
        f"{counted(result['prune_events'], 'prune event')} dropped {result['pruned']:,} plies, "
        f"the limit {result['limited']:,}"
    )
    for line in counter_lines(result.get("counters", {})):
        click.echo(line)
    sys.stdout.flush()
