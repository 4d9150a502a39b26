"""Some records of a log that is being written: what each says of its node, and which node it names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from plyscope.visualizer.formats.field_buffers import FieldBuffers

Array = npt.NDArray[Any]
Id = int | str


@dataclass
class NodeBatch:
    """Records in order: lines of JSON Lines, or records of a compact log. Several may be of one node."""

    buffers: FieldBuffers
    """The fields of all records, by the number of the record."""
    ids: Array | list[Id]
    """The id of each record."""
    places: Array
    """Where each record stands in the file: its line, from 1, or its byte."""
    children: Array
    """The records that name a parent, in order."""
    parents: Array | list[Id]
    """The id of each such parent."""
