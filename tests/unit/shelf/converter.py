"""Convert a log in processes that are killed at random moments, and print what each left.

`python -m tests.unit.shelf.converter ROAD SOURCE CACHE TIMES SEED`. A ROAD is `path`, a log that lies there;
`upload`, one that arrives piece by piece while it is read; or the name of a file beside CACHE to write the
log to. Files that are temporary lie in TMPDIR. The processes are forked from this one, which has all loaded
and no threads, so that a moment of the conversion is met and not one of the start of Python.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plyscope.visualizer.child_process import Message
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.formats.write.files import check_target, write_log_file
from plyscope.visualizer.shelf.jobs.log_converter import convert
from plyscope.visualizer.shelf.library import Library
from plyscope.visualizer.shelf.log_cache import digest_of

PIECES = 8
MOST = 10


def main(road: str, source: Path, cache: Path, times: int, seed: int) -> None:
    """Print a line of JSON: moments at which something was half written, and what was found after each."""
    if road in ("path", "upload"):
        library = Library(cache)
        run, place = converting(source, cache, is_upload=road == "upload")
        report(run, library.folder, place, lambda: tidied(library, source), times, seed)
    else:
        target = cache.parent / "written" / road
        target.parent.mkdir()
        log = read_log_file(source)
        report(
            lambda: write_log_file(log, target),
            target.parent,
            target.name,
            lambda: check_target(target),
            times,
            seed,
        )


def converting(source: Path, cache: Path, *, is_upload: bool) -> tuple[Callable[[], str], str]:
    """A function that converts the log, called once already, and the place where the log is kept."""
    data = source.read_bytes()
    task: dict[str, Any] = {
        "path": source,
        "mapping": None,
        "data": cache / "data",
        "cache": cache,
        "max_bytes": 10**9,
    }
    if is_upload:
        task |= {"n_bytes": len(data), "least": 1}

    def messages() -> Iterator[Message]:
        if is_upload:
            for piece in range(1, PIECES + 1):
                yield {"arrived": len(data) * piece // PIECES}
            yield {"path": str(source), "content": digest_of(data)}

    def run() -> str:
        return convert(task, lambda message: None, messages())["kept"]

    return run, run()


def tidied(library: Library, source: Path) -> None:
    """Do what the next viewer does, and the next reading of such a file."""
    library.remove_leftovers()
    if source.suffix == ".parquet":
        read_log_file(source)


def report(
    run: Callable[[], object], folder: Path, place: str, tidy: Callable[[], object], times: int, seed: int
) -> None:
    """Kill so many processes that `run` again and again, and more until one was killed while it wrote."""
    chance = random.Random(seed)
    temporary = Path(tempfile.gettempdir())
    run()
    begun = time.monotonic()
    run()
    spent = time.monotonic() - begun
    (shutil.rmtree if (folder / place).is_dir() else os.unlink)(folder / place)
    n_half, left = 0, []
    while len(left) < times or (n_half == 0 and len(left) < MOST * times):
        child = os.fork()
        if child == 0:
            while True:
                run()
        time.sleep(chance.uniform(0, 2 * spent))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        n_half += any(each.name.startswith(".") for each in folder.iterdir()) or any(temporary.iterdir())
        tidy()
        left.append(sorted(each.name for each in (*folder.iterdir(), *temporary.iterdir())))
    print(json.dumps({"place": place, "half": n_half, "left": left}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
