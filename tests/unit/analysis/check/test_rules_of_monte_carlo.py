"""descent, proof and the forms of UCB's terms: what goes wrong in Monte Carlo trees and in solvers."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log

Node = dict[str, Any]


def findings(root: Node, rule: str, **search: Any) -> list[tuple[str, str, str]]:
    document = {"plyscope": 1, "search": {"order": "best_first", "range": [0, 1], **search}, "root": root}
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [(each.severity, each.path, each.message) for each in report.findings(rule)]


def node(ply: str | None, layer: str, visits: int, mean: float, *children: Node, **more: Any) -> Node:
    said: Node = {"ply": ply, "layer": layer, "visits": visits, "mean": mean, **more}
    return {name: value for name, value in said.items() if value is not None} | (
        {"children": list(children)} if children else {}
    )


def replies(counts: tuple[int, ...], means: tuple[float, ...], **more: Any) -> list[Node]:
    return [
        node(f"r{i}", "max", n, mean, **more) for i, (n, mean) in enumerate(zip(counts, means, strict=True))
    ]


GOOD_FOR_ROOT = (0.9, 0.4, 0.3)
HELPING, FIGHTING = (80, 10, 10), (10, 10, 80)


def opponents(n: int, counts: tuple[int, ...], means: tuple[float, ...] = GOOD_FOR_ROOT, **more: Any) -> Node:
    """A root with `n` plies, below each of which the opponent has three replies."""
    mean = sum(count * worth for count, worth in zip(counts, means, strict=True)) / sum(counts)
    below = [node(f"p{i}", "min", sum(counts) + 1, mean, *replies(counts, means, **more)) for i in range(n)]
    return node(None, "max", n * (sum(counts) + 1) + 1, mean, *below)


@pytest.mark.parametrize("n", [4, 7])
def test_an_opponent_that_helps_the_root_player_is_said_once(n: int) -> None:
    ((severity, path, message),) = findings(opponents(n, HELPING), "descent")
    assert (severity, path) == ("odd", "p0")
    assert message == (
        f"At {n} of {n} nodes that can tell the opponent's reply that was visited most is the best for the "
        "root player: the means seem to be taken for the other side."
    )


def test_a_root_player_that_harms_itself_is_said_too() -> None:
    root = node(None, "max", 101, 0.5, *(node(f"p{i}", "min", 20, 0.5) for i in range(5)))
    for reply in root["children"]:
        reply["children"] = [
            node(
                "q",
                "max",
                100,
                0.4,
                *[
                    node(f"s{i}", "min", n, mean)
                    for i, (n, mean) in enumerate(zip(HELPING, (0.1, 0.8, 0.9), strict=True))
                ],
            )
        ]
    (found,) = findings(root, "descent")
    assert "the root player's own ply that was visited most is the worst for the root player" in found[2]


@pytest.mark.parametrize(
    ("root", "search"),
    [
        (opponents(6, FIGHTING), {}),
        (opponents(3, HELPING), {}),
        (opponents(6, (8, 5, 5)), {}),
        (opponents(6, HELPING, (0.501, 0.5, 0.499)), {}),
        (opponents(6, HELPING, key="same"), {}),
        (opponents(6, HELPING), {"options": {"selection": "uniform"}}),
    ],
    ids=["fighting", "three nodes", "few visits", "noise", "shared positions", "declared uniform"],
)
def test_a_sound_descent_is_left_alone(root: Node, search: dict[str, Any]) -> None:
    assert findings(root, "descent", **search) == []


def test_a_descent_that_a_prior_led_is_left_alone() -> None:
    root = opponents(6, HELPING)
    for ply in root["children"]:
        for prior, reply in zip((0.8, 0.1, 0.1), ply["children"], strict=True):
            reply["prior"] = prior
    assert findings(root, "descent") == []


EVEN = (100, 100, 100, 100, 100)
SPREAD = (0.9, 0.7, 0.5, 0.3, 0.1)


@pytest.mark.parametrize(
    ("counts", "means", "is_said"),
    [
        (EVEN, SPREAD, True),
        ((101, 99, 104, 98, 98), (0.1, 0.5, 0.3, 0.7, 0.95), True),
        ((110, 95, 100, 100, 95), SPREAD, True),
        ((300, 90, 50, 40, 20), SPREAD, False),
        (EVEN, (0.52, 0.51, 0.5, 0.49, 0.48), False),
        ((40, 40, 40, 40, 40), SPREAD, False),
    ],
    ids=["even", "even otherwise", "nearly", "by the means", "means alike", "too few visits"],
)
def test_a_descent_that_does_not_use_the_means_is_said(
    counts: tuple[int, ...], means: tuple[float, ...], is_said: bool
) -> None:
    total = sum(counts)
    mean = sum(count * worth for count, worth in zip(counts, means, strict=True)) / total
    root = node(
        None,
        "max",
        total,
        mean,
        *(node(f"p{i}", "min", n, worth) for i, (n, worth) in enumerate(zip(counts, means, strict=True))),
    )
    said = findings(root, "descent")
    assert bool(said) is is_said
    assert all("does not use the means, or its exploration constant drowns them" in each[2] for each in said)


def solved(layer: str, score: int, *children: Node, **more: Any) -> Node:
    said: Node = {"layer": layer, "score": score, "bound": "exact", "outcome": "searched", **more}
    return said | {"children": list(children)}


def end(ply: str, layer: str, score: int, ending: str) -> Node:
    return {"ply": ply, "layer": layer, "score": score, "outcome": "terminal", "ending": ending}


def open_node(ply: str, layer: str) -> Node:
    return {"ply": ply, "layer": layer, "outcome": "open"}


def proofs(root: Node) -> list[tuple[str, str]]:
    return [(severity, path) for severity, path, _ in findings(root, "proof", range=[-1, 1])]


WIN, LOSS = end("w", "max", 1, "win"), end("l", "max", -1, "loss")


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (solved("min", 1, WIN, LOSS), [("wrong", "root")]),
        (solved("min", 1, WIN, open_node("o", "max")), [("wrong", "root")]),
        (solved("min", 1, WIN, moves=2), [("wrong", "root")]),
        (solved("max", 1, end("l", "min", -1, "loss"), open_node("o", "min")), [("wrong", "root")]),
        (solved("max", -1, end("w", "min", 1, "win")), [("wrong", "root")]),
        (solved("max", 1, end("w", "min", -1, "win")), [("wrong", "w"), ("wrong", "root")]),
        (solved("min", 1, WIN, moves=1), []),
        (solved("max", 1, end("w", "min", 1, "win"), open_node("o", "min")), []),
        (solved("min", -1, LOSS, open_node("o", "max")), []),
        (solved("min", 1, WIN, {"outcome": "unlogged", "count": 2}), []),
        ({**solved("min", 1, WIN, LOSS), "bound": "lower"}, []),
        (solved("min", 0, WIN, LOSS), []),
    ],
)
def test_a_solved_node_has_what_proves_it(root: Node, expected: list[tuple[str, str]]) -> None:
    assert proofs(root) == expected


def test_a_draw_among_the_losses_of_a_search_of_two_values_is_odd_at_most() -> None:
    draw = {**end("d", "max", -1, "draw")}
    assert proofs(solved("min", 1, WIN, draw)) == [("odd", "root")]
    assert proofs(solved("min", -1, draw)) == []


def searched(c: float = 1.0, *, wrong: str = "") -> Node:
    """A tree of two levels whose terms are those of UCB1, or wrong in one way."""
    rows: list[Node] = []
    n_root = 400
    for i, (n, mean) in enumerate(((180, 0.7), (90, 0.4), (70, 0.3), (40, 0.2), (19, 0.1))):
        below = [
            node(f"s{k}", "max", m, worth, ucb=terms(m, n, n_root, 1 - worth, c, wrong))
            for k, (m, worth) in enumerate(((n // 2, mean), (n // 4, mean), (n // 5, mean)))
        ]
        rows.append(node(f"p{i}", "min", n, mean, *below, ucb=terms(n, n_root, n_root, mean, c, wrong)))
    return node(None, "max", n_root, 0.5, *rows)


def terms(n: int, n_parent: int, n_root: int, worth: float, c: float, wrong: str) -> dict[str, float]:
    exploit = {"sum": worth * n, "parent": worth * n / n_parent}.get(wrong, worth)
    explore = {
        "own": math.sqrt(math.log(n) / n),
        "swapped": math.sqrt(math.log(n) / n_parent),
        "root": math.sqrt(math.log(n_root) / n),
    }.get(wrong, math.sqrt(math.log(n_parent) / n))
    return {"exploit": round(exploit, 6), "explore": round(c * explore, 6), "n": n, "n_parent": n_parent}


@pytest.mark.parametrize("c", [0.5, 1.414])
@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ("sum", "the sum of its results;"),
        ("parent", "the sum of its results divided by the visits of its parent;"),
        ("own", "with ln of its own visits n"),
        ("swapped", "its visits n and its parent's N swapped"),
        ("root", "with N the visits of the root"),
    ],
)
def test_a_wrong_term_that_fits_every_row_is_named(wrong: str, what: str, c: float) -> None:
    found = findings(searched(c, wrong=wrong), "choice")
    assert found
    assert {severity for severity, _, _ in found} == {"wrong"}
    assert all(what in message for _, _, message in found)


@pytest.mark.parametrize("c", [0.5, 1.414])
def test_right_terms_and_terms_of_no_known_form_are_left_alone(c: float) -> None:
    assert findings(searched(c), "choice") == []
    mixed = searched(c)
    for i, ply in enumerate(mixed["children"]):
        ply["ucb"]["exploit"] = 0.3 + 0.1 * i  # as where rewards of other moves are mixed in
        ply["ucb"]["explore"] = 0.2 + 0.05 * (i % 3)
    assert findings(mixed, "choice") == []


def test_exploit_may_be_brought_to_a_range_of_its_own() -> None:
    """Means of [-1, 1] beside a term of [0, 1]."""
    root = searched()
    children = root["children"]
    for ply in (root, *children, *(below for child in children for below in child["children"])):
        ply["mean"] = round(2 * ply["mean"] - 1, 6)
    assert findings(root, "choice", range=[-1, 1]) == []


def selected(*sums: float, chosen: int, name: str, layer: str = "max") -> Node:
    """A node whose children state the terms of its last selection, after which `chosen` came once more."""
    below = "min" if layer == "max" else "max"
    children = [
        node(
            f"{name}{i}",
            below,
            20 + (i == chosen),
            0.5,
            ucb={"exploit": total - 0.25, "explore": 0.25, "n": 20, "n_parent": 20 * len(sums)},
        )
        for i, total in enumerate(sums)
    ]
    return node(name, layer, 20 * len(sums) + 1, 0.5, *children)


def selections(n_wrong: int, n_right: int, layer: str = "max") -> Node:
    best = 0 if layer == "max" else 1  # the opponent sees exploit from the other side
    nodes = [selected(0.75, 0.5, chosen=1 - best, name=f"w{i}", layer=layer) for i in range(n_wrong)]
    nodes += [selected(0.75, 0.5, chosen=best, name=f"r{i}", layer=layer) for i in range(n_right)]
    other = "min" if layer == "max" else "max"
    return node(None, other, 41 * len(nodes) + 1, 0.5, *nodes)


@pytest.mark.parametrize("layer", ["max", "min"])
@pytest.mark.parametrize(
    ("n_wrong", "n_right", "is_said"),
    [(3, 0, True), (4, 7, True), (2, 0, False), (3, 9, False), (0, 5, False)],
)
def test_a_child_that_its_own_terms_put_behind_another_is_odd(
    n_wrong: int, n_right: int, is_said: bool, layer: str
) -> None:
    found = findings(selections(n_wrong, n_right, layer), "choice")
    is_told = layer == "max" or n_right > 0  # else the log may write exploit as the opponent sees it
    assert len(found) == (n_wrong if is_said and is_told else 0)
    assert {severity for severity, _, _ in found} <= {"odd"}
    assert all("for exploit and explore together, while" in message for _, _, message in found)


def test_terms_of_several_moments_are_not_compared() -> None:
    root = selections(4, 0)
    for each in root["children"]:
        each["children"][0]["ucb"]["n_parent"] -= 1
    assert findings(root, "choice") == []
