"""The second engine's transposition table: one entry a key, the latest visit's; wins are kept by distance."""

from __future__ import annotations

from typing import Any

from tests.second_engine.visit import Entry, Tolls, Visit, written


class Table(Tolls):
    """The techniques of the table, each a method of its own."""

    entries: dict[int, Entry]

    def index(self, key: int) -> int:
        return key

    def key_of(self, position: Any) -> int:
        """The position's key: board and side to move."""
        return int(self.world.key(position))

    def look_up(self, visit: Visit) -> Entry | None:
        """The entry of this very position, None where there is none."""
        key = self.key_of(visit.position)
        entry = self.entries.get(self.index(key))
        return entry if entry is not None and entry.key == key else None

    def stored_score(self, visit: Visit) -> float:
        """The score to keep: a win or loss counted from this position, not from the root."""
        return self._shifted(visit.score, self.options.mate_step * visit.level)

    def read_score(self, entry: Entry, level: int) -> float:
        """The entry's score at `level`: wins and losses counted from the root again."""
        return self._shifted(entry.score, -self.options.mate_step * level)

    def _shifted(self, score: float, plies: float) -> float:
        if abs(score) < self.options.mate_threshold:
            return score
        return score + plies if score > 0 else score - plies

    def is_deep_enough(self, entry: Entry, visit: Visit) -> bool:
        """Equal depth gives plain minimax's score; at least the depth is what most engines ask."""
        if self.options.table_depth == "equal":
            return entry.depth == visit.depth
        return entry.depth >= visit.depth

    def proves(self, bound: str, score: float, visit: Visit) -> bool:
        """Whether the claim decides the visit: exact, or a bound beyond the window."""
        if bound == "exact":
            return True
        if self.options.algorithm == "minimax":
            return False
        return score >= visit.window.beta if bound == "lower" else score <= visit.window.alpha

    def narrow(self, visit: Visit, bound: str, score: float) -> bool:
        """Draw the window's edge up to a claim that lies inside; whether it did."""
        alpha, beta = visit.window
        if self.options.table_use != "narrow" or self.options.algorithm == "minimax":
            return False
        if not alpha < score < beta:
            return False
        seen = visit.seen(score)
        if (bound == "lower") == (visit.layer == "max"):
            visit.low = seen
        else:
            visit.high = seen
        visit.narrowed_by = seen
        return True

    def use_of(self, visit: Visit, entry: Entry, score: float) -> str:
        """The use of an entry: `cut`, `narrow`, or `order`. The root is always searched."""
        if visit.parent is None or visit.purpose == "probe" or not self.is_deep_enough(entry, visit):
            return "order"
        if self.proves(entry.bound, score, visit):
            return "cut"
        return "narrow" if self.narrow(visit, entry.bound, score) else "order"

    def ask_table(self, visit: Visit) -> bool:
        """Look the position up; whether the entry ended the visit."""
        entry = self.look_up(visit) if self.options.table else None
        if entry is None:
            return False
        score = self.read_score(entry, visit.level)
        use = self.use_of(visit, entry, score)
        visit.table_ply = entry.ply
        said = {
            "use": use,
            "depth": entry.depth,
            "bound": entry.bound,
            "score": written(score),
            "ply": entry.ply,
            "from": entry.source if entry.source >= 0 else None,
        }
        visit.node["tt"] = {name: value for name, value in said.items() if value is not None}
        if use == "cut":
            self.take_entry(visit, entry, score)
        return use == "cut"

    def take_entry(self, visit: Visit, entry: Entry, score: float) -> None:
        """End the visit with what the entry says."""
        self.finish(visit, score, entry.bound, "tt")

    def stored_bound(self, visit: Visit) -> str:
        """The bound to keep: the one the visit returned."""
        return str(visit.node["bound"])

    def store(self, visit: Visit) -> None:
        """Keep what the visit found, in place of what was there."""
        if not self.options.table:
            return
        key = self.key_of(visit.position)
        ply = None if visit.best_child is None else visit.best_child.node["ply"]
        score, bound = self.stored_score(visit), self.stored_bound(visit)
        # Below the horizon the depth is negative and kept so.
        self.entries[self.index(key)] = Entry(key, visit.depth, score, bound, ply, visit.id)
