"""Bringing logs into the page: pasted, written, dropped, chosen; edited and read otherwise; deleted again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Server, settled, visit
from tests.page.panels import details, drag_files, logs, node, paste, press, write_log

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
def sample(new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path) -> Page:
    """The page on the sample log, at 1440 by 900."""
    return visit(new_page(), serve(write_log(tmp_path)))


def paste_dialog(page: Page) -> Locator:
    press(page, page.get_by_role("button", name="Open a log"))
    press(page, page.get_by_role("button", name="Paste JSON"))
    return page.get_by_role("dialog", name="Paste JSON")


def selected_text(box: Locator) -> str:
    text = box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert isinstance(text, str)
    return text


def test_a_literal_pasted_anywhere_becomes_the_open_log(sample: Page) -> None:
    paste(sample, LITERAL)
    expect(node(sample, "Nf3")).to_be_visible()
    expect(logs(sample).get_by_role("button", name=re.compile("pasted")).first).to_have_attribute(
        "aria-current", "true"
    )


def test_a_paste_too_large_for_the_box_is_taken_whole(sample: Page) -> None:
    document = {"plyscope": 1, "root": {"children": [{"ply": f"p{i}", "score": i} for i in range(30_000)]}}
    text = json.dumps(document)
    assert len(text) > 900_000
    paste(sample, text)
    expect(sample.get_by_role("region", name="The run")).to_contain_text("30,001")


def test_a_paste_that_is_no_log_opens_the_box_with_its_place_marked(sample: Page) -> None:
    paste(sample, BROKEN)
    dialog = sample.get_by_role("dialog", name="Paste JSON")
    expect(dialog.get_by_role("alert")).to_contain_text("line 2")
    box = dialog.get_by_role("textbox", name="Log as text")
    expect(box).to_have_value(BROKEN)
    assert selected_text(box).startswith("fals")


def test_a_value_that_is_wrong_is_marked_by_its_path(sample: Page) -> None:
    text = '{"plyscope": 1, "root": {"children": [\n {"ply": "a"},\n {"ply": "b", "outcome": "cut"}]}}'
    paste(sample, text)
    dialog = sample.get_by_role("dialog", name="Paste JSON")
    expect(dialog.get_by_role("alert")).to_contain_text("children[1].outcome")
    assert selected_text(dialog.get_by_role("textbox", name="Log as text")) == '"cut"'


def test_text_that_is_no_log_is_said_to_be_none_in_plain_words(sample: Page) -> None:
    paste(sample, "I tried the link but it did not work")
    alert = sample.get_by_role("dialog", name="Paste JSON").get_by_role("alert")
    expect(alert).to_contain_text("does not look like JSON")


def test_text_pasted_into_the_search_box_stays_there(sample: Page) -> None:
    sample.get_by_role("searchbox").focus()
    paste(sample, LITERAL)
    assert sample.get_by_role("treeitem", name=re.compile("Nf3")).count() == 0
    expect(node(sample, "wA1")).to_be_visible()


def test_what_is_written_in_the_box_is_loaded_and_errors_keep_it(sample: Page) -> None:
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


def test_a_paste_into_the_empty_box_is_loaded_at_once_and_one_into_a_text_is_an_edit(sample: Page) -> None:
    dialog = paste_dialog(sample)
    box = dialog.get_by_role("textbox", name="Log as text")
    box.fill("x")
    paste(sample, LITERAL)
    expect(dialog).to_be_visible()
    box.fill("")
    paste(sample, LITERAL)
    expect(dialog).to_be_hidden()
    expect(node(sample, "Nf3")).to_be_visible()


def test_the_box_takes_the_shown_subtree_to_edit_and_load_again(sample: Page) -> None:
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


def test_the_dialog_itself_fills_in_the_shown_subtree(sample: Page) -> None:
    dialog = paste_dialog(sample)
    press(sample, dialog.get_by_role("button", name="Fill in the shown subtree of root"))
    assert "wA1" in dialog.get_by_role("textbox", name="Log as text").input_value()
    expect(dialog).to_contain_text("The shown subtree:")


def test_files_dropped_anywhere_are_all_listed_and_the_last_is_open(sample: Page) -> None:
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


def test_a_dropped_file_that_is_no_log_is_an_error_that_can_be_closed(sample: Page) -> None:
    drag_files(sample, "drop", {"notes.txt": "shopping: milk"})
    message = sample.get_by_role("alert").filter(has_text=re.compile("."))
    expect(message).to_be_visible()
    press(sample, sample.get_by_role("button", name="Close this message"))
    expect(message).to_have_count(0)
    expect(node(sample, "wA1")).to_be_visible()


def test_files_can_be_chosen(sample: Page, tmp_path: Path) -> None:
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


def test_how_a_foreign_tree_was_read_is_said_and_can_be_changed(sample: Page) -> None:
    paste(sample, NESTED)
    notes = sample.get_by_role("region", name="Notes on this log")
    expect(notes).to_contain_text("nextMove")
    press(sample, notes.get_by_role("button", name="Change"))
    dialog = sample.get_by_role("dialog", name="How this tree is read")
    score = dialog.get_by_role("combobox", name="score", exact=True)
    expect(score).to_have_value("value")
    score.select_option("other")
    press(sample, dialog.get_by_role("button", name="Read again"))
    expect(dialog).to_be_hidden()
    expect(sample.get_by_role("treeitem", name=re.compile(r"^start.*score \+7"))).to_be_visible()
    paste(sample, NESTED.replace('"a"', '"b"'))
    expect(sample.get_by_role("treeitem", name=re.compile(r"^start.*score \+7"))).to_be_visible()
    press(sample, notes.get_by_role("button", name="Change"))
    press(sample, dialog.get_by_role("button", name="Guess again"))
    expect(sample.get_by_role("treeitem", name=re.compile(r"^start.*score \+4"))).to_be_visible()


def test_layers_in_turn_are_said_in_the_dialog(sample: Page) -> None:
    paste(sample, '{"val": 1, "replies": [{"val": 1, "replies": [{"val": 1}]}]}')
    notes = sample.get_by_role("region", name="Notes on this log")
    press(sample, notes.get_by_role("button", name="Change"))
    dialog = sample.get_by_role("dialog", name="How this tree is read")
    layer = dialog.get_by_role("combobox", name="layer", exact=True)
    layer.select_option("min first")
    press(sample, dialog.get_by_role("button", name="Read again"))
    expect(dialog).to_be_hidden()
    expect(notes).to_contain_text("layer in turn, min first")
    press(sample, notes.get_by_role("button", name="Change"))
    expect(layer).to_have_value("min first")


def test_what_a_document_says_beside_its_tree_stands_under_the_run(sample: Page) -> None:
    paste(sample, '{"stats": {"ms": 12}, "tree": {"val": 1, "visited": 4100, "replies": [{"val": 1}]}}')
    run = sample.get_by_role("region", name="The run")
    for words in ("stats.ms", "12", "visited", "4,100"):
        expect(run.locator(".facts").first).to_contain_text(words)


def test_notes_can_be_closed(sample: Page) -> None:
    paste(sample, NESTED)
    notes = sample.get_by_role("region", name="Notes on this log")
    press(sample, notes.get_by_role("button", name="Close the notes"))
    expect(notes).to_be_hidden()


def test_a_pasted_log_is_deleted_only_after_a_second_press(sample: Page) -> None:
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


def test_a_log_from_the_command_line_cannot_be_deleted(sample: Page) -> None:
    assert logs(sample).get_by_role("button", name=re.compile("^Delete")).count() == 0
