"""Tests of memory: small logs that would need much of it are refused, in a process with 2 GB."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import pytest

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


def document(children: Iterable[dict[str, Any]], **header: Any) -> str:
    """A native document whose root has these children."""
    return json.dumps({"plyscope": 1, **header, "root": {"children": list(children)}})


NUMBERS = range(30_000)


def refused() -> dict[str, str]:
    """Logs of some megabytes, made where they are asked for: not while tests are collected."""
    return {
        "a name of its own on each node": document({"contributions": {f"n{n}": 1}} for n in NUMBERS),
        "long factors before short ones": document([{"factors": [1] * 10**6}] + [{"factors": [1]}] * 10_000),
        "long factors behind short ones": document([{"factors": [1]}] * 10_000 + [{"factors": [1] * 10**5}]),
        "a long list of scores on one node": document([{"scores": [1] * 10**6}] + [{"scores": [1]}] * 10_000),
        "many factors in the header": document(
            [{"factors": [1] * 30_000}] + [{}] * 30_000, factors=[f"{n}" for n in NUMBERS]
        ),
        "lines with a name each": '{"plyscope":1}\n{"id":0}\n'
        + "\n".join(json.dumps({"id": n + 1, "parent": 0, "contributions": {f"n{n}": 1}}) for n in NUMBERS),
        "a foreign tree with features and weights": json.dumps(
            {
                "weights": {"n0": 1},
                "name": "r",
                "children": [{"name": "a", "features": {f"n{n}": 1, f"m{n}": 2}} for n in NUMBERS],
            }
        ),
    }


@pytest.mark.slow
def test_small_logs_that_ask_for_much_memory_are_refused_in_words() -> None:
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
