"""The list of logs: its order, its names, its room, and what there is of a log that is gone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.conftest import Server, press, settled, visit
from tests.page.panels import drag_files, logs, node, paste, write_log


def literal(ply: str) -> str:
    return f'{{"root": {{"children": [{{"ply": "{ply}", "score": 3}}]}}}}'


def listed(page: Page) -> list[str]:
    return logs(page).locator(".log-name").all_inner_texts()


def test_pastes_are_numbered_and_the_list_keeps_its_order_over_a_reload(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path)))
    paste(page, literal("one"))
    paste(page, literal("two"))
    assert sorted(listed(page)) == ["pasted 1", "pasted 2", "sample.json"]
    about = logs(page).locator(".log-about").first.inner_text()
    assert re.fullmatch(r"2 nodes · \d\d:\d\d", about), about
    before = listed(page)
    page.reload()
    settled(page)
    assert listed(page) == before
    # Tab stops at the list once, also where one row of it was drawn anew.
    logs(page).get_by_role("button", name="Rename pasted 1").click()
    page.keyboard.press("Escape")
    stops = "all => all.filter(one => one.tabIndex >= 0).length"
    assert logs(page).locator(".logs button").evaluate_all(stops) == 1


def test_a_long_list_has_its_own_room_with_the_open_log_in_sight(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    names = [f"log {n:02}.json" for n in range(20)]
    server = serve(*(write_log(tmp_path, None, name) for name in names))
    page = visit(new_page(), server)
    facts = page.get_by_role("region", name="The run").locator(".facts")
    box = facts.bounding_box()
    assert box
    assert box["y"] < 450
    press(page, logs(page).get_by_role("button", name=re.compile(f"^{names[-1]}")))
    page.reload()
    settled(page)
    expect(logs(page).locator(".log-open")).to_be_in_viewport(ratio=0.9)
    paste(page, literal("last"))
    expect(logs(page).locator(".log-open")).to_contain_text("pasted 1")
    expect(logs(page).locator(".log-open")).to_be_in_viewport(ratio=0.9)


def test_every_refused_file_is_named(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path)))
    drag_files(page, "drop", {"gen.py": "import sys", "notes.txt": "shopping: milk"})
    messages = page.locator(".notice-text")
    assert [text.split(":")[0] for text in messages.all_inner_texts()] == ["gen.py", "notes.txt"]


def test_a_link_to_a_deleted_log_offers_the_others(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(write_log(tmp_path))
    page = visit(new_page(), server, "#log=f288deadbeef")
    card = page.get_by_role("main")
    expect(card.get_by_role("heading")).to_have_text("This log is not on the list any more")
    expect(card).not_to_contain_text("/api/")
    expect(card.get_by_role("button", name="Try again")).to_have_count(0)
    press(page, card.get_by_role("button", name="sample.json"))
    expect(node(page, "wA1")).to_be_visible()


def test_an_empty_folder_is_named_and_its_first_log_opens_on_looking_again(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mappings.json").write_text("null")  # which is told, but no reason to show no logs
    page = visit(new_page(), serve(runs))
    card = page.get_by_role("main")
    expect(card.get_by_role("heading")).to_have_text("There are no logs in runs yet")
    press(page, card.get_by_role("button", name="Look again"))
    expect(card.get_by_role("heading")).to_have_text("There are no logs in runs yet")
    write_log(runs)
    press(page, card.get_by_role("button", name="Look again"))
    expect(node(page, "wA1")).to_be_visible()


def test_a_log_that_comes_while_the_page_is_open_appears_first_and_is_opened_from_there(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    first = write_log(runs, None, "first.json")
    os.utime(first, (1_000_000_000, 1_000_000_000))
    page = visit(new_page(), serve(runs))
    assert listed(page) == ["first.json"]
    write_log(runs, None, "second.json")
    expect(logs(page).locator(".log-name")).to_have_text(["second.json", "first.json"])
    expect(logs(page).locator(".log-open")).to_contain_text("first.json")
    press(page, logs(page).get_by_role("button", name=re.compile("^second.json")))
    expect(logs(page).locator(".log-open")).to_contain_text("second.json")


def test_a_paste_is_given_another_name_which_stays_over_a_reload(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path)))
    paste(page, literal("one"))
    press(page, logs(page).get_by_role("button", name="Rename pasted 1"))
    field = logs(page).get_by_role("textbox", name="New name of pasted 1")
    expect(field).to_be_focused()
    field.fill("given up")
    field.press("Escape")
    settled(page)
    assert "pasted 1" in listed(page)
    press(page, logs(page).get_by_role("button", name="Rename pasted 1"))
    field.fill("quiet moves off")
    field.press("Enter")
    expect(logs(page).locator(".log-open .log-name")).to_have_text("quiet moves off")
    page.reload()
    settled(page)
    assert sorted(listed(page)) == ["quiet moves off", "sample.json"]
    expect(logs(page).get_by_role("button", name="Rename sample.json")).to_have_count(0)
