"""visits, mean, ending-mean, choice: what a best-first tree counts, and the ply it chose."""

from __future__ import annotations

from typing import Any

import pytest

from tests.property.examples import examples
from tests.second_engine.monte_carlo import MonteCarlo
from tests.second_engine.tree_options import TreeOptions, drawn_tree_options
from tests.second_engine.worlds import Maze
from tests.unit.analysis.check.checked import Cases, Node, changed, child, held, log, node, report_of, told
from tests.unit.logs import walked
from tests.zoo.best_first_faults import FaultyTree, ResultNotTurned, VisitCountedTwice, wide

N_TREES = examples(400)
ODD_VISITS, WRONG_VISITS = "odd visits root", "wrong visits root"
ODD_MEAN, WRONG_MEAN = "odd mean root", "wrong mean root"


def tree(*children: Node, search: Node | None = None, **root: Any) -> Any:
    """A best-first log of a root with some children."""
    declared = {"order": "best_first", "range": [0, 1], **(search or {})}
    return log(node(None, "max", None, *children, **root), search=declared)


def ply(name: str, visits: int | None, mean: float | None, **fields: Any) -> Node:
    return node(name, "min", visits=visits, mean=mean, **fields)


def below(name: str, visits: int, mean: float, of: int, of_mean: float = 0.5, **fields: Any) -> Node:
    """A ply with one reply, `c`."""
    return ply(name, visits, mean, children=[ply("c", of, of_mean)], **fields)


def shared(root_visits: int, one: Node, other: Node, key: str = "A") -> Any:
    """Two plies to one position, by its key, or by another one of the second."""
    return tree(one | {"key": "A"}, other | {"key": key}, visits=root_visits)


def known_by_rows(*replies_of_b: Node) -> Any:
    """a and b, of 5 and 4 visits, lead to one position of 8, three of which went on to c."""
    x = ply("x", 8, 0.5, key="S", children=[ply("c", 3, 0.5, key="C", layer="max")])
    a = ply("a", 5, 0.5, layer="max", key="A", children=[x])
    return tree(a, ply("b", 4, 0.5, layer="max", key="B", children=[*replies_of_b]), visits=10)


def edges(first: tuple[int, float], second: tuple[int, float], of_z: int, *more: Node, **ucb: Any) -> Any:
    """Two edges to one position, of which the first row has what lies below."""
    z = ply("z", of_z, 0.5, key="Z", **({"ucb": ucb} if ucb else {}))
    x = ply("x", first[0] + 1, 0.5, key="X", children=[ply("y", *first, key="S", layer="max", children=[z])])
    y = ply("y", second[0] + 1, 0.5, key="Y", children=[ply("x", *second, key="S", layer="max")])
    visits = first[0] + second[0] + 3 + sum(each["visits"] for each in more)
    return tree(x, y, *more, visits=visits, search={"range": [-1, 1]})


def with_stub(root_mean: float, **stub: Any) -> Any:
    others = {"outcome": "unlogged", "count": 3, "visits": 5, **stub}
    return tree(ply("a", 5, 1.0), others, visits=10, mean=root_mean)


def ended(ending: str, mean: float, *, search: Node | None = None, **fields: Any) -> Any:
    """A log whose only ply ends the game, after four visits of this mean."""
    over = {"outcome": "terminal", "ending": ending, **fields}
    return tree(ply("a", 4, mean, **over), visits=4, mean=mean, search=search)


def chosen(ply_chosen: str, score: float | None = None, /, choose: str | None = "visits", **root: Any) -> Any:
    """Ply b has the most visits, ply c the best mean."""
    plies = [ply("a", 3, 0.2), ply("b", 5, 0.5), ply("c", 2, 0.7)]
    document = tree(*plies, visits=11, mean=0.45, search={"choose": choose} if choose else None, **root)
    return document | {"result": {"ply": ply_chosen} | ({} if score is None else {"score": score})}


