"""Large logs in a real browser: opened from the list, walked, seen as a whole, and the page's memory then.

python -m tests.benchmarks.large_page [NODES or FILE …]

For each size a real search, as `examples/make_big.py` makes it, or a log that is there; and a wide tree of so
many rows: two hundred children of the root have a hundred children each, all others are children of the root.
Every log was opened before by another viewer. Beside the figures stand those of a search of 27,000 nodes, in
the same page; p95 is of all runs, the first one too.

A node is opened, and a page of children shown, by a key. Measured is from the key's event to the end of the
frame that shows the cards: its styles, places and painting are done, the copy to the screen is not. Each is
measured twice: where somebody rested at the node, so that the page has asked for what it would need and made
its cards; and asked for at the key. Where somebody rested, the node is opened to all of its hundred children;
else to as many as have room. Last a window full of nodes is panned, beside drawing at every input.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from playwright.sync_api import Page

import plyscope
from plyscope.visualizer.store import words
from plyscope.visualizer.web.app import create_app
from tests import compact_logs as compact
from tests.benchmarks.in_browser import page_of, wait

SMALL: Final = 27_000
N_INNER, N_CHILDREN = 200, 100
NEXT_INNER: Final = ".2t"
"""In a link: 101 rows, the distance of two inner nodes, in digits up to z."""
N_PANNED: Final = 17
RUNS: Final = 20
GOALS: Final = {"expand 100 children": 25, "a page of the fan-out": 25, "overview": 100}

CLICK = """name => {
    const called = [...document.querySelectorAll(".log-name")].find(each => each.textContent === name);
    return anotherTree(() => called.closest("button").click());
}"""

OPEN = """() => watched(
    () => pressed("ArrowRight"),
    tree => tree.querySelector('[aria-selected="true"]').getAttribute("aria-expanded") === "true",
    {attributeFilter: ["aria-expanded"]},
)"""

PAN = """async ({frames, inputs, everyInput}) => {
    const canvas = document.querySelector("#tree svg");
    const world = document.querySelector("#tree .world");
    const say = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind,
        {pointerId: 1, pointerType: "pen", clientX: x, clientY: y, bubbles: true, button: 0}));
    canvas.setPointerCapture = () => {};
    say("pointerdown", 600, 400);
    let handled = 0;
    const begun = performance.now();
    for (let frame = 0; frame < frames; frame += 1) {
        for (let input = 0; input < inputs; input += 1) {
            say("pointermove", 600 + 40 * Math.sin(frame / 9 + input / 90), 400 + 3 * (frame % 40));
            handled += 1;
            if (everyInput) {
                world.setAttribute("transform", `translate(${frame} ${input}) scale(1)`);
                document.querySelector("#tree .node:last-child").getBoundingClientRect();
                document.querySelectorAll("#tree .node-name").forEach(text => text.getComputedTextLength());
            }
        }
        await new Promise(requestAnimationFrame);
    }
    const seconds = (performance.now() - begun) / 1000;
    say("pointerup", 600, 400);
    await idle();
    return [handled / seconds, document.querySelectorAll("#tree .node").length];
}"""

MORE = """() => {
    const count = () => document.querySelectorAll("#tree .node").length;
    const before = count();
    return watched(() => pressed("m"), () => count() !== before);
}"""

OVERVIEW = """async () => {
    const begun = performance.now();
    pressed("v");
    const place = () => document.querySelector("#overview .icicle");
    while (!place()) await new Promise(requestAnimationFrame);
    await painted();
    const spent = performance.now() - begun;
    await idle();
    pressed("v");
    await idle();
    return spent;
}"""


def wide(n_rows: int) -> bytes:
    """The wide tree, in pre-order, as a compact log."""
    kinds = [("parent", "<u4"), ("ply", "<u4"), ("score", "<f8"), ("layer", "u1")]
    rows = np.zeros(n_rows, dtype=kinds)
    rows["layer"] = words.MIN
    for inner in range(1, 1 + N_INNER * (N_CHILDREN + 1), N_CHILDREN + 1):
        rows["parent"][inner + 1 : inner + 1 + N_CHILDREN] = inner
    rows["layer"][rows["parent"] > 0] = words.MAX
    n_of_root = n_rows - 1 - N_INNER * N_CHILDREN
    rows["ply"], rows["score"] = np.arange(n_rows) % 1000, np.arange(n_rows) * 7919 % n_of_root / 10
    of_root = rows["layer"] == words.MIN
    rows[0] = 2**32 - 1, 2**32 - 1, rows["score"][of_root].max(), words.MAX
    fields = [*compact.CORE, ["layer", "word"]]
    return compact.tree_of(rows, fields, *[f"p{number}" for number in range(1000)])


def make(asked: str, folder: Path) -> Path:
    """The log that was asked for, by its nodes or as a file."""
    if Path(asked).is_file():
        return Path(asked)
    path = folder / f"{asked}.plyb"
    plyscope.search(
        "reversi", depth=40, nodes=int(asked), algorithm="pvs", iterative=True, table=64, killers=True, lmr=1
    ).write(path)
    return path


def read_once(app: Any) -> dict[str, str]:
    """Have a viewer convert all its logs; the id of each by its name."""
    client = app.test_client()
    ids = {log["name"]: log["id"] for log in client.get("/api/logs").get_json()["logs"]}
    for name, log in ids.items():
        state = client.post(f"/api/logs/{log}/reading?wait=20").get_json()
        while state["state"] == "reading":
            state = client.get(f"/api/logs/{log}/summary?wait=20").get_json()
        assert state["state"] == "ready", (name, state)
    return ids


def heap_mb(page: Page) -> float:
    """Megabytes that the page's JavaScript holds once everything is collected."""
    client = page.context.new_cdp_session(page)
    client.send("HeapProfiler.collectGarbage")
    used = client.send("Runtime.getHeapUsage")["usedSize"]
    client.detach()
    return float(used) / 1e6


