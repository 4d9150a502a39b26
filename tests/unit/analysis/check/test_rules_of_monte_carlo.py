"""descent, proof and the forms of UCB's terms: what goes wrong in Monte Carlo trees and in solvers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.unit.analysis.check.checked import Cases, Node, held, log, messages, node, report_of


def tree(root: Node, **search: Any) -> Any:
    return log(root, search={"order": "best_first", "range": [0, 1], **search})


def ply(name: str | None, layer: str, visits: int, mean: float, *children: Node, **more: Any) -> Node:
    return node(name, layer, None, *children, visits=visits, mean=mean, **more)


def average(counts: tuple[int, ...], means: tuple[float, ...]) -> float:
    return sum(count * worth for count, worth in zip(counts, means, strict=True)) / sum(counts)


def fan(name: str, layer: str, counts: tuple[int, ...], means: tuple[float, ...], **more: Any) -> list[Node]:
    pairs = zip(counts, means, strict=True)
    return [ply(f"{name}{i}", layer, n, mean, **more) for i, (n, mean) in enumerate(pairs)]


GOOD_FOR_ROOT = (0.9, 0.4, 0.3)
HELPING, FIGHTING = (80, 10, 10), (10, 10, 80)
EVEN, SPREAD = (100, 100, 100, 100, 100), (0.9, 0.7, 0.5, 0.3, 0.1)


def opponents(n: int, counts: tuple[int, ...], means: tuple[float, ...] = GOOD_FOR_ROOT, **more: Any) -> Node:
    """A root with `n` plies, below each of which the opponent has three replies."""
    mean, total = average(counts, means), sum(counts) + 1
    below = [ply(f"p{i}", "min", total, mean, *fan("r", "max", counts, means, **more)) for i in range(n)]
    return ply(None, "max", n * total + 1, mean, *below)


def led_by_priors() -> Node:
    root = opponents(6, HELPING)
    for each in root["children"]:
        for prior, reply in zip((0.8, 0.1, 0.1), each["children"], strict=True):
            reply["prior"] = prior
    return root


def descending(counts: tuple[int, ...], means: tuple[float, ...]) -> Any:
    root = ply(None, "max", sum(counts), average(counts, means), *fan("p", "min", counts, means))
    return tree(root)


def solved(layer: str, score: int, *children: Node, **more: Any) -> Any:
    said = {"bound": "exact", "outcome": "searched", **more}
    return tree(node(None, layer, score, *children, **said), range=[-1, 1])


def end(layer: str, score: int, ending: str) -> Node:
    return node(ending[0], layer, score, outcome="terminal", ending=ending)


def selected(*sums: float, chosen: int, name: str, layer: str = "max") -> Node:
    """A node whose children state the terms of its last selection, after which `chosen` came once more."""
    below = "min" if layer == "max" else "max"
    ucb: Node = {"explore": 0.25, "n": 20, "n_parent": 20 * len(sums)}
    children = [
        ply(f"{name}{i}", below, 20 + (i == chosen), 0.5, ucb={"exploit": total - 0.25, **ucb})
        for i, total in enumerate(sums)
    ]
    return ply(name, layer, 20 * len(sums) + 1, 0.5, *children)


def selections(n_wrong: int, n_right: int, layer: str = "max", *, late: bool = False) -> Any:
    """Nodes that chose otherwise than their terms say, and others; `late` ones state terms of two moments."""
    best = 0 if layer == "max" else 1  # the opponent sees exploit from the other side
    nodes = [selected(0.75, 0.5, chosen=1 - best, name=f"w{i}", layer=layer) for i in range(n_wrong)]
    nodes += [selected(0.75, 0.5, chosen=best, name=f"r{i}", layer=layer) for i in range(n_right)]
    for each in nodes if late else ():
        each["children"][0]["ucb"]["n_parent"] -= 1
    other = "min" if layer == "max" else "max"
    return tree(ply(None, other, 41 * len(nodes) + 1, 0.5, *nodes))


def wrong_at(layer: str, *names: int) -> str:
    """What is told of selections that their terms put behind another child."""
    return ", ".join(f"odd choice w{i} > w{i}{1 if layer == 'max' else 0}" for i in names)


USELESS = "odd descent root"
WIN, LOSS = end("max", 1, "win"), end("max", -1, "loss")
OPEN = {"ply": "o", "outcome": "open"}
DRAW = end("max", -1, "draw")
WRONG = "wrong proof root"

CASES: Cases = {
    "descent: a sound one is left alone": [
        (tree(opponents(6, FIGHTING)), ""),
        (tree(opponents(3, HELPING)), ""),  # three nodes
        (tree(opponents(6, (8, 5, 5))), ""),  # few visits
        (tree(opponents(6, HELPING, (0.501, 0.5, 0.499))), ""),  # noise
        (tree(opponents(6, HELPING, key="same")), ""),
        (tree(opponents(6, HELPING), options={"selection": "uniform"}), ""),
        (tree(led_by_priors()), ""),
    ],
    "descent: one that does not use the means is said": [
        (descending(EVEN, SPREAD), USELESS),
        (descending(EVEN, (0.52, 0.51, 0.5, 0.49, 0.48)), ""),
        (descending((40, 40, 40, 40, 40), SPREAD), ""),  # too few visits
    ],
    "proof: a solved node has what proves it": [
        (solved("min", 0, WIN, LOSS), ""),
        (solved("min", 1, WIN, moves=2), WRONG),
        (solved("max", 1, end("min", -1, "loss"), OPEN), WRONG),
        (solved("max", 1, end("min", -1, "win")), "wrong proof w, wrong proof root"),
        (solved("min", 1, WIN, {"outcome": "unlogged", "count": 2}), ""),
        (solved("min", 1, WIN, LOSS, bound="lower"), ""),
    ],
    "proof: a draw among the losses of a search of two values is odd at most": [
        (solved("min", 1, WIN, DRAW), "odd proof root"),
        (solved("min", -1, DRAW), ""),
    ],
    "choice: a child that its own terms put behind another is odd": [
        (selections(3, 0), wrong_at("max", 0, 1, 2)),
        (selections(4, 7), wrong_at("max", 0, 1, 2, 3)),
        (selections(2, 0), ""),
        (selections(4, 7, "min"), wrong_at("min", 0, 1, 2, 3)),
        (selections(3, 0, "min"), ""),  # the log may write exploit as the opponent sees it
    ],
}

test_monte_carlo = held(CASES)


def harming() -> Node:
    """The root player itself goes where it is worst for it."""
    own = fan("s", "min", HELPING, (0.1, 0.8, 0.9))
    replies = [ply(f"p{i}", "min", 20, 0.5, ply("q", "max", 100, 0.4, *own)) for i in range(5)]
    return ply(None, "max", 101, 0.5, *replies)


@pytest.mark.parametrize(
    ("document", "rule", "message"),
    [
        (
            tree(opponents(7, HELPING)),
            "descent",
            "At 7 of 7 nodes that can tell the opponent's reply that was visited most is the best for the "
            "root player: the means seem to be taken for the other side.",
        ),
        (
            tree(harming()),
            "descent",
            "the root player's own ply that was visited most is the worst for the root player",
        ),
        (selections(3, 0), "choice", "for exploit and explore together, while"),
    ],
)
def test_what_went_wrong_is_said(document: Any, rule: str, message: str) -> None:
    said = messages(document, rule)
    assert said
    assert all(message in each for each in said)
    assert rule != "descent" or len(said) == 1


def searched(c: float = 1.0, *, wrong: str = "") -> Node:
    """A tree of two levels whose terms are those of UCB1, or wrong in one way."""
    rows: list[Node] = []
    n_root = 400
    for i, (n, mean) in enumerate(((180, 0.7), (90, 0.4), (70, 0.3), (40, 0.2), (19, 0.1))):
        below = [
            ply(f"s{k}", "max", m, mean, ucb=terms(m, n, n_root, 1 - mean, c, wrong))
            for k, m in enumerate((n // 2, n // 4, n // 5))
        ]
        rows.append(ply(f"p{i}", "min", n, mean, *below, ucb=terms(n, n_root, n_root, mean, c, wrong)))
    return ply(None, "max", n_root, 0.5, *rows)


def terms(n: int, n_parent: int, n_root: int, worth: float, c: float, wrong: str) -> dict[str, float]:
    exploit = {"sum": worth * n, "parent": worth * n / n_parent}.get(wrong, worth)
    explore = {
        "own": math.sqrt(math.log(n) / n),
        "swapped": math.sqrt(math.log(n) / n_parent),
        "root": math.sqrt(math.log(n_root) / n),
    }.get(wrong, math.sqrt(math.log(n_parent) / n))
    return {"exploit": round(exploit, 6), "explore": round(c * explore, 6), "n": n, "n_parent": n_parent}


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
def test_a_wrong_term_that_fits_every_row_is_named(wrong: str, what: str) -> None:
    findings = report_of(tree(searched(1.414, wrong=wrong))).findings("choice")
    assert {each.severity for each in findings} == {"wrong"}
    assert all(what in each.message for each in findings)


@pytest.mark.parametrize("c", [0.5, 1.414])
def test_right_terms_and_terms_of_no_known_form_are_left_alone(c: float) -> None:
    assert messages(tree(searched(c)), "choice") == []
    mixed = searched(c)
    for i, each in enumerate(mixed["children"]):
        each["ucb"]["exploit"] = 0.3 + 0.1 * i  # as where rewards of other moves are mixed in
        each["ucb"]["explore"] = 0.2 + 0.05 * (i % 3)
    assert messages(tree(mixed), "choice") == []


def test_exploit_may_be_brought_to_a_range_of_its_own() -> None:
    """Means of [-1, 1] beside a term of [0, 1]."""
    root = searched()
    children = root["children"]
    for each in (root, *children, *(below for child in children for below in child["children"])):
        each["mean"] = round(2 * each["mean"] - 1, 6)
    assert messages(tree(root, range=[-1, 1]), "choice") == []
