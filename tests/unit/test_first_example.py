"""The README tells a story about the example that a viewer opens with; the log has to say the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def story() -> str:
    """The paragraph, its lines joined."""
    text = (ROOT / "README.md").read_text("utf-8")
    return " ".join(text.split("## What to look at first")[1].split("##")[0].split())


@pytest.fixture(scope="module")
def log() -> Log:
    return read_log_file(ROOT / "examples" / "hive-midgame.json.gz")


def test_the_ply_that_looks_best_and_the_chosen_one_are_worth_what_the_readme_says(
    story: str, log: Log
) -> None:
    told = re.search(r"best ply is `(.+?)` at (\S+), .+ worth (\S+)\. .+ chose `(.+?)` instead", story)
    assert told is not None
    tempting, looks, is_worth, chosen = told.groups()
    plies = searched_from_the_root(log)
    by_pre_score = sorted(plies, key=lambda ply: -plies[ply][0])
    assert by_pre_score[0] == tempting
    assert [f"{each:+.1f}" for each in plies[tempting]] == [looks, is_worth]
    assert log.header["result"]["ply"] == chosen
    figures = re.search(r"only fifteenth by pre-score at (\S+), and worth (\S+):", story)
    assert figures is not None
    assert by_pre_score.index(chosen) + 1 == 15
    assert tuple(f"{each:+.1f}" for each in plies[chosen]) == figures.groups()


def test_the_search_is_as_deep_and_as_wide_as_the_readme_says(story: str, log: Log) -> None:
    search = log.header["search"]
    assert f"depth {search['depth']}, the best {search['limit']} plies" in story


def searched_from_the_root(log: Log) -> dict[str, tuple[float, float]]:
    """Pre-score and score of every ply searched from the root."""
    columns = log.columns
    rows = np.flatnonzero((columns["parent"] == 0) & (columns["outcome"] < words.FIRST_STUB))
    found = {}
    for row in rows.tolist():
        ply = log.text(int(columns["ply"][row]))
        assert ply is not None
        found[ply] = float(columns["pre_score"][row]), float(columns["score"][row])
    return found
