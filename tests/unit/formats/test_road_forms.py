"""Large trees in the forms that programs write are read by columns as the patient readers read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.fields import SAMPLE
from plyscope.visualizer.formats.foreign.large_trees import read_large_tree
from plyscope.visualizer.formats.large.large_logs import read_large
from tests.benchmarks.road_forms import FORMS, write
from tests.unit.same_logs import assert_same

PATIENT = ("adjacencies.json", "edges.json")
"""Forms that are left to the patient reader."""


@pytest.mark.parametrize("form", FORMS)
def test_a_tree_that_is_larger_than_a_sample_is_read_alike(form: str, tmp_path: Path) -> None:
    write(tmp_path / form, SAMPLE + 1_000)
    data = (tmp_path / form).read_bytes()
    if form.startswith(("ours", "lines")):
        log = read_large(data, lines=form.endswith("jsonl"))
    else:
        log = read_large_tree(data)
    if form in PATIENT:
        assert log is None
        return
    patient = read_log(data)
    assert log is not None
    assert_same(log, patient)
    assert log.notices == patient.notices
    assert (dict(log.mapping), log.shape, log.fields) == (
        dict(patient.mapping),
        patient.shape,
        patient.fields,
    )
