"""value: whatever a log leaves out, a score is one that the plies below can have."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from tests.unit.analysis.check.checked import Cases, Node, held, log, node, report_of

WRONG = "wrong value root"
SOFT = {"search": {"fail": "soft"}}
HARD = {"search": {"fail": "hard"}}


def bare(ply: str | None, score: float | None, *children: Node, **fields: Any) -> Node:
    """A node that states no layer."""
    return node(ply, None, score, *children, **fields)


def own(*children: Node, score: float, **fields: Any) -> Any:
    return log(bare("", score, *children, **fields))


def foreign(score: float, *children: Node) -> Node:
    """A node in words of another program."""
    return {"move": "m", "val": score, "replies": list(children)}


def refuting(score: float, **reply: Any) -> Any:
    """A reply of 3 refutes b, since a had 5; b returned `score`."""
    refuted = node("b", "min", score, node("x", "max", 3, **reply))
    return log(node("", "max", 5, node("a", "min", 5), refuted))


def without_layers(document: Any) -> Any:
    return json.loads(json.dumps(document).replace('"layer"', '"note"'))


def clamping(outcome: str) -> Any:
    """What a fail-hard search returns as it is, in the window (5, 9)."""
    refuted = node("b", "min", 3, node("x", "max", 3, outcome=outcome), alpha=5, beta=9)
    return log(node("", "max", 5, node("a", "min", 5), refuted), **HARD)


FITS = foreign(3, foreign(3), foreign(1))
TWICE = foreign(200, foreign(110), foreign(200))
NULL_WINDOWS = [
    node("", "max", 3, node("a", "min", 3), iteration=1),
    node("", "max", -1, node("a", "min", -1, node("x", "max", -7)), iteration=1),
]
"""Two of MTD, fail-hard, that nothing states: the second one is (-1, 0)."""
CASES: Cases = {
    "without a layer a score is that of some child": [
        (own(bare("a", 3), bare("b", 5), score=5), ""),
        (own(bare("a", 3), bare("b", 5), score=4), WRONG),
    ],
    "without a layer what may be hidden is not judged": [
        (own(bare("a", 3), {"outcome": "unlogged", "count": 2}, score=9), ""),
        (own(bare("a", 3), bare("b", None), score=9), ""),
        (own(bare("a", 3), bare("b", 5, outcome="open"), score=9), ""),
        (own(bare("a", 3), score=9, stand_pat=9), ""),
        (own(bare("a", 3), score=9, quiescence=True), ""),
        (own(bare("a", 3, scores=[3, 4, 5]), score=9), ""),
        (own(bare("a", 3), score=9) | {"players": ["x", "y", "z"]}, ""),
    ],
    "a foreign tree is judged by the reading that half of its parents fit, and is odd where it fits none": [
        (foreign(9, foreign(4, foreign(1), foreign(2)), foreign(5)), "odd value root"),
        (foreign(9, foreign(3)), "odd value root"),
        (foreign(9, FITS), WRONG),
        (foreign(9, foreign(3, foreign(-3)), foreign(2, foreign(-2))), WRONG),
        # A player who moves twice running has both signs in one tree.
        (foreign(-200, TWICE, foreign(300, foreign(-300)), foreign(250, foreign(-250))), ""),
    ],
    "value: edges that an ancestor had or a root returned may be returned, but in a fail-soft search": [
        *((document, "") for document in (refuting(5), without_layers(refuting(5)))),
        *((document, "") for document in (refuting(3), without_layers(refuting(3)))),
        *((document, "wrong value b") for document in (refuting(4), without_layers(refuting(4)))),
        (refuting(3) | SOFT, ""),
        (refuting(5) | SOFT, "wrong value b"),
        ({"plyscope": 1, "roots": NULL_WINDOWS}, ""),
        ({"plyscope": 1, "roots": NULL_WINDOWS, **SOFT}, "wrong value a"),
        (clamping("tt"), ""),
        (clamping("terminal"), ""),
        (clamping("leaf"), "wrong value b"),
    ],
}

test_value = held(CASES)


def test_a_foreign_tree_whose_scores_are_something_else_gets_one_odd_finding() -> None:
    tree = foreign(9, foreign(4, foreign(3), foreign(1)), foreign(6, foreign(2)), foreign(7, foreign(5)))
    (finding,) = report_of(tree).findings()
    assert (finding.severity, finding.rule, finding.path) == ("odd", "value", "root")
    assert "Of 4 nodes with children 0" in finding.message


# Where `fail` is not declared: plies in the window (5, 9).


def visits(name: str, n: int, score: float, of_reply: float) -> list[Node]:
    """Plies that returned `score`, each with one reply."""
    bound = "upper" if of_reply < 5 else "lower"
    edges: Node = {"alpha": 5, "beta": 9, "bound": bound}
    return [node(f"{name}{i}", "min", score, node("x", "max", of_reply), **edges) for i in range(n)]


# As a fail-hard search returns them: refuted by more than is asked; all answers miss the window.
refuted, fail_low = partial(visits, "r", score=5, of_reply=3), partial(visits, "l", score=9, of_reply=12)
# As a fail-soft search does: refuted by more than is asked.
fail_high = partial(visits, "h", score=3, of_reply=3)
UNCLAMPED = visits("u", 1, 12, 12)[0]


def said(*children: Node) -> list[str]:
    """The severities, paths and messages of `value` for these plies of a root that has 5 before them."""
    best = node("a", "min", 5, outcome="leaf")
    score = max(each["score"] for each in (best, *children))
    document = log(node("", "max", score, best, *children, alpha=4, beta=9, bound="lower"))
    return [f"{each.severity} {each.path}: {each.message}" for each in report_of(document).findings("value")]


def test_the_rare_form_is_odd_among_many_of_the_other() -> None:
    wrong = visits("w", 1, 4, 3)
    assert said(*refuted(18), *fail_high(1)) == []
    assert [each.split(":")[0] for each in said(*refuted(19), *fail_high(1), *wrong)] == [
        "wrong w0",
        "odd h0",
    ]


def test_a_search_may_clamp_where_it_fails_low_and_not_where_it_fails_high() -> None:
    """`if (score >= beta) return score; ... return alpha;`: such a loop clamps on one side only."""
    assert said(*fail_low(40), *fail_high(2)) == []
    (high,) = said(*fail_low(40), *fail_high(19), *refuted(1))
    assert high.startswith("odd r0: The best of its children is 3, and the node returned 5")
    assert "(fail high) are not clamped to it, which makes it 3." in high
    (low,) = said(*fail_low(19), UNCLAMPED, *fail_high(40))
    assert low.startswith("odd u0: The best of its children is 12, and the node returned 12")
    assert "(fail low) are clamped to it, which makes it 9." in low


def test_quiescence_may_clamp_where_the_search_above_does_not() -> None:
    """They are two functions; of one, the rare form is still odd."""
    quiet = [each | {"quiescence": True} for each in fail_low(40)]
    assert said(*quiet, UNCLAMPED) == []
    (message,) = said(*quiet, UNCLAMPED | {"quiescence": True})
    assert "nearly all scores of its quiescence" in message
