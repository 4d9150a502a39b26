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
from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.test_accessibility import serious
from tests.page.trees import selected

EXAMPLES = Path(__file__).parents[2] / "examples"
REVERSI = EXAMPLES / "reversi-midgame.json.gz"
DEEPENING = EXAMPLES / "connect-four-deepening.jsonl.gz"


@cache
def figures(path: Path) -> dict[str, Any]:
    return counted_in(Tree(read_log(path.read_bytes()))).as_json()


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-figure={name}]")


def opened(page: Page) -> Page:
    page.keyboard.press("s")
    return settled(page)


def first_column(table: Locator) -> list[str]:
    return [text.strip() for text in table.locator("tbody th").all_inner_texts()]


@pytest.fixture
def reversi(show: Show) -> Page:
    return show(REVERSI, 1280, 720)


@pytest.fixture
def deepening(show: Show) -> Page:
    return show(DEEPENING, 1280, 720)


def test_the_statistics_open_by_a_key_a_link_and_the_menu(reversi: Page) -> None:
    link = linked(reversi)
    # Its code is not loaded before it is asked for.
    loaded = """() => performance.getEntriesByType("resource").map(({name}) => name)
        .filter((name) => /statistics\\.js|statistics$/.test(name)).length"""
    assert reversi.evaluate(loaded) == 0
    # A server that fails is said and asked again.
    answer = json.dumps({"error": "no room", "status": 500})
    reversi.route("**/statistics", lambda route: route.fulfill(status=500, body=answer))
    opened(reversi)
    expect(reversi.locator(".figure-parts")).to_contain_text("no room")
    reversi.unroute("**/statistics")
    press(reversi, reversi.get_by_role("button", name="Count again"))
    expect(part(reversi, "levels")).to_be_visible()
    assert reversi.evaluate(loaded) > 0
    # The key opens and closes the statistics and a link brings them back.
    again(reversi, link)
    expect(reversi.locator("#drawer")).to_be_hidden()
    opened(reversi)
    expect(part(reversi, "levels")).to_be_visible()
    assert "drawer=statistics" in reversi.url
    reversi.reload()
    settled(reversi)
    expect(part(reversi, "levels")).to_be_visible()
    opened(reversi)
    expect(reversi.locator("#drawer")).to_be_hidden()
    # The keyboard alone finds the answer and its node.
    for name in ["Pruned most", "Pre-score and score", "Move order"]:
        again(reversi, link)
        reversi.locator("#tree [role=treeitem][tabindex='0']").focus()
        opened(reversi)
        for _ in range(25):
            reversi.keyboard.press("Tab")
            if reversi.evaluate("document.activeElement.textContent") == name:
                break
        else:
            pytest.fail(f"Tab does not reach {name!r}")
        keys(reversi, "Enter")
        kind = {"Pruned most": "pruned", "Pre-score and score": "apart", "Move order": "order"}[name]
        assert reversi.evaluate("document.activeElement.dataset.figure") == kind
        node = figures(REVERSI)["extremes"][{"order": "spent"}.get(kind, kind)][0]
        for _ in range(8):
            reversi.keyboard.press("Tab")
            if reversi.evaluate("document.activeElement.dataset.key") == f"{kind}-node":
                break
        keys(reversi, "Enter")
        assert selected(reversi) == node["path"].split(" > ")[-1]
    # The mouse finds what can be asked in the menu.
    again(reversi, link)
    menu = reversi.get_by_role("button", name="What to ask")
    press(reversi, menu)
    press(reversi, reversi.get_by_role("button", name="Statistics: pruning"))
    expect(part(reversi, "levels")).to_be_visible()
    press(reversi, menu)
    press(reversi, reversi.get_by_role("button", name="Other weights").first)
    expect(reversi.get_by_role("heading", name="With other weights")).to_be_visible()
    press(reversi, menu)
    press(reversi, reversi.get_by_role("button", name="Why this ply"))
    expect(reversi.locator("#why .why-title")).to_be_focused()
    press(reversi, menu)
    press(reversi, reversi.get_by_role("button", name="Replay the search"))
    expect(reversi.locator("#replay")).to_be_visible()
    press(reversi, menu)
    press(reversi, reversi.get_by_role("button", name="Children of the node as a table"))
    expect(reversi.get_by_role("tab", name="Rows")).to_be_visible()


