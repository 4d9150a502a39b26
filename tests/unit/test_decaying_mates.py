"""The logging guide on mates that lose a step at every ply on the way up, and windows that do not gain it."""

from __future__ import annotations

import re
from pathlib import Path

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.foreign_engines.engine import Engine, Style

IGNORED = ("value", "claim", "window", "window-wide", "result", "repropagate")
SEEDS = range(1, 5)


class Unmoved(Engine):
    """Its windows do not gain the step on the way down."""

    def asked(self, ply: str, edge: float) -> float:
        return edge


def checked(engine: Engine, *, counted: bool, ignore: tuple[str, ...] = ()) -> Report:
    """The report on its log, with what each parent took for a child or without."""
    text = engine.run().nested()
    bare = re.sub(rb', "counted_as": [-\d.]+', b"", text)
    assert bare != text
    return check(read_log(text if counted else bare), ignore=ignore, compiled=False)


def test_mates_that_decay_break_the_rules_that_the_guide_leaves_out() -> None:
    style, broken = Style(takes="decayed", depth=6), set()
    for seed in SEEDS:
        broken |= {group.rule for group in checked(Engine(style, seed), counted=False).groups}
        assert checked(Engine(style, seed), counted=False, ignore=IGNORED).findings() == []
    assert {"value", "claim", "window"} <= broken <= set(IGNORED)
    guide = Path(__file__).parents[2] / "docs" / "logging-from-your-engine.md"
    assert f"`--ignore {','.join(IGNORED)}`" in guide.read_text("utf-8")


def test_windows_fit_what_mates_counted_as_though_they_are_not_moved() -> None:
    """Whose bounds are a step off at mates, which is found, and nothing else."""
    for seed in SEEDS:
        report = checked(Unmoved(Style(takes="decayed", depth=6), seed), counted=True)
        assert {group.rule for group in report.groups} <= {"claim"}
        assert {"value", "claim", "window"} <= set(report.checked)
