"""Another log beside the open one: button, key, chip, cards, sentences, the list of changes, links."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.page.conftest import NewPage, Serve, again, keys, linked, press, settled, visit
from tests.page.stage import SCHEMES


def node(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "bound": "exact", "depth": 3, **fields}


OLD: dict[str, Any] = {
    "plyscope": 1,
    "root": {
        "layer": "max",
        "score": 28,
        "bound": "exact",
        "children": [
            node("d4", 28, children=[node("d5", 28, layer="max"), node("<b>e6</b>", 40, layer="max")]),
            node("e4", 20),
            node("a3", 5),
            node("h3", 4),
        ],
    },
}
NEW: dict[str, Any] = {
    "plyscope": 1,
    "root": {
        "layer": "max",
        "score": 31,
        "bound": "exact",
        "children": [
            node("d4", 25, children=[node("d5", 25, layer="max", depth=1)]),
            node("e4", 20),
            node("Nf3", 31),
            {"outcome": "pruned", "count": 1, "plies": ["h3"]},
        ],
    },
}


@pytest.fixture
def new(new_page: NewPage, serve: Serve, tmp_path: Path) -> Page:
    """The new log, with the old one in the list."""
    for name, document in (("new", NEW), ("old", OLD)):
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    return visit(new_page(), serve(tmp_path / "new.json", tmp_path / "old.json"))


@pytest.fixture
def compared(new: Page) -> Page:
    new.get_by_role("button", name="Compare with old.json").click()
    return settled(new)


def score(page: Page, ply: str) -> str:
    return card(page, ply).locator(".node-score").text_content() or ""


def card(page: Page, ply: str) -> Any:
    return page.locator(f'[role=treeitem]:has(.node-name:text-is("{ply}"))')


def selected(page: Page) -> str:
    return page.locator("[role=treeitem][aria-selected=true] .node-name").text_content() or ""


def test_a_comparison_says_what_changed_on_cards_in_words_and_by_keys(compared: Page) -> None:
    page = compared
    link = linked(page)
    # The comparison says itself and goes to where the runs part.
    expect(page.locator('[data-lens="against"]')).to_have_text("against old.json · 8 changes")
    said = page.locator(".diff-part")
    expect(said).to_contain_text("The choice changed, from d4 +28 to Nf3 +31.")
    expect(said).to_contain_text("The two runs part at #2: d4 > d5 is searched 2 plies shallower now.")
    assert selected(page) == "d5"
    press(page, said.get_by_role("button", name="Nf3 +31"))
    assert selected(page) == "Nf3"
    # Cards show what changed.
    again(page, link)
    assert score(page, "d4") == "+28 → +25"
    assert score(page, "e4") == "+20"
    expect(card(page, "e4")).to_have_class(re.compile(r"\bnode-unchanged\b"))
    expect(card(page, "Nf3").locator(".diff-mark")).to_have_text("+")
    expect(card(page, "d5").locator(".diff-flag")).to_have_count(1)
    expect(card(page, "d5").locator(".diff-first title")).to_have_text("The first difference, #2")
    assert "only in the new tree" in (card(page, "Nf3").get_attribute("aria-label") or "")
    assert "here the runs part" in (card(page, "d5").get_attribute("aria-label") or "")
    # A ply that is pruned now wears scissors.
    again(page, link)
    pruned = card(page, "h3")
    expect(pruned).to_have_class(re.compile(r"\bnode-dropped\b"))
    stub = card(page, "1 pruned")
    assert pruned.locator(".node-mark").get_attribute("d") == stub.locator(".node-mark").get_attribute("d")
    press(page, pruned)
    expect(page.locator(".diff-node")).to_contain_text("Only in old.json, newly pruned in this log.")
    # What only the old log has stands in the tree and is walked.
    again(page, link)
    names = page.locator("[role=treeitem] .node-name").all_text_contents()
    assert names == ["root", "Nf3", "d4", "d5", "<b>e6</b>", "e4", "a3", "h3", "1 pruned"]
    gone = card(page, "<b>e6</b>")
    expect(gone).to_have_class(re.compile(r"\bnode-gone\b"))
    expect(gone.locator(".diff-mark")).to_have_text("−")
    assert score(page, "<b>e6</b>") == "+40"
    expect(page.locator("#tree .link-alone")).to_have_count(5)
    card(page, "d5").click()
    keys(page, "ArrowDown")
    assert selected(page) == "<b>e6</b>"
    expect(page.locator(".diff-node")).to_have_text("Only in old.json. Open it there")
    expect(page.locator(".details-path .crumb-button")).to_have_text(["root", "d4", "<b>e6</b>"])
    expect(page.locator("#why")).to_have_count(0)
    keys(page, "t", "t")
    expect(page.locator("#notices")).to_contain_text("Only the other log has this node")
    keys(page, "ArrowLeft")
    assert selected(page) == "d4"
    # A row that is pressed while the list scrolls is chosen.
    again(page, link)
    box = rows(page).nth(3).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] / 2)
    page.mouse.down()
    scroll = "list => new Promise(done => { list.onscrollend = done; list.scrollTop += 4; })"
    page.locator(".rows-list").evaluate(scroll)
    page.mouse.up()
    settled(page)
    assert selected(page) == "<b>e6</b>"
    # Keys step from change to change and escape ends.
    again(page, link)
    keys(page, "n")
    assert selected(page) == "<b>e6</b>"
    keys(page, "N")
    assert selected(page) == "d5"
    keys(page, "Escape")
    expect(page.locator('[data-lens="against"]')).to_have_count(0)
    expect(page.locator(".diff-part")).to_have_count(0)
    expect(page.locator("#drawer")).to_be_hidden()
    assert score(page, "d4") == "+25"


def rows(page: Page) -> Any:
    return page.locator("#drawer .rows-row[role=option]")


def cells(page: Page) -> list[list[str]]:
    """The texts of the table's cells, row by row, without paths and ids."""
    return [row.locator(":scope > span").all_text_contents()[1:-1] for row in rows(page).all()]


