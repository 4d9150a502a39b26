"""Reading a log from Parquet, column by column: our own files, and others that use our names.

Values are checked as in every format, and turned to the root player's view where the header declares another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.compressed import LARGEST
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.find.rows import is_of_others
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.parquet.database import LEFT, reading
from plyscope.visualizer.formats.parquet.opened_file import OpenedFile, check_ends, ends_of, no_log
from plyscope.visualizer.formats.parquet.row_values import RowValues
from plyscope.visualizer.formats.parquet.schema import HEADER_KEY, PARENT, TABLE_KEY
from plyscope.visualizer.formats.parquet.unknown_columns import UnknownColumns, rows_as_lines
from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.read.records import NO_PARENT, are_lost
from plyscope.visualizer.formats.seal.field_buffers import rounded_in_words
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.ragged import Ragged
from plyscope.visualizer.formats.seal.sealing import in_pre_order, sealed_log
from plyscope.visualizer.formats.seal.written_ids import ELSEWHERE, Ids
from plyscope.visualizer.store.columns import OPTIONAL, absent_column
from plyscope.visualizer.store.folder_lock import temporary_folder
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Report = Callable[[float], None]

FIELDS_PART: Final = 0.9
"""The share of the whole time that reading the fields takes."""
NO_HEADER: Final = (
    "This Parquet file has no header of Plyscope's: its columns were taken for fields by their names, its "
    "numbers as seen by the root player."
)


def read_parquet_file(
    path: Path,
    *,
    max_bytes: int | None = None,
    on_progress: Report | None = None,
    read_table: Callable[[bytes], Log],
) -> Log:
    """Read the log in a Parquet file; `on_progress` gets the part that is done, from 0 to 1.

    A foreign table is read by `read_table`, which gets its rows as JSON, one a line. Raises LogError, and
    TooLarge where the rows or items would not fit into `max_bytes` of JSON.
    """
    check_ends(*ends_of(path))
    with reading([path]) as (connection, called):
        opened = OpenedFile(connection, called, LARGEST if max_bytes is None else max_bytes)
        if opened.footer.stated(HEADER_KEY) is None and opened.n_rows and is_of_others(opened.cells):
            lines = rows_as_lines(opened)
        else:
            return _log_of(opened, on_progress or (lambda part: None))
    return read_table(lines)


def read_parquet(
    data: bytes,
    *,
    max_bytes: int | None = None,
    on_progress: Report | None = None,
    read_table: Callable[[bytes], Log],
) -> Log:
    """Read the log in the bytes of a Parquet file, as `read_parquet_file` does."""
    with temporary_folder(LEFT) as folder:
        path = folder / "log.parquet"
        path.write_bytes(data)
        del data
        return read_parquet_file(path, max_bytes=max_bytes, on_progress=on_progress, read_table=read_table)


class RowFields(NodeFields):
    """Fields of rows; their unknown ones are JSON objects already."""

    objects: Ragged

    def sealed_extras(self, row_of: Array) -> tuple[Array, Array, bytes | memoryview]:
        """The rows with unknown fields, and these as JSON objects: their offsets and bytes."""
        rows, starts, objects = self.objects.sealed(row_of)
        return rows, starts, objects.data


def _log_of(file: OpenedFile, report: Report) -> Log:
    table = file.footer.stated(TABLE_KEY) or {}
    log, _ = log_of_rows(file, file.footer.stated(HEADER_KEY), str(table.get("key_form", "")), report)
    stated = table.get("columns")
    kept = {
        column.name: absent_column(column.name, file.n_rows)
        for column in OPTIONAL
        if isinstance(stated, list) and column.name in stated and column.name not in log.columns
    }
    report(1.0)
    return replace(log, columns={**log.columns, **kept})


def log_of_rows(
    file: OpenedFile,
    fields_of_header: Mapping[str, Any] | None,
    key_form: str,
    report: Report = lambda part: None,
) -> tuple[Log, Array]:
    """The log of all rows of a file, or of several as one forest, and by row of the log its row in the files.

    The header and the form of keys are those of the metadata; None for a file without a header.
    """
    if not {"id", PARENT} <= file.cells.keys():
        raise no_log(file.cells)
    if not file.n_rows:
        raise LogError("the log has no node, expected at least a root")
    read_header(fields_of_header or {})
    unknown = UnknownColumns(file)
    rows = RowValues(file, unknown, key_form)
    rows.read(lambda part: report(FIELDS_PART * part))
    records, buffers = rows.records, rows.records.gatherer.buffers
    every = np.arange(file.n_rows)
    lacking = np.flatnonzero(records.ids == NOTHING)
    if len(lacking):
        _fail_at(int(lacking[0]), "found no value, expected an id on each row", "id")
    ids = Ids(records.ids, records.names, file.starts, _fail_at)
    parents = ids.nodes_of(records.parents)
    parents[parents == ELSEWHERE] = -1
    lost = np.flatnonzero(are_lost(parents, records.parents, records.names.numbers_of((*NO_PARENT, "-1"))))
    if len(lost):
        name = shown(records.names.listed(records.parents[lost[:1]])[0])
        message = f"the parent {name} never comes, expected the id of a node, or null at a root"
        _fail_at(int(lost[0]), message, PARENT)
    sealed = in_pre_order(parents, _fail_at)
    if not ids.are_ours:
        unknown.put_column("id", file.cells["id"])
    below = [row for row in buffers.iterations if parents[row] >= 0]
    if below:
        unknown.put_column("iteration", file.cells["iteration"], f"{file.cells[PARENT].sql} IS NOT NULL")
        for row in below:
            del buffers.iterations[row]
    sources = np.full(file.n_rows, NOTHING)
    for nodes, named in buffers.sources:
        sources[nodes] = records.names.numbers_of(named)
    buffers.sources.clear()
    fields = RowFields.of(buffers, file.n_rows)
    fields.put("id", slice(0, file.n_rows), records.ids if ids.are_ours else every)
    fields.put("tt_from", slice(0, file.n_rows), ids.nodes_of(sources).astype(np.int32))
    fields.objects = unknown.objects()
    said = {} if fields_of_header is not None else {NO_HEADER: None}
    log = sealed_log(
        fields_of_header or {},
        fields,
        parents,
        _fail_at,
        said | dict.fromkeys(rounded_in_words(fields.rounded)),
        roots_need_iterations=False,
        sealed=sealed,
    )
    return log, sealed.order


def _fail_at(number: int, message: str, field: str = "") -> NoReturn:
    raise LogError(message, path=f"row {number:,}" + (f", {field}" if field else ""))
