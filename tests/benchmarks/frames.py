"""Gaps between frames in a real browser: arrow keys and a weight's slider, twenty changes a second.

python -m tests.benchmarks.frames [LOG]

*Arrow keys* walk along siblings and down the tree, with the details open and closed; *a weight* is dragged
with its panel and the evidence open. A change leaves a gap where two frames after it, up to the next change,
follow one another later than so many milliseconds. In the same run stand the gaps of a page at which nothing
is pressed. On a machine that has other things to do the gaps are its own; the last figure is not: what the
longest task of the page took of a processor.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.benchmarks.in_browser import page_of, wait

CHANGES = 40
BUDGET = 50
"""Milliseconds between two frames: no change may leave a longer gap."""

PACED = """async ({changes, act}) => {
    const worst = [];
    let last = performance.now(), going = true, gap = 0;
    const look = () => {
        const now = performance.now();
        gap = Math.max(gap, now - last);
        last = now;
        if (going) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    const step = new Function("at", act);
    const begun = performance.now();
    for (let at = 0; at < changes; at += 1) {
        await new Promise(done => setTimeout(done, Math.max(0, begun + 50 * at - performance.now())));
        if (at > 0) worst.push(gap);
        gap = 0;
        step(at);
    }
    await new Promise(done => setTimeout(done, 1000));
    worst.push(gap);
    going = false;
    await idle();
    return worst;
}"""

KEYS = """const keys = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown",
    "ArrowDown", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowUp", "ArrowUp"];
    pressed(keys[at % keys.length]);"""

DRAG = """const slider = document.querySelector("#weights-panel input[type=range]");
    const [low, high] = [Number(slider.min), Number(slider.max)];
    slider.value = low + (high - low) * (0.2 + 0.6 * Math.abs(Math.sin(at / 9)));
    slider.dispatchEvent(new Event("input", {bubbles: true}));"""


def show(what: str, gaps: list[float], longest: float) -> None:
    over = [sum(gap > limit for gap in gaps) for limit in (BUDGET, 100)]
    print(
        f"  {what:28} {over[0]:3} of {len(gaps)} over {BUDGET} ms   {over[1]:3} over 100   "
        f"worst {max(gaps):5.0f} ms   of a processor {longest:5.1f} ms",
        flush=True,
    )


def traced(page: Page, act: str) -> tuple[list[float], float]:
    """The gap after each change, and milliseconds of a processor that the page's longest task took."""
    client = page.context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    client.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    client.send("Tracing.start", {"categories": "devtools.timeline,toplevel", "transferMode": "ReportEvents"})
    gaps: list[float] = page.evaluate(PACED, {"changes": CHANGES, "act": act})
    ended: list[Any] = []
    client.on("Tracing.tracingComplete", lambda told: ended.append(told))
    client.send("Tracing.end")
    while not ended:
        wait(page)  # what the browser tells is heard meanwhile
    client.detach()
    threads = Counter((each["pid"], each["tid"]) for each in events if each["name"] == "FunctionCall")
    [(main_thread, _)] = threads.most_common(1)
    tasks = (each for each in events if (each["pid"], each["tid"]) == main_thread)
    return gaps, max(each.get("tdur", 0) for each in tasks) / 1000


def measure(page: Page, address: str) -> None:
    for what, keys, act in (
        ("nothing pressed", [], ""),
        ("arrow keys, details closed", ["]"], KEYS),
        ("arrow keys, details open", [], KEYS),
        ("dragging a weight", ["g"], DRAG),
    ):
        page.goto("about:blank")
        page.goto(address)
        wait(page)
        for key in keys:
            page.keyboard.press(key)
            wait(page)
        page.evaluate(PACED, {"changes": CHANGES, "act": act})
        show(what, *traced(page, act))


def main(log: str) -> None:
    with (
        tempfile.TemporaryDirectory() as kept,
        page_of(Path(kept), 1280, 800, LOGS=(Path(log),)) as (page, address),
    ):
        print(f"{Path(log).name}, {CHANGES} changes, one each 50 ms", flush=True)
        measure(page, address)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["examples/hive-midgame.json.gz"]))
