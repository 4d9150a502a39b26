"""Logs a root and a child, at which it is held: over a viewer's socket, or with 0 for the port into a file.

python live.py PORT LOG FOLDER_OF_LOGGERS
"""

import sys

sys.path.insert(0, sys.argv[3])
from search_log import SearchLog

_, port, path, _ = sys.argv
try:
    log = SearchLog(f"tcp:{port}" if int(port) else path, buffer=65536, search={"engine": "in py"})
except ConnectionRefusedError as error:
    print(str(error).partition("] ")[2], file=sys.stderr)
    sys.exit(3)
with log.search(iteration=1):
    log.enter()
    log.enter("a1")
    log.breakpoint('at "a1"')
    log.score(2)
    log.score(2)
log.done()
