"""Tests of figures that rules keep of a log: told for that log only, and freed with it."""

from __future__ import annotations

import gc
import json
from weakref import ref

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import once_a_log
from tests.unit.analysis.check.checked import example
from tests.unit.logs import log_of


def test_the_figures_of_a_log_are_its_own_though_another_was_checked_since() -> None:
    documents = [example("repropagate"), example("replay"), example("repropagate"), example("replay")]
    documents[2]["root"]["score"] = documents[2]["root"]["children"][0]["score"] = 8
    children = documents[3]["root"]["children"]
    children[0], children[1] = children[1], children[0]
    reports = [check(read_log(json.dumps(each).encode())) for each in documents]
    told = [report.findings()[0] for report in reports]
    assert [finding.rule for finding in told] == ["repropagate", "replay"] * 2
    assert [finding.found for finding in told[::2]] == [7, 8]
    assert [finding.row for finding in told[1::2]] == [2, 1]


class Value:
    """Stands for what a rule found."""


def test_what_is_kept_goes_with_its_log() -> None:
    made = once_a_log(lambda log: Value())
    one, other = log_of({"score": 1}), log_of({"score": 1})
    value = ref(made(one))
    assert made(one) is value()
    assert made(other) is not value()
    del one
    gc.collect()
    assert value() is None
