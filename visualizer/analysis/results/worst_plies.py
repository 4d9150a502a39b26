"""The plies of a game that lost the most: the score of a player's search less that of its next search."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.json_answer import Score
from plyscope.visualizer.analysis.nodes.digits import digits_for
from plyscope.visualizer.analysis.nodes.mate import declared_mate
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.notebook import Displayed
from plyscope.visualizer.analysis.results.match_logs import HEADER, place_of
from plyscope.visualizer.formats.beginning import header_of
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.store.log import object_in
from plyscope.visualizer.store.tree import Tree

ENDS: Final = {1: "won", -1: "lost"}


@dataclass(frozen=True)
class WorstPly(Displayed):
    """A ply after which the next search of its player found less than the search that chose it."""

    game: int | None
    """The number of its game; None where its log names none."""
    turn: int
    """The number of the ply in its game, from 1; where no log says it, that of the log."""
    player: str | None
    ply: str | None
    before: Score
    """The score of the search that chose it, seen by its player."""
    after: Score
    """The score of that player's next search."""
    lost: Score
    in_words: str
    """Both scores: a figure, or that the game was won or lost."""
    log: str
    next_log: str


@dataclass(frozen=True)
class _Search:
    """One search of a game, from its log."""

    path: Path
    game: int | None
    turn: int
    player: str | None
    ply: str | None
    score: float
    end: int
    """1 where its score is that of a won game, -1 for a lost one."""


def worst_plies(paths: Iterable[Path]) -> tuple[WorstPly, ...]:
    """The plies that lost something, the greatest loss first, among the searches of these logs.

    Logs of a match name their game, turn and player, those of `plyscope uhp` by their names. Other logs are
    one game in the order given, each a search of the player at its root. Raises LogError, OSError.
    """
    chains: dict[tuple[Any, ...], list[_Search]] = {}
    for number, path in enumerate(paths, start=1):
        for search in _search(path, number):
            mover = search.turn % 2 if search.player is None else search.player
            chains.setdefault((search.game, mover), []).append(search)
    found: list[WorstPly] = []
    for chain in chains.values():
        searches = sorted(chain, key=lambda each: each.turn)
        digits = digits_for([each.score for each in searches if not each.end])
        for one, then in pairwise(searches):
            is_decided = one.end != 0 and one.end == then.end  # only nearer or farther than it looked
            if one.score > then.score and not is_decided:
                said = [ENDS.get(each.end) or digits.signed(each.score) for each in (one, then)]
                found.append(
                    WorstPly(
                        one.game,
                        one.turn,
                        one.player,
                        one.ply,
                        one.score,
                        then.score,
                        one.score - then.score,
                        " → ".join(said),
                        str(one.path),
                        str(then.path),
                    )
                )
    return tuple(sorted(found, key=lambda each: -each.lost))


def _search(path: Path, number: int) -> Iterator[_Search]:
    """The search of a log; none where it tells no score."""
    header: Mapping[str, Any] = header_of(path)
    place, player, score = place_of(path.name), None, object_in(header, "result").get("score")
    if not object_in(header, HEADER) and (place is None or score is None):
        tree = Tree(read_log_file(path))
        root, header = Node(tree, tree.main_root), tree.log.header
        score, player = root.score, root.player or root.layer
    about, result = (object_in(header, name) for name in (HEADER, "result"))
    game, turn = (None, number) if place is None else place
    game, turn, player = about.get("game", game), about.get("turn", turn), about.get("searched", player)
    if isinstance(score, int | float):
        mate = declared_mate(header.get("search"))
        end = 0 if mate is None else mate.side(score)
        yield _Search(path, game, turn, player, result.get("ply"), score, end)


def lines(worst: Sequence[WorstPly], limit: int) -> Iterator[str]:
    """The first `limit` as a table for a terminal, and the number of the others."""
    if not worst:
        yield "no ply lost anything, as the next search of its player saw it"
        return
    shown = worst[:limit]
    digits = digits_for([each.lost for each in shown])
    rows = [("lost", "game", "ply", "", "player", "before → after", "log")]
    rows += [
        (
            "a game" if {"won", "lost"} & set(each.in_words.split(" → ")) else digits.plain(each.lost),
            "" if each.game is None else str(each.game),
            str(each.turn),
            visible(each.ply or "?"),
            visible(each.player or ""),
            each.in_words,
            min(each.log, os.path.relpath(each.log), key=len),
        )
        for each in shown
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    for row in rows:
        aligned = zip(row, widths, ">>><<<", strict=False)
        yield "  ".join([*(f"{text:{side}{width}}" for text, width, side in aligned), row[-1]])
    if len(worst) > limit:
        yield f"and {len(worst) - limit:,} more (--limit {len(worst)} shows them)"
