"""Mutated logs, some thousand, always the same: twenty-five to a case."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from tests.equality import binary
from tests.equality.case import PLAIN, QUICK, Case, of_parts
from tests.equality.changes import Parts
from tests.equality.forms import forms
from tests.fuzz.mutations import mutated

N_GROUPS: Final = 120
A_GROUP: Final = 25
N_QUICK: Final = 8
LARGEST: Final = 6_000
"""Bytes of a seed."""


@cache
def seeds() -> list[tuple[str, bytes]]:
    """What is mutated: documents of every form, and compact logs."""
    texts = [(name, data[:LARGEST]) for name, data in forms().items()]
    return texts + [(label, data) for label, data in binary.seeds()]


def cases() -> Iterator[Case]:
    """The groups."""
    for group in range(N_GROUPS):
        dearness = QUICK if group < N_QUICK else PLAIN
        yield Case(f"fuzz/{group:03}", "read", of_parts(partial(inputs, group)), {}, dearness)


def inputs(group: int) -> Parts:
    """The inputs of a group, each with the name of what it was made of."""
    for number in range(group * A_GROUP, (group + 1) * A_GROUP):
        draw = random.Random(f"equality {number}")
        name, data = draw.choice(seeds())
        yield f"{number} of {name}", mutated(data, draw)