def walk(page: Page) -> None:
    """Go about as a person does: down lines, along siblings, opening, folding, back."""
    for key in ("p", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "Home", "Enter", "e", "Enter") * 8:
        page.keyboard.press(key)
        page.wait_for_selector('html[data-idle="true"]', state="attached")


def show(what: str, times: list[float], goal: str) -> None:
    numbers = (
        ("median", float(np.median(times))),
        ("p95", float(np.percentile(times, 95))),
        ("slowest", max(times)),
    )
    said = "".join(f"{word} {number:7.1f} ms   " for word, number in numbers)
    print(f"    {what:<24} {said}{goal}", flush=True)


def measure(page: Page, address: str, small: str, name: str, wide_id: str) -> None:
    page.goto(f"{address}?testing=1")
    wait(page)
    page.evaluate(CLICK, small)
    clicks: dict[str, list[float]] = {name: [], small: []}
    for _ in range(RUNS // 2):
        for each, times in clicks.items():
            times.append(page.evaluate(CLICK, each))
    ratio = np.median(clicks[name]) / np.median(clicks[small])
    show(f"click to painted, {SMALL:,}", clicks[small], "")
    show(
        "click to painted",
        clicks[name],
        f"goal 300 ms and 1.5 x; {ratio:.2f} x, first {clicks[name][0]:.0f} ms",
    )
    page.evaluate(CLICK, name)
    seen = [page.evaluate(OVERVIEW) for _ in range(RUNS)]
    show("overview", seen, f"goal {GOALS['overview']} ms; first {seen[0]:.0f} ms")
    walk(page)
    print(f"    heap after walking       {heap_mb(page):.1f} MB   goal 10 MB", flush=True)
    inner = [1 + at * (N_CHILDREN + 1) for at in range(RUNS)]
    goal = f"goal {GOALS['expand 100 children']} ms"

    def come(link: str, testing: str = "1") -> None:
        """Load the page anew at a link, and wait until it rests; with `ahead` it makes ready too."""
        page.goto("about:blank")
        page.goto(f"{address}?testing={testing}#log={wide_id}&{link}")
        wait(page)

    there, asked, paged, paged_asked = [], [], [], []
    for place, node in enumerate(inner, 1):
        come(f"node={node}&open=0&more=0-20.{node}-{N_CHILDREN}", "ahead")
        there.append(page.evaluate(OPEN))
        come("node=0&open=0&order=searched")
        page.evaluate("async place => { while (place--) pressed('ArrowDown'); await idle(); }", place)
        asked.append(page.evaluate(OPEN))
    show("expand 100 children", there, goal)
    show("  asked for at the key", asked, "")
    for _ in range(RUNS):
        come("node=0&open=0", "ahead")
        paged.append(page.evaluate(MORE))
        come("node=0&open=0")
        paged_asked.append(page.evaluate(MORE))
    show("a page of the fan-out", paged, f"goal {GOALS['a page of the fan-out']} ms")
    show("  asked for at the key", paged_asked, "")
    print(f"    heap after all that      {heap_mb(page):.1f} MB   goal 10 MB", flush=True)
    opened = "".join(f".{1 + at * (N_CHILDREN + 1)}-{N_CHILDREN}" for at in range(N_PANNED))
    come(f"node=0&order=searched&open=0.1{NEXT_INNER * (N_PANNED - 1)}&more=0-20{opened}&at=20_-4000_1", "0")
    pan(page)


def pan(page: Page) -> None:
    """Drag a window full of nodes, as it is drawn, and beside it drawn at every input."""
    for what, frames, inputs, every in (
        ("panning", 120, 1, False),
        ("  8 inputs a frame", 60, 8, False),
        ("  drawn at every input", 30, 8, True),
    ):
        asked = {"frames": frames, "inputs": inputs, "everyInput": every}
        rate, n_drawn = sorted(page.evaluate(PAN, asked) for _ in range(3))[1]
        goal = "   goal 60" if what == "panning" else ""
        print(f"    {what:<24} {rate:7.1f} inputs a second of {n_drawn} nodes{goal}", flush=True)


def main(asked: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="plyscope-bench-") as temporary:
        folder = Path(temporary)
        kept = {"DATA_FOLDER": folder / "data", "CACHE_FOLDER": folder / "cache"}
        small = make(str(SMALL), folder)
        for each in asked:
            begun = time.perf_counter()
            path = make(each, folder)
            n_rows = len(plyscope.open(path))
            wide_path = folder / f"wide {n_rows}.plyb"
            wide_path.write_bytes(wide(n_rows))
            print(f"{n_rows:,} rows and a wide tree made in {time.perf_counter() - begun:.1f} s", flush=True)
            logs = [small, path, wide_path]
            begun = time.perf_counter()
            ids = read_once(create_app({"LOGS": logs, **kept}))
            print(f"{path.name}: all logs read in {time.perf_counter() - begun:.1f} s", flush=True)
            with page_of(folder, LOGS=logs) as (page, address):
                measure(page, address, small.name, path.name, ids[wide_path.name])


if __name__ == "__main__":
    main(sys.argv[1:] or ["1000000", "10000000"])