def test_links_lead_into_a_comparison_and_to_nodes_of_either_log(compared: Page) -> None:
    page = compared
    # A link holds the comparison.
    expect(page).to_have_url(re.compile(r"against="))
    page.reload()
    settled(page)
    expect(page.locator('[data-lens="against"]')).to_contain_text("against old.json")
    assert score(page, "d4") == "+28 → +25"
    # A link holds a node that only the old log has.
    press(page, card(page, "<b>e6</b>"))
    expect(page).to_have_url(re.compile(r"node=-"))
    page.reload()
    settled(page)
    assert selected(page) == "<b>e6</b>"
    expect(page.locator(".diff-node")).to_contain_text("Only in old.json.")
    # A link opens the old log at a node that only it has.
    press(page, card(page, "h3"))
    press(page, page.get_by_role("link", name="Open it there"))
    expect(page.locator(".log-open")).to_contain_text("old.json")
    expect(page.locator('[data-lens="against"]')).to_contain_text("against new.json")
    assert selected(page) == "h3"


def test_a_comparison_is_begun_by_key_and_its_end_restores_what_was_shown(new: Page) -> None:
    page = new
    link = linked(page)
    # The end of a comparison restores what was shown.
    press(page, card(page, "e4"))
    keys(page, "t", "t")
    before = shown(page)
    press(page, page.get_by_role("button", name="Compare with old.json"))
    press(page, card(page, "<b>e6</b>"))
    assert shown(page) != before
    press(page, page.get_by_role("button", name="End the comparison", exact=True).first)
    assert shown(page) == before
    assert selected(page) == "e4"
    # The key leads to the choice of a log.
    again(page, link)
    keys(page, "d")
    expect(page.get_by_role("dialog").get_by_role("button", name="old.json")).to_be_focused()
    keys(page, "Enter")
    expect(page.locator('[data-lens="against"]')).to_be_visible()
    # A log that is gone is said.
    expect(page).to_have_url(re.compile("#log=.*node="))
    link = page.url.split("&")[0] + "&node=1&against=gone"
    page.goto(
        "about:blank"
    )  # within the page the address would be that of what is shown before a reload reads it
    page.goto(link)
    settled(page)
    expect(page.locator("#notices")).to_contain_text(
        "The log gone that this view compares with is not in the list any more."
    )
    expect(page.locator('[data-lens="against"]')).to_have_count(0)
    assert selected(page) == "d4"


def shown(page: Page) -> tuple[list[str], str | None]:
    """The drawn cards, and where the camera is."""
    cards = page.locator("[role=treeitem]")
    return [each.get_attribute("aria-label") or "" for each in cards.all()], page.locator(
        "#tree .world"
    ).get_attribute("transform")


