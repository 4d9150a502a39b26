"""The second engine's loop over the plies: kept, ordered, windowed, visited, folded, cut."""

from __future__ import annotations

from typing import Any

from tests.second_engine.visit import INF, Tolls, Visit, Window


class Plies(Tolls):
    """Everything between generating the plies of a node and its best score, each step a method of its own."""

    killers: dict[int, str]
    history: dict[tuple[str, str], float]
    """What a ply of a layer was worth where it cut, by layer and ply."""

    def generate(self, visit: Visit) -> list[Any]:
        """The legal plies; in quiescence the noisy ones, in check all."""
        plies = list(self.world.plies(visit.position))
        visit.node["moves"] = len(plies)
        if visit.quiescence and not self.world.in_check(visit.position):
            return list(self.world.noisy(visit.position))
        return plies

    def pre_score(self, position: Any) -> float:
        """The quick score by which siblings are sorted: the evaluation."""
        return self.weighted(self.values(position))

    def select(self, visit: Visit, scored: list[tuple[float, Any]]) -> tuple[list[Any], list[Any]]:
        """The plies sorted best first, split into those that the branching limit keeps and the others."""
        ranked = sorted(scored, key=lambda each: -visit.seen(each[0]))
        limit = len(ranked) if self.options.limit is None or visit.quiescence else self.options.limit
        return ranked[:limit], ranked[limit:]

    def order(self, visit: Visit, kept: list[tuple[float, Any]]) -> list[tuple[float, Any]]:
        """The kept plies, the table's ply first, then the killer, then by history; all kept ones stay."""
        first = [visit.table_ply, self.killers.get(visit.level) if self.options.killers else None]

        def place(each: tuple[float, Any]) -> tuple[int, float]:
            text = self.world.ply_text(visit.position, each[1])
            if text in first:
                return first.index(text), 0.0
            return len(first), -self.history.get((visit.layer, text), 0.0)

        return sorted(kept, key=place)

    def search_plies(self, visit: Visit) -> None:
        """The loop over the plies: window, visit, take, cut."""
        plies = self.generate(visit)
        if not plies and visit.best_child is None:
            self.finish(visit, self.leaf_score(visit), "exact", "leaf")
            return
        scored = [(self.pre_score(self.world.after(visit.position, ply)), ply) for ply in plies]
        kept, limited = self.select(visit, scored)
        kept, skipped = self.skip(visit, self.probe(visit, self.order(visit, kept)))
        outcome, n_searched = "searched", 0
        for place, (pre_score, ply) in enumerate(kept):
            child = self.search_ply(visit, place, pre_score, ply)
            n_searched += 1
            self.take(visit, child)
            if self.reaches(visit):
                outcome = "cutoff"
                self.remember(visit, child.node["ply"])
                break
        self.add_stub(visit, "pruned", kept[n_searched:])
        self.add_stub(visit, "limited", limited)
        self.add_stub(visit, "skipped", skipped)
        cut_by = "child" if outcome == "cutoff" else ""
        self.finish(visit, visit.seen(visit.best), self.bound_of(visit), outcome, cut_by)

    def remember(self, visit: Visit, ply: str) -> None:
        """Keep a ply that cut: as the level's killer, and in the history, more where it was deep."""
        self.killers[visit.level] = ply
        if self.options.history:
            worth = max(visit.depth, 1.0) ** 2
            self.history[visit.layer, ply] = self.history.get((visit.layer, ply), 0.0) + worth

    def search_ply(self, visit: Visit, place: int, pre_score: float, ply: Any) -> Visit:
        """All visits of one ply: a scout, a verification, a re-search as they are needed; the last counts."""
        after = self.world.after(visit.position, ply)
        text = self.world.ply_text(visit.position, ply)
        scouts, depth = self.scouts(visit), self.child_depth(visit)
        reduction = self.reduction(visit, place)

        def visited(window: Window, purpose: str, reduction: float = 0.0) -> Visit:
            child = self.visit(visit, text, after, depth - reduction, window, purpose, reduction)
            self.say_taken(visit, child)
            child.node["pre_score"] = pre_score
            return child

        window = self.scout_window(visit) if scouts else self.child_window(visit)
        child = visited(window, "scout" if scouts else "full", reduction)
        if reduction and self.needs_verification(visit, child):
            child = visited(window, "scout" if scouts else "research")
        if scouts and self.needs_research(visit, child):
            child = visited(self.research_window(visit, child), "research")
            if self.fell_short(visit, child):
                child = visited(self.child_window(visit), "research")
        return child

    def child_depth(self, visit: Visit) -> float:
        return visit.depth - 1

    def child_window(self, visit: Visit) -> Window:
        """The window of a child: above the mover's best so far, below what the other player allows."""
        if self.options.algorithm == "minimax":
            return Window()
        return self.window_below(visit, max(visit.low, visit.best), visit.high)

    def scouts(self, visit: Visit) -> bool:
        """Whether the next ply is only asked if it beats what the mover has: not for the first ply."""
        edge = max(visit.low, visit.best)
        has_best = visit.best_child is not None and edge > -INF
        return self.options.algorithm == "pvs" and has_best and visit.high - edge > self.options.null_width

    def scout_window(self, visit: Visit) -> Window:
        """The null window at the mover's edge."""
        edge = max(visit.low, visit.best)
        return self.window_below(visit, edge, edge + self.options.null_width)

    def needs_research(self, visit: Visit, child: Visit) -> bool:
        """Whether a scout's answer is a bound inside the window: at its far edge or beyond it."""
        seen = visit.seen(self.taken(visit, child))
        return max(visit.low, visit.best) + self.options.null_width <= seen < visit.high

    def research_window(self, visit: Visit, child: Visit) -> Window:
        """The window again, from the scout's edge or from one null width short of its score."""
        low = max(visit.low, visit.best)
        if self.options.research == "short":
            low = max(low, visit.seen(self.taken(visit, child)) - self.options.null_width)
        return self.window_below(visit, low, visit.high)

    def fell_short(self, visit: Visit, child: Visit) -> bool:
        """Whether a re-search took back what its scout had shown, as guesses may: it says only "at most"."""
        low = child.window.alpha if visit.layer == "max" else 0.0 - child.window.beta
        is_short = visit.seen(child.score) <= low
        return is_short and max(visit.low, visit.best) < visit.seen(self.taken(visit, child))

    def improves(self, visit: Visit, child: Visit) -> bool:
        """Whether a ply is better than all before: an equal one is not, its score may be a bound."""
        return visit.best_child is None or visit.seen(self.taken(visit, child)) > visit.best

    def take(self, visit: Visit, child: Visit) -> None:
        if self.improves(visit, child):
            visit.best_child = child
            visit.best = max(visit.best, visit.seen(self.taken(visit, child)))

    def reaches(self, visit: Visit) -> bool:
        """Whether the other side will not allow what the mover has: a cut."""
        return self.options.algorithm != "minimax" and visit.best >= visit.high

    def probe(self, visit: Visit, kept: list[tuple[float, Any]]) -> list[tuple[float, Any]]:
        """Internal deepening: where the table names no ply, visit the plies less deep to find a first one."""
        less = self.options.internal_deepening
        if less is None or visit.quiescence or visit.table_ply is not None or visit.depth - 1 - less < 0:
            return kept
        best, first = -INF, 0
        for place, (pre_score, ply) in enumerate(kept):
            after, text = self.world.after(visit.position, ply), self.world.ply_text(visit.position, ply)
            window = Window()
            if self.options.algorithm != "minimax":
                window = visit.window_of(max(visit.low, best), visit.high)
            child = self.visit(visit, text, after, visit.depth - 1 - less, window, "probe", float(less))
            child.node["pre_score"] = pre_score
            if visit.seen(child.score) > best:
                best, first = visit.seen(child.score), place
            if self.options.algorithm != "minimax" and best >= visit.high:
                break
        return [kept[first], *kept[:first], *kept[first + 1 :]]
