"""The second engine: a recursive search in plain Python that writes the native log, independent of the first.

It follows the words of the log format and nothing else: it shares no line with the engine that people use.
Every technique is one small method, so that a test can break exactly one of them.
"""

from __future__ import annotations

from typing import Any

from tests.second_engine.options import SecondOptions
from tests.second_engine.plies import Plies
from tests.second_engine.pruning import Pruning
from tests.second_engine.report import Reporting
from tests.second_engine.table import Table
from tests.second_engine.visit import INF, Entry, Visit, Window, mirrored, written
from tests.second_engine.worlds import FIRST, SECOND, World


class OutOfNodes(Exception):  # noqa: N818
    """The node limit is reached: every visit under way stops."""


class SecondEngine(Reporting, Plies, Table, Pruning):
    """A search of `world` with `options`; `log()` runs it and gives the native document."""

    def __init__(self, world: World, options: SecondOptions, carried: dict[int, Entry] | None = None) -> None:
        self.world = world
        self.options = options
        self.is_carried = carried is not None
        sources = {} if carried is None else carried
        self.entries = {key: entry._replace(source=-1) for key, entry in sources.items()}
        self.roots: list[dict[str, Any]] = []
        self.root_visits: list[Visit] = []
        self.killers: dict[int, str] = {}
        self.history: dict[tuple[str, str], float] = {}
        self.n_nodes = 0
        self.next_id = 0
        self.path: list[int] = []
        self.root_player = world.mover(world.start())

    # The run ----------------------------------------------------------------------------------------------

    def log(self) -> dict[str, Any]:
        depths = range(1, self.options.depth + 1) if self.options.iterative else [self.options.depth]
        try:
            for depth in depths:
                self.deepen(depth)
        except OutOfNodes:
            pass
        return self.document()

    def deepen(self, depth: int) -> None:
        """One iteration: a window around the score before, opened where the score falls outside."""
        if self.options.table_keep == "clear":
            self.entries.clear()
        window = self.first_window(depth)
        root = self.search_root(depth, window)
        while not self.held(root, window) and self.opened(root, window) != window:
            window = self.opened(root, window)
            root = self.search_root(depth, window)

    def first_window(self, depth: int) -> Window:
        """Open, or with aspiration around the last iteration's score."""
        width = self.options.aspiration
        if width is None or depth == 1 or self.options.algorithm == "minimax":
            return Window()
        score = self.root_visits[-1].score
        return Window(score - width, score + width)

    def held(self, root: Visit, window: Window) -> bool:
        """Whether the score lies inside the window, and so is exact."""
        return not (root.score <= window.alpha or root.score >= window.beta)

    def opened(self, root: Visit, window: Window) -> Window:
        """The window with the side open at which the search failed."""
        if root.score <= window.alpha:
            return Window(-INF, window.beta)
        return Window(window.alpha, INF)

    def search_root(self, depth: int, window: Window) -> Visit:
        root = self.visit(None, None, self.world.start(), float(depth), window)
        self.root_visits.append(root)
        return root

    # A visit ----------------------------------------------------------------------------------------------

    def visit(self, *about: Any) -> Visit:
        """Search a position in a window, as `enter` takes it, and return the finished visit."""
        visit = self.enter(*about)
        self.path.append(self.key_of(visit.position))
        try:
            if self.options.nodes is not None and self.n_nodes > self.options.nodes:
                raise OutOfNodes
            self.search(visit)
        except OutOfNodes:
            visit.node["outcome"] = "stopped"
            raise
        finally:
            self.path.pop()
        return visit

    def enter(
        self,
        parent: Visit | None,
        ply: str | None,
        position: Any,
        depth: float,
        window: Window,
        purpose: str = "full",
        reduction: float = 0.0,
    ) -> Visit:
        """Write the node as far as it is known on entry."""
        level = 0 if parent is None else parent.level + 1
        node = self.new_node(parent)
        quiescence = depth <= 0 and self.options.quiescence is not None
        visit = Visit(node, position, level, depth, self.layer(position), window, purpose, quiescence, parent)
        low, high = visit.window_of(*window)
        visit.low, visit.high = low, high
        self.n_nodes += 1
        if parent is None:
            node["iteration"] = int(depth)
        else:
            node["ply"] = ply
        node["layer"] = visit.layer
        node["player"] = self.world.players[self.world.mover(position)]
        node["key"] = f"{self.key_of(position):016x}"
        node["depth"] = depth
        node["purpose"] = purpose
        if reduction:
            node["reduction"] = reduction
        if quiescence:
            node["quiescence"] = True
        if self.options.algorithm != "minimax":
            node["alpha"], node["beta"] = written(window.alpha), written(window.beta)
        return visit

    def layer(self, position: Any) -> str:
        """`max` where the root player moves."""
        return "max" if self.world.mover(position) == self.root_player else "min"

    def search(self, visit: Visit) -> None:
        """Try each way to end the visit in turn; else search the plies."""
        if self.end_game(visit):
            return
        self.evaluate(visit)
        if self.world.in_check(visit.position):
            visit.node["in_check"] = True
        if self.stop_at_horizon(visit) or self.ask_table(visit) or self.stand_pat(visit):
            return
        if self.estimate(visit) or self.null_move(visit):
            return
        self.lift(visit)
        self.search_plies(visit)

    # Worth ------------------------------------------------------------------------------------------------

    def end_game(self, visit: Visit) -> bool:
        """A finished game is worth its distance, or the draw's score; whether it is finished."""
        ending = self.world.ending(visit.position)
        why = ""
        if not ending and self.is_repeated(visit):
            ending, why = "draw", "repetition"
        if not ending:
            return False
        words = {FIRST: ("win", "loss"), SECOND: ("loss", "win")}.get(ending, ("draw", "draw"))
        word = words[self.root_player]
        visit.node["ending"] = word
        if why:
            visit.node["why"] = why
        else:
            visit.node["moves"] = 0
        self.finish(visit, self.ending_score(visit, word), "exact", "terminal")
        return True

    def is_repeated(self, visit: Visit) -> bool:
        """Whether the position was met on the way here."""
        return self.options.repetition and self.path[-1] in self.path[:-1]

    def ending_score(self, visit: Visit, word: str) -> float:
        """A win is worth the more the nearer it is."""
        if word == "draw":
            return self.draw_score(visit)
        distance = self.options.mate_step * visit.level
        return self.options.mate_score - distance if word == "win" else distance - self.options.mate_score

    def draw_score(self, visit: Visit) -> float:
        """The score of a draw, seen from the root player whoever moves."""
        return self.options.draw

    def evaluate(self, visit: Visit) -> None:
        """Write factors and static of this very position."""
        values = self.values(visit.position)
        visit.node["factors"] = values
        visit.static = self.static(visit, values)
        if self.options.statics:
            visit.node["static"] = visit.static

    def values(self, position: Any) -> list[float]:
        """The factors' values, seen by the root player."""
        sign = 1.0 if self.root_player == 0 else -1.0
        return [sign * value + 0.0 for value in self.world.values(position)]

    def static(self, visit: Visit, values: list[float]) -> float:
        """The evaluation: the sum of weight times value."""
        return self.weighted(values)

    def weighted(self, values: list[float]) -> float:
        return sum(weight * value for weight, value in zip(self.world.factors.values(), values, strict=True))

    # Leaving ----------------------------------------------------------------------------------------------

    def mover_bound(self, visit: Visit, bound: str) -> str:
        """A bound that the mover sees, as the root player sees it."""
        return bound if visit.layer == "max" else mirrored(bound)

    def bound_of(self, visit: Visit) -> str:
        """The bound of the best score: exact inside the window, or where the table's claim closes it."""
        if self.options.algorithm == "minimax":
            return "exact"
        if visit.narrowed_by is not None and visit.best == visit.narrowed_by:
            return "exact"
        if visit.best >= visit.high:
            return self.mover_bound(visit, "lower")
        return self.mover_bound(visit, "upper") if visit.best <= visit.low else "exact"

    def clamp(self, visit: Visit, score: float) -> float:
        """Fail-hard: no score leaves the window."""
        if self.options.fail == "soft" or self.options.algorithm == "minimax":
            return score
        return min(max(score, visit.window.alpha), visit.window.beta)

    def finish(self, visit: Visit, score: float, bound: str, outcome: str, cut_by: str = "") -> None:
        """Write what came out, and keep it in the table where plies were searched."""
        returned = self.clamp(visit, score)
        if returned != score:
            bound = "lower" if returned < score else "upper"
        visit.node["score"] = written(returned)
        visit.node["bound"] = bound
        visit.node["outcome"] = outcome
        if cut_by:
            visit.node["cut_by"] = cut_by
        if outcome in ("searched", "cutoff"):
            self.store(visit)
