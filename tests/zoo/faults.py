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

_MODULES = (window_faults, table_faults, worth_faults, taking_faults, result_faults)
_MODULES += (claim_faults, legality_faults, best_first_faults, chance_faults)
_FOUND = [fault for module in _MODULES for fault in module.FAULTS]
FAULTS: Final[tuple[Fault, ...]] = tuple(sorted(_FOUND, key=lambda fault: list(CLASSES).index(fault.kind)))
