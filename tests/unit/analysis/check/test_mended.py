"""Every rule's example breaks it first, and mended by the smallest change it is clean of all rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.rule import SEVERITIES
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import example, found

Change = tuple[tuple[int, ...], Mapping[str, Any]]
"""Where a node stands, by the places of children from the root, and the fields that it gets."""

EXACT_5 = {"use": "cut", "depth": 2, "bound": "exact", "score": 5, "from": 1}

SWAPPED: tuple[Change, ...] = tuple(((0, 0, at), {"layer": "min", "score": 1 - at}) for at in (0, 1))

MENDED: dict[str, tuple[Change, ...]] = {
    "nan": (((1,), {"score": 1}),),
    "static-sum": (((1,), {"factors": [4, 0]}),),
    "terminal": (((1,), {"score": -999}),),
    "leaf": (((1,), {"score": 9}), ((), {"score": 9})),
    "mate-distance": (((1,), {"score": -9}), ((1, 0), {"score": -9})),
    "stand-pat": (((1,), {"static": -6}),),
    "layer": (((0, 0), {"layer": "max"}),),
    "moves": (((), {"moves": 4}),),
    "visits": (((), {"visits": 11}),),
    "mean": (((), {"mean": 0.55}),),
    "ending-mean": (((0,), {"ending": "win"}),),
    "choice": (((1,), {"visits": 7}), ((0,), {"visits": 2})),
    "no-plies": (((1,), {"outcome": "terminal"}),),
    "in-check": (((), {"in_check": False}),),
    "limit-order": (((2,), {"pre_scores": [2, 1]}),),
    "stopped-used": (((1,), {"outcome": "searched"}),),
    "path-key": (((2,), {"key": "B"}),),
    "key-side": (((2,), {"key": "C"}),),
    "key-moves": (((2,), {"moves": 7}),),
    "tt-source": (((1,), {"score": 5, "tt": EXACT_5}),),
    "tt-depth": (((1,), {"tt": {"use": "cut", "depth": 2, "bound": "exact", "score": 4}}),),
    "tt-bound": (((1,), {"tt": {"use": "cut", "bound": "exact", "score": 5}}),),
    "tt-ply": (((), {"tt": {"use": "order", "ply": "e6"}}),),
    "window": (((1,), {"alpha": 5}), ((1, 0), {"alpha": 5})),
    "cut": (
        ((), {"score": 9}),
        ((0,), {"score": 9, "bound": "lower"}),
        ((0, 0), {"score": 9, "bound": "lower"}),
    ),
    "research-missing": (
        ((1,), {"score": 5, "bound": "upper"}),
        ((2,), {"alpha": 5, "beta": 6}),
        ((), {"score": 5, "bound": "exact"}),
    ),
    "declared-fail": (((1,), {"static": 4}), ((2,), {"static": 4})),
    "descent": (
        ((), {"mean": 0.778}),
        *(((at,), {"visits": visits}) for at, visits in enumerate((600, 150, 80, 40, 29))),
    ),
    "proof": (((0, 1), {"score": 1, "outcome": "terminal", "ending": "win"}),),
    "nearer-win": (((1,), {"ending": "draw"}),),
    "over": (((1,), {"children": []}),),
    "no-outcome": (((1,), {"outcome": "leaf"}),),
    "all-skipped": (((1,), {"bound": "upper"}),),
    "layers": (((0,), {"layer": "min"}), ((0, 0), {"layer": "max"}), *SWAPPED),
    "probe-window": (((0,), {"alpha": 20, "beta": 40, "score": 25}), ((0, 0), {"score": 25})),
    "reduced-unverified": (((1,), {"reduction": 0, "depth": 2}), ((1, 0), {"depth": 1})),
    "maxn": (((0,), {"scores": [3, 3, 0], "score": 3}), ((), {"scores": [3, 3, 0], "score": 3})),
    "chance": (((0,), {"score": 3.5}), ((), {"score": 4})),
    "value": (((), {"score": 5}),),
    "claim": (((1,), {"bound": "upper"}),),
    "table-disagrees": (
        ((0,), {"tt": {"use": "narrow", "bound": "lower", "score": 6}}),
        ((0, 0), {"alpha": 6}),
    ),
    "research-disagrees": (((2,), {"score": 8}), ((), {"score": 8})),
    "replay": (((1,), {"outcome": "terminal", "ending": "win"}),),
    "result": (((1,), {"bound": "exact"}),),
    "cut-missed": (
        ((), {"score": 4, "bound": "exact"}),
        ((0,), {"score": 4}),
        ((1,), {"alpha": 4}),
        ((2,), {"alpha": 4}),
    ),
    "window-wide": (((1,), {"alpha": 5, "bound": "upper"}), ((1, 0), {"alpha": 5})),
    "depth-step": (((1,), {"depth": 1}),),
    "key-static": (((2,), {"static": 4}),),
    "repropagate": (((1,), {"factors": [-2, 1]}),),
}


def mended(rule: str) -> Any:
    """The rule's example with its change."""
    document = example(rule)
    for place, fields in MENDED[rule]:
        node = document["root"]
        for child in place:
            node = node["children"][child]
        node.update(fields)
    return document


def test_every_rule_has_a_mended_example() -> None:
    assert set(MENDED) == set(RULES)


@pytest.mark.parametrize("rule", MENDED)
def test_the_mended_example_of_a_rule_is_clean_of_all_rules(rule: str) -> None:
    assert found(mended(rule)) == []


@pytest.mark.parametrize("name", RULES)
def test_a_rules_example_breaks_it_first_at_rows_that_it_judges_and_is_told_in_sentences(name: str) -> None:
    """A minus sign stands before a digit or `inf` alone, plies and words have hyphens, engines read those."""
    rule, log = RULES[name], read_log(RULES[name].text.example.encode())
    findings = check(log, compiled=False).findings()
    assert findings[0].rule == name
    assert findings[0].severity in SEVERITIES
    assert findings[0].expected != findings[0].found
    for finding in findings:
        assert finding.message.endswith(".")
        assert not re.search(r"(?<![\w`])-(?=\d|inf)", finding.message), finding.message
        assert "\u2212" not in finding.reproduce
    sight = derive(sight_of(log), Work())
    rows = [finding.row for finding in findings if finding.rule == name]
    assert all(each(sight, slice(0, sight.n_rows))[rows].all() for each in rule.judged)
    assert rule.judged or (rule.has_judged is not None and rule.has_judged(sight, Work()))
