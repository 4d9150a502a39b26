"""The log of a flat search: a header, a row for each ply, and below it the play-outs that are kept."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from plyscope.engine.former import ENGINE
from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SCORED, SECOND_WON, Array
from plyscope.engine.montecarlo.header import UNIT
from plyscope.engine.montecarlo.playout import winner_of
from plyscope.engine.record.header import factors_of, of_unknown_game
from plyscope.engine.record.rows import (
    DRAW,
    FIGURES,
    LEAF,
    LOSS,
    ROW,
    SEARCHED,
    TERMINAL,
    UNLOGGED,
    WIN,
)
from plyscope_studies.flat.kept import Kept
from plyscope_studies.flat.options import FlatOptions

FLAT_FIGURES: Final = np.dtype([*FIGURES.descr, ("stderr", np.float64), ("seconds", np.float64)])
"""`FIGURES`, and of each ply the standard error of its mean and the seconds that it took."""


def stderr_of(wins: int, draws: int, visits: int) -> float:
    """Return the standard error of a mean of results 1, 0.5 and 0; NaN without a visit.

    >>> stderr_of(50, 0, 100), stderr_of(1, 2, 4) == math.sqrt(0.125 / 4)
    (0.05, True)
    """
    if visits == 0:
        return math.nan
    mean = (wins + draws / 2) / visits
    return math.sqrt(max(0.0, (wins + draws / 4) / visits - mean * mean) / visits)


def fill(figure: Any, tally: Array, root_player: int, seconds: float) -> None:
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


class FlatWriter:
    """Writes the search of one position."""

    def __init__(self, game: Any, state: Array, options: FlatOptions, weights: Mapping[str, float]) -> None:
        self.game, self.state, self.options, self.weights = game, state, options, weights
        self.root_player = int(game.player(state))
        self.weight_array = np.array(list(weights.values()), np.float64)
        self.values = np.zeros(len(weights), np.float64)
        self.buffer = np.zeros(game.max_plies, np.int32)

    def legal(self, state: Array) -> list[int]:
        """The plies of a position, of which a plain game may have more than any before."""
        while (n := int(self.game.generate(state, self.buffer))) < 0:
            self.buffer = np.zeros(self.game.max_plies, np.int32)
        plies: list[int] = self.buffer[:n].tolist()
        return plies

    def rows(
        self, plies: list[int], children: Any, ranked: Array, kept_of: Mapping[int, Kept]
    ) -> tuple[Array, Array]:
        """The rows and figures: the root, its plies as `ranked`, a stub for those that were not played out.

        Below a ply stand its play-outs in `kept_of`, by the place of the ply.
        """
        n_unvisited = len(plies) - len(ranked)
        n_kept = sum(len(kept) for kept in kept_of.values())
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
            kept = kept_of.get(place, Kept())
            if kept.children:
                rows[row]["outcome"], rows[row]["moves"] = SEARCHED, len(self.legal(child))
            row = self._write_kept(rows, figures, row, child, kept)
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

    def _write_kept(self, rows: Array, figures: Array, at: int, state: Array, kept: Kept) -> int:
        """Write the play-outs below row `at`, whose position is `state`; the row behind the last."""
        path = [(at, state)]
        number = at + 1
        for level, ply, node in kept.below():
            while len(path) > level:
                rows[path.pop()[0]]["end"] = number
            parent, before = path[-1]
            here = before.copy()
            self.game.apply(here, ply)
            self._write(rows[number], here, ply, parent)
            if node.children:
                rows[number]["outcome"], rows[number]["moves"] = SEARCHED, len(self.legal(here))
            tally = np.zeros(SCORED + 1, np.int64)
            tally[[FIRST_WON, SECOND_WON]] = node.first_wins, node.second_wins
            tally[DRAWN] = node.visits - node.first_wins - node.second_wins
            fill(figures[number], tally, self.root_player, math.nan)
            figures[number]["stderr"] = math.nan
            path.append((number, here))
            number += 1
        for row, _ in path:
            rows[row]["end"] = number
        return number

    def header(self, seed: int) -> dict[str, Any]:
        """The header but for its result."""
        options = self.options
        unused = {"weights", "record"}
        unused |= {"growth", "growth_rate"} if options.rollouts == "fixed" else set()
        unused |= {"quasi_turns"} if options.source != "mix" else set()
        unused |= {"turn"} if options.source != "mix" and options.turn == 1 else set()
        unused |= set() if options.record_playouts else {"record_playouts"}
        asked = {name: value for name, value in vars(options).items() if name not in unused}
        search = {
            "algorithm": options.algorithm,
            "engine": ENGINE,
            "order": "best_first",
            "choose": "mean",
            "unit": UNIT,
            "range": [0.0, 1.0],
            "draw": 0.5,
            "options": {name: each for name, each in (asked | {"seed": seed}).items() if each is not None},
        }
        return {
            "plyscope": 1,
            "game": self.game.name,
            "position": self.game.write_position(self.state),
            "players": list(self.game.players),
            "search": search | of_unknown_game(self.game),
            "factors": factors_of(self.game, self.weights),
        }
