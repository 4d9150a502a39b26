"""From a dropped file to a painted tree, in the InfoVis form and ours, against d3 in the same Chromium.

python -m tests.benchmarks.drop [NODES …]

d3-hierarchy comes from npm into a scratch folder; its page reads the same file (`File.text()`), parses it,
makes a hierarchy of it and paints the root with its children. Each file is new to the server, whose machine
code is on disk. A file is over the page for a second before it is dropped, as it is where a person drags it.
Medians of some runs.
"""

from __future__ import annotations

import http.server
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.benchmarks.page import HELPERS, PATIENCE
from tests.benchmarks.road_forms import write
from tests.browser import ARGUMENTS, browser

FORMS = ("infovis.json", "ours.json", "ours, unknown.json")
N_NODES = (27_000, 1_000_000)

SECONDS_TO_DRAG = 1.0

DRAG = """() => {
    const carried = new DataTransfer();
    carried.items.add(document.getElementById("bench-file").files[0]);
    const how = {dataTransfer: carried, bubbles: true, cancelable: true};
    document.body.dispatchEvent(new DragEvent("dragenter", how));
}"""

DROP = """async () => {
    const file = document.getElementById("bench-file").files[0];
    const carried = new DataTransfer();
    carried.items.add(file);
    for (const old of document.querySelectorAll("#tree .node")) old.setAttribute("data-old", "");
    const begun = performance.now();
    const how = {dataTransfer: carried, bubbles: true, cancelable: true};
    document.body.dispatchEvent(new DragEvent("drop", how));
    await new Promise(done => {
        const tree = document.getElementById("tree");
        const there = query => tree.querySelector(query) !== null;
        const look = () => there('[aria-level="1"]') && !there("[data-old]") && done();
        new MutationObserver(look).observe(tree, {childList: true, subtree: true});
    });
    await painted();
    const spent = performance.now() - begun;
    await idle();
    return spent;
}"""

INPUT = """() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "bench-file";
    input.hidden = true;
    document.body.append(input);
}"""

D3_PAGE = """<!doctype html><input type="file" id="bench-file"><svg width="1200" height="800"></svg>
<script src="d3-hierarchy.min.js"></script><script>
window.run = async () => {
    const file = document.getElementById("bench-file").files[0];
    const begun = performance.now();
    let root = JSON.parse(await file.text());
    root = d3.hierarchy(root.root ?? root);
    const svg = document.querySelector("svg");
    svg.replaceChildren();
    for (const [at, node] of [root, ...(root.children ?? [])].entries()) {
        const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        text.setAttribute("y", String(20 + 20 * at));
        text.textContent = `${node.data.name ?? node.data.ply} ${node.height}`;
        svg.append(text);
    }
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - begun;
};
</script>"""


def main(sizes: tuple[int, ...] = N_NODES) -> None:
    """Print each form's time, d3's, and their ratio."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        d3_server = serve_d3(folder / "d3")
        listener = socket.create_server(("127.0.0.1", 0))
        app = create_app({"DATA_FOLDER": folder / "data", "CACHE_FOLDER": folder / "cache"})
        with serving(app, listener), sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser(), args=ARGUMENTS)
            ours, theirs = (chromium.new_page(viewport={"width": 1440, "height": 900}) for _ in range(2))
            for page in (ours, theirs):
                page.set_default_timeout(PATIENCE)
            ours.goto(f"http://127.0.0.1:{listener.getsockname()[1]}/")
            ours.wait_for_selector('html[data-idle="true"]', state="attached")
            ours.evaluate(HELPERS)
            ours.evaluate(INPUT)
            theirs.goto(f"http://127.0.0.1:{d3_server.server_port}/")
            for n_nodes in sizes:
                for form in FORMS:
                    measure(ours, theirs, folder / form, n_nodes, n_runs=7 if n_nodes < 100_000 else 3)
            chromium.close()
        d3_server.shutdown()


def measure(ours: Page, theirs: Page, path: Path, n_nodes: int, n_runs: int) -> None:
    """Drop new files of one form on both pages in turn, and print the medians."""
    write(path, n_nodes)
    spent: tuple[list[float], list[float]] = ([], [])
    for run in range(n_runs + 1):
        with path.open("a", encoding="utf-8") as file:
            file.write(" \n"[run % 2])  # a new log to the server
        for page, script, kept in zip((ours, theirs), (DROP, "run()"), spent, strict=True):
            page.set_input_files("#bench-file", path)
            page.evaluate(DRAG)
            page.wait_for_timeout(1000 * SECONDS_TO_DRAG)
            kept.append(page.evaluate(script))
    medians = [statistics.median(kept[1:]) for kept in spent]
    what = f"{n_nodes:,} nodes, {path.stem}, {path.stat().st_size / 1e6:,.0f} MB"
    print(
        f"{what:<46} {medians[0]:8,.0f} ms, d3 {medians[1]:,.0f} ms, ratio {medians[0] / medians[1]:.2f}",
        flush=True,
    )
    path.unlink()


def serve_d3(folder: Path) -> Any:
    """A server of a page with d3-hierarchy, which npm fetches."""
    folder.mkdir()
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [
        "npm",
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--prefix",
        str(folder),
        "d3-hierarchy@3",
    ]
    subprocess.run(command, check=True, env=environment)
    module = folder / "node_modules/d3-hierarchy/dist/d3-hierarchy.min.js"
    (folder / module.name).write_bytes(module.read_bytes())
    (folder / "index.html").write_text(D3_PAGE, "utf-8")
    handler = partial(QuietHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Files without a line for each."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or N_NODES)
