"""How the verbs that play name a game and a position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

position_option = click.option(
    "--position", metavar="TEXT", help="The position, or @FILE that holds it.  [default: the start]"
)


def find_game(name: str) -> Any:
    """The game of the registry with this name, or the class of `file.py:Class`; raises GameError."""
    if ":" in name:
        from engine.plain import load

        return load(name)
    from engine.games import find

    return find(name)


def read_position(text: str | None) -> str | None:
    """The position as given, or what the file after an `@` holds."""
    if text is None or not text.startswith("@"):
        return text
    return Path(text[1:]).read_text("utf-8").strip()
