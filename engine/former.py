"""Former names: those of options and counters still work, others get an error with the new place.

New logs have only the names on the right. Older logs of ours get them on reading, so only readers know the
old ones. Logs of other engines are left unchanged: what another engine calls futility may be another
technique.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

ENGINE: Final = "plyscope"
"""The `search.engine` of the logs of our own searches."""

RENAMED: Final = {
    "internal_deepening": "iid",
    "reductions": "lmr",
    "futility": "reverse_futility",
}
"""Former names of options and of their counters, and the names that they have now."""


def left(name: str, then: str) -> str:
    """Return the sentence about a part that moved to a package of its own; `then` is its new usage.

    >>> left("lab", "run `plyscope study lab`")
    "'lab' is part of the package plyscope-studies: pip install ./studies, then run `plyscope study lab`"
    """
    return f"{name!r} is part of the package plyscope-studies: pip install ./studies, then {then}"


def header_by_present_names(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the header of a log with options and counters under the names that they have now.

    Only logs of our own engine are changed. An old name beside its new one is left: which of them is meant,
    nothing says.

    >>> header = {"search": {"engine": "plyscope", "options": {"reductions": 3}}}
    >>> header_by_present_names(header)["search"]["options"]
    {'lmr': 3}
    """
    search, result = header.get("search"), header.get("result")
    if not isinstance(search, Mapping) or search.get("engine") != ENGINE:
        return header
    renamed = {"search": _with(search, "options")}
    if isinstance(result, Mapping):
        renamed["result"] = _with(result, "counters")
    return {**header, **renamed}


def _with(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """`holder` with present names in the object that it has under `name`."""
    named = holder.get(name)
    if not isinstance(named, Mapping) or not named.keys() & RENAMED.keys():
        return holder
    now = {each: RENAMED.get(each, each) for each in named}
    return {**holder, name: {now[each] if now[each] not in named else each: named[each] for each in named}}
