"""Tests of each technique alone, in a tree of a few nodes, by the log."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.engine.game import SCORED
from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.oracle import Node, nodes_of
from tests.property.chance_trees import ChanceTree
from tests.property.chance_trees import Node as Spot

TREE: Any = find("explicit_tree")


class Named(ChanceTree):
    """A tree without rolls; a ply has one number wherever it is met, by which a killer is known."""

    chances = property()  # type: ignore[assignment]


def searched(game: Any, text: str | None, **said: Any) -> tuple[Log, list[Node], dict[str, Any]]:
    """The log, its nodes, and the result's counters."""
    recording = search(game, text, SearchOptions(depth=3, **said), compiled=False)
    log = log_from_recording(recording)
    return log, nodes_of(log), recording.header["result"].get("counters", {})


def plies_below(log: Log, node: Node) -> list[str | None]:
    return [log.text(child.ply) for child in node.visited]


# Killers and history ----------------------------------------------------------------------------------------


def late_refutation(value: float, pre_scores: tuple[float, ...]) -> Spot:
    """A min node whose plies are sorted 0, 1, 2, and which only 2 refutes."""
    ends = [Spot(1, score, result=SCORED) for score in (9, 9, 0)]
    return Spot(1, value, tuple(Spot(0, pre, (end,)) for pre, end in zip(pre_scores, ends, strict=True)))


def two_refuted(*pre_scores: float) -> Named:
    """Max has 5 by the first ply; the others are refuted alike, and no better than 5."""
    first = Spot(1, 3, (Spot(0, 5, (Spot(1, 5, result=SCORED),)),))
    return Named(Spot(0, 0, (first, late_refutation(2, pre_scores), late_refutation(1, pre_scores))))


@pytest.mark.parametrize(
    ("technique", "pre_scores", "at_next", "counts"),
    [
        ("killers", (1, 2, 3), ["0", "2"], {"tried": 1, "succeeded": 1}),
        ("history", (1, 1, 1), ["2"], {"tried": 1, "succeeded": 1}),
        ("history", (1, 2, 3), ["0", "1", "2"], {"tried": 0, "succeeded": 0}),
    ],
    ids=["a killer after the best pre-score", "history between equals", "history overrules no pre-score"],
)
def test_the_ply_that_refuted_one_comes_earlier_at_the_next(
    technique: str, pre_scores: tuple[int, ...], at_next: list[str], counts: dict[str, int]
) -> None:
    """Min finds 2 in the third place; then a killer comes second, and history decides between equals."""
    game = two_refuted(*pre_scores)
    log, nodes, _ = searched(game, None)
    assert plies_below(log, nodes[0].children[2]) == ["0", "1", "2"]
    log, nodes, counters = searched(game, None, **{technique: True})
    assert plies_below(log, nodes[0].children[1]) == ["0", "1", "2"]
    assert plies_below(log, nodes[0].children[2]) == at_next
    assert counters == {technique: counts}


# Null move, LMR, reverse futility ---------------------------------------------------------------------------

FIVE = '{"value": 10, "children": [{"value": 10, "children": [5]}]}'
"""The first ply of max: worth 5."""


def after_five(second: str) -> str:
    return f'{{"children": [{FIVE}, {second}]}}'


def test_handing_over_the_move_cuts_where_it_is_good_enough_already() -> None:
    """Min stands at 0 and passes: max gets 1, less than the 5 it has. No ply of min is visited."""
    text = after_five('{"value": 0, "pass": {"value": 1, "children": [1]}, "children": [{"children": [7]}]}')
    _, nodes, counters = searched(TREE, text, null_move=1)
    node = nodes[0].children[1]
    passed, stub = node.children
    assert (node.outcome, node.cut_by, node.score) == (words.CUTOFF, words.CUT_BY.index("null"), 1)
    assert (passed.purpose, passed.depth, passed.reduction) == (words.NULL, 0, 1)
    assert (stub.outcome, stub.count) == (words.PRUNED, 1)
    assert counters == {"null_move": {"tried": 1, "succeeded": 1}}
    # Min passes and has won, which no ply of its own shows: it claims at most the 5 that max has already.
    text = after_five('{"value": 0, "pass": {"ending": "loss"}, "children": [{"children": [7]}]}')
    _, nodes, counters = searched(TREE, text, null_move=1)
    node = nodes[0].children[1]
    assert (node.outcome, node.cut_by) == (words.CUTOFF, words.CUT_BY.index("null"))
    assert (node.score, node.bound) == (5, words.UPPER)
    assert node.children[0].score < -999_000
    assert counters == {"null_move": {"tried": 1, "succeeded": 1}}


