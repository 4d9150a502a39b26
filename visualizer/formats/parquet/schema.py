"""The columns of a log in Parquet: every file has all of them, so that many files are one data set.

They come from the table of fields. Whole numbers are signed, since Spark knows no others, and keys are texts.
"""

from __future__ import annotations

from typing import Final

from plyscope.visualizer.store.fields import OWN, Field, Kind, entry_of

MAGIC: Final = b"PAR1"
"""The first and the last bytes of a Parquet file."""
HEADER_KEY: Final = "plyscope"
"""The header as JSON, in the metadata of the file."""
TABLE_KEY: Final = "plyscope.table"
"""The key of the metadata for the log's columns and the form of its position keys."""
PARENT: Final = "parent"
EXTRA: Final = "extra"
"""The column of unknown fields, as the text of a JSON object."""
ELSEWHERE: Final = -1
"""The value of `tt.from` where the node that stored an entry is not in this log."""

SQL_TYPES: Final[dict[Kind, str]] = {
    "score": "DOUBLE",
    "low edge": "DOUBLE",
    "high edge": "DOUBLE",
    "amount": "DOUBLE",
    "whole": "BIGINT",
    "flag": "BOOLEAN",
    "word": "VARCHAR",
    "text": "VARCHAR",
    "long text": "VARCHAR",
    "player": "VARCHAR",
    "key": "VARCHAR",
    "id": "BIGINT",
    "numbers": "DOUBLE[]",
    "named numbers": "MAP(VARCHAR, DOUBLE)",
    "texts": "VARCHAR[]",
}


def sql_type(field: Field) -> str:
    """The type of a field's column.

    >>> from plyscope.visualizer.store.fields import FIELDS
    >>> sql_type(FIELDS["ucb"])
    'STRUCT("exploit" DOUBLE, "explore" DOUBLE, "n" DOUBLE, "n_parent" DOUBLE)'
    """
    if field.kind != "entry":
        return SQL_TYPES[field.kind]
    inner = ", ".join(f"{quoted(each.inner_name)} {sql_type(each)}" for each in entry_of(field.name))
    return f"STRUCT({inner})"


def columns() -> dict[str, str]:
    """Every column of a file with its type, in order."""
    made = {"id": "BIGINT", PARENT: "BIGINT"}
    made |= {field.name: sql_type(field) for field in OWN if field.name != "id"}
    return made | {EXTRA: "VARCHAR"}


def quoted(name: str) -> str:
    """A name of a column as SQL quotes it.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL quotes it.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
