"""Large trees in the forms that programs write are read by the tape as they are from values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign import reader, sample
from plyscope.visualizer.formats.foreign.documents import HEADS, TapeDocument
from plyscope.visualizer.formats.foreign.find import trees
from plyscope.visualizer.formats.foreign.meaning import fields
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.formats.read.ours import read_ours
from plyscope.visualizer.store.log import Log
from tests.benchmarks.road_forms import FORMS, write
from tests.unit.same_logs import assert_same

PART = 25


def read_one_way(form: str, data: bytes, heads: Sequence[int] = HEADS) -> Log | None:
    """The log that kernels read."""
    if form.startswith(("ours", "lines")):
        return read_ours(data, lines=form.endswith("jsonl"))
    return read_bytes(TapeDocument(data, in_lines=form.endswith("jsonl"), heads=heads))


@pytest.mark.parametrize("form", FORMS)
def test_a_tree_that_is_larger_than_a_sample_is_read_alike(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Samples, and the heads that are looked at first, are a part of what they are."""
    n_nodes = fields.SAMPLE // PART
    for module in (fields, reader, trees):
        monkeypatch.setattr(module, "SAMPLE", n_nodes)
    for module in (fields, sample):
        monkeypatch.setattr(module, "FIRST_OF_SAMPLE", n_nodes // 10)
    write(tmp_path / form, 2 * n_nodes + 100)
    data = (tmp_path / form).read_bytes()
    log = read_one_way(form, data, [head // PART for head in HEADS])
    walked = read_log(data)
    assert log is not None
    assert fields.stride_of(log.n_rows) > 1
    assert_same(log, walked)
    assert log.notices == walked.notices
    assert (dict(log.mapping), log.shape, log.fields) == (
        dict(walked.mapping),
        walked.shape,
        walked.fields,
    )