def test_a_pass_is_held_against_the_window_of_entry_where_the_table_has_narrowed_it() -> None:
    """A scout finds that min has 7 at the best, so in the search again only what is below 7 counts.

    Handing over the move gives 6.5, which the narrowed edge would take for a cut, and claim as exact. But
    what is asked is the window from 5 on, and 6.5 does not reach 5: the plies follow, and find 7.
    """
    second = '{"value": 0, "pass": {"value": 6.5, "children": [6.5]}, "children": [{"children": [7]}]}'
    options = {"algorithm": "pvs", "table": 1, "table_use": "narrow", "null_move": 1}
    _, nodes, _ = searched(TREE, after_five(second), **options)
    scout, again = nodes[0].children[1:]
    assert (scout.purpose, scout.score, scout.bound) == (words.SCOUT, 7, words.LOWER)
    assert (again.purpose, again.alpha, again.tt_use) == (words.RESEARCH, 5, words.TT_USES.index("narrow"))
    passed = again.children[0]
    assert (passed.purpose, passed.alpha, passed.beta) == (words.NULL, 5, 6)
    assert (again.score, again.bound) == (7, words.EXACT)


def test_the_move_is_not_handed_over_twice_in_a_row() -> None:
    """After min's pass max stands at 7, which reaches the window too; a pass would hand the move back."""
    passed = (
        '{"value": 7, "pass": {"value": 9, "children": [9]}, "children": [{"value": 1, "children": [1]}]}'
    )
    text = after_five(f'{{"value": 0, "pass": {passed}, "children": [{{"children": [4]}}]}}')
    log = log_from_recording(search(TREE, text, SearchOptions(depth=5, null_move=1), compiled=False))
    node = nodes_of(log)[0].children[1].children[0]
    assert (node.purpose, node.depth) == (words.NULL, 2)
    assert [child.purpose for child in node.children] == [words.FULL]


@pytest.mark.parametrize(
    ("second", "purposes", "tried"),
    [
        (
            '{"value": 0, "pass": {"value": 8, "children": [8]}, "children": [[4]]}',
            [words.NULL, words.FULL],
            1,
        ),
        ('{"value": 8, "pass": {"value": 1, "children": [1]}, "children": [[7]]}', [words.FULL], 0),
        ('{"in_check": true, "pass": {"value": 1, "children": [1]}, "children": [[7]]}', [words.FULL], 0),
    ],
    ids=["the pass is not good enough", "the static does not reach the window", "in check"],
)
def test_the_plies_are_searched_where_a_pass_does_not_cut(
    second: str, purposes: list[int], tried: int
) -> None:
    _, nodes, counters = searched(TREE, after_five(second), null_move=1)
    assert [child.purpose for child in nodes[0].children[1].children] == purposes
    assert counters["null_move"] == {"tried": tried, "succeeded": 0}


@pytest.mark.parametrize("technique", [{"reverse_futility": 1.0}, {"null_move": 1}], ids=str)
def test_no_static_is_held_against_a_win(technique: dict[str, Any]) -> None:
    """Max wins at once, which every static of b falls short of: b is cut by its own ply, or nothing is."""
    second = '{"value": 3, "pass": {"value": 1, "children": [1]}, "children": [[7]]}'
    _, nodes, counters = searched(TREE, f'{{"children": [{{"ending": "win"}}, {second}]}}', **technique)
    assert [child.purpose for child in nodes[0].children[1].visited] == [words.FULL]
    assert [pair["tried"] for pair in counters.values()] == [0]


@pytest.mark.parametrize("technique", [{"reverse_futility": 1.0}, {"null_move": 1}], ids=str)
def test_a_root_in_an_aspiration_window_is_searched_whatever_its_static_is(technique: dict[str, Any]) -> None:
    """The static, 50, is far beyond the window around 0; but a root has to name a ply."""
    text = '{"value": 50, "pass": {"value": 60, "children": [60]}, "children": [[[5]], [[4]]]}'
    asked = SearchOptions(depth=2, iterative=True, aspiration=1.0, **technique)
    log = log_from_recording(search(TREE, text, asked, compiled=False))
    roots = [node for node in nodes_of(log) if node.parent is None]
    assert len(roots) >= 2
    for root in roots:
        assert [child.purpose for child in root.visited] == [words.FULL, words.FULL]


