"""Foreign documents and what they are read as, in text that a person can check line by line.

After a change that is meant, write the texts anew, read the difference, and commit it:

    python -m tests.shapes.dump
"""

from __future__ import annotations

from pathlib import Path

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from tests.equality.log_text import text_of

FOLDER = Path(__file__).parent


def documents() -> list[Path]:
    """The foreign documents of this folder."""
    return sorted(path for path in FOLDER.iterdir() if path.suffix in (".json", ".js", ".txt"))


def golden(document: Path) -> Path:
    """The file that holds the text of a document."""
    return document.with_name(f"{document.name}.dump")


def dump(log: Log) -> str:
    """All that a log says, its rows indented by their levels."""
    levels = iter(log.columns["level"].tolist())
    lines = text_of(log).splitlines()
    return "".join(f"{'  ' * next(levels) if line.startswith('row ') else ''}{line}\n" for line in lines)


if __name__ == "__main__":
    for document in documents():
        golden(document).write_text(dump(read_log(document.read_bytes())), "utf-8")
