"""The memory that passes of `check` use one after another."""

from __future__ import annotations

import numpy as np

from plyscope.visualizer.analysis.columns.kernel_call import Scratch


def test_arrays_of_one_request_do_not_overlap() -> None:
    flags, numbers, codes = Scratch().take((3, np.uint8), (5, np.float64), (0, np.int32))
    flags[:], numbers[:] = 7, 1.5
    assert flags.tolist() == [7, 7, 7]
    assert numbers.tolist() == [1.5] * 5
    assert len(codes) == 0


def test_a_request_reuses_the_memory_of_an_earlier_one_that_was_as_large() -> None:
    scratch = Scratch()
    (first,) = scratch.take((100, np.int64))
    (second,) = scratch.take((30, np.float64))
    assert np.shares_memory(first, second)


def test_a_larger_request_leaves_the_arrays_of_an_earlier_one_alone() -> None:
    scratch = Scratch()
    (first,) = scratch.take((3, np.int64))
    first[:] = 1
    (larger,) = scratch.take((1000, np.int64))
    larger[:] = 2
    assert first.tolist() == [1, 1, 1]
