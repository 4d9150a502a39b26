"""Figures in findings: both can be told apart, and long keys are short."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.check.report import Finding
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.nodes.digits import LONGEST_KEY, apart, exact, shortened
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, example

numbers = st.floats(allow_nan=False)


def first(document: Any) -> Finding:
    return check(read_log(json.dumps(document).encode()), compiled=False).findings(limit=1)[0]


@given(numbers, numbers, numbers)
def test_different_numbers_have_different_texts(one: float, other: float, third: float) -> None:
    texts = apart(one, other, third)
    assert len(set(texts)) == len({one, other, third})


@given(numbers)
def test_an_exact_text_reads_back_as_the_number(number: float) -> None:
    assert float(exact(number)) == number


@given(st.text(max_size=200), st.text(max_size=200))
def test_shortened_keys_are_short_and_still_differ(one: str, other: str) -> None:
    texts = shortened(one, other), shortened(other, one)
    assert all(len(text) <= LONGEST_KEY for text in texts)
    assert (texts[0] == texts[1]) == (one == other)


def test_a_message_tells_scores_apart_that_differ_in_a_late_digit() -> None:
    document = example("value")
    child(document, 0)["score"] = 1_234_567.25
    document["root"]["score"] = 1_234_567.375
    assert "is 1234567.2, but the node returned 1234567.4" in first(document).message


def test_a_window_is_written_out_so_that_it_can_be_searched_again() -> None:
    document = example("window")
    child(document, 1)["alpha"] = 1_000_000
    assert "window (1000000, inf)" in first(document).reproduce


def test_not_a_number_is_told_too() -> None:
    assert apart(math.nan, 1.0) == ("nan", "1")


@pytest.mark.parametrize("rule", ["path-key", "key-side", "key-moves", "key-static", "tt-source"])
def test_a_long_key_is_shortened(rule: str) -> None:
    text = json.dumps(example(rule))
    for key in "ABC":
        text = text.replace(f'"key": "{key}"', f'"key": "{"rnbqkbnr/pppppppp/" * 40}{key}"')
    finding = first(json.loads(text))
    assert len(finding.message) < 200
    assert len(str(finding.found)) < 100


@pytest.mark.parametrize("name", RULES)
def test_sentences_have_real_minus_signs_and_what_engines_read_has_none(name: str) -> None:
    """A minus sign stands before a digit or `inf` alone: plies and words have hyphens."""
    for finding in check(read_log(RULES[name].text.example.encode()), compiled=False).findings():
        assert not re.search(r"(?<![\w`])-(?=\d|inf)", finding.message), finding.message
        assert "\u2212" not in finding.reproduce
