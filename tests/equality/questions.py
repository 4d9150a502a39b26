"""The questions that a case may ask of its files; a child answers them by the tree that it runs in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.equality.commands import run_commands
from tests.equality.face import face
from tests.equality.reading import read_again, read_files
from tests.equality.requests import answer_requests

Answer = Callable[[Path, Mapping[str, Any]], str]

QUESTIONS: Final[dict[str, Answer]] = {
    "read": read_files,
    "read again": read_again,
    "commands": run_commands,
    "face": face,
    "requests": answer_requests,
}
"""By name: what is written down about a folder of files."""


def answer(how: str, folder: Path, asked: Mapping[str, Any]) -> str:
    """The text of a case."""
    return QUESTIONS[how](folder, asked)
