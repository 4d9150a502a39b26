"""Small logs of real engines, or written by hand from one: of each, what must be said and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

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
    # Fail-hard loops that return table hits as they are, `fail` not declared.
    "clamped-and-unclamped.json": (),
    # The answer is the last fail-high: a ply without a score.
    "coarse-mtd.json": (),
    "futility-skips.json": (("odd", "research-disagrees", "b#2"),),
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

OF_READERS: Final = {"children-are-ids.json", "two-trees-wrapped.json"}
"""How these are read is not for check to say."""


@pytest.mark.parametrize("name", SAID)
def test_a_case_is_told_as_it_is_and_nothing_else(name: str) -> None:
    report = check(read_log_file(CASES / name), compiled=False)
    assert [(each.severity, each.rule, each.path) for each in report.findings()] == list(SAID[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", SAID)
def test_compiled_rules_say_of_a_case_what_plain_ones_say(name: str) -> None:
    log = read_log_file(CASES / name)
    assert check(log, compiled=True).findings() == check(log, compiled=False).findings()


def test_every_case_has_its_row() -> None:
    names = {path.name for path in CASES.iterdir() if path.suffix in (".json", ".gz")}
    assert names == {*SAID, *OF_READERS}


@pytest.mark.parametrize("name", sorted(OF_READERS))
def test_nothing_is_said_of_a_tree_that_has_nothing_wrong(name: str) -> None:
    assert check(read_log_file(CASES / name), compiled=False).findings() == []