def test_runs_that_part_at_the_root_show_both_chosen_lines(
    new_page: NewPage, serve: Serve, tmp_path: Path
) -> None:
    def line(*plies: str, score: float, layer: str = "min") -> dict[str, Any]:
        below = line(*plies[1:], score=score, layer="max" if layer == "min" else "min") if plies[1:] else None
        return {**node(plies[0], score, layer=layer), **({"children": [below]} if below else {})}

    for name, score in (("new", 31), ("old", 28)):
        lines = [
            line("d4", "d5", "c4", score=28),
            line("e4", "e5", "f4", score=score if name == "new" else 20),
        ]
        root = {"layer": "max", "score": score, "depth": score, "bound": "exact", "children": lines}
        document = {"plyscope": 1, "result": {"ply": "e4" if name == "new" else "d4"}, "root": root}
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    page = visit(new_page(), serve(tmp_path / "new.json", tmp_path / "old.json"))
    keys(page, "f")
    press(page, page.get_by_role("button", name="Compare with old.json"))
    expect(page.locator(".diff-part")).to_contain_text("part at #0: root")
    assert selected(page) == "e4"
    assert page.locator("[role=treeitem] .node-name").all_text_contents() == [
        "root", "e4", "e5", "f4", "d4", "d5", "c4"]  # fmt: skip


def test_logs_of_two_games_are_refused_in_words(new_page: NewPage, serve: Serve, tmp_path: Path) -> None:
    for name, game in (("new", "chess"), ("old", "go")):
        (tmp_path / f"{name}.json").write_text(json.dumps({**OLD, "game": game}))
    server = serve(tmp_path / "new.json", tmp_path / "old.json")
    page = new_page()
    ids = {log["name"]: log["id"] for log in page.request.get(f"{server.address}api/logs").json()["logs"]}
    visit(page, server, f"#log={ids['new.json']}&node=0&against={ids['old.json']}")
    expect(page.locator("#notices")).to_contain_text("different games, 'go' and 'chess'")
    expect(page.locator('[data-lens="against"]')).to_have_count(0)


def test_the_choice_says_before_a_press_which_logs_cannot_be_compared_and_why(
    new_page: NewPage, serve: Serve, tmp_path: Path
) -> None:
    """Headers of logs that were not read yet say it already."""
    files = []
    for name, game, position in (
        ("open", "chess", "a"), ("moved", "chess", "b"), ("same", "chess", "a"), ("other", "go", "a"),
    ):  # fmt: skip
        files.append(tmp_path / f"{name}.json")
        header = {"plyscope": 1, "game": game, "position": position}
        files[-1].write_text(json.dumps({**header, "root": OLD["root"]}))
    (tmp_path / "plain.json").write_text(json.dumps(OLD))
    page = visit(new_page(), serve(*files, tmp_path / "plain.json"))
    # Only what can be compared has an icon in the list.
    expect(page.locator(".log-compare")).to_have_count(2)
    keys(page, "d")
    choices = page.get_by_role("dialog").locator(".choice")
    expect(choices).to_have_text(
        [
            re.compile("^same.json"),
            re.compile("^moved.json.*another position|^other.json.*another game, go"),
            re.compile("^moved.json.*another position|^other.json.*another game, go"),
            re.compile("^plain.json.*not known, so they may have nothing in common"),
        ]
    )
    # Arrows go through all, a press on one that cannot be compared does nothing.
    page.keyboard.press("ArrowDown")
    expect(choices.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(settled(page), context="#compare-dialog")
        assert found.violations_count == 0, found.generate_report()
    press(page, choices.first)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator('[data-lens="against"]')).to_contain_text("same.json")


def test_where_nothing_is_of_the_open_position_two_others_are_one_choice(page: Page) -> None:
    page.keyboard.press("d")
    settled(page)
    choice = page.get_by_role("dialog").locator(".choice").first
    expect(choice).to_have_text(re.compile("^chess-three-plies.json.gz → chess-middlegame.json.gz"))
    expect(choice).to_be_focused()
    page.keyboard.press("Enter")
    expect(settled(page).locator(".diff-part")).to_contain_text("The choice changed, from Bxd1 +5.56 to")
    expect(page.get_by_role("treeitem", selected=True)).to_be_focused()


def test_on_a_phone_a_log_that_is_chosen_is_seen_and_so_is_what_a_comparison_says(
    new_page: NewPage, serve: Serve
) -> None:
    page = visit(new_page(390, 844), serve())
    page.keyboard.press("[")
    settled(page)
    page.locator("#logs").get_by_role("button", name="chess-middlegame", exact=False).first.click()
    settled(page)
    expect(page.locator("#logs-panel")).to_be_hidden()
    page.keyboard.press("d")
    settled(page)
    page.keyboard.press("Enter")
    said = settled(page).locator(".diff-part")
    expect(said).to_contain_text("The choice changed")
    assert said.bounding_box()["y"] < page.locator("#why").bounding_box()["y"]  # type: ignore[index]
    expect(page.locator("#drawer").get_by_role("option").filter(visible=True)).to_have_count(0)
    # A menu is no higher than the window: what it holds is reached.
    page.keyboard.press("q")
    box = page.locator("#page-menu").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844


