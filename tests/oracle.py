"""Slow and obvious twins of the search, to test it against: plain minimax, and the rules a log must keep."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from plyscope.engine.game import CHANCE, DRAWN, FIRST_WON, ONGOING, SCORED
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

INF = math.inf


# Plain minimax --------------------------------------------------------------------------------------------


def static(game: Any, state: Any, root_player: int) -> float:
    """The evaluation seen from the root player, term by term in order."""
    values = np.zeros(len(game.factors))
    game.values(state, values)
    sign = 1 if root_player == 0 else -1
    score = 0.0
    for weight, value in zip(game.factors.values(), values.tolist(), strict=True):
        score += sign * weight * value
    return score


def worth(game: Any, state: Any, root_player: int, level: int, mate: float) -> float:
    """The score of a position at which the search ends: a static, or that of a finished game."""
    status = game.status(state)
    if status in (ONGOING, SCORED):
        return static(game, state, root_player)
    if status == DRAWN:
        return 0.0
    won = (status == FIRST_WON) == (root_player == 0)
    return mate - level if won else -(mate - level)


def kept(
    game: Any, state: Any, root_player: int, level: int, limit: int, mate: float, *, noisy: bool = False
) -> list[tuple[int, Any]]:
    """The plies (the `noisy` ones) that the branching limit keeps, best first, with the states after."""
    plies = np.zeros(game.max_plies, np.int32)
    after = []
    n_plies = game.noisy(state, plies) if noisy else game.generate(state, plies)
    for ply in plies[:n_plies].tolist():
        child = state.copy()
        game.apply(child, ply)
        after.append((worth(game, child, root_player, level + 1, mate), ply, child))
    maximizes = game.player(state) == root_player
    after.sort(key=lambda each: -each[0] if maximizes else each[0])
    return [(ply, child) for _, ply, child in after[:limit]]


def minimax(
    game: Any, state: Any, depth: int, limit: int = 10**6, mate: float = 1e6, quiescence: int = 0
) -> dict[int, float]:
    """The score of every kept ply of `state`, each searched to the end: no windows, no cuts, no tricks.

    For `quiescence` plies below the horizon, who is not in check takes the static or the best noisy ply, who
    is in check the best ply of all.
    """
    root_player = int(game.player(state))
    score = partial(minimax_score, game, root_player, limit, mate, quiescence)
    return {ply: score(child, depth - 1, 1) for ply, child in kept(game, state, root_player, 0, limit, mate)}


def minimax_score(
    game: Any,
    root_player: int,
    limit: int,
    mate: float,
    quiescence: int,
    state: Any,
    depth: int,
    level: int,
) -> float:
    """The score of a position so many levels below the root."""
    here = worth(game, state, root_player, level, mate)
    if depth == -quiescence or game.status(state) != ONGOING:
        return here
    stands_pat = depth <= 0 and not (hasattr(game, "in_check") and game.in_check(state))
    below = [
        minimax_score(game, root_player, limit, mate, quiescence, child, depth - 1, level + 1)
        for _, child in kept(game, state, root_player, level, limit, mate, noisy=stands_pat)
    ]
    if stands_pat:
        below.append(here)
    return max(below) if game.player(state) == root_player else min(below)


def expectimax(
    game: Any,
    position: Any,
    depth: int,
    root_player: int,
    limit: int = 10**6,
    mate: float = 1e6,
    level: int = 0,
) -> float:
    """The score of a position of a plain game with dice: a mover's best ply, the mean over outcomes."""
    sign = 1 if root_player == 0 else -1

    def worth(position: Any, level: int) -> float:
        result = game.winner(position) or ONGOING
        if result == DRAWN:
            return 0.0
        if result in (ONGOING, SCORED):
            return sign * sum(
                w * v for w, v in zip(game.factors.values(), game.values(position), strict=True)
            )
        return (mate - level) * (1 if (result == FIRST_WON) == (root_player == 0) else -1)

    if depth == 0 or (game.winner(position) or ONGOING) != ONGOING:
        return worth(position, level)
    player = game.player(position)
    if player == CHANCE:
        total = 0.0
        for ply, probability in game.chances(position):
            after = game.apply(position, ply)
            total += probability * expectimax(game, after, depth, root_player, limit, mate, level + 1)
        return total
    after = [game.apply(position, ply) for ply in game.plies(position)]
    after.sort(key=lambda each: worth(each, level + 1), reverse=player == root_player)
    scores = [
        expectimax(game, each, depth - 1, root_player, limit, mate, level + 1) for each in after[:limit]
    ]
    return max(scores) if player == root_player else min(scores)


