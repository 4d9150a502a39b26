"""The fields of a log as numpy arrays, one value a row; columns as tables of pandas, Polars and Arrow.

These libraries are not installed with Plyscope.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.field_values import names_in
from plyscope.visualizer.store.columns import GIVEN, absent_column
from plyscope.visualizer.store.fields import FIELDS, Field, Kind, entry_of
from plyscope.visualizer.store.log import Log

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Array = npt.NDArray[Any]

PLACES: Final = ("id", "parent", "end", "level")
"""Where rows stand; every row has these."""
LISTS: Final = ("plies", "pre_scores")
METHODS: Final = {"pandas": "to_pandas", "polars": "to_polars", "pyarrow": "to_arrow"}


def arrays(log: Log, names: Sequence[str]) -> dict[str, Array]:
    """The fields that `names` name, or all that a row states, as read-only arrays; raises LookupError."""
    if isinstance(names, str):
        raise TypeError(f"columns are named one by one, as in columns({names!r}, 'alpha')")
    found: dict[str, Array] = {}
    for name in names or [*PLACES, *(name for name in FIELDS if "." not in name and _is_stated(log, name))]:
        for column, make in _columns_of(log, name):
            found[column] = make().view()
            found[column].flags.writeable = False
    return found


def table(log: Log, names: Sequence[str]) -> pandas.DataFrame:
    """The same as a table of pandas, words as categories, its index the ids; raises ImportError."""
    pandas = library("pandas")
    columns: dict[str, Any] = {}
    for name, column in arrays(log, names).items():
        vocabulary = FIELDS[name].vocabulary if name in FIELDS else None
        if name != "id":
            columns[name] = column if vocabulary is None else pandas.Categorical(column, [*vocabulary.said])
    return pandas.DataFrame(columns, index=pandas.Index(np.array(log.columns["id"]), name="id"))


def _is_stated(log: Log, name: str) -> bool:
    if name == "iteration":
        return log.has_iterations
    if FIELDS[name].kind == "entry":
        return any(each.column in log.columns for each in entry_of(name))
    return name not in LISTS and name != "id" and FIELDS[name].column in log.columns


def _columns_of(log: Log, name: str) -> Iterator[tuple[str, Callable[[], Array]]]:
    """The arrays under a name, with their own names, each made when called."""
    group, _, inner = name.partition(".")
    if name in LISTS:
        raise LookupError(f"{name}: a list on a few stubs, and no column; a node has it as node.{name}")
    if name in PLACES:
        yield name, lambda: log.columns[name]
    elif name in FIELDS and FIELDS[name].kind == "entry":
        for field in entry_of(name):
            if field.column in log.columns:
                yield field.name, lambda field=field: _array(log, field)  # type: ignore[misc]
    elif group in ("factors", "contributions", "scores"):
        named = names_in(log, group)
        if inner and inner not in named:
            raise LookupError(f"{name}: expected {group} of {', '.join(named) or 'none'}")
        matrix = log.column(group)
        for at, each in enumerate(named):
            if matrix is not None and inner in ("", each):
                yield f"{group}.{each}", lambda at=at, matrix=matrix: matrix[:, at]  # type: ignore[misc]
    elif name in FIELDS:
        yield name, lambda: _array(log, FIELDS[name])
    else:
        known = [*PLACES, *(each for each in FIELDS if each not in LISTS)]
        near = get_close_matches(name, known, n=1)
        raise LookupError(f"{name}: no field of the log format{f'; did you mean {near[0]}?' if near else ''}")


def _array(log: Log, field: Field) -> Array:
    """A column as people read it: numbers and flags as floats, words and texts as objects."""
    if field.name == "iteration":
        return _iterations(log)
    column = log.column(field.column)
    if column is None:
        column = absent_column(field.column, log.n_rows)
    return _MADE[field.kind](log, field, column)


def _iterations(log: Log) -> Array:
    said = log.iterations_of(np.arange(log.n_rows))
    return np.where(said < 0, np.nan, said)


def _floats(log: Log, field: Field, column: Array) -> Array:
    return column


def _whole(log: Log, field: Field, column: Array) -> Array:
    return np.where(column < 0, np.nan, column)


def _words(log: Log, field: Field, column: Array) -> Array:
    assert field.vocabulary is not None
    return np.array([None, *field.vocabulary.said], dtype=object)[column]


def _texts(log: Log, field: Field, column: Array) -> Array:
    return _looked_up(log.texts, column)


def _players(log: Log, field: Field, column: Array) -> Array:
    return _looked_up(log.players, column)


def _keys(log: Log, field: Field, column: Array) -> Array:
    """Keys that are numbers unchanged, 0 where absent; texts as objects."""
    if log.key_form != "text":
        return column
    is_given = (log.columns["given"] & GIVEN["key"]) != 0
    return _looked_up(log.texts, np.where(is_given, column.astype(np.int64), -1))


def _ids(log: Log, field: Field, column: Array) -> Array:
    return np.where(column < 0, np.nan, log.columns["id"][np.maximum(column, 0)])


def _looked_up(texts: Sequence[str], column: Array) -> Array:
    """The texts at these places, each text one object however often it comes; None for -1."""
    is_used = np.zeros(len(texts) + 1, np.bool_)  # the last entry is that of -1
    is_used[column] = True
    objects = np.full(len(texts) + 1, None, dtype=object)
    for at in np.flatnonzero(is_used[:-1]).tolist():
        objects[at] = texts[at]
    return objects[column]


_MADE: Final[dict[Kind, Callable[[Log, Field, Array], Array]]] = {
    "score": _floats,
    "low edge": _floats,
    "high edge": _floats,
    "amount": _floats,
    "whole": _whole,
    "flag": _whole,
    "word": _words,
    "text": _texts,
    "long text": _texts,
    "player": _players,
    "key": _keys,
    "id": _ids,
}


# Tables of other libraries ---------------------------------------------------------------------------------


class Framed:
    """An answer whose columns become tables of Polars and Arrow."""

    __slots__ = ()

    @abstractmethod
    def _for_frames(self, names: tuple[str, ...]) -> Mapping[str, Array]:
        """The columns of these names, all without names."""

    def to_polars(self, *names: str) -> polars.DataFrame:
        """The columns as a DataFrame of Polars, null where unknown; raises ImportError without Polars."""
        return library("polars").DataFrame(_lists(self._for_frames(names)), strict=False)

    def to_arrow(self, *names: str) -> pyarrow.Table:
        """The columns as a table of Arrow, null where unknown; raises ImportError without pyarrow."""
        return library("pyarrow").table(_lists(self._for_frames(names)))


def library(name: str) -> Any:
    """Import an optional library; raises ImportError with the package to install."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{METHODS[name]}() needs {name}, which Plyscope does not bring: `pip install {name}`; "
            "columns() gives the same as numpy arrays"
        ) from error


