"""Compiled rules say what plain ones say, finding by finding: in logs with a fault, and broken ones."""

from __future__ import annotations

import pytest

from tests.property.examples import examples
from tests.zoo.broken import broken_log, said
from tests.zoo.fault import Fault
from tests.zoo.faults import FAULTS
from tests.zoo.test_zoo import faulty_run, id_of, opened

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
        log = opened(faulty_run(fault, seed)[1])
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
