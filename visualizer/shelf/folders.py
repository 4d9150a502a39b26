"""The folders of files: the page and examples that ship with the package, the user's data and cache."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parent.parent


def shipped_folder(name: str) -> Path:
    """The folder `name` (`static`, `templates`, `examples`): in this package, else beside it."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def data_folder() -> Path:
    """The folder of the user's data: pasted logs, remembered mappings. `PLYSCOPE_DATA` overrides it."""
    return Path(os.environ.get("PLYSCOPE_DATA") or platformdirs.user_data_path("plyscope", appauthor=False))


def cache_folder() -> Path:
    """The folder of the cache: converted logs. `PLYSCOPE_CACHE` overrides it."""
    return Path(os.environ.get("PLYSCOPE_CACHE") or platformdirs.user_cache_path("plyscope", appauthor=False))
