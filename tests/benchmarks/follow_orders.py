"""Lines that are followed, in several orders: lines per processor second, and how far a snapshot is behind.

    python -m tests.benchmarks.follow_orders [nodes]                        lines per processor second
    python -m tests.benchmarks.follow_orders behind [nodes a second] [seconds] [order …]

The first reads the lines in pieces of 256 KB, as a reader of a busy file gets them, and seals once in the
end; beside it stands `json.loads` of each line. The second appends lines to a file in time, while it is
followed as for a page.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.shelf.follow import warm_up
from plyscope.visualizer.shelf.follow.followed_log import FollowedLog
from tests.benchmarks.follow import Entered, Left, steps

PIECE: Final = 2**18
BUFFER: Final = 2**16
WINDOW: Final = 5_000
"""Lines among which those of the order `shuffled` are drawn, as threads of a search mix them."""


def entered(each: Entered, more: str = "", prefix: str = "") -> str:
    """The line of a node as it is entered."""
    parent = "" if each.parent is None else f', "parent": {_id(each.parent, prefix)}, "ply": "p{each.ply}"'
    return (
        f'{{"id": {_id(each.node, prefix)}{parent}, "depth": {each.depth}, "alpha": {each.alpha:.2f}, '
        f'"beta": {each.beta:.2f}, "player": "{"wb"[each.depth % 2]}"{more}}}'
    )


def left(each: Left, prefix: str = "") -> str:
    """The line of a node as it is left."""
    return (
        f'{{"id": {_id(each.node, prefix)}, "score": {each.score:.2f}, '
        '"outcome": "searched", "bound": "exact"}'
    )


def _id(node: int, prefix: str) -> str:
    return f'"{prefix}{node}"' if prefix else str(node)


def two_lines(rate: int, seconds: float, prefix: str = "") -> Iterator[list[str]]:
    """A line as a node is entered and one as it is left, as our loggers write."""
    for done in steps(rate, seconds):
        yield [left(each, prefix) if isinstance(each, Left) else entered(each, "", prefix) for each in done]


def text_ids(rate: int, seconds: float) -> Iterator[list[str]]:
    """The same with texts for ids."""
    return two_lines(rate, seconds, "n")


def rich(rate: int, seconds: float) -> Iterator[list[str]]:
    """The same with lists, objects, a key and fields of the engine's own."""
    for done in steps(rate, seconds):
        lines = []
        for each in done:
            if isinstance(each, Left):
                lines.append(left(each))
                continue
            key = each.node * 2654435761 % 2**64
            more = (
                f', "key": "{key:016x}", "factors": [{each.ply}, {each.depth}.5, 3]'
                f', "contributions": {{"mobility": {each.depth}, "corners": -{each.ply}}}'
                f', "tt": {{"use": "order"}}, "hash_full": {each.ply}, "note": "x{each.depth}"'
            )
            lines.append(entered(each, more))
        yield lines


def _whole(rate: int, seconds: float, *, on_exit: bool) -> Iterator[list[str]]:
    """A line a node with all that is known of it, as it is entered or as it is left."""
    open_nodes: dict[int, Entered] = {}
    for done in steps(rate, seconds):
        lines = []
        for each in done:
            if isinstance(each, Left):
                if on_exit:
                    more = f', "score": {each.score:.2f}, "outcome": "searched", "bound": "exact"'
                    lines.append(entered(open_nodes.pop(each.node), more))
            elif on_exit:
                open_nodes[each.node] = each
            else:
                lines.append(entered(each, f', "score": {each.alpha:.2f}, "outcome": "searched"'))
        yield lines
    yield [entered(each) for each in reversed([*open_nodes.values()])]


def one_line(rate: int, seconds: float) -> Iterator[list[str]]:
    """A line a node, in pre-order."""
    return _whole(rate, seconds, on_exit=False)


def post_order(rate: int, seconds: float) -> Iterator[list[str]]:
    """A line a node as it is left: its parent comes later."""
    return _whole(rate, seconds, on_exit=True)


def shuffled(rate: int, seconds: float) -> Iterator[list[str]]:
    """A line a node, mixed with the lines near it: parents come before or after, numbers in no order."""
    drawn, waiting = random.Random(2), list[str]()
    for lines in one_line(rate, seconds):
        waiting += lines
        if len(waiting) >= WINDOW:
            drawn.shuffle(waiting)
            yield waiting
            waiting = []
    yield waiting


ORDERS: Final = {
    "two_lines": two_lines,
    "one_line": one_line,
    "post_order": post_order,
    "shuffled": shuffled,
    "text_ids": text_ids,
    "rich": rich,
}
HEADER: Final = b'{"plyscope": 1, "game": "drawn", "search": {"depth": 8, "perspective": "mover"}}\n'


