"""Lines that are followed, in several orders: lines a processor second, beside `json.loads` of each line.

    python -m tests.benchmarks.follow_orders [nodes] [order …]

The lines are read in pieces of 256 KB, as a reader of a busy file gets them, and sealed once in the end.
`tests.benchmarks.follow` says how far a page is behind lines of these orders.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Final

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.shelf.follow import warm_up
from tests.benchmarks.live_logs import HEADER, ORDERS, as_bytes
from tests.benchmarks.timing import numbers, taken

PIECE: Final = 2**18
RATE: Final = 50_000


def pieces_of(data: bytes, size: int) -> Iterator[bytes]:
    """Whole lines of about so many bytes."""
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", min(len(data) - 1, begin + size)) + 1 or len(data)
        yield data[begin:end]
        begin = end


def measure(n_nodes: int, order: str) -> None:
    """Print what the lines of one order take."""
    data = b"".join(map(as_bytes, ORDERS[order](RATE, n_nodes / RATE)))
    n_lines = data.count(b"\n")
    log = GrowingLog()
    log.run = compiled
    log.take(HEADER)
    took = taken(lambda: [log.take(piece) for piece in pieces_of(data, PIECE)])
    sealed = taken(log.snapshot)
    loads = 5 * taken(lambda: [json.loads(line) for line in data.splitlines()[: n_lines // 5]])
    print(
        f"{order:11} {n_lines:9,} lines of {len(data) / n_lines:3.0f} bytes: "
        f"{n_lines / took:10,.0f} a second, {took / n_lines * 1e6:5.2f} µs each "
        f"(json.loads {loads / n_lines * 1e6:5.2f}); sealed at once in {sealed:.2f} s"
    )


def main(arguments: list[str]) -> None:
    """Measure what is asked."""
    warm_up._make_ready()
    sizes = numbers([each for each in arguments if each[0].isdigit()]) or [500_000]
    for order in [each for each in arguments if each in ORDERS] or ORDERS:
        measure(*sizes, order)


if __name__ == "__main__":
    main(sys.argv[1:])
