"""Values, names and documents that programs do write and readers do get wrong, each in every place.

The texts lie in `hard_values.json` and `odd_texts.json`; in a place `§` stands for the value or the name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

Labelled = list[tuple[str, bytes]]

FOLDER: Final = Path(__file__).parent
LONG_VALUES: Final = ("9" * 400, '"' + "x" * 3_000 + '"')
LONG_NAMES: Final = ('"' + "n" * 300 + '"',)


def documents() -> dict[str, Labelled]:
    """By place: every value or name in it, under a label."""
    read = _read("hard_values.json")
    return {
        **_placed("value", read["places of values"], [*read["values"], *LONG_VALUES]),
        **_placed("name", read["places of names"], [*read["names"], *LONG_NAMES]),
    }


def odd_texts() -> dict[str, Labelled]:
    """By kind: texts that are no document of one of the forms, or a wrong one."""
    return {
        kind: [(f"{number} {ascii(text)[1:50]}", text.encode()) for number, text in enumerate(texts)]
        for kind, texts in _read("odd_texts.json").items()
    }


def _placed(kind: str, places: Mapping[str, str], values: Sequence[str]) -> dict[str, Labelled]:
    return {
        f"{kind}/{place}": [
            (f"{number} {_label(value)}", text.replace("§", value).encode())
            for number, value in enumerate(values)
        ]
        for place, text in places.items()
    }


def _label(value: str) -> str:
    return json.dumps(value)[:60]


def _read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))