def test_the_figures_of_a_search_are_said_and_lead_to_their_nodes(reversi: Page) -> None:
    link = linked(reversi)
    # Its figures are those of the command.
    found = figures(REVERSI)
    opened(reversi)
    rows = part(reversi, "levels").locator("tbody tr")
    assert [int(row.locator("td.number").first.inner_text().replace(",", "")) for row in rows.all()] == [
        level["nodes"] for level in found["levels"]
    ]
    assert first_column(part(reversi, "where").locator("table").first) == [
        each["ply"] for each in found["where"]["root_plies"]
    ]
    cells = part(reversi, "limits").locator(".strip-cell")
    marks = {"kept": "✓", "changed": "✕", "unknown": "?"}
    assert cells.locator("b").all_inner_texts() == [
        marks[each["decision"]] for each in found["limits"]["each"]
    ]
    assert first_column(part(reversi, "limits").locator("table")) == [
        str(each["limit"]) for each in found["limits"]["each"]
    ]
    expect(part(reversi, "order")).to_contain_text("96 % of 5,081 cuts by a ply came at the first one.")
    # Each question has its heading its sentence and its figures.
    again(reversi, link)
    found = figures(REVERSI)
    opened(reversi)
    titles = reversi.locator(".figure-part h2").all_inner_texts()
    assert titles[:3] == [
        "Where did it prune most?",
        "Which node's pre-score and score differ most?",
        "What did the move order cost?",
    ]
    extremes = found["extremes"]
    expect(part(reversi, "pruned")).to_contain_text("35,250 plies were pruned, at 5,081 places.")
    most = max(found["where"]["root_plies"], key=lambda ply: ply["pruned"])
    expect(part(reversi, "pruned")).to_contain_text(f"The largest part: below {most['ply']}")
    apart = extremes["apart"][0]
    expect(part(reversi, "apart")).to_contain_text(f"{apart['apart']:.2f} apart")
    expect(part(reversi, "order")).to_contain_text(f"{found['order']['cost']:,} nodes (39 %)")
    expect(part(reversi, "order")).to_contain_text(f"at one node: {extremes['spent'][0]['spent']:,}")
    # The answers are told to those who do not see them come.
    again(reversi, link)
    told = opened(reversi).locator("#drawer [role=status]")
    for name in ("pruned", "apart", "order"):
        expect(told).to_contain_text(part(reversi, name).locator(".figure-says").inner_text())
    # A root ply leads to its node.
    again(reversi, link)
    opened(reversi)
    ply = figures(REVERSI)["where"]["root_plies"][2]
    button = part(reversi, "where").get_by_role("button", name=ply["ply"], exact=True)
    button.focus()
    keys(reversi, "Enter")
    assert selected(reversi) == ply["ply"]
    # A part is saved as a picture.
    again(reversi, link)
    opened(reversi)
    with reversi.expect_download() as download:
        part(reversi, "levels").get_by_role("button", name="Save the picture").click()
    assert download.value.suggested_filename == "levels.svg"
    text = Path(download.value.path()).read_text("utf-8")
    assert text.startswith("<svg")
    assert "15,016" in text
    # A figure opens the table with its nodes and goes to the first.
    again(reversi, link)
    apart = figures(REVERSI)["extremes"]["apart"]
    opened(reversi)
    press(reversi, part(reversi, "apart").get_by_role("button", name="36.86 apart"))
    listed = rows_listed(reversi)
    assert listed[:3] == [str(each["id"]) for each in apart[:3]]
    assert selected(reversi) == apart[0]["path"].split(" > ")[-1]
    # No text of the statistics is cut or overlaps.
    again(reversi, link)
    opened(reversi)
    for width, height in ((1280, 720), (1920, 1080)):
        reversi.set_viewport_size({"width": width, "height": height})
        beyond = settled(reversi).evaluate(
            """() => [...document.querySelectorAll(".figure-part")].flatMap((part) => {
                const right = part.getBoundingClientRect().right + 1;
                return [...part.querySelectorAll("td, p, h2, button")].filter((one) =>
                    one.getBoundingClientRect().right > right).map((one) => one.textContent);
            })"""
        )
        assert beyond == [], width


