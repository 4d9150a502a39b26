"""Every fault is found by its rule, where it happened; its twin has nothing wrong; both ways alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.reference_log import against
from plyscope.visualizer.analysis.check.report import Finding
from tests.property.examples import examples
from tests.unit.analysis.check.checked import report_of
from tests.unit.logs import log_of
from tests.zoo.book import page
from tests.zoo.broken import broken_log, said
from tests.zoo.fault import Fault
from tests.zoo.faults import FAULTS

N_SEEDS = 60
TOLD_AT_THE_CHILD = {"window", "window-wide", "cut-missed", "research-missing", "reduced-unverified"}
TOLD_AT_THE_CHILD |= {"depth-step", "key-side", "result", "choice"}
"""Rules that name the child to which its parent did something wrong."""


def faulty_run(fault: Fault, seed: int) -> tuple[Any, dict[str, Any]]:
    engine = fault.engine(fault.world(seed), fault.search_options)
    return engine, engine.log()


@cache
def first_shown(fault: Fault) -> tuple[int, Any, dict[str, Any], list[Finding]]:
    """The first seed on which the fault shows, its run, and the findings of the rule that shows it.

    Behind these stands the first finding of all rules, where one log shows the fault.
    """
    for seed in range(N_SEEDS):
        engine, document = faulty_run(fault, seed)
        if not engine.misdeeds:
            continue
        if fault.kind == "against":
            findings = list(against(log_of(**document), log_of(**fault.sound(seed).log())))
        elif findings := list((report := report_of(document)).findings(rule=fault.rule)):
            findings += report.findings(limit=1)
        if findings:
            return seed, engine, document, findings
    raise AssertionError(f"{fault.name}: {fault.rule} finds nothing on {N_SEEDS} seeds")


def id_of(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


IN_ONE_LOG = [fault for fault in FAULTS if fault.kind != "against"]
DECLARED = [fault for fault in FAULTS if fault.declaration]
AGAINST = [fault for fault in FAULTS if fault.kind == "against"]


def nodes_of(document: dict[str, Any], found: Finding) -> set[int]:
    """Ids of the node that a finding names, of those involved, of its parent where the rule means that."""
    columns = log_of(**document).columns
    above = columns["parent"][found.row]
    rows = [found.row, *found.rows_involved, *([above] if found.rule in TOLD_AT_THE_CHILD else [])]
    return {int(columns["id"][row]) for row in rows if row >= 0}


@pytest.mark.parametrize("fault", IN_ONE_LOG, ids=id_of)
def test_the_right_rule_finds_the_fault_at_the_right_node_and_its_cause_stands_first(fault: Fault) -> None:
    _, engine, document, (*findings, first) = first_shown(fault)
    for found in findings:
        assert nodes_of(document, found) & set(engine.misdeeds), (found, engine.misdeeds)
        assert found.severity == (fault.kind if fault.kind in ("waste", "odd") else "wrong")
    assert nodes_of(document, first) & set(engine.misdeeds), (first, engine.misdeeds)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=id_of)
def test_the_same_search_without_the_fault_has_nothing_wrong(fault: Fault) -> None:
    seed = first_shown(fault)[0]
    report = report_of(fault.sound(seed).log())
    assert report.findings(severity="wrong") == []


@pytest.mark.parametrize("fault", DECLARED, ids=id_of)
def test_without_its_declaration_the_fault_is_not_called_wrong(fault: Fault) -> None:
    _, _, document, findings = first_shown(fault)
    assert findings
    search = {name: value for name, value in document["search"].items() if name != fault.declaration}
    document = document | {"search": search}
    named = [found.rule for found in report_of(document).findings(severity="wrong")]
    assert fault.rule not in named


@pytest.mark.parametrize("fault", AGAINST, ids=id_of)
def test_one_log_alone_does_not_show_what_another_one_does(fault: Fault) -> None:
    _, engine, document, findings = first_shown(fault)
    assert report_of(document).findings(severity="wrong") == []
    assert engine.misdeeds
    assert findings[0].expected != findings[0].found


# Compiled rules say what plain ones say

N_PARTS = 4
N_BROKEN = examples(200) // N_PARTS
"""Logs of each part."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=pytest.mark.sweep if at % 4 else ()) for at, fault in enumerate(FAULTS)],
    ids=id_of,
)
def test_both_ways_find_the_same_in_a_log_with_a_fault(fault: Fault) -> None:
    for seed in range(examples(3, least=1)):
        log = log_of(**faulty_run(fault, seed)[1])
        assert said(log, compiled=True) == said(log, compiled=False)


@pytest.mark.parametrize("part", range(N_PARTS))
def test_both_ways_find_the_same_in_a_log_broken_at_random(part: int) -> None:
    n_findings = 0
    for seed in range(part, N_PARTS * N_BROKEN, N_PARTS):
        log = broken_log(seed)
        plain = said(log, compiled=False)
        assert said(log, compiled=True) == plain, seed
        n_findings += plain.count('"reproduce"')
    assert n_findings > N_BROKEN


def test_the_page_of_the_zoo_is_the_one_that_the_zoo_prints() -> None:
    written = (Path(__file__).parents[2] / "docs" / "bug-zoo.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m tests.zoo.book > docs/bug-zoo.md"
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 35
