"""The comparisons that a viewer keeps, one for each question."""

from __future__ import annotations

from plyscope.visualizer.shelf.prepared import Comparisons, KeptComparison
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.unit.logs import log_of

NAMES = ("old.json", "new.json")
NO_ITERATIONS = (None, None)


def tree(score: float) -> Tree:
    """A tree of two iterations, whose second chose another ply."""
    first = {"iteration": 1, "score": 0, "children": [{"ply": "a", "score": 0}]}
    second = {"iteration": 2, "score": score, "children": [{"ply": "b", "score": score}]}
    return Tree(log_of(roots=[first, second]))


TREES = [tree(score) for score in (1.0, 2.0)]


def is_settled(kept: KeptComparison) -> KeptComparison:
    assert kept.job.settled.wait(PATIENCE)
    return kept


def test_a_comparison_is_of_the_iterations_that_were_asked() -> None:
    comparisons = Comparisons()
    old, new = TREES
    for iterations, plies in ((NO_ITERATIONS, ["b", "b"]), ((1, 2), ["a", "b"]), ((1, 1), ["a", "a"])):
        choices = is_settled(comparisons.of(old, new, NAMES, iterations)).found.choices
        assert [None if choice is None else choice.ply for choice in choices] == plies


def test_equal_logs_that_were_read_twice_are_other_questions() -> None:
    """A file that was read again has the same columns; what was found of the old ones is not said of it."""
    comparisons = Comparisons()
    kept = comparisons.of(TREES[0], TREES[1], NAMES, NO_ITERATIONS)
    assert comparisons.of(Tree(TREES[0].log), TREES[1], NAMES, NO_ITERATIONS) is not kept
    assert comparisons.of(TREES[0], TREES[1], NAMES, NO_ITERATIONS) is kept


def test_an_iteration_that_a_log_lacks_is_refused_in_words() -> None:
    kept = is_settled(Comparisons().of(TREES[0], TREES[1], NAMES, (9, None)))
    assert kept.job.state == "refused"
    assert "9" in kept.job.reason
    assert "reason" in kept.job.as_json()
