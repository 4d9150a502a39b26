"""Answers: each figure is declared once; JSON, types of the page and tables of the API are made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from plyscope.visualizer.analysis.answer_files import ROOT, files, members
from plyscope.visualizer.analysis.json_answer import HIDDEN, LONG, SPREAD, Score, as_json, called, figure


@dataclass(frozen=True)
class Claim:
    """A score with its bound."""

    score: Score
    bound: str | None = None


@dataclass(frozen=True)
class Ply:
    """A ply of the root."""

    ply: str | None
    claim: Claim = field(metadata=SPREAD)
    row: int = field(metadata=HIDDEN)
    reply: tuple[str, ...] = field(metadata=called("line"))
    others: tuple[Claim, ...] = field(metadata=LONG)
    stub: str | None = None

    @property
    @figure
    def length(self) -> int:
        """Its plies."""
        return len(self.reply)

    @cached_property
    @figure
    def best(self) -> Claim | None:
        """The best of the others."""
        return max(self.others, key=lambda each: each.score, default=None)


PLY = Ply("c6", Claim(math.inf), 3, ("d3", "c4"), (Claim(1.0, "exact"), Claim(math.nan), Claim(-2.0)))


def test_an_answer_is_its_fields_in_order_and_then_its_figures() -> None:
    assert as_json(PLY) == {
        "ply": "c6",
        "score": "inf",
        "line": ["d3", "c4"],
        "others": [{"score": 1.0, "bound": "exact"}, {"score": "nan"}, {"score": -2.0}],
        "length": 2,
        "best": {"score": 1.0, "bound": "exact"},
    }
    assert list(as_json(PLY)) == ["ply", "score", "line", "others", "length", "best"]
    assert as_json(PLY).keys() <= {each.name for each in members(Ply)}


def test_long_lists_alone_are_cut_and_the_rest_is_counted() -> None:
    answer = as_json(PLY, 1)
    assert (len(answer["others"]), answer["more_others"], answer["line"]) == (1, 2, ["d3", "c4"])
    assert "more_others" not in as_json(PLY, 3)


def test_files_printed_from_the_answers_are_as_they_would_be_printed() -> None:
    for path, made in files().items():
        assert (ROOT / path).read_text("utf-8") == made, "python -m plyscope.visualizer.analysis.answer_files"


def test_numbers_of_numpy_are_those_of_python() -> None:
    numbers = as_json((np.float64(0.5), np.float32(0.5), np.int32(2), np.bool_(True), np.float64(math.inf)))
    assert [type(each) for each in numbers] == [float, float, int, bool, str]
