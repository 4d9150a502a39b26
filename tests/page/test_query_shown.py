"""Tests of a query shown in the tree: colours by any value, and the sentences on a query without a hit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, choose, keys, linked, press, settled
from tests.page.test_accessibility import serious
from tests.page.test_query import address, answer, asked, rows, sought
from tests.page.trees import item, names, selected, textbook, write_lines


def own_fields() -> dict[str, Any]:
    """The textbook tree with a number, a text and a flag of its own on three plies of the root."""
    document = textbook()
    for at, child in enumerate(document["root"]["children"][:3]):
        child |= {"q_nodes": 10 * at, "my field": f"<b>{at}</b>", "odd": at % 2 == 1}
    return document


def paints(page: Page, *names: str) -> list[str]:
    """The class of each card that says its colour by a value, empty where it has none."""
    found = []
    for name in names:
        classes = (item(page, name).get_attribute("class") or "").split()
        found.append(next((each.removeprefix("paint-") for each in classes if each.startswith("paint-")), ""))
    return found


def share(page: Page, name: str) -> str:
    card = item(page, name).locator(".node-card")
    return str(card.evaluate("box => box.style.getPropertyValue('--share')"))


def legend(page: Page) -> str:
    return " ".join(page.locator(".legend-marks").inner_text().split())


def colour(page: Page, of: str) -> None:
    page.get_by_label("Colour by", exact=True).select_option(label="Field or expression…")
    field = page.get_by_label("Field or expression to colour by").filter(visible=True)
    field.fill(of)
    field.press("Enter")
    settled(page)


def open_anew(page: Page, link: str) -> Page:
    """Load a link, which is not the address of an open page."""
    page.goto("about:blank")
    page.goto(link)
    return settled(page)


def test_cards_are_coloured_by_any_field_with_a_legend_that_says_its_ends(show: Show) -> None:
    page = show(own_fields())
    colour(page, "q_nodes")
    assert paints(page, "c6", "d6", "e6", "f6") == ["ramp", "ramp", "ramp", "absent"]
    assert [share(page, name) for name in ("c6", "e6")] == ["0", "1"]
    assert "q_nodes 0 20 not stated" in legend(page)
    for name, said in (("d6", "colour 10"), ("f6", "colour not stated")):
        assert str(item(page, name).get_attribute("aria-label")).endswith(said)
    assert address(page)["colour"] == ["q_nodes"]
    colour(page, 'extra."my field"')
    assert paints(page, "c6") == ["category"]
    assert "<b>0</b> <b>1</b> <b>2</b> not stated" in legend(page)
    colour(page, "odd")
    assert paints(page, "c6", "d6", "f6") == ["false", "true", "absent"]
    assert "odd true false not stated" in legend(page)
    colour(page, "score - 5")
    assert paints(page, "c6", "d6", "e6") == ["high", "low", "high"]
    open_anew(page, page.url)
    assert paints(page, "d6") == ["low"]
    choose(page, "Colour by", "layer")
    expect(page.locator('#tree [class*="paint-"]')).to_have_count(0)
    assert "colour" not in address(page)
    # Axe finds nothing serious in a coloured and narrowed tree.
    asked(page, "level = 2")
    press(page, page.locator(".rows-only"))
    colour(page, "q_nodes")
    press(page, page.locator(".rows-colour"))
    assert serious(page) == []


def test_a_query_colours_the_tree_says_why_it_has_no_hit_and_narrows_it(tree: Page) -> None:
    link = linked(tree)
    only = tree.locator('.lens[data-lens="only"]')
    # The head of the table colours by what was asked and by its columns.
    asked(tree, "level = 1 and score > 4")
    tree.locator(".rows-colour").click()
    press(tree, tree.get_by_role("button", name="hit or not"))
    assert paints(tree, "c6", "d6", "e6") == ["true", "false", "true"]
    tree.locator(".rows-colour").focus()
    tree.keyboard.press("Enter")
    tree.locator(".colour-offered").get_by_role("button", name="outcome").filter(visible=True).press("Enter")
    assert settled(tree).locator("#tree").get_attribute("data-colour") == "outcome"
    # A query without a hit says so with the nearest looser one.
    again(tree, link)
    before = selected(tree)
    n_rows = answer(tree, "")["totals"]["rows"]
    asked(tree, "level = 2 and score > 100 and outcome != 'leaf'")
    said = tree.locator(".search-none")
    expect(said).to_contain_text(f"No node of {n_rows}")
    expect(said).to_contain_text("Without score > 100 there")
    said.get_by_role("button").focus()
    keys(tree, "Enter")
    expect(said).to_be_hidden()
    assert tree.locator("#search").input_value() == "level = 2 and outcome != 'leaf'"
    assert rows(tree).count() > 0
    asked(tree, "1/0 > 1")
    expect(said).to_contain_text(f"No node of {n_rows}: it is unknown at every one.")
    assert said.get_by_role("button").count() == 0
    assert selected(tree) == before
    # Others are drawn by a press and a new question narrows the tree anew.
    again(tree, link)
    asked(tree, "ply = 'h1'")
    press(tree, tree.locator(".rows-only"))
    assert names(tree) == ["root", "f6", "h1"]
    press(tree, tree.locator("#tree .more").first)
    assert item(tree, "d6").count() == 1
    asked(tree, "ply = 'b1'")
    assert names(tree) == ["root", "d6", "b1"]
    keys(tree, "Escape")
    expect(only).to_have_count(0)
    assert item(tree, "c6").count() == 1
    # Only hits and what stands above them are drawn and one press undoes it.
    again(tree, link)
    press(tree, item(tree, "c6"))
    before_names = names(tree)
    asked(tree, "ply = 'g1' or score < -8")
    press(tree, tree.locator(".rows-only"))
    expected = ["root", "c6", "e6", "g1", "f6", "h1", "r2"]
    assert names(tree) == expected, "the selected node c6 stays, though it leads to none"
    assert others(tree) == ["1 other", "2 others"]
    assert address(tree)["only"] == ["1"]
    narrowed = tree.url
    tree.locator(".rows-only").press("Enter")
    assert names(settled(tree)) == before_names
    assert "only" not in address(tree)
    open_anew(tree, narrowed)
    assert set(names(tree)) >= {*expected}
    press(tree, only.locator("button"))
    expect(only).to_have_count(0)
    # What is no colour is said in the choice and changes nothing.
    again(tree, link)
    colour(tree, "scor")
    wrong = tree.locator(".colour-wrong").filter(visible=True)
    expect(wrong).to_have_text("no field scor; did you mean score?")
    assert tree.locator("#tree").get_attribute("data-colour") == "layer"
    tree.keyboard.press("Escape")
    expect(wrong).to_have_count(0)
    open_anew(tree, f"{tree.url}&colour=scor")
    expect(tree.locator(".notices")).to_contain_text("not coloured by scor: no field scor")
    assert tree.locator("#tree").get_attribute("data-colour") == "layer"


def others(page: Page) -> list[str]:
    return sorted(page.locator("#tree .more .wedge-text").all_text_contents())


def test_a_wide_node_draws_only_what_leads_to_hits_and_of_ten_thousand_those_in_sight(
    show: Show, tmp_path: Path
) -> None:
    page = show(write_lines(tmp_path / "wide.jsonl", [None, *[0] * 10_000, 1, 700, 890]))
    asked(page, "level = 2")
    press(page, page.locator(".rows-only"))
    assert [item(page, ply).count() for ply in ("n1", "n700", "n890", "n899")] == [1, 1, 1, 0]
    assert others(page) == ["9,997 others"]
    item(page, "root").focus()
    keys(page, "n", "N")
    path = page.locator("#drawer [aria-selected=true] .rows-path").inner_text().split()
    assert path == ["n890", "›", "n10003"]
    keys(page, "Escape", "Escape")
    found = sought(page, "n")
    assert page.locator(".rows-title").text_content() == "10,003 hits of n"
    assert found.count() < 20
    page.locator(".rows-list").evaluate("list => { list.scrollTop = list.scrollHeight }")
    expect(found.last).to_contain_text("n10000")
    page.locator(".rows-list").focus()
    keys(page, "End")
    assert selected(page) == "n10000"


def test_findings_are_rows_with_their_marks_and_n_steps_through_them(show: Show) -> None:
    document = textbook()
    for at, wrong in ((0, 99), (3, -99)):
        document["root"]["children"][at]["score"] = wrong
    page = keys(show(document, 1280, 720), "c")
    press(page, page.get_by_role("button", name="Table", exact=True))
    told = answer(page, "/query?rows=findings")
    found = [(one["severity"], one["rule"]) for one in told["findings"]]
    assert len(found) > 1
    assert page.locator(".rows-title").inner_text().split() == [str(len(found)), "findings"]
    listed = [(row.locator(".rows-rule").text_content() or "").split(": ") for row in rows(page).all()]
    assert [tuple(one) for one in listed] == found
    assert rows(page).first.locator(f".rows-path .severity-{found[0][0]}").count() == 1
    press(page, rows(page).first)
    for step in range(2):
        current = page.locator("#drawer [aria-selected=true]")
        chosen = page.locator("#tree [aria-selected=true]").get_attribute("data-id")
        assert chosen == str(told["rows"][step]["id"])
        assert current.locator(".rows-rule").inner_text().endswith(found[step][1])
        expect(page.locator("#check-panel")).to_contain_text(told["findings"][step]["message"][:30])
        keys(page, "n")
    press(page, page.locator(".rows-only"))
    assert item(page, "g1").count() == 0, "no finding there"
    assert address(page)["rows"] == ["findings"]
    open_anew(page, page.url)
    expect(page.locator(".rows-title")).to_contain_text("findings")
    expect(page.locator('.lens[data-lens="only"]')).to_contain_text("only the rows of the table")
    assert item(page, "g1").count() == 0


def test_letters_are_read_on_every_colour_of_a_value() -> None:
    tokens = (Path(__file__).resolve().parents[2] / "static/css/tokens.css").read_text("utf-8")
    declared = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", tokens)
    pairs = {name: (light, dark) for name, light, dark in declared}
    colours = [name for name in pairs if re.fullmatch(r"(category|ramp|paint)-\w+", name)]
    assert len(colours) == 13
    for name in colours:
        for ink, paper in zip(pairs["ink"], pairs[name], strict=True):
            darker, lighter = sorted((luminance(ink), luminance(paper)))
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (name, paper)


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2 of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
