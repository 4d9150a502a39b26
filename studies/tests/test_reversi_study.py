"""Tests of the study of Reversi: its words on answers, and the plain search beside the solver."""

from __future__ import annotations

from functools import partial

import pytest

from plyscope.engine.run import search
from plyscope_studies.lab import reversi
from plyscope_studies.lab.lab import Lab
from plyscope_studies.lab.report import Report
from plyscope_studies.lab.reversi import RATED, ZEBRA, given_away


def test_the_rated_plies_are_the_legal_ones_and_the_best_gives_nothing_away() -> None:
    assert len(RATED) == 10
    assert given_away("c6") == 0
    assert [ply for ply in RATED if given_away(ply) <= 2] == ["c6", "e7", "c3", "e1"]
    assert set(ZEBRA.values()) <= set(RATED)


def test_answers_are_told_by_depth_with_what_they_give_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversi, "search", partial(search, compiled=False))
    report = Report("reversi", "")
    told = reversi.answers(2, Lab(report))
    found = {each.depth: each.ply for each in told}
    assert set(found) == {1, 2}
    monkeypatch.setattr(reversi, "answers", lambda depth, lab: told)
    reversi.example(Lab(report))
    for depth, ply in found.items():
        zebra = f"{ZEBRA[depth]} | {given_away(ZEBRA[depth]):.2f}" if depth in ZEBRA else " | "
        assert f"| {depth} | {zebra} | {ply} | {given_away(ply):.2f} |" in report.markdown()
