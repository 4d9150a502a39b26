"""The game of a log of ours, held beside the games that this process knows; nothing is loaded by its name."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from plyscope.engine.former import ENGINE, left
from plyscope.engine.games import LEFT, is_known
from plyscope.engine.games.outside import brought, digest, installed, place_for
from plyscope.engine.quoting import quoted


def game_notice(header: Mapping[str, Any], command: str | None) -> str | None:
    """Return a sentence where the game of a log of ours is not known here, or is another version; else None.

    `command` is repeated with the option that is missing; None stands for Python.

    >>> print(game_notice({"game": "nim", "search": {"engine": "plyscope"}}, "plyscope view a"))
    The game 'nim' is not known here: no boards, no replay. Bring it: `plyscope view a --game FILE.py:Class`
    """
    search, name = header.get("search"), header.get("game")
    if not isinstance(search, Mapping) or search.get("engine") != ENGINE or not isinstance(name, str):
        return None
    stated, given = search.get("game_digest"), brought().get(name)
    now = None if given is None else digest(given.game)
    if now is not None and isinstance(stated, str) and stated != now:
        return f"Searched with another version of {quoted(name)}: boards and replay follow today's rules."
    is_of_another = given is None and stated is not None
    if is_known(name) and not is_of_another:
        return None
    is_left = name in LEFT and name not in installed()
    place = name if is_left else place_for(name)
    again = f"plyscope.bring({place!r})" if command is None else f"{command} --game {shlex.quote(place)}"
    if is_left:
        return left(name, f"`{again}`")
    if is_known(name):
        return f"The game {quoted(name)} of this log is not ours, whose rules are taken. Bring it: `{again}`"
    return f"The game {quoted(name)} is not known here: no boards, no replay. Bring it: `{again}`"
