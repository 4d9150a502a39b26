"""What reading costs: time in proportion to the log; small logs that would need much memory are refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import process_time
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError


def document(children: Iterable[dict[str, Any]], **header: Any) -> str:
    """A native document whose root has these children."""
    return json.dumps({"plyscope": 1, **header, "root": {"children": list(children)}})


LOGS: dict[str, tuple[int, Callable[[int], str]]] = {
    "a wrong value at the end of a chain": (
        10_000,
        lambda n: '{"plyscope":1,"root":' + '{"children":[' * n + '{"score":true}' + "]}" * n + "}",
    ),
    "a player of its own on each node": (5_000, lambda n: document({"player": f"{i}"} for i in range(n))),
    "many players in the header": (
        5_000,
        lambda n: document([{"player": "0"}], players=[f"{i}" for i in range(n)]),
    ),
}


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


READ = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.errors import LogError
texts = [text.encode() for text in json.load(sys.stdin)]
for large in (1 << 60, 0):
    detect.LARGE_BYTES = large
    for text in texts:
        try:
            print(json.dumps(detect.read_log(text).n_rows))
        except LogError as error:
            print(json.dumps(str(error)))
        except MemoryError:
            print(json.dumps("all the memory"))
"""
NUMBERS = range(30_000)


def refused() -> dict[str, str]:
    """Logs of some megabytes, made where they are asked for: not while tests are collected."""
    lines = (json.dumps({"id": n + 1, "parent": 0, "contributions": {f"n{n}": 1}}) for n in NUMBERS)
    theirs = [{"name": "a", "features": {f"n{n}": 1, f"m{n}": 2}} for n in NUMBERS]
    return {
        "a name of its own on each node": document({"contributions": {f"n{n}": 1}} for n in NUMBERS),
        "long factors before short ones": document([{"factors": [1] * 10**6}] + [{"factors": [1]}] * 10_000),
        "long factors behind short ones": document([{"factors": [1]}] * 10_000 + [{"factors": [1] * 10**5}]),
        "a long list of scores on one node": document([{"scores": [1] * 10**6}] + [{"scores": [1]}] * 10_000),
        "many factors in the header": document(
            [{"factors": [1] * 30_000}] + [{}] * 30_000, factors=[f"{n}" for n in NUMBERS]
        ),
        "lines with a name each": "\n".join(['{"plyscope":1}', '{"id":0}', *lines]),
        "a foreign tree with features and weights": json.dumps(
            {"weights": {"n0": 1}, "name": "r", "children": theirs}
        ),
    }


@pytest.mark.slow
def test_small_logs_that_ask_for_much_memory_are_refused_in_words() -> None:
    """In a process with 2 GB, as small and as large ones are read."""
    asked, wide_but_read = refused(), document([{"factors": [1] * 1000}] * 5 + [{}] * 9000)
    run = subprocess.run(
        [sys.executable, "-c", READ],
        input=json.dumps([*asked.values(), wide_but_read]),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    by_rows, by_columns = answers[: len(asked) + 1], answers[len(asked) + 1 :]
    for of_a_road in (by_rows, by_columns):
        assert of_a_road.pop() == 9006
        for name, answer in zip(asked, of_a_road, strict=True):
            assert "are a table of" in str(answer), (name, answer)
