"""The tab *Statistics*: opened by a key or at a figure, the API's figures, said where they are unknown."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.page.conftest import Show, again, downloaded, keys, linked, press, settled
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import DEEPENING, REVERSI, selected


@cache
def figures(path: Path) -> dict[str, Any]:
    return counted_in(Tree(read_log(path.read_bytes()))).as_json()


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-figure={name}]")


def opened(page: Page) -> Page:
    return keys(page, "s")


def test_the_statistics_open_by_a_key_a_link_a_figure_and_the_menu(show: Show) -> None:
    page = show(REVERSI, 1440, 900)
    link = linked(page)
    levels = part(page, "levels")
    # Its code is not loaded before it is asked for.
    loaded = """() => performance.getEntriesByType("resource").map(({name}) => name)
        .filter((name) => /statistics\\.js|statistics$/.test(name)).length"""
    assert page.evaluate(loaded) == 0
    # A server that fails is said and asked again.
    failed = json.dumps({"error": "no room", "status": 500})
    page.route("**/statistics", lambda route: route.fulfill(status=500, body=failed))
    opened(page)
    expect(page.locator(".figure-parts")).to_contain_text("no room")
    page.unroute("**/statistics")
    press(page, page.get_by_role("button", name="Count again"))
    expect(levels).to_be_visible()
    assert page.evaluate(loaded) > 0
    # A link brings them back, the key closes them.
    assert "drawer=statistics" in page.url
    page.reload()
    expect(part(settled(page), "levels")).to_be_visible()
    opened(page)
    expect(page.locator("#drawer")).to_be_hidden()
    # A figure in the run opens the statistics at itself.
    focused = "document.activeElement.dataset.figure"
    for button, figure in (("Nodes per level", "levels"), ("Search", "where")):
        press(page, page.locator("#run").get_by_role("button", name=button))
        assert page.evaluate(focused) == figure
    # The keyboard alone finds the answer and its node.
    extremes = figures(REVERSI)["extremes"]
    for name, kind, of in (
        ("Pruned most", "pruned", "pruned"),
        ("Pre-score and score", "apart", "apart"),
        ("Move order", "order", "spent"),
    ):
        again(page, link)
        page.locator("#tree [role=treeitem][tabindex='0']").focus()
        opened(page)
        tab_to(page, f"document.activeElement.textContent === {name!r}")
        keys(page, "Enter")
        assert page.evaluate(focused) == kind
        tab_to(page, f"document.activeElement.dataset.key === '{kind}-node'")
        keys(page, "Enter")
        assert selected(page) == extremes[of][0]["path"].split(" > ")[-1]
    # The mouse finds what can be asked in the menu.
    again(page, link)
    for command, shown in (
        ("Statistics: pruning", levels),
        ("Other weights", page.get_by_role("heading", name="With other weights")),
        ("Why this ply", page.locator("#why .why-title:focus")),
        ("Replay the search", page.locator("#replay")),
        ("Children of the node as a table", page.get_by_role("tab", name="Rows")),
    ):
        press(page, page.get_by_role("button", name="What to ask"))
        press(page, page.get_by_role("button", name=command).first)
        expect(shown).to_be_visible()


def tab_to(page: Page, there: str) -> None:
    for _ in range(25):
        page.keyboard.press("Tab")
        if page.evaluate(there):
            return
    pytest.fail(f"Tab does not come to where {there}")


def test_the_figures_of_a_search_are_said_and_lead_to_their_nodes(show: Show) -> None:
    page = show(REVERSI, 1280, 720)
    link = linked(page)
    found = figures(REVERSI)
    extremes, root_plies = found["extremes"], found["where"]["root_plies"]
    opened(page)
    # Its figures are those of the command.
    rows = part(page, "levels").locator("tbody tr")
    counts = [row.locator("td.number").first.inner_text().replace(",", "") for row in rows.all()]
    assert [int(count) for count in counts] == [level["nodes"] for level in found["levels"]]
    where, limits = part(page, "where"), part(page, "limits")
    plies = [each["ply"] for each in root_plies]
    expect(where.locator("table").first.locator("tbody th")).to_have_text(plies)
    marks = {"kept": "✓", "changed": "✕", "unknown": "?"}
    decisions = [marks[each["decision"]] for each in found["limits"]["each"]]
    assert limits.locator(".strip-cell b").all_inner_texts() == decisions
    # Each question has its heading its sentence and its figures, which is told to who does not see it come.
    assert page.locator(".figure-part h2").all_inner_texts()[:3] == [
        "Where did it prune most?",
        "Which node's pre-score and score differ most?",
        "What did the move order cost?",
    ]
    most = max(root_plies, key=lambda ply: ply["pruned"])
    for name, words in (
        ("pruned", "35,250 plies were pruned, at 5,081 places."),
        ("pruned", f"The largest part: below {most['ply']}"),
        ("apart", f"{extremes['apart'][0]['apart']:.2f} apart"),
        ("order", "96 % of 5,081 cuts by a ply came at the first one."),
        ("order", f"{found['order']['cost']:,} nodes (39 %)"),
        ("order", f"at one node: {extremes['spent'][0]['spent']:,}"),
    ):
        expect(part(page, name)).to_contain_text(words)
    told = page.locator("#drawer [role=status]")
    for name in ("pruned", "apart", "order"):
        expect(told).to_contain_text(part(page, name).locator(".figure-says").inner_text())
    # A part is saved as a picture.
    saved = downloaded(page, part(page, "levels").get_by_role("button", name="Save the picture"))
    assert saved.suggested_filename == "levels.svg"
    assert "15,016" in Path(saved.path()).read_text("utf-8")
    # No text of the statistics is cut or overlaps.
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        beyond = settled(page).evaluate(
            """() => [...document.querySelectorAll(".figure-part")].flatMap((part) => {
                const right = part.getBoundingClientRect().right + 1;
                return [...part.querySelectorAll("td, p, h2, button")].filter((one) =>
                    one.getBoundingClientRect().right > right).map((one) => one.textContent);
            })"""
        )
        assert beyond == [], width
    # A root ply leads to its node.
    where.get_by_role("button", name=root_plies[2]["ply"], exact=True).focus()
    keys(page, "Enter")
    assert selected(page) == root_plies[2]["ply"]
    # A figure opens the table with its nodes and goes to the first.
    again(page, link)
    opened(page)
    press(page, part(page, "apart").get_by_role("button", name="36.86 apart"))
    ids = page.locator(".rows-list [role=option] .number.dim:last-child").all_inner_texts()
    assert ids[:3] == [f"#{each['id']}" for each in extremes["apart"][:3]]
    assert selected(page) == extremes["apart"][0]["path"].split(" > ")[-1]
    # On a phone the tree and the statistics share the window.
    page.set_viewport_size({"width": 390, "height": 800})
    again(page, link)
    opened(page)
    boxes = [place_of(page.locator(name)) for name in ("#tree", "#drawer", "#legend")]
    assert all(box["height"] >= 30 and box["y"] + box["height"] <= 800 for box in boxes)
    assert boxes[-1]["height"] < 50  # one row
    jumps = page.get_by_role("navigation", name="Figures").get_by_role("button")
    assert len(set(jumps.evaluate_all("all => all.map(each => each.getBoundingClientRect().y)"))) == 1
    expect(page.locator("#tree [aria-selected=true] .node-card")).to_be_in_viewport()
    expect(part(page, "pruned")).to_be_in_viewport()


def test_the_figures_of_a_deepening_search_tell_its_trees_apart(show: Show) -> None:
    page = show(DEEPENING, 1280, 720)
    link = linked(page)
    found = figures(DEEPENING)
    trees = found["iterations"]
    # No two trees have one name.
    cards = page.locator("#tree [role=treeitem][aria-level='1']").all()
    names = [(card.get_attribute("aria-label") or "").split(", score")[0] for card in cards]
    names = [name for name in names if name.startswith("root")]
    assert len(set(names)) == len(names) > 3
    expect(page.locator("#tree")).to_contain_text("root, iteration 5 #2")
    assert serious(opened(page)) == []
    # Iterations are a chart and a table and follow the selected node.
    chart = part(page, "iterations")
    dots = chart.locator(".mark-symbol path")
    assert dots.count() == len(trees)
    expect(chart).to_contain_text("Score of the root by iteration: it ends at +3.5.")
    # A chart is a table too, and saved as a picture in either form.
    drawing = chart.locator("svg.marks")
    for ending, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
        saved = downloaded(page, chart.get_by_role("button", name=f"picture as {ending.upper()}"))
        assert saved.suggested_filename.endswith(f".{ending}")
        assert saved.path().read_bytes().startswith(begins)
    as_table = chart.get_by_role("button", name="As a table")
    as_table.click()
    expect(drawing).to_be_hidden()
    scores = [row.locator("td").nth(1).inner_text() for row in chart.locator("tbody tr").all()]
    signs = {"exact": "", "lower": "≥ ", "upper": "≤ "}
    assert scores == [
        signs[each["bound"]] + (f"{each['score']:+g}".replace("-", "−") if each["score"] else "0")
        for each in trees
    ]
    as_table.click()
    expect(drawing).to_be_visible()
    # Nodes of earlier iterations are told from those of the main tree.
    named = part(page, "order").locator("table").first.locator("tbody th").all_inner_texts()
    earlier = [each["iteration"] is not None for each in found["extremes"]["spent"][:8]]
    assert [name.startswith("(") for name in named] == earlier
    # Pruning by root ply is said of the main tree where there are others.
    root_plies, pruned = found["where"]["root_plies"], part(page, "pruned")
    most = max(root_plies, key=lambda ply: ply["pruned"])
    below = sum(ply["pruned"] for ply in root_plies)
    assert 0 < below < found["pruned"]
    for words in (
        f"In the main tree most were pruned below \u201c{most['ply']}\u201d (",
        f" of its {below:,}); by level, in all trees, at level",
        f"of its root: {below:,} of {found['pruned']:,} in all trees.",
    ):
        expect(pruned).to_contain_text(words)
    press(page, page.locator("#tree [role=treeitem]").filter(has_text="4").last)
    expect(chart).not_to_contain_text("Score of the root")
    # Every figure that lists nodes lists as many.
    level = found["levels"][1]
    pairs = [pair for pair in found["counters"] if pair["tried"] and pair["name"] != "aspiration windows"]
    [purpose] = [each for each in found["where"]["purposes"] if each["purpose"] == "research"]
    for name, button, n_nodes in (
        ("levels", str(level["level"]), level["nodes"]),
        *(("counters", pair["name"], pair["tried"]) for pair in pairs),
        ("where", "re-search", purpose["visits"]),
    ):
        again(page, link)
        opened(page)
        press(page, part(page, name).get_by_role("button", name=button, exact=True).last)
        expect(page.locator("[data-lens=search]")).to_contain_text(f"{n_nodes:,} hit")
    # The scrubber says each iteration by mouse and by keyboard.
    again(page, link)
    opened(page)
    scrubber = chart.get_by_role("slider", name="Iteration")
    words = chart.locator(".iteration-words")
    scrubber.focus()
    for tree in reversed(trees):
        attempt = f"#{tree['attempt']}" if tree["attempt"] > 1 else ""
        expect(words).to_contain_text(f"iteration {tree['iteration']}{attempt}")
        expect(words).to_contain_text(" › ".join(tree["pv"]))
        keys(page, "ArrowLeft")
    assert f"iteration={trees[0]['id']}" in page.url
    press(page, dots.last)
    assert scrubber.get_attribute("aria-valuetext") is not None
    assert scrubber.input_value() != "0"
    press(page, words.get_by_role("button").first)
    assert f"node={trees[-1]['id']}" in page.url


def cut(ply: str, n_pruned: int | None) -> dict[str, Any]:
    """A reply that cut, and the rows of what was pruned there."""
    stub = [] if n_pruned is None else [{"outcome": "pruned", "count": n_pruned}]
    reply = {"ply": "r", "layer": "max", "score": 1, "outcome": "leaf", "bound": "exact"}
    node = {"ply": ply, "layer": "min", "score": 1, "outcome": "cutoff", "bound": "upper"}
    return node | {"children": [reply, *stub]}


def log(*children: dict[str, Any], **root: Any) -> dict[str, Any]:
    return {"plyscope": 1, "root": {"layer": "max", **root, "children": list(children)}}


LEAF = {"ply": "a", "layer": "min", "score": 1, "outcome": "leaf"}
SEARCHED = {"score": 1, "outcome": "searched"}
STUB = {"outcome": "unlogged", "count": 3, "nodes": 41}
ITERATIONS = [{"layer": "max", "iteration": n, "children": [{"ply": "a"}]} for n in (1, 2)]


NO_ROWS = "Not known: 1 node was cut off, and the log has no rows of the plies pruned there."
EQUAL = log(cut("7", 4), cut("b", 4), cut("c", 1), **SEARCHED)
CASES = (
    (log({"ply": "7"}), "pruned", "Not known: the log does not say the outcome of any node."),
    (log({"ply": "7"}), "iterations", "The log holds one search, so there is no other"),
    (log({"ply": "<b>x</b>"}), "limits", "Needs pre_score: the log has none."),
    (log(cut("a", None), **SEARCHED), "pruned", NO_ROWS),
    (log(LEAF, **SEARCHED), "pruned", "Nothing was pruned."),
    (EQUAL, "pruned", "below \u201c7\u201d and 1 other (44 % each); by level"),
    (log({"ply": "a"}, STUB), "levels", "43 nodes were searched, 2 of them have a row"),
    ({"plyscope": 1, "roots": ITERATIONS}, "iterations", "No tree has a score of the root."),
)


def test_what_is_not_known_is_said_where_its_figure_would_be_without_a_warning(show: Show) -> None:
    bounds = {"plyscope": 1, "roots": [{**root, "score": 1, "bound": "lower"} for root in ITERATIONS]}
    page = show(bounds, beside={f"case {at}.json": document for at, (document, *_) in enumerate(CASES)})
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text))
    expect(part(opened(page), "iterations").locator(".mark-symbol path")).to_have_count(2)
    for at, (_, name, words) in enumerate(CASES):
        press(page, page.locator("#logs .log-button", has_text=f"case {at}.json"))
        expect(part(opened(page), name)).to_contain_text(words)
        if name == "levels":
            expect(page.locator("#run")).to_contain_text("nodes searched")
    assert warnings == []
