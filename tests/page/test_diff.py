"""Another log beside the open one: button, key, chip, cards, sentences, the list of changes, links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import NewPage, Serve, Show, again, downloaded, keys, linked, press, settled, visit
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import camera, names, selected


def node(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "bound": "exact", "depth": 3, **fields}


def root(score: float, *children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"layer": "max", "score": score, "bound": "exact", "children": [*children], **fields}


OLD = root(
    28,
    node("d4", 28, children=[node("d5", 28, layer="max"), node("<b>e6</b>", 40, layer="max")]),
    node("e4", 20),
    node("a3", 5),
    node("h3", 4),
)
NEW = root(
    31,
    node("d4", 25, children=[node("d5", 25, layer="max", depth=1)]),
    node("e4", 20),
    node("Nf3", 31),
    {"outcome": "pruned", "count": 1, "plies": ["h3"]},
)


def log(root: dict[str, Any], **header: Any) -> dict[str, Any]:
    return {"plyscope": 1, **header, "root": root}


@pytest.fixture
def new(show: Show) -> Page:
    return show(log(NEW), named="new.json", beside={"old.json": log(OLD)})


def compare(page: Page) -> Page:
    return press(page, page.get_by_role("button", name="Compare with old.json"))


def against(page: Page) -> Locator:
    return page.locator('[data-lens="against"]')


def score(page: Page, ply: str) -> str:
    return card(page, ply).last.locator(".node-score").text_content() or ""


def card(page: Page, ply: str) -> Locator:
    return page.locator(f'[role=treeitem]:has(.node-name:text-is("{ply}"))')


def rows(page: Page) -> Locator:
    return page.locator("#drawer .rows-row[role=option]")


def cells(page: Page) -> list[list[str]]:
    """The texts of the table's cells, row by row, without paths and ids."""
    return [row.locator(":scope > span").all_text_contents()[1:-1] for row in rows(page).all()]


