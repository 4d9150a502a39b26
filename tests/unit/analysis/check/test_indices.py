"""No kernel of a rule reads before the first row: machine code would read whatever lies there in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log

BY_ROW = {name: rule for name, rule in RULES.items() if rule.violates is not None}


class Guarded(np.ndarray[Any, Any]):
    """An array that refuses what machine code does not check."""

    def __getitem__(self, index: Any) -> Any:
        refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_negative(index)
        super().__setitem__(index, value)


def refuse_negative(index: Any) -> None:
    for each in index if isinstance(index, tuple) else (index,):
        if isinstance(each, int | np.integer) and each < 0:
            raise IndexError(f"read at {each}")


def guarded(log: Log) -> Sight:
    sight = sight_of(log)
    arrays: dict[str, Any] = {
        name: value.view(Guarded) for name, value in sight._asdict().items() if isinstance(value, np.ndarray)
    }
    return derive(sight._replace(**arrays), Work())


def ask_all(sight: Sight) -> int:
    kernels = [rule.violates for rule in BY_ROW.values() if rule.violates is not None]
    return sum(bool(breaks(sight, row)) for breaks in kernels for row in range(sight.n_rows))


def test_a_negative_index_is_noticed() -> None:
    with pytest.raises(IndexError, match="read at -1"):
        np.zeros(3).view(Guarded)[-1]


@pytest.mark.parametrize("name", BY_ROW)
def test_no_rule_reads_before_the_first_row_of_its_example(name: str) -> None:
    assert ask_all(guarded(read_log(RULES[name].text.example.encode()))) > 0


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions(depth=4, limit=3, algorithm="pvs", iterative=True, table=1.0, table_use="narrow"),
        SearchOptions(depth=4, limit=3, algorithm="pvs", fail="hard", lmr=2, killers=True, nodes=200),
    ],
    ids=["table", "lmr"],
)
def test_no_rule_reads_before_the_first_row_of_a_search(options: SearchOptions) -> None:
    log = log_from_recording(search(tictactoe.GAME, options=options, compiled=False))
    assert ask_all(guarded(log)) == 0
