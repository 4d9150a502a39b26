"""The record of a node: one cache line, its codes those of the log."""

from __future__ import annotations

from plyscope.engine.record import rows
from plyscope.visualizer.store import words


def test_a_row_is_one_cache_line() -> None:
    assert rows.ROW.itemsize == 64


def test_codes_are_those_of_logs() -> None:
    names = "SEARCHED CUTOFF LEAF TERMINAL TT STOPPED OPEN PRUNED LIMITED FIRST_STUB UPPER LOWER EXACT "
    names += "FULL SCOUT RESEARCH NULL PROBE WIN LOSS DRAW"
    for name in names.split():
        assert getattr(rows, name) == getattr(words, name), name


def test_codes_without_a_name_of_their_own_stand_where_the_words_of_logs_do() -> None:
    cuts = (rows.CUT_BY_CHILD, rows.CUT_BY_STAND_PAT, rows.CUT_BY_NULL, rows.CUT_BY_ESTIMATE)
    assert [words.CUT_BY[code] for code in cuts] == ["child", "stand_pat", "null", "estimate"]
    uses = (rows.USED_TO_CUT, rows.USED_TO_NARROW, rows.USED_TO_ORDER)
    assert [words.TT_USES[code] for code in uses] == ["cut", "narrow", "order"]
    assert rows.LOWER | rows.UPPER == rows.EXACT
