"""`plyscope search`: search a position, record every node, write or show the log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from contextlib import ExitStack, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine, signed, speed
from plyscope.visualizer.cli.play.game import (
    blame_game,
    find_game,
    position_option,
    tell_contradiction,
)
from plyscope.visualizer.cli.play.monte_carlo import (
    MCTS,
    ON_OUTPUT,
    AlgorithmName,
    GroupedCommand,
    best_first_options,
    monte_carlo_options,
    of_one_family,
    tree_lines,
)
from plyscope.visualizer.cli.play.techniques import counter_lines, technique_options
from plyscope.visualizer.cli.terminal import (
    ANY_FILE,
    PIPE,
    check_output,
    json_option,
    parse_weights,
    print_json,
    remark,
    write_shown,
)

if TYPE_CHECKING:
    from plyscope.engine.algorithms import Options
    from plyscope.engine.record.recording import Recording
    from plyscope.visualizer.analysis.nodes.mate import Proof
    from plyscope.visualizer.store.log import Log

LEAVES_OUT: Final = ("quiescence", "null_move", "lmr", "reverse_futility")
"""Techniques by which a win or loss may be found that is none at full width."""


@click.command(cls=GroupedCommand)
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
    type=AlgorithmName(["minimax", "alphabeta", "pvs", "expectimax", MCTS]),
    default="alphabeta",
    show_default=True,
    help="pvs: null-window scouts, each re-search a row of its own; expectimax: for plain games with dice or "
    "cards; mcts: Monte Carlo tree search; or one that an installed package brings.",
)
@click.option(
    "--option",
    metavar="NAME=VALUE",
    multiple=True,
    help="An option of an algorithm that a package brings; several are given one by one.",
)
@click.option("--iterative", is_flag=True, help="Deepen from 1 to the depth; every iteration is logged.")
@click.option(
    "--aspiration",
    type=click.FloatRange(0, min_open=True),
    metavar="WIDTH",
    help="Start each iteration with a window of ±WIDTH around the last score.",
)
@technique_options
@monte_carlo_options
@click.option("--evaluation", metavar="NAME", help="Another evaluation of the game, such as Hive's study-3.")
@click.option("--weights", metavar="NAME=W,…", help="Weights of factors instead of the game's own.")
@click.option(
    "--quotient",
    type=click.IntRange(2),
    metavar="Q",
    help="While a draw of 1 in Q comes up, take the next ply.",
)
@click.option("--seed", type=click.IntRange(0), help="Seed of that draw, or of all draws of play-outs.")
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
            from plyscope.visualizer.analysis.nodes.node_json import plain

            result = recording.header["result"] | ({} if proof is None else {"proof": proof.as_json()})
            print_json(plain(recording.header | {"result": result}))
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
    from plyscope.engine.former import RENAMED
    from plyscope.engine.options import Algorithm, SearchOptions, by_present_names

    weights = parse_weights(asked["weights"])
    asked = of_one_family(asked, given)
    del asked["weights"]
    if asked["algorithm"] not in get_args(Algorithm):
        return best_first_options(asked, weights, record=record)
    for former, name in RENAMED.items():
        if asked[former] is None:
            del asked[former]
        elif asked[name] is None:
            del asked[name]
    return SearchOptions(**by_present_names(asked), weights=weights, record=record)


def why_no_ply(recording: Recording) -> str:
    """The reason why a search has no ply, and what to do about it."""
    from plyscope.engine.game import ONGOING, why_over

    if recording.game.status(recording.state) != ONGOING:
        return f"the game is over in this position{why_over(recording.game, recording.state)}"
    if recording.score is not None:
        mean = _score_words(recording, None)
        return f"chance moves in this position, and the mean is {mean} for {recording.header['players'][0]}"
    asked = recording.header["search"]
    if asked.get("options", {}).get("iterative"):
        return "the search was stopped before its first iteration was done; let it search longer"
    done = f"the search was stopped before depth {asked['depth']} was done"
    return f"{done}; with --iterative it keeps the last depth that was"


def has_no_line(recording: Recording) -> bool:
    """Whether a search looked further than its ply, and kept nothing to read the line from."""
    asked, result = recording.header["search"], recording.header["result"]
    return not len(recording.rows) and "table" not in asked and result["depth"] > 1


def depth_reached(recording: Recording) -> str:
    """The depth that was done, of the depth asked for where that is more; nothing where none was."""
    done, asked = recording.header["result"]["depth"], recording.header["search"]["depth"]
    if done == 0:
        return ""
    return f"depth {done}: " if done == asked else f"depth {done} of {asked}: "


def proof_of_result(recording: Recording, log: Log | None) -> Proof | None:
    """The verdict on the win or loss of the chosen ply; None if it claims none.

    Without rows a search is known to prove what it claims where it says so, or leaves out no ply.
    """
    from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
    from plyscope.visualizer.analysis.nodes.mate import UNPROVEN, Proof, declared_mate
    from plyscope.visualizer.analysis.nodes.proof import may_repeat, proof_of_claim
    from plyscope.visualizer.store.tree import Tree
    from plyscope.visualizer.store.words import EXACT

    search, score = recording.header["search"], recording.score
    mate = declared_mate(search)
    if score is None or mate is None or not mate.side(score):
        return None
    if log is not None:
        line = principal_variation(Tree(log))
        row = line[1] if recording.header["result"]["rank"] and len(line) > 1 else line[0]
        return proof_of_claim(log, row, score, EXACT)
    leaves_out = "limit" in search or any(search["options"].get(name) is not None for name in LEAVES_OUT)
    if leaves_out and not recording.is_proven:
        return UNPROVEN
    return Proof("proven", repetition="table" in search and may_repeat(recording.header))


def report(recording: Recording, proof: Proof | None) -> None:
    """The chosen ply and what it took, on standard output."""
    if recording.header["search"].get("order") == "best_first":
        for line in tree_lines(recording):
            click.echo(line)
        sys.stdout.flush()
        return
    result = recording.header["result"]
    if recording.ply is None or recording.score is None:
        click.echo(f"no ply: {why_no_ply(recording)}")
    else:
        line = result.get("pv", [])
        shown = f"  ({' > '.join(line)})" if len(line) > 1 else ""
        if not shown and has_no_line(recording):
            shown = "  (-o, --view or --table tells the line)"
        click.echo(f"{recording.ply}  {_score_words(recording, proof)}{shown}")
        if result.get("rank"):
            click.echo(f"rank {result['rank']}, drawn with Q = {result['randomness_quotient']}")
    seconds = result["seconds"]
    rate = f", {speed(result['nodes'] / seconds)}" if seconds > 0 else ""
    click.echo(
        f"{depth_reached(recording)}{counted(result['nodes'], 'node')} ({counted(result['leaves'], 'leaf')}) "
        f"in {seconds:.2f} s{rate}; "
        f"{counted(result['prune_events'], 'prune event')} dropped {result['pruned']:,} plies, "
        f"the limit {result['limited']:,}"
    )
    for line in counter_lines(result.get("counters", {})):
        click.echo(line)
    sys.stdout.flush()


def _score_words(recording: Recording, proof: Proof | None) -> str:
    """The score of the chosen ply: a win or loss by its distance, any other as a figure."""
    from plyscope.visualizer.analysis.nodes.mate import declared_mate, mate_text
    from plyscope.visualizer.store.words import EXACT

    assert recording.score is not None
    ended = mate_text(declared_mate(recording.header["search"]), recording.score, EXACT, proof)
    return ended or signed(recording.score)
