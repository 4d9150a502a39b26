"""Tic-tac-toe by negamax, with one bug: it does not see a win that lies on the table.

python wrong_sign.py bug-wrong-sign.json && plyscope check bug-wrong-sign.json
"""

import json
import sys

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
WIN = 100  # less one for every ply that it takes
BOARD = "XX.O.O..."  # X, to move, wins at c3


def name(cell):
    return "abc"[cell % 3] + "321"[cell // 3]


def has_lost(board, player):
    other = "O" if player == "X" else "X"
    return any(all(board[int(cell)] == other for cell in line) for line in LINES)


def search(board, player, level, ply=None):
    """Search `board`, where `player` is to move; the score is the mover's. Returns a node of the log."""
    empty = [cell for cell in range(9) if board[cell] == "."]
    node = {"ply": ply, "player": player, "depth": 9 - level, "board": board, "bound": "exact"}
    if has_lost(board, player):
        return {**node, "score": level - WIN, "outcome": "terminal", "ending": "loss"}
    if not empty:
        return {**node, "score": 0, "outcome": "terminal", "ending": "draw"}
    best, chosen, children = -WIN, None, []
    for cell in empty:
        after = board[:cell] + player + board[cell + 1 :]
        child = search(after, "O" if player == "X" else "X", level + 1, name(cell))
        children.append(child)
        value = child["score"]  # the bug: the child's score is the other player's
        if value > best:
            best, chosen = value, name(cell)
    found = {"score": best, "chosen": chosen, "outcome": "searched", "moves": len(empty)}
    return {**node, **found, "children": children}


def log():
    root = search(BOARD, "X", 0)
    mate = {"score": WIN, "step": 1, "threshold": WIN - 10}
    return {
        "plyscope": 1,
        "game": "tic-tac-toe",
        "position": BOARD,
        "players": ["X", "O"],
        "search": {"algorithm": "negamax", "perspective": "mover", "fail": "soft", "mate": mate},
        "result": {"ply": root["chosen"], "score": root["score"]},
        "root": root,
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python wrong_sign.py LOG")
    with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as file:
        json.dump(log(), file)
