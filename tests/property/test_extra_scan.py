"""The unknown fields of a large log, found by a kernel, are those that reading its objects finds."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.query.extra_fields import ExtraScan, OwnFields
from plyscope.visualizer.analysis.query.field import Known
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.json_text import json_bytes
from tests.property.examples import examples

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "a", "\u00fc", 'quoted "so"', "true"]),
    st.sampled_from([[], [1, 2], {}, {"a": 1}, {"a": {"b": []}}]),
)
FIELDS = st.dictionaries(st.sampled_from(["mine", "cost", "\u00fc", "flag", "a b"]), VALUES, max_size=4)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(FIELDS, min_size=1, max_size=12), st.integers(2, 50))
def test_scanned_fields_are_those_of_the_objects(nodes: list[dict[str, Any]], n_rows: int) -> None:
    document = {"plyscope": 1, "root": {"score": 1, "children": nodes}}
    log = read_log(json_bytes(document))
    if log.extras is None:
        return
    plain, scanned = OwnFields(log), OwnFields(log)
    scan = ExtraScan(log.extras, lambda kernel: kernel, rows=n_rows)
    scanned.__dict__["_scan"] = scan
    assert plain.names() == sorted(plain.names(), key=lambda name: -plain._kinds[name].total())
    assert {name: +count for name, count in plain._kinds.items()} == {
        name: +count for name, count in scan.kinds.items()
    }
    rows = np.arange(log.n_rows)
    for name in plain.names():
        one, other = plain.known(name), scanned.known(name)
        assert one is not None
        assert other is not None
        assert (one.type, one.notice, sorted(one.texts)) == (other.type, other.notice, sorted(other.texts))
        np.testing.assert_array_equal(said(one, rows), said(other, rows))


def said(known: Known, rows: Any) -> Any:
    """The values of a field, texts by themselves."""
    values = known.column(rows)
    return [known.texts[code] if code >= 0 else None for code in values] if known.texts else values
