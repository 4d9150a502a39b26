"""Times of the page's requests on trees of any shape (a million children, a chain …), and of a check.

python -m tests.benchmarks.large_trees [NODES …]

Each request goes through the whole server in this process, but for the socket. Beside each figure its ratio
to the same request on a search of 27,000 nodes, measured in the same run. `opened again` is by another
viewer: the log was converted before, so nothing but its columns is read. `check` runs once, in a process of
its own that is begun for it; the rest is asked again and again.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plyscope.engine.games import reversi
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.web.app import create_app

RUNS = 9
SMALL = 27_000
WIDE = 1_000_000
LEVELS = 100_000
PAGE = 100

Ask = Callable[..., Any]


def wide() -> Iterator[dict[str, Any]]:
    """A root with a million children; each tenth of the first thousand has children of its own."""
    yield {"id": 0, "layer": "max", "score": WIDE - 1}
    number = WIDE
    for child in range(1, WIDE + 1):
        score = child * 7919 % WIDE
        yield {"id": child, "parent": 0, "layer": "min", "ply": f"p{child}", "score": score,
               "pre_score": child * 31 % WIDE, "depth": 1}  # fmt: skip
        if child <= 1000 and child % 10 == 0:
            for _ in range(100):
                number += 1
                yield {"id": number, "parent": child, "ply": f"r{number % 100}", "score": score, "depth": 0}


def chain() -> Iterator[dict[str, Any]]:
    """A hundred thousand levels, each node with one more child that ends there."""
    yield {"id": 0, "layer": "max", "score": 5}
    above, number = 0, 0
    for level in range(1, LEVELS + 1):
        layer = "min" if level % 2 else "max"
        yield {"id": number + 1, "parent": above, "layer": layer, "ply": f"a{level % 97}", "score": 5,
               "depth": LEVELS - level}  # fmt: skip
        yield {"id": number + 2, "parent": above, "layer": layer, "ply": "b", "score": -5 if level % 2 else 9}
        above, number = number + 1, number + 2


def write_lines(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


def write_search(path: Path, n_nodes: int) -> None:
    options = SearchOptions(
        depth=24, algorithm="pvs", iterative=True, table=64.0, killers=True, nodes=n_nodes
    )
    write_log_file(log_from_recording(search(reversi.GAME, options=options)), path)


def ask_of(path: Path, kept: Path) -> tuple[Ask, str]:
    """Ask another viewer's server about this log; how, and the address of the log."""
    app = create_app({"LOGS": [path], "DATA_FOLDER": kept / "data", "CACHE_FOLDER": kept / "cache"})
    client = app.test_client()

    def ask(address: str, how: str = "GET") -> Any:
        answer = client.open(address, method=how)
        assert answer.status_code in (200, 202), (address, answer.status_code, answer.get_data(as_text=True))
        return answer.get_json()

    return ask, f"/api/logs/{ask('/api/logs')['logs'][0]['id']}"


def opened(path: Path, kept: Path) -> tuple[Ask, str, float]:
    """A viewer that has opened the log, and the seconds that took."""
    ask, log = ask_of(path, kept)
    begun = time.perf_counter()
    state = ask(f"{log}/reading?wait=20", "POST")
    while state["state"] == "reading":
        state = ask(f"{log}/summary?wait=20")
    ask(log)
    return ask, log, time.perf_counter() - begun