def iterations(new_page: NewPage, serve: Serve, tmp_path: Path) -> Page:
    """A log of three iterations."""
    plies = {1: [("a", 1)], 2: [("a", 3), ("b", 2)], 3: [("b", 5), ("c", 4)]}
    roots = [
        {
            "iteration": number,
            "layer": "max",
            "score": max(score for _, score in each),
            "bound": "exact",
            "children": [node(ply, score) for ply, score in each],
        }
        for number, each in plies.items()
    ]
    (tmp_path / "deep.json").write_text(json.dumps({"plyscope": 1, "roots": roots}))
    return visit(new_page(), serve(tmp_path / "deep.json"))


def of_last(page: Page, ply: str) -> str:
    """The score of this ply in the last tree."""
    return card(page, ply).last.locator(".node-score").text_content() or ""


def test_two_iterations_of_one_log_are_one_tree(new_page: NewPage, serve: Serve, tmp_path: Path) -> None:
    page = iterations(new_page, serve, tmp_path)
    keys(page, "s")
    words = page.locator(".iteration-words")
    expect(words).to_contain_text("iteration 3")
    expect(words.get_by_role("button", name="compare with")).to_have_count(0)
    page.get_by_label("Iteration", exact=True).focus()
    keys(page, "ArrowLeft")
    press(page, words.get_by_role("button", name="compare with iteration 2"))
    expect(page.locator('[data-lens="against"]')).to_have_text("against iteration 2 · 4 changes")
    expect(page.locator(".diff-part")).to_contain_text("The choice changed, from a +3 to b +5.")
    assert of_last(page, "b") == "+2 → +5"
    expect(card(page, "c").locator(".diff-mark")).to_have_text("+")
    expect(page.locator('.node-gone .node-name:text-is("a")')).to_have_count(1)
    expect(page).to_have_url(re.compile("against_iteration=2"))
    page.reload()
    settled(page)
    expect(page.locator('[data-lens="against"]')).to_contain_text("against iteration 2")
    assert of_last(page, "b") == "+2 → +5"
    page.locator("#tree [role=treeitem]").first.click()
    keys(page, "Escape")
    expect(page.locator('[data-lens="against"]')).to_have_count(0)
    assert of_last(page, "b") == "+5"


def test_best_first_trees_show_both_means(new_page: NewPage, serve: Serve, tmp_path: Path) -> None:
    for name, visits, mean in (("new", 60, 0.6), ("old", 25, 0.4)):
        children = [{"ply": "a", "visits": visits, "mean": mean}, {"ply": "b", "visits": 10, "mean": 0.5}]
        root = {"visits": 100, "mean": 0.5, "children": children}
        search = {"order": "best_first", "range": [0, 1]}
        (tmp_path / f"{name}.json").write_text(json.dumps({"plyscope": 1, "search": search, "root": root}))
    page = visit(new_page(), serve(tmp_path / "new.json", tmp_path / "old.json"))
    press(page, page.get_by_role("button", name="Compare with old.json"))
    assert score(page, "a").replace("\u202f", " ") == "40.0 % → 60.0 %"
    expect(page.locator(".node-visits", has_text="25 → 60")).to_have_count(1)
    expect(page.locator(".diff-part")).to_contain_text("its rows have no order of time")
    press(page, page.locator(".diff-part").get_by_role("button", name="a", exact=True))
    assert selected(page) == "a"
    assert [each.replace("\u202f", " ") for each in cells(page)[0]] == [
        "other visits",
        "⌀ 40.0 % · 25",
        "⌀ 60.0 % · 60",
        "",
        "",
    ]


def test_statistics_stand_in_pairs(compared: Page) -> None:
    page = compared
    levels = page.locator("[data-figure=levels] tbody tr")
    keys(page, "s")
    expect(page.locator(".figure-key")).to_have_text("old.jsonthis log")
    told = [row.locator("td.number").first.inner_text().split() for row in levels.all()]
    assert told == [["before", "1", "1"], ["before", "4", "3"], ["before", "2", "1"]]
    shares = [
        [
            bar.evaluate("bar => Number(bar.style.getPropertyValue('--share'))")
            for bar in row.locator(".bar").all()
        ]
        for row in levels.all()
    ]
    assert shares == [[0.25, 0.25], [1, 0.75], [0.5, 0.25]]
    expect(levels.first.locator(".bar-old")).to_have_count(1)
    plies = page.locator("[data-figure=where] tbody tr")
    names = plies.locator("th").all_inner_texts()
    assert sorted(names) == ["Nf3", "a3", "d4", "e4", "h3"]
    gone = plies.filter(has_text="h3").locator("td.number").first
    assert gone.inner_text().split() == ["before", "1", "–"]
    keys(page, "Escape")
    expect(page.locator(".figure-key")).to_have_count(0)
    expect(levels.nth(1).locator("td.number").first).to_have_text("3")


