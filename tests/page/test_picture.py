"""The tree saved as a picture: what is shown, in the page's looks, in a file that needs nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, choose, keys, linked, press, search, settled
from tests.page.panels import node
from tests.page.stage import SCHEMES
from tests.page.trees import textbook

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "path", "rect", "text", "title"}


def saved(page: Page, command: str | None = None) -> tuple[str, Path]:
    """The name and the file of a picture, by its key or by its command in the menu, by keyboard alone."""
    with page.expect_download() as download:
        if command is None:
            page.keyboard.press("S")
        else:
            page.get_by_role("button", name="Page settings and help").press("Enter")
            settled(page).get_by_role("button", name=command).press("Enter")
    return download.value.suggested_filename, Path(download.value.path())


def picture(page: Page, command: str | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(saved(page, command)[1].read_text("utf-8"))


def tags(svg: ElementTree.Element) -> set[str]:
    return {each.tag.removeprefix(SVG) for each in svg.iter()}


def cards(svg: ElementTree.Element) -> list[str]:
    groups = svg.iter(f"{SVG}g")
    return [each.get("data-id", "") for each in groups if "node" in each.get("class", "").split()]


def drawn(page: Page) -> list[str]:
    ids = "all => all.map((one) => one.dataset.id)"
    return [str(each) for each in page.locator("#tree .nodes > .node").evaluate_all(ids)]


def lines(svg: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in svg.iter(f"{SVG}text")]


def key(svg: ElementTree.Element) -> list[str]:
    """The fills of the swatches that say what colours stand for."""
    caption = next(each for each in svg.iter(f"{SVG}g") if each.get("class") == "caption")
    return [each.get("fill", "") for each in caption.iter(f"{SVG}rect")]


def test_the_key_saves_what_is_drawn_as_it_looks_and_leaves_the_page_as_it_was(tree: Page) -> None:
    link = linked(tree)
    before = tree.locator("#tree").inner_html()
    # The key saves every card that is drawn.
    name, file = saved(tree)
    assert name == "log.svg"
    assert tree.locator("#tree").inner_html() == before
    text = file.read_text("utf-8")
    found = ElementTree.fromstring(text)
    assert cards(found) == drawn(tree)
    texts = tree.locator("#tree .nodes text").all_text_contents()
    assert [each for each in lines(found) if each in texts] == [each for each in texts if each]
    rows = json.dumps(textbook()["root"]).count('"ply"') + 3  # the root, two stubs without a ply
    part = f"{len(drawn(tree))} of the log's {rows} rows"
    line = "Solid: the principal variation. Dashed: the line of e6."
    assert lines(found)[-3:] == ["log.json", part, line]
    # It needs nothing else.
    assert tags(found) <= TAGS
    outside = r"<style|<script|style=|href|url\(|var\(|light-dark|color-mix|@import|tabindex"
    assert not re.search(outside, text)
    fills = {each.get(name) for each in found.iter() for name in ("fill", "stroke")} - {None}
    assert all(re.fullmatch(r"#[0-9a-f]{6}|none", fill or "") for fill in fills), fills
    assert key(found) == []
    # What is folded is not in it and what is opened is.
    node(tree, "c6").click()
    keys(tree, "ArrowLeft")
    after = cards(picture(tree))
    assert len(after) < len(cards(found))
    assert after == drawn(tree)
    # Lenses go with it, and colours of words have a key.
    again(tree, link)
    choose(tree, "Colour by", "outcome")
    search(tree, "score > 3")
    expect(tree.locator("#lenses .lens")).to_be_visible()
    tree.locator("#tree .node").first.focus()
    found = picture(tree)
    assert [each for each in found.iter(f"{SVG}text") if each.get("stroke") == "#f6d95b"]
    assert tree.locator("#lenses .lens-words").inner_text() in lines(found)
    words = ["searched, not cut off", "leaf at the horizon", "cut off"]
    assert [each for each in lines(found) if each in words] == words
    assert any(each.startswith("Coloured by outcome.") for each in lines(found))
    assert len(set(key(found))) == 3
    filled = {each.get("fill") for each in found.iter(f"{SVG}rect") if each.get("class") == "node-card"}
    assert set(key(found)) <= filled
    # It is light or dark as the page is.
    papers = []
    for scheme in SCHEMES:
        tree.emulate_media(color_scheme=scheme)
        ground = picture(tree).find(f"{SVG}rect")
        papers.append(None if ground is None else ground.get("fill"))
    assert papers == ["#fafaf8", "#141619"]
    # The menu saves both forms, and a textbook figure of the selected node.
    svg = picture(tree, "Save picture (SVG)")
    name, file = saved(tree, "Save picture (PNG)")
    assert name == "log.png"
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG")
    size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
    assert size == [2 * int(svg.get(name, "0")) for name in ("width", "height")]
    keys(tree, "Escape")
    press(tree, node(tree, "d6"))
    name, file = saved(tree, "Textbook figure of the node (SVG)")
    assert name == "figure.svg"
    found = ElementTree.fromstring(file.read_text("utf-8"))
    assert "log.json · d6" in lines(found)
    assert cards(found)[0] == tree.locator("#tree .node-selected").get_attribute("data-id")


def test_what_no_colour_stands_for_is_hatched_by_a_pattern_and_texts_of_a_log_stay_texts(show: Show) -> None:
    plies = {"<script>alert(1)</script>": 2, "]]>&amp;": 5, "a\x00\x1b\uffff": 2, "\u202ec6": None}
    children = [{"ply": ply, "score": 1, "depth": depth} for ply, depth in plies.items()]
    page = show({"plyscope": 1, "root": {"score": 3, "depth": 9, "children": children}})
    again(page, linked(page) + "&colour=depth")
    text = saved(page)[1].read_text("utf-8")
    found = ElementTree.fromstring(text)
    assert tags(found) <= TAGS | {"defs", "pattern"}
    assert len(cards(found)) == 5
    assert "Coloured by depth, from 2 to 9." in lines(found)
    assert [each.get("id") for each in found.iter(f"{SVG}pattern")] == ["absent-hatch"]
    assert key(found) == ["url(#absent-hatch)"]
    assert lines(found)[-1] == "not stated"
    assert "var(" not in text


def test_what_lies_beyond_the_window_is_in_it(show: Show) -> None:
    replies = [{"ply": f"q{to}", "score": to} for to in range(10)]
    children = [{"ply": f"p{at}", "score": at, "children": replies} for at in range(120)]
    page = show({"plyscope": 1, "root": {"layer": "max", "score": 79, "children": children}})
    keys(page, *"m" * 4, "ArrowRight", "*")
    found = cards(picture(page))
    assert len(found) > 600 > len(drawn(page))
    assert len(found) == len(set(found))