def proving(document: Any, place: int, **fields: Any) -> Any:
    child(document, place).update(bound="exact", **fields)
    return document


def growing(outcome: str, played: str) -> Any:
    """A frontier under a finished root."""
    plies = [ply(name, n, 0.5, outcome=outcome, score=0.5) for name, n in (("a", 3), ("b", 2))]
    document = tree(*plies, visits=6, mean=0.5, score=0.5, search={"choose": "visits"})
    return document | {"result": {"ply": played, "score": 0.5}}


def iterations() -> Any:
    roots = [
        tree(below("a", 3 + number, 0.5, 6, key="A"), visits=8)["root"] | {"iteration": number}
        for number in (1, 2)
    ]
    return {"plyscope": 1, "search": {"order": "best_first", "range": [0, 1]}, "roots": roots}


ALL_WON = [ply(name, 4, 1.0, wins=4, draws=0, losses=0) for name in "ab"]
FRACTIONS = {"wins": 1.33, "draws": 0.33, "losses": 1.33}
FIVE = ply("a", 5, 0.5), ply("b", 5, 0.5)
SIX_AND_THREE = ply("a", 6, 0.75), ply("b", 3, 0.25)
DIGITS = ply("a", 500, 0.333), ply("b", 500, 0.667)
HIDDEN_TWIN = ply("a", 6, 0.5, children=[{"outcome": "unlogged", "count": 2, "visits": 3, "mean": 0.5}])
WITH_A_ROW = {"ply": "e6", "outcome": "leaf", "count": None}
WIN = {"score": 1, "mean": 1, "outcome": "terminal"}
UNTURNED = ply("w", 3, 0.9, key="W", children=[ply("v", 2, -0.9, key="V")])
SAME = [ply(name, 2, 0.5, key="E") for name in ("p", "q")]

