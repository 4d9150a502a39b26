"""The process that answers: it reads questions from standard input, one JSON object a line.

It imports nothing of the harness that makes inputs, so that it runs in the tree of another commit too.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
import warnings
from pathlib import Path

from tests.equality.log_text import digest
from tests.equality.questions import answer


def main() -> None:
    """Answer until the input ends; a line that begins with `answered` says how dear each answer was."""
    warnings.simplefilter("ignore")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    said = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        question = json.loads(line)
        before, wall = time.process_time(), time.perf_counter()
        text = answer(question["how"], Path(question["folder"]), question["asked"])
        seconds, processor = time.perf_counter() - wall, time.process_time() - before
        data = text.encode("utf-8", "backslashreplace")
        Path(question["out"]).write_bytes(data)
        report = {"digest": digest(data), "seconds": seconds, "processor": processor, "peak": _peak()}
        print(json.dumps(report), file=said, flush=True)


def _peak() -> float:
    """The most memory that this process has had, in MB."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1_000


if __name__ == "__main__":
    main()
