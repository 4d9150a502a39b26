"""Arrays that are lent: who lends them learns when nobody has them, nor a part of them, any more."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Loan:
    """The arrays that are lent together.

    >>> owned = np.arange(5)
    >>> loan = Loan()
    >>> lent = loan.lend(owned[:3])[1:]
    >>> returned = loan.closed()
    >>> returned(), lent.tolist()
    (False, [1, 2])
    >>> del lent
    >>> returned()
    True
    """

    def __init__(self) -> None:
        self._lease: _Lease | None = _Lease()

    def lend(self, array: Array) -> Array:
        """The same memory as another array, which counts as lent as long as it, or a view of it, is there."""
        assert self._lease is not None
        return np.asarray(_Lent(array, self._lease))

    def closed(self) -> Returned:
        """Lend nothing more; returns what says whether all came back."""
        lease, self._lease = self._lease, None
        assert lease is not None
        return Returned(lease)


class Returned:
    """A callable that says whether everything that was lent came back."""

    def __init__(self, lease: _Lease) -> None:
        self._lease = weakref.ref(lease)

    def __call__(self) -> bool:
        """Whether nobody has an array of the loan."""
        return self._lease() is None


class _Lease:
    """Lives as long as an array of the loan."""

    __slots__ = ("__weakref__",)


class _Lent:
    """The base of a lent array and of its views: numpy keeps it as long as one of them."""

    def __init__(self, array: Array, lease: _Lease) -> None:
        self.__array_interface__ = array.__array_interface__
        self._kept = array, lease