def test_a_figure_in_the_run_opens_the_statistics_at_itself(show: Show) -> None:
    page = show(REVERSI, 1920, 1080)
    press(page, page.locator("#run").get_by_role("button", name="Nodes per level"))
    assert page.evaluate("document.activeElement.dataset.figure") == "levels"
    press(page, page.locator("#run").get_by_role("button", name="Search"))
    assert page.evaluate("document.activeElement.dataset.figure") == "where"


def test_what_the_log_lacks_stands_where_its_figure_would_be(show: Show) -> None:
    page = opened(show({"plyscope": 1, "root": {"layer": "max", "children": [{"ply": "<b>x</b>"}]}}))
    expect(part(page, "limits")).to_contain_text("Needs pre_score: the log has none.")
    assert part(page, "limits").locator("code").all_inner_texts() == ["pre_score"]
    assert first_column(part(page, "where").locator("table").first) == ["<b>x</b>"]


def test_a_best_first_tree_says_what_has_no_meaning(show: Show) -> None:
    root = {"layer": "max", "visits": 10, "mean": 0.5, "children": [{"ply": "a", "visits": 9, "mean": 0.5}]}
    page = opened(show({"plyscope": 1, "search": {"order": "best_first", "range": [0, 1]}, "root": root}))
    expect(page.locator(".figure-note")).to_have_text(
        "Windows, cuts, smaller limits and the order of plies have no meaning in a best-first tree."
    )
    expect(part(page, "order")).to_have_count(0)
    expect(part(page, "levels").locator("thead")).to_contain_text("visits")


def rows_listed(page: Page) -> list[str]:
    ids = page.locator(".rows-list [role=option] .number.dim:last-child").all_inner_texts()
    return [text.removeprefix("#") for text in ids]


