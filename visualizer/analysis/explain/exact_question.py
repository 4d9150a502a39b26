"""One ply of a log searched again by our engine: full window, one ply less deep, the log's own settings.

This module makes the question, and reads the answer from the log of that search; rooms above run it. Only
logs of our own engine can be asked about, of a known game, with stated settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from plyscope.engine.game import Game, GameError, State, root_player_of
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recorded_search import recorded_game, recorded_options, recorded_weights
from plyscope.visualizer.analysis.explain.pair import Pair, is_best_first
from plyscope.visualizer.analysis.explain.ply_side import Side
from plyscope.visualizer.analysis.nodes.mate import Proof, declared_mate
from plyscope.visualizer.analysis.nodes.proof import proof_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

Which = Literal["chosen", "rival"]
OTHER: Final[Mapping[Which, Which]] = {"chosen": "rival", "rival": "chosen"}

NOT_TAKEN_OVER: Final = ("seconds", "nodes", "aspiration", "keep")
"""Options that stop a search, narrow its window or drop rows: an exact search has none of them."""


@dataclass(frozen=True)
class Question:
    """A search of the position after one ply, as a process of its own can be asked it."""

    game: str
    position: str
    options: SearchOptions
    sign: float
    """1 where the root player of that search is the log's, else -1: whose view the answer has."""
    levels: int
    """Levels from the root of the log down to its root."""

    def as_json(self) -> dict[str, Any]:
        """For the process that searches."""
        asked = {name: value for name, value in vars(self.options).items() if name != "weights"}
        return {
            "game": self.game,
            "position": self.position,
            "options": asked | {"weights": dict(self.options.weights)},
            "sign": self.sign,
            "levels": self.levels,
        }


@dataclass(frozen=True)
class Worth:
    """The result of an exact search, seen from the root player of the log that it was asked about."""

    score: float
    nodes: int
    depth: int
    proof: Proof | None
    """The verdict whether a win or loss is proven."""


@dataclass(frozen=True)
class InexactPly:
    """A ply of a pair whose exact worth the log does not state: how to search it, or why that cannot be."""

    which: Which
    row: int
    ply: str | None
    question: Question | None
    reason: str = ""

    def as_json(self, tree: Tree) -> dict[str, Any]:
        """For machines."""
        answer: dict[str, Any] = {
            "which": self.which,
            "id": int(tree.log.columns["id"][self.row]),
            "ply": self.ply,
        }
        if self.question is None:
            return answer | {"reason": self.reason}
        return answer | {"depth": self.question.options.depth}


def inexact_plies(tree: Tree, pair: Pair, sides: tuple[Side, ...]) -> tuple[InexactPly, ...]:
    """The plies of a pair that have only a bound, were searched less deep, or have no row of their own."""
    if is_best_first(tree):
        return ()
    found: list[tuple[Which, int, str | None]] = []
    which: tuple[Which, Which] = ("chosen", "rival")
    for name, side in zip(which, sides, strict=False):
        if side.bound != "exact" or _is_less_deep(tree.log, pair.parent, side.row):
            found.append((name, side.row, tree.ply(side.row)))
    if tree.is_stub[pair.rival]:
        found.append(("rival", pair.rival, pair.rival_ply))
    return tuple(_inexact_ply(tree, pair.parent, *each) for each in found)


def _inexact_ply(tree: Tree, parent: int, which: Which, row: int, ply: str | None) -> InexactPly:
    try:
        return InexactPly(which, row, ply, question_of(tree, parent, ply))
    except (GameError, OptionError) as error:
        return InexactPly(which, row, ply, None, str(error))


def question_of(tree: Tree, parent: int, ply: str | None) -> Question:
    """The exact search of `ply` at `parent`; raises GameError, OptionError where it cannot be, with why."""
    log = tree.log
    game = recorded_game(log.header)
    if ply is None:
        raise GameError("the log does not say which ply this is")
    depth = _depth(log, parent)
    if depth is None:
        raise GameError("the log does not say how deep its node was searched")
    if not depth.is_integer() or depth < 1:
        raise GameError("its node lies beyond the horizon, in quiescence")
    if depth == 1:
        raise GameError("it lies at the horizon, where it would be evaluated and not searched")
    options = _options(game, log.header, int(depth) - 1)
    root, state = _states(game, tree, parent)
    game.apply(state, game.read_ply(state, ply))
    sign = 1.0 if root_player_of(game, state) == root_player_of(game, root) else -1.0
    level = int(log.columns["level"][parent]) + 1
    position = game.write_position(state)
    game.read_position(position)  # raises GameError where the process that searches could not
    return Question(game.name, position, options, sign, level)


def _is_less_deep(log: Log, parent: int, row: int) -> bool:
    """Whether a visit had fewer plies left than a full one; a finished game has no need of them."""
    above, here = _depth(log, parent), _depth(log, row)
    is_over = log.columns["outcome"][row] == words.TERMINAL
    return above is not None and here is not None and here < above - 1 and not is_over


def _depth(log: Log, row: int) -> float | None:
    column = log.column("depth")
    depth = float("nan") if column is None else float(column[row])
    return None if depth != depth else depth


def _options(game: Game, header: Mapping[str, Any], depth: int) -> SearchOptions:
    """The log's own options, to another depth and for an exact score; raises OptionError."""
    recorded = recorded_options(header["search"]) | {
        "depth": depth,
        "weights": recorded_weights(header, game),
    }
    return SearchOptions(**{name: value for name, value in recorded.items() if name not in NOT_TAKEN_OVER})


def _states(game: Game, tree: Tree, row: int) -> tuple[State, State]:
    """The positions at the root of a row's tree and at the row; raises GameError."""
    log = tree.log
    rows = tree.path(row)
    text = log.header.get("position")
    if not isinstance(text, str):
        raise GameError("the log does not say in which position its root stands")
    root = game.read_position(text)
    state = root.copy()
    purpose = log.columns.get("purpose")
    for each in rows[1:]:
        if purpose is not None and purpose[each] == words.NULL:
            raise GameError("it lies below a null move")
        game.apply(state, game.read_ply(state, tree.ply(each) or ""))
    return root, state


def worth_of(question: Question, log: Log) -> Worth:
    """Return the result in the log of an exact search; raises GameError if it was stopped early."""
    result = log.header["result"]
    if "score" not in result or "stopped" in result:
        why = "for want of memory" if result.get("stopped") == "memory" else "before it was done"
        raise GameError(f"the search was stopped {why}")
    score = float(result["score"])
    proof = proof_of(log, Tree(log).main_root)
    if proof is not None and proof.score is not None:
        proof = Proof(proof.verdict, seen_from(question, log, proof.score), proof.repetition)
    return Worth(seen_from(question, log, score), int(result["nodes"]), question.options.depth, proof)


def seen_from(question: Question, log: Log, score: float) -> float:
    """A score of the exact search as the log that it was asked about writes it.

    A win counts a step less for each ply from the root; that of the log lies further up.
    """
    mate = declared_mate(log.header["search"])
    score = score if question.sign > 0 else 0.0 - score
    side = 0 if mate is None else mate.side(score)
    return score - side * question.levels * mate.step if mate is not None and side else score
