"""Small logs of real engines, or written by hand from one: of each, what must be said and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import plyscope
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log_file

CASES: Final = Path(__file__).parents[3] / "cases"

SAID: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    # Futility lifts alpha, which the log does not say.
    "alpha-lifted-by-pruning-expressed.json": (),
    "alpha-lifted-by-pruning.json": (("wrong", "window", "a"), ("wrong", "claim", "root")),
    # The best child is capped on the way up, unsaid; entries of quiescence are all of depth 0.
    "capped-on-the-way-up-expressed.jsonl.gz": (),
    "capped-on-the-way-up.jsonl.gz": (("wrong", "value", "root"),) * 3,
    # How these two are read is not for check to say, but that a tree fits no reading of its layers is.
    "children-are-ids.json": (),
    "two-trees-wrapped.json": (("odd", "value", "root"),),
    # Fail-hard loops that return table hits as they are, `fail` not declared.
    "clamped-and-unclamped.json": (),
    # The answer is the last fail-high: a ply without a score.
    "coarse-mtd.json": (),
    "futility-skips.json": (("odd", "no-outcome", "a"), ("odd", "research-disagrees", "b#2")),
    "impossible-without-layers-foreign.json": (("wrong", "value", "root"),),
    "impossible-without-layers.json": (("wrong", "value", "root"),),
    "mcts-means.json": (),
    "null-move-in-check.json": (("odd", "in-check", "--"),),
    # A total that is counted otherwise than rows.
    "pvs-scouts-and-researches.jsonl.gz": (("odd", "result", "root"),),
    "quiescence-carried-entry.json": (("odd", "table-disagrees", "root"),),
    "scout-against-research.json": (("odd", "research-disagrees", "b#2"),),
    "stalemate-as-loss.json": (("wrong", "no-plies", "b"),),
    "table-upper-bound-at-mate.json": (("wrong", "tt-depth", "b"),),
}


@pytest.mark.parametrize("path", sorted(CASES.iterdir()), ids=lambda path: path.name)
def test_a_case_is_told_as_it_is_and_nothing_else(path: Path) -> None:
    report = check(read_log_file(path), compiled=False)
    assert [(each.severity, each.rule, each.path) for each in report.findings()] == [*SAID[path.name]]
    if path.name.startswith("impossible"):  # a rule that judged no node is not listed as asked
        assert set(report.checked) == {"nan", "value"}


def test_the_line_that_decides_goes_through_the_re_search_and_not_its_scout() -> None:
    log = plyscope.open(CASES / "pvs-scouts-and-researches.jsonl.gz")
    scout, research = log.node(2676), log.node(2707)
    assert (scout.ply, scout.purpose, research.purpose) == (research.ply, "scout", "research")
    for line in (log.pv(), log.deciding_line()):
        assert research in line
        assert scout not in line


def test_a_log_opens_on_the_root_that_its_result_names() -> None:
    log = plyscope.open(CASES / "coarse-mtd.json")
    assert (log.main_root, len(log.roots)) == (log.roots[0], 2)


def test_of_two_wrapped_trees_none_is_lost() -> None:
    log = plyscope.open(CASES / "two-trees-wrapped.json")
    assert [root.score for root in log.roots] == [1, 3]
    assert [node.score for node in log] == [1, 2, 3]


def test_ids_under_children_are_links_and_never_scores() -> None:
    log = plyscope.open(CASES / "children-are-ids.json")
    assert [(node.path, node.score) for node in log] == [("root", None), ("x", None), ("y", None)]
    assert [child.ply for child in log.main_root.children] == ["x", "y"]
