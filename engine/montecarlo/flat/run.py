"""A whole flat Monte Carlo search: each legal ply played out, and a row for each in the log."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.former import ENGINE
from plyscope.engine.game import (
    DRAWN,
    FIRST_WON,
    ONGOING,
    SCORED,
    SECOND_WON,
    Array,
    GameError,
    State,
    state_of,
)
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.montecarlo.draws import draw_below, source_of
from plyscope.engine.montecarlo.flat.kept import Kept
from plyscope.engine.montecarlo.flat.options import FlatOptions
from plyscope.engine.montecarlo.flat.playing import PATH_FULL, noted_play_out, play_outs_by
from plyscope.engine.montecarlo.flat.sources import shifts_of
from plyscope.engine.montecarlo.header import UNIT
from plyscope.engine.montecarlo.playout import winner_of
from plyscope.engine.montecarlo.run import Progress
from plyscope.engine.options import judged, weights_of
from plyscope.engine.record.header import factors_of, of_unknown_game
from plyscope.engine.record.recording import Recording, Totals, Tree
from plyscope.engine.record.rows import (
    DRAW,
    FIGURES,
    HIT,
    LEAF,
    LOSS,
    ROW,
    SEARCHED,
    STUB_PLY,
    TERMINAL,
    UNLOGGED,
    WIN,
)

SLICE: Final = 2_000
"""Games between two questions whether the search is to stop."""
PATH_ROOM: Final = 512
"""Plies of a play-out that is kept for which there is room at first."""
FLAT_FIGURES: Final = np.dtype([*FIGURES.descr, ("stderr", np.float64), ("seconds", np.float64)])
"""`FIGURES`, and of each ply the standard error of its mean and the seconds that it took."""


def search(
    game: Any,
    position: str | State | None = None,
    options: FlatOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    *,
    compiled: bool = True,
) -> Recording:
    """Play out every legal ply of `position`, and record what came of each.

    `position` is text, or a state, which is copied; None: the game's start. `game` is a kernel game or a
    plain one; with `compiled=False` a kernel game runs as plain Python too, with the same log but for the
    times. `should_stop` is asked between slices of play-outs. Raises `GameError` for a position that cannot
    be read, `OptionError` for weights of unknown factors. The recording's `table` is the number of play-outs
    of each ply with which a progressive player goes on.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> search(GAME, "XX. OO. ... X", FlatOptions(n=50, seed=1), compiled=False).ply
    'c3'
    """
    return _Run(game, position, options or FlatOptions(), compiled).recording(on_progress, should_stop)


def stderr_of(wins: int, draws: int, visits: int) -> float:
    """Return the standard error of a mean of results 1, 0.5 and 0; NaN without a visit.

    >>> stderr_of(50, 0, 100)
    0.05
    """
    if visits == 0:
        return math.nan
    mean = (wins + draws / 2) / visits
    return math.sqrt(max(0.0, (wins + draws / 4) / visits - mean * mean) / visits)


class _Run:
    """One run of `search`, from options to recording."""

    def __init__(self, game: Any, position: str | State | None, options: FlatOptions, compiled: bool) -> None:
        enter(game)
        game = judged(game, options.evaluation)
        is_plain = hasattr(game, "plies")
        self.game: Any = PlainKernels(game) if is_plain else game
        self.options = options
        self.weights = weights_of(game, options)
        self.state: Array = state_of(self.game, position)
        self.root_player = int(self.game.player(self.state))
        self.seed = secrets.randbits(32) if options.seed is None else options.seed
        self.source = source_of(self.seed)
        self.shifts = shifts_of(self.source)
        self.weight_array = np.array(list(self.weights.values()), np.float64)
        self.values = np.zeros(len(self.weights), np.float64)
        self.buffer = np.zeros(self.game.max_plies, np.int32)
        self.compiled = compiled and not is_plain
        self.play: Any = play_outs_by
        self.play_noted: Any = noted_play_out
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
        plies = self._legal() if self.game.status(self.state) == ONGOING else []
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
            _fill(children[place], tally, self.root_player, time.perf_counter() - ply_began)
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
        arguments = self._arguments(self.state, 0, np.zeros(SCORED + 1, np.int64))
        kernels = [(self.play, arguments)]
        if self.options.record_playouts and self.options.record:
            self.play_noted = jit.compiled(noted_play_out)
            kernels.append((self.play_noted, self._noted_arguments(self.state)))
        if on_progress and any(jit.needs_compiling(kernel, *taken) for kernel, taken in kernels):
            on_progress(Progress("compiling", self.game.name))
        for kernel, taken in kernels:
            jit.load(kernel, *taken)

    def _arguments(self, state: Array, n_games: int, tally: Array) -> tuple[Any, ...]:
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
            n_games,
            tally,
        )

    def _keep_some(self, place: int, child: Array, n_games: int, tally: Array) -> None:
        """Play the first games from `child` and keep their plies."""
        kept = self.kept.setdefault(place, Kept())
        for _ in range(n_games):
            while (outcome := self._noted(child)) < 0:
                if outcome == PATH_FULL:
                    self.path = np.zeros(2 * len(self.path), np.int32)
                else:
                    self._widen()
            self.point += 1
            tally[outcome] += 1
            kept.add(self.path[1 : 1 + self.path[0]].tolist(), outcome)

    def _noted(self, child: Array) -> int:
        """Play one game from `child`, its plies written into `path`; what it came to, or what was too small."""
        return int(self.play_noted(*self._noted_arguments(child)))

    def _noted_arguments(self, child: Array) -> tuple[Any, ...]:
        bound, state, scratch, *others, _, _ = self._arguments(child, 1, self.path)
        copy_state(state, scratch)
        return (bound, scratch, *others, self.path)

    def _legal(self) -> list[int]:
        plies: list[int] = self.buffer[: self._n_legal(self.state)].tolist()
        return plies

    def _n_legal(self, state: Array) -> int:
        """How many plies there are, which `buffer` then holds."""
        while (n := int(self.game.generate(state, self.buffer))) < 0:
            self.buffer = np.zeros(self.game.max_plies, np.int32)
        return n

    def _n_cells(self, plies: list[int]) -> int:
        """The cells on which plies end; as many as plies where the game does not name cells."""
        if self.options.growth == "plies" or not hasattr(self.game, "ply_cells"):
            return len(plies)
        return len({tuple(self.game.ply_cells(self.state, ply)[:1]) for ply in plies})

    def _slice(self, child: Array, n_games: int, tally: Array) -> None:
        """Play some games from `child`, with a wider buffer where a plain game needs one."""
        n_played = int(self.play(*self._arguments(child, n_games, tally)))
        self.point += n_played
        if n_played < n_games:
            self._widen()

    def _widen(self) -> None:
        """Make room for the plies of a position; raises GameError where there was enough."""
        if self.game.max_plies <= len(self.buffer):
            here = self.game.write_position(self.scratch)
            raise GameError(f"{self.game.name}: a position is not over but has no plies: {here}")
        self.buffer = np.zeros(self.game.max_plies, np.int32)

    # Writing ---------------------------------------------------------------------------------------------

    def _written(self, plies: list[int], children: Any, seconds: float, stopped: str | None) -> Recording:
        visited = np.flatnonzero(children["visits"] > 0)
        ranked = visited[np.argsort(-children["mean"][visited], kind="stable")]
        n_unvisited = len(plies) - len(visited)
        chosen = self._chosen(ranked, children, len(plies))
        rows, figures = self._rows(plies, children, ranked, n_unvisited)
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
            header=self._header() | {"result": result},
            game=self.game,
            state=self.state,
            root_player=self.root_player,
            rows=rows if keeps else rows[:0],
            factors=np.empty((len(rows) if keeps else 0, 0)),
            stub_plies=np.empty(0, STUB_PLY),
            hits=np.empty(0, HIT),
            trees=(Tree(0, len(rows), playouts, totals),) if keeps else (),
            table=self.raised,
            figures=figures if keeps else figures[:0],
        )

    def _chosen(self, ranked: Array, children: Any, n_plies: int) -> int | None:
        """The place of the best ply; without play-outs any ply, None of none."""
        if not len(ranked):
            return draw_below(self.source, n_plies) if n_plies and self.options.n == 0 else None
        best = ranked[children["mean"][ranked] == children["mean"][ranked[0]]]
        return int(best[draw_below(self.source, len(best)) if self.options.ties == "random" else 0])

    def _rows(self, plies: list[int], children: Any, ranked: Array, n_unvisited: int) -> tuple[Array, Array]:
        n_kept = sum(len(kept) for kept in self.kept.values())
        n_rows = 1 + len(ranked) + n_kept + (1 if n_unvisited else 0)
        rows: Any = np.zeros(n_rows, ROW)
        figures: Any = np.zeros(n_rows, FLAT_FIGURES)
        for name in ("mean", "prior", "exploit", "explore", "stderr", "seconds"):
            figures[name] = math.nan
        for name in ("alpha", "beta", "score", "static"):
            rows[name] = math.nan
        self._write(rows[0], self.state, -1, -1)
        rows[0]["end"], rows[0]["moves"] = n_rows, len(plies)
        if plies:
            rows[0]["outcome"] = SEARCHED
        for name in ("visits", "wins", "draws", "losses"):
            figures[0][name] = children[name].sum()
        if figures[0]["visits"]:
            figures[0]["mean"] = (figures[0]["wins"] + figures[0]["draws"] / 2) / figures[0]["visits"]
        row = 1
        for place in ranked.tolist():
            child = self.state.copy()
            self.game.apply(child, plies[place])
            self._write(rows[row], child, plies[place], 0)
            figures[row] = children[place]
            kept = self.kept.get(place, Kept())
            if kept.children:
                rows[row]["outcome"], rows[row]["moves"] = SEARCHED, self._n_legal(child)
            row = kept.write(rows, figures, row, child, self.game.apply, self._fill_kept)
        if n_unvisited:
            last = rows[-1]
            last["parent"], last["end"], last["ply"], last["outcome"] = 0, n_rows, -1, UNLOGGED
            figures[-1]["count"] = n_unvisited
        return rows, figures

    def _write(self, row: Any, state: Array, ply: int, parent: int) -> None:
        row["parent"], row["ply"] = parent, ply
        row["player"], row["key"] = self.game.player(state), self.game.key(state)
        row["outcome"] = LEAF
        status = int(self.game.status(state))
        if status not in (ONGOING, SCORED):
            row["outcome"] = TERMINAL
            outcome = winner_of(self.game, state, status, self.values, self.weight_array)
            won = FIRST_WON if self.root_player == 0 else SECOND_WON
            row["ending"] = DRAW if outcome == DRAWN else WIN if outcome == won else LOSS

    def _fill_kept(self, row: Any, figure: Any, state: Array, ply: int, parent: int, kept: Kept) -> None:
        """Write a node of the play-outs that were kept."""
        self._write(row, state, ply, parent)
        if kept.children:
            row["outcome"], row["moves"] = SEARCHED, self._n_legal(state)
        wins, losses = kept.first_wins, kept.second_wins
        if self.root_player == 1:
            wins, losses = losses, wins
        draws = kept.visits - wins - losses
        figure["visits"], figure["wins"], figure["draws"], figure["losses"] = kept.visits, wins, draws, losses
        figure["mean"] = (wins + draws / 2) / kept.visits

    def _header(self) -> dict[str, Any]:
        options = self.options
        grows, is_mix = options.rollouts == "progressive", options.source == "mix"
        asked = {
            "rollouts": options.rollouts,
            "n": options.n,
            "growth": options.growth if grows else None,
            "growth_rate": options.growth_rate if grows else None,
            "source": options.source,
            "quasi_turns": options.quasi_turns if is_mix else None,
            "turn": options.turn if is_mix or options.turn > 1 else None,
            "most_playouts": options.most_playouts,
            "ties": options.ties,
            "record_playouts": options.record_playouts or None,
            "turn_limit": options.turn_limit,
            "seconds": options.seconds,
            "evaluation": options.evaluation,
            "seed": self.seed,
        }
        search = {
            "algorithm": options.algorithm,
            "engine": ENGINE,
            "order": "best_first",
            "choose": "mean",
            "unit": UNIT,
            "range": [0.0, 1.0],
            "draw": 0.5,
            "options": {name: value for name, value in asked.items() if value is not None},
        }
        return {
            "plyscope": 1,
            "game": self.game.name,
            "position": self.game.write_position(self.state),
            "players": list(self.game.players),
            "search": search | of_unknown_game(self.game),
            "factors": factors_of(self.game, self.weights),
        }


def _fill(figure: Any, tally: Array, root_player: int, seconds: float) -> None:
    """Write what a ply's play-outs came to, as the root player sees it."""
    won, lost = (FIRST_WON, SECOND_WON) if root_player == 0 else (SECOND_WON, FIRST_WON)
    for name in ("prior", "exploit", "explore"):
        figure[name] = math.nan
    wins, losses, visits = int(tally[won]), int(tally[lost]), int(tally.sum())
    draws = visits - wins - losses
    figure["visits"], figure["wins"], figure["draws"], figure["losses"] = visits, wins, draws, losses
    figure["mean"] = (wins + draws / 2) / visits if visits else math.nan
    figure["stderr"] = stderr_of(wins, draws, visits)
    figure["seconds"] = seconds


def _margin(children: Any, ranked: Array) -> float | None:
    """How many standard errors the best ply leads the second by; None where neither shows any spread."""
    if len(ranked) < 2:
        return None
    one, two = children[ranked[0]], children[ranked[1]]
    spread = math.hypot(one["stderr"], two["stderr"])
    return float((one["mean"] - two["mean"]) / spread) if spread > 0 else None