# The rules of a log ---------------------------------------------------------------------------------------


@dataclass
class Node:
    """A row of a log with its children, as Python objects."""

    row: int
    parent: Node | None
    fields: dict[str, Any]
    children: list[Node] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return self.fields[name]

    @property
    def is_stub(self) -> bool:
        return bool(self.outcome >= words.FIRST_STUB)

    @property
    def is_finished(self) -> bool:
        return not self.is_stub and self.outcome not in (words.STOPPED, words.OPEN)

    @property
    def visited(self) -> list[Node]:
        return [child for child in self.children if not child.is_stub]

    @property
    def claim(self) -> tuple[float, float]:
        """The interval in which the position's true score lies, as its score and bound say."""
        return (
            -INF if self.bound == words.UPPER else self.score,
            INF if self.bound == words.LOWER else self.score,
        )


def nodes_of(log: Log) -> list[Node]:
    """Every row of `log` as a `Node`, linked."""
    columns = {name: values.tolist() for name, values in log.columns.items()}
    nodes: list[Node] = []
    for row in range(log.n_rows):
        parent = columns["parent"][row]
        fields = {name: values[row] for name, values in columns.items() if name != "parent"}
        nodes.append(Node(row, nodes[parent] if parent >= 0 else None, fields))
        if parent >= 0:
            nodes[parent].children.append(nodes[row])
    return nodes


def broken_rules(log: Log) -> list[str]:
    """Every contradiction of a fail-soft log without table, quiescence, reductions; empty if it is sound."""
    findings: list[str] = []
    nodes = nodes_of(log)
    for node in nodes:
        rules = _stub_rules if node.is_stub else _node_rules
        findings += [f"{rule} at row {node.row}" for rule in rules(node, log)]
    return findings + _shape_rules(nodes) + _total_rules(nodes, log) + _result_rules(nodes, log)


def _node_rules(node: Node, log: Log) -> list[str]:
    search = log.header["search"]
    has_windows = search["algorithm"] != "minimax"
    broken = []

    def must(rule: str, holds: bool) -> None:
        if not holds:
            broken.append(rule)

    must("nan", not node.is_finished or not math.isnan(node.score))
    root_player = next(other for other in _up(node) if other.parent is None).player
    must("layer", (node.layer == words.MAX) == (node.player == root_player))
    if node.parent is not None:
        must("depth-step", node.depth == node.parent.depth - 1)
        must("pre_score", node.pre_score == (node.score if node.ending else node.static))
    if not math.isnan(node.static):
        weights = [factor.weight or 0.0 for factor in log.factors]
        total = sum(weight * value for weight, value in zip(weights, node.factors, strict=True))
        must("static-sum", math.isclose(total, node.static, rel_tol=1e-9, abs_tol=1e-9))
    if node.outcome == words.LEAF:
        must("leaf", node.score == node.static and not node.children and node.bound == words.EXACT)
    if node.outcome == words.TERMINAL:
        mate = search["mate"]["score"] - search["mate"]["step"] * node.level
        worth = {words.WIN: mate, words.LOSS: -mate, words.DRAW: search["draw"]}[node.ending]
        must("terminal", node.score == worth and math.isnan(node.static) and node.moves == 0)
    if node.outcome in (words.SEARCHED, words.CUTOFF):
        counts = sum(child.count for child in node.children if child.is_stub)
        plies = {child.ply for child in node.visited}
        must("moves", len(plies) + counts == node.moves)
        must("stopped-used", all(child.is_finished for child in node.visited))
        better = max if node.layer == words.MAX else min
        last = {child.ply: child for child in node.visited}
        must("value", node.score == better(child.score for child in last.values()))
        low, high = node.claim
        must("claim", low <= _fold(node)[0] and _fold(node)[1] <= high)
        _order_rules(node, must)
    if has_windows:
        must("window", node.alpha < node.beta)
        scouts = search["algorithm"] == "pvs"
        _window_rules(node, search["null_width"], log.header["result"].get("rank", 0), must, scouts=scouts)
    if node.outcome == words.STOPPED:
        must("stopped", node.bound == 0 and math.isnan(node.score))
    return broken