CASES: Cases = {
    "visits: wins, draws and losses are the visits where all are stated, and wins below are wins above": [
        (tree(visits=4, wins=2, draws=1, losses=1), ""),
        (tree(visits=4, wins=2, draws=1, losses=2), WRONG_VISITS),
        (tree(ply("a", 3, None, **FRACTIONS), visits=3, **FRACTIONS), ""),  # by their digits
        (changed("visits", {"2": {"visits": None}}), ""),  # a stub that states none
    ],
    "visits: they are only odd where positions share their figures, or threads searched": [
        (shared(7, *FIVE), ODD_VISITS),
        (shared(8, below("a", 5, 0.5, 6), below("b", 2, 0.5, 6)), "odd visits a, odd visits b"),
        (shared(7, below("a", 5, 0.5, 4), below("b", 5, 0.4, 3)), WRONG_VISITS),
        (known_by_rows(), "wrong visits a"),
        (changed("visits", search={"threads": 4}), ODD_VISITS),
    ],
    "visits: what lies below a position came by all edges to it": [
        (shared(8, below("a", 5, 0.5, 7, 0.9), ply("b", 2, 0.5)), ""),
        (iterations(), "wrong visits a, wrong visits a"),  # edges of another tree are none
        (edges((2, 0.5), (2, 0.4), 3), ""),
        (edges((2, 0.5), (2, 0.5), 3), "odd visits x > y"),
    ],
    "visits: without keys they are only odd where children with a twin account for them": [
        (tree(*FIVE, ply("c", 8, 0.4), visits=7), WRONG_VISITS),
        (shared(7, *FIVE, key="B"), WRONG_VISITS),
        (tree(*ALL_WON, visits=8, wins=4, draws=0, losses=4), ODD_VISITS),
        (tree(*ALL_WON, visits=8, wins=4, draws=0, losses=3), WRONG_VISITS),  # ends of games have none
    ],
    "visits: a stub may hide the twin of a child with as many, or a position that is shared": [
        (tree(HIDDEN_TWIN, ply("b", 4, 0.1), visits=7), WRONG_VISITS),
        (changed("visits", {"": {"key": "A"}}), ODD_VISITS),
        (changed("visits", {"": {"key": "A"}, "2": WITH_A_ROW}), WRONG_VISITS),
    ],
    "mean: it leaves results in the range for the visits of the node": [
        (tree(*SIX_AND_THREE, visits=10, mean=0.53), ""),  # together 5.25
        (tree(*SIX_AND_THREE, visits=10, mean=0.65), WRONG_MEAN),
        (tree(*DIGITS, visits=1000, mean=0.501), ""),  # to its digits
    ],
    "mean: without keys it is only odd where it fits without the children with a twin": [
        (tree(ply("a", 5, 1.0), ply("b", 5, 1.0), visits=10, mean=0.5), ODD_MEAN),
        (shared(8, below("a", 5, 0.5, 8, 0.9), ply("b", 2, 0.5)), ""),
        (edges((3, 0.5), (2, 0.4), 4, *SAME, UNTURNED), "wrong mean w"),  # a log of edges excuses none
    ],
    "mean: those of stubs, of what a parent took, of proven nodes and as movers see them": [
        (with_stub(0.9, mean=0.0), WRONG_MEAN),
        (tree(ply("a", 5, 0.0), visits=6, mean=1.0), WRONG_MEAN),
        (tree(ply("a", 5, 0.0), visits=6, mean=1.0, bound="exact"), ""),
        (tree(ply("a", 5, 0.0), visits=6, mean=1.0, layer="chance"), ""),
    ],
    "ending-mean: a win counts the high end, a loss the low one, a draw what is declared, unless proven": [
        (ended("win", 0.0), "wrong ending-mean a"),
        (ended("win", 0.9), "odd ending-mean a"),  # a far win that is discounted
        (ended("loss", 0.0, search={"perspective": "mover"}), ""),  # the mover has lost it
        (ended("draw", 0.25, search={"draw": 0.5}), "odd ending-mean a"),
        (ended("win", 0.0, bound="exact", score=1), ""),
    ],
    "a frontier under a finished root is nothing": [
        *((growing(outcome, "a"), "") for outcome in ("leaf", "open", "stopped")),
        (growing("leaf", "c"), "wrong result root"),
    ],
    "choice: the ply is the best by what the search declares, or one that was drawn, proven or ties": [
        (chosen("b", choose="mean"), "wrong choice b"),
        (chosen("c", choose="mean", layer="min"), "wrong choice c"),
        (chosen("a", choose=None), ""),
        (chosen("c") | {"result": {"ply": "c", "rank": 2}}, ""),
        (proving(chosen("c"), 2), ""),
        (
            tree(ply("a", 3, 0.312), ply("b", 3, 0.313), visits=7, search={"choose": "mean"})
            | {"result": {"ply": "a"}},
            "",
        ),
    ],
    "choice: a win that is proven and left for an open ply is odd": [
        (proving(chosen("b"), 0, **WIN), "odd choice b"),
        (proving(chosen("b", layer="min"), 0, **WIN | {"score": 0, "mean": 0}), "odd choice b"),
        (proving(proving(chosen("b"), 0, **WIN), 1, score=1, outcome="terminal"), ""),
    ],
    "choice: the score is the mean of the ply or of the root, or one that a node states": [
        (chosen("b", 0.455), ""),
        (chosen("b", 0.9), "wrong choice b"),
    ],
    "choice: the visits of a shared position are those of all edges to it": [
        (edges((2, 0.5), (3, 0.4), 4, exploit=0.5, explore=0.2, n=3, n_parent=4), ""),
        (edges((2, 0.5), (3, 0.4), 4, exploit=0.5, explore=0.2, n=3, n_parent=6), "wrong choice x > y > z"),
    ],
}

test_a_best_first_tree = held(CASES)


@pytest.mark.parametrize("score", [None, 0.9])
def test_a_win_that_was_left_is_said_after_what_is_wrong_at_the_chosen_ply(score: float | None) -> None:
    (finding,) = report_of(proving(chosen("b", score), 0, **WIN)).findings("choice")
    assert finding.message == (
        "a is proven to win, but the ply chosen, b, is not."
        if score is None
        else "The result's score is 0.9, but the mean of its ply is 0.5, of the root 0.45."
    )


