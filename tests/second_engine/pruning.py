"""The second engine's forward pruning: quiescence, null move, estimates, late-move reductions."""

from __future__ import annotations

from typing import Any

from tests.second_engine.visit import INF, Tolls, Visit


class Pruning(Tolls):
    """The techniques that end or shorten a visit by a guess or by standing pat, each a method of its own."""

    # The horizon and beyond -------------------------------------------------------------------------------

    def leaf_score(self, visit: Visit) -> float:
        """The score at the horizon: the evaluation."""
        return visit.static

    def stand_pat_score(self, visit: Visit) -> float:
        """The score of standing pat in quiescence: the evaluation."""
        return visit.static

    def stop_at_horizon(self, visit: Visit) -> bool:
        """End the visit where no plies are left, unless quiescence goes on; whether it ended."""
        if visit.depth > 0:
            return False
        most = self.options.quiescence
        if most is None or visit.depth <= -most:
            self.finish(visit, self.leaf_score(visit), "exact", "leaf")
            return True
        return False

    def stand_pat(self, visit: Visit) -> bool:
        """In quiescence, not in check: take the evaluation as a first ply; whether that ended the visit."""
        if not visit.quiescence or not self.may_stand_pat(visit):
            return False
        score = self.stand_pat_score(visit)
        visit.node["stand_pat"] = score
        visit.best = visit.seen(score)
        if not self.reaches(visit):
            return False
        self.finish(visit, score, self.bound_of(visit), "cutoff", "stand_pat")
        return True

    def may_stand_pat(self, visit: Visit) -> bool:
        """Whether the mover may decline to move: not in check."""
        return not self.world.in_check(visit.position)

    # Guesses ----------------------------------------------------------------------------------------------

    def estimate(self, visit: Visit) -> bool:
        """Reverse futility: cut where the evaluation less a margin a ply still beats the window."""
        margin = self.options.futility
        if margin is None or visit.quiescence or visit.parent is None or visit.entry_high == INF:
            return False
        if self.world.in_check(visit.position) or self.options.algorithm == "minimax":
            return False
        guess = visit.seen(visit.static) - margin * visit.depth
        if not self.guess_reaches(visit, guess):
            return False
        self.finish(visit, visit.seen(guess), self.mover_bound(visit, "lower"), "cutoff", "estimate")
        return True

    def guess_reaches(self, visit: Visit, guess: float) -> bool:
        """Whether the guess reaches the window's edge on entry."""
        return guess >= visit.entry_high

    def lift(self, visit: Visit) -> None:
        """Take the evaluation less a margin a ply for a first ply, where that lies inside the window."""
        margin = self.options.lift
        if margin is None or not self.may_guess(visit) or visit.quiescence:
            return
        guess = visit.seen(visit.static) - margin * visit.depth
        if visit.low < guess < visit.high:
            visit.node["estimate"] = visit.seen(guess)
            self.take_estimate(visit, guess)

    def skip(self, visit: Visit, kept: list[Any]) -> tuple[list[Any], list[Any]]:
        """Futility, in quiescence delta pruning: the plies to search, and those that an estimate stands for.

        At `max` layers the first ply is searched all the same, so that both ways are met.
        """
        margin = self.options.frontier
        if margin is None or not self.may_guess(visit) or visit.depth > 1 or not kept:
            return kept, []
        guess = visit.seen(visit.static) + margin
        n_searched = 1 if visit.layer == "max" else 0
        if guess > max(visit.low, visit.best) or len(kept) == n_searched:
            return kept, []
        visit.node["estimate"] = visit.seen(guess)
        self.take_estimate(visit, guess)
        return kept[:n_searched], kept[n_searched:]

    def may_guess(self, visit: Visit) -> bool:
        """Not at the root, in check, or without windows."""
        has_windows = self.options.algorithm != "minimax"
        return has_windows and visit.parent is not None and not self.world.in_check(visit.position)

    def take_estimate(self, visit: Visit, guess: float) -> None:
        visit.best = max(visit.best, guess)

    def may_pass(self, visit: Visit) -> bool:
        """Not at the root, in check, twice running, in quiescence, nor with an evaluation below beta."""
        if self.options.null_move is None or self.options.algorithm == "minimax" or visit.quiescence:
            return False
        if visit.parent is None or visit.purpose == "null" or visit.depth < 2 or visit.entry_high == INF:
            return False
        return not self.world.in_check(visit.position) and visit.seen(visit.static) >= visit.entry_high

    def null_holds(self, visit: Visit, child: Visit) -> bool:
        """Whether passing still reaches the mover's edge."""
        return visit.seen(child.score) >= visit.entry_high

    def null_move(self, visit: Visit) -> bool:
        """Let the other side move twice; a position that still beats the window is cut."""
        after = self.world.passed(visit.position) if self.may_pass(visit) else None
        if after is None or self.options.null_move is None:
            return False
        reduction = min(float(self.options.null_move), visit.depth - 1)
        window = visit.window_of(visit.entry_high - self.options.null_width, visit.entry_high)
        child = self.visit(visit, "--", after, visit.depth - 1 - reduction, window, "null", reduction)
        if not self.null_holds(visit, child):
            return False
        score = (
            child.score if abs(child.score) < self.options.mate_threshold else visit.seen(visit.entry_high)
        )
        self.finish(visit, score, self.mover_bound(visit, "lower"), "cutoff", "null")
        return True

    def reduction(self, visit: Visit, place: int) -> float:
        """The reduction of the ply at `place` in its first search, in plies."""
        late = self.options.reductions
        if late is None or place < late or visit.depth < 2 or visit.quiescence or place == 0:
            return 0.0
        if self.options.algorithm == "minimax" or self.world.in_check(visit.position):
            return 0.0
        return 1.0

    def needs_verification(self, visit: Visit, child: Visit) -> bool:
        """Whether a reduced visit beats what the mover has, so that its full depth must be searched."""
        return visit.seen(self.taken(visit, child)) > max(visit.low, visit.best)