def test_a_comparison_says_what_changed_on_cards_in_words_by_keys_in_links_and_in_a_table(new: Page) -> None:
    page = compare(new)
    link = linked(page)
    title = page.locator(".drawer .rows-title")
    heading = page.get_by_role("group", name="Sort by").get_by_role("button", name="difference")
    kind = page.get_by_label("Kind of change")

    def differences() -> list[str]:
        return [row[3] for row in cells(settled(page))]

    # Changes are a source of the one table.
    page.set_viewport_size({"width": 1920, "height": 1000})  # room for all rows and all buttons
    expect(title).to_have_text("8 changes")
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
    for at, name in ((6, "Nf3"), (5, "h3"), (3, "<b>e6</b>")):
        press(page, rows(page).nth(at))
        assert selected(page) == name
        expect(rows(page).nth(at)).to_have_attribute("aria-selected", "true")
    press(page, heading)
    assert differences() == ["−3", "−3", "+3", "", "", "", "", ""]
    press(page, heading)
    assert differences()[:3] == ["+3", "−3", "−3"]
    # The table of changes is a file and part of the address.
    again(page, link)
    kind.select_option("score")
    press(page, heading)
    saved = downloaded(page, page.locator(".rows-file:visible"))
    assert Path(saved.path()).read_text().splitlines() == [
        "path,change,before,before_bound,now,now_bound,difference,nodes,old_id,new_id",
        "d4,score,28,exact,25,exact,-3,,1,1",
        "d4 > d5,score,28,exact,25,exact,-3,,2,2",
        "root,score,28,exact,31,exact,3,,0,0",
    ]
    expect(page).to_have_url(re.compile(r"rows=changes.score&sort=difference"))
    page.reload()
    assert differences() == ["−3", "−3", "+3"]
    expect(kind).to_have_value("score")
    press(page, page.get_by_role("button", name="Children", exact=True))
    press(page, page.get_by_role("button", name="Changes", exact=True))
    expect(title).to_have_text("8 changes")
    page.set_viewport_size({"width": 1440, "height": 900})
    again(page, link)
    # The comparison says itself and goes to where the runs part.
    expect(against(page)).to_have_text("against old.json · 8 changes")
    said = page.locator(".diff-part")
    expect(said).to_contain_text("The choice changed, from d4 +28 to Nf3 +31.")
    expect(said).to_contain_text("The two runs part at #2: d4 > d5 is searched 2 plies shallower now.")
    assert selected(page) == "d5"
    # Cards show what changed.
    assert score(page, "d4") == "+28 → +25"
    assert score(page, "e4") == "+20"
    expect(card(page, "e4")).to_have_class(re.compile(r"\bnode-unchanged\b"))
    expect(card(page, "Nf3").locator(".diff-mark")).to_have_text("+")
    expect(card(page, "d5").locator(".diff-flag")).to_have_count(1)
    expect(card(page, "d5").locator(".diff-first title")).to_have_text("The first difference, #2")
    for ply, heard in (("Nf3", "only in the new tree"), ("d5", "here the runs part")):
        expect(card(page, ply)).to_have_accessible_name(re.compile(heard))
    press(page, said.get_by_role("button", name="Nf3 +31"))
    assert selected(page) == "Nf3"
    # A ply that is pruned now wears scissors.
    again(page, link)
    pruned = card(page, "h3")
    marks = [each.locator(".node-mark").get_attribute("d") for each in (pruned, card(page, "1 pruned"))]
    assert marks[0] == marks[1]
    press(page, pruned)
    expect(page.locator(".diff-node")).to_contain_text("Only in old.json, newly pruned in this log.")
    # What only the old log has stands in the tree and is walked.
    again(page, link)
    stub = "1 sibling cut off by alpha-beta"
    assert names(page) == ["root", "Nf3", "d4", "d5", "<b>e6</b>", "e4", "a3", "h3", stub]
    gone = card(page, "<b>e6</b>")
    expect(gone).to_have_class(re.compile(r"\bnode-gone\b"))
    expect(gone.locator(".diff-mark")).to_have_text("−")
    assert score(page, "<b>e6</b>") == "+40"
    expect(page.locator("#tree .link-alone")).to_have_count(5)
    card(page, "d5").click()
    keys(page, "ArrowDown")
    assert selected(page) == "<b>e6</b>"
    expect(page.locator(".diff-node")).to_have_text("Only in old.json. Open it there")
    expect(page.locator("#why")).to_have_count(0)
    keys(page, "t", "t")
    expect(page.locator("#notices")).to_contain_text("Only the other log has this node")
    keys(page, "ArrowLeft")
    assert selected(page) == "d4"
    # A row that is pressed while the list scrolls is chosen.
    again(page, link)
    box = place_of(rows(page).nth(3))
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] / 2)
    page.mouse.down()
    scroll = "list => new Promise(done => { list.onscrollend = done; list.scrollTop += 4; })"
    page.locator(".rows-list").evaluate(scroll)
    page.mouse.up()
    assert selected(settled(page)) == "<b>e6</b>"
    # Keys step from change to change and escape ends.
    again(page, link)
    keys(page, "n")
    assert selected(page) == "<b>e6</b>"
    keys(page, "N")
    assert selected(page) == "d5"
    # Statistics stand in pairs.
    keys(page, "s")
    levels = page.locator("[data-figure=levels] tbody tr")
    expect(page.locator(".figure-key")).to_have_text("old.jsonthis log")
    told = [row.locator("td.number").first.inner_text().split() for row in levels.all()]
    assert told == [["before", "1", "1"], ["before", "4", "3"], ["before", "2", "1"]]
    keys(page, "Escape")
    expect(against(page)).to_have_count(0)
    expect(levels.nth(1).locator("td.number").first).to_have_text("3")
    expect(page.locator(".diff-part")).to_have_count(0)
    assert score(page, "d4") == "+25"
    again(page, link)
    # A link holds the comparison, and a node that only the old log has.
    press(page, card(page, "<b>e6</b>"))
    expect(page).to_have_url(re.compile(r"node=-.*against="))
    page.reload()
    expect(against(settled(page))).to_contain_text("against old.json")
    assert selected(page) == "<b>e6</b>"
    # A link opens the old log at a node that only it has.
    press(page, card(page, "h3"))
    press(page, page.get_by_role("link", name="Open it there"))
    expect(page.locator(".log-open")).to_contain_text("old.json")
    expect(against(page)).to_contain_text("against new.json")
    assert selected(page) == "h3"