@pytest.mark.parametrize("part", range(4))
def test_nothing_is_wrong_in_a_correct_tree_of_any_habit(part: int) -> None:
    asked: set[str] = set()
    for seed in range(part, N_TREES, 4):
        options = drawn_tree_options(seed)
        world = Maze(seed, (12, 20, 40)[seed % 3], 4, alternates=seed % 4 == 0)
        report = report_of(MonteCarlo(world, options).log())
        assert report.findings(severity="wrong") == [], options
        asked |= set(report.checked)
    assert {"visits", "mean", "choice"} <= asked


@pytest.mark.parametrize(("faulty", "rule"), [(ResultNotTurned, "mean"), (VisitCountedTwice, "visits")])
def test_most_of_a_fault_is_wrong_without_keys_too(faulty: type[FaultyTree], rule: str) -> None:
    """A coincidence of figures excuses few sums: those of small counts."""
    found: list[str] = []
    for seed in range(4):
        document = faulty(wide(seed), TreeOptions(playouts=400, seed=seed, keys=False)).log()
        found += [each.severity for each in report_of(document).findings(rule)]
    assert found.count("wrong") > 0.8 * len(found)


@pytest.mark.parametrize(
    ("document", "rule", "why"),
    [
        (shared(11, *FIVE), "mean", "share"),
        (changed("visits", search={"order": None}), "visits", "order"),
    ],
)
def test_sums_that_are_not_asked_are_listed_with_the_reason(document: Any, rule: str, why: str) -> None:
    document["root"]["mean"] = 1.0
    report = report_of(document)
    assert any(each.rule == rule and why in (each.why or "") for each in report.not_checked)
    assert report.findings(rule) == []


def test_rules_of_windows_claims_and_best_children_say_that_they_have_no_meaning_here() -> None:
    score = {"score": 5, "bound": "exact", "alpha": None, "beta": None, "moves": 3}
    document = tree(ply("a", 3, 0.5) | score, visits=4, mean=0.5, score=9, bound="exact", alpha=1, beta=2)
    report = report_of(document)
    assert not report.findings()
    silent = {each.rule for each in report.not_checked if each.why and "best-first" in each.why}
    assert {"window", "window-wide", "cut", "cut-missed", "value", "claim", "moves", "repropagate"} <= silent


# The terms of a search that played its games


def steered(options: TreeOptions, seed: int = 3) -> Any:
    """The log of a search, from a world in which most nodes have several plies."""
    return MonteCarlo(Maze(seed, 120, 8), options).log()


def test_a_multiple_that_grows_with_the_visits_is_nothing() -> None:
    for seed in range(4):
        options = TreeOptions(playouts=400, select="puct", growth=0.1, digits=4)
        assert told(steered(options, seed), "choice") == ""


@pytest.mark.parametrize("count", ["n", "n_parent"])
def test_a_child_is_not_chosen_at_more_visits_than_there_are(count: str) -> None:
    document = steered(TreeOptions())
    row = next(row for row, _ in walked(document["root"]) if "ucb" in row and row["visits"] > 3)
    row["ucb"][count] = 10_000
    findings = report_of(document).findings("choice")
    assert ("wrong", row["id"]) in {(each.severity, each.id) for each in findings}


def test_a_ply_that_is_never_tried_is_odd_where_all_others_are_and_no_priors_led() -> None:
    document = steered(TreeOptions(playouts=400, keys=False))
    assert told(document, "choice") == ""
    document["root"]["moves"] += 1
    assert told(document, "choice") == "odd choice root"
    document = steered(TreeOptions(playouts=400, keys=False, select="puct", urgency=0.0))
    assert any(row["visits"] == 0 for row, _ in walked(document["root"]))
    assert told(document, "choice") == ""
