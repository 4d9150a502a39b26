"""A reader that is not the writer's finds the same values: that of Apache Arrow's Rust implementation.

Spark, Polars and pandas are held to the same in `tests/spark`, which `make spark` runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arro3.core import DataType, Field
from arro3.io import read_parquet

from plyscope.visualizer.formats.parquet.schema import columns
from tests.parquet_rows import plain, rows_of, write_logs


def as_python(value: Any, field: Field) -> Any:
    """A value of Arrow; a map of it is a list of pairs."""
    if value is not None and DataType.is_map(field.type):
        return dict(value)
    return value


def test_another_reader_finds_the_same_values(tmp_path: Path) -> None:
    for path in write_logs(tmp_path):
        table = read_parquet(path).read_all()
        assert table.column_names == list(columns())
        rows = rows_of(path)
        for at, name in enumerate(table.column_names):
            field = table.schema.field(at)
            values = [as_python(value.as_py(), field) for value in table.column(at)]
            assert [plain(value) for value in values] == [row[name] for row in rows], (path.name, name)
