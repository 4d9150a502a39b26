"""Bringing logs into the page: pasted, written, dropped, chosen; edited and read otherwise; deleted again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.panels import SAMPLE, details, drag_files, logs, node, paste, write_log

LITERAL = """var json = {id: 'a', name: 'start', data: {score: 3}, children: [
    {id: 'b', name: 'Nf3', data: {score: 3}, children: []},
    {id: 'c', name: 'e4', data: {score: -1}, children: []},
]};"""
BROKEN = '{"plyscope": 1, "root":\n  {"ply": "c6", "score": fals}}'
REPLY = {"move": "a", "value": 4, "other": 1, "nextMove": []}
NESTED = json.dumps({"move": "start", "value": 4, "other": 7, "nextMove": [REPLY]})


@pytest.fixture
def sample(show: Show) -> Page:
    return show(SAMPLE)


def paste_dialog(page: Page) -> Locator:
    press(page, page.get_by_role("button", name="Open a log"))
    press(page, page.get_by_role("button", name="Paste JSON"))
    return page.get_by_role("dialog", name="Paste JSON")


def selected_text(box: Locator) -> str:
    return str(box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)"))


def notes(page: Page) -> Locator:
    return page.get_by_role("region", name="Notes on this log")


def changed(page: Page, what: str = "tree") -> Locator:
    """The dialog in which one says how the tree, or session, is read."""
    press(page, notes(page).get_by_role("button", name="Change"))
    return page.get_by_role("dialog", name=f"How this {what} is read")


def read_again(page: Page, dialog: Locator) -> None:
    press(page, dialog.get_by_role("button", name="Read again with this mapping"))


def test_a_text_pasted_anywhere_or_into_the_box_is_opened_or_refused_at_its_place(
    sample: Page,
) -> None:
    link = linked(sample)
    dialog = sample.get_by_role("dialog", name="Paste JSON")
    box = dialog.get_by_role("textbox", name="Log as text")
    # A log from the command line cannot be deleted.
    assert logs(sample).get_by_role("button", name=re.compile("^Delete")).count() == 0
    # Text pasted into the search box stays there.
    sample.get_by_role("searchbox").focus()
    paste(sample, LITERAL)
    assert sample.get_by_role("treeitem", name=re.compile("Nf3")).count() == 0
    expect(node(sample, "wA1")).to_be_visible()
    sample.get_by_role("searchbox").blur()
    # A paste that is no log opens the box with its place marked, by its line or by its path.
    wrong = '{"plyscope": 1, "root": {"children": [\n {"ply": "a"},\n {"ply": "b", "outcome": "cut"}]}}'
    prose = "I tried the link but it did not work"
    for text, said, marked in (
        (BROKEN, "line 2", "fals"),
        (wrong, "children[1].outcome", '"cut"'),
        (prose, "does not look like JSON", ""),
    ):
        paste(sample, text)
        expect(dialog.get_by_role("alert")).to_contain_text(said)
        expect(box).to_have_value(text)
        assert selected_text(box).startswith(marked)
        keys(sample, "Escape")
    # A literal pasted anywhere becomes the open log, and is deleted only after a second press.
    again(sample, link)
    paste(sample, LITERAL)
    expect(node(sample, "Nf3")).to_be_visible()
    pasted = logs(sample).get_by_role("button", name=re.compile("^pasted"))
    expect(pasted).to_have_attribute("aria-current", "true")
    delete = logs(sample).get_by_role("button", name=re.compile("^Delete pasted"))
    press(sample, delete)
    press(sample, logs(sample).get_by_role("button", name="Keep"))
    expect(pasted).to_have_count(1)
    press(sample, delete)
    press(sample, logs(sample).get_by_role("button", name="Delete", exact=True))
    expect(pasted).to_have_count(0)
    expect(node(sample, "wA1")).to_be_visible()
    again(sample, link)
    # The dialog itself fills in the shown subtree.
    dialog = paste_dialog(sample)
    press(sample, dialog.get_by_role("button", name="Fill in the shown subtree of root"))
    assert "wA1" in box.input_value()
    expect(dialog).to_contain_text("The shown subtree:")
    # The box takes the shown subtree to edit and load again.
    keys(sample, "Escape")
    press(sample, node(sample, "wB1"))
    press(sample, details(sample).get_by_role("button", name="Shown subtree as JSON"))
    text = box.input_value()
    assert json.loads(text)["plyscope"] == 1
    assert "bG2" in text
    assert "wA1" not in json.loads(text)["root"].get("children", [{}])[0].get("ply", "")
    load = dialog.get_by_role("button", name="Load")
    box.fill(text.replace("bG2", "bX9"))
    press(sample, load)
    expect(node(sample, "bX9")).to_be_visible()
    # What is written in the box is loaded and errors keep it.
    again(sample, link)
    paste_dialog(sample)
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
    paste_dialog(sample)
    box.fill("x")
    paste(sample, LITERAL)
    expect(dialog).to_be_visible()
    box.fill("")
    paste(sample, LITERAL)
    expect(dialog).to_be_hidden()
    expect(node(sample, "Nf3")).to_be_visible()


def test_files_are_dropped_or_chosen(show: Show, tmp_path: Path) -> None:
    page = show(SAMPLE, MAX_CONTENT_LENGTH=2000)

    def entry(name: str) -> Locator:
        return logs(page).get_by_role("button", name=re.compile(f"^{name}")).first

    # A text over the limit is refused with what to do.
    drag_files(page, "drop", {"big.json": "[" + " " * 3000 + "]"})
    expect(page.get_by_role("alert").filter(has_text="2.0 kB")).to_contain_text("plyscope view big.json")
    # Files dropped anywhere are all listed and the last is open.
    zone = page.get_by_text("Drop to open it as a log")
    expect(zone).to_be_hidden()
    drag_files(page, "dragenter", {"a.json": LITERAL})
    expect(zone).to_be_visible()
    drag_files(page, "drop", {"first.js": LITERAL, "second.json": NESTED})
    expect(zone).to_be_hidden()
    expect(entry("first.js")).to_be_visible()
    expect(entry("second.json")).to_have_attribute("aria-current", "true")
    # Files can be chosen.
    paths = [write_log(tmp_path, LITERAL, "one.js"), write_log(tmp_path, NESTED, "two.json")]
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a log").click()
        page.get_by_role("button", name="Open file").click()
    assert chooser.value.is_multiple()
    chooser.value.set_files(paths)
    expect(entry("two.json")).to_have_attribute("aria-current", "true")
    settled(page)
    expect(entry("one.js")).to_be_visible()


def test_how_a_tree_of_others_was_read_is_said_and_changed(sample: Page) -> None:
    # How a foreign tree was read is said and can be changed.
    paste(sample, NESTED)
    expect(notes(sample)).to_contain_text("nextMove")
    dialog = changed(sample)
    score = dialog.get_by_role("combobox", name="score", exact=True)
    expect(score).to_have_value("value")
    expect(dialog.locator("#mapping-score-about")).to_contain_text("read as 4")
    score.select_option("other")
    read_again(sample, dialog)
    expect(dialog).to_be_hidden()
    start = sample.get_by_role("treeitem", name=re.compile(r"^start"))
    expect(start).to_have_accessible_name(re.compile(r"score \+7"))
    paste(sample, NESTED.replace('"a"', '"b"'))
    expect(start).to_have_accessible_name(re.compile(r"score \+7"))
    press(sample, changed(sample).get_by_role("button", name="Guess again"))
    expect(start).to_have_accessible_name(re.compile(r"score \+4"))
    # Notes can be closed.
    press(sample, notes(sample).get_by_role("button", name="Close the notes"))
    expect(notes(sample)).to_be_hidden()
    # Layers in turn are said in the dialog.
    paste(sample, '{"val": 1, "replies": [{"val": 1, "replies": [{"val": 1}]}]}')
    layer = changed(sample).get_by_role("combobox", name="layer", exact=True)
    layer.select_option("min first")
    read_again(sample, dialog)
    expect(dialog).to_be_hidden()
    expect(notes(sample)).to_contain_text("layer in turn, min first")
    changed(sample)
    expect(layer).to_have_value("min first")
    keys(sample, "Escape")
    # A tree of chess is drawn in SAN until a person says that it is none.
    fen = "7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"
    tree = {"score": 0, "children": [{"move": "a1a8", "score": 9}, {"move": "e1g1", "score": 0}]}
    paste(sample, json.dumps({"fen": fen, "tree": tree}))
    press(sample, node(sample, "Ra8#"))
    expect(details(sample).locator(".board-surrounded")).to_have_count(1)
    expect(details(sample)).to_contain_text("a1a8")
    expect(notes(sample)).to_contain_text("Taken as chess")
    game = changed(sample).get_by_role("combobox", name="game", exact=True)
    expect(game).to_have_value("chess")
    game.select_option("")
    read_again(sample, dialog)
    expect(dialog).to_be_hidden()
    expect(node(sample, "a1a8")).to_be_visible()
    expect(notes(sample)).not_to_contain_text("Taken as chess")
    # Of a session over UCI one says which search is shown and where it began.
    told = "info depth 1 score cp {} nodes 20 pv {}\nbestmove {}\n"
    paste(sample, told.format(18, "e2e4 e7e5", "e2e4"))
    expect(notes(sample)).to_contain_text("The session has no position line")
    dialog = changed(sample, "session")
    ids = dialog.locator("input").evaluate_all("all => all.map(({id}) => id)")
    assert ids == ["mapping-go", "mapping-position"]
    dialog.get_by_label("go", exact=True).fill("7")
    read_again(sample, dialog)
    expect(dialog.get_by_role("alert")).to_contain_text("expected the number of a search, 1 to 1")
    dialog.get_by_label("go", exact=True).fill("1")
    dialog.get_by_label("position", exact=True).fill("startpos")
    read_again(sample, dialog)
    expect(dialog).to_be_hidden()
    expect(sample.locator("#details-panel svg.board").first).to_be_visible()
    expect(notes(sample)).not_to_contain_text("has no position line")
    # A paste too large for the box is taken whole.
    document = {"plyscope": 1, "root": {"children": [{"ply": f"p{i}", "score": i} for i in range(30_000)]}}
    text = json.dumps(document)
    assert len(text) > 900_000
    paste(sample, text)
    expect(sample.get_by_role("region", name="The run")).to_contain_text("30,001")
