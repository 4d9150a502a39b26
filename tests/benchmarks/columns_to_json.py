"""Columns to the bytes of a JSON document, beside dictionaries made of the same columns and `orjson.dumps`.

python -m tests.benchmarks.columns_to_json [NODES]

Two logs: a real search, and the same with every float replaced by a random one, all of whose digits count.
All ways give the same document, which is asserted. Seconds are the processor's, medians of some runs after
a first, in turns; numba is loaded and the kernel compiled. Half the time of the dictionaries is Python's
garbage collector, which looks through them again and again, so they are made without it too.
"""

from __future__ import annotations

import dataclasses
import gc
import io
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import orjson

import plyscope
from plyscope.visualizer.formats.write.write_json import header_fields, write_json
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.log import Log

ROUNDS: Final = 5
PLAIN: Final = "dictionaries + orjson.dumps"
GOALS: Final = {"a real search": 7.0, "random floats": 3.5}
BESIDE: Final = ("id", "parent", "end", "level", "given")
"""Columns that a nested document does not have."""


def main(n_nodes: int = 300_000) -> None:
    """Print what each way takes of each log, and the ratio."""
    log = real(n_nodes)
    logs = {"a real search": log, "random floats": with_random_floats(log)}
    for what, each in logs.items():
        ways: dict[str, Callable[[], bytes]] = {
            PLAIN: lambda log=each: orjson.dumps(dictionaries(log)),  # type: ignore[misc]
            "the same, nothing collected": lambda log=each: uncollected(log),  # type: ignore[misc]
            "columns": lambda log=each: written(log),  # type: ignore[misc]
        }
        texts = [way() for way in ways.values()]
        assert orjson.loads(texts[0]) == orjson.loads(texts[1]) == orjson.loads(texts[2])
        size = f"{len(texts[2]) / 1e6:.0f} MB of JSON, {len(each.columns)} columns"
        print(f"{what}: {each.n_rows:,} rows, {size}; goal {GOALS[what]} x")
        del texts
        took: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, way in ways.items():
                begun = time.process_time()
                way()
                took[name].append(time.process_time() - begun)
        medians = {name: statistics.median(times) for name, times in took.items()}
        for name, seconds in medians.items():
            rate = f"{seconds:6.2f} s {each.n_rows / seconds:>11,.0f} rows/s"
            print(f"    {name:<28}{rate}  {medians[PLAIN] / seconds:5.1f} x")


def uncollected(log: Log) -> bytes:
    """Dictionaries and orjson, without the garbage collector."""
    gc.disable()
    try:
        return orjson.dumps(dictionaries(log))
    finally:
        gc.enable()


def real(n_nodes: int) -> Log:
    """A search as `examples/make_big.py` makes it."""
    log = plyscope.search(
        "reversi", depth=40, nodes=n_nodes, algorithm="pvs", iterative=True, table=64, killers=True, lmr=1
    )
    return log._log


def with_random_floats(log: Log) -> Log:
    """The log with every float that it states replaced by a random one."""
    draw = np.random.default_rng(1)
    columns = dict(log.columns)
    for name, column in columns.items():
        if column.dtype == np.float64:
            columns[name] = np.where(np.isfinite(column), draw.normal(0, 9, column.shape), column)
    lists = log.stub_plies
    if lists is not None:
        numbers = np.where(np.isnan(lists.numbers), np.nan, draw.normal(0, 9, len(lists.numbers)))
        lists = dataclasses.replace(lists, numbers=numbers)
    return dataclasses.replace(log, columns=columns, stub_plies=lists)


def written(log: Log) -> bytes:
    """Our way."""
    write_json(log, out := io.BytesIO())
    return out.getvalue()


def dictionaries(log: Log) -> dict[str, Any]:
    """The document as dictionaries: whole columns as lists, then one dictionary a node."""
    outer: dict[str, list[Any]] = {}
    inner: dict[str, list[Any]] = {}
    for name, column in log.columns.items():
        if name not in BESIDE:
            field = next(field for field in FIELDS.values() if field.column == name)
            is_inner = field.name != field.inner_name
            (inner if is_inner else outer)[field.inner_name] = values(log, field.name, column)
    names, inner_names = [*outer], [*inner]
    parent = log.columns["parent"].tolist()
    is_numbered = not np.array_equal(log.columns["id"], np.arange(log.n_rows))
    assert not is_numbered, "ids would have to be written"
    nodes: list[dict[str, Any]] = []
    for row, stated in enumerate(zip(*outer.values(), strict=True)):
        node = {name: value for name, value in zip(names, stated, strict=True) if value is not None}
        if row and (above := parent[row]) >= 0:
            siblings = nodes[above].get("children")
            if siblings is None:
                nodes[above]["children"] = [node]
            else:
                siblings.append(node)
        nodes.append(node)
    for node, stated in zip(nodes, zip(*inner.values(), strict=True), strict=True):
        if any(value is not None for value in stated):
            node["tt"] = {
                name: value for name, value in zip(inner_names, stated, strict=True) if value is not None
            }
    put_stub_plies(log, nodes)
    for name, is_open in (("alpha", -np.inf), ("beta", np.inf)):
        column = log.columns[name]
        for row in np.flatnonzero(column == is_open).tolist():
            nodes[row][name] = None
    for root in log.roots:
        nodes[root.row]["iteration"] = root.iteration
    return {**header_fields(log), "roots": [nodes[root.row] for root in log.roots]}


def values(log: Log, name: str, column: Any) -> list[Any]:
    """A column as a list, None where a row does not state it."""
    field = FIELDS[name]
    match field.kind:
        case "word":
            assert field.vocabulary is not None
            spelled = [None, *field.vocabulary.words[1:]]
            return [spelled[code] for code in column.tolist()]
        case "text":
            spelled = [*log.texts, None]
            return [spelled[code] for code in column.tolist()]
        case "player":
            spelled = [*log.players, None]
            return [spelled[code] for code in column.tolist()]
        case "key":
            given = (log.columns["given"] & GIVEN["key"]) != 0
            return [
                f"{key:016x}" if is_it else None
                for key, is_it in zip(column.tolist(), given.tolist(), strict=True)
            ]
        case "numbers":
            known = (~np.isnan(column).all(axis=1)).tolist()
            return [row if is_it else None for row, is_it in zip(column.tolist(), known, strict=True)]
        case "whole":
            return [number if number >= 0 else None for number in column.tolist()]
        case "id":
            return [number if number != -1 else None for number in column.tolist()]
        case _:
            return [number if number == number else None for number in column.tolist()]


def put_stub_plies(log: Log, nodes: list[dict[str, Any]]) -> None:
    """The plies and pre-scores of stubs."""
    lists = log.stub_plies
    assert lists is not None
    texts = [log.texts[code] for code in lists.texts.tolist()]
    numbers = lists.numbers.tolist()
    starts = lists.starts.tolist()
    for place, row in enumerate(lists.rows.tolist()):
        inside = slice(starts[place], starts[place + 1])
        nodes[row]["plies"] = texts[inside]
        if any(number == number for number in numbers[inside]):
            nodes[row]["pre_scores"] = numbers[inside]


if __name__ == "__main__":
    main(*(int(argument.replace(",", "")) for argument in sys.argv[1:2]))
