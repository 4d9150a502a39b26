"""Objects of numbers, such as `{"mobility": 15, "corners": -3}`, read by kernels from many slices at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.large import slices
from plyscope.visualizer.formats.large.scan import Bytes, Members

Array = npt.NDArray[Any]


class Terms(NamedTuple):
    """The numbers that objects name, object by object, arrays of one length.

    objects    the number of the object
    codes      the number of the name
    numbers    as floats
    """

    objects: Array
    codes: Array
    numbers: Array


def read_terms(data: Bytes, members: Members, begins: Array, sizes: Array) -> Terms | None:
    """The numbers of objects in these slices; None where one is no object, or has anything else in it.

    Names get the numbers that `members.labels` have them at. Raises IrregularError as `Members` does.
    """
    if (data.array[begins] != slices.OPEN_OBJECT).any():
        return None
    found = members.of(begins, sizes)
    numbers, is_read = np.empty(len(found)), np.zeros(len(found), dtype=np.bool_)
    of_values = np.ascontiguousarray(found[:, 2:].T)
    if data.run(slices.read_numbers)(data.array, *of_values, numbers, is_read) < len(found):
        return None
    return Terms(found[:, 0], found[:, 1], numbers)
