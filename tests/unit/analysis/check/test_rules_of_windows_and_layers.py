"""layers, probe-window, depth-step at chance nodes, plies that cost more by design; edges that cross."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.analysis.check.checked import Cases, Node, changed, hold, leaf, log, node, report_of

MAX, MIN = "max", "min"


def path(*layers: str, **header: Any) -> Any:
    """A log of one line of plies, and a second ply at each node."""
    below: list[Node] = []
    for at, layer in reversed([*enumerate(layers)]):
        below = [node(f"p{at}" if at else None, layer, 1, *below), node("q", layer, 1)]
    return log(below[0], **header)


def probe(*window: float | None, **more: Any) -> Any:
    """The probe of the example with another window."""
    document = changed("probe-window", {"0": more})
    document["root"]["children"][0].update(alpha=window[0], beta=window[1])
    return document


def rolled(above: int, roll: int, below: int) -> Any:
    """A chance node between two others, by their depths."""
    one = node("1", MAX, 5, prior=1, depth=below, outcome="leaf")
    return log(node(None, MAX, 5, node("a", "chance", 5, one, depth=roll), depth=above))


def crossed(alpha: Any, beta: Any) -> Any:
    """A root that was called with these edges, which it hands on."""
    edges = {"alpha": alpha, "beta": beta}
    below = {"ply": "a", "layer": MIN, "score": 3, "children": [node("x", MAX, 3, outcome="leaf") | edges]}
    return log({"layer": MAX, "score": 3, "children": [below | edges]} | edges)


ALTERNATING = (MAX, MAX, MIN, MAX)
OF_A = path(*ALTERNATING, players=["A", "B"])
OF_A["root"]["player"] = "A"
DECLARED = path(*ALTERNATING, search={"turns": "alternate"})

CASES: Cases = {
    "layers: branches that are swapped below the root are said once": [
        (path(*ALTERNATING), "odd layers root"),
        (path(MIN, MIN, MAX, MIN), "odd layers root"),
        (path(MAX, MAX, MIN, MAX, MIN), "odd layers root"),
    ],
    "layers: what a game may have is left alone": [
        (path(MAX, MIN, MAX, MIN), ""),
        (path(MAX, MAX, MIN), ""),  # cut short
        (path(MAX, MAX, MIN, MIN), ""),  # double moves
        (path(MAX, MAX, MAX, MIN), ""),  # all one side
        (path(MAX, MAX, MIN, MAX, MAX), ""),  # once more
    ],
    "layers: players and declared turns are judged by another rule": [(OF_A, ""), (DECLARED, "")],
    "layer: declared turns are judged by it": [
        (path(MAX, MAX, search={"turns": "alternate"}), "wrong layer p1, wrong layer q"),
    ],
    "probe-window: a probe of its own position asks what its node asks": [
        (probe(-40, -20), "odd probe-window ?"),
        (probe(41, 60), "odd probe-window ?"),
        (probe(-5, 10), "odd probe-window ?"),
    ],
    "probe-window: other probes are left alone": [
        (probe(20, 40), ""),
        (probe(None, None), ""),
        (probe(30, 90), ""),  # a part
        (probe(40, 60), ""),  # at its edge
        (probe(9, 10), ""),  # a null window
        (probe(-40, -20, ply="a", layer="min"), ""),
        (probe(-40, -20, purpose="null", layer="min"), ""),
    ],
    "depth-step: either side of a roll, or both, may take the depth": [
        (rolled(2, 2, 1), ""),
        (rolled(2, 1, 1), ""),
        (rolled(2, 1, 0), ""),
    ],
    "reduced-unverified: late plies may cost more by design": [
        (changed("reduced-unverified"), "wrong reduced-unverified b"),
        (changed("reduced-unverified", search={"verify": False}), ""),
    ],
    "window: edges that cross from the root on are odd once": [
        (crossed(100, -100), "odd window root"),
        (crossed(2147483648, -2147483647), "odd window root"),  # an infinity that does not bear a minus
        (crossed(4, 3), "odd window root"),
    ],
    "window: edges that leave something or are not known are not odd": [
        (crossed(-100, 100), ""),
        (crossed(3, 3), ""),
        (crossed(None, 100), ""),
        (crossed(None, None), ""),
    ],
    "window: a node that mate distance closed was not searched": [
        (log(node(None, MAX, 5, leaf("b", 5, alpha=5, beta=4, outcome="cutoff"))), ""),
    ],
}


@pytest.mark.parametrize("sentence", CASES)
def test_windows_and_layers(sentence: str) -> None:
    hold(CASES, sentence)


def test_edges_that_cross_are_told_to_leave_no_score() -> None:
    (finding,) = report_of(crossed(4, 3)).findings("window")
    assert finding.message.endswith("alpha is above beta, so that no score lies between them.")
