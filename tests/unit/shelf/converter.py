"""Convert a log in processes that are killed at random moments, and print what each left.

`python -m tests.unit.shelf.converter SOURCE CACHE TIMES SEED`. The processes are forked from this one, which
has all loaded and no threads, so that a moment of the conversion is met and not one of the start of Python.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from plyscope.visualizer.shelf.library import Library
from plyscope.visualizer.shelf.log_reader import convert


def main(source: Path, cache: Path, times: int, seed: int) -> None:
    """Print a line of JSON: moments at which something was half written, and places found after each."""
    task = {"path": source, "mapping": None, "data": cache / "data", "cache": cache, "max_bytes": 10**9}
    chance = random.Random(seed)
    library = Library(cache)
    begun = time.monotonic()
    place = convert(task, lambda message: None, iter(()))["kept"]
    spent = time.monotonic() - begun
    shutil.rmtree(library.folder / place)
    n_half, left = 0, []
    for _ in range(times):
        child = os.fork()
        if child == 0:
            while True:
                convert(task, lambda message: None, iter(()))
        time.sleep(chance.uniform(0, 2 * spent))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        n_half += any(each.name.startswith(".") for each in library.folder.iterdir())
        library.remove_leftovers()
        left.append(sorted(each.name for each in library.folder.iterdir()))
    print(json.dumps({"place": place, "half": n_half, "left": left}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