@pytest.mark.parametrize(
    ("seen", "visits", "succeeded"),
    [(1, [(words.FULL, 1, True)], 1), (9, [(words.FULL, 1, True), (words.RESEARCH, 2, False)], 0)],
    ids=["stands", "beats"],
)
def test_a_late_ply_is_searched_less_deep_and_again_where_it_beats_the_window(
    seen: float, visits: list[tuple[int, int, bool]], succeeded: int
) -> None:
    """One ply less deep, b is worth what its child is seen to be worth; deeper, it is worth 4."""
    text = after_five(f'{{"children": [{{"value": {seen}, "children": [4]}}]}}')
    _, nodes, counters = searched(TREE, text, lmr=1)
    late = nodes[0].children[1:]
    assert [(node.purpose, node.depth, node.reduction == 1) for node in late] == visits
    assert counters == {"lmr": {"tried": 1, "succeeded": succeeded}}
    _, nodes, counters = searched(TREE, text.replace("{", '{"in_check": true, ', 1), lmr=1)  # where none is
    assert [child.depth for child in nodes[0].children] == [2, 2]
    assert counters["lmr"]["tried"] == 0


def test_an_estimate_cuts_where_even_a_margin_for_each_ply_does_not_reach_the_window() -> None:
    """Two plies of 1 on top of 3 give max no more than the 5 it has; on top of 3.5 they do."""
    _, nodes, counters = searched(TREE, after_five('{"value": 3, "children": [[7]]}'), reverse_futility=1.0)
    node = nodes[0].children[1]
    assert (node.outcome, node.cut_by, node.score) == (words.CUTOFF, words.CUT_BY.index("estimate"), 5)
    assert [(stub.outcome, stub.count) for stub in node.children] == [(words.PRUNED, 1)]
    assert counters["reverse_futility"]["succeeded"] == 1
    _, nodes, counters = searched(TREE, after_five('{"value": 3.5, "children": [[7]]}'), reverse_futility=1.0)
    assert nodes[0].children[1].visited
    assert counters["reverse_futility"]["succeeded"] == 0
    # The same position twice: its estimate is no search of two plies, which an entry would claim.
    node = '{"key": "A", "value": 3, "children": [[7]]}'
    text = f'{{"children": [{FIVE}, {node}, {node}]}}'
    _, nodes, counters = searched(TREE, text, reverse_futility=1.0, table=1)
    assert [child.cut_by for child in nodes[0].children[1:]] == [words.CUT_BY.index("estimate")] * 2
    assert counters["table"]["succeeded"] == 0


def test_a_fail_low_leaves_no_ply_in_the_table() -> None:
    """Max has 5 elsewhere: of 4 and 2, both at most that, neither is known to be the better one."""
    text = after_five('{"children": [{"children": [4, 2]}]}')
    table = search(TREE, text, SearchOptions(depth=3, table=1), compiled=False).table
    assert table is not None
    stored = table.entries[(table.entries["bound"] == words.UPPER) & (table.entries["depth"] == 1)]
    assert stored["score"].tolist() == [4]
    assert stored["ply"].tolist() == [-1]


# Without rows -----------------------------------------------------------------------------------------------

HIDDEN = """[[{"value": -4, "player": "max", "children": [{"ending": "win"}]},
 {"value": 5, "player": "max", "children": [5]}], {"value": -9, "children": [-9]}]"""
"""Max wins by a as long as the limit hides its second reply."""


@pytest.mark.parametrize(
    ("game", "position", "options"),
    [
        ("tictactoe", None, {"depth": 5, "history": True, "reverse_futility": 1.0}),
        ("tictactoe", None, {"depth": 6, "killers": True, "reverse_futility": 1.0}),
        ("reversi", None, {"depth": 6, "iid": 1, "null_move": 2}),
        ("explicit_tree", HIDDEN, {"depth": 3, "limit": 1, "prove_wins": True, "iterative": True}),
    ],
    ids=["history", "killers", "iid", "proofs"],
)
def test_a_search_without_rows_decides_and_counts_as_one_with_them(
    game: str, position: str | None, options: dict[str, Any]
) -> None:
    """A node cut before its plies were sorted counts no try; with rows they are sorted for its stubs."""
    full, bare = (
        search(find(game), position, SearchOptions(record=record, **options), compiled=False)
        for record in (True, False)
    )
    assert len(bare.rows) == 0
    assert (bare.ply, bare.score, bare.is_proven) == (full.ply, full.score, full.is_proven)
    for name in ("nodes", "leaves", "prune_events", "pruned", "limited", "depth", "counters"):
        assert bare.header["result"][name] == full.header["result"][name], name
    assert next(iter(full.header["result"]["counters"].values()))["tried"] > 0
    with pytest.raises(ValueError, match="not recorded"):
        log_from_recording(bare)
