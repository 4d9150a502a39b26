"""From a dropped file to a painted tree, in the InfoVis form and ours, against d3 in the same Chromium.

python -m tests.benchmarks.drop [NODES …]

d3-hierarchy comes from npm into a scratch folder; its page reads the same file (`File.text()`), parses it,
makes a hierarchy of it and paints the root with its children. Each file is new to the server, whose machine
code is on disk. A file is over the page for a second before it is dropped, as it is where a person drags it.
Medians of some runs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from tests.benchmarks.in_browser import address_of, chromium, fresh_page, wait
from tests.benchmarks.road_forms import write
from tests.benchmarks.timing import numbers

FORMS = ("infovis.json", "ours.json", "ours, unknown.json")
N_NODES = (27_000, 1_000_000)

SECONDS_TO_DRAG = 1.0

PREPARE = """() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "bench-file";
    input.hidden = true;
    document.body.append(input);
    window.carry = kind => {
        const carried = new DataTransfer();
        carried.items.add(input.files[0]);
        const how = {dataTransfer: carried, bubbles: true, cancelable: true};
        document.body.dispatchEvent(new DragEvent(kind, how));
    };
}"""

D3_PAGE = """<!doctype html><input type="file" id="bench-file"><svg width="1200" height="800"></svg>
<script>%s</script><script>
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
    with tempfile.TemporaryDirectory() as temporary, chromium() as started:
        folder = Path(temporary)
        with (
            address_of(folder) as address,
            fresh_page(started) as ours,
            fresh_page(started) as theirs,
        ):
            theirs.set_content(D3_PAGE % d3(folder))
            ours.goto(address)
            wait(ours)
            ours.evaluate(PREPARE)
            for n_nodes in sizes:
                for form in FORMS:
                    measure(ours, theirs, folder / form, n_nodes, n_runs=7 if n_nodes < 100_000 else 3)


def measure(ours: Page, theirs: Page, path: Path, n_nodes: int, n_runs: int) -> None:
    """Drop new files of one form on both pages in turn, and print the medians."""
    write(path, n_nodes)
    spent: tuple[list[float], list[float]] = ([], [])
    for run in range(n_runs + 1):
        with path.open("a", encoding="utf-8") as file:
            file.write(" \n"[run % 2])  # a new log to the server
        for page, drop, kept in zip(
            (ours, theirs), ("anotherTree(() => carry('drop'))", "run()"), spent, strict=True
        ):
            page.set_input_files("#bench-file", path)
            page.evaluate("window.carry?.('dragenter')")
            page.wait_for_timeout(1000 * SECONDS_TO_DRAG)
            kept.append(page.evaluate(drop))
    medians = [statistics.median(kept[1:]) for kept in spent]
    what = f"{n_nodes:,} nodes, {path.stem}, {path.stat().st_size / 1e6:,.0f} MB"
    print(
        f"{what:<46} {medians[0]:8,.0f} ms, d3 {medians[1]:,.0f} ms, ratio {medians[0] / medians[1]:.2f}",
        flush=True,
    )
    path.unlink()


def d3(folder: Path) -> str:
    """The text of d3-hierarchy, which npm fetches."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
    subprocess.run([*command, "d3-hierarchy@3"], check=True, env=environment)
    return (folder / "node_modules/d3-hierarchy/dist/d3-hierarchy.min.js").read_text("utf-8")


if __name__ == "__main__":
    main(tuple(numbers(sys.argv[1:])) or N_NODES)
