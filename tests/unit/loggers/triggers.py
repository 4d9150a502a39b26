"""A tree of three plies, logged as a trigger says: triggers.py LOG FOLDER_OF_LOGGERS all|below|at|rows"""

import sys

sys.path.insert(0, sys.argv[2])
from search_log import SearchLog


def search(log, ply=None, level=0, key=""):
    log.enter(ply, key=key, depth=3 - level)
    if level < 3:
        for reply in "abc":
            search(log, reply, level + 1, key + reply)
        log.cut(2)
    log.score(level)


log = SearchLog(sys.argv[1])
if sys.argv[3] == "below":
    log.only_below(["b", "a"])
elif sys.argv[3] == "at":
    log.only_at("bac")
elif sys.argv[3] == "rows":
    log.max_rows(8)
for iteration in (1, 2):
    with log.search(iteration):
        search(log)
log.done(ply="a")