def requests(ask: Ask, log: str) -> dict[str, str]:
    """The addresses that the page asks for, by what a person does."""
    answer = ask(log)
    root = answer["root"]
    # the node with the most children of the first two levels, and the deepest of the principal variation
    children = ask(f"{log}/nodes/{root}?limit={PAGE}")["children"]
    n_children = children["total"]
    first = next((each["id"] for each in children["items"] if each["n_children"]), root)
    deep = answer["pv"][-1] if answer["pv"] else first
    last = ask(f"{log}/nodes/{root}?limit=1&offset={n_children - 1}")["children"]["items"][0]["id"]
    return {
        "the root, 100 children": f"{log}/nodes/{root}?limit={PAGE}",
        "with the best 12": f"{log}/nodes/{root}?limit={PAGE}&best=12",
        "a page at the end": f"{log}/nodes/{root}?limit={PAGE}&offset={max(0, n_children - PAGE)}",
        "order by score": f"{log}/nodes/{root}?limit={PAGE}&order=best",
        "order by pre_score": f"{log}/nodes/{root}?limit={PAGE}&order=pre_score",
        "a page, best first": f"{log}/nodes/{root}?limit={PAGE}&offset={n_children // 2}&order=best",
        "expand another node": f"{log}/nodes/{first}?limit={PAGE}&best=12",
        "details of the last child": f"{log}/nodes/{last}/details",
        "details at the end of the pv": f"{log}/nodes/{deep}/details",
        "its path": f"{log}/nodes/{deep}/path",
        "find a ply": f"{log}/search?q={children['items'][-1].get('ply', 'a1')}",
        "find a node by id": f"{log}/search?q=%23{last}",
        "query by a score": f"{log}/query?q=score%20%3E%205&limit=50",
        "explain": f"{log}/explain?node={children['items'][0]['id']}",
        "overview": f"{log}/overview",
        "picture": f"{log}/picture.svg?node={root}",
        "replay at the end": f"{log}/replay?at=1000000000",
        "fold: part of the tree": f"{log}/nodes/{root}/subtree?levels=1",
    }


def measured(ask: Ask, address: str) -> tuple[float, float]:
    """Milliseconds of the first time, and the median of those after it."""
    times = []
    for run in range(RUNS):
        begun = time.perf_counter()
        ask(address)
        times.append(1e3 * (time.perf_counter() - begun))
        if run == 2 and times[-1] > 3000:
            break
    return times[0], statistics.median(times[1:])


def checked(ask: Ask, log: str) -> float:
    """Milliseconds until the rules have answered."""
    begun = time.perf_counter()
    state = ask(f"{log}/check", "POST")
    while state["state"] not in ("done", "failed"):
        state = ask(f"{log}/check?wait=20")
    assert state["state"] == "done", state
    return 1e3 * (time.perf_counter() - begun)


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory(prefix="plyscope-bench-") as folder:
        kept = Path(folder)
        makes: dict[str, Callable[[Path], None]] = {
            f"{SMALL:,} nodes": lambda path: write_search(path, SMALL),
            f"{WIDE:,} children": lambda path: write_lines(path, wide()),
            f"{LEVELS:,} levels": lambda path: write_lines(path, chain()),
        }
        for size in sizes:
            makes[f"{size:,} nodes"] = lambda path, size=size: write_search(path, size)  # type: ignore[misc]
        small: dict[str, tuple[float, float]] = {}
        for name, make in makes.items():
            path = kept / f"{name}.jsonl"
            make(path)
            *_, read = opened(path, kept)
            print(f"{name}: {path.stat().st_size / 1e6:.0f} MB, read in {read:.1f} s", flush=True)

            def line(what: str, first: float, then: float) -> None:
                small.setdefault(what, (first, then))
                print(f"    {what:30} first {first:9.1f} ms ({first / small[what][0]:6.1f} x)"
                      f"   then {then:8.1f} ms ({then / small[what][1]:6.1f} x)", flush=True)  # fmt: skip

            again = [1e3 * opened(path, kept)[2] for _ in range(RUNS)]
            line("opened again", again[0], statistics.median(again[1:]))
            ask, log, _ = opened(path, kept)
            for what, address in requests(ask, log).items():
                try:
                    line(what, *measured(ask, address))
                except AssertionError as error:
                    print(f"    {what:30} {error}"[:200])
            once = checked(ask, log)
            line("check", once, once)
            path.unlink()


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1_000_000, 10_000_000])