def _up(node: Node) -> list[Node]:
    line = [node]
    while line[-1].parent is not None:
        line.append(line[-1].parent)
    return line


def _fold(node: Node) -> tuple[float, float]:
    """The interval that the children's claims leave to their parent; a pruned stub opens the mover's side."""
    claims: dict[int, tuple[float, float]] = {}
    for child in node.visited:
        low, high = claims.get(child.ply, (-INF, INF))
        claims[child.ply] = max(low, child.claim[0]), min(high, child.claim[1])
    better = max if node.layer == words.MAX else min
    low, high = (better(each[side] for each in claims.values()) for side in (0, 1))
    if any(child.outcome == words.PRUNED for child in node.children):
        low, high = (low, INF) if node.layer == words.MAX else (-INF, high)
    return low, high


def _order_rules(node: Node, must: Any) -> None:
    """Siblings best pre-score first; none kept is worse than one that was limited; stubs last."""
    sign = 1 if node.layer == words.MAX else -1
    scores = [sign * child.pre_score for child in node.visited]
    must("order", scores == sorted(scores, reverse=True))
    kinds = [child.outcome if child.is_stub else 0 for child in node.children]
    must("stubs-last", kinds == sorted(kinds))


def _window_rules(node: Node, width: float, rank: int, must: Any, *, scouts: bool) -> None:
    """Each child's window follows from the node's and from what its elder siblings returned.

    Where the search scouts, every ply but the first is scouted in a null window, unless the node's own window
    is no wider.
    """
    scores: dict[int, float] = {}
    reaches = False
    for child in node.visited:
        elder = [score for ply, score in scores.items() if ply != child.ply]
        n_exact = rank + 1 if node.parent is None else 1
        if node.layer == words.MAX:
            ranked = sorted(elder, reverse=True)
            edge = ranked[n_exact - 1] if len(ranked) >= n_exact else -INF
            low, high = max(node.alpha, edge), node.beta
            scout = (low, low + width)
            research_lows = (low, max(low, scores.get(child.ply, INF) - width))
            is_research = research_lows[0] <= child.alpha <= research_lows[1] and child.beta == high
        else:
            edge = min(elder, default=INF)
            low, high = node.alpha, min(node.beta, edge)
            scout = (high - width, high)
            research_high = min(high, scores.get(child.ply, -INF) + width)
            is_research = research_high <= child.beta <= high and child.alpha == low
        must("cut-missed", not reaches)
        window = (child.alpha, child.beta)
        is_scouted = scouts and bool(elder) and low < high and low <= scout[0] < scout[1] <= high
        is_scouted = is_scouted and scout != (low, high)
        if child.purpose == words.SCOUT:
            must("scout", window == scout and is_scouted)
        elif child.purpose == words.RESEARCH:
            must("research", is_research and child.ply in scores)
        else:
            must("window", window == (low, high) and not is_scouted)
        if child.is_finished:
            needs_more = child.purpose == words.SCOUT and (
                child.beta <= child.score < high
                if node.layer == words.MAX
                else low < child.score <= child.alpha
            )
            scores[child.ply] = child.score
            later = [other for other in node.visited if other.row > child.row]
            again = bool(later) and later[0].ply == child.ply and later[0].purpose == words.RESEARCH
            must("research-missing", not node.is_finished or needs_more == again)
            reaches = child.score >= node.beta if node.layer == words.MAX else child.score <= node.alpha
    is_cut = node.outcome == words.CUTOFF
    if node.is_finished and node.visited:
        must("cut", is_cut == reaches)
        must("cut", is_cut or all(child.outcome != words.PRUNED for child in node.children))
        must("cut_by", (node.cut_by == 1) == is_cut)
        bound = words.EXACT
        if node.score >= node.beta:
            bound = words.LOWER
        elif node.score <= node.alpha:
            bound = words.UPPER
        must("bound", node.bound == bound)


