"""The process that answers: it reads questions from standard input, one JSON object a line.

It imports nothing of the harness that makes inputs, so that it runs in the tree of another commit too.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

from tests.equality.log_text import digest
from tests.equality.questions import answer


def main() -> None:
    """Answer until the input ends, with the digest of each answer."""
    warnings.simplefilter("ignore")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    said = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        question = json.loads(line)
        text = answer(question["how"], Path(question["folder"]), question["asked"])
        data = text.encode("utf-8", "backslashreplace")
        Path(question["out"]).write_bytes(data)
        print(json.dumps({"digest": digest(data)}), file=said, flush=True)


if __name__ == "__main__":
    main()
