"""Nim with one heap, the last to take wins: a negamax alpha-beta with the logger in its four places.

python nim.py nim.jsonl && plyscope view nim.jsonl
"""

import math
import sys

from search_log import SearchLog

PLAYERS = ("first", "second")


def search(log, heap, level, depth, alpha, beta, ply=None):
    log.enter(ply, player=PLAYERS[level % 2], depth=depth, alpha=alpha, beta=beta)  # 1. enter
    if heap == 0:  # the other player took the last one
        log.score(level - 100, outcome="terminal", ending="loss", bound="exact")  # 2. score
        return level - 100, None
    if depth == 0:
        log.score(0, outcome="leaf", bound="exact")
        return 0, None
    best, chosen, window = -math.inf, None, alpha
    takes = [take for take in (1, 2, 3) if take <= heap]
    for i, take in enumerate(takes):
        value = -search(log, heap - take, level + 1, depth - 1, -beta, -window, f"take {take}")[0]
        if value > best:
            best, chosen = value, f"take {take}"
        window = max(window, best)
        if window >= beta:
            log.cut([f"take {take}" for take in takes[i + 1 :]])  # 3. cut
            break
    bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
    log.score(best, outcome="cutoff" if best >= beta else "searched", bound=bound)
    return best, chosen


log = SearchLog(
    sys.argv[1], game="nim", players=PLAYERS, search={"depth": 6, "perspective": "mover", "fail": "soft"}
)
score, ply = search(log, 7, 0, 6, -math.inf, math.inf)
log.done(ply=ply, score=score)  # 4. done
