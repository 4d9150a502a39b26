"""A test that runs plain and compiled; compiled it is slow, since on a new machine it compiles first."""

from __future__ import annotations

import pytest

plain_and_compiled = pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["plain", "compiled"]
)
