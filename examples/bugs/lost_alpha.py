"""Coins in a row by alpha-beta, with one bug: alpha does not arrive where the child looks for it.

Each player takes the coin at the left or the right end of the row; who has more at the end wins by the
difference.

python lost_alpha.py bug-lost-alpha.json && plyscope check bug-lost-alpha.json
"""

import json
import sys

INFINITY = 1000
COINS = (4, 9, 2, 7, 3, 8, 5, 6)


def search(coins, lead, alpha, beta, level=0, ply=None):
    """Search the row `coins`, where the mover leads by `lead`; the score is the mover's.

    Returns a node of the log.
    """
    player = "second" if level % 2 else "first"
    node = {"ply": ply, "player": player, "depth": len(coins), "alpha": alpha, "beta": beta}
    node["board"] = " ".join(map(str, coins))
    if not coins:
        ending = "win" if lead > 0 else "loss" if lead < 0 else "draw"
        return {**node, "score": lead, "bound": "exact", "outcome": "terminal", "ending": ending}
    best, chosen, children = -INFINITY, None, []
    plies = [(f"left {coins[0]}", coins[0], coins[1:]), (f"right {coins[-1]}", coins[-1], coins[:-1])]
    plies = plies[: len(coins)]  # the last coin has one end
    for number, (taken, worth, rest) in enumerate(plies, 1):
        raised = max(alpha, best)
        child = search(rest, -lead - worth, raised, beta, level + 1, taken)  # the bug: not turned
        children.append(child)
        if -child["score"] > best:
            best, chosen = -child["score"], child["ply"]
        if best >= beta and number < len(plies):
            children.append({"outcome": "pruned", "count": 1, "plies": [plies[number][0]]})
            break
    bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
    outcome = "cutoff" if best >= beta else "searched"
    found = {"score": best, "bound": bound, "outcome": outcome, "chosen": chosen, "moves": len(plies)}
    return {**node, **found, "children": children}


def log():
    root = search(COINS, 0, -INFINITY, INFINITY)
    return {
        "plyscope": 1,
        "game": "coins in a row",
        "position": " ".join(map(str, COINS)),
        "players": ["first", "second"],
        "search": {"algorithm": "alpha-beta", "depth": len(COINS), "perspective": "mover", "fail": "soft"},
        "result": {"ply": root["chosen"], "score": root["score"]},
        "root": root,
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python lost_alpha.py LOG")
    with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as file:
        json.dump(log(), file)