def pandas_of(columns: Mapping[str, Array], *, by_id: bool = False) -> pandas.DataFrame:
    """Columns that are masked where unknown as a DataFrame, with `by_id` its index the ids."""
    pandas = library("pandas")
    made = {name: _unmasked(column) for name, column in columns.items()}
    index = pandas.Index(made.pop("id"), name="id") if by_id else None
    return pandas.DataFrame(made, index=index)


def _lists(columns: Mapping[str, Array]) -> dict[str, Any]:
    """Each column with None where it is unknown: masked, or NaN where nothing is masked."""
    made: dict[str, Any] = {}
    for name, column in columns.items():
        unknown = np.ma.getmaskarray(column)
        if column.dtype.kind == "f" and not isinstance(column, np.ma.MaskedArray):
            unknown = np.isnan(column)
        values = np.ma.getdata(column)
        if unknown.any():
            values = values.astype(object)
            values[unknown] = None
        made[name] = values.tolist() if values.dtype == object else values
    return made


def _unmasked(column: Array) -> Array:
    """A column without a mask: whole numbers stay whole where all are known."""
    if not isinstance(column, np.ma.MaskedArray):
        return column
    if not column.mask.any():
        return np.asarray(column.data)
    unknown: Any = None if column.dtype == np.bool_ else np.nan
    made: Array = column.data.astype(object if unknown is None else np.float64)
    made[column.mask] = unknown
    return made
