"""Tables handed to another library of this process by the C interface of Apache Arrow, some rows at a time.

https://arrow.apache.org/docs/format/CStreamInterface.html. The memory of a batch is kept until the library
calls its `release`.
"""

from __future__ import annotations

import ctypes
import errno
import itertools
from collections.abc import Callable, Iterator
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Final

import numpy as np

from plyscope.visualizer.formats.parquet.arrow_arrays import ArrowColumn

NULLABLE: Final = 2
"""The flag of a schema whose rows may have no value."""
CAPSULE: Final = b"arrow_array_stream"


class _Schema(ctypes.Structure):
    """`struct ArrowSchema`."""


class _Batch(ctypes.Structure):
    """`struct ArrowArray`."""


class _Stream(ctypes.Structure):
    """`struct ArrowArrayStream`."""


_ReleaseSchema = ctypes.CFUNCTYPE(None, POINTER(_Schema))
_ReleaseBatch = ctypes.CFUNCTYPE(None, POINTER(_Batch))
_ReleaseStream = ctypes.CFUNCTYPE(None, POINTER(_Stream))
_GetSchema = ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))
_GetNext = ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Batch))
_GetLastError = ctypes.CFUNCTYPE(c_void_p, POINTER(_Stream))

_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", _ReleaseSchema),
    ("private_data", c_void_p),
]
_Batch._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Batch))),
    ("dictionary", POINTER(_Batch)),
    ("release", _ReleaseBatch),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _GetLastError),
    ("release", _ReleaseStream),
    ("private_data", c_void_p),
]

_kept: dict[int, Any] = {}
"""What others read, by its number in their `private_data`, until they release it."""
_numbers = itertools.count(1)


def _keep(what: Any) -> int:
    number = next(_numbers)
    _kept[number] = what
    return number


def _released(release: Any) -> Any:
    def let_go(released: Any) -> None:
        _kept.pop(released.contents.private_data or 0, None)
        released.contents.release = release()

    return release(let_go)


_release_schema = _released(_ReleaseSchema)
_release_batch = _released(_ReleaseBatch)
_release_stream = _released(_ReleaseStream)


class ArrowTable:
    """A table in batches, which a library asks for one after another; each time from the first.

    `kind` is a batch without rows. What `batches` raises is in `error`; the library learns that it failed.
    """

    def __init__(self, kind: ArrowColumn, batches: Callable[[], Iterator[ArrowColumn]]) -> None:
        self._kind = kind
        self._batches = batches
        self.error: BaseException | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The capsule that Arrow's interface for Python asks for."""
        batches = self._batches()

        def get_schema(_: Any, out: Any) -> int:
            parts: list[Any] = []
            _fill_schema(out.contents, "", self._kind, parts)
            out.contents.private_data = _keep(parts)
            return 0

        def get_next(_: Any, out: Any) -> int:
            try:
                batch = next(batches, None)
                if batch is None:
                    out.contents.release = _ReleaseBatch()
                    return 0
                parts: list[Any] = []
                _fill_batch(out.contents, batch, parts)
                out.contents.private_data = _keep(parts)
            except BaseException as error:  # nothing can be raised through another library
                self.error = error
                return errno.EIO
            return 0

        sentence = ctypes.create_string_buffer(b"the rows could not be made")
        stream = _Stream(
            _GetSchema(get_schema),
            _GetNext(get_next),
            _GetLastError(lambda _: ctypes.addressof(sentence)),
            _release_stream,
        )
        stream.private_data = _keep((stream, sentence))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
        self._last = stream  # the capsule points to it, until the library has taken what it says
        capsule: object = new(ctypes.addressof(stream), CAPSULE, None)
        return capsule


def _fill_schema(schema: Any, name: str, column: ArrowColumn, parts: list[Any]) -> None:
    spelled = column.format.encode(), name.encode()
    parts.append(spelled)
    schema.format, schema.name, schema.flags = *spelled, NULLABLE
    children = []
    for inner_name, child in (column.children or {}).items():
        children.append(_Schema())
        _fill_schema(children[-1], inner_name, child, parts)
    schema.n_children = len(children)
    schema.children = _pointers(_Schema, children, parts)
    if column.dictionary is not None:
        dictionary = _Schema()
        _fill_schema(dictionary, "", column.dictionary, parts)
        parts.append(dictionary)
        schema.dictionary = ctypes.pointer(dictionary)
    schema.release = _release_schema


def _fill_batch(batch: Any, column: ArrowColumn, parts: list[Any]) -> None:
    batch.length, batch.null_count, batch.offset = column.n_rows, column.n_nulls, 0
    valid = None if column.stated is None else np.packbits(column.stated, bitorder="little")
    buffers = [valid, *column.buffers]
    parts.append(buffers)
    batch.n_buffers = len(buffers)
    addresses = [None if buffer is None else buffer.ctypes.data for buffer in buffers]
    pointers = (c_void_p * len(buffers))(*addresses)
    parts.append(pointers)
    batch.buffers = pointers
    children = []
    for child in (column.children or {}).values():
        children.append(_Batch())
        _fill_batch(children[-1], child, parts)
    batch.n_children = len(children)
    batch.children = _pointers(_Batch, children, parts)
    if column.dictionary is not None:
        dictionary = _Batch()
        _fill_batch(dictionary, column.dictionary, parts)
        parts.append(dictionary)
        batch.dictionary = ctypes.pointer(dictionary)
    batch.release = _release_batch


def _pointers(kind: Any, structures: list[Any], parts: list[Any]) -> Any:
    parts.append(structures)
    pointers = (POINTER(kind) * len(structures))(*map(ctypes.pointer, structures))
    parts.append(pointers)
    return pointers