def test_the_figures_of_a_deepening_search_tell_its_trees_apart(deepening: Page) -> None:
    link = linked(deepening)
    # No two trees have one name.
    cards = deepening.locator("#tree [role=treeitem][aria-level='1']")
    names = [card.get_attribute("aria-label") or "" for card in cards.all()]
    names = [name.split(", score")[0] for name in names if name.startswith("root")]
    assert len(set(names)) == len(names) > 3
    expect(deepening.locator("#tree")).to_contain_text("root, iteration 5 #2")
    # Axe finds nothing serious.
    again(deepening, link)
    assert serious(opened(deepening)) == []
    # Iterations are a chart and a table and follow the selected node.
    again(deepening, link)
    opened(deepening)
    chart = part(deepening, "iterations")
    assert chart.locator(".mark-symbol path").count() == len(figures(DEEPENING)["iterations"])
    expect(chart).to_contain_text("Score of the root by iteration: it ends at +3.5.")
    chart.get_by_role("button", name="As a table").click()
    scores = [row.locator("td").nth(1).inner_text() for row in chart.locator("tbody tr").all()]
    signs = {"exact": "", "lower": "≥ ", "upper": "≤ "}
    assert scores == [
        signs[each["bound"]] + (f"{each['score']:+g}".replace("-", "−") if each["score"] else "0")
        for each in figures(DEEPENING)["iterations"]
    ]
    press(deepening, deepening.locator("#tree [role=treeitem]").filter(has_text="4").last)
    expect(chart).not_to_contain_text("Score of the root")
    # Pruning by root ply is said of the main tree where there are others.
    again(deepening, link)
    found = figures(DEEPENING)
    most = max(found["where"]["root_plies"], key=lambda ply: ply["pruned"])
    opened(deepening)
    pruned = part(deepening, "pruned")
    expect(pruned).to_contain_text(f"In the main tree most were pruned below \u201c{most['ply']}\u201d (")
    below = sum(ply["pruned"] for ply in found["where"]["root_plies"])
    assert 0 < below < found["pruned"]
    expect(pruned).to_contain_text(f" of its {below:,}); by level, in all trees, at level")
    expect(pruned).to_contain_text(f"of its root: {below:,} of {found['pruned']:,} in all trees.")
    shares = pruned.locator("table").first.locator("td:last-child").all_inner_texts()
    assert sum(float(share.removesuffix(" %")) for share in shares) == pytest.approx(100, abs=1)
    expect(pruned).not_to_contain_text("The largest part")
    # Every figure that lists nodes lists as many.
    again(deepening, link)
    found = figures(DEEPENING)
    levels = [("levels", str(level["level"]), level["nodes"]) for level in found["levels"]]
    counters = [("counters", pair["name"], pair["tried"]) for pair in found["counters"] if pair["tried"]]
    called = {"": "not stated", "research": "re-search"}
    purposes = [
        ("where", called.get(each["purpose"], each["purpose"]), each["visits"])
        for each in found["where"]["purposes"]
    ]
    assert "re-search" in {button for _, button, _ in purposes}
    for name, button, n_nodes in (*levels[:2], *counters, *purposes):
        if button == "aspiration windows":
            continue
        opened(deepening)
        press(deepening, part(deepening, name).get_by_role("button", name=button, exact=True).last)
        expect(deepening.locator("[data-lens=search]")).to_contain_text(f"{n_nodes:,} hit")
    # The scrubber says each iteration by mouse and by keyboard.
    again(deepening, link)
    trees = figures(DEEPENING)["iterations"]
    opened(deepening)
    chart = part(deepening, "iterations")
    scrubber = chart.get_by_role("slider", name="Iteration")
    words = chart.locator(".iteration-words")
    scrubber.focus()
    for place in reversed(range(len(trees))):
        tree = trees[place]
        attempt = f"#{tree['attempt']}" if tree["attempt"] > 1 else ""
        expect(words).to_contain_text(f"iteration {tree['iteration']}{attempt}")
        expect(words).to_contain_text(" › ".join(tree["pv"]))
        keys(deepening, "ArrowLeft")
    assert f"iteration={trees[0]['id']}" in deepening.url
    dots, track = chart.locator(".mark-symbol path"), scrubber.bounding_box()
    edges = [box["x"] + box["width"] / 2 for box in (each.bounding_box() for each in dots.all()) if box]
    assert track is not None
    assert abs(track["x"] + 8 - min(edges)) < 2
    assert abs(track["x"] + track["width"] - 8 - max(edges)) < 2
    press(deepening, chart.locator(".mark-symbol path").last)
    assert scrubber.get_attribute("aria-valuetext") is not None
    assert scrubber.input_value() != "0"
    press(deepening, words.get_by_role("button").first)
    assert f"node={trees[-1]['id']}" in deepening.url
    # Nodes of earlier iterations are told from those of the main tree.
    again(deepening, link)
    spent = figures(DEEPENING)["extremes"]["spent"][:8]
    opened(deepening)
    table = part(deepening, "order").locator("table").first
    named = [name.startswith("(") for name in table.locator("tbody th").all_inner_texts()]
    assert named == [each["iteration"] is not None for each in spent]
    assert any(named) == table.locator("thead").inner_text().startswith("(iteration) node")


def test_a_node_without_a_score_in_any_tree_has_no_chart_and_no_warning(show: Show) -> None:
    roots = [{"layer": "max", "iteration": each, "children": [{"ply": "a"}]} for each in (1, 2)]
    page = show({"plyscope": 1, "roots": roots})
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text))
    opened(page)
    expect(part(page, "iterations")).to_contain_text("No tree has a score of the root.")
    assert warnings == []


