"""A whole run: options, deepening, windows, limits, progress, the rank; what comes out is a `Recording`.

Meets numba only when a kernel game is searched compiled, and knows nothing of who asks: progress and stopping
are callbacks. It is longer than 300 lines because a run is one state that its parts share.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from engine import counters, jit
from engine.game import ONGOING, GameError, with_all_kernels
from engine.header import Choice, Course, header_of
from engine.options import (
    DRAW_SCORE,
    MATE_STEP,
    MOST_DEPTH,
    NULL_WIDTH,
    OptionError,
    SearchOptions,
    check_game,
    mate_score,
    weights_of,
)
from engine.plain import PlainKernels
from engine.quotient import draw_rank
from engine.recording import Recording, Totals, Tree, line_of
from engine.rows import (
    MOST_MOVES,
    NULL_PLY,
    STOPPED,
    USED_TO_CUT,
    USED_TO_NARROW,
    Memory,
    enlarged,
    free_bytes,
    machine_rows,
    reserve,
)
from engine.search import FINISHED, ROWS_FULL
from engine.search import search as search_kernel
from engine.stack import COUNTS, NOT_BEGUN, OPTIONS, PROBING, Array, stack_for, widened
from engine.table import AGES, NOT_IN_LOG, Table, table_for
from engine.visit import NO_PLIES, TOO_NARROW

SLICE_SECONDS: Final = 0.03
"""About how long the search goes on between two looks at the clock and the callbacks."""

FIRST_SLICE: Final = 64
"""Nodes before the first look; from there on the slices follow the speed."""

LEAST_ROWS: Final = 1_000

OPEN_WINDOW: Final = (-math.inf, math.inf)


@dataclass(frozen=True)
class Progress:
    """Where a run is: `compiling` first, where its search is not on disk yet (seconds), then `searching`.

    `ply` and `score` are the best so far: of the iteration that is running, else of the one before.
    """

    phase: Literal["compiling", "searching"]
    game: str
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    ply: str | None = None
    score: float | None = None


def search(
    game: Any,
    position: str | None = None,
    options: SearchOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    *,
    compiled: bool = True,
    first_rows: int | None = None,
    most_rows: int | None = None,
    table: Table | None = None,
) -> Recording:
    """Search `position` (text; the game's start where None) and record it.

    `game` is a kernel game or a plain one (see `engine.game`); with `compiled=False` a kernel game runs as
    plain Python too, with the same log. `on_progress` is called at least ten times a second, `should_stop`
    as often: once it answers True the run ends, with a whole log. Memory is reserved for `first_rows` rows
    and grows up to `most_rows`; by default both are what this machine has memory for. `table` is the
    transposition table of an earlier recording, which this run goes on to fill. Raises `GameError` for a
    position that cannot be read, `OptionError` for weights of factors that the game does not have, for
    techniques that it has no kernel for, for a table whose scores mean something else.

    >>> from engine.games.tictactoe import GAME
    >>> search(GAME, "XX. OO. ... X", SearchOptions(depth=2), compiled=False).ply
    'c3'
    """
    run = _Run(game, position, options or SearchOptions(), on_progress, should_stop, compiled)
    run.take_table(table)
    run.set_up(first_rows, most_rows)
    return run.recording()


_MEANING: Final = (
    "game",
    "numbering of positions",
    "set of weights",
    "table_depth",
    "limit",
    "quiescence",
    "null_move",
    "reductions",
    "futility",
)


class _Run:
    """One run of `search`, from options to recording."""

    def __init__(
        self,
        game: Any,
        position: str | None,
        options: SearchOptions,
        on_progress: Callable[[Progress], None] | None,
        should_stop: Callable[[], bool] | None,
        compiled: bool,
    ) -> None:
        is_plain = hasattr(game, "plies")
        check_game(game, options)
        self.game = PlainKernels(game) if is_plain else game
        self.options = options
        self.on_progress = on_progress
        self.should_stop = should_stop
        self.weights = weights_of(game, options)
        start = None if is_plain else game.start
        self.state: Array = self.game.read_position(start if position is None else position)
        self.root_player = int(self.game.player(self.state))
        self.trees: list[Tree] = []
        self.choice: Choice | None = None
        self.stopped: str | None = None
        self.slice = FIRST_SLICE
        self.is_plain = is_plain
        self.has_check = hasattr(game, "in_check")
        self.in_place = not is_plain and hasattr(game, "undo")
        self.compiled = compiled and not is_plain

    def take_table(self, carried: Table | None) -> None:
        """Have a table where one is asked for: `carried`, or an empty one."""
        options = self.options
        self.is_carried = carried is not None
        self.table: Table | None = None
        if options.table is None:
            if carried is not None:
                raise OptionError(
                    f"table: a table is carried; expected its size, table={carried.megabytes!r}"
                )
            return
        meaning = self._meaning()
        if carried is None:
            free = free_bytes() // 2**20
            try:
                if options.table > free:
                    raise MemoryError
                self.table = table_for(options.table, meaning)
            except MemoryError:
                raise OptionError(
                    f"table: {options.table!r} MB, expected at most {free}, as are free here"
                ) from None
            return
        if carried.megabytes != options.table:
            raise OptionError(
                f"table: {options.table!r} MB, but the carried one was made with table={carried.megabytes!r}"
            )
        for name, mine, its in zip(_MEANING, meaning, carried.meaning, strict=True):
            if mine != its:
                raise OptionError(
                    f"table: the carried table's scores were found with another {name}: {its!r:.80}, "
                    f"expected {mine!r:.80}"
                )
        carried.leave_recording()
        self.table = carried

    def _meaning(self) -> tuple[Any, ...]:
        """What decides a score besides position and depth, in the order of `_MEANING`."""
        has_keys = not self.is_plain or hasattr(self.game.game, "key")
        keys = "" if has_keys else object()
        if getattr(self.game, "keys_need_position", False):
            keys = self.game.write_position(self.state)
        options = self.options
        scores = (options.limit, options.quiescence, options.null_move, options.reductions, options.futility)
        return (self.game.name, keys, tuple(self.weights.items()), options.table_depth, *scores)

    # Setting up ------------------------------------------------------------------------------------------

    def set_up(self, first_rows: int | None = None, most_rows: int | None = None) -> None:
        """Have all ready that the search needs: the rank, the stack, memory, machine code."""
        self._draw_rank()
        self._set_up_search()
        self._set_up_memory(first_rows, most_rows)
        self._bind()

    def _draw_rank(self) -> None:
        """Draw the rank, before anything is searched."""
        plies = np.zeros(self.game.max_plies, np.int32)
        n_plies = 0
        if self.game.status(self.state) == ONGOING:
            while (n_plies := int(self.game.generate(self.state, plies))) < 0:
                plies = np.zeros(self.game.max_plies, np.int32)
        self.rank, self.seed = 0, self.options.seed
        if self.options.quotient is not None:
            if self.seed is None:
                self.seed = secrets.randbits(32)
            self.rank = draw_rank(self.options.quotient, self.seed, min(n_plies, self._limit()))

    def _limit(self) -> int:
        return self.options.limit or MOST_MOVES

    def _set_up_search(self) -> None:
        sign = 1.0 if self.root_player == 0 else -1.0
        weights = np.array([sign * weight for weight in self.weights.values()], np.float64)
        options = self.options
        depth = options.depth + (options.quiescence or 0)
        entries = None if self.table is None else self.table.entries
        self.stack = stack_for(
            self.state, weights, depth, self.game.max_plies, self.rank, entries, in_place=self.in_place
        )
        self.counts = np.zeros(1, COUNTS)
        self.settings = np.zeros(1, OPTIONS)
        setting = self.settings[0]
        setting["root_player"] = self.root_player
        setting["limit"] = self._limit()
        setting["prunes"] = options.algorithm != "minimax"
        setting["scouts"] = options.algorithm == "pvs"
        unstable = (options.table, options.null_move, options.reductions, options.futility)
        setting["trusts_scouts"] = all(each is None for each in unstable)
        setting["null_width"] = NULL_WIDTH
        setting["mate"] = mate_score(self.game, self.weights)
        setting["mate_step"] = MATE_STEP
        setting["mate_threshold"] = setting["mate"] - MATE_STEP * MOST_DEPTH
        setting["draw"] = DRAW_SCORE
        setting["fails_hard"] = options.fail == "hard"
        setting["uses_table"] = options.table is not None
        setting["uses_deeper"] = options.table_depth == "at_least"
        setting["narrows"] = options.table_use == "narrow" and options.algorithm != "minimax"
        setting["killers"] = options.killers
        setting["history"] = options.history
        setting["probe_reduction"] = options.internal_deepening or 0
        setting["quiescence"] = options.quiescence or 0
        setting["null_reduction"] = options.null_move or 0
        setting["reduce_from"] = options.reductions or 0
        setting["margin"] = options.futility or 0.0
        asking = (options.quiescence, options.null_move, options.reductions, options.futility)
        setting["asks_check"] = any(each is not None for each in asking) and self.has_check

    def _set_up_memory(self, first_rows: int | None, most_rows: int | None) -> None:
        dtype = np.dtype(getattr(self.game, "factor_dtype", np.float64))
        has_table = self.table is not None
        if most_rows is None:
            most_rows = machine_rows(len(self.weights), dtype, has_table=has_table)
        self.most_rows = most_rows
        self.memory: Memory | None = None
        if self.options.record:
            n_levels, n_moves = self.stack.plies.shape
            n_rows = min(first_rows or self.most_rows, self.most_rows)
            while self.memory is None:
                try:
                    self.memory = reserve(
                        n_rows, len(self.weights), dtype, n_levels, n_moves, has_table=has_table
                    )
                except MemoryError:
                    if n_rows <= LEAST_ROWS:
                        raise
                    n_rows //= 2

    def _bind(self) -> None:
        self.step: Callable[..., int] = search_kernel
        self.bound: Any = self.game if self.is_plain else with_all_kernels(self.game)
        if self.compiled:
            self.step, self.bound = jit.compiled(search_kernel), jit.bind(self.bound)
            if self.on_progress and jit.needs_compiling(self.step, *self._arguments(0)):
                self.on_progress(Progress("compiling", self.game.name))
            jit.load(self.step, *self._arguments(0))

    def _arguments(self, node_budget: int) -> tuple[Any, ...]:
        return self.bound, self.settings, self.stack, self.counts, self.memory, node_budget

    # Searching -------------------------------------------------------------------------------------------

    def recording(self) -> Recording:
        """Search every iteration, then gather what was found."""
        self.begun = time.perf_counter()
        depth_reached = 0
        for depth in self._depths():
            if not self._iteration(depth):
                break
            depth_reached = depth
            if self.at_horizon == 0 or (depth < self.options.depth and self._must_stop()):
                break  # every line was played to its end, or a limit was reached between two iterations
        seconds = time.perf_counter() - self.begun
        return self._gather(depth_reached, seconds)

    def _depths(self) -> range:
        return range(1 if self.options.iterative else self.options.depth, self.options.depth + 1)

    def _iteration(self, depth: int) -> bool:
        """Search to `depth`, with a wider window as long as the score falls outside; False when stopped."""
        window = OPEN_WINDOW
        width = self.options.aspiration
        if width is not None and self.choice is not None and self.rank == 0:
            window = (self.choice.score - width, self.choice.score + width)
        self._age()
        while self._tree(depth, window):
            score = float(self.counts[0]["score"])
            if window != OPEN_WINDOW:
                tried = self.stack.counters[counters.ASPIRATION]
                tried[counters.TRIED] += 1
                tried[counters.SUCCEEDED] += window[0] < score < window[1]
            if score <= window[0]:
                window = (-math.inf, window[1])
            elif score >= window[1]:
                window = (window[0], math.inf)
            else:
                self._choose(len(self.trees) - 1)
                return True
        return False

    def _age(self) -> None:
        """A new iteration: what was learnt before weighs less."""
        self.stack.history[:] //= 2
        if self.table is None:
            return
        if self.options.table_keep == "clear" and self.trees:
            self.table.clear()
        self.table.age = (self.table.age + 1) % AGES
        self.settings[0]["age"] = self.table.age

    def _choose(self, tree: int) -> None:
        """The ply of the drawn rank in a tree whose score is exact."""
        if self.counts[0]["n_ranked"] == 0:  # the game is over
            self.choice = Choice(tree, None, float(self.counts[0]["score"]), ())
            return
        chosen = self.stack.ranked[self.rank]
        ply, score = int(chosen["ply"]), float(chosen["score"])
        line = [ply]
        if self.memory is not None:
            line = line_of(self.memory.rows, self.trees[tree].row, ply)
        texts = self._written(line)
        self.choice = Choice(tree, texts[0], score, texts)

    def _written(self, line: list[int]) -> tuple[str, ...]:
        """The plies of a line as text, each written in the position that it is played in."""
        state = self.state.copy()
        texts = []
        for ply in line:
            texts.append(self.game.write_ply(state, ply))
            self.game.apply(state, ply)
        return tuple(texts)

    def _tree(self, depth: int, window: tuple[float, float]) -> bool:
        """Search one tree; False when it was stopped, its open nodes closed as such."""
        setting, count = self.settings[0], self.counts[0]
        setting["depth"] = depth
        setting["alpha"], setting["beta"] = window
        count["level"] = NOT_BEGUN
        count["n_ranked"] = 0
        before = self.counts.copy()[0]
        self._step_until_done(depth)
        if self.stopped is not None:
            self._close_open_nodes()
        self.at_horizon = int(count["at_horizon"] - before["at_horizon"])
        totals = Totals(*(int(count[name] - before[name]) for name in Totals._fields))
        self.trees.append(Tree(int(before["n_rows"]), int(count["n_rows"]), depth, totals))
        return self.stopped is None

    def _step_until_done(self, depth: int) -> None:
        count = self.counts[0]
        while self.stopped is None:
            budget = int(count["nodes"]) + self.slice
            if self.options.nodes is not None:
                budget = min(budget, self.options.nodes)
            nodes, began = int(count["nodes"]), time.perf_counter()
            reason = self.step(*self._arguments(budget))
            if reason == FINISHED:
                return
            if reason == ROWS_FULL:
                self._enlarge()
            elif reason == TOO_NARROW:
                self.stack = widened(self.stack, self.game.max_plies)
                if self.memory is not None:
                    self.memory = self.memory.widened(self.game.max_plies)
            elif reason == NO_PLIES:
                raise GameError(f"{self.game.name}: a position is not over but has no plies: {self._here()}")
            else:
                self._follow_speed(int(count["nodes"]) - nodes, time.perf_counter() - began)
                self._report(depth)
                self._must_stop()

    def _must_stop(self) -> bool:
        """Whether a limit or the caller ends the run; notes which."""
        options = self.options
        if options.nodes is not None and self.counts[0]["nodes"] >= options.nodes:
            self.stopped = "nodes"
        elif options.seconds is not None and time.perf_counter() - self.begun >= options.seconds:
            self.stopped = "seconds"
        elif self.should_stop is not None and self.should_stop():
            self.stopped = "request"
        return self.stopped is not None

    def _follow_speed(self, nodes: int, seconds: float) -> None:
        wanted = nodes * SLICE_SECONDS / max(seconds, 1e-6)
        self.slice = int(min(max(wanted, 1, self.slice / 4), 4 * self.slice))

    def _report(self, depth: int) -> None:
        if self.on_progress is None:
            return
        best = (
            None if self.choice is None or self.choice.ply is None else (self.choice.ply, self.choice.score)
        )
        if (n_ranked := int(self.counts[0]["n_ranked"])) > 0:
            ranked = self.stack.ranked[min(n_ranked - 1, self.rank)]
            best = self.game.write_ply(self.state, int(ranked["ply"])), float(ranked["score"])
        ply, score = best or (None, None)
        seconds = time.perf_counter() - self.begun
        nodes = int(self.counts[0]["nodes"])
        self.on_progress(Progress("searching", self.game.name, depth, nodes, seconds, ply, score))

    def _enlarge(self) -> None:
        assert self.memory is not None
        count = self.counts[0]
        larger = enlarged(
            self.memory,
            int(count["n_rows"]),
            int(count["n_stub_plies"]),
            self.most_rows,
            int(count["n_hits"]),
        )
        if larger is None:
            self.stopped = "memory"
        else:
            self.memory = larger

    def _close_open_nodes(self) -> None:
        if self.memory is None:
            return
        for level in range(int(self.counts[0]["level"]) + 1):
            row = self.memory.rows[self.stack.frames[level]["row"]]
            row["outcome"] = STOPPED
            row["end"] = self.counts[0]["n_rows"]

    def _here(self) -> str:
        """The position that the search was about to enter."""
        level = int(self.counts[0]["level"])
        state = self.state.copy()
        frames = self.stack.frames[: level + 1]
        plies = frames["ply"][1:].tolist()
        if level >= 0:
            last = frames[level]
            place = last["probe"] if last["phase"] == PROBING else last["next"]
            by_ply = last["phase"] >= PROBING
            plies.append(int(self.stack.plies[level, self.stack.order[level, place]]) if by_ply else NULL_PLY)
        for ply in plies:
            if ply == NULL_PLY:
                self.game.pass_turn(state)
            else:
                self.game.apply(state, ply)
        return str(self.game.write_position(state))

    # Gathering -------------------------------------------------------------------------------------------

    def _kept(self) -> range:
        """The trees whose rows are kept: all, or those of the iteration that gave the choice."""
        if self.options.keep == "all" or self.choice is None:
            return range(len(self.trees))
        iteration = self.trees[self.choice.tree].iteration
        first = next(i for i, tree in enumerate(self.trees) if tree.iteration == iteration)
        return range(first, self.choice.tree + 1)

    def _gather(self, depth_reached: int, seconds: float) -> Recording:
        kept = self._kept()
        trees = self.trees[kept.start : kept.stop]
        memory = self.memory or reserve(0, len(self.weights), np.float64, 0, 0)
        first, end = trees[0].row, trees[-1].end
        rows = memory.rows[first:end]
        if first > 0:
            rows["parent"] = np.where(rows["parent"] < 0, -1, rows["parent"] - first)
            rows["end"] -= first
        hits = self._hits(memory, first, end)
        choice = None if self.choice is None else self.choice._replace(tree=self.choice.tree - kept.start)
        header = header_of(
            self.game,
            self.game.write_position(self.state),
            self.options,
            self.settings[0],
            self.weights,
            choice,
            tuple(tree.totals for tree in trees),
            Course(depth_reached, seconds, self.stopped, self.rank, self.seed),
            self._counted(hits),
            table_carried=self.is_carried,
        )
        return Recording(
            header=header,
            game=self.game,
            state=self.state,
            root_player=self.root_player,
            rows=rows,
            factors=memory.factors[first:end],
            stub_plies=memory.stub_plies[: int(self.counts[0]["n_stub_plies"])],
            hits=hits,
            trees=tuple(tree.shifted(-first) for tree in trees),
            table=self.table,
        )

    def _hits(self, memory: Memory, first: int, end: int) -> Array:
        """The table entries found at the rows that are kept, numbered as these are."""
        hits = memory.hits[: int(self.counts[0]["n_hits"])]
        from_row, to_row = np.searchsorted(hits["row"], (first, end))
        hits = hits[from_row:to_row]
        if first > 0:
            hits["row"] -= first
            hits["source"] = np.where(hits["source"] < first, NOT_IN_LOG, hits["source"] - first)
        return hits

    def _counted(self, hits: Array) -> dict[str, Any]:
        """What the result says of the techniques that are on."""
        counted: dict[str, Any] = {}
        if self.table is not None:
            counted["tt_hits"] = int(self.counts[0]["table_uses"])
            if self.memory is not None:  # of the rows that are kept, as the totals are
                counted["tt_hits"] = int(np.isin(hits["use"], (USED_TO_CUT, USED_TO_NARROW)).sum())
        names = counters.names_of(self.options)
        if names:
            rows = {name: self.stack.counters[counters.NAMES.index(name)].tolist() for name in names}
            counted["counters"] = {
                name: {"tried": tried, "succeeded": succeeded} for name, (tried, succeeded) in rows.items()
            }
        return counted