def _stub_rules(stub: Node, log: Log) -> list[str]:
    assert stub.parent is not None
    assert log.stub_plies is not None
    broken = []
    plies, pre_scores = log.stub_plies.of(stub.row)
    if stub.count < 1 or stub.count != len(plies):
        broken.append("stub-count")
    if {child.ply for child in stub.parent.visited} & set(plies.tolist()):
        broken.append("stub-plies")
    sign = 1 if stub.parent.layer == words.MAX else -1
    worst = min((sign * child.pre_score for child in stub.parent.visited), default=INF)
    if any(sign * pre_score > worst for pre_score in pre_scores.tolist()):
        broken.append("limit-order")
    return broken


def _shape_rules(nodes: list[Node]) -> list[str]:
    """Rows are in pre-order, ends close, levels count."""
    broken = []
    for node in nodes:
        if node.end != (node.children[-1].end if node.children else node.row + 1):
            broken.append(f"end at row {node.row}")
        if node.level != len(_up(node)) - 1:
            broken.append(f"level at row {node.row}")
        expected = node.row + 1
        for child in node.children:
            if child.row != expected:
                broken.append(f"pre-order at row {child.row}")
            expected = child.end
    return broken


def _total_rules(nodes: list[Node], log: Log) -> list[str]:
    counted = {
        "nodes": sum(not node.is_stub for node in nodes),
        "leaves": sum(node.outcome in (words.LEAF, words.TERMINAL) for node in nodes),
        "prune_events": sum(node.outcome == words.PRUNED for node in nodes),
        "pruned": sum(node.count for node in nodes if node.outcome == words.PRUNED),
        "limited": sum(node.count for node in nodes if node.outcome == words.LIMITED),
    }
    result = log.header["result"]
    return [f"total {name}: {n}, not {result[name]}" for name, n in counted.items() if result[name] != n]


def _result_rules(nodes: list[Node], log: Log) -> list[str]:
    """The named root is exact, the chosen ply's claim proves the score, the PV is a path of best plies."""
    result = log.header["result"]
    if "score" not in result:
        return [] if "stopped" in result else ["result: neither a score nor a reason"]
    root = nodes[log.roots[result["root"]].row]
    broken = []
    if root.bound != words.EXACT or not root.is_finished:
        broken.append("result: the root is not exact")
    if "ply" not in result:
        return broken if root.outcome == words.TERMINAL or root.outcome == words.LEAF else [*broken, "no ply"]
    exact = {log.texts[child.ply]: child.score for child in root.visited if child.bound == words.EXACT}
    if exact.get(result["ply"]) != result["score"]:
        broken.append("result: the ply does not prove the score")
    if sum(score > result["score"] for score in exact.values()) > result["rank"]:
        broken.append("result: rank")
    if result["rank"] == 0 and root.score != result["score"]:
        broken.append("result: the score is not the root's")
    node = root
    for place, ply in enumerate(result["pv"]):
        best = [
            child
            for child in node.visited
            if log.texts[child.ply] == ply and child.bound == words.EXACT and child.score == result["score"]
        ]
        if not best:
            return [*broken, f"result: the PV leaves the best line at {place}"]
        node = best[-1]
    if node.visited:
        broken.append("result: the PV ends above its leaf")
    return broken
