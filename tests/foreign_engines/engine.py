"""A negamax in the styles of the world: scores seen by the mover, windows in hundredths, its own log.

Each field of `Style` is a habit of some engine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tests.foreign_engines.habits import MARGIN, Habits
from tests.foreign_engines.paper import Paper, forget, shuffle
from tests.foreign_engines.tokens import MATE, Position, Tokens

OPEN = 10**9
"""Beyond every score: an open end of a window."""


@dataclass(frozen=True)
class Style:
    """Options of the engine: its search and its log."""

    depth: int = 4
    hard: bool = False
    scouts: bool = False
    raises: bool = False
    """Re-searches begin at the scout's score, not at alpha."""
    trusts_frontier: bool = False
    """No re-search where all that is below was seen: NegaScout at its last two plies."""
    reduces: bool = False
    drives: bool = False
    """MTD(f): null windows until the bounds meet."""
    aspires: int = 0
    deepens: bool = False
    table: bool = False
    stands_pat: bool = False
    razors: bool = False
    bounds_mates: bool = False
    """Mate distance pruning."""
    probes: bool = False
    """Internal deepening: a shallower search of the same position."""
    lowers: bool = False
    """Internal iterative reduction: a node that is not in the table searches its plies one less deep."""
    keeps_mates: bool = False
    """The table keeps wins and losses without their distance, as bounds at the threshold."""
    doubles: bool = False
    takes: str = ""
    """How a score changes on the way up: `capped`, `rewarded`, `faded`, `decayed` (see `habits`)."""
    moves_open: bool = False
    """An open edge is a large number, which moves on the way down as mates do."""
    tablebases: bool = False
    skips: bool = False
    """Futility, in quiescence delta pruning."""
    lifts: bool = False
    """The evaluation less a margin lifts alpha."""
    guesses_cuts: bool = False
    """ProbCut: a shallow search above beta cuts."""
    grain: int = 1
    """MTD(f) stops once its bounds are so near."""
    stops: int = 0
    """The clock ends the search after so many nodes."""
    threads: bool = False
    lazy: bool = False
    """Two threads search each iteration with one table (lazy SMP); the second's tree is written first."""
    forgets: bool = False
    """Some plies are left out of the log."""
    width: float = 1
    omits: tuple[str, ...] = ()
    declares: bool = True
    stubs: bool = True


class OutOfTimeError(Exception):
    """The clock ended the search."""


