"""A test that runs plain and compiled; compiled it is slow, since on a new machine it compiles first.

Where other tests hold the machine code of such kernels, `make sweep` compiles those of this game as well.
"""

from __future__ import annotations

import pytest

plain_and_compiled = pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["plain", "compiled"]
)
plain_and_in_sweep_compiled = pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.sweep)], ids=["plain", "compiled"]
)
