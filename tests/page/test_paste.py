"""Bringing logs into the page: pasted, written, dropped, chosen; edited and read otherwise; deleted again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Server, Show, again, keys, linked, press, settled, visit
from tests.page.panels import SAMPLE, details, drag_files, logs, node, paste, write_log

LITERAL = """var json = {id: 'a', name: 'start', data: {score: 3}, children: [
    {id: 'b', name: 'Nf3', data: {score: 3}, children: []},
    {id: 'c', name: 'e4', data: {score: -1}, children: []},
]};"""
BROKEN = '{"plyscope": 1, "root":\n  {"ply": "c6", "score": fals}}'
NESTED = json.dumps(
    {
        "move": "start",
        "value": 4,
        "other": 7,
        "nextMove": [{"move": "a", "value": 4, "other": 1, "nextMove": []}],
    }
)


@pytest.fixture
def sample(show: Show) -> Page:
    """The page on the sample log, at 1440 by 900."""
    return show(SAMPLE)


def paste_dialog(page: Page) -> Locator:
    press(page, page.get_by_role("button", name="Open a log"))
    press(page, page.get_by_role("button", name="Paste JSON"))
    return page.get_by_role("dialog", name="Paste JSON")


def selected_text(box: Locator) -> str:
    text = box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert isinstance(text, str)
    return text


def test_of_a_session_over_uci_one_says_which_search_is_shown_and_where_it_began(sample: Page) -> None:
    told = "info depth 1 score cp {} nodes 20 pv {}\nbestmove {}\n"
    paste(sample, told.format(18, "e2e4 e7e5", "e2e4"))
    notes = sample.get_by_role("region", name="Notes on this log")
    expect(notes).to_contain_text("The session has no `position` line".replace("`", ""))
    press(sample, notes.get_by_role("button", name="Change"))
    dialog = sample.get_by_role("dialog", name="How this session is read")
    assert dialog.locator("input").evaluate_all("all => all.map(({id}) => id)") == [
        "mapping-go",
        "mapping-position",
    ]
    # What cannot be is refused in the dialog.
    dialog.get_by_label("go", exact=True).fill("7")
    press(sample, dialog.get_by_role("button", name="Read again with this mapping"))
    expect(dialog.get_by_role("alert")).to_contain_text("expected the number of a search, 1 to 1")
    dialog.get_by_label("go", exact=True).fill("1")
    dialog.get_by_label("position", exact=True).fill("startpos")
    press(sample, dialog.get_by_role("button", name="Read again with this mapping"))
    expect(dialog).to_be_hidden()
    expect(sample.locator("#details-panel svg.board").first).to_be_visible()
    expect(notes).not_to_contain_text("has no position line")


def test_the_box_loads_what_is_written_pasted_or_taken_from_the_tree(sample: Page) -> None:
    link = linked(sample)
    # The dialog itself fills in the shown subtree.
    dialog = paste_dialog(sample)
    press(sample, dialog.get_by_role("button", name="Fill in the shown subtree of root"))
    assert "wA1" in dialog.get_by_role("textbox", name="Log as text").input_value()
    expect(dialog).to_contain_text("The shown subtree:")
    # The box takes the shown subtree to edit and load again.
    keys(sample, "Escape")
    press(sample, node(sample, "wB1"))
    press(sample, details(sample).get_by_role("button", name="Shown subtree as JSON"))
    dialog = sample.get_by_role("dialog", name="Paste JSON")
    box = dialog.get_by_role("textbox", name="Log as text")
    text = box.input_value()
    assert json.loads(text)["plyscope"] == 1
    assert "bG2" in text
    assert "wA1" not in json.loads(text)["root"].get("children", [{}])[0].get("ply", "")
    box.fill(text.replace("bG2", "bX9"))
    press(sample, dialog.get_by_role("button", name="Load"))
    expect(node(sample, "bX9")).to_be_visible()
    # What is written in the box is loaded and errors keep it.
    again(sample, link)
    dialog = paste_dialog(sample)
    box = dialog.get_by_role("textbox", name="Log as text")
    load = dialog.get_by_role("button", name="Load")
    press(sample, load)
    expect(dialog.get_by_role("alert")).to_contain_text("nothing to load")
    box.fill(BROKEN)
    press(sample, load)
    expect(dialog.get_by_role("alert")).to_contain_text("line 2")
    expect(box).to_have_value(BROKEN)
    assert selected_text(box).startswith("fals")
    box.fill(BROKEN.replace("fals", "3"))
    press(sample, load)
    expect(dialog).to_be_hidden()
    expect(node(sample, "c6")).to_be_visible()
    # A paste into the empty box is loaded at once and one into a text is an edit.
    dialog = paste_dialog(sample)
    box = dialog.get_by_role("textbox", name="Log as text")
    box.fill("x")
    paste(sample, LITERAL)
    expect(dialog).to_be_visible()
    box.fill("")
    paste(sample, LITERAL)
    expect(dialog).to_be_hidden()
    expect(node(sample, "Nf3")).to_be_visible()


def test_files_are_dropped_or_chosen(sample: Page, tmp_path: Path) -> None:
    # A dropped file that is no log is an error that can be closed.
    drag_files(sample, "drop", {"notes.txt": "shopping: milk"})
    message = sample.get_by_role("alert").filter(has_text=re.compile("."))
    expect(message).to_be_visible()
    press(sample, sample.get_by_role("button", name="Close this message"))
    expect(message).to_have_count(0)
    expect(node(sample, "wA1")).to_be_visible()
    # Files dropped anywhere are all listed and the last is open.
    zone = sample.get_by_text("Drop to open it as a log")
    expect(zone).to_be_hidden()
    drag_files(sample, "dragenter", {"a.json": LITERAL})
    expect(zone).to_be_visible()
    drag_files(sample, "drop", {"first.js": LITERAL, "second.json": NESTED})
    expect(zone).to_be_hidden()
    expect(logs(sample).get_by_role("button", name=re.compile("^first.js")).first).to_be_visible()
    expect(logs(sample).get_by_role("button", name=re.compile("^second.json")).first).to_have_attribute(
        "aria-current", "true"
    )
    # Files can be chosen.
    paths = [write_log(tmp_path, LITERAL, "one.js"), write_log(tmp_path, NESTED, "two.json")]
    with sample.expect_file_chooser() as chooser:
        sample.get_by_role("button", name="Open a log").click()
        sample.get_by_role("button", name="Open file").click()
    assert chooser.value.is_multiple()
    chooser.value.set_files(paths)
    expect(logs(sample).get_by_role("button", name=re.compile("^two.json")).first).to_have_attribute(
        "aria-current", "true"
    )
    settled(sample)
    expect(logs(sample).get_by_role("button", name=re.compile("^one.js")).first).to_be_visible()


def test_a_text_over_the_limit_is_refused_with_what_to_do(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path), MAX_CONTENT_LENGTH=2000))
    drag_files(page, "drop", {"big.json": "[" + " " * 3000 + "]"})
    expect(page.get_by_role("alert").filter(has_text="2.0 kB")).to_contain_text("plyscope view big.json")


def test_a_tree_of_chess_is_drawn_in_san_until_a_person_says_that_it_is_none(sample: Page) -> None:
    fen = "7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"
    tree = {"score": 0, "children": [{"move": "a1a8", "score": 9}, {"move": "e1g1", "score": 0}]}
    paste(sample, json.dumps({"fen": fen, "tree": tree}))
    press(sample, node(sample, "Ra8#"))
    expect(details(sample).locator(".board-surrounded")).to_have_count(1)
    expect(details(sample)).to_contain_text("a1a8")
    notes = sample.get_by_role("region", name="Notes on this log")
    expect(notes).to_contain_text("Taken as chess")
    press(sample, notes.get_by_role("button", name="Change"))
    dialog = sample.get_by_role("dialog", name="How this tree is read")
    game = dialog.get_by_role("combobox", name="game", exact=True)
    expect(game).to_have_value("chess")
    game.select_option("")
    press(sample, dialog.get_by_role("button", name="Read again with this mapping"))
    expect(dialog).to_be_hidden()
    expect(node(sample, "a1a8")).to_be_visible()
    expect(notes).not_to_contain_text("Taken as chess")


def test_how_a_tree_of_others_was_read_is_said_and_changed(sample: Page) -> None:
    # How a foreign tree was read is said and can be changed.
    paste(sample, NESTED)
    notes = sample.get_by_role("region", name="Notes on this log")
    expect(notes).to_contain_text("nextMove")
    press(sample, notes.get_by_role("button", name="Change"))
    dialog = sample.get_by_role("dialog", name="How this tree is read")
    score = dialog.get_by_role("combobox", name="score", exact=True)
    expect(score).to_have_value("value")
    expect(dialog.locator("#mapping-score-about")).to_contain_text("read as 4")
    score.select_option("other")
    press(sample, dialog.get_by_role("button", name="Read again with this mapping"))
    expect(dialog).to_be_hidden()
    expect(sample.get_by_role("treeitem", name=re.compile(r"^start.*score \+7"))).to_be_visible()
    paste(sample, NESTED.replace('"a"', '"b"'))
    expect(sample.get_by_role("treeitem", name=re.compile(r"^start.*score \+7"))).to_be_visible()
    press(sample, notes.get_by_role("button", name="Change"))
    press(sample, dialog.get_by_role("button", name="Guess again"))
    expect(sample.get_by_role("treeitem", name=re.compile(r"^start.*score \+4"))).to_be_visible()
    # Notes can be closed.
    paste(sample, NESTED)
    notes = sample.get_by_role("region", name="Notes on this log")
    press(sample, notes.get_by_role("button", name="Close the notes"))
    expect(notes).to_be_hidden()
    # Layers in turn are said in the dialog.
    paste(sample, '{"val": 1, "replies": [{"val": 1, "replies": [{"val": 1}]}]}')
    notes = sample.get_by_role("region", name="Notes on this log")
    press(sample, notes.get_by_role("button", name="Change"))
    dialog = sample.get_by_role("dialog", name="How this tree is read")
    layer = dialog.get_by_role("combobox", name="layer", exact=True)
    layer.select_option("min first")
    press(sample, dialog.get_by_role("button", name="Read again with this mapping"))
    expect(dialog).to_be_hidden()
    expect(notes).to_contain_text("layer in turn, min first")
    press(sample, notes.get_by_role("button", name="Change"))
    expect(layer).to_have_value("min first")
    # What a document says beside its tree stands under the run.
    keys(sample, "Escape")
    paste(sample, '{"stats": {"ms": 12}, "tree": {"val": 1, "visited": 4100, "replies": [{"val": 1}]}}')
    run = sample.get_by_role("region", name="The run")
    for words in ("stats.ms", "12", "visited", "4,100"):
        expect(run.locator(".facts").first).to_contain_text(words)
    # A paste too large for the box is taken whole.
    document = {"plyscope": 1, "root": {"children": [{"ply": f"p{i}", "score": i} for i in range(30_000)]}}
    text = json.dumps(document)
    assert len(text) > 900_000
    paste(sample, text)
    expect(sample.get_by_role("region", name="The run")).to_contain_text("30,001")


def test_a_text_pasted_anywhere_is_opened_or_refused_at_its_place(sample: Page) -> None:
    link = linked(sample)
    # A log from the command line cannot be deleted.
    assert logs(sample).get_by_role("button", name=re.compile("^Delete")).count() == 0
    # Text pasted into the search box stays there.
    again(sample, link)
    sample.get_by_role("searchbox").focus()
    paste(sample, LITERAL)
    assert sample.get_by_role("treeitem", name=re.compile("Nf3")).count() == 0
    expect(node(sample, "wA1")).to_be_visible()
    # A paste that is no log opens the box with its place marked.
    sample.get_by_role("searchbox").blur()
    paste(sample, BROKEN)
    dialog = sample.get_by_role("dialog", name="Paste JSON")
    expect(dialog.get_by_role("alert")).to_contain_text("line 2")
    box = dialog.get_by_role("textbox", name="Log as text")
    expect(box).to_have_value(BROKEN)
    assert selected_text(box).startswith("fals")
    # A value that is wrong is marked by its path.
    keys(sample, "Escape")
    text = '{"plyscope": 1, "root": {"children": [\n {"ply": "a"},\n {"ply": "b", "outcome": "cut"}]}}'
    paste(sample, text)
    dialog = sample.get_by_role("dialog", name="Paste JSON")
    expect(dialog.get_by_role("alert")).to_contain_text("children[1].outcome")
    assert selected_text(dialog.get_by_role("textbox", name="Log as text")) == '"cut"'
    # Text that is no log is said to be none in plain words.
    keys(sample, "Escape")
    paste(sample, "I tried the link but it did not work")
    alert = sample.get_by_role("dialog", name="Paste JSON").get_by_role("alert")
    expect(alert).to_contain_text("does not look like JSON")
    # A literal pasted anywhere becomes the open log.
    keys(sample, "Escape")
    paste(sample, LITERAL)
    expect(node(sample, "Nf3")).to_be_visible()
    expect(logs(sample).get_by_role("button", name=re.compile("pasted")).first).to_have_attribute(
        "aria-current", "true"
    )
    # A pasted log is deleted only after a second press.
    again(sample, link)
    paste(sample, LITERAL)
    panel = logs(sample)
    pasted = panel.get_by_role("button", name=re.compile("^pasted"))
    expect(pasted).to_have_count(1)
    press(sample, panel.get_by_role("button", name=re.compile("^Delete pasted")))
    press(sample, panel.get_by_role("button", name="Keep"))
    expect(pasted).to_have_count(1)
    press(sample, panel.get_by_role("button", name=re.compile("^Delete pasted")))
    press(sample, panel.get_by_role("button", name="Delete", exact=True))
    expect(pasted).to_have_count(0)
    expect(node(sample, "wA1")).to_be_visible()
