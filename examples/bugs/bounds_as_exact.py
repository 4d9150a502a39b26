"""Connect Four on a 4 × 4 board by alpha-beta with a table, with one bug: bounds leave the table as scores.

python bounds_as_exact.py bug-bounds-as-exact.json && plyscope check bug-bounds-as-exact.json
"""

import json
import sys
from itertools import count

SIZE, DEPTH, WIN, INFINITY = 4, 5, 100, 1000
START = ("OX", "O", "XX", "O")  # each column from the bottom up; X is to move
DIAGONALS = ([(i, i) for i in range(SIZE)], [(i, SIZE - 1 - i) for i in range(SIZE)])


def lines(x, y):
    return ([(x, i) for i in range(SIZE)], [(i, y) for i in range(SIZE)], *DIAGONALS)


def evaluate(columns, player):
    """The stones of `player` less the other's, each worth more the nearer it lies to the middle."""
    score = 0
    for x, column in enumerate(columns):
        for y, stone in enumerate(column):
            worth = (1, 3, 3, 1)[x] * (1, 2, 2, 1)[y]
            score += worth if stone == player else -worth
    return score


def wins(columns, x):
    """True where the top stone of column `x` completes a line of four."""
    y = len(columns[x]) - 1
    same = {(i, j) for i in range(SIZE) for j, stone in enumerate(columns[i]) if stone == columns[x][y]}
    return any((x, y) in line and same.issuperset(line) for line in lines(x, y))


def search(columns, player, depth, alpha, beta, table, ids, last=None):
    """Search the position `columns`; the score is the mover's. Returns a node of the log."""
    key = f"{'/'.join(columns)} {player}"
    node = {"id": next(ids), "player": player, "depth": depth, "alpha": alpha, "beta": beta, "key": key}
    node["ply"] = None if last is None else "abcd"[last]
    if last is not None and wins(columns, last):
        score = DEPTH - depth - WIN
        return {**node, "score": score, "bound": "exact", "outcome": "terminal", "ending": "loss"}
    plies = [x for x in (1, 2, 0, 3) if len(columns[x]) < SIZE]
    if depth == 0:
        static = evaluate(columns, player)
        return {**node, "score": static, "static": static, "bound": "exact", "outcome": "leaf"}
    entry = table.get((key, depth))
    if entry is not None:  # the bug: whether the entry is exact, or its bound suffices, is not asked
        return {**node, "score": entry["score"], "bound": "exact", "outcome": "tt", "tt": entry}
    best, chosen, children = -INFINITY, None, []
    for number, x in enumerate(plies, 1):
        after = (*columns[:x], columns[x] + player, *columns[x + 1 :])
        other = "O" if player == "X" else "X"
        child = search(after, other, depth - 1, -beta, -max(alpha, best), table, ids, x)
        children.append(child)
        if -child["score"] > best:
            best, chosen = -child["score"], child["ply"]
        if best >= beta and number < len(plies):
            rest = ["abcd"[x] for x in plies[number:]]
            children.append({"id": next(ids), "outcome": "pruned", "count": len(rest), "plies": rest})
            break
    bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
    table[key, depth] = {"use": "cut", "depth": depth, "bound": bound, "score": best, "from": node["id"]}
    outcome = "cutoff" if best >= beta else "searched"
    found = {"score": best, "bound": bound, "outcome": outcome, "chosen": chosen, "moves": len(plies)}
    return {**node, **found, "children": children}


def log():
    root = search(START, "X", DEPTH, -INFINITY, INFINITY, {}, count())
    mate = {"score": WIN, "step": 1, "threshold": WIN - SIZE * SIZE}
    declared = {"perspective": "mover", "fail": "soft", "table": "equal", "mate": mate, "static_pure": True}
    return {
        "plyscope": 1,
        "game": "connect four on 4 × 4",
        "position": "/".join(START) + " X",
        "players": ["X", "O"],
        "search": {"algorithm": "alpha-beta with a table", "depth": DEPTH, **declared},
        "result": {"ply": root["chosen"], "score": root["score"]},
        "root": root,
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python bounds_as_exact.py LOG")
    with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as file:
        json.dump(log(), file)
