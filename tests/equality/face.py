"""The public face in words: each name with its signature, annotations and members."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.equality.masks import masked


def face(folder: Path, asked: Mapping[str, Any]) -> str:
    """Every public name, and what it is."""
    import plyscope

    lines = [
        line for name in plyscope.__all__ for line in (f"== {name}", *_of(name, getattr(plyscope, name)))
    ]
    return masked("\n".join([*lines, ""]))


def _of(name: str, value: Any) -> Iterator[str]:
    if not inspect.isclass(value):
        yield f"{name}{_signature(value)}" if callable(value) else f"{name}: {type(value).__name__}"
        return
    bases = ", ".join(base.__name__ for base in value.__bases__)
    yield f"class {name}({bases}){_signature(value)}"
    for member in sorted(dir(value)):
        if member.startswith("_") or hasattr(object, member):
            continue
        found = inspect.getattr_static(value, member)
        if isinstance(found, staticmethod | classmethod):
            yield f"{type(found).__name__} {member}{_signature(found.__func__)}"
        elif isinstance(found, property):
            yield f"property {member}{_signature(found.fget)}"
        elif hasattr(found, "func"):
            yield f"property {member}{_signature(found.func)}"
        elif callable(found):
            yield f"method {member}{_signature(found)}"
        else:
            yield f"attribute {member}"
    for member, annotation in sorted(_annotations(value).items()):
        if not member.startswith("_"):
            yield f"field {member}: {annotation}"


def _annotations(value: Any) -> dict[str, Any]:
    return {
        name: said for each in reversed(value.__mro__) for name, said in inspect.get_annotations(each).items()
    }


def _signature(value: Any) -> str:
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
