"""The main tree of a forest, by what must hold of it whatever else a log says.

A root is cut where the clock took it: it says so, it was never left, or one of its own plies was stopped.
"""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plyscope.visualizer.store.log import last_finished_root, main_root, named_root
from tests.property.examples import examples
from tests.unit.logs import log_of

Written = dict[str, Any]

bounds = st.sampled_from([{}, {"bound": "exact"}, {"bound": "lower"}, {"bound": "upper"}])
below = st.lists(st.sampled_from([{"ply": "a", "outcome": "leaf", "score": 1}, {"ply": "b"}]), max_size=2)
STOPPED_BELOW = [{"ply": "a", "children": [{"ply": "b", "outcome": "stopped"}]}, {"ply": "c"}]
"""Stopped two plies down, which does not make the root's own plies incomplete by itself."""


def whole(bound: Written, children: list[Written]) -> Written:
    return {"outcome": "searched", "score": 3, **bound, "children": children}


wholes = st.builds(whole, bounds, st.one_of(below, st.just(STOPPED_BELOW)))
cuts = st.one_of(
    st.builds(lambda bound: {"outcome": "stopped", **bound}, bounds),
    st.builds(lambda bound: {"outcome": "open", "score": 9, **bound}, bounds),
    st.just({}),
    st.builds(lambda bound, more: whole(bound, [*more, {"ply": "z", "outcome": "stopped"}]), bounds, below),
)
forests = st.lists(st.one_of(wholes, cuts), min_size=1, max_size=5)


def main_of(roots: list[Written], **header: Any) -> int:
    """The place of the main root among the roots."""
    roots = [{"iteration": 7, **root} for root in roots]
    log = log_of(roots=roots, **header)
    return [root.row for root in log.roots].index(main_root(log))


def is_whole(root: Written) -> bool:
    stopped = [child for child in root.get("children", []) if child.get("outcome") == "stopped"]
    return root.get("outcome") == "searched" and not stopped


def is_exact(root: Written) -> bool:
    return root.get("bound", "exact") == "exact"


@given(forests, st.integers(-1, 6))
@settings(max_examples=examples(100), deadline=None)
def test_the_root_that_the_result_names_is_the_main_one_and_a_name_of_none_names_none(
    roots: list[Written], named: int
) -> None:
    main = main_of(roots, result={"root": named})
    assert main == (named if 0 <= named < len(roots) else main_of(roots))


@given(forests, wholes)
@settings(max_examples=examples(100), deadline=None)
def test_a_root_that_was_finished_last_is_the_main_one_whatever_came_before(
    roots: list[Written], last: Written
) -> None:
    assert main_of([*roots, last]) == len(roots)


@given(forests)
@settings(max_examples=examples(200), deadline=None)
def test_a_root_that_was_cut_is_the_main_one_only_where_none_is_whole(roots: list[Written]) -> None:
    assume(any(is_whole(root) for root in roots))
    main = main_of(roots)
    assert is_whole(roots[main])
    later = [root for root in roots[main + 1 :] if is_whole(root)]
    assert not any(is_exact(root) for root in later)
    assert not later or is_exact(roots[main])
    if not is_whole(roots[-1]) and any(is_whole(root) and is_exact(root) for root in roots):
        assert is_exact(roots[main])


@given(forests, st.lists(cuts, min_size=1, max_size=3))
@settings(max_examples=examples(100), deadline=None)
def test_what_the_clock_cut_after_an_exact_root_changes_nothing(
    roots: list[Written], cut: list[Written]
) -> None:
    exact = whole({"bound": "exact"}, [])
    assert main_of([*roots, exact, *cut]) == len(roots)


@given(forests)
@settings(max_examples=examples(100), deadline=None)
def test_there_is_always_a_main_root_and_a_finished_one_only_where_one_was_left(roots: list[Written]) -> None:
    log = log_of(roots=[{"iteration": 7, **root} for root in roots])
    assert named_root(log) is None
    assert main_root(log) in {root.row for root in log.roots}
    left = [root.get("outcome") not in ("stopped", "open") for root in roots]
    assert (last_finished_root(log) is None) == (not any(left))