class Engine(Habits):
    """One search of `Tokens`; `paper` has its log."""

    def __init__(self, style: Style, seed: int = 1) -> None:
        self.style = style
        self.game = Tokens(seed, doubles=style.doubles)
        search: dict[str, Any] = {"perspective": "mover"}
        if style.declares:
            mate = {"score": MATE, "step": 1, "threshold": MATE - 1000}
            search |= {"fail": "hard" if style.hard else "soft", "null_width": style.width}
            search |= {} if style.takes in ("rewarded", "faded", "decayed") else {"mate": mate}
        if style.threads or style.lazy:
            search["threads"] = 4 if style.threads else 2
        self.paper = Paper(style.omits, search=search)
        self.table: dict[int, dict[str, Any]] = {}
        self.best_ply: str | None = None
        self.seed = seed
        self.said: dict[str, Any] = {}

    def run(self) -> Paper:
        """Search, deepening where the style does, and write the result."""
        try:
            self.deepen()
        except OutOfTimeError:
            while self.paper.path:
                self.paper.leave(None, outcome="stopped")
            if not self.said:
                self.paper.done()
        if self.style.threads:
            shuffle(self.paper, self.seed)
        if self.style.forgets:
            forget(self.paper, self.seed)
        return self.paper

    def deepen(self) -> None:
        """One iteration after the other, or only the last."""
        score, ply = 0.0, None
        for depth in range(1 if self.style.deepens else self.style.depth, self.style.depth + 1):
            if self.style.drives:
                score, ply = self.drive(depth, score)
            else:
                score = self.aspire(depth, score)
                ply = self.best_ply
            self.said = {**self.said, "score": score}
            if ply:
                self.said["ply"] = ply
            self.paper.done(**self.said)

    def drive(self, depth: int, guess: float) -> tuple[float, str | None]:
        """MTD(f): the score, and the ply of the last pass that failed high."""
        low, high = float(-OPEN), float(OPEN)
        ply: str | None = None
        step = 64
        while high - low >= self.style.grain:
            beta = guess + 1 if guess <= low else guess
            guess = self.root(depth, beta - 1, beta)
            if guess < beta:
                high = guess
            else:
                low, ply = guess, self.best_ply
                self.said = {"root": len(self.paper.roots) - 1, "bound": "lower"}
            if self.style.grain > 1:
                step *= 2
                guess = (max(low, high - step) + min(high, low + step)) // 2 + 1
        if low < high:
            return low, ply
        self.said = {}
        return low if self.style.grain > 1 else guess, ply

    def aspire(self, depth: int, guess: float) -> float:
        """A window around the last score, opened where the search falls outside."""
        alpha, beta = float(-OPEN), float(OPEN)
        if self.style.aspires and depth > 1:
            alpha, beta = guess - self.style.aspires, guess + self.style.aspires
        while True:
            score = self.root(depth, alpha, beta)
            if alpha < score < beta:
                return score
            alpha, beta = (-OPEN, beta) if score <= alpha else (alpha, OPEN)

    def root(self, depth: int, alpha: float, beta: float) -> float:
        score = self.search(Position(), depth, alpha, beta, iteration=depth)
        if self.style.lazy:
            chosen = self.best_ply
            self.search(Position(), depth, alpha, beta, iteration=depth)
            self.best_ply, roots = chosen, self.paper.roots
            roots[-2], roots[-1] = roots[-1], roots[-2]
        return score

    def search(
        self, at: Position, depth: int, alpha: float, beta: float, ply: str | None = None, **said: Any
    ) -> float:
        """One visit; `said` are further fields of its node."""
        style, game = self.style, self.game
        window: dict[str, float] = {"alpha": alpha, "beta": beta}
        if not style.moves_open:
            window = {
                "alpha": -math.inf if alpha <= -OPEN else alpha,
                "beta": math.inf if beta >= OPEN else beta,
            }
        fields = {"depth": depth, "player": at.player, "key": f"{game.key(at):016x}", **window, **said}
        self.paper.enter(ply, **self.kept(fields))
        if style.stops and self.paper.n_rows > style.stops:
            raise OutOfTimeError
        if game.is_lost(at):
            distance = 0 if style.takes == "decayed" else at.n
            return self.leave(distance - MATE, alpha, beta, outcome="terminal", ending="loss", exact=True)
        static = game.worth(at) * style.width
        if depth <= (-2 if style.stands_pat else 0):
            return self.leave(static, alpha, beta, outcome="leaf", static=static, exact=True)
        known = self.tablebase(at, beta)
        if known is not None:
            said = {"outcome": "leaf", "why": "tablebase", "static": static, "bound": known[1]}
            return self.leave(known[0], alpha, beta, **said)
        entry = self.table.get(game.key(at)) if style.table else None
        if entry is not None and entry["depth"] >= depth:
            score = entry["score"] + (at.n if entry["score"] < 1000 - MATE else 0)
            score -= at.n if entry["score"] > MATE - 1000 else 0
            kind = entry["bound"]
            if kind == "exact" or (score >= beta if kind == "lower" else score <= alpha):
                used = {**entry, "score": score, "use": "cut"}
                return self.leave(score, alpha, beta, outcome="tt", bound=kind, tt=used)
        if style.razors and depth == 1 and ply and static + 250 < alpha:
            return self.leave(static, alpha, beta, outcome="cutoff", cut_by="estimate", bound="upper")
        if style.guesses_cuts and depth >= 3 and ply and beta < OPEN:
            found = self.search(at, depth - 2, beta + 49, beta + 50, purpose="probe")
            if found >= beta + 50:
                return self.leave(found, alpha, beta, outcome="cutoff", cut_by="estimate", bound="lower")
        if style.bounds_mates and ply:
            alpha, beta = max(alpha, at.n - MATE), min(beta, MATE - at.n - 1)
            if alpha >= beta:
                return self.leave(alpha, alpha, OPEN, outcome="cutoff", bound="upper")
        lowered = int(style.lowers and depth >= 3 and entry is None)
        return self.search_plies(at, depth - lowered, alpha, beta, static, lowered)

    def search_plies(
        self, at: Position, depth: int, alpha: float, beta: float, static: float, lowered: int
    ) -> float:
        """The loop over the plies, stand pat before it, and what is stored after it."""
        style, game = self.style, self.game
        best, best_ply = float(-OPEN), None
        said: dict[str, Any] = {}
        plies = game.plies(at)
        if depth <= 0:
            best, said = static, {"stand_pat": static, "quiescence": True, "static": static}
            if best >= beta:
                return self.leave(
                    best, alpha, beta, outcome="cutoff", cut_by="stand_pat", bound="lower", **said
                )
        elif style.probes and depth >= 3:
            self.search(at, depth - 2, alpha, beta, purpose="probe")
        if style.lifts and depth > 0 and at.n and alpha < static - 2 * MARGIN < beta:
            best = said["estimate"] = static - 2 * MARGIN
        for i, ply in enumerate(plies):
            guess = self.skips(depth, i, static, max(alpha, best))
            if guess is not None:
                best = max(best, guess)
                said["estimate"] = max(guess, said.get("estimate", guess))
                self.paper.cut(plies[i:], "skipped")
                break
            is_scout = style.scouts and i > 0
            score = self.visit(at, ply, depth, max(alpha, best), beta, is_scout=is_scout, lowered=lowered)
            if score > best:
                best, best_ply = score, ply
            if best >= beta and beta < OPEN:
                if style.stubs:
                    self.paper.cut(plies[i + 1 :])
                break
        if at.n == 0:
            self.best_ply = best_ply
        outcome = "cutoff" if best >= beta else "searched"
        bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
        if style.table and depth > 0:
            self.store(at, depth, best, bound)
        return self.leave(best, alpha, beta, outcome=outcome, bound=bound, moves=len(plies), **said)

    def visit(
        self, at: Position, ply: str, depth: int, alpha: float, beta: float, *, is_scout: bool, lowered: int
    ) -> float:
        """One ply: in full, or a scout and what must follow it."""
        style = self.style
        after = self.game.after(at, ply)

        def search(depth: int, low: float, high: float, **said: Any) -> float:
            if after.player == at.player:
                return self.search(after, depth, low, high, ply, **said)
            low, high = self.asked(ply, low), self.asked(ply, high)
            score = -self.search(after, depth, -high, -low, ply, **said)
            return self.say_taken(score, self.taken(ply, score))

        if not is_scout or alpha <= -OPEN:
            return search(depth - 1, alpha, beta, purpose="full", reduction=lowered)
        reduction = 1 if style.reduces and depth >= 3 else 0
        less = lowered + reduction
        score = search(depth - 1 - reduction, alpha, alpha + style.width, purpose="scout", reduction=less)
        if reduction and score > alpha:
            score = search(depth - 1, alpha, alpha + style.width, purpose="scout", reduction=lowered)
        if alpha < score < beta and not (style.trusts_frontier and depth <= 2):
            start = score if style.raises and not style.hard else alpha
            return search(depth - 1, start, beta, purpose="research", reduction=lowered)
        return score

    def store(self, at: Position, depth: int, score: float, bound: str) -> None:
        """Keep the deeper entry; a mate is stored by its distance from here."""
        key = self.game.key(at)
        old = self.table.get(key)
        if old is not None and old["depth"] > depth:
            return
        score += at.n if score > MATE - 1000 else -at.n if score < 1000 - MATE else 0
        if self.style.keeps_mates and abs(score) > MATE - 1000:
            kept = "lower" if score > 0 else "upper"
            if bound not in (kept, "exact"):
                return
            score, bound = math.copysign(MATE - 1000, score), kept
        source = self.paper.path[-1]["id"]
        self.table[key] = {"depth": depth, "score": score, "bound": bound, "from": source}

    def leave(self, score: float, alpha: float, beta: float, *, exact: bool = False, **said: Any) -> float:
        """Write what came out, clamped where the search fails hard."""
        returned = min(max(score, alpha), beta) if self.style.hard else score
        if exact or returned != score:
            said["bound"] = "exact" if returned == score else "lower" if returned < score else "upper"
        self.paper.leave(returned, **self.kept(said))
        return returned

    def kept(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields that say something: 0 does, but for a reduction."""
        return {
            name: value or 0
            for name, value in fields.items()
            if value or (value == 0 and name != "reduction")
        }
