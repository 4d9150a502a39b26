"""A Monte Carlo tree search with the habits of several engines, which logs the final tree.

Its habits are `TreeOptions`. Inside, every figure is seen from the root player, a win being 1; the
log is written from the view, in the range and with the digits that the options say.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any, Final

from tests.second_engine.tree_options import TreeOptions
from tests.second_engine.worlds import DRAW, FIRST, World

MOST_PLIES: Final = 30
"""Of a playout, which is then drawn."""


@dataclass(eq=False)
class Node:
    """A position of the tree."""

    position: Any
    visits: int = 0
    total: float = 0.0
    ended: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Wins, draws and losses of the root player."""
    edges: list[Edge] | None = None
    expanded_at: int = 0
    level: int = 0

    @property
    def mean(self) -> float:
        return self.total / self.visits


@dataclass(eq=False)
class Edge:
    """A ply, and the terms by which it was chosen last: exploit, explore, n, n_parent."""

    ply: str
    node: Node
    prior: float
    terms: tuple[float, float, int, int] | None = None


class MonteCarlo:
    """One search of a world; `log` runs it and returns the native document."""

    def __init__(self, world: World, options: TreeOptions) -> None:
        self.world = world
        self.options = options
        self.draw = random.Random(options.seed)
        self.root_player = world.mover(world.start())
        self.root = Node(world.start())
        self.nodes: dict[Any, Node] = {}
        self.written: set[int] = set()
        self.ids: dict[int, int] = {}
        """The id of each node's first row."""
        self.n_rows = 0

    def log(self) -> dict[str, Any]:
        roots = []
        for n in range(1, self.options.playouts + 1):
            self.play()
            if self.options.snapshots and n == self.options.playouts // 10:
                roots.append({"iteration": 10, **self.written_tree()})
            if self.options.stops_early and self.is_decided(self.options.playouts - n):
                break
        roots.append(self.written_tree())
        if len(roots) == 1:
            return {**self.header(), "root": roots[0]}
        return {**self.header(), "roots": [roots[0], {"iteration": 100, **roots[1]}]}

    # The search

    def play(self) -> None:
        """One visit of the root: select, expand, play out, back up."""
        path = [self.root]
        while path[-1].edges:
            path.append(self.select(path[-1], path).node)
        leaf = path[-1]
        ending = self.world.ending(leaf.position)
        if not ending and leaf.edges is None:
            self.expand(leaf)
        value, place = self.result(ending) if ending else self.play_out(leaf.position)
        self.back_up(path, value, place)

    def expand(self, node: Node) -> None:
        plies = list(self.world.plies(node.position))
        weights = [self.draw.randint(1, 9) for _ in plies]
        node.edges = []
        node.expanded_at = self.root.visits + 1
        for ply, weight in zip(plies, weights, strict=True):
            after = self.world.after(node.position, ply)
            child = Node(after, level=node.level + 1)
            if self.options.shares:
                child = self.nodes.setdefault(self.world.key(after), child)
            name = self.world.ply_text(node.position, ply)
            node.edges.append(Edge(name, child, weight / sum(weights)))

    def result(self, ending: str) -> tuple[float, int]:
        """The worth of a game's end to the root player, and its place in `ended`."""
        if ending == DRAW:
            return 0.5, 1
        return (1.0, 0) if (ending == FIRST) == (self.root_player == 0) else (0.0, 2)

    def play_out(self, position: Any) -> tuple[float, int]:
        if self.options.evaluates:
            return self.draw.random(), -1
        for _ in range(MOST_PLIES):
            ending = self.world.ending(position)
            plies = self.world.plies(position)
            if ending or not plies:
                return self.result(ending or DRAW)
            position = self.world.after(position, self.draw.choice(list(plies)))
        return self.result(DRAW)

    def back_up(self, path: list[Node], value: float, place: int) -> None:
        for level, node in enumerate(path):
            self.credit(node, level, value, place)

    def credit(self, node: Node, level: int, value: float, place: int) -> None:
        """One more visit of a node, `level` plies below the root."""
        node.visits += 1
        node.total += value
        if place >= 0:
            node.ended[place] += 1

    def select(self, node: Node, path: list[Node]) -> Edge:
        assert node.edges
        unvisited = [edge for edge in self.edges_of(node) if edge.node.visits == 0]
        is_plain = self.options.select == "ucb1" and self.options.urgency is None
        if unvisited and is_plain:
            chosen = unvisited[0]
        else:
            chosen = max(self.edges_of(node), key=lambda edge: self.urgency(node, edge, path))
        if chosen.node.visits or not is_plain:
            chosen.terms = self.terms(node, chosen, path)
        return chosen

    def edges_of(self, node: Node) -> list[Edge]:
        """The plies among which the search selects."""
        return node.edges or []

    def urgency(self, node: Node, edge: Edge, path: list[Node]) -> float:
        """Exploit and explore, as the mover sees them."""
        exploit, explore, _, _ = self.terms(node, edge, path)
        return (exploit if self.is_roots(node) else 1.0 - exploit) + explore

    def terms(self, node: Node, edge: Edge, path: list[Node]) -> tuple[float, float, int, int]:
        options, n, n_parent = self.options, edge.node.visits, self.n_parent(node, path)
        worth = options.urgency if options.urgency is not None else 0.5
        fresh = worth if self.is_roots(node) else 1.0 - worth
        exploit = edge.node.mean if n else fresh
        c = options.c + options.growth * math.log1p(n_parent)
        if options.select == "puct":
            return exploit, c * edge.prior * math.sqrt(n_parent) / (1 + n), n, n_parent
        return exploit, c * math.sqrt(math.log(n_parent) / n) if n else 0.0, n, n_parent

    def n_parent(self, node: Node, path: list[Node]) -> int:
        """The visits that selection divides among the children."""
        return max(node.visits, 1)

    def is_decided(self, n_left: int) -> bool:
        counts = sorted(edge.node.visits for edge in self.root.edges or [])
        return len(counts) > 1 and counts[-1] > counts[-2] + n_left

    def is_roots(self, node: Node) -> bool:
        return self.world.mover(node.position) == self.root_player

    # What is written

    def header(self) -> dict[str, Any]:
        options = self.options
        search: dict[str, Any] = {"algorithm": "mcts", "order": "best_first", "perspective": options.view}
        if options.declares:
            search |= {"range": [options.low, options.high], "choose": options.choose}
            search["draw"] = (options.low + options.high) / 2
        search["root_player"] = self.world.players[self.root_player]
        chosen = self.chosen()
        result = {"ply": chosen.ply, "score": self.seen(chosen.node.mean, True)}
        return {"plyscope": 1, "players": list(self.world.players), "search": search, "result": result}

    def chosen(self) -> Edge:
        """The ply that is played."""
        assert self.root.edges
        visited = [edge for edge in self.root.edges if edge.node.visits]
        if self.options.choose == "visits":
            return max(visited, key=lambda edge: edge.node.visits)
        return max(visited, key=lambda edge: edge.node.mean)

    def written_tree(self) -> dict[str, Any]:
        self.written = set()
        return self.written_node(self.root)

    def written_node(self, node: Node, edge: Edge | None = None, above: Node | None = None) -> dict[str, Any]:
        """A row and those below; the world is small, so this may recurse."""
        is_roots = self.is_roots(node)
        row: dict[str, Any] = {
            "id": self.n_rows,
            "player": self.world.players[self.world.mover(node.position)],
        }
        self.ids.setdefault(id(node), self.n_rows)
        self.n_rows += 1
        if edge is not None and above is not None:
            row |= {"ply": edge.ply, **self.written_terms(edge, above, is_roots)}
        row["visits"] = node.visits
        if node.visits:
            row["mean"] = self.seen(node.mean, is_roots)
            if not self.options.evaluates:
                turned = self.options.view == "mover" and not is_roots
                names = ("losses", "draws", "wins") if turned else ("wins", "draws", "losses")
                row |= dict(zip(names, node.ended, strict=True))
        if self.options.keys:
            row["key"] = f"{self.world.key(node.position):016x}"
        ending = self.world.ending(node.position)
        if not node.edges or id(node) in self.written:
            return row | (self.written_ending(ending, is_roots) if ending else {"outcome": "leaf"})
        self.written.add(id(node))
        row |= {"outcome": "searched", "expanded_at": node.expanded_at}
        if self.options.moves:
            row["moves"] = len(node.edges)
        return row | {"children": self.written_children(node)}

    def written_ending(self, ending: str, is_roots: bool) -> dict[str, Any]:
        """The fields of a terminal node: its outcome, and its ending from the view of the log."""
        place = self.result(ending)[1]
        if self.options.view == "mover" and not is_roots:
            place = 2 - place
        return {"outcome": "terminal", "ending": ("win", "draw", "loss")[place]}

    def written_children(self, node: Node) -> list[dict[str, Any]]:
        edges = node.edges or []
        few = [edge for edge in edges if edge.node.visits < self.options.fewest]
        rows = [self.written_node(edge.node, edge, node) for edge in edges if edge not in few]
        if few:
            n_visits = sum(edge.node.visits for edge in few)
            stub = {"outcome": "unlogged", "count": len(few), "visits": n_visits}
            if n_visits:
                mean = sum(edge.node.total for edge in few) / n_visits
                stub["mean"] = self.seen(mean, self.is_roots(node))
            rows.append(stub)
        return rows

    def written_terms(self, edge: Edge, above: Node, is_roots: bool) -> dict[str, Any]:
        row: dict[str, Any] = {"prior": self.rounded(edge.prior)} if self.options.select == "puct" else {}
        terms = edge.terms
        if self.options.terms == "final" and terms is not None:
            terms = self.terms(above, edge, [self.root, above])
        if terms is not None:
            exploit, explore, n, n_parent = terms
            seen = self.seen(exploit, is_roots)
            row["ucb"] = {"exploit": seen, "explore": self.rounded(explore), "n": n, "n_parent": n_parent}
        return row

    def seen(self, value: float, is_roots: bool) -> float:
        """A value of [0, 1] in the range of the log, from its view."""
        if self.options.view == "mover" and not is_roots:
            value = 1.0 - value
        return self.rounded(self.options.low + value * (self.options.high - self.options.low))

    def rounded(self, number: float) -> float:
        return number if self.options.digits is None else round(number, self.options.digits)