def test_a_comparison_is_begun_by_key_and_its_end_restores_what_was_shown(new: Page) -> None:
    page = new
    link = linked(page)

    def shown() -> tuple[list[str], str]:
        cards = page.locator("[role=treeitem]")
        return [each.get_attribute("aria-label") or "" for each in cards.all()], camera(page)

    press(page, card(page, "e4"))
    keys(page, "t", "t")
    before = shown()
    compare(page)
    press(page, card(page, "<b>e6</b>"))
    assert shown() != before
    press(page, page.get_by_role("button", name="End the comparison", exact=True).first)
    assert shown() == before
    assert selected(page) == "e4"
    # The key leads to the choice of a log.
    again(page, link)
    keys(page, "d")
    expect(page.get_by_role("dialog").get_by_role("button", name="old.json")).to_be_focused()
    keys(page, "Enter")
    expect(against(page)).to_be_visible()
    # A log that is gone is said.
    expect(page).to_have_url(re.compile("#log=.*node="))
    link = page.url.split("&")[0] + "&node=1&against=gone"
    page.goto("about:blank")  # within the page it would be the address of what is shown before a reload
    page.goto(link)
    gone = "The log gone that this view compares with is not in the list any more."
    expect(settled(page).locator("#notices")).to_contain_text(gone)
    expect(against(page)).to_have_count(0)
    assert selected(page) == "d4"


def test_runs_that_part_at_the_root_show_both_chosen_lines(show: Show) -> None:
    def line(score: float, *plies: str, layer: str = "min") -> dict[str, Any]:
        below = [line(score, *plies[1:], layer="max" if layer == "min" else "min")] if plies[1:] else []
        return node(plies[0], score, layer=layer, children=below)

    now, before = (
        log(root(score, line(28, "d4", "d5", "c4"), line(e4, "e4", "e5", "f4"), depth=score), result=result)
        for score, e4, result in ((31, 31, {"ply": "e4"}), (28, 20, {"ply": "d4"}))
    )
    page = keys(show(now, named="new.json", beside={"old.json": before}), "f")
    compare(page)
    expect(page.locator(".diff-part")).to_contain_text("part at #0: root")
    assert selected(page) == "e4"
    assert names(page) == ["root", "e4", "e5", "f4", "d4", "d5", "c4"]


