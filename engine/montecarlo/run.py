"""A whole Monte Carlo search: play-outs in slices, progress, limits, early trees; it gives a `Recording`.

It loads numba only when a kernel game is searched compiled. Progress and stopping are callbacks.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import CHANCE, ONGOING, Array, GameError, State, root_player_of, state_of
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.montecarlo.carrying import GrownTree, largest, place_of
from plyscope.engine.montecarlo.draws import source_of
from plyscope.engine.montecarlo.growing import NODES_FULL, grow, mean_for
from plyscope.engine.montecarlo.header import Found, header_of
from plyscope.engine.montecarlo.options import HEURISTIC, RING, MonteCarloOptions, check_guide
from plyscope.engine.montecarlo.playout import NO_PLIES, TOO_NARROW, winner_of
from plyscope.engine.montecarlo.tree import COUNTS, NODE, OPTIONS, ROOT, nodes_for, trunk_for, worths_of
from plyscope.engine.montecarlo.writing import PATH, transplant, write_rows
from plyscope.engine.options import judged, weights_of
from plyscope.engine.record.memory import free_bytes
from plyscope.engine.record.ply_texts import written
from plyscope.engine.record.recording import Recording, Totals, Tree
from plyscope.engine.record.rows import FIGURES, FIRST_STUB, HIT, LEAF, ROW, STUB_PLY, TERMINAL
from plyscope.engine.step import Step
from plyscope.engine.watch import Watch

FIRST_NODES: Final = 1 << 14
"""The number of nodes for which there is room at first."""
EARLY: Final = (0.01, 0.1)
"""The parts of a search after which its tree is noted down as far as the root's plies."""
UNENDING: Final = 1 << 62
COMPILED_NODES: Final = 10_000
"""Nodes from which the copy of a tree is worth compiling."""


@dataclass(frozen=True)
class Progress:
    """The state of a search: `compiling` where it is compiled first, for seconds, then `searching`.

    `is_compiling`: it runs as plain Python, and its machine code is made meanwhile. `ply`, with its mean and
    visits, is the choice so far; `of` the play-outs asked for, None if time ends it.
    """

    phase: Literal["compiling", "searching"]
    game: str
    playouts: int = 0
    of: int | None = None
    seconds: float = 0.0
    ply: str | None = None
    mean: float | None = None
    visits: int | None = None
    is_compiling: bool = False


class _Limits(NamedTuple):
    nodes: int | None
    seconds: float | None


class _Early(NamedTuple):
    """The root and its tried children after some play-outs."""

    playouts: int
    nodes: Array


def search(
    game: Any,
    position: str | State | None = None,
    options: MonteCarloOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    *,
    compiled: bool | None = None,
    tree: GrownTree | None = None,
    most_nodes: int | None = None,
    on_rows: Callable[[int, Callable[[], Recording]], None] | None = None,
) -> Recording:
    """Search `position` by Monte Carlo tree search, and record its tree.

    `position` is text, or a state, which is copied; None: the game's start. `game` is a kernel game or a
    plain one. A kernel game runs by machine code as soon as there is any (see `Step`), with `compiled=True`
    from the first play-out on, with False never; the log is the same. `on_progress` and `should_stop` are
    called at least ten times a second if a play-out takes less; once `should_stop` returns True the run ends,
    with a whole log. `tree` is the `table` of an earlier recording: if `position`
    is in it, at most two plies down, the search continues the part below. `on_rows` is called as often as
    `on_progress`, with the play-outs so far, and a function that copies the tree as it stands until `on_rows`
    returns: a recording that `keeps_places`. The tree grows up to `most_nodes`,
    by default what this machine has memory for. Raises `GameError` for a position that cannot be read,
    `OptionError` for weights of unknown factors and for guides that the game lacks.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> search(GAME, "XX. OO. ... X", MonteCarloOptions(playouts=200, seed=1), compiled=False).ply
    'c3'
    """
    run = _Run(game, position, options or MonteCarloOptions(), on_progress, compiled, tree)
    run.on_rows = on_rows
    run.set_up(most_nodes)
    return run.recording(should_stop)


