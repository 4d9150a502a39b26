"""The file by which a folder is known to hold the logs of a match."""

from __future__ import annotations

from typing import Final

MARK: Final = ".logs-of-match"
"""It says of which match; a viewer lists such a folder by the names of its logs."""