def test_the_choice_says_before_a_press_which_logs_cannot_be_compared_and_why(show: Show) -> None:
    """Headers of logs that were not read yet say it already."""
    headers = {
        "moved": {"game": "chess", "position": "b"},
        "same": {"game": "chess", "position": "a"},
        "other": {"game": "go", "position": "a"},
        "plain": {},
    }
    beside = {f"{name}.json": log(OLD, **header) for name, header in headers.items()}
    page = show(log(OLD, game="chess", position="a"), beside=beside)
    # Only what can be compared has an icon in the list.
    expect(page.locator(".log-compare")).to_have_count(2)
    keys(page, "d")
    choices = page.get_by_role("dialog").locator(".choice")
    unlike = re.compile("^moved.json.*another position|^other.json.*another game, go")
    unknown = re.compile("^plain.json.*not known, so they may have nothing in common")
    expect(choices).to_have_text([re.compile("^same.json"), unlike, unlike, unknown])
    # Arrows go through all, a press on one that cannot be compared does nothing.
    page.keyboard.press("ArrowDown")
    expect(choices.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert serious(page, "#compare-dialog") == []
    press(page, choices.first)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(against(page)).to_contain_text("same.json")
    # A link to what cannot be compared says why.
    other = page.locator("#logs .log-button", has_text="other.json").get_attribute("data-key") or ""
    link = f"{page.url.split('&')[0]}&node=0&against={other.removeprefix('log-')}"
    page.goto("about:blank")  # within the page it would be the address of what is shown before a reload
    page.goto(link)
    expect(settled(page).locator("#notices")).to_contain_text("different games, 'go' and 'chess'")
    expect(against(page)).to_have_count(0)


def test_where_nothing_is_of_the_open_position_two_others_are_one_choice(
    serve: Serve, new_page: NewPage
) -> None:
    page = keys(visit(new_page(), serve()), "d")
    choice = page.get_by_role("dialog").locator(".choice").first
    expect(choice).to_have_text(re.compile("^chess-three-plies.json.gz → chess-middlegame.json.gz"))
    expect(choice).to_be_focused()
    keys(page, "Enter")
    expect(page.locator(".diff-part")).to_contain_text("The choice changed, from Bxd1 +5.56 to")
    expect(page.get_by_role("treeitem", selected=True)).to_be_focused()


def test_on_a_phone_a_log_that_is_chosen_is_seen_and_so_is_what_a_comparison_says(show: Show) -> None:
    start = log(root(1, node("x", 1)), game="nim")
    page = show(start, 390, 844, beside={"new.json": log(NEW), "old.json": log(OLD)})
    keys(page, "[")
    press(page, page.locator("#logs .log-button", has_text="new.json"))
    expect(page.locator("#logs-panel")).to_be_hidden()
    keys(page, "d", "Enter")
    said = page.locator(".diff-part")
    expect(said).to_contain_text("The choice changed")
    assert place_of(said)["y"] < place_of(page.locator("#why"))["y"]
    expect(rows(page).filter(visible=True)).to_have_count(0)
    # A menu is no higher than the window: what it holds is reached.
    page.keyboard.press("q")
    box = place_of(page.locator("#page-menu"))
    assert box["y"] + box["height"] <= 844


def test_two_iterations_of_one_log_are_one_tree_and_best_first_trees_show_both_means(show: Show) -> None:
    def means(visits: int, mean: float) -> dict[str, Any]:
        plies = [{"ply": "a", "visits": visits, "mean": mean}, {"ply": "b", "visits": 10, "mean": 0.5}]
        best_first = {"order": "best_first", "range": [0, 1]}
        return log({"visits": 100, "mean": 0.5, "children": plies}, search=best_first)

    plies = {1: {"a": 1}, 2: {"a": 3, "b": 2}, 3: {"b": 5, "c": 4}}
    roots = [
        root(max(each.values()), *(node(*ply) for ply in each.items()), iteration=number)
        for number, each in plies.items()
    ]
    beside = {"new.json": means(60, 0.6), "old.json": means(25, 0.4)}
    page = keys(show({"plyscope": 1, "roots": roots}, beside=beside), "s")
    words = page.locator(".iteration-words")
    expect(words).to_contain_text("iteration 3")
    expect(words.get_by_role("button", name="compare with")).to_have_count(0)
    page.get_by_label("Iteration", exact=True).focus()
    keys(page, "ArrowLeft")
    press(page, words.get_by_role("button", name="compare with iteration 2"))
    expect(against(page)).to_have_text("against iteration 2 · 4 changes")
    expect(page.locator(".diff-part")).to_contain_text("The choice changed, from a +3 to b +5.")
    assert score(page, "b") == "+2 → +5"
    expect(card(page, "c").locator(".diff-mark")).to_have_text("+")
    expect(page.locator('.node-gone .node-name:text-is("a")')).to_have_count(1)
    expect(page).to_have_url(re.compile("against_iteration=2"))
    page.locator("#tree [role=treeitem]").first.click()
    keys(page, "Escape")
    expect(against(page)).to_have_count(0)
    assert score(page, "b") == "+5"
    # The means of trees that play-outs grew.
    keys(page, "s")
    press(page, page.locator("#logs .log-button", has_text="new.json"))
    compare(page)
    assert score(page, "a").replace("\u202f", " ") == "40.0 % → 60.0 %"
    expect(page.locator(".node-visits", has_text="25 → 60")).to_have_count(1)
    said = page.locator(".diff-part")
    expect(said).to_contain_text("its rows have no order of time")
    press(page, said.get_by_role("button", name="a", exact=True))
    assert selected(page) == "a"
    row = [each.replace("\u202f", " ") for each in cells(page)[0]]
    assert row == ["other visits", "⌀ 40.0 % · 25", "⌀ 60.0 % · 60", "", ""]
