"""A log that is written while the page shows it: the tree grows in place, pauses, the engine is held."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from plyscope.visualizer.shelf.follow import followed_log, growing
from plyscope.visualizer.web.api import request_arguments
from tests import compact_logs as made
from tests.page.conftest import NewPage, Serve, press, search, settled, visit
from tests.page.panels import logs
from tests.page.test_accessibility import serious
from tests.page.trees import item, names, selected
from tests.patience import PATIENCE

HEADER = {"plyscope": 1, "search": {"engine": "mine 1.2"}}


def ply(node_id: int, parent: int, name: str = "", **more: Any) -> dict[str, Any]:
    return {"id": node_id, "parent": parent, "ply": name or f"n{node_id}", **more}


SOME = (HEADER, {"id": 0, "layer": "max"}, ply(1, 0), ply(2, 1))


def only(name: str) -> bytes:
    return lines(HEADER, {"id": 0}, ply(1, 0, name))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_bytes(lines(*SOME))
    return path


@pytest.fixture
def live(serve: Serve, new_page: NewPage, path: Path) -> Page:
    """The page on a log that is being written: n1 below the root, n2 below that."""
    return visit(new_page(), serve(path, FOLLOW=True))


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def append(path: Path, *records: Any) -> None:
    with path.open("ab") as file:
        file.write(lines(*records))


def bar(page: Page) -> Locator:
    return page.locator("#live")


def test_the_tree_grows_in_place_while_the_log_is_written(live: Page, path: Path) -> None:
    # What is said of the plies is said of those that came.
    expect(bar(live)).to_contain_text("3 nodes")
    why = live.locator("#why")
    expect(why).to_contain_text("No ply here was finished")
    append(path, {"id": 1, "score": 5}, ply(5, 0, score=2))
    expect(why).to_contain_text("n1 is worth +5, n5 +2")
    # What one looks at stays where it is.
    item(live, "n2").click()
    place = item(live, "n2").bounding_box()
    append(path, ply(3, 1), ply(4, 0))
    expect(item(live, "n3")).to_be_visible()
    expect(item(live, "n4")).to_be_visible()
    expect(bar(live)).to_contain_text("Being written: 6 nodes")
    assert selected(live) == "n2"
    assert item(live, "n2").bounding_box() == place
    # A paused page stands still and goes on.
    live.get_by_role("button", name="Pause").focus()
    live.keyboard.press("Enter")
    expect(bar(live)).to_contain_text("Paused at 6 nodes")
    append(path, ply(6, 1))
    expect(bar(live)).to_contain_text("being written: 7 nodes")
    assert "n6" not in names(live)
    live.get_by_role("button", name="Go on").press("Enter")
    expect(item(live, "n6")).to_be_visible()
    expect(bar(live)).to_contain_text("Being written: 7 nodes")
    # Nodes that wait for a parent are counted.
    append(path, ply(9, 8))
    expect(bar(live)).to_contain_text("1 node waiting for a parent")
    # A log that has its result is an ordinary log.
    append(path, ply(8, 1), {"id": 0, "score": 5}, {"result": {"ply": "n1"}})
    expect(bar(live)).to_be_hidden()
    expect(item(live, "n8")).to_be_visible()
    assert selected(settled(live)) == "n2"
    expect(live.locator("#notices .notice")).to_have_count(0)


def test_what_is_searched_is_ringed_and_followed_until_something_is_pressed(live: Page, path: Path) -> None:
    ringed = live.locator("#tree .node-live .node-name")
    expect(ringed).to_have_text(["root", "n1", "n2"])
    append(path, {"id": 2, "score": 4}, {"id": 1, "score": 4}, ply(3, 0))
    expect(ringed).to_have_text(["root", "n3"])
    item(live, "root").click()
    expect(live.locator("#details-panel .details-result")).to_have_text("Being searched: best so far +4")
    expect(item(live, "root")).to_contain_text("so far +4")
    # The line that is searched is opened and selected as it goes on; what was opened for it folds again.
    follow = live.get_by_role("button", name="Follow")
    follow.click()
    expect(item(live, "n3")).to_have_attribute("aria-selected", "true")
    append(path, ply(4, 3), ply(5, 4))
    expect(item(live, "n5")).to_have_attribute("aria-selected", "true")
    append(path, *({"id": each, "score": 1} for each in (5, 4, 3)), ply(6, 0))
    expect(item(live, "n6")).to_have_attribute("aria-selected", "true")
    expect(item(live, "n5")).to_have_count(0)
    # Any press elsewhere ends that.
    live.keyboard.press("Tab")
    expect(follow).to_have_attribute("aria-pressed", "true")
    item(live, "n1").click()
    expect(follow).to_have_attribute("aria-pressed", "false")
    append(path, ply(7, 6))
    expect(bar(live)).to_contain_text("Being written: 8 nodes")
    expect(ringed).to_have_text(["root", "n6"])
    assert selected(live) == "n1"
    # After the end it is as any log.
    append(path, {"id": 7, "score": 2}, {"id": 6, "score": 2}, {"id": 0, "score": 4}, {"result": None})
    expect(bar(live)).to_be_hidden()
    expect(ringed).to_have_count(0)


def test_what_is_folded_counted_or_drawn_follows_the_log(live: Page, path: Path) -> None:
    # A node that was folded stays folded.
    item(live, "n1").click()
    live.keyboard.press("ArrowLeft")
    expect(item(live, "n2")).to_have_count(0)
    append(path, ply(3, 1), ply(4, 0))
    expect(item(live, "n4")).to_be_visible()
    assert not {"n2", "n3"} & set(names(live))
    expect(item(live, "n1")).to_contain_text("2")  # beside its wedge
    # The overview grows.
    live.keyboard.press("v")
    expect(live.locator(".overview-said")).to_have_text("All 5 nodes, each as wide as its subtree")
    append(path, ply(5, 0))
    expect(live.locator(".overview-said")).to_have_text("All 6 nodes, each as wide as its subtree")
    live.keyboard.press("v")
    # Hits are counted again.
    search(live, "level > 0")
    expect(live.locator("#drawer")).to_contain_text("5 hits of")
    append(path, ply(6, 1))
    expect(live.locator("#drawer")).to_contain_text("6 hits of")
    expect(live.locator("#drawer")).to_contain_text("n6")
    # A check waits until the log is whole.
    item(live, "n4").click()
    live.keyboard.press("c")
    waits = "A log is checked once it is whole: this one is being written."
    expect(live.locator("#check-panel")).to_contain_text(waits)
    # A replay stands on one moment of the log.
    live.keyboard.press("c")
    live.get_by_role("button", name="replay").click()
    expect(live.locator("#replay")).to_contain_text("of 7")
    with live.expect_request(lambda request: "paused=1" in request.url):
        append(path, ply(7, 1))
    shown = totals(live)
    append(path, ply(8, 1))
    expect(bar(live)).to_contain_text("Stands still at 7 nodes for a replay; being written: 9 nodes")
    assert totals(live) == shown, "what the replay asks for is the tree that it began with"


def totals(page: Page) -> int:
    """The number of nodes that the server reports for the log."""
    logs = urljoin(page.url, "/api/logs")
    log = page.request.get(logs).json()["default"]
    return int(page.request.get(f"{logs}/{log}").json()["totals"]["nodes"])


def test_the_tree_stands_as_it_stood_when_the_log_ends_until_the_next_search(live: Page, path: Path) -> None:
    """Two open nodes get more children than the window holds: as many are shown as before."""
    append(path, *(ply(10 + at, 0, f"a{at}") for at in range(60)))
    append(path, *(ply(100 + at, 1, f"b{at}") for at in range(60)))
    expect(bar(live)).to_contain_text("123 nodes")
    expect(item(live, "b0")).to_be_visible()
    before = names(settled(live))
    append(path, {"result": None})
    expect(bar(live)).to_be_hidden()
    assert names(settled(live)) == before
    # The next search over the same file is shown.
    checked = live.locator(".topbar-group [role=status]")
    expect(checked).to_have_text("Check: nothing to judge")
    path.write_bytes(only("other"))
    expect(item(live, "other")).to_be_visible()
    expect(bar(live)).to_contain_text("Being written: 2 nodes")
    expect(checked).to_have_text("")
    assert "n1" not in names(live)
    # A wrong line is said, and what came before stays.
    append(path, ply(3, 1, score=True))
    expect(bar(live)).to_contain_text("Not followed any more: line 4, $.score: found true")
    assert "other" in names(live)
    # It is shown once it is written right, and followed, also where no frame is drawn meanwhile.
    expect(bar(live)).to_contain_text("If the file is written anew, the page shows that.")
    live.evaluate("() => void (window.requestAnimationFrame = (draw) => setTimeout(draw, 1000))")
    path.write_bytes(only("third"))
    expect(item(live, "third")).to_be_visible()
    expect(bar(live)).to_contain_text("Being written: 2 nodes")


def test_an_overview_that_takes_long_is_shown_though_the_log_grew_since(live: Page, path: Path) -> None:
    pictures, held = "**/overview?*", list[tuple[Route, APIResponse]]()
    live.route(pictures, lambda route: held.append((route, route.fetch())))
    live.keyboard.press("v")
    for n_nodes in (3, 5):
        while not held:  # the picture of so many nodes is drawn by the server, and kept from the page
            live.evaluate("0")
        [(slow, picture)] = held  # one is asked for at a time
        if n_nodes == 3:
            append(path, ply(3, 1), ply(4, 1))
            expect(item(live, "n4")).to_be_visible()
        held.clear()
        slow.fulfill(response=picture)
        said = f"All {n_nodes} nodes, each as wide as its subtree"
        expect(live.locator(".overview-said")).to_have_text(said)


def test_who_writes_no_more_or_answers_no_more_is_said(
    serve: Serve, new_page: NewPage, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, seconds in ((growing, "SECONDS"), (followed_log, "SECONDS_OF_SILENCE")):
        monkeypatch.setattr(module, seconds, 0.5)
    monkeypatch.setattr(request_arguments, "MOST_WAIT_SECONDS", 0.5)  # what the page asks meets a fault soon
    with path.open("ab", buffering=0) as engine:
        live = visit(new_page(), serve(path, FOLLOW=True))
        expect(bar(live)).to_contain_text("Being written: 3 nodes, none in the last seconds")
        engine.write(b'{"id": 3, ')
    expect(bar(live)).to_contain_text("Not being written: no program")
    expect(bar(live)).to_contain_text("3 nodes came, then 10 bytes of a line or chunk without its end")
    expect(live.locator("#tree .node-live")).to_have_count(0)
    # A viewer that is gone, or knows the log no longer, is said.
    live.route("**/live?*", lambda route: route.abort())
    expect(bar(live)).to_contain_text("The viewer does not answer: is plyscope view still running?")
    expect(live.get_by_role("button", name="Pause")).to_be_hidden()
    live.unroute("**/live?*")
    expect(bar(live)).to_contain_text("3 nodes came")  # nobody has the file open
    live.route("**/live?*", lambda route: route.fulfill(status=404, json={"error": "no log", "status": 404}))
    expect(bar(live)).to_contain_text("The viewer was started anew and does not know this log.")
    assert "n2" in names(live)
    expect(live.locator("#notices .notice")).to_have_count(0)


def test_a_log_without_a_node_waits_for_the_first_or_is_told_what_is_wrong(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    path = tmp_path / "later.jsonl"
    page = new_page()
    address = serve(path, FOLLOW=True)
    page.goto(address + "?testing=1")
    expect(page.get_by_text("Waiting for later.jsonl, which is not there yet …", exact=True)).to_be_visible()
    assert not path.exists()
    append(path, HEADER)
    expect(page.get_by_text("Waiting for the first node of later.jsonl …", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Stop reading")).to_be_hidden()
    append(path, *SOME[1:])
    expect(item(page, "n1")).to_be_visible()
    # What is wrong is told in the place of the tree.
    wrong = tmp_path / "wrong.jsonl"
    page.goto(serve(wrong, FOLLOW=True) + "?testing=1")
    expect(page.get_by_text("Waiting for wrong.jsonl")).to_be_visible()
    append(wrong, HEADER, HEADER)
    expect(page.locator("#phase")).to_contain_text("line 2: found a second header")
    # A chunk of a size that cannot be is shown while it is awaited.
    compact, fields = tmp_path / "run.plyb", [["parent", "u32"], ["score", "i8"]]
    with compact.open("wb", buffering=0) as engine:
        engine.write(made.START + made.header() + made.layout(fields) + made.nodes(fields, [made.NOTHING, 3]))
        engine.write(b"NODE" + (200_000_000).to_bytes(4, "little"))
        visit(page, serve(compact, FOLLOW=True))
        expect(bar(page)).to_contain_text("a chunk that says it has 200,000,008 bytes: 8 have come")


def test_a_held_engine_waits_until_the_page_lets_it_go_on(serve: Serve, new_page: NewPage) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    server, page = serve(ENGINES=listener), new_page()
    with socket.create_connection(listener.getsockname(), timeout=PATIENCE) as engine:
        engine.sendall(lines(*SOME))
        page.goto(server + "?testing=1")
        expect(item(page, "n1")).to_be_visible()
        engine.sendall(lines({"hold": "<b>score</b> fell", "node": 1}))
        expect(bar(page)).to_contain_text("The engine waits at #1")
        expect(bar(page)).to_contain_text("<b>score</b> fell")
        press(page, bar(page).get_by_role("button", name="#1"))
        assert selected(page) == "n1"
        assert serious(page) == []
        bar(page).get_by_role("button", name="Let it go on").click()
        assert engine.recv(10) == b"go\n"
        expect(bar(page).locator(".live-hold")).to_be_hidden()
        engine.sendall(lines(ply(3, 1)))
        expect(item(page, "n3")).to_be_visible()
        address = engine.getpeername()
    expect(bar(page)).to_be_hidden()
    expect(logs(settled(page)).locator(".log-open")).to_contain_text("mine 1.2")
    assert selected(page) == "n1"
    # The log of the next engine is shown.
    with socket.create_connection(address, timeout=PATIENCE) as other:
        other.sendall(only("other"))
        expect(item(page, "other")).to_be_visible()
        expect(bar(page)).to_contain_text("Being written: 2 nodes")
