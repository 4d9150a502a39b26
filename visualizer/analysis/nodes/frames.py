"""Columns as tables of other libraries, which whoever wants them installs: pandas, Polars, Arrow."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Array = npt.NDArray[Any]

METHODS: Final = {"pandas": "to_pandas", "polars": "to_polars", "pyarrow": "to_arrow"}


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
    """A library that Plyscope does not bring; raises ImportError that says what to install."""
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
