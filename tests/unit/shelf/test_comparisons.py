"""The comparisons that a viewer keeps: one for each question, made once, the one asked longest ago let go."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.shelf.prepared import MOST_COMPARISONS, Comparisons, Iterations, KeptComparison
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.property.examples import examples
from tests.unit.logs import log_of

NAMES = ("old.json", "new.json")
NO_ITERATIONS = (None, None)


def tree(score: float) -> Tree:
    """A tree of two iterations, whose second chose another ply."""
    first = {"iteration": 1, "score": 0, "children": [{"ply": "a", "score": 0}]}
    second = {"iteration": 2, "score": score, "children": [{"ply": "b", "score": score}]}
    return Tree(log_of(roots=[first, second]))


TREES = [tree(score) for score in (1.0, 2.0)]
QUESTIONS: list[tuple[Tree, Tree, Iterations]] = [
    (old, new, iterations)
    for old, new in itertools.product(TREES, TREES)
    for iterations in (NO_ITERATIONS, (1, 2))
]


def is_settled(kept: KeptComparison) -> KeptComparison:
    assert kept.job.settled.wait(PATIENCE)
    return kept


@given(st.lists(st.integers(0, len(QUESTIONS) - 1), max_size=20))
@settings(max_examples=examples(30), deadline=None)
def test_a_question_among_the_last_few_has_its_comparison_and_any_other_a_new_one(asked: list[int]) -> None:
    """The second way remembers every comparison, and when each question was asked."""
    comparisons = Comparisons()
    last: dict[int, KeptComparison] = {}
    for number in asked:
        old, new, iterations = QUESTIONS[number]
        found = is_settled(comparisons.of(old, new, NAMES, iterations))
        is_kept = number in list(last)[-MOST_COMPARISONS:]
        assert (last.get(number) is found) == is_kept
        last.pop(number, None)
        last[number] = found
        assert found.key == (old, new, iterations)


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


def test_many_who_ask_at_once_wait_for_one_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    compare = KeptComparison._compare
    monkeypatch.setattr(KeptComparison, "_compare", lambda kept: (begun.append(kept), compare(kept)))
    comparisons, together = Comparisons(), threading.Barrier(8)

    def ask(_: int) -> KeptComparison:
        together.wait(PATIENCE)
        return comparisons.of(TREES[0], TREES[1], NAMES, NO_ITERATIONS)

    with ThreadPoolExecutor(8) as pool:
        found = [is_settled(each) for each in pool.map(ask, range(8))]
    assert {id(each) for each in found} == {id(found[0])}
    assert begun == [found[0]]
