"""Searches that grow a tree at its most promising leaf: proof-number search and best-first minimax.

Sources: Allis, van der Meulen and van den Herik 1994; Korf and Chickering 1996.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from tests.foreign_engines.paper import Node, Paper
from tests.foreign_engines.tokens import MATE, Position, Tokens


@dataclass(frozen=True)
class GrownStyle:
    """Options of the growing tree, and of its log."""

    proves: bool = False
    """Proof-number search: who moves at the root wins or does not. Else best-first minimax."""
    expansions: int = 60
    order: bool = True
    """The header declares the tree best-first."""
    turned: bool = False
    """Scores are written as the mover sees them."""
    forgets: bool = False
    """What is below a solved node is dropped, and a stub says so."""
    omits: tuple[str, ...] = ()


@dataclass(eq=False)
class Grown:
    """A node of the tree; numbers are seen from the root player."""

    at: Position
    ply: str | None = None
    above: Grown | None = None
    below: list[Grown] = field(default_factory=list)
    proof: float = 1.0
    disproof: float = 1.0
    score: float = 0.0
    is_over: bool = False


class Growing:
    """One search; `paper` has its log once it `run`s."""

    def __init__(self, style: GrownStyle, seed: int) -> None:
        self.style = style
        self.game = Tokens(seed)
        self.root = Grown(Position())
        self.rate(self.root)

    def run(self) -> Paper:
        for _ in range(self.style.expansions):
            leaf = self.most_promising()
            if leaf.is_over or self.is_solved(self.root):
                break
            for ply in self.game.plies(leaf.at):
                child = Grown(self.game.after(leaf.at, ply), ply, leaf)
                self.rate(child)
                leaf.below.append(child)
            above: Grown | None = leaf
            while above is not None:
                self.back_up(above)
                above = above.above
        return self.written()

    def rate(self, node: Grown) -> None:
        """Set the score of a node that is not expanded, and its proof numbers where the game is over."""
        is_roots = node.at.player == 0
        if self.game.is_lost(node.at):
            node.is_over = True
            node.proof, node.disproof = (math.inf, 0.0) if is_roots else (0.0, math.inf)
            node.score = node.at.n - MATE if is_roots else MATE - node.at.n
        else:
            node.score = self.game.worth(node.at) * (1 if is_roots else -1)

    def back_up(self, node: Grown) -> None:
        """Back up the score and the proof numbers of an expanded node from its children."""
        proofs, disproofs = [each.proof for each in node.below], [each.disproof for each in node.below]
        scores = [each.score for each in node.below]
        if node.at.player == 0:
            node.proof, node.disproof, node.score = min(proofs), sum(disproofs), max(scores)
        else:
            node.proof, node.disproof, node.score = sum(proofs), min(disproofs), min(scores)

    def best(self, node: Grown) -> Grown:
        """The child that decides a node."""
        is_roots = node.at.player == 0
        if self.style.proves:
            return min(node.below, key=lambda each: each.proof if is_roots else each.disproof)
        return max(node.below, key=lambda each: each.score if is_roots else -each.score)

    def most_promising(self) -> Grown:
        """The leaf that the next expansion is of."""
        node = self.root
        while node.below:
            node = self.best(node)
        return node

    def is_solved(self, node: Grown) -> bool:
        return self.style.proves and 0.0 in (node.proof, node.disproof)

    # What is written ---------------------------------------------------------------------------------
    def written(self) -> Paper:
        search: dict[str, Any] = {"order": "best_first"} if self.style.order else {}
        search |= {"perspective": "mover"} if self.style.turned else {}
        search["range" if self.style.proves else "mate"] = (
            [-1, 1] if self.style.proves else {"score": MATE, "step": 1, "threshold": MATE - 1000}
        )
        paper = Paper(self.style.omits, players=["first", "second"], search=search)
        waiting: list[tuple[Grown, Node | None]] = [(self.root, None)]
        while waiting:
            node, row = waiting.pop(0)  # level by level, as the tree grew
            if row is not None:
                paper.path = [row]
            written = paper.enter(node.ply, **self.fields(node))
            if self.style.forgets and node.below and self.is_solved(node):
                paper.path = [written]
                paper.cut([str(each.ply) for each in node.below], "unlogged")
            else:
                waiting += [(each, written) for each in node.below]
            paper.path = []
        if self.root.below and (self.is_solved(self.root) or not self.style.proves):
            paper.done(ply=self.best(self.root).ply, score=self.fields(self.root)["score"])
        return paper

    def fields(self, node: Grown) -> dict[str, Any]:
        sign = -1 if self.style.turned and node.at.player else 1
        said: dict[str, Any] = {"player": ["first", "second"][node.at.player]}
        said["outcome"] = "terminal" if node.is_over else "searched" if node.below else "leaf"
        if node.is_over:
            said["ending"] = "loss" if node.at.player == 0 or self.style.turned else "win"
        said["moves"] = 0 if node.is_over else len(self.game.plies(node.at))
        said["key"] = f"{self.game.key(node.at):016x}"
        if not self.style.proves:
            said |= {"score": sign * node.score}
            said |= {"static": sign * node.score} if not node.below and not node.is_over else {}
        else:
            said |= {"proof": node.proof, "disproof": node.disproof}
            if self.is_solved(node):
                said |= {"score": sign * (1 if node.proof == 0 else -1), "bound": "exact"}
            elif not node.below:
                said["outcome"] = "open"
        return said
