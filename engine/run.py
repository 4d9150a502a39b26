"""A whole run: deepening, windows, slices, progress. Its result is a `Recording`.

It loads numba only when a kernel game is searched compiled, and does not know its caller: progress and
stopping are callbacks. Code that needs only a part of the state of a run is in modules of its own:
`settings`, `carrying` (the table), `memory`, `watch` (the clock), `lines`, `gathering`.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import numpy as np

from plyscope.engine.alphabeta import counters
from plyscope.engine.alphabeta.carrying import meaning_of, table_of
from plyscope.engine.alphabeta.gathering import counted, hits_between, kept_trees, rows_between
from plyscope.engine.alphabeta.lines import entering, line_in_table
from plyscope.engine.alphabeta.proof import MOST_NOTES, is_proven, with_noted
from plyscope.engine.alphabeta.search import FINISHED, ROWS_FULL
from plyscope.engine.alphabeta.search import search as search_kernel
from plyscope.engine.alphabeta.settings import limit_of, settings_of
from plyscope.engine.alphabeta.stack import COUNTS, NOT_BEGUN, stack_for, widened
from plyscope.engine.alphabeta.table import AGES, Table
from plyscope.engine.alphabeta.visit import NO_PLIES, TOO_NARROW
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.expectimax import Expectimax
from plyscope.engine.game import CHANCE, ONGOING, Array, GameError, State, root_player_of, state_of
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.options import SearchOptions, check_game, judged, mate_score, weights_of
from plyscope.engine.quotient import draw_rank
from plyscope.engine.record.header import Choice, Course, header_of
from plyscope.engine.record.memory import Memory, enlarged, machine_rows, reserve, reserve_most
from plyscope.engine.record.ply_texts import written
from plyscope.engine.record.recording import Recording, Totals, Tree, line_of
from plyscope.engine.record.rows import OPEN, STOPPED
from plyscope.engine.record.touch_ahead import TouchAhead
from plyscope.engine.step import Step
from plyscope.engine.watch import Watch

OPEN_WINDOW: Final = (-math.inf, math.inf)


@dataclass(frozen=True)
class Progress:
    """The state of a run: `compiling` where it is compiled first, for seconds, then `searching`.

    `is_compiling`: it runs as plain Python, and its machine code is made meanwhile. `ply` and `score` are the
    best so far: of the running iteration, else of the one before.
    """

    phase: Literal["compiling", "searching"]
    game: str
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    ply: str | None = None
    score: float | None = None
    is_compiling: bool = False


@dataclass(frozen=True)
class Iteration:
    """The choice of a finished iteration; `line` is its principal variation as far as known, ply included.

    If rows are not recorded, the line is read from the table, as far as entries there are exact.
    """

    depth: int
    ply: str
    score: float
    line: tuple[str, ...]


def search(
    game: Any,
    position: str | State | None = None,
    options: SearchOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    *,
    compiled: bool | None = None,
    first_rows: int | None = None,
    most_rows: int | None = None,
    table: Table | None = None,
    on_iteration: Callable[[Iteration], None] | None = None,
    on_rows: Callable[[int, Callable[[], Recording]], None] | None = None,
) -> Recording:
    """Search `position` (text, or a state, which is copied; None: the game's start) and record the search.

    `game` is a kernel game or a plain one (see `plyscope.engine.game`). A kernel game runs by machine code as
    soon as there is any (see `Step`), with `compiled=True` from the first node on, with False never; the log
    is the same. `on_progress` and `should_stop` are called at least ten times
    a second; once `should_stop` returns True the run ends, with a whole log. Memory is reserved for
    `first_rows` rows and grows up to `most_rows`; by default both are what this machine has memory for.
    `table` is the transposition table of an earlier recording, which this run continues to fill.
    `on_iteration` is called with every finished iteration, `on_rows` as often as `on_progress`: with the
    nodes so far, and a function that copies the run as it stands until `on_rows` returns. Raises `GameError`
    for a position that cannot be read; `OptionError` for weights of unknown factors, for techniques without a
    kernel of the game, and for a table with scores of another meaning.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> search(GAME, "XX. OO. ... X", SearchOptions(depth=2), compiled=False).ply
    'c3'
    """
    run = _Run(game, position, options or SearchOptions(), on_progress, should_stop, compiled)
    run.on_iteration, run.on_rows = on_iteration, on_rows
    run.take_table(table)
    run.set_up(first_rows, most_rows)
    return run.recording()


def prepare(game: Any, options: SearchOptions, *, compiled: bool | None = None) -> Callable[[], bool]:
    """Return a function that loads the machine code of such searches, or has it made.

    It is called again while it answers False; searches run as plain Python meanwhile.
    """
    run = _Run(game, None, options, None, None, compiled)
    run.take_table(None)
    run.set_up(_FEWEST_ROWS, _FEWEST_ROWS)
    return lambda: run.step.get_ready(*run._arguments(0))


_FEWEST_ROWS: Final = 64


class _Run:
    """One run of `search`, from options to recording."""

    def __init__(
        self,
        game: Any,
        position: str | State | None,
        options: SearchOptions,
        on_progress: Callable[[Progress], None] | None,
        should_stop: Callable[[], bool] | None,
        compiled: bool | None,
    ) -> None:
        enter(game)
        is_plain = hasattr(game, "plies")
        check_game(game, options)
        game = judged(game, options.evaluation)
        self.game = PlainKernels(game) if is_plain else game
        self.options = options
        self.on_progress = on_progress
        self.should_stop = should_stop
        self.on_iteration: Callable[[Iteration], None] | None = None
        self.on_rows: Callable[[int, Callable[[], Recording]], None] | None = None
        self.running: tuple[int, int] | None = None
        """First row and depth of the tree that is being searched."""
        self.weights = weights_of(game, options)
        self.state: Array = state_of(self.game, position)
        self.root_player = root_player_of(self.game, self.state)
        self.trees: list[Tree] = []
        self.is_proven = False
        self.choice: Choice | None = None
        self.is_plain = is_plain
        self.has_check = hasattr(game, "in_check")
        self.in_place = not is_plain and hasattr(game, "undo")
        self.is_expectimax = options.algorithm == "expectimax"
        self.compiled = False if is_plain or self.is_expectimax else compiled

    def take_table(self, carried: Table | None) -> None:
        """Set the table, if the options ask for one: `carried`, or an empty one."""
        has_keys = not self.is_plain or hasattr(self.game.game, "key")
        meaning = meaning_of(self.game, self.state, self.weights, self.options, has_keys=has_keys)
        self.table = table_of(self.options, meaning, carried)
        self.is_carried = carried is not None
        if self.table is not None:
            self.table.names_rows = self.options.record

    # Setting up ------------------------------------------------------------------------------------------

    def set_up(self, first_rows: int | None = None, most_rows: int | None = None) -> None:
        """Prepare all that the search needs: the rank, the stack, memory, machine code."""
        self._draw_rank()
        self._set_up_search()
        self._set_up_memory(first_rows, most_rows)
        self._bind()

    def _draw_rank(self) -> None:
        plies = np.zeros(self.game.max_plies, np.int32)
        n_plies = 0
        if self.game.status(self.state) == ONGOING and self.game.player(self.state) != CHANCE:
            while (n_plies := int(self.game.generate(self.state, plies))) < 0:
                plies = np.zeros(self.game.max_plies, np.int32)
        self.rank, self.seed = 0, self.options.seed
        if self.options.quotient is not None:
            if self.seed is None:
                self.seed = secrets.randbits(32)
            self.rank = draw_rank(self.options.quotient, self.seed, min(n_plies, limit_of(self.options)))

    def _set_up_search(self) -> None:
        sign = 1.0 if self.root_player == 0 else -1.0
        weights = np.array([sign * weight for weight in self.weights.values()], np.float64)
        options = self.options
        depth = options.depth + (options.quiescence or 0)
        entries = None if self.table is None else self.table.entries
        self.stack = stack_for(
            self.state,
            weights,
            depth,
            self.game.max_plies,
            self.rank,
            entries,
            in_place=self.in_place,
            full=None if self.table is None else self.table.full,
            n_notes=MOST_NOTES if options.prove_wins else 0,
        )
        self.counts = np.zeros(1, COUNTS)
        mate = mate_score(self.game, self.weights)
        self.settings = settings_of(options, self.root_player, mate, has_check=self.has_check)

    def _set_up_memory(self, first_rows: int | None, most_rows: int | None) -> None:
        dtype = np.dtype(getattr(self.game, "factor_dtype", np.float64))
        has_table = self.table is not None
        if most_rows is None:
            most_rows = machine_rows(len(self.weights), dtype, has_table=has_table)
        self.most_rows = most_rows
        self.memory: Memory | None = None
        if self.options.record:
            n_rows = min(first_rows or most_rows, most_rows)
            n_moves = self.game.max_plies
            self.memory = reserve_most(n_rows, len(self.weights), dtype, n_moves, has_table=has_table)

    def _bind(self) -> None:
        bound = self.game if self.is_plain or self.is_expectimax else with_all_kernels(self.game)
        tell = self.on_progress
        self.step = Step(
            Expectimax() if self.is_expectimax else search_kernel,
            bound,
            self._arguments(0),
            self.options,
            compiled=self.compiled,
            on_compiling=tell and partial(tell, Progress("compiling", self.game.name)),
        )

    def _arguments(self, node_budget: int) -> tuple[Any, ...]:
        return self.settings, self.stack, self.counts, self.memory, node_budget

    # Searching -------------------------------------------------------------------------------------------

    def recording(self) -> Recording:
        """Search every iteration, then gather the results."""
        self.watch = Watch(self.options, self.should_stop)
        with TouchAhead() as self.ahead:
            depth_reached = self._deepen()
            seconds = self.watch.seconds()
        return self._gather(depth_reached, seconds)

    def _deepen(self) -> int:
        """Search every iteration; returns the depth of the last that was finished."""
        depth_reached = 0
        for depth in self._depths():
            if not self._iteration(depth):
                break
            depth_reached = depth
            if self.watch.stopped is not None or self.at_horizon == 0:
                break  # a limit stopped the proof of a win or loss, or no line reached the horizon
            if depth < self.options.depth and self.watch.must_stop(self._nodes()):
                break  # a limit was reached between two iterations
        return depth_reached

    def _depths(self) -> range:
        return range(1 if self.options.iterative else self.options.depth, self.options.depth + 1)

    def _iteration(self, depth: int) -> bool:
        """Search to `depth`; False if that was stopped before any score was exact.

        A score outside the window is searched again with a wider window, an unproven win or loss with more
        replies.
        """
        window = OPEN_WINDOW
        width = self.options.aspiration
        if width is not None and self.choice is not None and self.rank == 0:
            window = (self.choice.score - width, self.choice.score + width)
        self._age()
        self.settings[0]["distrusts"] = False
        is_done = False
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
                is_done = True
                if not self._widen():
                    break
                window = OPEN_WINDOW
        if is_done:
            self._tell(depth)
        return is_done

    def _widen(self) -> bool:
        """Prepare to repeat an iteration with an unproven win or loss; False if there is nothing to prove.

        The positions noted on its proof keep all plies from here on. A fresh table replaces the old one,
        whose scores come from searches without those plies.
        """
        if not self.options.prove_wins:
            return False
        setting, count = self.settings[0], self.counts[0]
        is_again = bool(setting["distrusts"])
        tried = self.stack.counters[counters.PROVE_WINS]
        threshold = float(setting["mate_threshold"])
        proves = is_proven(self.stack, count, threshold)
        self.is_proven = proves and self.choice is not None and abs(self.choice.score) >= threshold
        if proves:
            tried[counters.SUCCEEDED] += is_again
            return False
        tried[counters.TRIED] += not is_again
        full = with_noted(self.stack.full, self.stack, count)
        if (is_again and len(full) == len(self.stack.full)) or self.watch.must_stop(self._nodes()):
            return False
        setting["distrusts"] = True
        self.stack = self.stack._replace(full=full)
        if self.table is not None:
            self.table.renew(full)
            self.stack = self.stack._replace(table=self.table.entries)
        return True

    def _age(self) -> None:
        """Begin a new iteration: halve the history, and age or clear the table."""
        self.stack.history[:] //= 2
        if self.table is None:
            return
        if self.options.table_keep == "clear" and self.trees:
            self.table.clear()
        self.table.age = (self.table.age + 1) % AGES
        self.settings[0]["age"] = self.table.age

    def _choose(self, tree: int) -> None:
        """Choose the ply of the drawn rank in a tree whose score is exact."""
        if self.counts[0]["n_ranked"] == 0:  # the game is over
            self.choice = Choice(tree, None, float(self.counts[0]["score"]), ())
            return
        chosen = self.stack.ranked[self.rank]
        ply, score = int(chosen["ply"]), float(chosen["score"])
        line = [ply]
        if self.memory is not None:
            line = line_of(self.memory.rows, self.trees[tree].row, ply)
        elif self.table is not None:
            line = line_in_table(self.game, self.state, ply, self.table.entries, self.trees[tree].iteration)
        texts = written(self.game, self.state, line)
        self.choice = Choice(tree, texts[0], score, texts)

    def _tell(self, depth: int) -> None:
        choice = self.choice
        if self.on_iteration is not None and choice is not None and choice.ply is not None:
            self.on_iteration(Iteration(depth, choice.ply, choice.score, choice.line))

    def _tree(self, depth: int, window: tuple[float, float]) -> bool:
        """Search one tree; False if it was stopped, in which case its open nodes are closed as `stopped`."""
        setting, count = self.settings[0], self.counts[0]
        setting["depth"] = depth
        setting["alpha"], setting["beta"] = window
        count["level"] = NOT_BEGUN
        count["n_ranked"] = count["n_notes"] = 0
        before = self.counts.copy()[0]
        self.running = int(before["n_rows"]), depth
        self._step_until_done(depth)
        self.running = None
        if self.watch.stopped is not None:
            self._close_open_nodes()
        self.at_horizon = int(count["at_horizon"] - before["at_horizon"])
        totals = Totals(*(int(count[name] - before[name]) for name in Totals._fields))
        self.trees.append(Tree(int(before["n_rows"]), int(count["n_rows"]), depth, totals))
        return self.watch.stopped is None

    def _step_until_done(self, depth: int) -> None:
        count = self.counts[0]
        while self.watch.stopped is None:
            nodes, began = self._nodes(), self.watch.seconds()
            reason = self.step(*self._arguments(self.watch.budget(nodes)))
            if self.memory is not None:
                self.ahead.follow(self.memory.filled(*self._written()))
            if reason == FINISHED:
                return
            if reason == ROWS_FULL:
                self._enlarge()
            elif reason == TOO_NARROW:
                self.stack = widened(self.stack, self.game.max_plies)
            elif reason == NO_PLIES:
                here = entering(self.game, self.state, self.stack, int(count["level"]))
                raise GameError(f"{self.game.name}: a position is not over but has no plies: {here}")
            else:
                self.watch.follow_speed(self._nodes() - nodes, self.watch.seconds() - began)
                self._report(depth)
                self.watch.must_stop(self._nodes())

    def _written(self) -> tuple[int, int, int]:
        count = self.counts[0]
        return int(count["n_rows"]), int(count["n_stub_plies"]), int(count["n_hits"])

    def _nodes(self) -> int:
        return int(self.counts[0]["nodes"])

    def _report(self, depth: int) -> None:
        if self.on_rows is not None and self.memory is not None:
            self.on_rows(self._nodes(), self._so_far)
        if self.on_progress is None:
            return
        best = (
            None if self.choice is None or self.choice.ply is None else (self.choice.ply, self.choice.score)
        )
        if (n_ranked := int(self.counts[0]["n_ranked"])) > 0:
            ranked = self.stack.ranked[min(n_ranked - 1, self.rank)]
            best = self.game.write_ply(self.state, int(ranked["ply"])), float(ranked["score"])
        ply, score = best or (None, None)
        seconds = self.watch.seconds()
        told = depth, self._nodes(), seconds, ply, score
        self.on_progress(Progress("searching", self.game.name, *told, self.step.is_compiling))

    def _enlarge(self) -> None:
        assert self.memory is not None
        n_rows, n_stub_plies, n_hits = self._written()
        n_moves = self.game.max_plies
        larger = enlarged(self.memory, n_moves, n_rows, n_stub_plies, self.most_rows, n_hits)
        if larger is None:
            self.watch.stopped = "memory"
        else:
            self.memory = larger

    def _close_open_nodes(self) -> None:
        if self.memory is None:
            return
        rows = self.memory.rows[: int(self.counts[0]["n_rows"])]
        is_open = rows["outcome"] == OPEN
        rows["end"][is_open], rows["outcome"][is_open] = len(rows), STOPPED

    # Gathering -------------------------------------------------------------------------------------------

    def _so_far(self) -> Recording:
        """Copy the run as it stands between two slices: the nodes that it is in are open."""
        assert self.memory is not None
        n_rows, n_stub_plies, n_hits = self._written()
        rows = self.memory.rows[:n_rows].copy()
        rows["end"][rows["outcome"] == OPEN] = n_rows
        trees = list(self.trees)
        if self.running is not None and self.running[0] < n_rows:
            trees.append(Tree(self.running[0], n_rows, self.running[1], Totals(0, 0, 0, 0, 0)))
        header = header_of(
            self.game,
            self.game.write_position(self.state),
            self.options,
            self.settings[0],
            self.weights,
            None,
            (Totals(0, 0, 0, 0, 0),),
            Course(0, 0.0, None, self.rank, self.seed),
            {},
            table_carried=self.is_carried,
        )
        del header["result"]
        return Recording(
            header=header,
            game=self.game,
            state=self.state,
            root_player=self.root_player,
            rows=rows,
            factors=self.memory.factors["values"][:n_rows].copy(),
            stub_plies=self.memory.stub_plies[:n_stub_plies].copy(),
            hits=self.memory.hits[:n_hits].copy(),
            trees=tuple(trees),
            table=None,
        )

    def _gather(self, depth_reached: int, seconds: float) -> Recording:
        kept = kept_trees(self.trees, self.choice, self.options.keep)
        trees = self.trees[kept.start : kept.stop]
        memory = self.memory or reserve(0, len(self.weights), np.float64, 0)
        count = self.counts[0]
        first, end = trees[0].row, trees[-1].end
        rows = rows_between(memory, first, end)
        hits = hits_between(memory, int(count["n_hits"]), first, end)
        found = None if self.memory is None else hits
        choice = None if self.choice is None else self.choice._replace(tree=self.choice.tree - kept.start)
        header = header_of(
            self.game,
            self.game.write_position(self.state),
            self.options,
            self.settings[0],
            self.weights,
            choice,
            tuple(tree.totals for tree in trees),
            Course(depth_reached, seconds, self.watch.stopped, self.rank, self.seed),
            counted(self.options, int(count["table_uses"]), found, self.stack.counters),
            table_carried=self.is_carried,
        )
        return Recording(
            header=header,
            game=self.game,
            state=self.state,
            root_player=self.root_player,
            rows=rows,
            factors=memory.factors["values"][first:end],
            stub_plies=memory.stub_plies[: int(count["n_stub_plies"])],
            hits=hits,
            trees=tuple(tree.shifted(-first) for tree in trees),
            table=self.table,
            is_proven=self.is_proven,
        )
