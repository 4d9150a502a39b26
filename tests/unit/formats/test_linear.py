"""Tests that reading costs in proportion to the log: four times the log, about four times the time."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from time import process_time

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError

LOGS: dict[str, tuple[int, Callable[[int], str]]] = {
    "a wrong value at the end of a chain": (
        10_000,
        lambda n: '{"plyscope":1,"root":' + '{"children":[' * n + '{"score":true}' + "]}" * n + "}",
    ),
    "a player of its own on each node": (
        5_000,
        lambda n: json.dumps({"plyscope": 1, "root": {"children": [{"player": f"{i}"} for i in range(n)]}}),
    ),
    "many players in the header": (
        5_000,
        lambda n: json.dumps({"plyscope": 1, "players": [f"{i}" for i in range(n)], "root": {"player": "0"}}),
    ),
}  # fmt: skip


def seconds_of(text: str) -> float:
    """Processor time of reading; the better of two."""
    data, best = text.encode(), float("inf")
    for _ in range(2):
        began = process_time()
        with suppress(LogError):
            read_log(data)
        best = min(best, process_time() - began)
    return best


@pytest.mark.parametrize("name", LOGS)
def test_four_times_the_log_takes_no_ten_times_the_time(name: str) -> None:
    n, text_of = LOGS[name]
    assert seconds_of(text_of(4 * n)) < 10 * max(seconds_of(text_of(n)), 0.002)


def test_a_wrong_value_in_a_chain_is_named_by_its_path() -> None:
    chain = '{"plyscope":1,"root":' + '{"children":[{},' * 50 + '{"score":true}' + "]}" * 50 + "}"
    with pytest.raises(LogError) as caught:
        read_log(chain.encode())
    steps = ".children[1]" * 20
    assert caught.value.path == f"$.root{steps} … 10 levels … {steps}.score"


def test_one_player_too_many_is_said_where_it_comes() -> None:
    nodes = json.dumps([{"player": f"{n}"} for n in range(40_000)])
    with pytest.raises(LogError, match="expected one of at most 30,000 players") as caught:
        read_log(f'{{"plyscope":1,"root":{{"children":{nodes}}}}}'.encode())
    assert caught.value.path == "$.root.children[30000].player"
    names = json.dumps([str(n) for n in range(30_001)])
    with pytest.raises(LogError, match=r"\$\.players: found 30,001 players, expected at most 30,000"):
        read_log(f'{{"plyscope":1,"players":{names},"root":{{}}}}'.encode())
