"""The tree saved as a picture: what is shown, in the page's looks, in a file that needs nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.panels import node
from tests.page.trees import textbook

SVG = "{http://www.w3.org/2000/svg}"


def saved(page: Page, key: str | None = "S", command: str = "SVG") -> tuple[str, Path]:
    """The name and the file of a picture, by its key or by its command in the menu."""
    with page.expect_download() as download:
        if key is not None:
            page.keyboard.press(key)
        else:
            page.get_by_role("button", name="Page settings and help").press("Enter")
            settled(page)
            page.get_by_role("button", name=f"Save picture ({command})").press("Enter")
    return download.value.suggested_filename, Path(download.value.path())


def parsed(file: Path) -> ElementTree.Element:
    return ElementTree.fromstring(file.read_text("utf-8"))


def cards(svg: ElementTree.Element) -> list[str]:
    """The ids of the cards."""
    return [
        each.get("data-id", "") for each in svg.iter(f"{SVG}g") if "node" in each.get("class", "").split()
    ]


def drawn(page: Page) -> list[str]:
    return page.locator("#tree .nodes > .node").evaluate_all("all => all.map((one) => one.dataset.id)")


def lines(svg: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in svg.iter(f"{SVG}text")]


def paper(svg: ElementTree.Element) -> str | None:
    ground = svg.find(f"{SVG}rect")
    return None if ground is None else ground.get("fill")


def test_the_key_saves_what_is_drawn_as_it_looks(tree: Page) -> None:
    link = linked(tree)
    # The key saves every card that is drawn.
    name, file = saved(tree)
    assert name == "log.svg"
    found = parsed(file)
    assert cards(found) == drawn(tree)
    texts = tree.locator("#tree .nodes text").all_text_contents()
    assert [each for each in lines(found) if each in texts] == [each for each in texts if each]
    rows = json.dumps(textbook()["root"]).count('"ply"') + 3  # the root, two stubs without a ply
    assert lines(found)[-3:] == [
        "log.json",
        f"{len(drawn(tree))} of the log's {rows} rows",
        "Solid: the principal variation. Dashed: the line of e6.",
    ]
    # It needs nothing else.
    text = saved(tree)[1].read_text("utf-8")
    found = ElementTree.fromstring(text)
    assert {each.tag.removeprefix(SVG) for each in found.iter()} <= {
        "svg",
        "g",
        "path",
        "rect",
        "text",
        "title",
    }
    assert not re.search(
        r"<style|<script|style=|href|url\(|var\(|light-dark|color-mix|@import|tabindex", text
    )
    fills = {each.get(name) for each in found.iter() for name in ("fill", "stroke")} - {None}
    assert all(re.fullmatch(r"#[0-9a-f]{6}|none", fill or "") for fill in fills), fills
    # What is folded is not in it and what is opened is.
    before = cards(parsed(saved(tree)[1]))
    node(tree, "c6").click()
    keys(tree, "ArrowLeft")
    after = cards(parsed(saved(tree)[1]))
    assert len(after) < len(before)
    assert after == drawn(tree)
    # Colours and lenses go with it.
    again(tree, link)
    tree.get_by_label("Colour by", exact=True).select_option("score")
    tree.get_by_role("searchbox").fill("score > 3")
    keys(tree, "Enter")
    expect(tree.locator("#lenses .lens")).to_be_visible()
    tree.locator("#tree .node").first.focus()
    found = parsed(saved(tree)[1])
    hits = [each for each in found.iter(f"{SVG}text") if each.get("stroke") == "#f6d95b"]
    assert hits
    assert lines(found)[-1] == tree.locator("#lenses .lens-words").inner_text()
    # It is light or dark as the page is.
    papers = []
    for scheme in ("light", "dark"):
        tree.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        papers.append(paper(parsed(saved(tree)[1])))
    assert papers == ["#fafaf8", "#141619"]


def key(svg: ElementTree.Element) -> list[str]:
    """The fills of the swatches that say what colours stand for."""
    caption = next(each for each in svg.iter(f"{SVG}g") if each.get("class") == "caption")
    return [each.get("fill", "") for each in caption.iter(f"{SVG}rect")]


def test_pictures_are_saved_by_the_menu_too_and_leave_the_page_as_it_was(tree: Page) -> None:
    link = linked(tree)
    before = tree.locator("#tree").inner_html()
    svg = parsed(saved(tree)[1])
    assert tree.locator("#tree").inner_html() == before
    # The menu saves both forms by keyboard alone.
    assert saved(tree, key=None)[0] == "log.svg"
    name, file = saved(tree, key=None, command="PNG")
    assert name == "log.png"
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG")
    size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
    assert size == [2 * int(svg.get(name, "0")) for name in ("width", "height")]
    # It saves a textbook figure of the selected node.
    press(tree, node(tree, "d6"))
    with tree.expect_download() as download:
        tree.get_by_role("button", name="Page settings and help").press("Enter")
        tree.get_by_role("button", name="Textbook figure of the node (SVG)").press("Enter")
    found = parsed(Path(download.value.path()))
    assert download.value.suggested_filename == "figure.svg"
    assert "log.json · d6" in lines(found)
    assert cards(found)[0] == selected(tree)
    # Colours of words have a key.
    again(tree, link)
    assert key(parsed(saved(tree)[1])) == []
    tree.get_by_label("Colour by", exact=True).select_option("outcome")
    settled(tree)
    found = parsed(saved(tree)[1])
    words = ["searched, not cut off", "leaf at the horizon", "cut off"]
    assert [each for each in lines(found) if each in words] == words
    assert "Coloured by outcome." in lines(found)
    fills = key(found)
    assert len(set(fills)) == 3
    cards_filled = {each.get("fill") for each in found.iter(f"{SVG}rect") if each.get("class") == "node-card"}
    assert set(fills) <= cards_filled


def test_what_no_colour_stands_for_is_hatched_by_a_pattern_of_its_own(show: Show) -> None:
    children = [
        {"ply": "a", "score": 1, "depth": 2},
        {"ply": "b", "score": 2, "depth": 5},
        {"ply": "c", "score": 3},
    ]
    page = show({"plyscope": 1, "root": {"score": 3, "depth": 9, "children": children}})
    page.goto(page.url + "&colour=depth")
    page.reload()
    settled(page)
    file = saved(page)[1]
    found = parsed(file)
    assert "Coloured by depth, from 2 to 9." in lines(found)
    patterns = [each.get("id") for each in found.iter(f"{SVG}pattern")]
    assert patterns == ["absent-hatch"]
    assert key(found) == ["url(#absent-hatch)"]
    assert lines(found)[-1] == "not stated"
    assert "var(" not in file.read_text("utf-8")


def selected(page: Page) -> str:
    return page.locator("#tree .node-selected").get_attribute("data-id") or ""


def test_what_lies_beyond_the_window_is_in_it(show: Show) -> None:
    children = [
        {"ply": f"p{at}", "score": at, "children": [{"ply": f"q{to}", "score": to} for to in range(10)]}
        for at in range(120)
    ]
    page = show({"plyscope": 1, "root": {"layer": "max", "score": 79, "children": children}})
    for _ in range(14):
        keys(page, "m")
    page.keyboard.press("ArrowRight")
    keys(page, "*")
    found = cards(parsed(saved(page)[1]))
    assert len(found) > 600 > len(drawn(page))
    assert len(found) == len(set(found))


def test_texts_of_a_log_stay_texts(show: Show) -> None:
    plies = ["<script>alert(1)</script>", "]]>&amp;", "a\x00\x1b\uffff", "\u202ec6"]
    page = show({"plyscope": 1, "root": {"children": [{"ply": ply, "score": 1} for ply in plies]}})
    found = parsed(saved(page)[1])
    tags = {each.tag.removeprefix(SVG) for each in found.iter()}
    assert tags <= {"svg", "g", "path", "rect", "text", "title"}
    assert len(cards(found)) == 5
