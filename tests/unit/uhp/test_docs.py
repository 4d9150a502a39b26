"""The page about the protocol names what there is, with the figures of the code."""

from __future__ import annotations

import re
from pathlib import Path

from plyscope.visualizer.uhp.levels import LEVELS, OPTIONS
from plyscope.visualizer.uhp.session import USAGE

PAGE = (Path(__file__).parents[3] / "docs" / "uhp.md").read_text("utf-8")


def test_the_page_has_every_option_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE))
    defaults = {option.name: option.line(option.default).split(";")[3] for option in OPTIONS}
    assert rows == defaults


def test_the_page_has_every_level_with_its_figures() -> None:
    rows = re.findall(r"^\| (\d) \| ([^|]+) \| (\d+) \| (\w+) \|", PAGE, re.MULTILINE)
    assert [(int(number), int(limit)) for number, _, limit, _ in rows] == [
        (number, level.limit) for number, level in LEVELS.items()
    ]
    for (_, depth, _, quotient), level in zip(rows, LEVELS.values(), strict=True):
        assert depth == ("all the time allows" if level.depth is None else str(level.depth))
        assert quotient == ("none" if level.quotient is None else str(level.quotient))


def test_the_page_names_every_command() -> None:
    for command in USAGE:
        assert re.search(rf"`{command}\b", PAGE), command