def as_bytes(lines: list[str]) -> bytes:
    """Lines with their ends."""
    return "".join(f"{line}\n" for line in lines).encode()


def pieces_of(data: bytes, size: int) -> Iterator[bytes]:
    """Whole lines of about so many bytes."""
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", min(len(data) - 1, begin + size)) + 1 or len(data)
        yield data[begin:end]
        begin = end


def measure_taking(n_nodes: int, orders: list[str]) -> None:
    """Print lines per processor second of `GrowingLog.take`, by order."""
    for order in orders:
        data = b"".join(map(as_bytes, ORDERS[order](50_000, n_nodes / 50_000)))
        n_lines = data.count(b"\n")
        log = GrowingLog()
        log.run = compiled
        log.take(HEADER)
        began = time.process_time()
        for piece in pieces_of(data, PIECE):
            log.take(piece)
        took = time.process_time() - began
        began = time.process_time()
        tree = log.snapshot()
        sealed = time.process_time() - began
        assert tree is not None
        began = time.process_time()
        for line in data.splitlines()[: n_lines // 5]:
            json.loads(line)
        loads = 5 * (time.process_time() - began)
        print(
            f"{order:11} {n_lines:9,} lines of {len(data) / n_lines:3.0f} bytes: "
            f"{n_lines / took:10,.0f} a second, {took / n_lines * 1e6:5.2f} µs each "
            f"(json.loads {loads / n_lines * 1e6:5.2f}); sealed at once in {sealed:.2f} s"
        )


def measure_behind(rate: int, seconds: float, order: str) -> None:
    """Print how far snapshots are behind, where lines of one order are written to a file at a rate."""
    written = [as_bytes(lines) for lines in ORDERS[order](rate, seconds)]
    n_bytes = sum(map(len, written))
    # As small as the buffer of a stream is that an engine writes to.
    pieces = [piece for lines in written for piece in pieces_of(lines, BUFFER)]
    n_lines = np.cumsum([piece.count(b"\n") for piece in pieces])
    n_nodes = int(rate * seconds)
    times = np.zeros(len(pieces))
    asked: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        path.write_bytes(HEADER)
        log = FollowedLog(
            path,
            "file",
            path.name,
            install=lambda tree: None,
            finish=lambda tree: "",
            fail=lambda error: print(error),
            restart=lambda: None,
        )
        is_over = threading.Event()

        def ask() -> None:
            while not is_over.wait(0.1):
                asked.append((time.monotonic(), log.status()["shown"]))

        asking = threading.Thread(target=ask, daemon=True)
        processor, began = time.process_time(), time.monotonic()
        log.start()
        asking.start()
        with path.open("ab", buffering=0) as file:
            for at, piece in enumerate(pieces):
                due = began + seconds * n_lines[at] / n_lines[-1]
                if (early := due - time.monotonic()) > 0.001:
                    time.sleep(early)
                file.write(piece)
                times[at] = time.monotonic()
        is_over.set()
        asking.join()
        log.stop()
    processor = time.process_time() - processor
    of = np.array(asked)
    of = of[of[:, 0] > began + 1]
    nodes_written = n_lines * n_nodes / n_lines[-1]
    last = np.searchsorted(nodes_written, of[:, 1], side="right").clip(0, len(times) - 1)
    behind = np.maximum(0.0, of[:, 0] - times[last])
    p50, p95 = np.percentile(behind, (50, 95))
    print(
        f"{order:11} {int(n_lines[-1]):9,} lines, {n_bytes / 1e6:.0f} MB, in {times[-1] - began:.1f} s: "
        f"behind by p50 {p50:.2f} s, p95 {p95:.2f} s, at most {behind.max():.2f} s; "
        f"{len(np.unique(of[:, 1]))} snapshots; processor {processor:.1f} s; load {os.getloadavg()[0]:.1f}"
    )


def main(arguments: list[str]) -> None:
    """Measure what is asked."""
    warm_up._make_ready()
    orders = [each for each in arguments if each in ORDERS] or [*ORDERS]
    numbers: list[Any] = [int(each) for each in arguments if each.isdigit()]
    if arguments[:1] == ["behind"]:
        rate, seconds = (*numbers, *(100_000, 30)[len(numbers) :])
        for order in orders:
            measure_behind(rate, seconds, order)
    else:
        for order in orders:
            measure_taking(*(numbers or [500_000]), [order])


if __name__ == "__main__":
    main(sys.argv[1:])
