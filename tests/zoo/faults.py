"""The whole zoo, by kind and name."""

from __future__ import annotations

from typing import Final

from tests.zoo import (
    best_first_faults,
    chance_faults,
    claim_faults,
    legality_faults,
    result_faults,
    table_faults,
    taking_faults,
    window_faults,
    worth_faults,
)
from tests.zoo.fault import CLASSES, Fault

_FOUND = (
    *window_faults.FAULTS,
    *table_faults.FAULTS,
    *worth_faults.FAULTS,
    *taking_faults.FAULTS,
    *result_faults.FAULTS,
    *claim_faults.FAULTS,
    *legality_faults.FAULTS,
    *best_first_faults.FAULTS,
    *chance_faults.FAULTS,
)
FAULTS: Final[tuple[Fault, ...]] = tuple(sorted(_FOUND, key=lambda fault: list(CLASSES).index(fault.kind)))
