"""Searches of games of three players and more: maxn, and paranoid, on random trees."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

from tests.foreign_engines.paper import Paper

Vector = tuple[float, ...]
NAMES = ("A", "B", "C", "D")


@dataclass(frozen=True)
class ManyStyle:
    """Options of a search for several players, and of its log."""

    n_players: int = 3
    depth: int = 4
    paranoid: bool = False
    """All others play against the root player, and layers say so."""
    layers: str = "other"
    """What maxn writes: `other` for all rivals, `min` for the first (`mixed`), or no layer (`none`)."""
    ties: str = "first"
    """Which of equal children is taken."""
    most: int = 4
    """Scores of leaves are drawn up to this; the fewer there are, the more ties."""
    shifted: bool = False
    """The player at the root is not the first of the header's."""
    declared: bool = False
    """The header says who the root player is."""
    rewards: bool = False
    """Each ply is worth something to the root player by itself, which the node above counts."""
    prunes: bool = False
    """Shallow pruning: all leaves add up to the same, so one may know enough."""
    turned: bool = False
    """Scores are written as the mover sees them: its own part; if paranoid, the root player's negated."""
    omits: tuple[str, ...] = ()


class Many:
    """One search; `log` gives its document."""

    def __init__(self, seed: int, style: ManyStyle) -> None:
        self.style = style
        self.seed = seed
        self.root = 1 if style.shifted else 0
        names = NAMES[: style.n_players]
        search = {"root_player": names[self.root]} if style.declared else {}
        search |= {"perspective": "mover"} if style.turned else {}
        self.paper = Paper(style.omits, players=names, search=search)

    def log(self) -> dict[str, Any]:
        self.search((), self.root)
        document: dict[str, Any] = json.loads(self.paper.nested())
        return document

    def drawn(self, path: tuple[str, ...]) -> random.Random:
        return random.Random(f"{self.seed} {' '.join(path)}")

    def search(self, path: tuple[str, ...], player: int, enough: float = float("inf")) -> Vector:
        """One visit; what it brings each player. Above `enough` for the mover the rest need not be seen."""
        style, draw = self.style, self.drawn(path)
        self.paper.enter(path[-1] if path else None, layer=self.layer(player), player=NAMES[player])
        if len(path) == style.depth:
            return self.leave(path, self.leaf(draw), player, "leaf")
        n_plies = draw.randint(1, 3)
        following = (player + (1 if draw.random() < 0.8 else 2)) % style.n_players
        vectors: list[Vector] = []
        outcome = "searched"
        for i in range(n_plies):
            most = max((vector[player] for vector in vectors), default=float("-inf"))
            bar = self.total - most if style.prunes and following != player else float("inf")
            below = (*path, f"{NAMES[player].lower()}{i}")
            vectors.append(self.rewarded(below, self.search(below, following, bar)))
            if max(vector[player] for vector in vectors) >= enough and i + 1 < n_plies:
                outcome = "cutoff"
                self.paper.cut([f"x{j}" for j in range(i + 1, n_plies)])
                break
        return self.leave(path, self.chosen(vectors, player), player, outcome)

    def rewarded(self, path: tuple[str, ...], vector: Vector) -> Vector:
        """A child's vector as the node above takes it: with the reward of its ply, if plies have rewards."""
        if not self.style.rewards or not path:
            return vector
        worth = list(vector)
        worth[self.root] += self.drawn((*path, "reward")).randint(0, 2)
        return tuple(worth)

    @property
    def total(self) -> float:
        """The sum of a leaf's scores where the style prunes."""
        return float(self.style.most * self.style.n_players)

    def leaf(self, draw: random.Random) -> Vector:
        scores = [float(draw.randint(0, self.style.most)) for _ in range(self.style.n_players)]
        if self.style.prunes:
            scores[-1] = self.total - sum(scores[:-1])
        return tuple(scores)

    def worth(self, vector: Vector, player: int) -> float:
        if self.style.paranoid and player != self.root:
            return -vector[self.root]
        return vector[player]

    def chosen(self, vectors: list[Vector], player: int) -> Vector:
        """The vector of the mover's best child."""
        best = max(self.worth(vector, player) for vector in vectors)
        equal = [vector for vector in vectors if self.worth(vector, player) == best]
        return equal[0 if self.style.ties == "first" else -1]

    def leave(self, path: tuple[str, ...], vector: Vector, player: int, outcome: str) -> Vector:
        said = {"scores": list(vector), "outcome": outcome}
        said |= {"bound": "lower"} if outcome == "cutoff" else {}
        if self.style.rewards and path:
            said["counted_as"] = self.rewarded(path, vector)[self.root]
        self.paper.leave(self.score(vector, player), **said)
        return vector

    def score(self, vector: Vector, player: int) -> float:
        """The score that is written beside a vector: the root player's part, or as the mover sees it."""
        return self.worth(vector, player) if self.style.turned else vector[self.root]

    def layer(self, player: int) -> str | None:
        """The layer that is written for nodes of the player; None: none is."""
        if player == self.root and (self.style.paranoid or self.style.layers != "none"):
            return "max"
        if self.style.paranoid:
            return "min"
        is_first_rival = player == (self.root + 1) % self.style.n_players
        return {"other": "other", "mixed": "min" if is_first_rival else "other"}.get(self.style.layers)
