"""The page of a viewer that asks for a token, as a browser comes to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from plyscope.visualizer.web.guard import Token
from tests.page.conftest import Server, settled
from tests.page.panels import node, write_log


def test_the_printed_address_opens_the_page_which_then_needs_no_token_in_its_address(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    token = Token.drawn()
    server = serve(write_log(tmp_path), TOKEN=token)
    page = new_page()
    page.goto(f"{server.address}?testing=1")
    expect(page.locator("body")).to_contain_text("this viewer asks for its token")
    page.goto(f"{server.address}?testing=1&token={token.secret}")
    settled(page)
    expect(node(page, "wA1")).to_be_visible()
    assert token.secret not in page.url
    page.reload()
    settled(page)
    expect(node(page, "wA1")).to_be_visible()
