"""Tests of the logging guide on mates that decay on the way up: as they are, and as the root counts them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import orjson
import pytest

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log

MATE, THRESHOLD = 100, 50
HEAP, DEPTH = 9, 7
IGNORED = ("value", "claim", "window", "window-wide", "result", "repropagate")


def stepped(score: float, steps: int) -> float:
    """A mate `steps` plies further away, or nearer where they are negative; any other score as it is."""
    if not THRESHOLD < abs(score) < math.inf:
        return score
    return score - steps if score > 0 else score + steps


def search(
    heap: int, depth: int, alpha: float, beta: float, level: int, rooted: bool, moved: bool = True
) -> tuple[float, dict[str, Any]]:
    """Nim, the last to take wins, by a negamax whose mates lose a step at every ply: score and node.

    `moved`: the windows gain the step on the way down. What a parent took is written as `counted_as`.
    """

    def logged(score: float) -> float | None:
        score = stepped(score, level) if rooted else score
        return score if math.isfinite(score) else None

    node: dict[str, Any] = {"depth": depth, "alpha": logged(alpha), "beta": logged(beta)}
    if heap == 0:
        return -MATE, node | {"score": logged(-MATE), "outcome": "terminal", "ending": "loss"}
    if depth == 0:
        return heap, node | {"score": heap, "outcome": "leaf", "static": heap}
    best, children = -math.inf, []
    for take in range(1, min(heap, 3) + 1):
        step = -1 if moved else 0
        window = stepped(-beta, step), stepped(-max(alpha, best), step)
        score, child = search(heap - take, depth - 1, *window, level + 1, rooted, moved)
        counted = {} if rooted or stepped(score, 1) == score else {"counted_as": stepped(score, 1)}
        children.append(child | {"ply": f"take {take}"} | counted)
        best = max(best, stepped(-score, 1))
        if best >= beta:
            break
    bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
    outcome = "cutoff" if best >= beta else "searched"
    return best, node | {"score": logged(best), "bound": bound, "outcome": outcome, "children": children}


def checked(
    *, rooted: bool, ignore: tuple[str, ...] = (), counted: bool = False, moved: bool = True
) -> Report:
    score, root = search(HEAP, DEPTH, -math.inf, math.inf, 0, rooted, moved)
    if not counted:
        root = without_counts(root)
    declared = {"mate": {"score": MATE, "step": 1, "threshold": THRESHOLD}} if rooted else {}
    document = {
        "plyscope": 1,
        "search": {"perspective": "mover", "fail": "soft"} | declared,
        "result": {"score": score},
        "root": root,
    }
    return check(read_log(orjson.dumps(document)), ignore=ignore)


def test_mates_that_decay_on_the_way_up_break_the_rules_that_the_guide_leaves_out() -> None:
    report = checked(rooted=False)
    assert report.counts["wrong"] > 0
    assert {group.rule for group in report.groups} <= set(IGNORED)
    guide = Path(__file__).parents[2] / "docs" / "logging-from-your-engine.md"
    assert f"`--ignore {','.join(IGNORED)}`" in guide.read_text("utf-8")
    assert checked(rooted=False, ignore=IGNORED).findings() == []


def without_counts(node: dict[str, Any]) -> dict[str, Any]:
    """The node and all below it without `counted_as`."""
    below = {"children": [without_counts(child) for child in node["children"]]} if "children" in node else {}
    return {name: value for name, value in node.items() if name != "counted_as"} | below


@pytest.mark.parametrize(
    "how", [{"counted": True}, {"counted": True, "moved": False}, {"rooted": True}], ids=str
)
def test_mates_that_say_what_they_counted_as_or_are_logged_as_the_root_counts_them_are_clean(
    how: dict[str, bool],
) -> None:
    report = checked(**{"rooted": False, **how})
    assert report.findings() == []
    assert {"value", "claim", "window"} <= set(report.checked)
