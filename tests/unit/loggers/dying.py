"""Logs a root and its children, during whose search the engine ends: in a crash, by a way out, or by misuse.

python dying.py LOG FOLDER_OF_LOGGERS BUFFER crash|exit|score|cut|threads|done PLY
"""

import math
import os
import sys
import threading

sys.path.insert(0, sys.argv[2])
from search_log import SearchLog

_, path, _, buffer, end, odd_ply = sys.argv
log = SearchLog(path, buffer=int(buffer), note="dies")
log.enter(alpha=-math.inf, **{'n"\\': odd_ply}, nested={"list": [math.nan, 1.5]})
log.enter(odd_ply)
log.score(math.inf)
b = log.enter("b", quiescence=True)
log.score(math.nan)
log.cut([])
log.cut(["x", odd_ply], outcome="limited")
log.enter("c", depth=0.1)
log.score(1, tt={"use": "cut", "score": 1, "from": b, "ply": None}, factors=[2, math.nan, -0.5])
log.cut(0)
log.cut(12)
log.cut()
log.enter("n")
log.score(None, outcome="open")
with log.node("o") as node:
    node.score(None)
log.enter("d")
if end == "exit":
    sys.exit(3)
if end == "done":
    log.done()
    sys.exit()
if end == "threads":
    other = threading.Thread(target=log.enter)
    other.start()
    other.join()
if end != "crash":  # leave both nodes, and do something that only an open node can have
    log.score(0)
    log.score(0)
    log.score(0) if end == "score" else log.cut(1)
os._exit(3)
