"""The unknown fields of a large log, found by a kernel, are those that reading its objects finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.query import extra_scan
from plyscope.visualizer.analysis.query.extra_fields import OwnFields
from plyscope.visualizer.analysis.query.extra_scan import ExtraScan
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.scan import IrregularError
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
@given(st.lists(FIELDS, min_size=1, max_size=12), st.integers(1, 5))
def test_scanned_fields_are_those_of_the_objects(nodes: list[dict[str, Any]], at_once: int) -> None:
    document = {"plyscope": 1, "root": {"score": 1, "children": nodes}}
    log = read_log(json_bytes(document))
    if log.extras is None:
        return
    plain, scanned = OwnFields(log), OwnFields(log)
    scan = ExtraScan(log.extras, lambda kernel: kernel)
    before, extra_scan.AT_ONCE = extra_scan.AT_ONCE, at_once  # type: ignore[misc]
    try:
        kinds = scan.kinds
        scanned.__dict__["_scan"] = scan
        assert plain.names() == sorted(plain.names(), key=lambda name: -plain._kinds[name].total())
        assert {name: +count for name, count in plain._kinds.items()} == {
            name: +count for name, count in kinds.items()
        }
        rows = np.arange(log.n_rows)
        for name in plain.names():
            one, other = plain.known(name), scanned.known(name)
            assert one is not None
            assert other is not None
            assert (one.type, one.notice, list(one.texts)) == (other.type, other.notice, list(other.texts))
            np.testing.assert_array_equal(one.column(rows), other.column(rows))
    except IrregularError:
        assert any("\\" in orjson.dumps(name).decode() for node in nodes for name in node)
    finally:
        extra_scan.AT_ONCE = before  # type: ignore[misc]