def test_bounds_alone_make_a_chart_without_a_warning(show: Show) -> None:
    roots = [{"layer": "max", "iteration": each, "score": each, "bound": "lower"} for each in (1, 2)]
    page = show({"plyscope": 1, "roots": roots})
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text))
    opened(page)
    expect(part(page, "iterations").locator(".mark-symbol path")).to_have_count(2)
    assert warnings == []


def test_nodes_searched_and_nodes_logged_are_both_said(show: Show) -> None:
    stub = {"outcome": "unlogged", "count": 3, "nodes": 41}
    page = opened(show({"plyscope": 1, "root": {"layer": "max", "children": [{"ply": "a"}, stub]}}))
    expect(part(page, "levels")).to_contain_text("43 nodes were searched, 2 of them have a row")
    expect(page.locator("#run")).to_contain_text("nodes searched")


PLAIN: dict[str, Any] = {"ply": "root", "children": [{"ply": "7", "score": 3}, {"ply": "8", "score": 2}]}


def cut(ply: str, n_pruned: int | None) -> dict[str, Any]:
    """A reply that cut, and the rows of what was pruned there."""
    stub = [] if n_pruned is None else [{"outcome": "pruned", "count": n_pruned}]
    reply = {"ply": "r", "layer": "max", "score": 1, "outcome": "leaf", "bound": "exact"}
    return {
        "ply": ply,
        "layer": "min",
        "score": 1,
        "outcome": "cutoff",
        "bound": "upper",
        "children": [reply, *stub],
    }


def searched(*children: dict[str, Any]) -> dict[str, Any]:
    return {
        "plyscope": 1,
        "root": {"layer": "max", "score": 1, "outcome": "searched", "children": list(children)},
    }


def test_a_log_that_does_not_tell_of_pruning_and_iterations_says_so(show: Show) -> None:
    page = opened(show(PLAIN))
    expect(part(page, "pruned")).to_contain_text("Not known: the log does not say the outcome of any node.")
    expect(part(page, "order")).not_to_contain_text("Nothing was cut off")
    expect(part(page, "iterations")).to_contain_text("The log holds one search, so there is no other")
    rows = part(page, "levels").locator("tbody tr").all_inner_texts()
    assert [row.split()[:3] for row in rows] == [["0", "1", "–"], ["1", "2", "–"]]


@pytest.mark.parametrize(
    ("children", "says"),
    [
        (
            [cut("a", None)],
            "Not known: 1 node was cut off, and the log has no rows of the plies pruned there.",
        ),
        ([{"ply": "a", "layer": "min", "score": 1, "outcome": "leaf"}], "Nothing was pruned."),
        ([cut("7", 4), cut("b", 4), cut("c", 1)], "below \u201c7\u201d and 1 other (44 % each); by level"),
    ],
)
def test_where_it_pruned_most_is_said_as_far_as_it_is_known(
    show: Show, children: list[dict[str, Any]], says: str
) -> None:
    expect(part(opened(show(searched(*children))), "pruned")).to_contain_text(says)


def test_on_a_phone_the_tree_and_the_statistics_share_the_window(show: Show) -> None:
    page = opened(show(REVERSI, 390, 800))
    heights = page.evaluate(
        "['#tree', '#drawer', '#legend'].map(name => document.querySelector(name).getBoundingClientRect())"
    )
    assert all(box["height"] >= 30 and box["y"] + box["height"] <= 800 for box in heights)
    assert heights[-1]["height"] < 50  # one row
    jumps = page.get_by_role("navigation", name="Figures").get_by_role("button")
    assert len(set(jumps.evaluate_all("all => all.map(each => each.getBoundingClientRect().y)"))) == 1
    expect(page.locator("#tree [aria-selected=true] .node-card")).to_be_in_viewport()
    expect(part(page, "pruned")).to_be_in_viewport()