def test_changes_are_a_table_that_is_sorted_saved_and_linked(compared: Page) -> None:
    page = compared
    link = linked(page)
    # A heading sorts what comes while a kind is asked for.
    held: list[Route] = []
    page.route(re.compile("/diff/table.*kinds=score"), lambda route: held.append(route), times=1)
    page.get_by_label("Kind of change").select_option("score")
    page.get_by_role("group", name="Sort by").get_by_role("button", name="difference").click()
    page.wait_for_function("() => document.documentElement.dataset.idle === 'false'")
    held.pop().continue_()
    expect(page).to_have_url(re.compile(r"rows=changes.score&sort=difference"))
    assert [row[3] for row in cells(settled(page))] == ["−3", "−3", "+3"]
    # A heading that is held down while rows come sorts them.
    again(page, link)
    heading = page.get_by_role("group", name="Sort by").get_by_role("button", name="difference")
    heading.hover()
    page.mouse.down()
    page.get_by_label("Kind of change").select_option("score")
    expect(page.locator(".drawer .rows-title")).to_have_text("3 changes")
    heading.hover()  # the drawer has become lower
    page.mouse.up()
    assert [row[3] for row in cells(settled(page))] == ["−3", "−3", "+3"]
    # Changes are a source of the one table.
    again(page, link)
    page.set_viewport_size({"width": 1600, "height": 1000})  # room for all rows
    expect(page.locator(".drawer .rows-title")).to_have_text("8 changes")
    expect(rows(page)).to_have_count(8)
    assert cells(page) == [
        ["another score", "+28", "+31", "+3", ""],
        ["another score", "+28", "+25", "−3", ""],
        ["another score", "+28", "+25", "−3", ""],
        ["only in the old tree", "+40", "–", "", "1"],
        ["only in the old tree", "+5", "–", "", "1"],
        ["newly pruned", "+4", "–", "", "1"],
        ["only in the new tree", "–", "+31", "", "1"],
        ["another stub", "–", "1", "", ""],
    ]
    expect(rows(page).nth(3)).to_contain_text("<b>e6</b>")
    for at, name in ((6, "Nf3"), (5, "h3"), (3, "<b>e6</b>")):
        press(page, rows(page).nth(at))
        assert selected(page) == name
        expect(rows(page).nth(at)).to_have_attribute("aria-selected", "true")
    press(page, page.get_by_role("group", name="Sort by").get_by_role("button", name="difference"))
    assert [row[3] for row in cells(page)] == ["−3", "−3", "+3", "", "", "", "", ""]
    press(page, page.get_by_role("group", name="Sort by").get_by_role("button", name="difference"))
    assert [row[3] for row in cells(page)][:3] == ["+3", "−3", "−3"]
    page.get_by_label("Kind of change").select_option("newly_pruned")
    settled(page)
    assert cells(page) == [["newly pruned", "+4", "–", "", "1"]]
    expect(page.locator(".drawer .rows-title")).to_have_text("1 change")
    # The table of changes is a file and part of the address.
    again(page, link)
    page.get_by_label("Kind of change").select_option("score")
    press(page, page.get_by_role("group", name="Sort by").get_by_role("button", name="difference"))
    with page.expect_download() as caught:
        page.locator(".rows-file:visible").click()
    assert Path(caught.value.path()).read_text().splitlines() == [
        "path,change,before,before_bound,now,now_bound,difference,nodes,old_id,new_id",
        "d4,score,28,exact,25,exact,-3,,1,1",
        "d4 > d5,score,28,exact,25,exact,-3,,2,2",
        "root,score,28,exact,31,exact,3,,0,0",
    ]
    expect(page).to_have_url(re.compile(r"rows=changes.score&sort=difference"))
    page.reload()
    settled(page)
    assert [row[3] for row in cells(page)] == ["−3", "−3", "+3"]
    page.set_viewport_size({"width": 1920, "height": 900})  # else a list may stand in place of many buttons
    press(page, page.get_by_role("button", name="Children", exact=True))
    press(page, page.get_by_role("button", name="Changes", exact=True))
    expect(page.locator(".drawer .rows-title")).to_have_text("8 changes")
