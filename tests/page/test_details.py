"""The details beside the tree: pinned or not, with notes, and nothing that is not so, whatever texts hold."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, choose, keys, linked, menu, press, search, settled
from tests.page.panels import SAMPLE, details, node
from tests.page.places import place_of, width_of
from tests.page.trees import card, chain, layered, leaf, textbook

MATE = {"score": 1000000, "step": 1, "threshold": 999000}
SPACE = "\N{NO-BREAK SPACE}"


def path(page: Page) -> Locator:
    return details(page).get_by_role("navigation", name="Path of the node")


def test_a_game_that_cannot_be_drawn_shows_its_position_among_the_fields(show: Show) -> None:
    children = [{"ply": "take 2", "position": "3 4 3", "score": 1}]
    page = show({"plyscope": 1, "game": "nim", "position": "3 4 5", "root": {"children": children}})
    expect(details(page).locator("dt", has_text="position")).to_be_visible()
    expect(details(page)).to_contain_text("3 4 5")
    press(page, node(page, "take 2"))
    expect(details(page)).to_contain_text("3 4 3")
    expect(details(page)).not_to_contain_text("No game")
    assert "Position" not in details(page).locator("summary").all_inner_texts()


def test_wins_and_losses_are_said_by_their_distance_and_by_their_proof(show: Show) -> None:
    """A win proven by the game's end, one among the plies searched, a bound, a loss that is not proven."""
    over = {"ply": "over", "score": 999995, "outcome": "terminal", "ending": "win"}
    children = [
        {"ply": "win", "layer": "min", "score": 999995, "moves": 1, "children": [over]},
        {"ply": "claim", "layer": "min", "score": 999995, "bound": "exact"},
        {"ply": "limit", "layer": "min", "score": 999997, "bound": "upper"},
        {"ply": "loss", "score": -999997},
        *({"ply": ply, "score": score} for ply, score in (("best", 40), ("worst", -40), ("even", 0))),
    ]
    root = {"layer": "max", "score": 999995, "moves": 9, "children": children}
    log = {"plyscope": 1, "search": {"mate": MATE}, "result": {"ply": "win", "score": 999995}, "root": root}
    page = show(log)
    among = "among the plies searched"
    for ply, short, words, figure in (
        ("win", "win in 5", "win in 5", "+999,995"),
        ("claim", "win in 5?", f"win in 5 {among}", "+999,995"),
        ("limit", f"≤{SPACE}win in 3", "at best a win in 3", f"≤{SPACE}+999,997"),
    ):
        assert node(page, ply).locator(".node-score").text_content() == short
        assert f", {words}, " in f"{node(page, ply).get_attribute('aria-label')}, "
        press(page, node(page, ply))
        keys(page, "i")
        tip = page.get_by_role("tooltip")
        for place in (tip.locator(".tip-result"), details(page).locator(".details-result")):
            expect(place).to_contain_text(words)
            assert ("searched" in place.inner_text()) == ("searched" in words)
        for place in (tip, details(page)):
            expect(place).to_contain_text(figure)
    expect(page.locator("#legend")).to_contain_text(f"? not proven: {among}")
    # Wins and losses, proven or not, have colours of their own.
    choose(page, "Colour by", "score")
    fill = "card => getComputedStyle(card).fill"
    plies = ("win", "claim", "loss", "best", "worst", "even")
    assert len({node(page, ply).locator(".node-card").evaluate(fill) for ply in plies}) == 6
    expect(page.locator("#legend")).to_contain_text("+40")
    expect(page.locator("#legend li", has_text=re.compile("^(win|loss)$"))).to_have_count(2)


def test_a_long_path_and_a_long_line_fold_in_their_middle_and_open_there(show: Show) -> None:
    plies = [f"n{i}" for i in range(1, 300)]
    page = show({"root": chain(*plies)}, beside={"sixty.json": {"root": chain(*plies[:59])}})
    search(page, "#290")
    expect(page.locator("#details-panel .details-name")).to_have_text("n290")
    way = path(page).get_by_role("listitem")
    near = [f"n{i}" for i in range(284, 291)]
    assert way.all_inner_texts() == ["root", "… 283 nodes", *near]
    assert place_of(path(page))["height"] < 80
    path(page).get_by_role("button", name="… 283 nodes").click()
    assert way.all_inner_texts() == ["root", "230 nodes not shown", *plies[230:290]]
    # A line is one piece less, which opens.
    press(page, page.locator("#logs .log-button", has_text="sixty"))
    steps = page.locator("#details-panel .steps").first.locator(".step")
    expect(steps).to_have_count(29)
    piece = page.locator("#details-panel .step-folded")
    assert piece.text_content() == "… 31 plies"
    piece.click()
    expect(steps).to_have_text(plies[:59])
    assert page.evaluate("document.activeElement.textContent") == "n15"


def test_on_a_phone_the_details_are_a_sheet_below_the_tree_in_which_a_note_is_written(show: Show) -> None:
    page = keys(show(SAMPLE, 390, 844), "a")
    field = page.get_by_label("Note on this node")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    keys(page, "Escape", "p", "p")
    sheet, chosen = place_of(details(page)), place_of(page.get_by_role("treeitem", selected=True))
    assert (sheet["width"], sheet["y"] + sheet["height"]) == (390, 844)
    assert sheet["height"] <= 0.4 * 844
    assert chosen["y"] + chosen["height"] <= sheet["y"]
    details(page).evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
    expect(details(page).get_by_role("button", name="Close the details")).to_be_in_viewport(ratio=1)
    way = [each.strip() for each in path(page).get_by_role("listitem").all_inner_texts()]
    assert way == ["root", "wA1", "bA2"]


