"""The page's three figures in a real browser: posting a log, opening a node, panning a full window.

Each is printed beside its budget and beside a named other way of doing the same, measured in the same run:
parsing the text in the page, loading the same view anew, and drawing at every input instead of every frame.
"""

from __future__ import annotations

import json
import socket
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.browser import ARGUMENTS, browser

RUNS = 7
PATIENCE = 180_000
"""Milliseconds: where nothing is compiled yet, what the page asks for by itself takes its time."""
N_NODES = 27_000
N_CHILDREN = 30
FACTORS = ("discs", "mobility", "frontier", "corners", "squares", "edges", "parity")

HELPERS = """
window.painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
window.idle = async () => {
    const root = document.documentElement;
    while (root.dataset.idle !== "true") await new Promise(done => {
        const watch = new MutationObserver(() => { watch.disconnect(); done(); });
        watch.observe(root, {attributeFilter: ["data-idle"]});
    });
};
window.watched = async (act, isThere, changes = {childList: true}) => {
    const tree = document.getElementById("tree");
    const begun = performance.now();
    act();
    await new Promise(done => {
        const look = () => isThere(tree) && (watch.disconnect(), done());
        const watch = new MutationObserver(look);
        watch.observe(tree, {...changes, subtree: true});
    });
    await painted();
    const spent = performance.now() - begun;
    await idle();
    return spent;
};
window.pressed = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
"""
"""`watched` times what `act` changes in the tree until the frame after it was painted."""

DROP = """async text => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "dropped.json"));
    const begun = performance.now();
    const how = {dataTransfer: carried, bubbles: true, cancelable: true};
    document.body.dispatchEvent(new DragEvent("drop", how));
    await new Promise(done => {
        const tree = document.getElementById("tree");
        const there = query => tree.querySelector(query) !== null;
        const look = () => there('[aria-label^="root,"]') && !there("[data-old]") && done();
        for (const old of tree.querySelectorAll(".node")) old.setAttribute("data-old", "");
        new MutationObserver(look).observe(tree, {childList: true, subtree: true});
    });
    await painted();
    const posted = performance.now() - begun;
    await idle();
    const parsing = performance.now();
    JSON.parse(text);
    return [posted, performance.now() - parsing];
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
    return [handled / seconds, frames / seconds, document.querySelectorAll("#tree .node").length];
}"""


def search_log(n_nodes: int) -> str:
    """A log of so many nodes as an engine writes it: about 185 bytes a node."""
    made = 0

    def visit(level: int, index: int) -> dict[str, Any]:
        nonlocal made
        made += 1
        score = (made * 7919 % 2001 - 1000) / 10
        node: dict[str, Any] = {
            **({"ply": f"{'abcdefgh'[index % 8]}{index // 8 + 1}"} if level else {}),
            "layer": "min" if level % 2 else "max",
            "score": score,
            "bound": "exact",
            "depth": 3 - level,
            "outcome": "searched" if level < 3 else "leaf",
            "alpha": score - 10,
            "beta": score + 10,
            "static": score,
            "factors": [made % 7, made % 11, made % 5, made % 3, 0, made % 2, 1],
        }
        if level < 3:
            node["children"] = []
            for child in range(N_CHILDREN):
                if made < n_nodes:
                    node["children"].append(visit(level + 1, child))
        return node

    factors = [{"name": name, "weight": i + 1.5} for i, name in enumerate(FACTORS)]
    return json.dumps({"plyscope": 1, "factors": factors, "root": visit(0, 0)})


def wait(page: Page) -> None:
    page.wait_for_selector('html[data-idle="true"]', state="attached")
    page.evaluate(HELPERS)


def show(what: str, value: float, unit: str, budget: float, other: str, other_value: float) -> None:
    print(f"{what:<46} {value:8.1f} {unit}   budget {budget:g} ({value / budget:.2f} of it)")
    print(f"    {other:<42} {other_value:8.1f} {unit}   ratio {value / other_value:.2f}")


def measure(page: Page, address: str) -> None:
    """All three figures, printed."""
    page.goto(f"{address}?testing=1")
    wait(page)
    text = search_log(N_NODES)
    print(f"a log of {N_NODES:,} nodes, {len(text) / 1e6:.1f} MB; medians of {RUNS} runs")

    posted = [page.evaluate(DROP, text + " " * run) for run in range(RUNS)]
    ours, parsed = (statistics.median(times) for times in zip(*posted, strict=True))
    show("dropped to painted", ours, "ms", 500, "JSON.parse of the same text in the page", parsed)

    log = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('log')")
    plies = page.evaluate(
        """async log => (await (await fetch(`/api/logs/${log}/nodes/0?limit=30`)).json())
            .children.items.map(node => node.id)""",
        log,
    )
    more = ".".join(f"{ply}-{N_CHILDREN}" for ply in [0, *plies])
    opened, loaded = [], []
    for ply in plies[:RUNS]:
        page.goto("about:blank")
        page.goto(f"{address}?testing=1#log={log}&node={ply}&open=0&more={more}")
        wait(page)
        opened.append(page.evaluate(OPEN))
        address_now = page.url
        page.goto("about:blank")
        page.goto(address_now)
        wait(page)
        loaded.append(page.evaluate("performance.now()"))
    show("a node opened to 30 children painted", statistics.median(opened), "ms", 50,
         "the same view loaded anew", statistics.median(loaded))  # fmt: skip

    shown = sorted(plies[:17])
    packed = ".".join(base36(b - a) for a, b in zip([0, *shown], shown, strict=False))
    page.goto("about:blank")
    page.goto(f"{address}#log={log}&node=0&open=0.{packed}&more={more}&at=20_-4000_1")
    wait(page)
    rates = [page.evaluate(PAN, {"frames": 120, "inputs": 1, "everyInput": False}) for _ in range(3)]
    rate, _, n_drawn = sorted(rates)[1]
    slow = page.evaluate(PAN, {"frames": 30, "inputs": 8, "everyInput": True})
    fast = page.evaluate(PAN, {"frames": 60, "inputs": 8, "everyInput": False})
    show(f"inputs a second while panning {n_drawn} nodes", rate, "/s", 60,
         "8 inputs a frame, drawn every frame", fast[0])  # fmt: skip
    show("8 inputs a frame, drawn every frame", fast[0], "/s", 60, "drawn at every input", slow[0])


def base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


@contextmanager
def page_of(app: Any, width: int = 1440, height: int = 900) -> Iterator[tuple[Page, str]]:
    """An empty page in a browser, and the address at which the app is served meanwhile."""
    listener = socket.create_server(("127.0.0.1", 0))
    with serving(app, listener), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=ARGUMENTS)
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        yield page, f"http://127.0.0.1:{listener.getsockname()[1]}/"
        chromium.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as kept:
        app = create_app({"DATA_FOLDER": Path(kept) / "data", "CACHE_FOLDER": Path(kept) / "cache"})
        with page_of(app) as (page, address):
            measure(page, address)


if __name__ == "__main__":
    main()
