"""Rules of position keys, and the passes over all rows that compare them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from plyscope.visualizer.analysis.check.rules.keys.key_pass import key_flags
from plyscope.visualizer.analysis.check.rules.keys.path_key import path_flags
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight

BY_KEY: Final = {"key-side": "player", "key-moves": "moves", "key-static": "static"}
BY_PATH: Final = {"path-key": "ply"}
"""The rules that read the flags of each pass, and the column that each needs beside the key."""


def meet(sight: Sight, work: Work, rules: Set[str]) -> None:
    """Compute the flags that `rules` read. They need no derived arrays, so a sweep may run meanwhile."""
    if _is_read(BY_KEY, sight, rules):
        key_flags(sight, work)
    if _is_read(BY_PATH, sight, rules):
        path_flags(sight, work)


def _is_read(by: Mapping[str, str], sight: Sight, rules: Set[str]) -> bool:
    """Whether one of the rules can be asked, so that a pass is not for nothing."""
    return len(sight.key) > 0 and any(rule in rules and len(getattr(sight, by[rule])) > 0 for rule in by)