class _Run:
    """One run of `search`, from options to recording."""

    def __init__(
        self,
        game: Any,
        position: str | State | None,
        options: MonteCarloOptions,
        on_progress: Callable[[Progress], None] | None,
        compiled: bool | None,
        carried: GrownTree | None,
    ) -> None:
        enter(game)
        check_guide(game, options)
        game = judged(game, options.evaluation)
        self.is_plain = hasattr(game, "plies")
        self.adapter: Any = None
        self.game = game
        if self.is_plain:
            known = carried.adapter if carried is not None else None
            self.adapter = known if known is not None and known.game is game else PlainKernels(game)
            self.game = self.adapter
        self.options, self.on_progress = options, on_progress
        self.weights = weights_of(game, options)
        self.state: Array = state_of(self.game, position)
        self.root_player = root_player_of(self.game, self.state)
        self.compiled = False if self.is_plain else compiled
        self.seed = secrets.randbits(32) if options.seed is None else options.seed
        self.meaning = (
            self.game.name if not self.is_plain else id(game),
            options.guide,
            options.guide_power,
            options.fpu if options.fpu == HEURISTIC else None,
            options.turn_limit,
            tuple(self.weights.items()),
        )
        self.carried = carried
        self.on_rows: Callable[[int, Callable[[], Recording]], None] | None = None
        self.early: list[_Early] = []

    # Setting up ------------------------------------------------------------------------------------------

    def set_up(self, most_nodes: int | None) -> None:
        """Prepare all that the search needs: options, tree, memory, machine code."""
        options = self.options
        setting: Any = np.zeros(1, OPTIONS)
        self.settings: Array = setting
        setting[0]["by_ucb"] = options.select == "ucb1"
        setting[0]["c"] = options.c
        setting[0]["fpu"] = math.inf if options.fpu in (None, HEURISTIC) else options.fpu
        setting[0]["by_static"] = options.fpu == HEURISTIC
        setting[0]["guided"] = options.guide == RING and options.guide_power != 0
        setting[0]["turn_limit"] = options.turn_limit
        setting[0]["keeps_keys"] = True
        self.counts: Array = np.zeros(1, COUNTS)
        self.most_nodes = most_nodes or min(free_bytes() // 3 // NODE.itemsize, 2**31 - 2)
        n_moves = self.game.max_plies
        weights = np.array(list(self.weights.values()), np.float64)
        nodes = nodes_for(min(FIRST_NODES, self.most_nodes) + n_moves)
        worths = worths_of(options.guide_power)
        self.trunk = trunk_for(self.state, weights, worths, source_of(self.seed), n_moves, nodes)
        self._plant()
        self._bind()

    def _plant(self) -> None:
        """Set the root, or take over the tree of an earlier search with its position."""
        key = int(self.game.key(self.state))
        status = self.game.status(self.state)
        carried = self.carried
        if carried is not None and carried.meaning == self.meaning and status == ONGOING:
            place = place_of(carried, self.game, self.state, key)
            if place is not None:
                self._take_over(carried, place)
                return
        root: Any = np.zeros(1, NODE)
        for name in ("prior", "exploit", "explore"):
            root[name] = math.nan
        root["parent"], root["first"], root["ply"] = -1, -1, -1
        root["player"], root["status"], root["key"] = self.game.player(self.state), status, key
        if status != ONGOING:
            values = self.trunk.values
            root["own"] = winner_of(self.game, self.state, int(status), values, self.trunk.weights)
        self.trunk.nodes[ROOT] = root[0]
        self.counts[0]["n_nodes"] = 1
        self.reused = self.reused_depth = 0

    def _take_over(self, carried: GrownTree, place: int) -> None:
        nodes = nodes_for(carried.n_nodes + FIRST_NODES + self.game.max_plies)
        is_small = self.compiled is None and carried.n_nodes < COMPILED_NODES
        copy = transplant if self.compiled is False or is_small else jit.compiled(transplant)
        self.counts[0]["n_nodes"] = copy(carried.nodes, place, nodes)
        self.trunk = self.trunk._replace(nodes=nodes)
        self.reused, self.reused_depth = int(nodes[ROOT]["visits"]), carried.depth

    def _bind(self) -> None:
        bound = self.game if self.is_plain else with_all_kernels(self.game)
        tell = self.on_progress
        self.step = Step(
            grow,
            bound,
            self._arguments(0),
            self.options,
            compiled=self.compiled,
            on_compiling=tell and partial(tell, Progress("compiling", self.game.name)),
        )

    def _arguments(self, until: int) -> tuple[Any, ...]:
        return self.settings, self.trunk, self.counts, until

    # Searching -------------------------------------------------------------------------------------------

    def recording(self, should_stop: Callable[[], bool] | None) -> Recording:
        """Play out until a limit is reached, then gather the results."""
        most = self.options.most_playouts
        self.watch = Watch(_Limits(None, self.options.seconds), should_stop, first_slice=1)
        if self.game.status(self.state) == ONGOING:
            self._grow_until(UNENDING if most is None else most)
        return self._gather(self.watch.seconds())

    def _grow_until(self, most: int) -> None:
        marks = [max(1, math.ceil(part * most)) for part in EARLY] if most < UNENDING else []
        while self._playouts() < most and self.watch.stopped is None:
            before, began = self._playouts(), self.watch.seconds()
            until = min([self.watch.budget(before), most, *(mark for mark in marks if mark > before)])
            reason = self.step(*self._arguments(until))
            if reason == NODES_FULL:
                self._enlarge()
            elif reason == TOO_NARROW:
                self._widen()
            elif reason == NO_PLIES:
                here = self.game.write_position(self.trunk.states[1])
                raise GameError(f"{self.game.name}: a position is not over but has no plies: {here}")
            else:
                self.watch.follow_speed(self._playouts() - before, self.watch.seconds() - began)
                self._report()
                if self.on_rows is not None and self.options.record:
                    self.on_rows(self._playouts(), self._so_far)
                self._note_early(marks)
                self.watch.must_stop(self._playouts())

    def _playouts(self) -> int:
        return int(self.counts[0]["n_playouts"])

    def _note_early(self, marks: list[int]) -> None:
        """Note the root and its tried children down when a part of the search is over."""
        done = len(self.early)
        if done == len(EARLY) or self._playouts() == 0:
            return
        if marks:
            is_due = self._playouts() >= marks[done]
        else:
            is_due = self.watch.seconds() >= EARLY[done] * (self.options.seconds or math.inf)
        if not is_due:
            return
        nodes = self.trunk.nodes
        first, n_tried = int(nodes[ROOT]["first"]), int(nodes[ROOT]["n_tried"])
        noted: Any = np.concatenate([nodes[:1], nodes[first : first + n_tried]])
        noted["first"] = -1
        noted["first"][ROOT] = 1
        self.early.append(_Early(self._playouts(), noted))
        self._note_early(marks)

    def _enlarge(self) -> None:
        trunk, n_nodes = self.trunk, int(self.counts[0]["n_nodes"])
        capacity = min(2 * len(trunk.nodes), self.most_nodes + len(trunk.plies))
        if capacity < n_nodes + len(trunk.plies):
            self.watch.stopped = "memory"
            return
        try:
            nodes = nodes_for(capacity)
        except MemoryError:
            self.watch.stopped = "memory"
            return
        nodes[:n_nodes] = trunk.nodes[:n_nodes]
        self.trunk = trunk._replace(nodes=nodes)

    def _widen(self) -> None:
        """Make room for as many plies of a position as a plain game turned out to have."""
        old, n_moves = self.trunk, self.game.max_plies
        new = trunk_for(self.state, old.weights, old.worths, old.source, n_moves, old.nodes)
        self.trunk = new

    def _chosen(self) -> int | None:
        """The child of the root that the search would choose now."""
        return self._best_below(ROOT)

    def _best_below(self, node: int) -> int | None:
        """The best child by `choose`, the other figure where it decides nothing; None without a visit.

        And None where chance moves.
        """
        nodes = self.trunk.nodes
        player = int(nodes[node]["player"])
        if player == CHANCE:
            return None

        def worth(child: int) -> Any:
            figures = (float(nodes[child]["visits"]), float(mean_for(nodes[child], player)))
            return figures if self.options.choose == "visits" else figures[::-1]

        return largest(nodes, node, worth)

    def _report(self) -> None:
        if self.on_progress is None:
            return
        chosen = self._chosen()
        asked, done = self.options.most_playouts, self._playouts()
        at = Progress(
            "searching",
            self.game.name,
            done,
            asked,
            self.watch.seconds(),
            is_compiling=self.step.is_compiling,
        )
        if chosen is not None:
            node = self.trunk.nodes[chosen]
            ply = self.game.write_ply(self.state, int(node["ply"]))
            mean, visits = float(mean_for(node, self.root_player)), int(node["visits"])
            at = replace(at, ply=ply, mean=mean, visits=visits)
        self.on_progress(at)

    # Gathering -------------------------------------------------------------------------------------------

    def _so_far(self) -> Recording:
        """A copy of the present tree, without those of earlier parts."""
        return replace(self._gather(self.watch.seconds(), early=()), keeps_places=True)

    def _gather(self, seconds: float, *, early: Sequence[_Early] | None = None) -> Recording:
        before = self.early if early is None else early
        rows, figures, trees = self._written(before) if self.options.record else _nothing()
        chosen = self._chosen()
        count = self.counts[0]
        totals = [tree.totals for tree in trees]
        found = Found(
            ply=None,
            mean=None,
            visits=None,
            line=(),
            root=max(len(trees) - 1, 0),
            playouts=self._playouts(),
            cut_short=int(count["n_cut_short"]),
            reused=self.reused,
            max_level=int(count["max_level"]),
            seconds=seconds,
            stopped=self.watch.stopped,
            nodes=sum(each.nodes for each in totals) if trees else None,
            leaves=sum(each.leaves for each in totals) if trees else None,
        )
        if chosen is not None:
            node = self.trunk.nodes[chosen]
            line = written(self.game, self.state, self._line(chosen))
            mean, visits = float(mean_for(node, self.root_player)), int(node["visits"])
            found = found._replace(ply=line[0], mean=mean, visits=visits, line=line)
        position = self.game.write_position(self.state)
        header = header_of(self.game, position, self.options, self.seed, self.weights, found)
        if self.game.player(self.state) == CHANCE:
            header["search"]["root_player"] = self.game.players[self.root_player]
        return Recording(
            header=header,
            game=self.game,
            state=self.state,
            root_player=self.root_player,
            rows=rows,
            factors=np.empty((len(rows), 0)),
            stub_plies=np.empty(0, STUB_PLY),
            hits=np.empty(0, HIT),
            trees=tuple(trees),
            table=GrownTree(
                self.trunk.nodes, int(count["n_nodes"]), self._depth(), self.meaning, self.adapter
            ),
            figures=figures,
        )

    def _line(self, chosen: int) -> list[int]:
        """The plies from the root that the search would choose."""
        line: list[int] = []
        node: int | None = chosen
        while node is not None:
            line.append(int(self.trunk.nodes[node]["ply"]))
            node = self._best_below(node)
        return line

    def _written(self, early: Sequence[_Early]) -> tuple[Array, Array, list[Tree]]:
        """Early trees and the last one as rows."""
        kept = [each for each in early if each.playouts < self._playouts()]
        kept = [each for i, each in enumerate(kept) if i == 0 or each.playouts > kept[i - 1].playouts]
        every = [*kept, _Early(self._playouts(), self.trunk.nodes[: int(self.counts[0]["n_nodes"])])]
        write = jit.compiled(write_rows) if self.step.is_compiled else write_rows
        least = self.options.log_visits
        n_most = sum(2 * int(np.count_nonzero(each.nodes["visits"] >= least)) + 2 for each in every)
        rows, figures = np.empty(n_most, ROW), np.empty(n_most, FIGURES)
        path = np.empty(self._depth() + 2, PATH)
        trees, start = [], 0
        for each in every:
            n_rows = int(write(each.nodes, path, least, self.root_player, rows[start:], figures[start:]))
            tree = rows[start : start + n_rows]
            if start:
                tree["parent"] = np.where(tree["parent"] < 0, -1, tree["parent"] + start)
                tree["end"] += start
            n_nodes = int(np.count_nonzero(tree["outcome"] < FIRST_STUB))
            n_leaves = int(np.count_nonzero((tree["outcome"] == LEAF) | (tree["outcome"] == TERMINAL)))
            totals = Totals(n_nodes, n_leaves, 0, 0, 0)
            trees.append(Tree(start, start + n_rows, each.playouts, totals))
            start += n_rows
        return rows[:start], figures[:start], trees

    def _depth(self) -> int:
        """An upper bound of the deepest level, including the tree taken over from an earlier search."""
        return max(int(self.counts[0]["max_level"]), self.reused_depth)


def _nothing() -> tuple[Array, Array, list[Tree]]:
    return np.empty(0, ROW), np.empty(0, FIGURES), []