OVERRIDE = "\u202eevil"
SHOWN = "\u2039U+202E\u203aevil"
EVIL = '<img src=x onerror="document.title=1"></text><script>document.title=2</script>'


def test_an_override_is_a_sign_wherever_the_ply_stands_and_markup_is_text(show: Show) -> None:
    stub = {"outcome": "pruned", "count": 1, "plies": [OVERRIDE]}
    child = {"ply": OVERRIDE, "score": 1, "why": OVERRIDE, "remark": OVERRIDE}
    children = [child, {"ply": EVIL, "score": 1}, stub]
    page = show({"plyscope": 1, "result": {"ply": OVERRIDE}, "root": {"score": 1, "children": children}})
    drawn = node(page, SHOWN)
    expect(drawn.locator(".node-name")).to_have_text(SHOWN)
    press(page, drawn)
    expect(details(page).get_by_role("heading", name=SHOWN)).to_be_visible()
    press(page, page.get_by_role("treeitem", name="1 sibling cut off by alpha-beta"))
    expect(details(page).locator(".plies")).to_have_text(SHOWN)
    assert OVERRIDE[0] not in page.locator("body").inner_text()
    assert page.locator("#tree img, #tree script").count() == 0
    assert page.title() not in {"1", "2"}
    assert any("<img" in text for text in page.locator("#tree .node-name").all_text_contents())


OVERFLOWING = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.scrollWidth > element.clientWidth + 1 || element.textContent.length > 1000)
    .map(element => element.className)"""


def test_names_of_thousands_of_letters_leave_the_sentences_readable(show: Show) -> None:
    text = json.dumps(SAMPLE)
    for name in ("wA1", "wB1", "queen ring"):
        text = text.replace(name, name * 1500)
    page = show(text, 1280, 800)
    for key, sentences in (("s", ".figure-says"), ("y", ".why-words"), ("g", ".weights-words")):
        keys(page, key)
        expect(page.locator(sentences).first).to_contain_text("\u2026")
        assert page.evaluate(OVERFLOWING, sentences) == []
        assert width_of(page) == 1280


def note(page: Page, node: int, text: str) -> None:
    press(page, card(page, node).locator(".node-name"))
    page.keyboard.press("a")
    expect(page.get_by_label("Note on this node")).to_be_focused()
    page.keyboard.type(text)
    keys(page, "Enter")


def test_a_note_is_written_marked_listed_walked_found_and_put_back(show: Show) -> None:
    roots = [layered({"iteration": n, "score": n, "children": [leaf("c6", n)]}) for n in (1, 2)]
    page = show(textbook(), beside={"roots.json": {"plyscope": 1, "roots": roots}}, only="0.1.1")
    # Written by keys alone, and marked in the tree; Enter without a word is a bookmark.
    note(page, 1, "wins a tempo")
    expect(card(page, 1).locator(".note-flag")).to_be_attached()
    expect(card(page, 1)).to_be_focused()
    expect(card(page, 1)).to_have_accessible_name(re.compile("note: wins a tempo"))
    note(page, 2, "")
    expect(card(page, 2)).to_have_accessible_name(re.compile("bookmark"))
    # Another colour, and more words: what was written is kept when the field is left.
    press(page, page.get_by_label("Red note"))
    red = card(page, 2).locator('.note-flag[data-colour="red"]')
    expect(red).to_be_attached()
    page.get_by_label("Note on this node").fill("dubious")
    keys(page, "Escape")
    expect(card(page, 2)).to_have_accessible_name(re.compile("note: dubious"))
    # Walked, from one to the next and round.
    for expected in (1, 2):
        keys(page, "j")
        expect(card(page, expected)).to_have_attribute("aria-selected", "true")
    # Listed below the tree, in the order of the log, and part of the link.
    menu(page, "All notes")
    rows = page.locator(".note-row .note-go").all_inner_texts()
    assert [" ".join(text.split()) for text in rows] == ["c6 wins a tempo", "c6 > a1 dubious"]
    assert "drawer=notes" in linked(page)
    save = page.get_by_role("link", name="Save with notes").get_attribute("href") or ""
    assert "loads" not in save
    copied = page.request.get(page.url.partition("?")[0].rstrip("/") + save).json()
    assert [each["text"] for each in copied["notes"]] == ["wins a tempo", "dubious"]
    # Found by the search, and marked in a table.
    search(page, "DUBI")
    expect(page.locator(".lens-words")).to_contain_text("1 hit")
    expect(card(page, 2)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".rows-row .note-dot")).to_have_attribute("aria-label", "note: dubious")
    # A loaded page has them still; a deleted one comes back.
    page.reload()
    press(settled(page), page.get_by_role("button", name="Delete the note", exact=True))
    expect(card(page, 2).locator(".note-flag")).not_to_be_attached()
    press(page, page.get_by_role("button", name="Undo"))
    expect(red).to_be_attached()
    # The overview outlines their nodes.
    keys(page, "v")
    expect(page.locator(".icicle-note")).to_have_count(2)
    # Notes on roots and in other trees say of which.
    press(page, page.locator("#logs .log-button", has_text="roots.json"))
    for root in (0, 1):
        note(page, root, "here")
    menu(page, "All notes")
    paths = page.locator(".note-path").all_inner_texts()
    assert paths == ["root, iteration 1", "c6, iteration 1"]
