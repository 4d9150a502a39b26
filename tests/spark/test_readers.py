"""DuckDB, Spark, Polars and pandas read the same files alike: every value, and a folder as one table.

make spark
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from pyspark.sql import Row, SparkSession

from plyscope.visualizer.formats.parquet.schema import columns
from tests.parquet_rows import plain, rows_of, write_logs

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    write_logs(folder)
    return folder


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


def of_spark(value: Any) -> Any:
    """Rows inside rows as dicts."""
    if isinstance(value, Row):
        return {name: of_spark(inner) for name, inner in value.asDict().items()}
    return [of_spark(inner) for inner in value] if isinstance(value, list) else value


def test_spark_reads_each_file_as_duckdb_does(spark: SparkSession, folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        rows = [plain(of_spark(row)) for row in spark.read.parquet(str(path)).collect()]
        assert rows == rows_of(path), path.name


def test_spark_reads_a_folder_as_one_table_as_duckdb_does(spark: SparkSession, folder: Path) -> None:
    table = spark.read.parquet(str(folder))
    assert table.columns == list(columns())
    table.createOrReplaceTempView("logs")
    asked = (
        "SELECT outcome, count(*), count(score), max(moves), count(tt.depth), max(tt.use), max(id), "
        "sum(contributions['mobility']), count(DISTINCT key) FROM {} "
        "GROUP BY outcome ORDER BY outcome NULLS LAST"
    )
    by_spark = [tuple(row) for row in spark.sql(asked.format("logs")).collect()]
    by_duckdb = duckdb.sql(asked.format(f"read_parquet('{folder}/*.parquet')")).fetchall()
    assert by_spark == by_duckdb
    assert len(by_spark) > 5


def test_polars_reads_each_file_as_duckdb_does(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        rows = pl.read_parquet(path).to_dicts()
        for row in rows:  # before version 2 it read a map as a list of keys and values
            if isinstance(row["contributions"], list):
                row["contributions"] = {each["key"]: each["value"] for each in row["contributions"]}
        assert [plain(row) for row in rows] == rows_of(path), path.name
    assert pl.scan_parquet(f"{folder}/*.parquet").collect().height == sum(
        map(len, map(rows_of, folder.iterdir()))
    )


def test_pandas_reads_each_file_as_duckdb_does(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        table = pd.read_parquet(path, dtype_backend="pyarrow")
        for name in ("id", "parent", "ply", "layer", "outcome", "moves", "key", "extra"):
            values = [None if value is pd.NA else value for value in table[name].tolist()]
            assert [plain(value) for value in values] == [row[name] for row in rows_of(path)], (
                path.name,
                name,
            )
