"""Iterative deepening on Nim that runs out of time by an exception, in three of its iterations.

python deepening.py LOG FOLDER_OF_LOGGERS BUFFER MAX_LEVEL enter|node
"""

import math
import sys

sys.path.insert(0, sys.argv[2])
from search_log import SearchLog

PLAYERS = ("first", "second")
LIMITS = {3: 7, 5: 20, 7: 60}  # nodes; other iterations have no limit
COUNTS = {"nodes": 0, "leaves": 0, "prune_events": 0, "pruned": 0, "tt_hits": 0}


class OutOfTime(Exception):  # noqa: N818
    pass


def search(heap, level, depth, alpha, beta, ply=None, purpose="full"):
    fields = {"player": PLAYERS[level % 2], "depth": depth, "alpha": alpha, "beta": beta, "purpose": purpose}
    if way == "node":
        if level == 0:
            fields["iteration"] = depth
        with log.node(ply, **fields) as node:
            return search_entered(heap, level, depth, alpha, beta, node.id, node.score)
    return search_entered(heap, level, depth, alpha, beta, log.enter(ply, **fields), log.score)


def search_entered(heap, level, depth, alpha, beta, row, log_score):
    global n_left
    COUNTS["nodes"] += 1
    n_left -= 1
    if n_left < 0:
        raise OutOfTime
    if heap == 0 or depth == 0:
        COUNTS["leaves"] += 1
        if heap == 0:
            log_score(level - 100, outcome="terminal", ending="loss", bound="exact", moves=0)
            return level - 100
        log_score(0, outcome="leaf", bound="exact", moves=min(3, heap))
        return 0
    if (heap, level, depth) in table:
        COUNTS["tt_hits"] += 1
        score, source = table[heap, level, depth]
        entry = {"use": "cut", "depth": depth, "bound": "exact", "score": score, "from": source}
        log_score(score, outcome="tt", bound="exact", tt=entry)
        return score
    best, window = -math.inf, alpha
    takes = [take for take in (1, 2, 3) if take <= heap]
    for i, take in enumerate(takes):

        def value_of(beta, purpose, take=take, window=window):
            return -search(heap - take, level + 1, depth - 1, -beta, -window, f"take {take}", purpose)

        value = value_of(beta, "full") if i == 0 else value_of(window + 1, "scout")
        if i > 0 and window < value < beta:
            value = value_of(beta, "research")
        if value > best:
            best = value
            if level == 0:
                choice[0] = f"take {take}"
        window = max(window, best)
        if window >= beta:
            rest = [f"take {other}" for other in takes[i + 1 :]]
            log.cut(rest)
            COUNTS["prune_events"] += bool(rest)
            COUNTS["pruned"] += len(rest)
            break
    bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
    if bound == "exact":
        table[heap, level, depth] = best, row
    log_score(best, outcome="cutoff" if best >= beta else "searched", bound=bound, moves=len(takes))
    return best


_, path, _, buffer, max_level, way = sys.argv
log = SearchLog(
    path,
    buffer=int(buffer),
    max_level=int(max_level) if int(max_level) >= 0 else math.inf,
    game="nim",
    players=PLAYERS,
    search={"perspective": "mover", "fail": "soft", "table": "equal"},
)
table = {}
choice = [None]
for depth in range(1, 8):
    n_left = LIMITS.get(depth, 10**9)
    try:
        if way == "node":
            score = search(12, 0, depth, -math.inf, math.inf)
        else:
            with log.search(iteration=depth):
                score = search(12, 0, depth, -math.inf, math.inf)
        ply = choice[0]
    except OutOfTime:
        pass
log.done(ply=ply, score=score, **COUNTS)
