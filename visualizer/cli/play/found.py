"""The result of a search and what it took, in lines for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import click

from plyscope.engine.alphabeta.counters import COUNTERS
from plyscope.engine.quoting import counted
from plyscope.status import signed, speed

if TYPE_CHECKING:
    from plyscope.engine.record.recording import Recording
    from plyscope.visualizer.analysis.nodes.mate import Proof
    from plyscope.visualizer.store.log import Log

LEAVES_OUT: Final = ("quiescence", "null_move", "lmr", "reverse_futility")
"""Techniques by which a win or loss may be found that is none at full width."""


def counter_lines(counters: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The pairs of a result's counters, one line each.

    >>> counter_lines({"table": {"tried": 12345, "succeeded": 4321}})
    ['table               12,345 probed, 4,321 hit (35 %)']
    """
    lines = []
    for name, pair in counters.items():
        tried, succeeded = pair["tried"], pair["succeeded"]
        words = COUNTERS.get(name)
        what, how = (words.tried, words.succeeded) if words else ("tried", "succeeded")
        share = f" ({succeeded / tried:.0%})".replace("%", " %") if tried else ""
        lines.append(f"{name.replace('_', ' '):<20}{tried:,} {what}, {succeeded:,} {how}{share}")
    return lines


def tree_lines(recording: Recording) -> list[str]:
    """The chosen ply and what it took, in lines."""
    from plyscope.engine.game import CHANCE, ONGOING, why_over

    result = recording.header["result"]
    if recording.ply is not None and recording.score is None:
        lines = [f"{recording.ply}  drawn at random: there were no play-outs"]
    elif recording.ply is None or recording.score is None:
        over = recording.game.status(recording.state) != ONGOING
        why = "the search was stopped before a play-out"
        if over:
            why = f"the game is over in this position{why_over(recording.game, recording.state)}"
        if recording.game.player(recording.state) == CHANCE and not over:
            why = "chance moves in this position"
        lines = [f"no ply: {why}"]
    else:
        line = result["pv"]
        shown = f"  ({' > '.join(line)})" if len(line) > 1 else ""
        lead = f", {result['margin']:.1f} standard errors ahead" if "margin" in result else ""
        visits = counted(result["visits"], "visit")
        lines = [f"{recording.ply}  mean {percent(recording.score)}, {visits}{lead}{shown}"]
    seconds = result["seconds"]
    rate = f", {result['playouts'] / seconds:,.0f} play-outs/s" if seconds > 0 else ""
    cut = result["cut_short"]
    ended = f"; the turn limit ended {cut:,}" if cut else ""
    lines.append(
        f"{counted(result['playouts'], 'play-out')} in {seconds:.2f} s{rate}{ended}; "
        f"deepest level {result['max_level']}"
    )
    return lines


def percent(mean: float) -> str:
    """A win rate in per cent.

    >>> percent(0.61951)
    '62.0 %'
    """
    return f"{100 * mean:.1f} %"


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
