"""A whole flat Monte Carlo search: each legal ply played out, and a row for each in the log."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from plyscope.engine import jit
from plyscope.engine.algorithms import Algorithm
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import ONGOING, SCORED, Array, GameError, State, state_of
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.montecarlo.draws import draw_below, source_of
from plyscope.engine.montecarlo.run import Progress
from plyscope.engine.options import judged, refuse_chance, weights_of
from plyscope.engine.record.recording import Recording, Totals, Tree
from plyscope.engine.record.rows import HIT, LEAF, STUB_PLY, TERMINAL
from plyscope_studies.flat.kept import Kept
from plyscope_studies.flat.options import FlatOptions, Next
from plyscope_studies.flat.playing import PATH_FULL, play_outs_by
from plyscope_studies.flat.sources import shifts_of
from plyscope_studies.flat.writing import FLAT_FIGURES, FlatWriter, fill

SLICE: Final = 2_000
"""Games between two questions whether the search is to stop."""
PATH_ROOM: Final = 512
"""Plies of a play-out that is kept for which there is room at first."""
UNNOTED: Final = np.zeros(0, np.int32)
"""The path of play-outs that are not kept."""


def search(
    game: Any,
    position: str | State | None = None,
    options: FlatOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    *,
    carried: Next | None = None,
    compiled: bool = True,
    on_rows: object = None,
) -> Recording:
    """Play out every legal ply of `position`, and record what came of each.

    `position` is text, or a state, which is copied; None: the game's start. `game` is a kernel game or a
    plain one; with `compiled=False` a kernel game runs as plain Python too, with the same log but for the
    times. `should_stop` is asked between slices of play-outs. Raises `GameError` for a position that cannot
    be read, `OptionError` for weights of unknown factors. The recording's `table` is with what the player
    goes on: `carried` of its next turn. There is no tree that grows, so `on_rows` is not called.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> search(GAME, "XX. OO. ... X", FlatOptions(n=50, seed=1), compiled=False).ply
    'c3'
    """
    options = options or FlatOptions()
    if carried is not None:
        options = replace(options, turn=carried.turn, n=carried.n)
    return _Run(game, position, options, compiled).recording(on_progress, should_stop)


def _check(game: Any, options: FlatOptions) -> None:
    refuse_chance(game, options.algorithm)


FLAT: Final = Algorithm("flat Monte Carlo", FlatOptions, search, _check)


class _Run(FlatWriter):
    """One run of `search`, from options to recording."""

    def __init__(self, game: Any, position: str | State | None, options: FlatOptions, compiled: bool) -> None:
        enter(game)
        refuse_chance(game, options.algorithm)
        game = judged(game, options.evaluation)
        is_plain = hasattr(game, "plies")
        kernels: Any = PlainKernels(game) if is_plain else game
        super().__init__(kernels, state_of(kernels, position), options, weights_of(game, options))
        self.seed = secrets.randbits(32) if options.seed is None else options.seed
        self.source = source_of(self.seed)
        self.shifts = shifts_of(self.source)
        self.compiled = compiled and not is_plain
        self.play: Any = play_outs_by
        self.path = np.zeros(PATH_ROOM, np.int32)
        self.kept: dict[int, Kept] = {}
        self.bound: Any = self.game if is_plain else with_all_kernels(self.game)
        self.point = 0

    def recording(
        self, on_progress: Callable[[Progress], None] | None, should_stop: Callable[[], bool] | None
    ) -> Recording:
        """Play each ply out, then write what was found."""
        self._bind(on_progress)
        began = time.perf_counter()
        plies = self.legal(self.state) if self.game.status(self.state) == ONGOING else []
        n_cells = self._n_cells(plies)
        each = self.options.playouts_each(len(plies), n_cells)
        self.raised = self.options.raised(len(plies), n_cells)
        children: Any = np.zeros(len(plies), FLAT_FIGURES)
        cut_short = n_done = 0
        stopped: str | None = None
        for place, ply in enumerate(plies):
            child = self.state.copy()
            self.game.apply(child, ply)
            tally = np.zeros(SCORED + 1, np.int64)
            ply_began = time.perf_counter()
            if self.options.record:
                self._keep_some(place, child, min(each, self.options.record_playouts), tally)
            while (n_left := each - int(tally.sum())) > 0 and stopped is None:
                self._slice(child, min(n_left, SLICE), tally)
                now = time.perf_counter() - began
                if self.options.seconds is not None and now >= self.options.seconds:
                    stopped = "seconds"
                elif should_stop is not None and should_stop():
                    stopped = "request"
            n_done += int(tally.sum())
            cut_short += int(tally[ONGOING])
            fill(children[place], tally, self.root_player, time.perf_counter() - ply_began)
            if on_progress is not None:
                asked, seconds = each * len(plies), time.perf_counter() - began
                on_progress(Progress("searching", self.game.name, n_done, asked, seconds))
            if stopped is not None:
                break
        self.each, self.cut_short = each, cut_short
        if stopped is not None and n_done == each * len(plies):
            stopped = None
        return self._written(plies, children, time.perf_counter() - began, stopped)

    def _bind(self, on_progress: Callable[[Progress], None] | None) -> None:
        if not self.compiled:
            return
        self.play, self.bound = jit.compiled(play_outs_by), jit.bind(self.bound)
        arguments = self._arguments(self.state, 0, np.zeros(SCORED + 1, np.int64), UNNOTED)
        if on_progress and jit.needs_compiling(self.play, *arguments):
            on_progress(Progress("compiling", self.game.name))
        jit.load(self.play, *arguments)

    def _arguments(self, state: Array, n_games: int, tally: Array, path: Array) -> tuple[Any, ...]:
        self.scratch = self.state.copy()
        return (
            self.bound,
            state,
            self.scratch,
            self.buffer,
            self.values,
            self.weight_array,
            self.options.kind,
            self.source,
            self.shifts,
            self.point,
            self.options.turn_limit,
            path,
            n_games,
            tally,
        )

    def _keep_some(self, place: int, child: Array, n_games: int, tally: Array) -> None:
        """Play the first games from `child` and keep their plies."""
        kept = self.kept.setdefault(place, Kept())
        for _ in range(n_games):
            before = tally.copy()
            while self._slice(child, 1, tally, self.path) == 0:
                pass  # what was too small is larger now
            kept.add(self.path[1 : 1 + self.path[0]].tolist(), int(np.argmax(tally - before)))

    def _n_cells(self, plies: list[int]) -> int:
        """The cells on which plies end; as many as plies where the game does not name cells."""
        if self.options.growth == "plies" or not hasattr(self.game, "ply_cells"):
            return len(plies)
        return len({tuple(self.game.ply_cells(self.state, ply)[:1]) for ply in plies})

    def _slice(self, child: Array, n_games: int, tally: Array, path: Array = UNNOTED) -> int:
        """Play some games from `child`; their number, and a wider buffer or path where one ended early."""
        n_played = int(self.play(*self._arguments(child, n_games, tally, path)))
        self.point += n_played
        if n_played < n_games and len(path) and path[0] == PATH_FULL:
            self.path = np.zeros(2 * len(path), np.int32)
        elif n_played < n_games:
            self._widen()
        return n_played

    def _widen(self) -> None:
        """Make room for the plies of a position; raises GameError where there was enough."""
        if self.game.max_plies <= len(self.buffer):
            here = self.game.write_position(self.scratch)
            raise GameError(f"{self.game.name}: a position is not over but has no plies: {here}")
        self.buffer = np.zeros(self.game.max_plies, np.int32)

    def _written(self, plies: list[int], children: Any, seconds: float, stopped: str | None) -> Recording:
        visited = np.flatnonzero(children["visits"] > 0)
        ranked = visited[np.argsort(-children["mean"][visited], kind="stable")]
        n_unvisited = len(plies) - len(visited)
        chosen = self._chosen(ranked, children, len(plies))
        rows, figures = self.rows(plies, children, ranked, self.kept)
        n_nodes = len(rows) - (1 if n_unvisited else 0)
        n_leaves = int(np.count_nonzero((rows["outcome"] == LEAF) | (rows["outcome"] == TERMINAL)))
        totals = Totals(n_nodes, n_leaves, 0, 0, 0)
        keeps = self.options.record
        result: dict[str, Any] = {}
        if chosen is not None:
            text = self.game.write_ply(self.state, plies[chosen])
            result["ply"] = text
            if len(ranked):
                best = children[chosen]
                result |= {"score": float(best["mean"]), "visits": int(best["visits"]), "pv": [text]}
                margin = _margin(children, ranked)
                if margin is not None:
                    result["margin"] = margin
        playouts = int(children["visits"].sum())
        result |= {"root": 0, "rank": 0, "seed": self.seed, "playouts": playouts, "playouts_each": self.each}
        if seconds > 0:
            result["playouts_per_second"] = round(playouts / seconds, 1)
        below = max((self.kept[place].depth for place in ranked.tolist() if place in self.kept), default=0)
        result |= {"cut_short": self.cut_short, "max_level": 1 + below if len(ranked) else 0}
        if stopped is not None:
            result["stopped"] = stopped
        result["seconds"] = seconds
        if keeps:
            result |= {"nodes": totals.nodes, "leaves": totals.leaves}
        return Recording(
            header=self.header(self.seed) | {"result": result},
            game=self.game,
            state=self.state,
            root_player=self.root_player,
            rows=rows if keeps else rows[:0],
            factors=np.empty((len(rows) if keeps else 0, 0)),
            stub_plies=np.empty(0, STUB_PLY),
            hits=np.empty(0, HIT),
            trees=(Tree(0, len(rows), playouts, totals),) if keeps else (),
            table=Next(self.options.turn + 1, self.raised),
            figures=figures if keeps else figures[:0],
        )

    def _chosen(self, ranked: Array, children: Any, n_plies: int) -> int | None:
        """The place of the best ply; without play-outs any ply, None of none."""
        if not len(ranked):
            return draw_below(self.source, n_plies) if n_plies and self.options.n == 0 else None
        best = ranked[children["mean"][ranked] == children["mean"][ranked[0]]]
        return int(best[draw_below(self.source, len(best)) if self.options.ties == "random" else 0])


def _margin(children: Any, ranked: Array) -> float | None:
    """The lead of the best ply over the second, in standard errors; None with one ply, or without spread."""
    if len(ranked) < 2:
        return None
    one, two = children[ranked[0]], children[ranked[1]]
    spread = math.hypot(one["stderr"], two["stderr"])
    return float((one["mean"] - two["mean"]) / spread) if spread > 0 else None
