"""Mappings of a foreign tree's fields to ours, as people write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.names import words

ROLES: Final = words("""
    children ply score layer player pre_score static factors alpha beta depth bound outcome visits mean
    total prior game position board iteration perspective go
""")
"""The roles of a mapping. `total` is a sum over visits, which gives the mean; `perspective` takes a word of
ours instead of a field, `layer` may; `game` takes the name of a game; `go` is the number of the search to be
read in a session over UCI."""

LAYERS_IN_TURN: Final = {"max first": ("max", "min"), "min first": ("min", "max")}
"""Words that `layer` takes in the place of a field, with the layers of even and odd levels."""

PERSPECTIVES: Final = ("root", "mover", "parent", "first")


def parse_mapping(text: str) -> dict[str, str]:
    """The mapping in a text such as `children=nextMove,score=value`; `score=` is for no field.

    >>> parse_mapping("children=nextMove, score=, layer=max first")
    {'children': 'nextMove', 'score': '', 'layer': 'max first'}
    >>> parse_mapping("score")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: mapping "score": expected pairs such as score=value, ...
    """
    mapping: dict[str, str] = {}
    for part in text.split(","):
        if not part.strip():
            continue
        role, equals, field = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise LogError(f'mapping "{part.strip()}": expected pairs such as score=value, joined by commas')
        if role in mapping:
            raise LogError(f'mapping: "{role}" is given twice, expected each once')
        mapping[role] = field
    return checked_mapping(mapping)


def checked_mapping(mapping: Mapping[str, object]) -> dict[str, str]:
    """The mapping, if all its roles are known and every field is a text; else raises LogError.

    >>> checked_mapping({"scores": "value"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: mapping: "scores" is nothing to map, expected one of ...
    """
    checked = {}
    for role, field in mapping.items():
        if role not in ROLES:
            raise LogError(f'mapping: "{role}" is nothing to map, expected one of {", ".join(ROLES)}')
        if not isinstance(field, str):
            raise LogError(f'mapping: the field for "{role}" is {json.dumps(field)[:60]}, expected a text')
        if role == "perspective" and field not in ("", *PERSPECTIVES):
            raise LogError(f'mapping: perspective "{field}", expected {", ".join(PERSPECTIVES)}')
        checked[role] = field
    return checked
