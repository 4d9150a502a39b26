"""The game of a log of ours, held beside the games that this process knows; nothing is loaded by its name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from plyscope.engine.former import ENGINE, left
from plyscope.engine.games import LEFT, is_known
from plyscope.engine.games.outside import LONGEST_NAME, brought, digest, installed, place_for
from plyscope.engine.quoting import quoted


def game_notice(header: Mapping[str, Any], command: str | None) -> str | None:
    """Return a sentence if the game of a log of ours is unknown here, or another version; else None.

    `command` is repeated with the missing option; None for Python.

    >>> print(game_notice({"game": "nim", "search": {"engine": "plyscope"}}, "plyscope view a"))
    The game 'nim' is not known here: no boards, no replay. Bring it: `plyscope view a --game FILE.py:Class`
    """
    search, name = header.get("search"), header.get("game")
    if not isinstance(search, Mapping) or search.get("engine") != ENGINE or not isinstance(name, str):
        return None
    stated, given = search.get("game_digest"), brought().get(name)
    now = None if given is None else digest(given.game)
    if now is not None and isinstance(stated, str) and stated != now:
        another = f"another version of {quoted(name)} than is loaded here"
        return f"Searched with {another}, whose rules boards and replay follow."
    is_of_another = given is None and stated is not None
    if is_known(name) and not is_of_another:
        return None
    is_left = name in LEFT and name not in installed()
    place = name if is_left else place_for(name)
    again = f"plyscope.bring({place!r})" if command is None else f"{command} --game {shlex.quote(place)}"
    if is_left:
        return left(name, f"`{again}`")
    hint = f"Bring it: `{again}`{'' if name in installed() else _candidates(name)}"
    if is_known(name):
        return f"The game {quoted(name)} of this log is not ours, whose rules are taken. {hint}"
    return f"The game {quoted(name)} is not known here: no boards, no replay. {hint}"


def _candidates(name: str) -> str:
    """The installed games that this one may be, as texts tell: an entry point has a name of its own."""
    close = get_close_matches(name[:LONGEST_NAME], installed())
    parts = {each: re.split(r"[.:]", point.value.lower()) for each, point in installed().items()}
    found = dict.fromkeys([*close, *(each for each in parts if name.lower() in parts[each])])
    return f"; perhaps it is {' or '.join(found)}, which is installed" if found else ""
